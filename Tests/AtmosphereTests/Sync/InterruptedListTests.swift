import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("A list that is interrupted")
struct InterruptedListTests {
    /// Rows in the order of their last change, two on a page. A list of everything hides what was deleted, a list of changes
    /// shows it.
    private final class Changes: Sendable {
        struct Row {
            var id: Int
            var rev: Int
            var isDeleted = false
        }

        private struct State {
            var rows: [Row] = []
            var isDown = false
            /// What happens before the page of a number is answered, once.
            var before: [Int: @Sendable (Changes) -> Void] = [:]
        }

        private let state = Mutex(State())

        init(_ count: Int) { state.withLock { $0.rows = (1...count).map { Row(id: $0, rev: $0) } } }

        var isDown: Bool {
            get { state.withLock { $0.isDown } }
            set { state.withLock { $0.isDown = newValue } }
        }

        func change(_ id: Int, delete: Bool = false) {
            state.withLock { state in
                let latest = state.rows.map(\.rev).max() ?? 0
                state.rows.removeAll { $0.id == id }
                state.rows.append(Row(id: id, rev: latest + 1, isDeleted: delete))
            }
        }

        func before(_ page: Int, _ body: @escaping @Sendable (Changes) -> Void) {
            state.withLock { $0.before[page] = body }
        }

        private func answer(_ request: Request) throws -> Response {
            let target = RequestTarget(String(request.url.dropFirst("https://tiny.example/api/".count)))
            let page = target.count("page") ?? 1
            if let happens = state.withLock({ $0.before.removeValue(forKey: page) }) { happens(self) }
            if isDown { throw TransportError(code: .connectionLost, message: "lost", mayHaveArrived: true) }
            let since = target.count("since")
            let all = state.withLock { $0.rows }.filter { row in since.map { row.rev > $0 } ?? !row.isDeleted }
            let items = all.dropFirst((page - 1) * 2).prefix(2).map { row in
                Value.object([
                    "id": .number(JSONNumber(row.id)), "rev": .number(JSONNumber(row.rev)),
                    "deleted": .bool(row.isDeleted)
                ])
            }
            var next = target
            next.set("page", String(page + 1))
            let body: Value.Members = [
                "count": .number(JSONNumber(all.count)), "results": .array(items),
                "next": page * 2 < all.count ? .string(next.text) : .null
            ]
            return Response(
                status: 200, headers: ["Content-Type": "application/json"],
                body: ResponseBody(Value.object(body).json()))
        }

        func client(_ store: any Store, _ change: (inout Resource) -> Void) async throws -> Synchronizer {
            let world = try await TinyWorld { tasks in
                tasks.paging = .bodyLink(next: .member("next"), size: nil, total: .member("count"))
                tasks.since = Since(parameter: "since", origin: .field(.member("rev")))
                tasks.since?.overlap = .zero
                change(&tasks)
            }
            return try await Synchronizer(
                routeFile: world.synchronizer.routeFile, store: store,
                transport: ScriptedTransport { request in try self.answer(request) }, style: TinyWorld.TinyStyle(),
                environment: TinyWorld.environment())
        }
    }

    private func pull(_ client: Synchronizer) async throws -> PullReport.Entity {
        try #require(try await client.pull(entities: ["tasks"]).entities["tasks"])
    }

    private func ids(_ client: Synchronizer) async throws -> [String] {
        try await client.records(matching: Query("tasks")).map(\.uri.id).sorted()
    }

    @Test("has what was deleted meanwhile removed by the changes since it began", arguments: [true, false])
    func deletedMeanwhile(hasTotal: Bool) async throws {
        let server = Changes(6)
        let client = try await server.client(MemoryStore()) { tasks in
            tasks.deletes.field = .member("deleted")
            if !hasTotal { tasks.paging = .bodyLink(next: .member("next"), size: nil) }
        }
        server.before(3) { $0.isDown = true }
        #expect(try await pull(client).problemKind == .network)
        #expect(try await ids(client) == ["1", "2", "3", "4"])
        server.isDown = false
        server.change(1, delete: true)
        server.change(5)
        #expect(try await pull(client).problem == nil)
        #expect(try await pull(client).problem == nil)
        #expect(try await ids(client) == ["2", "3", "4", "5", "6"])
        #expect(try await pull(client).pages == 1, "by now the cursor has come to the end")
    }

    @Test(
        "of everything in the order of its cursor: what is deleted behind the reader is told by the changes since",
        arguments: [true, false])
    func deletedBehind(isAscending: Bool) async throws {
        let server = Changes(6)
        let client = try await server.client(MemoryStore()) { tasks in
            tasks.deletes.field = .member("deleted")
            tasks.since?.isAscending = isAscending
        }
        server.before(2) { server in
            server.change(1, delete: true)
            server.change(6)
        }
        for _ in 0..<3 { #expect(try await pull(client).problem == nil) }
        #expect(try await ids(client) == ["2", "3", "4", "5", "6"])
        for _ in 0..<2 { #expect(try await pull(client).problem == nil) }
        #expect(try await pull(client).pages == 1, "by now the cursor has come to the end")
    }

    @Test("and begins anew counts nothing as shown that it had shown before")
    func begunAnew() async throws {
        let server = Changes(6)
        let client = try await server.client(MemoryStore()) { tasks in
            tasks.deletes.field = .member("deleted")
            tasks.deletes.byAbsence = true
            tasks.since?.fullEvery = .seconds(604_800)
            tasks.read.isOffered = false
        }
        server.before(3) { $0.isDown = true }
        #expect(try await pull(client).problemKind == .network)
        #expect(try await ids(client) == ["1", "2", "3", "4"])
        server.isDown = false
        server.change(1, delete: true)
        server.change(2)
        let report = try await pull(client)
        #expect(report.problem == nil && report.warnings.first?.contains("listed from the start") == true)
        #expect(try await ids(client) == ["2", "3", "4", "5", "6"])
    }

    @Test("in the order of its cursor leaves the cursor where it was, until its end has told that no row moved")
    func slidBeforeTheEnd() async throws {
        let server = Changes(5)
        let client = try await server.client(MemoryStore()) { $0.since?.isAscending = true }
        // Row 3 slides to the first page; the list that is begun again for it gets no answer.
        server.before(2) { server in
            server.change(1)
            server.before(1) { $0.isDown = true }
        }
        #expect(try await pull(client).problemKind == .network)
        server.isDown = false
        for _ in 0..<2 { #expect(try await pull(client).problem == nil) }
        #expect(try await ids(client) == ["1", "2", "3", "4", "5"])
    }
}
