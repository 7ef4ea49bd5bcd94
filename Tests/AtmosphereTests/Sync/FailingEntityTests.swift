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
        arguments: [TransportError.Code.cannotConnect, .offline, .tls, .timeout])
    func unreached(code: TransportError.Code) async throws {
        let world = try await TinyWorld()
        fail(world) { throw TransportError(code: code, message: "no way", mayHaveArrived: false) }
        let report = try await world.synchronizer.pull()
        #expect(report.entities["lists"]?.problemKind == .unreached)
        #expect(report.entities["tasks"]?.problemKind == .unasked)
        #expect(report.entities["tasks"]?.problem == "not asked for, because the pull ended with lists")
        #expect(world.server.log == ["GET lists/"])
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
        #expect(world.server.log == ["GET lists/", "GET lists/1/tasks/", "GET lists/2/tasks/"])
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 2)
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
