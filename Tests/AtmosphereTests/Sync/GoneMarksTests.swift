import Testing

@testable import Atmosphere
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("Marks of objects that are gone")
struct GoneMarksTests {
    private let store = MemoryStore()
    private let resource: Resource
    private var marks: GoneMarks { GoneMarks(of: resource) }

    init() throws { resource = try #require(try TinyWorld.routeFile().resource("tasks")) }

    private func uri(_ id: Int) -> ObjectURI { ObjectURI(entity: "tasks", id: String(id)) }

    private func sequence(_ hours: Int) -> Int64 { 1_000 + Synchronizer.sequences(in: .seconds(hours * 3_600)) }

    private func note(_ ids: some Sequence<Int> & Sendable, at sequence: Int64, isTold: Bool = false) async throws {
        try await store.write(.process, origin: .live) { transaction in
            for id in ids { try marks.note(uri(id), at: sequence, isTold: isTold, in: transaction) }
        }
    }

    private func known(among ids: some Sequence<Int> & Sendable) async throws -> [Int] {
        try await store.read { snapshot in try ids.filter { try marks.contains(uri($0), in: snapshot) } }
    }

    @Test("each stands for a day at least, and goes when what was noted a day later is a day old")
    func lifetime() async throws {
        try await note([1], at: sequence(0))
        try await note([2], at: sequence(23))
        try await note([3], at: sequence(25))
        try await note([4], at: sequence(48))
        #expect(try await known(among: 1...4) == [1, 2, 3, 4])
        try await note([5], at: sequence(50))
        #expect(try await known(among: 1...5) == [3, 4, 5])
    }

    @Test("however many are noted, a number of them stay, the newest")
    func limit() async throws {
        let most = GoneMarks.mostInHalf
        try await note(1...(3 * most), at: sequence(0))
        let known = try await known(among: 1...(3 * most))
        #expect(known == Array((most + 1)...(3 * most)))
        // One that is noted again is no other.
        for _ in 0..<2 { try await note((2 * most + 1)...(3 * most), at: sequence(1)) }
        #expect(try await self.known(among: 1...(3 * most)).count == 2 * most)
    }

    @Test("only what a message told says when, the last time")
    func told() async throws {
        try await note([1, 2], at: sequence(1))
        try await note([2, 3], at: sequence(2), isTold: true)
        try await note([2], at: sequence(30), isTold: true)
        try await note([3], at: sequence(31))
        let told = try await store.read { snapshot in try (1...3).map { try marks.lastTold(uri($0), in: snapshot) } }
        #expect(told == [nil, sequence(30), sequence(2)])
    }

    @Test("marks that an earlier version has kept are read, or dropped with the first that is noted")
    func earlierVersion() async throws {
        let latest = PullScope(entity: "#confirmed/tasks")
        try await store.write(.process, origin: .pull) { transaction in
            let cursor = PullCursor(underway: .init(number: 7, isFull: false))
            try transaction.put(cursor, for: PullScope(entity: "#removed/tasks", parent: "/1"))
            try transaction.put(cursor, for: PullScope(entity: "#confirmed/tasks", parent: "/2"))
            try transaction.put(cursor, for: latest)
        }
        #expect(try await known(among: 1...2) == [1])
        try await note([3], at: sequence(0))
        #expect(try await known(among: 1...3) == [1, 3])
        let left = try await store.read { try $0.cursors(entity: "#confirmed/tasks").map(\.scope) }
        #expect(left == [latest])
        try await note([4], at: sequence(25))
        #expect(try await known(among: 1...4) == [3, 4])
    }

    @Test("a pull looks through none of them")
    func pull() async throws {
        let store = WalkedStore()
        let world = try await TinyWorld(store: store) { $0.since = nil }
        for title in ["a", "b"] { world.server.insert("tasks", ["title": .string(title)]) }
        try await world.synchronizer.pull()
        try await world.synchronizer.delete(uri(1))
        try await world.synchronizer.push()
        let before = store.listed.count
        try await world.synchronizer.pull()
        let listed = store.listed.dropFirst(before)
        #expect(!listed.contains { $0.hasPrefix("#removed/") || $0.hasPrefix("#confirmed/") }, "\(listed)")
    }
}
