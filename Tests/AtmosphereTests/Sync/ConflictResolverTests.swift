import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Conflicts that code decides")
struct ConflictResolverTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    /// A task that was edited on both sides, after a push of the client that has the resolver.
    private func clash(
        _ resolver: ConflictResolver, base: Value.Members, mine: [(name: String, value: Value?)],
        theirs: Value.Members, _ change: (inout Resource) -> Void = { _ in }
    ) async throws -> (world: TinyWorld, api: Synchronizer) {
        let world = try await TinyWorld(change)
        let api = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store, transport: world.server.transport,
            style: TinyWorld.TinyStyle(), resolvers: ["tasks": resolver], environment: TinyWorld.environment())
        world.server.insert("tasks", base)
        try await api.pull()
        try await api.edit(uri, setting: mine)
        world.server.edit("tasks", 1, theirs)
        try await api.push()
        return (world, api)
    }

    private func number(_ number: Int) -> Value { .number(JSONNumber(number)) }

    /// The higher count, whoever has it.
    private let higher = ConflictResolver { clash in
        guard clash.fields == ["count"], let mine = clash.mine["count"]?.number?.int64,
            let theirs = clash.theirs["count"]?.number?.int64
        else { return .declared }
        return mine > theirs ? .mine : .theirs
    }

    @Test("either side wins as the code says, and what does not clash is merged", arguments: [(5, 3), (2, 9)])
    func sides(mine: Int, theirs: Int) async throws {
        let (world, api) = try await clash(
            higher, base: ["title": "a", "count": 1], mine: [("count", number(mine)), ("title", "mine")],
            theirs: ["count": number(theirs), "note": "theirs"])
        let row = world.server.rows("tasks")[0]
        #expect(row["count"] == number(max(mine, theirs)) && row["title"] == "mine" && row["note"] == "theirs")
        #expect(try await api.record(at: uri)?["count"] == number(max(mine, theirs)))
        #expect(try await api.pending().isEmpty)
    }

    @Test("a value of the code's own is sent, and one that it leaves out is absent")
    func values() async throws {
        let both = ConflictResolver { clash in
            guard clash.fields == ["title"], let mine = clash.mine["title"]?.string,
                let theirs = clash.theirs["title"]?.string
            else { return .set([:]) }
            return .set(["title": .string("\(theirs) and \(mine)"), "other": "ignored"])
        }
        let (world, api) = try await clash(
            both, base: ["title": "a", "note": "n"], mine: [("title", "mine"), ("note", "x")],
            theirs: ["title": "theirs", "note": "y"])
        #expect(world.server.rows("tasks")[0]["title"] == "theirs and mine")
        let record = try await api.record(at: uri)
        #expect(record?["title"] == "theirs and mine" && record?["other"] == nil)
        #expect(record?["note"] == nil || record?["note"] == .null)
        #expect(try await api.pending().isEmpty)
    }

    @Test("it is asked for what clashes alone, with all of the object, and may leave it to the route file")
    func declared() async throws {
        let clashes = Clashes(Mutex([]))
        let resolver = ConflictResolver { clash in
            clashes.value.withLock { $0.append(clash) }
            return .declared
        }
        let (_, api) = try await clash(
            resolver, base: ["title": "a", "note": "n", "done": false], mine: [("title", "mine"), ("note", "x")],
            theirs: ["title": "theirs", "done": true])
        #expect(try await api.status()[1].counts.conflicted == 1)
        let asked = clashes.value.withLock { $0 }
        let first = try #require(asked.first)
        #expect(first.entity == "tasks" && first.fields == ["title"])
        #expect(first.base["note"] == "n" && first.mine["note"] == "x" && first.theirs["done"] == true)
        #expect(asked.allSatisfy { $0 == first })
        try await api.resolve(uri, .mine)
        try await api.push()
        #expect(try await api.pending().isEmpty)
    }

    @Test("members that win or lose as one are asked for at once")
    func together() async throws {
        let east = ConflictResolver { $0.fields.sorted() == ["x", "y"] ? .theirs : .declared }
        let (world, api) = try await clash(
            east, base: ["x": 1, "y": 1], mine: [("x", 2)], theirs: ["y": 3]
        ) { $0.fields.together = [["x", "y"]] }
        let row = world.server.rows("tasks")[0]
        #expect(row["x"] == 1 && row["y"] == 3)
        #expect(try await api.pending().isEmpty)
    }

    @Test("one for an entity that there is not is refused at once")
    func unknownEntity() async throws {
        let world = try await TinyWorld()
        let error = await #expect(throws: SyncError.self) {
            try await Synchronizer(
                routeFile: world.synchronizer.routeFile, store: MemoryStore(), transport: world.server.transport,
                style: TinyWorld.TinyStyle(), resolvers: ["task": higher])
        }
        #expect(error?.code == .unknownName && error?.message.contains("it has lists, tasks") == true)
    }

    private final class Clashes: Sendable {
        let value: Mutex<[ConflictResolver.Clash]>
        init(_ value: consuming Mutex<[ConflictResolver.Clash]>) { self.value = value }
    }
}
