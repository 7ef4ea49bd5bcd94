import AtmosphereReports
import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("What a push leaves as failed")
struct PushOutcomeTests {
    private let first = ObjectURI(entity: "tasks", id: "1")
    private let second = ObjectURI(entity: "tasks", id: "2")

    /// Two tasks, and twelve tries for each change.
    private func world() async throws -> (server: TinyServer, synchronizer: Synchronizer) {
        let world = try await TinyWorld { $0.version = .none }
        for title in ["a", "b"] { world.server.insert("tasks", ["title": .string(title)]) }
        try await world.synchronizer.pull()
        return (world.server, try await world.under { $0.limits.attempts = 12 })
    }

    private func fail(_ uri: ObjectURI, on server: TinyServer, _ times: Int) {
        let path = "/\(uri.entity)/\(uri.id)/"
        for _ in 0..<times {
            server.fail(
                .init(applies: { $0.method == "PATCH" && $0.url.hasSuffix(path) }, processes: false) {
                    Response(status: 500, body: ResponseBody(Array()))
                })
        }
    }

    /// Lets tries of a change fail. After seven the next is due in 48 seconds, which is longer than a push waits.
    private func wearOut(
        _ uri: ObjectURI, _ server: TinyServer, _ synchronizer: Synchronizer, tries: Int = 7
    ) async throws {
        fail(uri, on: server, tries)
        let tasks = try synchronizer.resource("tasks")
        for _ in 0..<tries { _ = try await LaneRunner(synchronizer, [uri], of: tasks).run(onDemand: true) }
    }

    @Test("a change that fails for long is told also where another is tried again behind it and gets through")
    func notDueYet() async throws {
        let (server, synchronizer) = try await world()
        try await synchronizer.edit(second, setting: [("title", "mine")])
        try await wearOut(second, server, synchronizer)
        try await synchronizer.edit(first, setting: [("title", "mine")])
        fail(second, on: server, 1)
        fail(first, on: server, 1)
        let outcome = try await PushOutcome(synchronizer.push(), in: synchronizer)
        #expect(outcome.report.updated == 1 && outcome.waiting == 1)
        #expect(server.rows("tasks").map { $0["title"] } == ["mine", "b"])
        #expect(outcome.failed.map(\.uri) == [second])
        #expect(outcome.reportedFailures.map(\.code) == ["unreachable"])
        #expect(outcome.json.members?["failures"]?.array?.compactMap { $0.members?["uri"] } == ["tasks/2"])
    }

    @Test("a change that failed before the push, and was not due in it, is told as well")
    func failedBefore() async throws {
        let (server, synchronizer) = try await world()
        try await synchronizer.edit(second, setting: [("title", "mine")])
        try await wearOut(second, server, synchronizer)
        let report = try await synchronizer.push(synchronizer.routeFile.resources, isAsked: false)
        #expect(report.failures.isEmpty)
        let outcome = try await PushOutcome(report, in: synchronizer)
        #expect(outcome.waiting == 1 && outcome.failed.map(\.uri) == [second])
        #expect(outcome.reportedFailures.map(\.isNetwork) == [true])
    }

    @Test("changes whose pauses differ are all tried again, until each gets through")
    func differentPauses() async throws {
        let (server, synchronizer) = try await world()
        for title in ["c", "d"] { server.insert("tasks", ["title": .string(title)]) }
        try await synchronizer.pull()
        for tries in 0..<4 {
            let uri = ObjectURI(entity: "tasks", id: String(tries + 1))
            try await synchronizer.edit(uri, setting: [("title", "mine")])
            try await wearOut(uri, server, synchronizer, tries: tries)
            fail(uri, on: server, 2)
        }
        let outcome = try await PushOutcome(synchronizer.push(), in: synchronizer)
        #expect(outcome.report.updated == 4 && outcome.waiting == 0 && outcome.failed.isEmpty)
    }
}
