import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("Representations that are older than what is known")
struct OlderRepresentationTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    /// A list that was asked for before a push was answered, and arrives after it.
    private func listAcrossPush(
        _ change: (inout Resource) -> Void
    ) async throws -> (TinyWorld, log: [String]) {
        let world = try await TinyWorld(change)
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let gate = Gate()
        let slow = try await world.holding("GET", at: gate) { $0.url.contains("tasks/?") || $0.url.hasSuffix("tasks/") }
        async let pulled = slow.pull(entities: ["tasks"])
        await gate.waitForArrivals()
        try await slow.edit(uri, setting: [("title", "b")])
        try await slow.push()
        world.server.clearLog()
        gate.open()
        _ = try await pulled
        return (world, world.server.log)
    }

    @Test("a list from before our push does not undo it: the object is asked for again, once")
    func beforePush() async throws {
        let (world, log) = try await listAcrossPush { tasks in
            tasks.version = .none
            tasks.since = nil
        }
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "b")
        #expect(log == ["GET tasks/1/"])
    }

    @Test("where versions are ordered the older one is ignored without a request")
    func orderedVersion() async throws {
        let (world, log) = try await listAcrossPush { tasks in
            tasks.version = .token(.field(.member("rev")), ordered: true)
            tasks.since = nil
        }
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "b")
        #expect(log.isEmpty)
    }

    /// Two tasks; a list of both is asked for before the first is deleted, and arrives after that.
    ///
    /// - Parameters:
    ///   - isOther: another process on the store deletes it, some time later.
    ///   - meanwhile: what happens on the server when it is deleted.
    private func listAcrossDelete(
        isOther: Bool, isNow: Bool = false, _ change: @escaping (inout Resource) -> Void = { _ in },
        meanwhile: (TinyServer) -> Void = { _ in }
    ) async throws -> (world: TinyWorld, slow: Synchronizer, log: [String]) {
        func changing(_ tasks: inout Resource) {
            tasks.version = .none
            tasks.since = nil
            change(&tasks)
        }
        let world = try await TinyWorld(changing)
        for title in ["a", "b"] { world.server.insert("tasks", ["title": .string(title)]) }
        try await world.synchronizer.pull()
        let gate = Gate()
        let slow = try await world.holding("GET", at: gate) { $0.url.hasSuffix("tasks/") }
        let other = try await TinyWorld(
            server: world.server, store: world.store, start: 1_700_000_060_000, changing)
        async let pulled = slow.pull(entities: ["tasks"])
        await gate.waitForArrivals()
        let synchronizer = isOther ? other.synchronizer : slow
        if isNow {
            try await synchronizer.deleteNow(uri)
        } else {
            try await synchronizer.delete(uri)
            try await synchronizer.push()
        }
        meanwhile(world.server)
        world.server.clearLog()
        gate.open()
        _ = try await pulled
        return (world, slow, world.server.log)
    }

    @Test("a list from before our delete does not bring the object back, whoever has sent it", arguments: [false, true])
    func beforeDelete(isOther: Bool) async throws {
        for isNow in [false, true] {
            let (world, _, log) = try await listAcrossDelete(isOther: isOther, isNow: isNow)
            #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id) == ["2"])
            #expect(log == ["GET tasks/1/"])
        }
    }

    @Test("what was made anew under its identifier since then comes")
    func madeAnewSinceDelete() async throws {
        let (world, _, _) = try await listAcrossDelete(
            isOther: true, meanwhile: { $0.put("tasks", 1, ["title": "anew"]) })
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "anew")
    }

    @Test("where no single object can be read the next list tells")
    func beforeDeleteUnreadable() async throws {
        let (world, slow, log) = try await listAcrossDelete(
            isOther: true, { $0.read.isOffered = false }, meanwhile: { $0.put("tasks", 1, ["title": "anew"]) })
        #expect(log == [])
        #expect(try await world.synchronizer.object(at: uri) == nil)
        // The clock of this process has come to the time of the delete.
        try await slow.environment.sleep(Timestamp(milliseconds: 1_700_000_120_000))
        try await slow.pull(entities: ["tasks"])
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "anew")
    }

    @Test("a copy of the server that lags behind does not take the object back in time")
    func laggingCopy() async throws {
        let world = try await TinyWorld { tasks in
            tasks.version = .token(.field(.member("rev")), ordered: true)
            tasks.since = nil
        }
        for _ in 0..<9 { world.server.insert("lists", ["title": "x"]) }
        let id = world.server.insert("tasks", ["title": "new"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: String(id))
        world.server.answer(
            "GET", with: #"{"count":1,"next":null,"results":[{"id":\#(id),"title":"old","rev":9}]}"#)
        try await world.synchronizer.pull(entities: ["tasks"])
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "new")
    }

    @Test(
        "tokens are ordered as numbers, as instants, else as texts",
        arguments: [
            ("10", "9", ValueOrder.greater), ("\"9\"", "\"10\"", .less), ("W/\"3\"", "3", .equal),
            ("2024-06-01T12:00:00+02:00", "2024-06-01T11:00:00Z", .less), ("b", "a", .greater), ("a1", "7", nil)
        ])
    func order(token: String, other: String, expected: ValueOrder?) {
        #expect(Version.token(.header("ETag"), ordered: true).order(token, other) == expected)
        #expect(Version.token(.header("ETag"), ordered: false).order(token, other) == nil)
    }
}
