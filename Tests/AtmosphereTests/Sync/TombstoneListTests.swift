import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("A list of what was deleted")
struct TombstoneListTests {
    private let first = ObjectURI(entity: "tasks", id: "1")

    /// Tasks, and `gone/` beside them, which shows what was put there, two a page.
    private func world(
        server: TinyServer = TinyServer(), store: any Store = MemoryStore(), since: Since? = Self.revisions,
        _ change: (inout Resource) -> Void = { _ in }
    ) async throws -> TinyWorld {
        try await TinyWorld(server: server, store: store) { tasks in
            var list = TombstoneList(list: Operation(method: "GET", path: try! PathTemplate("gone/")))
            list.items = .member("results")
            list.paging = tasks.paging
            list.since = since
            tasks.deletes.list = list
            change(&tasks)
        }
    }

    private static let revisions: Since = {
        var since = Since(parameter: "since", origin: .field(.member("rev")))
        since.overlap = .zero
        return since
    }()

    /// Both lists tell times.
    private static let times = Since(parameter: "after", origin: .field(.member("at")))

    private func titles(_ world: TinyWorld) async throws -> [Value?] {
        try await world.synchronizer.records(matching: Query("tasks")).map { $0.record["title"] }
    }

    private func pull(
        _ world: TinyWorld, _ options: Synchronizer.PullOptions = .init()
    ) async throws -> PullReport.Entity {
        try #require(try await world.synchronizer.pull(entities: ["tasks"], options: options).entities["tasks"])
    }

    private func insert(_ count: Int, _ world: TinyWorld, _ members: Value.Members = [:]) {
        for number in 1...count {
            world.server.insert("tasks", Value.Members([.init(name: "title", value: .string("\(number)"))] + members))
        }
    }

    /// Somebody deletes a task on the server.
    private func delete(_ id: Int, _ world: TinyWorld, at time: String? = nil) {
        world.server.remove("tasks", id)
        world.server.put("gone", id, time.map { ["at": .string($0)] } ?? [:])
    }

    private func cursor(_ world: TinyWorld) async throws -> PullCursor? {
        try await world.store.read { try $0.cursor(for: PullScope(entity: "tasks").ofTombstones) }
    }

    @Test("is read after the list of what is there, and from then on for what is new in it")
    func cursors() async throws {
        let world = try await world()
        insert(1, world)
        world.server.put("gone", 90, [:])
        #expect(try await pull(world).problem == nil)
        #expect(world.server.log == ["GET tasks/", "GET gone/"])
        #expect(try await cursor(world)?.checkpoint == "2")
        world.server.clearLog()
        #expect(try await pull(world).pages == 2)
        #expect(world.server.log == ["GET tasks/?since=1", "GET gone/?since=2"])
        #expect(try await cursor(world)?.checkpoint == "2", "nothing new leaves it")
        #expect(try await world.synchronizer.status()[1].cursor == "1", "the status tells of the list of what is there")
    }

    @Test("removes what is deleted, when a read has confirmed it")
    func removes() async throws {
        let world = try await world()
        insert(2, world)
        world.server.put("gone", 90, [:])
        _ = try await pull(world)
        delete(1, world)
        world.server.clearLog()
        let report = try await pull(world)
        #expect(report.deleted == 1 && report.problem == nil && report.warnings == [])
        #expect(world.server.log == ["GET tasks/?since=2", "GET gone/?since=3", "GET tasks/1/"])
        #expect(try await titles(world) == ["2"])
        #expect(try await pull(world).deleted == 0)
    }

    @Test("has as many pages as it has")
    func pages() async throws {
        let world = try await world()
        insert(5, world)
        _ = try await pull(world)
        for id in 1...4 { delete(id, world) }
        #expect(try await pull(world).deleted == 4)
        #expect(try await titles(world) == ["5"])
        #expect(try await cursor(world)?.checkpoint == "9")
    }

