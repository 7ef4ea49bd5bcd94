import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("An entity that cannot be pulled")
struct FailingEntityTests {
    /// Tasks are listed below each of two lists.
    private func nestedWorld() async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.list.path = try! PathTemplate("lists/{lists.id}/tasks/")
            $0.parents = [Reference(entity: "lists", field: "list")]
        }
        for title in ["one", "two"] { world.server.insert("lists", ["title": .string(title)]) }
        for list in 1...2 { world.server.insert("tasks", ["list": .number(JSONNumber(list))]) }
        return world
    }

    private func fail(_ world: TinyWorld, _ outcome: @escaping @Sendable () throws -> Response?) {
        for _ in 0..<3 {
            world.server.fail(
                .init(applies: { $0.url.hasSuffix("/lists/") }, processes: false, outcome: outcome))
        }
    }

    @Test(
        "for a fault of its own endpoint stops no other",
        arguments: [nil, .connectionLost, .invalidResponse, .init("badContentEncoding")] as [TransportError.Code?])
    func others(code: TransportError.Code?) async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        fail(world) {
            guard let code else { return Response(status: 500) }
            throw TransportError(code: code, message: "broken", mayHaveArrived: true)
        }
        let report = try await world.synchronizer.pull()
        #expect(report.entities["lists"]?.problemKind == .network)
        #expect(report.entities["tasks"]?.problem == nil && report.entities["tasks"]?.inserted == 1)
    }

    @Test(
        "because the origin cannot be reached ends the pull, and what was not asked for is named",
        arguments: [TransportError.Code.cannotConnect, .offline, .tls])
    func unreached(code: TransportError.Code) async throws {
        let world = try await TinyWorld()
        fail(world) { throw TransportError(code: code, message: "no way", mayHaveArrived: false) }
        let report = try await world.synchronizer.pull()
        #expect(report.entities["lists"]?.problemKind == .unreached)
        #expect(report.entities["tasks"]?.problemKind == .unasked)
        #expect(report.entities["tasks"]?.problem == "not asked for, because the pull ended with lists")
        #expect(world.server.log == ["GET lists/"])
    }

    @Test("because its list is not answered in time stops no other, unless the next is not either")
    func silent() async throws {
        let slow = try await TinyWorld()
        slow.server.insert("tasks", ["title": "a"])
        fail(slow) { throw TransportError(code: .timeout, message: "no answer in time", mayHaveArrived: true) }
        let report = try await slow.synchronizer.pull()
        #expect(report.entities["lists"]?.problemKind == .silent)
        #expect(report.entities["tasks"]?.problem == nil && report.entities["tasks"]?.inserted == 1)
    }

    @Test("because of one row holds up no child of its other rows")
    func unusableRow() async throws {
        let world = try await nestedWorld()
        world.server.answer(
            "GET", with: #"{"results":[{"id":1,"rev":1},{"id":2,"rev":2},{"id":"","rev":9}],"next":null}"#,
            processes: false)
        let report = try await world.synchronizer.pull()
        #expect(report.entities["lists"]?.problem?.contains("1 left out") == true, "\(report)")
        #expect(report.entities["tasks"]?.problem == nil, "\(report)")
        #expect(world.server.log.sorted() == ["GET lists/", "GET lists/1/tasks/", "GET lists/2/tasks/"])
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 2)
    }

    /// Three lists with a task each, of which nothing is here.
    private func threeLists(_ change: (inout Resource) -> Void = { _ in }) async throws -> NestedWorld {
        let world = try await NestedWorld(change)
        for title in ["one", "two", "three"] { world.server.insert("lists", ["title": .string(title)]) }
        for list in 1...3 { world.server.insert("tasks", ["list": .number(JSONNumber(list))]) }
        return world
    }

    @Test("in one list of one parent holds up no child of the others", arguments: [403, 500])
    func oneList(status: Int) async throws {
        let world = try await threeLists()
        world.door.meet("lists/2/tasks/") { Response(status: status) }
        let report = try await world.pull()
        #expect(report.problem?.hasPrefix("tasks of 2: ") == true, "\(report)")
        #expect(report.problem?.contains("(\(status))") == true, "\(report)")
        #expect(report.problemKind == (status == 403 ? PullReport.ProblemKind.answer : .network))
        #expect(try await world.ids() == ["4", "6"])
        // The lists that have come to their end are asked for what has changed.
        world.door.clear()
        _ = try await world.pull()
        #expect(world.door.log.contains { $0.hasPrefix("lists/3/tasks/?since=") }, "\(world.door.log)")
        #expect(world.door.log.contains("lists/2/tasks/"), "\(world.door.log)")
        world.door.meet("lists/2/tasks/", nil)
        #expect(try await world.pull().problem == nil)
        #expect(try await world.ids() == ["4", "5", "6"])
    }

    @Test("in one parent whose list is gone, and which cannot be read, holds up no child of the others")
    func unreadParent() async throws {
        let world = try await threeLists()
        world.door.meet("lists/2/tasks/") { Response(status: 404) }
        world.door.meet("lists/2/") { Response(status: 500) }
        let report = try await world.pull()
        #expect(report.problemKind == .network && report.problem?.contains("GET lists/2") == true, "\(report)")
        #expect(try await world.ids() == ["4", "6"])
    }

    @Test("that is no JSON says of which parent", arguments: ["<html>", #"{"next":null,"results":7}"#])
    func whichList(body: String) async throws {
        let world = try await threeLists()
        world.door.meet("lists/2/tasks/") {
            Response(
                status: 200, headers: ["Content-Type": "application/json"], body: ResponseBody(Array(body.utf8)))
        }
        let report = try await world.pull()
        #expect(report.problem?.hasPrefix("tasks of 2: ") == true && report.problemKind == .answer, "\(report)")
        #expect(try await world.ids() == ["4", "6"])
    }

    @Test("in one list of one parent ends the pull where it is one of the origin")
    func originOfOneList() async throws {
        let outcomes: [(PullReport.ProblemKind, NestedWorld.Outcome)] = [
            (.signInNeeded, { Response(status: 401) }),
            (.unreached, { throw TransportError(code: .cannotConnect, message: "no way", mayHaveArrived: false) })
        ]
        for (kind, outcome) in outcomes {
            let world = try await threeLists()
            world.door.meet("lists/2/tasks/", outcome)
            #expect(try await world.pull().problemKind == kind)
        }
    }

    @Test("in one list of one parent that is silent is its own, and two are the origin's")
    func silentLists() async throws {
        let world = try await threeLists()
        let silence: NestedWorld.Outcome = {
            throw TransportError(code: .timeout, message: "no answer", mayHaveArrived: true)
        }
        world.door.meet("lists/2/tasks/", silence)
        #expect(try await world.pull().problem == "tasks of 2: no answer")
        #expect(try await world.ids() == ["4", "6"])
        world.door.meet("lists/3/tasks/", silence)
        #expect(try await world.pull().problem == "no answer")
    }

    @Test("because its list is not read holds up what is listed below it")
    func unlistedParent() async throws {
        let world = try await nestedWorld()
        fail(world) { Response(status: 500) }
        let report = try await world.synchronizer.pull()
        #expect(report.entities["lists"]?.problemKind == .network)
        #expect(report.entities["tasks"]?.problem == "lists could not be listed")
        #expect(world.server.log.allSatisfy { $0 == "GET lists/" })
    }
}
