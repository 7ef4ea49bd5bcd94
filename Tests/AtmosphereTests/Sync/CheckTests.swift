import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Checking a server")
struct CheckTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    /// - Returns: what was found of the tasks, and which promises are not kept for them.
    private func check(
        _ world: TinyWorld, writing: Bool = false
    ) async throws -> (tasks: CheckReport.Resource, broken: [String]) {
        let report = try await world.synchronizer.check(writing: writing)
        let tasks = try #require(report.resources.last)
        return (tasks, report.promises.flatMap(\.exceptions).filter { $0.hasPrefix("tasks: ") })
    }

    private static func answer(
        _ url: String, _ body: String, status: Int = 200, headers: HeaderFields = [:]
    ) -> TinyServer.Fault {
        var headers = headers
        headers["Content-Type"] = "application/json"
        let response = Response(status: status, headers: headers, body: ResponseBody(Array(body.utf8)))
        return .init(applies: { $0.url.hasSuffix(url) }, processes: false, outcome: { response })
    }

    @Test(
        "parameters of the list may hide what is looked up, until the route file says what hides it",
        arguments: [false, true])
    func hiding(isKnown: Bool) async throws {
        let world = try await TinyWorld {
            $0.list.query = [.init(name: "order", value: "id")]
            $0.lookup?.knowsWhatHides = isKnown
        }
        world.server.insert("tasks", ["title": "a", "uuid": "u"])
        let (tasks, broken) = try await check(world)
        #expect(broken.contains { $0.contains("“order” of “query” hides") } != isKnown)
        #expect(tasks.notes.contains { $0.contains("order=id") } != isKnown)
    }

    // MARK: Changes

    @Test(
        "what has been listed is to be listed as changed since shortly before, too",
        arguments: [
            (#"{"count":1,"next":null,"results":[{"id":1,"changed":"2026-01-01T08:00:00"}]}"#, 200, nil),
            (
                #"{"count":0,"next":null,"results":[]}"#, 200,
                "since: tasks/1 has changed at 2026-01-01T08:00:00, and the server does not list it as changed since "
                    + "2026-01-01T07:59:00, so"
            ),
            (#"{"detail":"no such time"}"#, 422, ": no such time (422)")
        ] as [(String, Int, String?)])
    func recent(_ body: String, _ status: Int, _ problem: String?) async throws {
        let world = try await TinyWorld {
            $0.since = Since(parameter: "since", origin: .field(.member("changed")))
            $0.lookup = nil
        }
        let transport = ScriptedTransport { request in
            let object = #"{"id":1,"changed":"2026-01-01T08:00:00"}"#
            let nothing = #"{"count":0,"next":null,"results":[]}"#
            let (text, code) =
                switch request.url {
                case let url where url.contains("lists/") || url.contains("since=2999"): (nothing, 200)
                case let url where url.contains("since="): (body, status)
                case let url where url.hasSuffix("tasks/1/"): (object, 200)
                default: (#"{"count":1,"next":null,"results":[\#(object)]}"#, 200)
                }
            return Response(
                status: code,
                headers: ["Content-Type": "application/json", "Date": "Thu, 01 Jan 2026 12:00:00 GMT"],
                body: ResponseBody(Array(text.utf8)))
        }
        let client = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: MemoryStore(), transport: transport,
            style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
        let tasks = try #require(try await client.check().resources.last)
        #expect(tasks.findings.contains { $0.topic == "since" && $0.holds })
        #expect(tasks.problems.count == (problem == nil ? 0 : 1), "\(tasks.problems)")
        #expect(tasks.problems.first?.contains(problem ?? "") ?? true, "\(tasks.problems)")
    }

    @Test(
        "where all that a list shows is marked as deleted by what may deny it, that is said; a clear mark is believed",
        arguments: [("0", true), ("\"\"", true), (#""N""#, true), ("1", false), (#""2026-01-01""#, false)])
    func marks(_ mark: String, isDoubtful: Bool) async throws {
        let world = try await TinyWorld {
            $0.deletes = Deletes()
            $0.deletes.field = .member("done")
        }
        for _ in 0..<2 { world.server.insert("tasks", ["done": try Value(json: Array(mark.utf8))]) }
        let tasks = try await check(world).tasks
        let text = "all 2 rows that the list shows count as deleted"
        #expect(tasks.problems.contains { $0.contains(text) } == isDoubtful, "\(tasks.problems)")
        #expect(!tasks.notes.contains { $0.contains("list is empty") })
        let report = try await world.synchronizer.pull().entities["tasks"]
        #expect(report?.problem == nil && report?.inserted == 0)
        #expect(report?.warnings.contains { $0.contains(text) } == isDoubtful, "\(String(describing: report))")
        world.server.insert("tasks", ["done": false])
        var everything = Synchronizer.PullOptions()
        everything.full = true
        let warnings = try await world.synchronizer.pull(options: everything).entities["tasks"]?.warnings
        #expect(warnings?.contains { $0.contains(text) } == false, "\(String(describing: warnings))")
    }

    @Test(
        "of a member that an action sets the check says that no edit does, unless it is readonly",
        arguments: [true, false])
    func setByAction(isReadonly: Bool) async throws {
        let path = try PathTemplate("tasks/{id}/finish")
        let world = try await TinyWorld { tasks in
            var finish = Action(name: "finish", method: "POST", path: path, arguments: ["finishing"])
            finish.sets = [ActionEffect("status", .value("done")), ActionEffect("finished", .now)]
            tasks.actions = [finish]
            if isReadonly { tasks.readonly.insert("status") }
        }
        world.server.insert("tasks", ["title": "a", "status": "open"])
        let notes = try await check(world).tasks.notes.filter { $0.hasPrefix("actions.finish.sets: ") }
        #expect(notes.count == (isReadonly ? 0 : 1) && notes.allSatisfy { $0.contains("“status”") }, "\(notes)")
    }

    // MARK: Writes

    @Test(
        "what test writes have refuted is not promised any more: a key that is not known, a member that is not unique",
        arguments: ["Idempotency-Key", nil])
    func refuted(header: String?) async throws {
        let world = try await TinyWorld { tasks in
            tasks.create.idempotencyHeader = header
            tasks.lookup = header == nil ? Lookup(field: "code", parameter: "code") : nil
            tasks.duplicate = nil
        }
        world.server.insert("tasks", ["title": "a", "code": "x"])
        let before = try await check(world)
        #expect(before.tasks.create != .refuted)
        #expect(!before.broken.contains { $0.contains("a create") })
        let (tasks, broken) = try await check(world, writing: true)
        #expect(tasks.create == .refuted)
        #expect(tasks.problems.contains { $0.hasSuffix(", so a create could happen twice") }, "\(tasks.problems)")
        #expect(broken.contains { $0.contains("a create that is sent twice makes two objects, as was tried") })
        #expect(world.server.rows("tasks").count == 1)
    }

    @Test(
        "a server that refuses a copy as a duplicate is what the route file says; another refusal has a remedy",
        arguments: [409, 400, 422])
    func refusedCopy(status: Int) async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        world.server.answer("POST", with: #"{"title":["taken"]}"#, status: status, processes: false)
        let tasks = try await check(world, writing: true).tasks
        if status == 422 {
            #expect(tasks.problems.count == 1 && tasks.problems[0].contains("belongs under “readonly”"))
        } else {
            #expect(tasks.problems.isEmpty, "\(tasks.problems)")
            #expect(tasks.notes.contains { $0.hasPrefix("writes were not tried: the server refuses a copy as a dup") })
        }
        #expect(world.server.rows("tasks").count == 1)
    }

    @Test(
        "a look-up is tried with an invented value where no object has one", arguments: ["refused", "unknown", "known"])
    func inventedLookUp(_ kind: String) async throws {
        let world = try await TinyWorld { tasks in
            tasks.create.idempotencyHeader = nil
            tasks.lookup = Lookup(field: "ref", parameter: "ref")
            tasks.duplicate = nil
        }
        world.server.insert("tasks", ["title": "a"])
        let asked: @Sendable (Request) -> Bool = { $0.url.contains("ref=") }
        if kind != "unknown" {
            let response = Response(
                status: kind == "refused" ? 400 : 200, headers: ["Content-Type": "application/json"],
                body: ResponseBody(Array(#"{"results":[]}"#.utf8)))
            world.server.fail(.init(applies: asked, processes: false, outcome: { response }))
        }
        let (tasks, broken) = try await check(world)
        #expect(tasks.problems.isEmpty == (kind == "known"), "\(tasks.problems)")
        #expect(tasks.create == (kind == "known" ? .lookup(field: "ref") : CheckReport.CreateSafety.none))
        #expect(broken.contains { $0.contains("waits for a person") } == (kind != "known"), "\(broken)")
        #expect(tasks.notes.contains { $0.hasSuffix("the look-up was tried with an invented value alone") })
    }

    @Test("a stale version that is refused with 200 by a rule of the route file is honoured")
    func staleByRule() async throws {
        let world = try await TinyWorld { tasks in
            tasks.version = .body(.member("rev"), ordered: false)
            tasks.errors.rules = [.init(statuses: [200], path: .member("error"), treatment: .reject)]
        }
        world.server.insert("tasks", ["title": "a"])
        let response = Response(
            status: 200, headers: ["Content-Type": "application/json"],
            body: ResponseBody(Array(#"{"error":"stale"}"#.utf8)))
        // The second update is the one with the old version.
        let updates = Mutex(0)
        world.server.fail(
            .init(
                applies: { request in
                    guard ["PUT", "PATCH"].contains(request.method) else { return false }
                    return updates.withLock {
                        $0 += 1
                        return $0 == 2
                    }
                }, processes: false, outcome: { response }))
        let (tasks, broken) = try await check(world, writing: true)
        let finding = try #require(tasks.findings.first { $0.topic == "if-match" }, "\(tasks.findings)")
        #expect(finding.holds && finding.text.contains("is answered with 200: "), "\(finding)")
        #expect(!tasks.problems.contains { $0.contains("version.send") }, "\(tasks.problems)")
        #expect(!broken.contains { $0.contains("stale version") }, "\(broken)")
    }

    @Test("a version is tried with a real change", arguments: ["a b", "a"])
    func unmovedVersion(title: String) async throws {
        let world = try await TinyWorld { $0.version = .body(.member("rev"), ordered: false) }
        world.server.state.withLock { $0.takesNoNotice = true }
        world.server.insert("tasks", ["title": .string(title)])
        let (tasks, _) = try await check(world, writing: true)
        let isTried = title == "a b"
        #expect(tasks.findings.contains { $0.topic == "if-match" } == isTried, "\(tasks.findings)")
        #expect(tasks.notes.contains { $0.contains("was not tried whether the server refuses an old") } == !isTried)
    }

    @Test("where there are no writes, or an edit lease is enforced, no race is told", arguments: [true, false])
    func noRace(isLeased: Bool) async throws {
        let path = try PathTemplate("tasks/{id}/lock")
        let world = try await TinyWorld { tasks in
            guard isLeased else {
                tasks.update.isOffered = false
                tasks.delete.isOffered = false
                return
            }
            tasks.lease = Lease(
                acquire: .init(method: "POST", path: path), length: .seconds(60), interval: .seconds(50))
        }
        world.server.insert("tasks", ["title": "a"])
        let (tasks, broken) = try await check(world)
        #expect(tasks.isWritable == isLeased && tasks.isLeased == isLeased)
        #expect(!broken.contains { $0.contains("overwritten") }, "\(broken)")
    }

    @Test("of updates that nothing can show it is said that their status alone counts", arguments: [true, false])
    func unseenUpdates(hasRule: Bool) async throws {
        let world = try await TinyWorld { tasks in
            tasks.read.isOffered = false
            tasks.version = .none
            if hasRule {
                tasks.errors.rules = [.init(statuses: [200], path: .member("error"), treatment: .reject)]
            }
        }
        world.server.insert("tasks", ["title": "a"])
        let notes = try await check(world).tasks.notes
        #expect(notes.contains { $0.hasPrefix("update: single objects cannot be read") } == !hasRule, "\(notes)")
    }

    // MARK: One object

    @Test("an object that stands inside a member is told with what to write, by the check, a read and a push")
    func innerObject() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        for _ in 0..<9 { world.server.fail(Self.answer("tasks/1/", #"{"data":{"id":1,"title":"a"}}"#)) }
        let remedy = "; the object stands at “data” there: write item: $.data"
        #expect(try await check(world).tasks.problems.contains { $0.hasSuffix(remedy) })
        let error = await #expect(throws: SyncError.self) { try await world.synchronizer.refresh(uri) }
        #expect(error?.message.hasSuffix(remedy) == true)
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        let report = try await world.synchronizer.push()
        let unreadable = "the answer to the GET cannot be read as declared" + remedy
        #expect(Set(report.failures.map(\.failure.message)) == [unreadable])
        world.server.forgetFaults()
        #expect(try await world.synchronizer.push().updated == 1)
    }

    @Test("where the object is nowhere the answer's members are named")
    func otherObject() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        world.server.fail(Self.answer("tasks/1/", #"{"key":1,"name":"a"}"#))
        let problems = try await check(world).tasks.problems
        let remedy =
            "; there is “key”, “name”: “item” says where the object stands, “id” where its identifier does"
        #expect(problems.contains { $0.hasSuffix(remedy) }, "\(problems)")
    }

    // MARK: Pages

    @Test("without a total the second page says whether more follows", arguments: [2, 3])
    func secondPage(count: Int) async throws {
        let world = try await TinyWorld {
            $0.paging = .number(parameter: "page", first: 1, size: nil, total: nil)
        }
        for number in 1...count { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        let tasks = try await check(world).tasks
        #expect(tasks.hasMore == (count > 2) && tasks.problems.isEmpty, "\(tasks)")
    }

    @Test("a parameter for pages that the server does not know is told, and so is an odd end of the list")
    func unknownParameter() async throws {
        let unknown = try await TinyWorld {
            $0.paging = .number(parameter: "p", first: 1, size: nil, total: nil)
        }
        let odd = try await TinyWorld {
            $0.paging = .number(parameter: "page", first: 1, size: nil, total: nil)
        }
        for world in [unknown, odd] {
            for number in 1...3 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        }
        let first = try await check(unknown).tasks.problems
        #expect(first.count == 1 && first[0].hasPrefix("pages.parameter: the second page shows what the first"))
        odd.server.fail(Self.answer("page=2", "{}", status: 422))
        let second = try await check(odd).tasks.problems
        #expect(second.count == 1 && second[0].hasSuffix("write pages: { end-status: [422] }"), "\(second)")
    }

    @Test("a page before the first one is asked for, and its objects are told of")
    func pageBefore() async throws {
        let world = try await TinyWorld {
            $0.paging = .number(parameter: "page", first: 1, size: nil, total: .member("count"))
        }
        for number in 1...3 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        #expect(try await check(world).tasks.problems == [])
        world.server.fail(Self.answer("page=0", #"{"count":3,"results":[{"id":9,"title":"t9","rev":1}]}"#))
        let problems = try await check(world).tasks.problems
        #expect(problems.count == 1 && problems[0].hasPrefix("pages.first: page 0 has other objects"), "\(problems)")
    }

    @Test("a header that is declared as a member of the body is told with what to write")
    func nextInHeader() async throws {
        let world = try await TinyWorld {
            $0.paging = .token(next: .member("X-Next-Page"), parameter: "page", size: nil)
        }
        world.server.fail(
            Self.answer("tasks/", #"{"results":[{"id":1,"rev":1}]}"#, headers: ["X-Next-Page": "2"]))
        let notes = try await check(world).tasks.notes
        #expect(notes.contains { $0.hasSuffix("; write next: { header: X-Next-Page }") }, "\(notes)")
    }
}
