import AtmosphereTesting
import Synchronization

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

/// Tasks that are listed below their list: each list shows its own alone, on one page.
struct NestedWorld: Sendable {
    typealias Outcome = @Sendable () throws -> Response

    /// What the lists of tasks are asked for, and what they meet.
    final class Door: Sendable {
        private let state = Mutex<(log: [String], outcomes: [String: Outcome])>(([], [:]))

        var log: [String] { state.withLock { $0.log } }
        func clear() { state.withLock { $0.log = [] } }

        /// Every request to a path meets this; nil for nothing.
        func meet(_ path: String, _ outcome: Outcome?) { state.withLock { $0.outcomes[path] = outcome } }

        func outcome(of path: String, _ target: String) -> Outcome? {
            state.withLock {
                $0.log.append(target)
                return $0.outcomes[path]
            }
        }
    }

    let server: TinyServer
    let door = Door()
    let synchronizer: Synchronizer

    init(
        server: TinyServer = TinyServer(), store: any Store = MemoryStore(), start: Int64 = 1_700_000_000_000,
        _ change: (inout Resource) -> Void = { _ in }
    ) async throws {
        self.server = server
        let path = try PathTemplate("lists/{lists.id}/tasks/")
        var routeFile = try TinyWorld.routeFile {
            $0.list.path = path
            $0.parents = [Reference(entity: "lists", field: "list")]
            $0.deletes.byAbsence = true
            change(&$0)
        }
        routeFile.limits.attempts = 1
        let door = door
        synchronizer = try await Synchronizer(
            routeFile: routeFile, store: store,
            transport: ScriptedTransport { request in
                let target = RequestTarget(String(request.url.dropFirst("https://tiny.example/api/".count)))
                if let outcome = door.outcome(of: target.path, target.text) { return try outcome() }
                let parts = target.path.split(separator: "/")
                guard parts.count == 3, parts[2] == "tasks", let list = Int(parts[1]) else {
                    return try await server.transport.send(request)
                }
                return Self.list(list, target, server)
            }, style: TinyWorld.TinyStyle(), environment: TinyWorld.environment(start: start))
    }

    private static func list(_ list: Int, _ target: RequestTarget, _ server: TinyServer) -> Response {
        let since = target.query.first { $0.name == "since" }.flatMap { Int64($0.value) } ?? 0
        let rows = server.rows("tasks").filter {
            $0["list"] == .number(JSONNumber(list)) && ($0["rev"]?.number?.int64 ?? 0) > since
        }
        let body = Value.object(["next": .null, "results": .array(rows.map(Value.object))])
        return Response(
            status: 200, headers: ["Content-Type": "application/json"], body: ResponseBody(body.json()))
    }

    func pull(_ options: Synchronizer.PullOptions = .init()) async throws -> PullReport.Entity {
        try await synchronizer.pull(options: options).entities["tasks"] ?? .init(problem: "not pulled")
    }

    func ids() async throws -> [String] {
        try await synchronizer.records(matching: Query("tasks")).map(\.uri.id).sorted()
    }

    /// Lets the client's time go by.
    func pass(_ time: Duration) async throws {
        let environment = synchronizer.environment
        try await environment.sleep(environment.now().advanced(by: time))
    }
}