    @Test("makes an edited object a conflict, or what the policy says")
    func conflicts() async throws {
        for (rule, conflicted, deleted) in [(ConflictRules.DeleteRule.ask, 1, 0), (.delete, 0, 1)] {
            let world = try await world { $0.conflict.deletedThere = rule }
            insert(1, world)
            _ = try await pull(world)
            try await world.synchronizer.edit(first, setting: [("title", "mine")])
            delete(1, world)
            let report = try await pull(world)
            #expect(report.conflicted == conflicted && report.deleted == deleted, "\(rule)")
            let object = try await world.synchronizer.object(at: first)
            #expect(object?.meta.isGoneThere == (conflicted == 1 ? true : nil))
            let again = try await pull(world)
            #expect(again.conflicted == 0 && again.deleted == 0)
        }
    }

    @Test("leaves what was deleted and made anew under its identifier")
    func madeAnew() async throws {
        let world = try await world()
        insert(1, world)
        _ = try await pull(world)
        delete(1, world)
        world.server.put("tasks", 1, ["title": "anew"])
        let report = try await pull(world)
        #expect(report.deleted == 0 && report.updated == 1)
        #expect(try await titles(world) == ["anew"])
        #expect(report.warnings == [], "its list shows it")
        var all = Synchronizer.PullOptions()
        all.full = true
        #expect(try await pull(world, all).deleted == 0)
        #expect(try await titles(world) == ["anew"])
    }

    @Test("is told of where a read shows what no list does")
    func shownByReadsAlone() async throws {
        let world = try await world()
        insert(1, world)
        _ = try await pull(world)
        world.server.put("gone", 1, [:])
        let report = try await pull(world)
        #expect(report.warnings.count == 1 && report.warnings[0].contains("could be read all the same"))
        #expect(try await titles(world) == ["1"])
    }

    @Test("may name an identifier twice, which is read once", arguments: [true, false])
    func namedTwice(isThere: Bool) async throws {
        let world = try await world()
        insert(1, world)
        _ = try await pull(world)
        if !isThere { world.server.remove("tasks", 1) }
        world.server.clearLog()
        let body = #"{"next":null,"results":[{"id":1,"rev":7},{"id":1,"rev":8}]}"#
        world.server.fail(
            .init(
                applies: { $0.url.contains("gone/") }, processes: false,
                outcome: { Response(status: 200, body: ResponseBody(Array(body.utf8))) }))
        let report = try await pull(world)
        #expect(report.problem == nil && report.deleted == (isThere ? 0 : 1), "\(report)")
        #expect(world.server.log.filter { $0 == "GET tasks/1/" }.count == 1)
        let left: [Value?] = isThere ? ["1"] : []
        #expect(try await titles(world) == left)
    }

