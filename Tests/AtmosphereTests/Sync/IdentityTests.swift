import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Identity check")
struct IdentityTests {
    private func world() async throws -> TinyWorld {
        let world = try await TinyWorld(identity: IdentityCheck(path: "me/", field: .member("name"))) {
            $0.since = nil
            $0.deletes.byAbsence = true
        }
        for number in 1...3 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await world.synchronizer.pull()
        return world
    }

    @Test("an expired session is an expired session for the identity check too, whatever its status")
    func expiredSession() async throws {
        let server = TinyServer()
        let authenticator = ClosureAuthenticator {
            .header("Authorization", "Bearer token")
        } renew: {
            true
        }
        var routeFile = try TinyWorld.routeFile()
        routeFile.identity = IdentityCheck(path: "me/", field: .member("name"))
        routeFile.errors.rules = [
            .init(statuses: [403], path: .member("code"), values: ["EXPIRED"], treatment: .unauthorized)
        ]
        server.fail(
            .init(applies: { $0.url.hasSuffix("me/") }, processes: false) {
                Response(
                    status: 403, headers: ["Content-Type": "application/json"],
                    body: ResponseBody(Array(#"{"code":"EXPIRED"}"#.utf8)))
            })
        let synchronizer = try await Synchronizer(
            routeFile: routeFile, store: MemoryStore(), transport: server.transport, style: TinyWorld.TinyStyle(),
            authenticator: authenticator, environment: TinyWorld.environment())
        #expect(try await synchronizer.pull().isComplete)
    }

    @Test("a server that shows what was typed in the place of a name is no proof, and nothing is kept")
    func echo() async throws {
        let server = TinyServer()
        var routeFile = try TinyWorld.routeFile()
        routeFile.identity = IdentityCheck(path: "me/", field: .member("name"))
        server.fail(
            .init(applies: { $0.url.hasSuffix("me/") }, processes: false) {
                Response(
                    status: 200, headers: ["Content-Type": "application/json"],
                    body: ResponseBody(Array(#"{"name":"hidden-token-1"}"#.utf8)))
            })
        let storage = MemoryTokenStorage()
        let asked = AskedAuthenticator(
            settings: .bearer, base: routeFile.base, secrets: SecretSource(environment: [:]), storage: storage)
        let synchronizer = try await Synchronizer(
            routeFile: routeFile, store: MemoryStore(), transport: server.transport, style: TinyWorld.TinyStyle(),
            authenticator: asked, environment: TinyWorld.environment())
        let error = await #expect(throws: SyncError.self) {
            try await synchronizer.signIn(answers: ["token": "hidden-token-1"])
        }
        #expect(error?.code == .unexpectedAnswer && error?.message.contains("hidden-token-1") == false)
        #expect(await storage.load() == nil)
    }

    @Test("what is asked for no resource obeys the error rules that all resources share")
    func sharedRules() throws {
        let shared = ErrorRules.Rule(statuses: [403], treatment: .unauthorized)
        let own = ErrorRules.Rule(statuses: [404], treatment: .reject)
        var (lists, tasks) = (
            try #require(try TinyWorld.routeFile().resource("lists")),
            try #require(
                try TinyWorld.routeFile().resource("tasks"))
        )
        lists.errors.rules = [shared]
        tasks.errors.rules = [shared]
        #expect(ErrorRules(sharedBy: [lists, tasks]) == lists.errors)
        tasks.errors.rules = [own, shared]
        #expect(ErrorRules(sharedBy: [lists, tasks]).rules == [shared])
        #expect(ErrorRules(sharedBy: []) == ErrorRules())
    }

    @Test("under the same identity an absent object is removed")
    func same() async throws {
        let world = try await world()
        world.server.remove("tasks", 2)
        let report = try await world.synchronizer.pull()
        #expect(report.entities["tasks"]?.deleted == 1)
        #expect(try await world.synchronizer.record(at: ObjectURI(entity: "tasks", id: "2")) == nil)
    }

    @Test("as somebody else nothing is pulled, and the report says why and what to do", arguments: [false, true])
    func other(_ isFull: Bool) async throws {
        let world = try await world()
        world.server.signIn("bob")
        world.server.remove("tasks", 2)
        world.server.edit("tasks", 1, ["title": "another account's"])
        world.server.insert("tasks", ["title": "bob's"])
        world.server.clearLog()
        var options = Synchronizer.PullOptions()
        options.full = isFull
        let report = try await world.synchronizer.pull(options: options)
        #expect(world.server.log == ["GET me/"])
        let lists = try #require(report.entities["lists"])
        #expect(lists.problemKind == .signInNeeded && report.entities["tasks"]?.problemKind == .unasked)
        #expect(
            lists.problem
                == "the server takes us for “bob”, and the last complete pull of lists was made as “ann”, so nothing "
                + "is pulled; sign in as before, accept the new identity with --allow-deletes N, or give each its own "
                + "store")
        let titles = try await world.synchronizer.records(matching: Query("tasks")).map { $0.record["title"] }
        #expect(titles == ["t1", "t2", "t3"])

        world.server.signIn("ann")
        #expect(try await world.synchronizer.pull().entities["tasks"]?.deleted == 1)
    }

    private final class Count: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
    }

    @Test("what is absent from a list that somebody else was shown at its end is not removed")
    func changedOnTheWay() async throws {
        let world = try await world()
        let asked = Count()
        world.server.remove("tasks", 2)
        world.server.fail(
            .init(applies: { $0.url.hasSuffix("me/") && asked.next() == 2 }, processes: false) {
                Response(status: 200, body: ResponseBody(Array(#"{"name":"bob"}"#.utf8)))
            })
        let report = try #require(try await world.synchronizer.pull().entities["tasks"])
        #expect(report.problemKind == .signInNeeded && report.deleted == 0)
        #expect(report.problem?.contains("takes us for “bob” now") == true, "\(report)")
        #expect(try await world.synchronizer.record(at: ObjectURI(entity: "tasks", id: "2")) != nil)
        #expect(try await world.synchronizer.pull().entities["tasks"]?.deleted == 1)
    }

    @Test("what is absent from a list is not removed where another request was answered as to somebody else meanwhile")
    func changedInBetween() async throws {
        let world = try await world()
        world.server.remove("tasks", 2)
        let gate = Gate()
        let slow = try await world.holding("GET", at: gate) { $0.url.contains("tasks/") }
        async let pulled = slow.pull(entities: ["tasks"])
        await gate.waitForArrivals()
        world.server.signIn("bob")
        #expect(try await slow.identity() == "bob")
        world.server.signIn("ann")
        gate.open()
        let report = try #require(try await pulled.entities["tasks"])
        #expect(report.problemKind == .signInNeeded && report.deleted == 0)
        #expect(report.problem?.contains("somebody else than “ann” while it was listing") == true, "\(report)")
        #expect(try await slow.pull().entities["tasks"]?.deleted == 1)
    }

    /// Tasks by list, each list with a list of tasks of its own.
    private final class Lists: Sendable {
        let tasks = Mutex<[Int: [Int]]>([1: [10, 11]])

        func answer(_ request: Request) -> Response {
            let path = request.url.dropFirst("https://tiny.example/api/".count).prefix { $0 != "?" }
            let parts = path.split(separator: "/")
            let known = tasks.withLock { $0 }
            func json(_ text: String) -> Response { Response(status: 200, body: ResponseBody(Array(text.utf8))) }
            func list(_ ids: [Int]) -> Response {
                json(#"{"next":null,"results":["# + ids.map { #"{"id":\#($0),"rev":1}"# }.joined(separator: ",") + "]}")
            }
            switch parts.count {
            case 1: return parts[0] == "me" ? json(#"{"name":"ann"}"#) : list(known.keys.sorted())
            case 3: return list(known[Int(parts[1]) ?? 0] ?? [])
            default: return Response(status: 404)
            }
        }
    }

    @Test("the list of a new parent keeps no absent object of the other lists here")
    func newParent() async throws {
        let lists = Lists()
        var routeFile = try TinyWorld.routeFile {
            $0.list.path = (try? PathTemplate("lists/{lists.id}/tasks/")) ?? $0.list.path
            $0.parents = [Reference(entity: "lists", field: "list")]
            $0.references = $0.parents
            $0.since = nil
            $0.deletes.byAbsence = true
        }
        routeFile.identity = IdentityCheck(path: "me/", field: .member("name"))
        let synchronizer = try await Synchronizer(
            routeFile: routeFile, store: MemoryStore(), transport: ScriptedTransport { lists.answer($0) },
            style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
        try await synchronizer.pull()
        lists.tasks.withLock { $0 = [1: [10], 2: [20]] }
        let report = try #require(try await synchronizer.pull().entities["tasks"])
        #expect(report.deleted == 1 && report.inserted == 1 && report.warnings == [])
        let left = try await synchronizer.records(matching: Query("tasks")).map(\.uri.id)
        #expect(left == ["10", "20"])
        lists.tasks.withLock { $0 = [1: [10], 2: [], 3: [30]] }
        #expect(try await synchronizer.pull().entities["tasks"]?.deleted == 1)
    }

    @Test("a number of allowed deletes accepts the new identity")
    func accepted() async throws {
        let world = try await world()
        world.server.signIn("bob")
        world.server.remove("tasks", 2)
        var options = Synchronizer.PullOptions()
        options.allowedDeletes = 1
        #expect(try await world.synchronizer.pull(options: options).entities["tasks"]?.deleted == 1)
        let next = try await world.synchronizer.pull()
        #expect(next.entities["tasks"]?.warnings == [])
    }

    @Test("where the server takes us for nobody no list is asked for")
    func nobody() async throws {
        let world = try await world()
        world.server.signIn("")
        world.server.clearLog()
        let report = try await world.synchronizer.pull()
        #expect(world.server.log == ["GET me/"])
        #expect(report.entities["tasks"]?.problem?.contains("takes us for nobody") == true)
        #expect(report.entities["tasks"]?.problemKind == .signInNeeded)
    }

    @Test("as somebody else nothing is sent, and the push says why; signed in as before it goes")
    func nothingIsSent() async throws {
        let world = try await world()
        let changed = ObjectURI(entity: "tasks", id: "1")
        let deleted = ObjectURI(entity: "tasks", id: "2")
        try await world.synchronizer.edit(changed, setting: [("title", "mine")])
        try await world.synchronizer.delete(deleted)
        _ = try await world.synchronizer.save(["title": "new", "uuid": "u"], as: "tasks")
        world.server.signIn("bob")
        world.server.clearLog()
        let report = try await world.synchronizer.push()
        #expect(world.server.log == ["GET me/"])
        #expect(
            report.signInNeeded
                == "the server takes us for “bob”, and the last complete pull of tasks was made as “ann”, so nothing "
                + "is sent; sign in as before, or accept the new identity with pull --allow-deletes N")
        #expect(try await world.synchronizer.object(at: changed)?.meta.outgoing?.phase == .waiting)
        let refused = await #expect(throws: SyncError.self) {
            try await world.synchronizer.deleteNow(ObjectURI(entity: "tasks", id: "1"))
        }
        #expect(refused?.code == .signInNeeded)
        #expect(world.server.log == ["GET me/", "GET me/"])

        world.server.signIn("ann")
        let next = try await world.synchronizer.push()
        #expect((next.created, next.updated, next.deleted) == (1, 1, 1))
    }

    private static let waitsOfAnn =
        "the server takes us for “bob”, and what waits of tasks was changed as “ann”, so nothing is sent; sign in as "
        + "before, or accept the new identity with pull --allow-deletes N"

    /// A client whose reads are not signed, which has pulled one task.
    private func unsigned(_ server: TinyServer, asking: Bool = false) async throws -> Synchronizer {
        server.insert("tasks", ["title": "t"])
        var routeFile = try TinyWorld.routeFile()
        routeFile.identity = IdentityCheck(path: "me/", field: .member("name"))
        routeFile.signed = .writes
        let asked = AskedAuthenticator(
            settings: .bearer, base: routeFile.base, secrets: SecretSource(environment: [:]),
            storage: MemoryTokenStorage())
        let synchronizer = try await Synchronizer(
            routeFile: routeFile, store: MemoryStore(), transport: server.transport, style: TinyWorld.TinyStyle(),
            authenticator: asking ? asked.accompanied(by: nil, signsReads: false) : nil,
            environment: TinyWorld.environment())
        try await synchronizer.pull()
        return synchronizer
    }

    @Test("where reads are not signed what waits is sent as who has changed it, or once that was accepted")
    func unsignedReads() async throws {
        let server = TinyServer()
        let synchronizer = try await unsigned(server)
        let task = ObjectURI(entity: "tasks", id: "1")
        try await synchronizer.edit(task, setting: [("title", "first")])
        #expect(try await synchronizer.push().updated == 1)
        try await synchronizer.edit(task, setting: [("title", "ann's")])
        server.signIn("bob")
        #expect(try await synchronizer.pull().isComplete)
        let report = try await synchronizer.push()
        #expect(report.signInNeeded == Self.waitsOfAnn && report.updated == 0)
        let refused = await #expect(throws: SyncError.self) { try await synchronizer.deleteNow(task) }
        #expect(refused?.code == .signInNeeded)
        #expect(server.rows("tasks").map { $0["title"] } == ["first"])
        server.signIn("ann")
        #expect(try await synchronizer.push().updated == 1)
        // Nothing of hers waits any more.
        server.signIn("bob")
        _ = try await synchronizer.saveNow(["title": "bob's", "uuid": "u"], as: "tasks")
        try await synchronizer.edit(task, setting: [("title", "bob's")])
        server.signIn("ann")
        #expect(try await synchronizer.push().signInNeeded != nil)
        var options = Synchronizer.PullOptions()
        options.allowedDeletes = 0
        #expect(try await synchronizer.pull(options: options).isComplete)
        #expect(try await synchronizer.push().updated == 1)
    }

    @Test("who signs in makes the changes from there on, and what waits already stays that of who made it")
    func signedInUnsigned() async throws {
        let server = TinyServer()
        let synchronizer = try await unsigned(server, asking: true)
        let task = ObjectURI(entity: "tasks", id: "1")
        func signIn(_ user: String) async throws {
            server.signIn(user)
            try await synchronizer.signIn(answers: ["token": "token-of-\(user)"])
        }
        try await signIn("ann")
        try await synchronizer.edit(task, setting: [("title", "ann's")])
        try await synchronizer.signOut()
        try await signIn("bob")
        #expect(try await synchronizer.push().signInNeeded == Self.waitsOfAnn)
        #expect(server.rows("tasks").map { $0["title"] } == ["t"])
        try await signIn("ann")
        #expect(try await synchronizer.push().updated == 1)
        try await synchronizer.signOut()
        // What somebody has changed who was not signed in goes as who signs in next.
        try await synchronizer.edit(task, setting: [("title", "bob's")])
        try await signIn("bob")
        #expect(try await synchronizer.push().updated == 1)
        #expect(server.rows("tasks").map { $0["title"] } == ["bob's"])
    }

    @Test("a push asks once who it is, and not at all where nothing is to be sent")
    func asksOnce() async throws {
        let world = try await world()
        world.server.clearLog()
        _ = try await world.synchronizer.push()
        #expect(world.server.log.isEmpty)
        for id in ["1", "2"] {
            try await world.synchronizer.edit(ObjectURI(entity: "tasks", id: id), setting: [("title", "mine")])
        }
        #expect(try await world.synchronizer.push().updated == 2)
        #expect(world.server.log.count { $0 == "GET me/" } == 1)
    }

    @Test(
        "where the server does not tell who we are, nothing is sent, and a push counts it as a pull does",
        arguments: [(404, "{}"), (403, "{}"), (200, "<html>"), (500, "{}")])
    func notAnswered(_ status: Int, _ body: String) async throws {
        let world = try await world()
        try await world.synchronizer.edit(ObjectURI(entity: "tasks", id: "1"), setting: [("title", "mine")])
        for _ in 0..<3 {
            world.server.fail(
                .init(applies: { $0.url.hasSuffix("me/") }, processes: false) {
                    Response(
                        status: status, headers: ["Content-Type": body == "{}" ? "application/json" : "text/html"],
                        body: ResponseBody(Array(body.utf8)))
                })
        }
        world.server.clearLog()
        let report = try await world.synchronizer.push()
        let isLater = status == 500
        #expect((report.unreachable != nil) == isLater && (report.problem != nil) == !isLater && report.updated == 0)
        #expect(report.signInNeeded == nil)
        let pulled = try await world.synchronizer.pull().entities["tasks"]
        #expect((pulled?.problemKind == .answer) == !isLater, "\(String(describing: pulled))")
        #expect(try await world.synchronizer.synchronize().pull == nil)
        #expect(!world.server.log.contains { $0.hasPrefix("PUT") || $0.hasPrefix("PATCH") })
    }

    @Test("a create that waits for its answer is sent as nobody else, either")
    func createNow() async throws {
        let world = try await world()
        world.server.signIn("ann")
        try await world.synchronizer.pull(options: allowing)
        world.server.signIn("bob")
        await #expect(throws: SyncError.self) { try await world.synchronizer.saveNow(["title": "x"], as: "tasks") }
        #expect(world.server.rows("tasks").count == 3)
    }

    @Test("who accepts another identity is shown all that it may see, and not only what has changed since")
    func acceptedIdentity() async throws {
        let world = try await TinyWorld(identity: IdentityCheck(path: "me/", field: .member("name")))
        world.server.insert("tasks", ["title": "a"])
        world.server.signIn("guest")
        try await world.synchronizer.pull()
        world.server.signIn("ann")
        world.server.clearLog()
        try await world.synchronizer.pull(options: allowing)
        #expect(world.server.log.contains("GET tasks/") && !world.server.log.contains { $0.contains("since=") })
    }

    /// A guest's copy of two lists, whose tasks are listed below them.
    private func listedBelow() async throws -> TinyWorld {
        let path = try PathTemplate("lists/{lists.id}/tasks/")
        let world = try await TinyWorld(identity: IdentityCheck(path: "me/", field: .member("name"))) {
            $0.list.path = path
            $0.parents = [Reference(entity: "lists", field: "list")]
            $0.since = nil
        }
        world.server.insert("lists", ["title": "to go"])
        world.server.insert("lists", ["title": "to stay"])
        world.server.signIn("guest")
        try await world.synchronizer.pull()
        return world
    }

    @Test("who accepts another identity accepts it for the list of a parent that is gone, too")
    func acceptedWithGoneParent() async throws {
        let world = try await listedBelow()
        try await world.synchronizer.save(["title": "below", "list": 1], as: "tasks")
        world.server.remove("lists", 1)
        try await world.synchronizer.refresh(ObjectURI(entity: "lists", id: "1"))
        world.server.signIn("ann")
        try await world.synchronizer.save(["title": "beside", "list": 2], as: "tasks")
        try await world.synchronizer.pull(options: allowing)
        let report = try await world.synchronizer.push()
        #expect(report.signInNeeded == nil)
        #expect(world.server.rows("tasks").map { $0["title"] } == ["beside"], "\(world.server.log)")
    }

    @Test("who accepts another identity accepts it for the list of an edited parent whose end nobody has seen, too")
    func acceptedWithEditedParent() async throws {
        let world = try await listedBelow()
        try await world.synchronizer.edit(ObjectURI(entity: "lists", id: "1"), setting: [("title", "mine")])
        world.server.remove("lists", 1)
        world.server.signIn("ann")
        try await world.synchronizer.save(["title": "beside", "list": 2], as: "tasks")
        for _ in 0..<2 {
            world.server.fail(
                .init(applies: { $0.url.contains("lists/1/tasks/") }, processes: false) { Response(status: 404) })
        }
        try await world.synchronizer.pull(options: allowing)
        let report = try await world.synchronizer.push()
        #expect(report.signInNeeded == nil)
        #expect(world.server.rows("tasks").map { $0["title"] } == ["beside"], "\(world.server.log)")
    }

    private func mine() async throws -> TinyWorld {
        let world = try await TinyWorld(identity: IdentityCheck(path: "me/", field: .member("name"))) {
            $0.since = nil
            $0.deletes.byAbsence = true
            $0.views = [View(name: "all", query: [NamedText(name: "since", value: "{rev}")])]
        }
        for number in 1...5 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        return world
    }

    private func titles(_ world: TinyWorld) async throws -> [Value?] {
        try await world.synchronizer.records(matching: Query("tasks")).map { $0.record["title"] }
    }

    @Test("as somebody else no view is asked for, be it that or the entity that was pulled", arguments: [false, true])
    func view(_ isOfView: Bool) async throws {
        let world = try await mine()
        func pullView() async throws -> PullReport.Entity? {
            try await world.synchronizer.pull(view: "all", of: "tasks", parameters: ["rev": "0"]).entities["tasks"]
        }
        if isOfView {
            #expect(try await pullView()?.problem == nil)
        } else {
            try await world.synchronizer.pull()
        }
        world.server.signIn("bob")
        world.server.edit("tasks", 1, ["title": "another account's"])
        world.server.clearLog()
        let report = try await pullView()
        #expect(world.server.log == ["GET me/"])
        #expect(report?.problemKind == .signInNeeded)
        let what = isOfView ? "a view of tasks" : "tasks"
        #expect(
            report?.problem
                == "the server takes us for “bob”, and the last complete pull of \(what) was made as “ann”, so nothing "
                + "is pulled; sign in as before, accept the new identity with a pull of tasks and --allow-deletes N, or "
                + "give each its own store")
        #expect(try await titles(world) == ["t1", "t2", "t3", "t4", "t5"])
        // Nor is the entity, where only a view of it was pulled.
        if isOfView {
            let entity = try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"]
            #expect(entity?.problemKind == .signInNeeded)
        }
        // Who accepts the new identity asks for its views anew.
        #expect(try await world.synchronizer.pull(options: allowing).isComplete)
        let shown = try await world.synchronizer.records(in: "all", of: "tasks", parameters: ["rev": "0"])
        #expect(shown.isEmpty)
        #expect(try await pullView()?.problem == nil)
    }

    @Test("an entity that was never pulled is that of whoever pulled the others")
    func neverPulled() async throws {
        let world = try await mine()
        #expect(try await world.synchronizer.pull(entities: ["lists"]).isComplete)
        world.server.signIn("bob")
        world.server.clearLog()
        let report = try await world.synchronizer.pull(entities: ["tasks"])
        #expect(world.server.log == ["GET me/"])
        #expect(
            report.entities["tasks"]?.problem?.contains(
                "takes us for “bob”, and the last complete pull of lists was made as “ann”") == true)
        _ = try await world.synchronizer.save(["title": "new", "uuid": "u"], as: "tasks")
        #expect(try await world.synchronizer.push().signInNeeded != nil)
        #expect(world.server.rows("tasks").count == 5)
        world.server.signIn("ann")
        #expect(try await world.synchronizer.push().created == 1)
        #expect(try await world.synchronizer.pull().isComplete)
    }

    @Test("what was created before the first pull is its maker's, whom nobody else's pull joins")
    func pushedFirst() async throws {
        let world = try await mine()
        _ = try await world.synchronizer.save(["title": "new", "uuid": "u"], as: "tasks")
        #expect(try await world.synchronizer.push().created == 1)
        world.server.signIn("bob")
        world.server.clearLog()
        let report = try await world.synchronizer.pull(entities: ["tasks"])
        #expect(world.server.log == ["GET me/"])
        #expect(
            report.entities["tasks"]?.problem?.contains("what is here of tasks was begun as “ann”") == true)
        #expect(try await titles(world) == ["new"])
        world.server.signIn("ann")
        #expect(try await world.synchronizer.pull().isComplete)
        #expect(try await titles(world).count == 6)
    }

    @Test("a first pull that was interrupted is gone on with by nobody else")
    func interrupted() async throws {
        let world = try await mine()
        world.server.fail(.init(applies: { $0.url.contains("page=3") }, processes: false) { throw CancellationError() })
        await #expect(throws: CancellationError.self) { try await world.synchronizer.pull(entities: ["tasks"]) }
        world.server.signIn("bob")
        world.server.clearLog()
        let report = try await world.synchronizer.pull(entities: ["tasks"])
        #expect(world.server.log == ["GET me/"])
        #expect(report.entities["tasks"]?.problemKind == .signInNeeded)
        world.server.signIn("ann")
        #expect(try await world.synchronizer.pull(entities: ["tasks"]).isComplete)
        #expect(try await titles(world).count == 5)
    }

    @Test("where another's first pull was accepted and interrupted, neither goes on from the other's pages")
    func interruptedAcceptance() async throws {
        let world = try await mine()
        #expect(try await world.synchronizer.pull().isComplete)
        world.server.signIn("bob")
        world.server.remove("tasks", 1)
        world.server.fail(.init(applies: { $0.url.contains("page=2") }, processes: false) { throw CancellationError() })
        await #expect(throws: CancellationError.self) { try await world.synchronizer.pull(options: allowing) }
        for user in ["ann", "bob"] {
            world.server.signIn(user)
            let report = try await world.synchronizer.pull(entities: ["tasks"])
            #expect(report.entities["tasks"]?.problemKind == .signInNeeded, "\(user)")
        }
        world.server.signIn("ann")
        world.server.clearLog()
        let report = try await world.synchronizer.pull(options: allowing)
        #expect(report.isComplete && report.entities["tasks"]?.deleted == 1)
        #expect(world.server.log.contains("GET tasks/"))
        #expect(try await world.synchronizer.pull().isComplete)
    }

    private var allowing: Synchronizer.PullOptions {
        var options = Synchronizer.PullOptions()
        options.allowedDeletes = 10
        return options
    }
}
