import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Lists that end otherwise than they should")
struct ListingEndTests {
    private func world(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        let world = try await TinyWorld(change)
        for number in 1...5 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        return world
    }

    @Test("a link to a page that is not there is an error, not an end: nothing is removed and no cursor moves")
    func missingPage() async throws {
        let world = try await world {
            $0.deletes.byAbsence = true
            $0.since = nil
        }
        try await world.synchronizer.pull()
        world.server.fail(
            .init(applies: { $0.url.contains("page=2") }, processes: false, outcome: { Response(status: 404) }))
        var options = Synchronizer.PullOptions()
        options.full = true
        let report = try await world.synchronizer.pull(options: options)
        #expect(report.entities["tasks"]?.problem != nil && report.entities["tasks"]?.deleted == 0)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 5)
    }

    @Test("a first page that says that another is before it is told of, and nothing is removed")
    func notFirst() async throws {
        let world = try await world {
            $0.paging = .number(parameter: "page", first: 1, size: nil, total: nil)
            $0.deletes.byAbsence = true
            $0.since = nil
            $0.read.isOffered = false
            $0.version = .none
        }
        #expect(try await world.synchronizer.pull().entities["tasks"]?.warnings == [])
        let body = #"{"first":false,"results":[{"id":1,"title":"t1","rev":1}]}"#
        let response = Response(
            status: 200, headers: ["Content-Type": "application/json"], body: ResponseBody(Array(body.utf8)))
        world.server.fail(
            .init(applies: { $0.url.contains("page=1") }, processes: false, outcome: { response }))
        let report = try #require(try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"])
        #expect(report.problem == nil && report.deleted == 0)
        let warning = try #require(report.warnings.first { $0.contains("(“first”, which is false)") })
        #expect(warning.hasSuffix("write first: 0 in pages"))
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 5)
    }

    @Test("a page number that is missing before the total is reached is an error")
    func missingNumber() async throws {
        let world = try await world {
            $0.paging = .number(parameter: "page", first: 1, size: nil, total: .member("count"))
        }
        world.server.fail(
            .init(applies: { $0.url.contains("page=2") }, processes: false, outcome: { Response(status: 400) }))
        #expect(try await world.synchronizer.pull().entities["tasks"]?.problem != nil)
        #expect(try await world.synchronizer.status()[1].cursor == nil)
        #expect(try await world.synchronizer.pull().isComplete)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 5)
    }

    @Test(
        "a total that is no count of the list ends nothing, and is told of",
        arguments: [(0, nil), (1, nil), (nil, 2)] as [(Int?, Int?)])
    func noTotal(total: Int?, size: Int?) async throws {
        let world = try await world {
            $0.paging = .number(
                parameter: "page", first: 1, size: size.map { Paging.Size(parameter: "size", value: $0) },
                total: .member("count"))
            $0.deletes.byAbsence = true
            $0.since = nil
        }
        let transport = ScriptedTransport { request in
            let response = try await world.server.transport.send(request)
            var members = try Value(json: try await response.body.collect(upTo: 1 << 20)).members ?? [:]
            // Else the total is the number of rows on the page.
            members["count"] = .number(JSONNumber(total ?? members["results"]?.array?.count ?? 0))
            return Response(
                status: response.status, headers: response.headers, body: ResponseBody(Value.object(members).json()))
        }
        let client = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store, transport: transport,
            style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
        for _ in 0..<2 {
            let report = try await client.pull(entities: ["tasks"]).entities["tasks"]
            #expect(report?.warnings.count == 1 && report?.problem == nil, "\(String(describing: report))")
            #expect(report?.warnings.first?.contains("is no count of what it lists") == true)
            #expect(try await client.records(matching: Query("tasks")).count == 5)
        }
        #expect(world.server.log.filter { $0.contains("page=3") }.count == 2)
    }

    @Test(
        "a list of one full page is whole where the total says so, and the page behind it is empty or refused",
        arguments: [nil, 400, 404] as [Int?])
    func fullPage(status: Int?) async throws {
        let world = try await TinyWorld {
            $0.paging = .number(
                parameter: "page", first: 1, size: .init(parameter: "size", value: 2), total: .member("count"))
        }
        for number in 1...2 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        if let status {
            world.server.fail(
                .init(
                    applies: { $0.url.contains("page=2") }, processes: false, outcome: { Response(status: status) }))
        }
        let report = try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"]
        #expect(report?.warnings == [] && report?.problem == nil, "\(String(describing: report))")
        #expect(world.server.log == ["GET tasks/?page=1&size=2", "GET tasks/?page=2&size=2"])
    }

    private static func failure(of page: String) -> TinyServer.Fault {
        .init(applies: { $0.url.contains(page) }, processes: false, outcome: { Response(status: 500) })
    }

    @Test("a page that the server fails to give is asked for three times", arguments: [2, 3])
    func failingPage(failures: Int) async throws {
        let world = try await world()
        for _ in 0..<failures { world.server.fail(Self.failure(of: "page=2")) }
        let report = try await world.synchronizer.pull()
        #expect(report.isComplete == (failures == 2))
        #expect(world.server.log.count { $0.contains("page=2") } == 3)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == (failures == 2 ? 5 : 2))
        #expect(try await world.synchronizer.pull().isComplete)
    }

    @Test("an expired page position starts the list anew instead of blocking every pull")
    func expiredPosition() async throws {
        let world = try await world { $0.since?.fullEvery = .seconds(604_800) }
        for _ in 0..<3 { world.server.fail(Self.failure(of: "page=3")) }
        #expect(try await world.synchronizer.pull().entities["tasks"]?.problem != nil)
        world.server.clearLog()
        world.server.fail(
            .init(applies: { $0.url.contains("page=3") }, processes: false, outcome: { Response(status: 404) }))
        let report = try await world.synchronizer.pull()
        #expect(report.isComplete)
        #expect(report.entities["tasks"]?.warnings.first?.contains("listed from the start") == true)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 5)
    }

    @Test("one item without an identifier holds up no other, is told of, and nothing counts as deleted then")
    func badItem() async throws {
        let world = try await world {
            $0.deletes.byAbsence = true
            $0.since = nil
        }
        try await world.synchronizer.pull()
        world.server.edit("tasks", 2, ["title": "changed"])
        world.server.remove("tasks", 5)
        world.server.fail(
            .init(
                applies: { $0.url.hasSuffix("tasks/") }, processes: false,
                outcome: {
                    let body = #"{"next":null,"results":[{"title":"x"},{"id":2,"title":"changed","rev":6}]}"#
                    return Response(status: 200, body: ResponseBody(Array(body.utf8)))
                }))
        let report = try await world.synchronizer.pull(entities: ["tasks"])
        #expect(report.entities["tasks"]?.updated == 1 && report.entities["tasks"]?.deleted == 0)
        let problem = report.entities["tasks"]?.problem
        #expect(problem?.hasPrefix("tasks: 1 left out: item 1, at byte 24, has nothing") == true)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 5)
    }

    @Test("one parent that is gone stops neither its siblings' lists nor the next pull")
    func missingParent() async throws {
        let world = try await TinyWorld {
            $0.list.path = try! PathTemplate("lists/{lists.id}/tasks/")
            $0.parents = [Reference(entity: "lists", field: "list")]
            $0.paging = .none
            $0.since = nil
        }
        for title in ["one", "two", "three"] { world.server.insert("lists", ["title": .string(title)]) }
        try await world.synchronizer.pull(entities: ["lists"])
        world.server.remove("lists", 2)
        for list in ["lists/1/tasks", "lists/3/tasks"] {
            world.server.fail(
                .init(
                    applies: { $0.url.contains(list) }, processes: false,
                    outcome: { Response(status: 200, body: ResponseBody(Array(#"{"results":[]}"#.utf8))) }))
        }
        let report = try await world.synchronizer.pull(entities: ["tasks"])
        #expect(report.isComplete)
        #expect(world.server.log.contains("GET lists/3/tasks/"))
        #expect(try await world.synchronizer.records(matching: Query("lists")).map(\.uri.id) == ["1", "3"])
    }

    @Test("one parent that goes between two pages of its list is as one that was gone before", arguments: [true, false])
    func missingLater(isGone: Bool) async throws {
        let world = try await TinyWorld {
            $0.list.path = try! PathTemplate("lists/{lists.id}/tasks/")
            $0.parents = [Reference(entity: "lists", field: "list")]
            $0.since = nil
        }
        for title in ["one", "two"] { world.server.insert("lists", ["title": .string(title)]) }
        try await world.synchronizer.pull(entities: ["lists"])
        if isGone { world.server.remove("lists", 2) }
        let body = #"{"next":"https://tiny.example/api/lists/2/tasks/?page=2","results":[{"id":9,"list":2,"rev":9}]}"#
        world.server.fail(
            .init(
                applies: { $0.url.hasSuffix("lists/2/tasks/") }, processes: false,
                outcome: { Response(status: 200, body: ResponseBody(Array(body.utf8))) }))
        world.server.fail(
            .init(applies: { $0.url.contains("page=2") }, processes: false, outcome: { Response(status: 404) }))
        let report = try #require(try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"])
        #expect(world.server.log.contains("GET lists/2/"), "\(world.server.log)")
        if isGone {
            #expect(report.problem == nil && report.warnings == [], "\(report)")
            #expect(try await world.synchronizer.records(matching: Query("lists")).map(\.uri.id) == ["1"])
        } else {
            #expect(report.problem?.contains("lists/2/tasks/?page=2") == true, "\(report)")
            #expect(report.problem?.contains("compare") == false)
        }
    }

    @Test("a dry run counts a tombstone once, also where absence tells as well")
    func tombstoneInDryRun() async throws {
        let world = try await world {
            $0.deletes.field = .member("deleted")
            $0.deletes.byAbsence = true
            $0.since = nil
        }
        try await world.synchronizer.pull()
        world.server.edit("tasks", 1, ["deleted": true])
        var options = Synchronizer.PullOptions()
        options.dryRun = true
        #expect(try await world.synchronizer.pull(options: options).entities["tasks"]?.deleted == 1)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 5)
    }

    @Test("a dry run says that it does not count what is below parents that it does not store")
    func belowNewInDryRun() async throws {
        let world = try await NestedWorld()
        world.server.insert("lists", ["title": "one"])
        world.server.insert("tasks", ["title": "t", "list": 1])
        var options = Synchronizer.PullOptions()
        options.dryRun = true
        let dry = try await world.pull(options)
        #expect(dry.inserted == 0 && dry.problem == nil)
        #expect(
            dry.warnings == [
                "what is below new lists was not asked for, and is not counted: a dry run stores none of them"
            ])
        #expect(try await world.pull().inserted == 1)
        #expect(try await world.pull(options).warnings == [])
    }

    @Test("what was decided as the server has it is synchronized, also where the server writes JSON with spaces")
    func decidedAsTheirs() async throws {
        let world = try await TinyWorld {
            $0.paging = .none
            $0.since = nil
            $0.deletes.byAbsence = true
        }
        func pull(_ title: String?, _ rev: Int) async throws {
            let row = title.map { #"{"id": 7, "rev": \#(rev), "title": "\#($0)"}"# } ?? ""
            world.server.answer("GET", with: #"{"results": [\#(row)]}"#)
            #expect(try await world.synchronizer.pull(entities: ["tasks"]).isComplete)
        }
        let task = ObjectURI(entity: "tasks", id: "7")
        try await pull("a", 1)
        try await world.synchronizer.edit(task, setting: [("title", "mine")])
        try await pull("theirs", 2)
        try await world.synchronizer.resolve(task, .theirs)
        try await pull(nil, 3)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).isEmpty)
    }

    @Test(
        "what was listed below a parent that is gone goes as well, also where only its list would tell",
        arguments: [true, false], [true, false])
    func orphans(reads: Bool, isRefused: Bool) async throws {
        let world = try await TinyWorld {
            $0.list.path = try! PathTemplate("lists/{lists.id}/tasks/")
            $0.read.isOffered = reads
            $0.parents = [Reference(entity: "lists", field: "list")]
            $0.paging = .none
            $0.deletes.field = .member("deleted")
        }
        for title in ["one", "two"] { world.server.insert("lists", ["title": .string(title)]) }
        for list in 1...2 { world.server.insert("tasks", ["list": .number(JSONNumber(list))]) }
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(ObjectURI(entity: "tasks", id: "3"), setting: [("title", "mine")])
        world.server.insert("tasks", ["list": 1])
        #expect(try await world.synchronizer.pull().isComplete)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id) == ["3", "4", "5"])
        for id in [3, 5] { world.server.remove("tasks", id) }
        world.server.remove("lists", 1)
        if isRefused {
            // The list of tasks is refused first.
            #expect(try await world.synchronizer.pull(entities: ["tasks"]).isComplete)
        } else {
            try await world.synchronizer.refresh(ObjectURI(entity: "lists", id: "1"))
        }
        #expect(try await world.synchronizer.records(matching: Query("lists")).map(\.uri.id) == ["2"])
        let report = try await world.synchronizer.pull(entities: ["tasks"])
        #expect(report.isComplete && report.entities["tasks"]?.deleted == 1)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id) == ["3", "4"])
        let edited = ObjectURI(entity: "tasks", id: "3")
        #expect(try await world.synchronizer.object(at: edited)?.meta.isChanged == true)
        try await world.synchronizer.discard(edited)
        #expect(try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"]?.deleted == 1)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id) == ["4"])
        let scopes = try await world.synchronizer.store.read { try $0.cursors(entity: "tasks").map(\.scope.parent) }
        #expect(scopes == ["2"], "nothing is below the list any more, so it is forgotten")
    }

    @Test(
        "one identifier in two parents’ lists, with other content, is that of two objects: a warning",
        arguments: [true, false])
    func ambiguousIdentifiers(differ: Bool) async throws {
        let world = try await TinyWorld {
            $0.list.path = try! PathTemplate("lists/{lists.id}/tasks/")
            $0.parents = [Reference(entity: "lists", field: "list")]
            $0.paging = .none
            $0.since = nil
        }
        for title in ["one", "two"] { world.server.insert("lists", ["title": .string(title)]) }
        for list in 1...2 {
            let text = #"{"results":[{"id":7,"list":\#(list),"title":"\#(differ ? list : 0)"}]}"#
            world.server.fail(
                .init(
                    applies: { $0.url.contains("lists/\(list)/tasks") }, processes: false,
                    outcome: { Response(status: 200, body: ResponseBody(Array(text.utf8))) }))
        }
        let warnings = try await world.synchronizer.pull().entities["tasks"]?.warnings ?? []
        #expect(warnings.count == (differ ? 1 : 0))
        #expect(warnings.allSatisfy { $0.contains("tasks/7") && $0.hasSuffix("write “ids: per-parent”") })
    }

    @Test("a link to a next page that the route file knows nothing of: the list is not complete, nothing is absent")
    func unknownNextPage() async throws {
        let world = try await TinyWorld {
            $0.paging = .none
            $0.since = nil
            $0.deletes.byAbsence = true
        }
        for number in 1...4 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        let all = Value.object(["results": .array(world.server.rows("tasks").map(Value.object))]).json()
        world.server.fail(
            .init(
                applies: { _ in true }, processes: false,
                outcome: { Response(status: 200, body: ResponseBody(all)) }))
        try await world.synchronizer.pull(entities: ["tasks"])
        world.server.fail(
            .init(
                applies: { _ in true }, processes: false,
                outcome: {
                    Response(
                        status: 200, headers: ["Link": #"<https://tiny.example/api/tasks/?page=2>; rel="next""#],
                        body: ResponseBody(Array(#"{"results":[{"id":1,"title":"t1","rev":1}]}"#.utf8)))
                }))
        let report = try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"]
        #expect(report?.problem?.hasSuffix("write pages: link-header") == true && report?.deleted == 0)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 4)
    }

    @Test("what a list without pages does not show is asked for before it counts as deleted")
    func absentFromPlainList() async throws {
        let world = try await TinyWorld {
            $0.paging = .none
            $0.since = nil
            $0.deletes.byAbsence = true
        }
        for number in 1...2 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await world.synchronizer.pull(entities: ["tasks"])
        for number in 3...4 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await world.synchronizer.refresh(ObjectURI(entity: "tasks", id: "4"))
        world.server.clearLog()
        // Nothing in the answer says that there are more.
        world.server.answer(
            "GET", with: #"{"results":[{"id":1,"title":"t1","rev":1},{"id":2,"title":"t2","rev":2}]}"#)
        let report = try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"]
        #expect(report?.deleted == 0)
        #expect(world.server.log == ["GET tasks/", "GET tasks/4/"])
    }

    @Test("when all parents are gone, what was listed below them is absent")
    func orphans() async throws {
        let world = try await TinyWorld {
            $0.list.path = try! PathTemplate("lists/{lists.id}/tasks/")
            $0.read.isOffered = false
            $0.parents = [Reference(entity: "lists", field: "list")]
            $0.paging = .none
            $0.since = nil
            $0.deletes.byAbsence = true
        }
        world.server.insert("lists", ["title": "one"])
        try await world.synchronizer.pull(entities: ["lists"])
        try await world.synchronizer.update(
            ObjectURI(entity: "tasks", id: "5"), with: ObjectRecord(["id": 5, "title": "t", "list": 1]))
        world.server.remove("lists", 1)
        try await world.synchronizer.refresh(ObjectURI(entity: "lists", id: "1"))
        let report = try await world.synchronizer.pull(entities: ["tasks"])
        #expect(report.entities["tasks"]?.deleted == 1)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).isEmpty)
    }

    @Test("a listing that is cut short keeps its old cursor and says so")
    func truncated() async throws {
        let server = TinyServer()
        var routeFile = try TinyWorld.routeFile()
        routeFile.limits.pages = 1
        for number in 1...5 { server.insert("tasks", ["title": .string("t\(number)")]) }
        let store = MemoryStore()
        let synchronizer = try await Synchronizer(
            routeFile: routeFile, store: store, transport: server.transport, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment())
        let report = try await synchronizer.pull()
        #expect(report.entities["tasks"]?.problem?.contains("limits.pages") == true)
        #expect(try await synchronizer.status()[1].cursor == nil)
        let patient = try await Synchronizer(
            routeFile: TinyWorld.routeFile(), store: store, transport: server.transport, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment())
        #expect(try await patient.pull().isComplete)
        #expect(try await patient.records(matching: Query("tasks")).count == 5)
    }
}
