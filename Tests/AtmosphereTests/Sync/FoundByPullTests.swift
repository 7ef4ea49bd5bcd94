import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Creates that a list cannot be filtered for")
struct FoundByPullTests {
    /// The value is unique, and no parameter of the list filters by it.
    private func world(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        try await TinyWorld {
            $0.lookup = Lookup(field: "uuid", parameter: nil)
            change(&$0)
        }
    }

    private func posts(_ world: TinyWorld) -> Int { world.server.log.count { $0.hasPrefix("POST") } }

    @Test("one that arrived is sent again, refused as a duplicate, and found in the list", arguments: [false, true])
    func arrived(isEditedMeanwhile: Bool) async throws {
        let world = try await world()
        for number in 1...3 { world.server.insert("tasks", ["title": .string("other \(number)")]) }
        try await world.synchronizer.pull()
        world.server.loseAnswer(to: "POST")
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        if isEditedMeanwhile { world.server.answer("GET", with: "{}", status: 503, processes: false) }
        try await world.synchronizer.push()
        if isEditedMeanwhile {
            try await world.synchronizer.edit(uri, setting: [("note", "n")])
            try await world.synchronizer.push()
            try await world.synchronizer.push()
        }
        #expect(world.server.rows("tasks").count == 4)
        if isEditedMeanwhile { #expect(world.server.rows("tasks").last?["note"] == "n") }
        #expect(posts(world) == 2, "\(world.server.log)")
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 4)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("one that did not arrive is sent again, and is one object")
    func notArrived() async throws {
        let world = try await world()
        world.server.loseAnswer(to: "POST", processes: false)
        try await world.synchronizer.save(["title": "mine"], as: "tasks")
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").count == 1 && posts(world) == 2)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("one that arrived and was deleted here meanwhile is deleted there")
    func deletedMeanwhile() async throws {
        let world = try await world()
        for _ in 0..<12 { world.server.loseAnswer(to: "POST") }
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        try await world.synchronizer.push()
        try await world.synchronizer.delete(uri)
        world.server.forgetFaults()
        try await world.synchronizer.push()
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").isEmpty, "\(world.server.log)")
        #expect(try await world.synchronizer.records(matching: Query("tasks")).isEmpty)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("where nothing says how the server refuses a second one it is not sent again; a pull finds it")
    func withoutDuplicate() async throws {
        let world = try await world { $0.duplicate = nil }
        world.server.loseAnswer(to: "POST")
        try await world.synchronizer.save(["title": "mine"], as: "tasks")
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.status()[1].counts.unknown == 1)
        #expect(posts(world) == 1)
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 1)
    }

    @Test("a value that another object has is refused, and that object is here beside it")
    func anothers() async throws {
        let world = try await world()
        world.server.insert("tasks", ["title": "theirs", "uuid": "u1"])
        let uri = try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        try await world.synchronizer.push()
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "mine")
        #expect(world.server.rows("tasks").map { $0["title"] } == ["theirs"])
        let status = try await world.synchronizer.status()[1].counts
        #expect(status.rejected == 1 && status.unknown == 0, "\(status)")
        var options = Synchronizer.PullOptions()
        options.full = true
        try await world.synchronizer.pull(options: options)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 2)
    }
}
