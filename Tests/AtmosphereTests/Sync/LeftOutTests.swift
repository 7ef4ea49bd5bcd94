import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("What a pull cannot read")
struct LeftOutTests {
    private func uri(_ id: Int) -> ObjectURI { ObjectURI(entity: "tasks", id: String(id)) }

    private func refuse(_ path: String, _ status: Int, in world: TinyWorld, method: String = "GET") {
        world.server.fail(
            .init(
                applies: { $0.method == method && $0.url.hasSuffix(path) }, processes: false,
                outcome: { Response(status: status, headers: [:], body: ResponseBody([])) }))
    }

    /// Four tasks that are here, of which the server lists only the first two now.
    private func world(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.deletes.byAbsence = true
            $0.since = nil
            change(&$0)
        }
        for number in 1...4 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await world.synchronizer.pull()
        for number in 3...4 { world.server.remove("tasks", number) }
        try await world.pass(.seconds(60))
        return world
    }

    @Test(
        "an object that the server refuses to show stays as it is, is told of, and holds up no other",
        arguments: ["GET", "POST"])
    func refused(_ method: String) async throws {
        let world = try await world { $0.read.method = method }
        refuse("tasks/3/", 403, in: world, method: method)
        let report = try #require(try await world.synchronizer.pull().entities["tasks"])
        #expect(report.problem == nil && report.deleted == 1)
        #expect(report.warnings.count == 1)
        let warning = try #require(report.warnings.first)
        #expect(warning.hasPrefix("\(method) tasks/3: ") && warning.contains("(403)"), "\(warning)")
        #expect(warning.contains("[{ status: 403, method: \(method), treat: gone }]"), "\(warning)")
        // A create goes by POST, too.
        #expect(warning.contains("where a refused write is answered so, too") == (method == "POST"), "\(warning)")
        #expect(try await world.synchronizer.record(at: uri(3))?["title"] == "t3")
        #expect(try await world.synchronizer.record(at: uri(4)) == nil)
        #expect(try await world.synchronizer.status()[1].lastPull == world.now)
    }

    @Test("credentials that are not accepted, and a server that fails, end the pull all the same")
    func ended() async throws {
        let world = try await world()
        for (status, kind) in [(401, PullReport.ProblemKind.signInNeeded), (500, .network)] {
            refuse("tasks/3/", status, in: world)
            let report = try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"]
            #expect(report?.problemKind == kind, "\(status)")
            #expect(try await world.synchronizer.status()[1].lastPull != world.now)
        }
    }

    @Test("an object whose read fails stays, is told of, and holds up no other", arguments: [500, 200])
    func failedRead(status: Int) async throws {
        var since = Since(parameter: "since", origin: .field(.member("rev")))
        since.overlap = .zero
        since.fullEvery = .seconds(604_800)
        let world = try await world { [since] in $0.since = since }
        world.server.fail(
            .init(applies: { $0.url.hasSuffix("tasks/3/") }, processes: false) {
                Response(
                    status: status, headers: ["Content-Type": "application/json"],
                    body: ResponseBody(Array(#"{"id":"#.utf8)))
            })
        var options = Synchronizer.PullOptions()
        options.full = true
        let report = try #require(try await world.synchronizer.pull(options: options).entities["tasks"])
        #expect(report.problem?.hasPrefix("tasks/3 stays here, for its read failed: ") == true, "\(report)")
        #expect(report.deleted == 1)
        #expect(report.problemKind == (status == 500 ? PullReport.ProblemKind.network : .answer))
        #expect(try await world.synchronizer.record(at: uri(3))?["title"] == "t3")
        #expect(try await world.synchronizer.record(at: uri(4)) == nil)
        // No list of changes shows it, so everything is listed once more.
        let next = try #require(try await world.synchronizer.pull().entities["tasks"])
        #expect(next.problem == nil && next.deleted == 1, "\(next)")
    }

    @Test("many that the server refuses to show are told in a few lines")
    func manyRefused() async throws {
        let world = try await TinyWorld {
            $0.deletes.byAbsence = true
            $0.since = nil
        }
        for number in 1...10 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await world.synchronizer.pull()
        for number in 2...9 {
            world.server.remove("tasks", number)
            refuse("tasks/\(number)/", 403, in: world)
        }
        let report = try #require(try await world.synchronizer.pull().entities["tasks"])
        #expect(report.problem == nil && report.deleted == 0)
        #expect(report.warnings.count == 6)
        #expect(report.warnings.last?.hasPrefix("3 more tasks") == true)
    }

    @Test("a rule for GET alone says what a refused read means, and nothing of writes")
    func ruleForReads() async throws {
        let world = try await world {
            var rule = ErrorRules.Rule(statuses: [403], treatment: .gone)
            rule.methods = ["GET"]
            $0.errors.rules = [rule]
        }
        refuse("tasks/3/", 403, in: world)
        let report = try await world.synchronizer.pull().entities["tasks"]
        #expect(report?.deleted == 2 && report?.warnings == [])
        try await world.synchronizer.edit(uri(1), setting: [("title", "mine")])
        refuse("tasks/1/", 403, in: world, method: "PATCH")
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.status()[1].counts.rejected == 1)
    }

    @Test("a parent whose list is gone and that the server refuses to show stops no other list")
    func refusedParent() async throws {
        let world = try await TinyWorld {
            $0.list.path = try! PathTemplate("lists/{lists.id}/tasks/")
            $0.parents = [Reference(entity: "lists", field: "list")]
            $0.paging = .none
            $0.since = nil
        }
        for title in ["one", "two", "three"] { world.server.insert("lists", ["title": .string(title)]) }
        try await world.synchronizer.pull(entities: ["lists"])
        world.server.clearLog()
        refuse("lists/2/tasks/", 404, in: world)
        refuse("lists/2/", 403, in: world)
        let report = try #require(try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"])
        #expect(report.problem == nil)
        #expect(report.warnings.contains { $0.contains("GET lists/2: ") && $0.contains("(403)") }, "\(report.warnings)")
        #expect(world.server.log.contains("GET lists/3/tasks/"))
        #expect(try await world.synchronizer.records(matching: Query("lists")).count == 3)
    }

    @Test("the cursor stays where it is until a row that was left out has come", arguments: [false, true])
    func leftOut(isAscending: Bool) async throws {
        let world = try await TinyWorld { $0.since?.isAscending = isAscending }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        world.server.edit("tasks", 1, ["title": "b"])
        world.server.insert("tasks", ["title": "c"])
        world.server.answer(
            "GET", with: #"{"next":null,"results":[{"id":1,"title":"b","rev":2},{"title":"c","rev":3}]}"#,
            processes: false)
        let report = try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"]
        #expect(report?.problem?.hasPrefix("tasks: 1 left out: ") == true && report?.updated == 1)
        #expect(try await world.synchronizer.status()[1].cursor == "1")
        let next = try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"]
        #expect(next?.problem == nil && next?.inserted == 1)
        #expect(try await world.synchronizer.status()[1].cursor == "3")
    }

    @Test("a listing that left a row out and was interrupted starts anew, not behind that row")
    func leftOutAndInterrupted() async throws {
        let world = try await TinyWorld()
        for number in 1...3 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        let next = "https://inside:8000/api/tasks/?page=2"
        world.server.answer(
            "GET", with: #"{"next":"\#(next)","results":[{"id":1,"title":"t1","rev":1},{"title":"t2","rev":2}]}"#,
            processes: false)
        refuse("tasks/?page=2", 500, in: world)
        #expect(try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"]?.problem != nil)
        world.server.clearLog()
        #expect(try await world.synchronizer.pull(entities: ["tasks"]).isComplete)
        #expect(world.server.log == ["GET tasks/", "GET tasks/?page=2"])
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 3)
    }

    @Test("an object of a partial list that the server refuses to show is left out, and asked for again")
    func refusedDetail() async throws {
        let world = try await TinyWorld {
            $0.list.shape = .partial
            $0.detail = .onChange
        }
        world.server.list(only: ["id", "title", "rev"])
        for number in 1...3 { world.server.insert("tasks", ["title": .string("t\(number)"), "note": "long"]) }
        refuse("tasks/2/", 403, in: world)
        let report = try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"]
        #expect(report?.problem?.contains("1 left out: GET tasks/2: ") == true, "\(report?.problem ?? "")")
        #expect(report?.inserted == 2)
        #expect(try await world.synchronizer.pull(entities: ["tasks"]).isComplete)
        #expect(try await world.synchronizer.record(at: uri(2))?["note"] == "long")
    }

    @Test(
        "a row of a partial list whose read fails is left out alone",
        arguments: ["500", "garbage", "202", "204", "lost", "redirect"])
    func failedDetail(fault: String) async throws {
        let world = try await TinyWorld {
            $0.list.shape = .partial
            $0.detail = .onChange
        }
        world.server.list(only: ["id", "title", "rev"])
        for number in 1...3 { world.server.insert("tasks", ["title": .string("t\(number)"), "note": "long"]) }
        world.server.fail(
            .init(applies: { $0.url.hasSuffix("tasks/2/") }, processes: false) {
                if fault == "lost" || fault == "redirect" {
                    throw TransportError(
                        code: fault == "lost" ? .connectionLost : .redirect, message: fault, mayHaveArrived: true)
                }
                return Response(
                    status: Int(fault) ?? 200, headers: ["Content-Type": "application/json"],
                    body: ResponseBody(Array((fault == "204" ? "" : #"{"id":"#).utf8)))
            })
        let report = try #require(try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"])
        #expect(report.problem?.hasPrefix("tasks: 1 left out: ") == true, "\(report)")
        #expect(report.problemKind == (["500", "lost"].contains(fault) ? PullReport.ProblemKind.network : .answer))
        #expect(report.inserted == 2)
        #expect(try await world.synchronizer.pull(entities: ["tasks"]).isComplete)
        #expect(try await world.synchronizer.record(at: uri(2))?["note"] == "long")
    }

    @Test("a row of a partial list that the origin is to blame for ends the pull", arguments: [false, true])
    func originOfDetail(isSignIn: Bool) async throws {
        let world = try await TinyWorld {
            $0.list.shape = .partial
            $0.detail = .onChange
        }
        world.server.list(only: ["id", "title", "rev"])
        for number in 1...2 { world.server.insert("tasks", ["title": .string("t\(number)"), "note": "long"]) }
        world.server.fail(
            .init(applies: { $0.url.hasSuffix("tasks/2/") }, processes: false) {
                guard isSignIn else {
                    throw TransportError(code: .cannotConnect, message: "no way", mayHaveArrived: false)
                }
                return Response(status: 401)
            })
        let report = try #require(try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"])
        #expect(report.problemKind == (isSignIn ? PullReport.ProblemKind.signInNeeded : .unreached))
        #expect(report.inserted == 0)
    }

    private func partialWorld(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.list.shape = .partial
            $0.detail = .onChange
            change(&$0)
        }
        world.server.list(only: ["id", "title", "rev"])
        for number in 1...2 { world.server.insert("tasks", ["title": .string("t\(number)"), "note": "long"]) }
        try await world.synchronizer.pull(entities: ["tasks"])
        return world
    }

    @Test(
        "an object that a partial list shows and a read does not stays, with a word, and is asked for again",
        arguments: [404, 410])
    func unseenDetail(status: Int) async throws {
        let world = try await partialWorld()
        for id in 1...2 { world.server.edit("tasks", id, ["title": "new", "note": "new"]) }
        world.server.insert("tasks", ["title": "t3", "note": "long"])
        for id in [1, 3] { refuse("tasks/\(id)/", status, in: world) }
        let report = try #require(try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"])
        #expect(report.problem == nil && report.deleted == 0 && report.updated == 1 && report.inserted == 0)
        let warning = try #require(report.warnings.first)
        #expect(warning.contains("1 left out: the list shows tasks/1, and GET tasks/1 is answered with \(status);"))
        #expect(try await world.synchronizer.record(at: uri(1))?["note"] == "long")
        let again = try #require(try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"])
        #expect(again.warnings == [] && again.updated == 1 && again.inserted == 1)
        #expect(try await world.synchronizer.record(at: uri(1))?["note"] == "new")
        #expect(try await world.synchronizer.record(at: uri(3))?["note"] == "long")
    }

    @Test("a rule says that what a partial list shows and a read does not is gone")
    func ruledGone() async throws {
        let world = try await partialWorld {
            $0.errors.rules = [ErrorRules.Rule(statuses: [404], treatment: .gone)]
        }
        world.server.edit("tasks", 1, ["title": "new"])
        refuse("tasks/1/", 404, in: world)
        let report = try #require(try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"])
        #expect(report.deleted == 1 && report.warnings == [] && report.problem == nil)
        #expect(try await world.synchronizer.record(at: uri(1)) == nil)
    }

    /// Rows by offset, `limit` a page; 0 stands for one without an identifier.
    private func rows(_ rows: [Int], _ limit: Int, _ paging: Paging) async throws -> Synchronizer {
        let routeFile = try TinyWorld.routeFile {
            $0.paging = paging
            $0.since = nil
        }
        let transport = ScriptedTransport { request in
            let target = RequestTarget(String(request.url.dropFirst("https://tiny.example/api/".count)))
            let number = target.query.first { $0.name == "at" }.flatMap { Int($0.value) } ?? 0
            let isOffset = if case .offset = paging { true } else { false }
            let page = rows.dropFirst(isOffset ? number : number * limit).prefix(limit)
            let items = page.map { $0 == 0 ? #"{"title":"none"}"# : #"{"id":\#($0)}"# }.joined(separator: ",")
            return Response(
                status: 200, headers: ["Content-Type": "application/json"],
                body: ResponseBody(Array(#"{"results":[\#(items)],"count":\#(rows.count)}"#.utf8)))
        }
        return try await Synchronizer(
            routeFile: routeFile, store: MemoryStore(), transport: transport, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment())
    }

    @Test(
        "a row that is left out at the end of a page hides no other",
        arguments: [nil, .member("count")] as [Paging.Total?])
    func leftOutAtTheEnd(total: Paging.Total?) async throws {
        let size = Paging.Size(parameter: "limit", value: 3)
        for all in [[1, 2, 0, 4, 5, 6, 7], [1, 2, 3, 4, 0, 6, 7], [1, 2, 3, 0], [1, 2, 0, 0, 0, 6, 7, 8]] {
            let synchronizer = try await rows(all, 3, .offset(parameter: "at", size: size, total: total))
            let report = try #require(try await synchronizer.pull(entities: ["tasks"]).entities["tasks"])
            #expect(report.problem?.contains(" left out: item ") == true, "\(all): \(report)")
            #expect(report.inserted == all.count { $0 != 0 }, "\(all): \(report)")
        }
    }

    @Test(
        "of two rows whose identifiers differ in their JSON type alone the first stays, and the other is told each time",
        arguments: [
            [["1", #""1""#, "2"]], [["1", "2"], [#""1""#, "3"]], [[#""1""#, #""2""#], ["1", "7"]],
            [["1", "1.5"], [#""1.5""#, #""x""#]]
        ])
    func unlikeIdentifiers(_ pages: [[String]]) async throws {
        let routeFile = try TinyWorld.routeFile {
            $0.paging = .number(parameter: "at", first: 0, size: nil, total: nil)
            $0.since = nil
            $0.deletes.byAbsence = true
        }
        let transport = ScriptedTransport { request in
            let target = RequestTarget(String(request.url.dropFirst("https://tiny.example/api/".count)))
            let number = target.query.first { $0.name == "at" }.flatMap { Int($0.value) } ?? 0
            let items = (number < pages.count ? pages[number] : []).map { #"{"id":\#($0),"title":\#($0)}"# }
            return Response(
                status: 200, headers: ["Content-Type": "application/json"],
                body: ResponseBody(Array(#"{"results":[\#(items.joined(separator: ","))]}"#.utf8)))
        }
        let synchronizer = try await Synchronizer(
            routeFile: routeFile, store: MemoryStore(), transport: transport, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment())
        let all = pages.joined()
        let id = pages.count == 2 && all.contains("1.5") ? "1.5" : "1"
        for pull in 1...2 {
            let report = try #require(try await synchronizer.pull(entities: ["tasks"]).entities["tasks"])
            #expect(
                report.problem?.hasPrefix("tasks: 1 left out: the list has the identifier of tasks/\(id) as a number")
                    == true,
                "\(report)")
            #expect(report.updated == 0 && report.deleted == 0, "\(report)")
            #expect(pull == 1 ? report.inserted == all.count - 1 : report.unchanged == all.count - 1, "\(report)")
        }
        let first = try Value(json: Array(try #require(all.first { $0.contains(id) }).utf8))
        #expect(try await synchronizer.record(at: ObjectURI(entity: "tasks", id: id))?["title"] == first)
    }

    @Test("identifiers that are numbers in one pull and strings in the next are those of the same objects")
    func changedTypes() async throws {
        let world = try await TinyWorld()
        for json in [#"{"id":1,"title":"a","rev":1},{"id":2,"title":"b","rev":2}"#, #"{"id":"2","title":"c","rev":3}"#]
        {
            world.server.answer("GET", with: #"{"next":null,"results":[\#(json)]}"#, processes: false)
            #expect(try await world.synchronizer.pull(entities: ["tasks"]).isComplete)
        }
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 2)
        #expect(try await world.synchronizer.record(at: uri(2))?["title"] == "c")
    }

    @Test("a last page of which every row is left out ends no pull, and is not gone on with")
    func leftOutLastPage() async throws {
        let synchronizer = try await rows([1, 2, 0], 2, .number(parameter: "at", first: 0, size: nil, total: nil))
        for _ in 1...2 {
            let report = try #require(try await synchronizer.pull(entities: ["tasks"]).entities["tasks"])
            #expect(report.problem?.hasPrefix("tasks: 1 left out: item 1") == true, "\(report)")
            #expect(report.inserted + report.unchanged == 2)
        }
    }
}