    @Test("may name the same identifiers on two pages in a row, with other times")
    func namedOnTwoPages() async throws {
        let world = try await world()
        insert(2, world)
        _ = try await pull(world)
        for id in 1...2 { world.server.remove("tasks", id) }
        let next = #""https://tiny.example/api/gone/?page=2""#
        for (isSecond, body) in [
            (false, #"{"next":\#(next),"results":[{"id":1,"rev":3},{"id":2,"rev":4}]}"#),
            (true, #"{"next":null,"results":[{"id":1,"rev":5},{"id":2,"rev":6}]}"#)
        ] {
            world.server.fail(
                .init(
                    applies: { $0.url.contains("gone/") && $0.url.contains("page=2") == isSecond }, processes: false,
                    outcome: { Response(status: 200, body: ResponseBody(Array(body.utf8))) }))
        }
        let report = try await pull(world)
        #expect(report.problem == nil && report.deleted == 2, "\(report)")
        #expect(try await cursor(world)?.checkpoint == "6")
    }

    @Test("says nothing of an object that the server does not know yet")
    func ownCreate() async throws {
        let world = try await world { $0.assigned = .client }
        let uri = try await world.synchronizer.save(["id": "7", "title": "new"], as: "tasks")
        world.server.put("gone", 7, [:])
        #expect(try await pull(world).deleted == 0)
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "new")
    }

    @Test("goes on after an interruption, and loses nothing")
    func interrupted() async throws {
        let world = try await world()
        insert(5, world)
        world.server.put("gone", 90, [:])
        _ = try await pull(world)
        let before = try await cursor(world)
        for id in 1...4 { delete(id, world) }
        world.server.fail(
            .init(applies: { $0.url.contains("gone/?since=6&page=2") }, processes: false) {
                throw TransportError(code: .connectionLost, message: "lost", mayHaveArrived: true)
            })
        let report = try await pull(world)
        #expect(report.problemKind == .network && report.deleted == 2)
        #expect(try await cursor(world)?.checkpoint == before?.checkpoint)
        #expect(try await pull(world).deleted == 2)
        #expect(try await titles(world) == ["5"])
    }

    @Test("goes on beside an object whose read fails, which stays, and asks for its tombstone again")
    func failedRead() async throws {
        let world = try await world()
        insert(3, world)
        world.server.put("gone", 90, [:])
        _ = try await pull(world)
        for id in 1...2 { delete(id, world) }
        world.server.fail(
            .init(applies: { $0.url.hasSuffix("tasks/1/") }, processes: false, outcome: { Response(status: 500) }))
        let before = try await cursor(world)
        let report = try await pull(world)
        #expect(report.problem?.hasPrefix("tasks/1 stays here, for its read failed: ") == true, "\(report)")
        #expect(report.deleted == 1)
        #expect(report.problemKind == .network)
        #expect(try await cursor(world)?.checkpoint == before?.checkpoint)
        #expect(try await titles(world) == ["1", "3"])
        #expect(try await pull(world).deleted == 1)
        #expect(try await titles(world) == ["3"])
    }

    @Test("that is not there is told like any list, and its cursor stays")
    func refused() async throws {
        let world = try await world()
        insert(1, world)
        world.server.put("gone", 90, [:])
        _ = try await pull(world)
        delete(1, world)
        world.server.fail(
            .init(applies: { $0.url.contains("gone/") }, processes: false) {
                Response(status: 403, headers: [:], body: ResponseBody([]))
            })
        let report = try await pull(world)
        #expect(report.problem?.hasPrefix("GET gone/?since=2: ") == true && report.problemKind == .answer)
        #expect(try await pull(world).deleted == 1)
    }

    @Test("whose cursor has expired has everything listed", arguments: [true, false])
    func expired(isAbsence: Bool) async throws {
        let world = try await world { $0.deletes.byAbsence = isAbsence }
        insert(2, world)
        _ = try await pull(world)
        world.server.put("gone", 90, [:])
        _ = try await pull(world)
        // The server has forgotten this one.
        world.server.remove("tasks", 1)
        world.server.clearLog()
        world.server.fail(
            .init(applies: { $0.url.contains("gone/") }, processes: false) {
                Response(status: 410, headers: [:], body: ResponseBody([]))
            })
        let report = try await pull(world)
        #expect(
            world.server.log.prefix(4) == [
                "GET tasks/?since=2", "GET gone/?since=3", "GET tasks/", isAbsence ? "GET tasks/1/" : "GET gone/"
            ])
        #expect(report.problem == nil)
        let warning = try #require(report.warnings.first)
        #expect(
            warning.hasPrefix("deletes.list of tasks: the server does not tell changes since the last pull any more"))
        #expect(warning.hasSuffix("may not show") == !isAbsence)
        #expect(try await titles(world) == (isAbsence ? ["2"] : ["1", "2"]))
    }

    @Test("that was not asked for longer than it keeps has everything listed")
    func tooOld() async throws {
        var since = Self.revisions
        since.expires = .seconds(3600)
        let world = try await world(since: since) { $0.deletes.byAbsence = true }
        insert(2, world)
        world.server.put("gone", 90, [:])
        _ = try await pull(world)
        try await world.pass(.seconds(7200))
        world.server.remove("tasks", 1)
        world.server.clearLog()
        let report = try await pull(world)
        #expect(world.server.log.first == "GET tasks/" && report.deleted == 1)
        #expect(report.warnings.first?.contains("since.expires") == true)
    }

    @Test("of each parent is read under each")
    func nested() async throws {
        let server = TinyServer()
        let list = server.insert("lists", ["title": "home"])
        let world = try await world(server: server, since: nil) { tasks in
            tasks.parents = [Reference(entity: "lists", field: "list")]
            tasks.list.path = try! PathTemplate("lists/{lists.id}/tasks/")
            tasks.deletes.list?.list.path = try! PathTemplate("lists/{lists.id}/tasks/")
            tasks.deletes.list?.list.query = [NamedText(name: "uuid", value: "deleted")]
        }
        server.insert("tasks", ["title": "a", "list": .number(JSONNumber(list))])
        server.insert("tasks", ["title": "b", "list": .number(JSONNumber(list)), "uuid": "deleted"])
        try await world.synchronizer.pull(entities: ["lists"])
        server.clearLog()
        let report = try await pull(world)
        #expect(server.log.prefix(2) == ["GET lists/1/tasks/", "GET lists/1/tasks/?uuid=deleted"])
        #expect(server.log.last == "GET tasks/3/", "which shows it, so it stays")
        #expect(report.problem == nil && report.deleted == 0)
    }

    @Test("is not read where nothing is here and no list can be asked for")
    func withoutParents() async throws {
        let world = try await world { tasks in
            tasks.parents = [Reference(entity: "lists", field: "list")]
            tasks.list.path = try! PathTemplate("lists/{lists.id}/tasks/")
        }
        let report = try await pull(world)
        #expect(world.server.log == [] && report.warnings.count == 1)
        #expect(report.warnings.first?.hasPrefix("nothing was asked for") == true)
    }

    @Test("is not read under a parent that is gone while a person decides about that, and goes on afterwards")
    func goneParent() async throws {
        let server = TinyServer()
        server.insert("lists", ["title": "home"])
        let world = try await world(server: server, since: nil) { tasks in
            tasks.parents = [Reference(entity: "lists", field: "list")]
            tasks.list.path = try! PathTemplate("lists/{lists.id}/tasks/")
            tasks.deletes.list?.list.path = try! PathTemplate("lists/{lists.id}/tasks/")
            tasks.deletes.list?.list.query = [NamedText(name: "uuid", value: "deleted")]
        }
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(ObjectURI(entity: "lists", id: "1"), setting: [("title", "mine")])
        server.remove("lists", 1)
        try await world.synchronizer.refresh(ObjectURI(entity: "lists", id: "1"))
        server.clearLog()
        let report = try await pull(world)
        #expect(report.problem == nil)
        #expect(!server.log.contains { $0.contains("uuid=deleted") }, "\(server.log)")
        let scope = PullScope(entity: "tasks", parent: "1").ofTombstones
        #expect(try await world.store.read { try $0.cursor(for: scope) } != nil)
    }

    @Test("is not read for a view, and only looked at in a dry run")
    func withoutEffect() async throws {
        let world = try await world {
            $0.views = [View(name: "mine", query: [NamedText(name: "uuid", value: "{owner}")])]
        }
        insert(2, world)
        _ = try await pull(world)
        delete(1, world)
        world.server.clearLog()
        try await world.synchronizer.pull(view: "mine", of: "tasks", parameters: ["owner": "7"])
        #expect(world.server.log == ["GET tasks/?uuid=7"])
        var dry = Synchronizer.PullOptions()
        dry.dryRun = true
        #expect(try await pull(world, dry).deleted == 1)
        #expect(try await titles(world) == ["1", "2"])
        #expect(try await pull(world).deleted == 1)
    }

    @Test("stands where the server refuses to show the object")
    func unreadable() async throws {
        let world = try await world()
        insert(1, world)
        _ = try await pull(world)
        delete(1, world)
        world.server.fail(
            .init(applies: { $0.url.hasSuffix("tasks/1/") }, processes: false) {
                Response(status: 403, headers: [:], body: ResponseBody([]))
            })
        let report = try await pull(world)
        #expect(report.deleted == 1 && report.problem == nil && report.warnings == [])
    }

    /// What a tombstone of a time is worth where single objects can be read, and where not.
    @Test(
        "is compared with the object’s own time",
        arguments: [
            // changed, deleted, reads it, is gone where nothing can be read
            ("2026-01-01T10:00:00Z", "2026-01-01T11:00:00Z", false, true),
            ("2026-01-01T10:00:00.5Z", "2026-01-01T10:00:00Z", true, true),
            ("2026-01-01T12:00:00Z", "2026-01-01T11:00:00Z", true, false),
            // Of another zone, perhaps.
            ("2026-01-01T10:00:00", "2026-01-01T11:00:00Z", true, true),
            ("2026-01-01T10:00:00", "2026-01-01T11:00:00", false, true),
            ("2026-01-01T10:00:00-05:00", "2026-01-01T14:00:00Z", true, false)
        ] as [(String, String, Bool, Bool)])
    func comparison(changed: String, deleted: String, reads: Bool, isGone: Bool) async throws {
        for isReadable in [true, false] {
            let world = try await world(since: Self.times) { tasks in
                tasks.since = Since(parameter: "after", origin: .field(.member("changed")))
                tasks.read.isOffered = isReadable
                tasks.version = .none
            }
            insert(1, world, ["changed": .string(changed)])
            _ = try await pull(world)
            delete(1, world, at: deleted)
            world.server.clearLog()
            let report = try await pull(world)
            #expect(world.server.log.contains("GET tasks/1/") == (isReadable && reads))
            #expect(report.deleted == (isReadable || isGone ? 1 : 0), "\(isReadable)")
            #expect(report.problem == nil)
        }
    }

    @Test("is asked about where the same pull shows the object, restored as it was")
    func restoredAsItWas() async throws {
        let world = try await world(since: Self.times) { tasks in
            tasks.since = Since(parameter: "after", origin: .field(.member("changed")))
            tasks.version = .none
        }
        insert(1, world, ["changed": "2026-01-01T10:00:00Z"])
        let restored = world.server.rows("tasks")[0]
        _ = try await pull(world)
        delete(1, world, at: "2026-01-01T11:00:00Z")
        #expect(try await pull(world).deleted == 1)
        world.server.put("tasks", 1, restored)
        #expect(try await pull(world).inserted == 1)
        for _ in 0..<2 {
            let report = try await pull(world)
            #expect(report.deleted == 0 && report.inserted == 0 && report.updated == 0, "\(report)")
            #expect(try await titles(world) == ["1"])
        }
    }

    @Test("stands where nothing can be read and there are no times, but for what the same pull has shown")
    func unreadableWithoutTimes() async throws {
        let world = try await world {
            $0.read.isOffered = false
            $0.version = .none
        }
        insert(2, world)
        _ = try await pull(world)
        for id in 1...2 { delete(id, world) }
        world.server.put("tasks", 2, ["title": "anew"])
        #expect(try await pull(world).deleted == 1)
        #expect(try await titles(world) == ["anew"])
        var everything = Synchronizer.PullOptions()
        everything.full = true
        for _ in 0..<2 {
            #expect(try await pull(world, everything).deleted == 0, "it is listed, as it is here")
            #expect(try await titles(world) == ["anew"])
        }
    }

    /// Tasks of which no single one can be read, and nothing tells when they were changed; somebody deletes the first when
    /// its page has been read, and another deletion follows.
    private func deletingMeanwhile(
        _ world: TinyWorld, _ then: @escaping @Sendable (TinyServer) -> Void = { _ in }
    ) async throws -> Synchronizer {
        let server = world.server
        let once = Once()
        return try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store,
            transport: ScriptedTransport { request in
                let response = try await server.transport.send(request)
                if request.url.hasSuffix("tasks/"), once.isFirst() {
                    server.remove("tasks", 1)
                    for id in [1, 90] { server.put("gone", id, [:]) }
                }
                if request.url.contains("gone/") { then(server) }
                return response
            }, style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
    }

    private final class Once: Sendable {
        private let isPast = Mutex(false)
        func isFirst() -> Bool {
            isPast.withLock { isPast in
                defer { isPast = true }
                return !isPast
            }
        }
    }

    private func unreadableWorld() async throws -> TinyWorld {
        let world = try await world {
            $0.read.isOffered = false
            $0.version = .none
        }
        insert(2, world)
        return world
    }

    @Test("removes what was deleted after its page had been read, though the same pull has shown it")
    func deletedMeanwhile() async throws {
        let world = try await unreadableWorld()
        let synchronizer = try await deletingMeanwhile(world)
        let report = try #require(try await synchronizer.pull(entities: ["tasks"]).entities["tasks"])
        #expect(world.server.log == ["GET tasks/", "GET gone/", "GET tasks/"])
        #expect(report.problem == nil && report.warnings == [] && report.deleted == 1 && report.inserted == 2)
        #expect(try await titles(world) == ["2"])
        #expect(try await pull(world).deleted == 0)
        #expect(try await titles(world) == ["2"])
    }

    @Test("leaves what was made anew while it was read, and moves no cursor where the second listing fails")
    func madeAnewMeanwhile() async throws {
        let world = try await unreadableWorld()
        let anew = try await deletingMeanwhile(world) { $0.put("tasks", 1, ["title": "anew"]) }
        let report = try #require(try await anew.pull(entities: ["tasks"]).entities["tasks"])
        #expect(report.problem == nil && report.deleted == 0)
        #expect(try await titles(world) == ["anew", "2"])

        let other = try await unreadableWorld()
        let cut = try await deletingMeanwhile(other) { server in
            server.fail(
                .init(applies: { $0.url.hasSuffix("tasks/") }, processes: false) {
                    throw TransportError(code: .connectionLost, message: "lost", mayHaveArrived: true)
                })
        }
        #expect(try await cut.pull(entities: ["tasks"]).entities["tasks"]?.problemKind == .network)
        #expect(try await cursor(other)?.complete == nil)
        other.server.forgetFaults()
        #expect(try await pull(other).deleted == 1)
        #expect(try await titles(other) == ["2"])
    }

    @Test("is tried by a check, which promises agreement then")
    func check() async throws {
        let world = try await world { $0.since = nil }
        insert(1, world)
        world.server.put("gone", 90, ["rev": 5])
        var report = try await world.synchronizer.check()
        var tasks = try #require(report.resources.last)
        #expect(tasks.problems == [] && !tasks.notes.contains { $0.hasPrefix("deletes.list") })
        let agreement = try #require(report.promises.last)
        #expect(!agreement.exceptions.contains { $0.hasPrefix("tasks: ") }, "\(agreement.exceptions)")
        world.server.put("gone", 1, [:])
        report = try await world.synchronizer.check()
        #expect(
            report.resources.last?.notes.contains { $0.hasPrefix("deletes.list: tasks/1 is listed as deleted") } == true
        )
        world.server.answer("GET", with: #"{"results": [{"id": 7}]}"#, toURL: "gone/")
        tasks = try #require(try await world.synchronizer.check().resources.last)
        #expect(tasks.problems == ["deletes.list.since.from.field: not every item has $.rev"])
        world.server.answer("GET", with: #"{"detail": "no"}"#, status: 404, toURL: "gone/")
        tasks = try #require(try await world.synchronizer.check().resources.last)
        #expect(tasks.problems.count == 1 && tasks.problems[0].hasPrefix("deletes.list: GET "), "\(tasks.problems)")
    }

    @Test("that is declared no more leaves no cursor")
    func undeclared() async throws {
        let (server, store) = (TinyServer(), MemoryStore())
        let world = try await world(server: server, store: store)
        world.server.put("gone", 90, [:])
        _ = try await pull(world)
        #expect(try await cursor(world) != nil)
        let other = try await TinyWorld(server: server, store: store)
        _ = try await pull(other)
        #expect(try await cursor(world) == nil)
    }

    @Test("has a cursor that is neither a list’s nor a view’s")
    func scopes() {
        let scope = PullScope(entity: "tasks", parent: "7/8")
        #expect(scope.isList && !scope.isOfTombstones)
        #expect(!scope.ofTombstones.isList && !scope.ofTombstones.isView && scope.ofTombstones.isOfTombstones)
        #expect("\(scope.ofTombstones)" == "deletes.list of tasks of 7/8")
        #expect("\(PullScope(entity: "tasks").ofTombstones)" == "deletes.list of tasks")
        #expect(PercentEncoding.segment("#deleted") != "#deleted")
    }
}

extension TinyServer {
    fileprivate func answer(_ method: String, with body: String, status: Int = 200, toURL end: String) {
        let response = Response(
            status: status, headers: ["Content-Type": "application/json"], body: ResponseBody(Array(body.utf8)))
        fail(
            Fault(
                applies: { $0.method == method && $0.url.hasSuffix(end) }, processes: false, outcome: { response }))
    }
}
