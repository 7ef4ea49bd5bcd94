import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting
@testable import AtmosphereStore

/// APIs that read one object as a list of one (`GET /tasks?id=eq.1`), and have an empty list where others say 404.
@Suite("Objects that are read as a list of one")
struct ListOfOneTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    /// - Parameter showsNone: reads go to a wrong place, where there is never anything.
    private func world(
        showsNone: Bool = false, _ change: (inout Resource) -> Void = { _ in }
    ) async throws -> (TinyWorld, Synchronizer) {
        let world = try await TinyWorld {
            $0.item = JSONPath([.index(0)])
            change(&$0)
        }
        for number in 1...3 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        let server = world.server
        let transport = ScriptedTransport { request in
            let response = try await server.transport.send(request)
            guard request.method == "GET", request.url.contains(#/tasks\/\d+\/$/#) else { return response }
            let body = try await response.body.collect(upTo: 1 << 20)
            let isThere = response.status == 200 && !showsNone
            return Response(
                status: 200, headers: ["Content-Type": "application/json"],
                body: ResponseBody(Array("[".utf8) + (isThere ? body : []) + Array("]".utf8)))
        }
        let client = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store, transport: transport,
            style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
        try await client.pull()
        return (world, client)
    }

    @Test("a delete that is answered with the object is done once the list is empty")
    func deleted() async throws {
        let (world, client) = try await world()
        world.server.answer("DELETE", with: #"[{"id":1,"title":"t1"}]"#)
        try await client.delete(uri)
        #expect(try await client.push().deleted == 1)
        #expect(world.server.log.last == "GET tasks/1/")
        #expect(try await client.pending().isEmpty)
    }

    @Test("an edit of what is gone there is decided as elsewhere")
    func gone() async throws {
        let (world, client) = try await world { $0.conflict.deletedThere = .delete }
        world.server.remove("tasks", 1)
        try await client.edit(uri, setting: [("title", "mine")])
        try await client.push()
        #expect(try await client.pending().isEmpty)
        #expect(try await client.record(at: uri) == nil)
        #expect(world.server.rows("tasks").map { $0["title"] } == ["t2", "t3"])
    }

    @Test("what is absent from a list and from its own is removed")
    func absent() async throws {
        let (world, client) = try await world {
            $0.since = nil
            $0.deletes.byAbsence = true
        }
        world.server.remove("tasks", 1)
        let report = try await client.pull()
        #expect(report.entities["tasks"]?.deleted == 1 && report.entities["tasks"]?.warnings == [])
        #expect(try await client.record(at: uri) == nil)
    }

    @Test("where nothing is ever shown at the place of one, nothing counts as gone, and the place is named")
    func wrongPlace() async throws {
        let (world, client) = try await world(showsNone: true)
        try await client.edit(uri, setting: [("title", "mine")])
        try await client.push()
        guard case .rejected(_, let failure)? = try await client.object(at: uri)?.meta.outgoing?.phase else {
            Issue.record("nobody is told")
            return
        }
        #expect(failure.message.contains("mend read.path of tasks"), "\(failure.message)")
        #expect(try await client.record(at: uri)?["title"] == "mine")
        #expect(world.server.rows("tasks").map { $0["title"] } == ["t1", "t2", "t3"])
    }

    @Test(
        "the count behind the slash of a range is the length of a list", arguments: [("0-1/5", 4...4), ("0-1/*", 5...8)]
    )
    func range(_ header: String, _ requests: ClosedRange<Int>) async throws {
        let world = try await TinyWorld {
            $0.since = nil
            $0.items = nil
            $0.paging = .offset(
                parameter: "offset", size: .init(parameter: "limit", value: 2), total: .items(.header("Content-Range")))
        }
        let asked = Mutex(0)
        let transport = ScriptedTransport { request in
            asked.withLock { $0 += 1 }
            let isTasks = request.url.contains("tasks/")
            let offset = Int(request.url.split(separator: "offset=").last?.prefix { $0.isNumber } ?? "") ?? 0
            let ids = isTasks && offset < 5 ? (offset..<5).prefix(2).map { $0 + 1 } : []
            let body = "[" + ids.map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"
            return Response(
                status: 200, headers: ["Content-Type": "application/json", "Content-Range": header],
                body: ResponseBody(Array(body.utf8)))
        }
        let client = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: MemoryStore(), transport: transport,
            style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
        let report = try await client.pull(entities: ["tasks"])
        #expect(report.entities["tasks"]?.inserted == 5 && requests.contains(asked.withLock { $0 }), "\(report)")
    }
}
