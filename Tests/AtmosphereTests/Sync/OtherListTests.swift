import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Route files that ask for another list than before")
struct OtherListTests {
    private func pulled() async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.deletes = Deletes()
        }
        for number in 1...2 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await world.synchronizer.pull()
        world.server.clearLog()
        return world
    }

    @Test("a cursor of another list is not believed")
    func query() async throws {
        let world = try await pulled()
        let other = try await world.under { $0.resources[1].list.query = [.init(name: "state", value: "all")] }
        let report = try await other.pull()
        #expect(world.server.log.contains { $0.contains("tasks/?") && !$0.contains("since=") }, "\(world.server.log)")
        #expect(report.entities["tasks"]?.warnings.first?.contains("asks for another list than before") == true)
        world.server.clearLog()
        #expect(try await other.pull().entities["tasks"]?.warnings == [])
        #expect(world.server.log.contains { $0.contains("since=") }, "\(world.server.log)")
    }

    @Test(
        "a cursor of a list with other headers is not believed; a changed User-Agent asks for the same",
        arguments: [true, false])
    func headers(isOfList: Bool) async throws {
        let world = try await pulled()
        func client(_ headers: [NamedText]) async throws -> Synchronizer {
            try await world.under {
                if isOfList { $0.resources[1].list.headers = headers } else { $0.resources[1].headers = headers }
            }
        }
        func asksForAll(_ client: Synchronizer) async throws -> Bool {
            world.server.clearLog()
            let warnings = try await client.pull(entities: ["tasks"]).entities["tasks"]?.warnings ?? []
            #expect(warnings.allSatisfy { $0.contains("asks for another list than before") } && warnings.count < 2)
            let isWhole = world.server.log.contains { $0.contains("tasks/") && !$0.contains("since=") }
            #expect(isWhole == !warnings.isEmpty, "\(world.server.log)")
            return isWhole
        }
        #expect(try await !asksForAll(client([])))
        #expect(try await asksForAll(client([.init(name: "X-Tenant", value: "a")])))
        let named: [NamedText] = [.init(name: "User-Agent", value: "b/2"), .init(name: "x-tenant", value: "a")]
        #expect(try await !asksForAll(client(named)))
        #expect(try await asksForAll(client([.init(name: "X-Tenant", value: "b")])))
        #expect(try await asksForAll(client([])))
        let scope = PullScope(entity: "tasks")
        let stored = try await world.store.read { try $0.cursor(for: scope)?.request }
        #expect(stored?.contains("tenant") == false)
    }

    private func asked(_ world: TinyWorld) -> [String] {
        defer { world.server.clearLog() }
        return world.server.log.filter { $0.hasPrefix("GET tasks/?") || $0 == "GET tasks/" }
    }

    @Test("rows that were read by other settings are read again, once")
    func otherMeaning() async throws {
        let world = try await pulled()
        world.server.insert("tasks", ["title": "gone", "done": true])
        try await world.synchronizer.pull()
        _ = asked(world)
        let other = try await world.under { $0.resources[1].deletes.field = .member("done") }
        let report = try await other.pull().entities["tasks"]
        #expect(report?.deleted == 1 && report?.unchanged == 2, "\(String(describing: report))")
        let told = "tasks: the route file reads the list in another way than before, so everything is listed"
        #expect(report?.warnings == [told])
        #expect(asked(world) == ["GET tasks/", "GET tasks/?page=2"])
        #expect(try await other.pull().entities["tasks"]?.warnings == [])
        #expect(asked(world) == ["GET tasks/?since=3"])
    }

    @Test("rows that were read by other settings are read again, though that is interrupted")
    func interrupted() async throws {
        let world = try await pulled()
        for _ in 0..<2 { world.server.insert("tasks", ["title": "gone", "done": true]) }
        try await world.synchronizer.pull()
        let other = try await world.under { $0.resources[1].deletes.field = .member("done") }
        world.server.fail(
            TinyServer.Fault(
                applies: { $0.url.contains("page=2") }, processes: false,
                outcome: { Response(status: 403, body: ResponseBody([])) }))
        #expect(try await other.pull().entities["tasks"]?.problem != nil)
        _ = asked(world)
        #expect(try await other.pull().entities["tasks"]?.deleted == 2)
        #expect(asked(world) == ["GET tasks/", "GET tasks/?page=2"])
        try await other.pull()
        #expect(asked(world) == ["GET tasks/?since=4"])
    }

    @Test("tombstones that only changes show are asked for since the pull before the settings changed")
    func keepsCheckpoint() async throws {
        let world = try await TinyWorld { $0.deletes.field = .member("done") }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        world.server.insert("tasks", ["title": "b"])
        let other = try await world.under { $0.resources[1].mediaType = "application/vnd.tiny+json" }
        try await other.pull()
        _ = asked(world)
        try await other.pull()
        #expect(asked(world) == ["GET tasks/?since=1"])
        try await other.pull()
        #expect(asked(world) == ["GET tasks/?since=2"])
    }

    @Test("a cursor from another place of the rows is not sent")
    func otherOrigin() async throws {
        let world = try await pulled()
        let other = try await world.under { $0.resources[1].since?.origin = .field(.member("id")) }
        let warnings = try await other.pull().entities["tasks"]?.warnings ?? []
        #expect(warnings.count == 1 && warnings.first?.contains("“since.from”") == true, "\(warnings)")
        #expect(asked(world) == ["GET tasks/"])
        #expect(try await other.pull().entities["tasks"]?.warnings == [])
        #expect(asked(world) == ["GET tasks/?since=2"])
    }

    @Test("what lists leave out is read where the settings did not say so before")
    func becomesPartial() async throws {
        let world = try await TinyWorld { $0.since = nil }
        world.server.list(only: ["id", "title", "rev"])
        for number in 1...2 { world.server.insert("tasks", ["title": .string("t\(number)"), "note": "long"]) }
        try await world.synchronizer.pull()
        let other = try await world.under { $0.resources[1].list.shape = .partial }
        try await other.pull()
        for id in ["1", "2"] {
            #expect(try await other.record(at: ObjectURI(entity: "tasks", id: id))?["note"] == "long")
        }
        world.server.clearLog()
        try await other.pull(entities: ["tasks"])
        #expect(world.server.log == ["GET tasks/"])
    }

    @Test("without a cursor to send every list is a whole one, and shows what is absent")
    func withoutSince() async throws {
        let world = try await pulled()
        let other = try await world.under {
            $0.resources[1].since = nil
            $0.resources[1].deletes.byAbsence = true
        }
        try await other.pull()
        world.server.remove("tasks", 2)
        #expect(try await other.pull().entities["tasks"]?.deleted == 1)
    }

    @Test("what another list of everything does not show is absent, though the cursor before told of changes")
    func absent() async throws {
        let world = try await pulled()
        let other = try await world.under {
            $0.resources[1].list.query = [.init(name: "state", value: "open")]
            $0.resources[1].deletes.byAbsence = true
        }
        world.server.remove("tasks", 1)
        let report = try await other.pull().entities["tasks"]
        #expect(report?.deleted == 1 && report?.warnings.count == 1, "\(String(describing: report))")
    }

    @Test("another server gets nothing that was made for the first, until that is accepted")
    func base() async throws {
        let world = try await pulled()
        try await world.synchronizer.edit(ObjectURI(entity: "tasks", id: "1"), setting: [("title", "mine")])
        let other = try await world.under { $0.base = "https://tiny.example/v2" }
        #expect(try await other.push().problem?.contains("“base” leads to tiny.example/v2 now") == true)
        #expect(try await other.pull().entities["tasks"]?.problem?.contains("nothing is pulled") == true)
        #expect(world.server.log.isEmpty)
        let same = try await world.under { $0.base = "http://tiny.example/api" }
        #expect(same.routeFile.server == world.synchronizer.routeFile.server)
    }

    @Test("who accepts another server accepts it for views and for what has no list, too")
    func accepted() async throws {
        let world = try await pulled()
        let views = [PullScope(entity: "tasks", parent: "?mine"), PullScope(entity: "lists", parent: "?mine")]
        try await world.store.write(.process, origin: .pull) { transaction in
            for scope in views {
                try transaction.put(PullCursor(server: "tiny.example/api", members: []), for: scope)
            }
        }
        let other = try await world.under {
            $0.base = "https://tinz.example/api"
            $0.resources[0].list.isOffered = false
        }
        #expect(try await other.pull().isComplete == false)
        var options = Synchronizer.PullOptions()
        options.allowedDeletes = 10
        #expect(try await other.pull(options: options).isComplete)
        try await other.save(["title": "mine"], as: "tasks")
        #expect(try await other.push().created == 1)
        #expect(try await other.pull().isComplete)
    }
}
