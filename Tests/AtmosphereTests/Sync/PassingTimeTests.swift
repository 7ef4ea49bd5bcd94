import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("What changes as time passes")
struct PassingTimeTests {
    @Test("after `since.expires` everything is asked for again, once")
    func expires() async throws {
        let world = try await TinyWorld { $0.since?.expires = .seconds(3600) }
        world.server.insert("tasks", ["title": "a"])
        func pull(after seconds: Int) async throws -> [String] {
            world.server.clearLog()
            try await world.pass(.seconds(seconds))
            try await world.synchronizer.pull(entities: ["tasks"])
            return world.server.log
        }
        #expect(try await pull(after: 0) == ["GET tasks/"])
        #expect(try await pull(after: 3600) == ["GET tasks/?since=1"])
        #expect(try await pull(after: 3601) == ["GET tasks/"])
        #expect(try await pull(after: 10) == ["GET tasks/?since=1"])
    }

    /// Twenty days after a tiny world begins.
    private let ahead: Int64 = 1_700_000_000_000 + 20 * 86_400_000

    @Test(
        "a pull by a clock that was set back since is of no known age: everything is asked for again, once",
        arguments: [false, true])
    func setBack(expires: Bool) async throws {
        func change(_ tasks: inout Resource) {
            tasks.deletes.byAbsence = true
            if expires {
                tasks.since?.expires = .seconds(30 * 86_400)
            } else {
                tasks.since?.fullEvery = .seconds(7 * 86_400)
            }
        }
        let before = try await TinyWorld(start: ahead) { change(&$0) }
        for title in ["a", "b"] { before.server.insert("tasks", ["title": .string(title)]) }
        try await before.synchronizer.pull(entities: ["tasks"])
        before.server.remove("tasks", 1)
        before.server.clearLog()
        let world = try await TinyWorld(server: before.server, store: before.store) { change(&$0) }
        for _ in 1...2 { try await world.synchronizer.pull(entities: ["tasks"]) }
        #expect(world.server.log.first == "GET tasks/" && world.server.log.last == "GET tasks/?since=2")
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id) == ["2"])
    }

    @Test("a try that was put off by a clock that was set back since goes with the next push")
    func putOff() async throws {
        let before = try await TinyWorld(start: ahead) { $0.version = .none }
        before.server.insert("tasks", ["title": "a"])
        try await before.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await before.synchronizer.edit(uri, setting: [("title", "b")])
        let tasks = try before.synchronizer.resource("tasks")
        before.server.answer("PATCH", with: "{}", status: 500, processes: false)
        _ = try await LaneRunner(before.synchronizer, [uri], of: tasks).run(onDemand: true)
        #expect(before.server.rows("tasks")[0]["title"] == "a")
        let world = try await TinyWorld(server: before.server, store: before.store) { $0.version = .none }
        _ = try await LaneRunner(world.synchronizer, [uri], of: tasks).run(onDemand: false)
        #expect(world.server.rows("tasks")[0]["title"] == "b")
    }

    @Test("each failed try doubles the wait until the next, up to five minutes; an edit starts anew")
    func backoff() async throws {
        let world = try await TinyWorld { $0.version = .none }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        let tasks = try world.synchronizer.resource("tasks")
        func waitAfterFailure() async throws -> Int64 {
            world.server.answer("PATCH", with: "{}", status: 500, processes: false)
            _ = try await LaneRunner(world.synchronizer, [uri], of: tasks).run(onDemand: true)
            let meta = try await world.store.read { try $0.object(at: uri)?.meta }
            return try #require(meta?.outgoing?.retry.due).milliseconds - world.now.milliseconds
        }
        // Half of 1, 2, 4, … seconds and a random part of the other half, here half of it.
        for expected in [750, 1500, 3000, 6000, 12_000, 24_000, 48_000, 96_000, 192_000, 225_000, 225_000] as [Int64] {
            #expect(try await waitAfterFailure() == expected)
        }
        try await world.synchronizer.edit(uri, setting: [("title", "c")])
        #expect(try await waitAfterFailure() == 750)
        #expect(try await world.synchronizer.push().updated == 1)
    }
}
