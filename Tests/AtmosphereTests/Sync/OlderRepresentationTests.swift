import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

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
