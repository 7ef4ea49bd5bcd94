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
