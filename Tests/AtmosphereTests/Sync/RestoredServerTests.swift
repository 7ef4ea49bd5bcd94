import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("A server that was restored from a copy")
struct RestoredServerTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    /// The server has an older version than the one that is here.
    private func world() async throws -> TinyWorld {
        let world = try await TinyWorld { $0.version = .token(.field(.member("rev")), ordered: true) }
        world.server.insert("tasks", ["title": "old"])
        let copy = world.server.rows("tasks")[0]
        for number in 1...3 { world.server.edit("tasks", 1, ["title": .string("t\(number)")]) }
        try await world.synchronizer.pull()
        world.server.state.withLock { $0.rows["tasks"]?[1] = copy }
        return world
    }

    private func pull(_ world: TinyWorld, accepting: Bool) async throws -> PullReport.Entity? {
        var options = Synchronizer.PullOptions()
        options.full = true
        options.acceptsOlder = accepting
        return try await world.synchronizer.pull(options: options).entities["tasks"]
    }

    @Test("a full pull says that the server has older versions, and takes them where it is told to")
    func restored() async throws {
        let world = try await world()
        let report = try await pull(world, accepting: false)
        #expect(report?.problem == nil && report?.warnings.count == 1)
        let warning = report?.warnings.first ?? ""
        #expect(warning.hasPrefix("1 tasks have an older version on the server than here (tasks/1)"), "\(warning)")
        #expect(warning.hasSuffix("pull --full --accept-older"), "\(warning)")
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "t3")
        #expect(try await pull(world, accepting: true)?.updated == 1)
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "old")
        #expect(try await pull(world, accepting: false)?.warnings == [])
        // What the server says from now on is newer again.
        world.server.edit("tasks", 1, ["title": "new"])
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "new")
    }

    @Test("what was edited here meanwhile is merged with the restored object")
    func edited() async throws {
        let world = try await world()
        try await world.synchronizer.edit(uri, setting: [("note", "mine")])
        #expect(try await pull(world, accepting: true)?.merged == 1)
        let record = try await world.synchronizer.record(at: uri)
        #expect(record?["title"] == "old" && record?["note"] == "mine")
    }
}
