import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("A full listing where absence means deletion")
struct FullListingTests {
    /// Two lists of two tasks each (3, 4 and 5, 6), of which everything is listed each day.
    private func world() async throws -> NestedWorld {
        let world = try await NestedWorld { $0.since?.fullEvery = .seconds(86_400) }
        for title in ["one", "two"] { world.server.insert("lists", ["title": .string(title)]) }
        for list in 1...2 {
            for _ in 1...2 { world.server.insert("tasks", ["list": .number(JSONNumber(list))]) }
        }
        return world
    }

    @Test("is one of all lists, so that lists that began on different days are due together")
    func differentDays() async throws {
        let world = try await world()
        let second = world.server.rows("lists")[1]
        world.server.remove("lists", 2)
        #expect(try await world.pull().problem == nil)
        try await world.pass(.seconds(43_200))
        world.server.put("lists", 2, second)
        #expect(try await world.pull().problem == nil)
        #expect(try await world.ids() == ["3", "4", "5", "6"])
        world.server.remove("tasks", 3)
        world.server.remove("tasks", 5)
        world.door.clear()
        #expect(try await world.pull().deleted == 0)
        #expect(world.door.log.filter { $0.contains("/tasks/") }.allSatisfy { $0.contains("since=") })
        try await world.pass(.seconds(50_000))
        world.door.clear()
        #expect(try await world.pull().deleted == 2)
        #expect(
            world.door.log.filter { $0.hasPrefix("lists/") && $0.contains("/tasks/") }.sorted()
                == ["lists/1/tasks/", "lists/2/tasks/"])
        world.door.clear()
        #expect(try await world.pull().problem == nil)
        #expect(world.door.log.filter { $0.contains("/tasks/") }.allSatisfy { $0.contains("since=") })
    }

    @Test("has been one as far as it goes where one list is refused, and is made up for when that is shown again")
    func refusedList() async throws {
        let world = try await world()
        #expect(try await world.pull().problem == nil)
        world.server.remove("tasks", 3)
        world.door.meet("lists/2/tasks/") { Response(status: 403) }
        try await world.pass(.seconds(90_000))
        for isDue in [true, false, false] {
            world.door.clear()
            let report = try await world.pull()
            #expect(report.problem?.hasPrefix("tasks of 2: ") == true && report.deleted == 0, "\(report)")
            let first = world.door.log.filter { $0.hasPrefix("lists/1/tasks/") }
            #expect(first.count == 1 && first[0].contains("since=") == !isDue, "\(world.door.log)")
        }
        world.door.meet("lists/2/tasks/", nil)
        #expect(try await world.pull().problem == nil)
        world.door.clear()
        #expect(try await world.pull().deleted == 1)
        #expect(world.door.log.filter { $0.contains("/tasks/") }.sorted().first == "lists/1/tasks/")
        world.door.clear()
        #expect(try await world.pull().problem == nil)
        #expect(world.door.log.filter { $0.contains("/tasks/") }.allSatisfy { $0.contains("since=") })
    }

    @Test("has not been one where a row was left out: the next pull lists everything")
    func leftOut() async throws {
        let world = try await world()
        #expect(try await world.pull().problem == nil)
        world.server.remove("tasks", 3)
        world.door.meet("lists/2/tasks/") {
            let body = #"{"next":null,"results":[{"id":5,"list":2,"rev":5},{"id":"","rev":9}]}"#
            return Response(
                status: 200, headers: ["Content-Type": "application/json"], body: ResponseBody(Array(body.utf8)))
        }
        var options = Synchronizer.PullOptions()
        options.full = true
        let report = try await world.pull(options)
        #expect(report.problem?.contains("1 left out") == true && report.deleted == 0, "\(report)")
        world.door.meet("lists/2/tasks/", nil)
        #expect(try await world.pull().deleted == 1)
        #expect(try await world.ids() == ["4", "5", "6"])
        world.door.clear()
        #expect(try await world.pull().problem == nil)
        #expect(world.door.log.filter { $0.contains("/tasks/") }.allSatisfy { $0.contains("since=") })
    }

    @Test("an empty list beside others makes nobody list everything")
    func emptyList() async throws {
        let world = try await world()
        world.server.insert("lists", ["title": "empty"])
        for _ in 1...2 { #expect(try await world.pull().problem == nil) }
        for _ in 1...3 {
            world.door.clear()
            #expect(try await world.pull().problem == nil)
            #expect(world.door.log.contains { $0.hasPrefix("lists/1/tasks/?since=") }, "\(world.door.log)")
        }
    }
}
