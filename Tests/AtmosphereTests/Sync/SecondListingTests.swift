import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Absence where single objects cannot be read")
struct SecondListingTests {
    private func world(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        try await TinyWorld {
            $0.read.isOffered = false
            $0.version = .none
            $0.deletes.byAbsence = true
            $0.since = nil
            change(&$0)
        }
    }

    @Test(
        "an edit that was answered with 404 is decided by the lists, where their first page does not tell",
        arguments: [.delete, .recreate, .ask] as [ConflictRules.DeleteRule])
    func denied(rule: ConflictRules.DeleteRule) async throws {
        let world = try await world { $0.conflict.deletedThere = rule }
        let client = world.synchronizer
        for number in 1...4 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await client.pull()
        let uri = ObjectURI(entity: "tasks", id: "2")
        try await client.edit(uri, setting: [("title", "mine")])
        world.server.remove("tasks", 2)
        try await client.pull()
        #expect(try await client.pending().map(\.uri) == [uri])
        try await client.push()
        guard case .rejected? = try await client.object(at: uri)?.meta.outgoing?.phase else {
            Issue.record("nothing told that the object is gone")
            return
        }
        let report = try #require(try await client.pull().entities["tasks"])
        switch rule {
        case .delete:
            #expect(report.deleted == 1)
            #expect(try await client.object(at: uri) == nil)
        case .ask:
            #expect(report.conflicted == 1)
            #expect(try await client.object(at: uri)?.meta.isGoneThere == true)
            #expect(try await client.pull().entities["tasks"]?.conflicted == 0)
        case .recreate:
            #expect(try await client.push().created == 1)
            #expect(world.server.rows("tasks").contains { $0["title"] == "mine" })
        }
        #expect(try await client.pending().isEmpty == (rule != .ask))
    }

    @Test("an edit that was answered with 404 stays where a list shows the object")
    func deniedAndListed() async throws {
        let world = try await world()
        let client = world.synchronizer
        for number in 1...4 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await client.pull()
        let uri = ObjectURI(entity: "tasks", id: "4")
        try await client.edit(uri, setting: [("title", "mine")])
        world.server.answer("PATCH", with: nil, status: 404, processes: false)
        try await client.push()
        #expect(try await client.pull().entities["tasks"]?.deleted == 0)
        #expect(try await client.record(at: uri)?["title"] == "mine")
    }

    @Test("a row that slides to a page that was read already is not taken for deleted")
    func shifted() async throws {
        let world = try await world()
        for number in 1...4 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        let server = world.server
        let shifting = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store,
            transport: ScriptedTransport { request in
                let response = try await server.transport.send(request)
                // Somebody deletes the first row when the first page has been read.
                if request.url.hasSuffix("tasks/"), server.log.count > 3 { server.remove("tasks", 1) }
                return response
            }, style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
        try await shifting.pull(entities: ["tasks"])
        #expect(world.server.log == ["GET tasks/", "GET tasks/?page=2"])
        try await shifting.pull(entities: ["lists"])
        let report = try #require(try await shifting.pull(entities: ["tasks"]).entities["tasks"])
        #expect(report.problem == nil && report.deleted == 0 && report.inserted == 0)
        #expect(report.unchanged == 3)
        #expect(try await shifting.records(matching: Query("tasks")).map(\.uri.id) == ["1", "2", "3", "4"])
        server.clearLog()
        let next = try #require(try await shifting.pull(entities: ["tasks"]).entities["tasks"])
        #expect(next.deleted == 1 && next.unchanged == 3)
        #expect(server.log == ["GET tasks/", "GET tasks/?page=2", "GET tasks/", "GET tasks/?page=2"])
        #expect(try await shifting.records(matching: Query("tasks")).map(\.uri.id) == ["2", "3", "4"])
        server.clearLog()
        try await shifting.pull(entities: ["tasks"])
        #expect(server.log == ["GET tasks/", "GET tasks/?page=2"])
    }

    @Test("a row that leaves its page empty when it slides is not taken for deleted")
    func shiftedFromTheLastPage() async throws {
        let world = try await world()
        for number in 1...3 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await world.synchronizer.pull()
        let server = world.server
        let firstPages = Count(Mutex(0))
        let shifting = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store,
            transport: ScriptedTransport { request in
                let response = try await server.transport.send(request)
                if request.url.hasSuffix("tasks/"), firstPages.next() == 1 { server.remove("tasks", 1) }
                return response
            }, style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
        let report = try #require(try await shifting.pull(entities: ["tasks"]).entities["tasks"])
        #expect(report.problem == nil && report.deleted == 0)
        #expect(try await shifting.records(matching: Query("tasks")).map(\.uri.id) == ["1", "2", "3"])
        #expect(try await shifting.pull(entities: ["tasks"]).entities["tasks"]?.deleted == 1)
        #expect(try await shifting.records(matching: Query("tasks")).map(\.uri.id) == ["2", "3"])
    }

    @Test("a dry run looks twice, too, and a second listing that fails takes nothing away")
    func dryAndBroken() async throws {
        let world = try await world()
        for number in 1...4 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await world.synchronizer.pull()
        world.server.remove("tasks", 4)
        var options = Synchronizer.PullOptions()
        options.dryRun = true
        world.server.clearLog()
        #expect(
            try await world.synchronizer.pull(entities: ["tasks"], options: options).entities["tasks"]?.deleted == 1)
        #expect(world.server.log.count == 4)
        let firstPages = Count(Mutex(0))
        world.server.fail(
            .init(
                applies: { $0.url.hasSuffix("tasks/") && firstPages.next() == 2 }, processes: false,
                outcome: { throw TransportError(code: .connectionLost, message: "lost", mayHaveArrived: true) }))
        let report = try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"]
        #expect(report?.problemKind == .network && report?.deleted == 0)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 4)
        #expect(try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"]?.deleted == 1)
    }

    @Test("what one request shows is seen all at once, and is not asked for again")
    func onePage() async throws {
        let world = try await world()
        for number in 1...2 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await world.synchronizer.pull()
        world.server.remove("tasks", 2)
        world.server.clearLog()
        #expect(try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"]?.deleted == 1)
        #expect(world.server.log == ["GET tasks/"])
    }

    private final class Count: Sendable {
        private let value: Mutex<Int>
        init(_ value: consuming Mutex<Int>) { self.value = value }

        func next() -> Int {
            value.withLock {
                $0 += 1
                return $0
            }
        }
    }
}
