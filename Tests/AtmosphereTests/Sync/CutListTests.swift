import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Answers that say that there is more")
struct CutListTests {
    private static func around(_ text: String) throws -> Value.Members {
        try #require(MoreHint.around(Array(text.utf8)))
    }

    @Test(
        "an answer says it by a total, a next or a flag, wherever its API puts that",
        arguments: [
            #"{"results":[{"id":1}],"paging":{"next":{"after":"10","link":"https://x"}}}"#,
            #"{"records":[{"id":1}],"offset":"itr10/rec9"}"#,
            #"{"members":[{"id":1}],"total_items":30}"#,
            #"{"startAt":0,"maxResults":50,"total":55,"issues":[{"id":1}]}"#,
            #"{"data":[{"id":1}],"has_more":true}"#,
            #"{"value":[{"id":1}],"@odata.nextLink":"https://x?$skip=10"}"#,
            #"{"data":[{"id":1}],"meta":{"pagination":{"total_pages":3}}}"#,
            #"{"_links":{"next":{"href":"/tasks?page=2"}},"items":[{"id":1}]}"#,
            #"{"records":[{"id":1}],"done":false,"nextRecordsUrl":"/query/01-2000"}"#,
            #"{"items":[{"id":1}],"next":2}"#, #"{"items":[{"id":1}],"next":"2"}"#,
            #"{"items":[{"id":1}],"next":true}"#,
            #"{"items":[{"id":1}],"next_cursor":1333504313}"#, #"{"items":[{"id":1}],"hasMoreItems":"true"}"#,
            #"{"data":[{"id":1}],"next_page":{"offset":"eyJ0","uri":"https://x"}}"#,
            #"{"hydra:member":[{"id":1}],"hydra:totalItems":7}"#,
            #"{"hydra:member":[{"id":1}],"hydra:view":{"@id":"/t?page=1","hydra:next":"/t?page=2"}}"#,
            #"{"data":[{"id":1}],"additional_data":{"pagination":{"start":0,"more_items_in_collection":true}}}"#,
            #"{"features":[{"id":1}],"links":[{"rel":"self","href":"x"},{"rel":"next","href":"x?offset=3"}]}"#,
            #"{"entry":[{"id":1}],"link":[{"relation":"next","url":"x"}]}"#,
            #"{"features":[{"id":1}],"numberMatched":7,"numberReturned":1}"#, #"{"data":[{"id":1}],"recordsTotal":7}"#,
            #"{"data":[{"id":1}],"total":{"value":7,"relation":"eq"}}"#, #"{"data":[{"id":1}],"totalNumberOfPages":2}"#
        ])
    func said(body: String) throws {
        let hint = MoreHint.find([:], around: try Self.around(body), count: 1)
        #expect(hint?.isSure == true, "\(body)")
    }

    @Test(
        "an answer that holds all does not say it",
        arguments: [
            #"{"results":[{"id":1,"total":9}],"count":1,"next":null,"previous":null}"#,
            #"{"members":[{"id":1}],"total_items":1,"has_more":false,"next_page":""}"#,
            #"{"limit":25,"offset":0,"total_count":1,"issues":[{"id":1}],"updated":1700000000}"#,
            #"{"items":[{"id":1}],"nextSyncToken":"t","links":{"self":"https://x"}}"#,
            #"{"data":[{"id":1}],"meta":{"pagination":{"total_pages":1,"page":1}},"order":{"next":"x"}}"#,
            #"{"items":[{"id":1}],"next":0,"next_page":{"href":null},"next_cursor":"0","hasNext":"false","last":true}"#,
            #"{"features":[{"id":1}],"links":[{"rel":"self","href":"x"},{"rel":"next","href":""}],"numberReturned":1}"#,
            #"{"content":[{"id":1}],"size":20,"number":4,"totalPages":1,"totalElements":1,"numberOfElements":1}"#,
            #"{"items":[{"id":1}],"total_price":900,"limit":50,"page_number":3,"next_run":5,"nextDeltaLink":"x"}"#
        ])
    func notSaid(body: String) throws {
        #expect(MoreHint.find([:], around: try Self.around(body), count: 1) == nil, "\(body)")
    }

    @Test("a list of links that is the items says nothing, nor does an object that stands alone")
    func objects() throws {
        let links = try Self.around(#"{"links":[{"id":1,"rel":"next","href":"x"}]}"#)
        #expect(MoreHint.find([:], around: links, count: 1, items: ["links"]) == nil)
        #expect(MoreHint.find([:], around: links, count: 1, items: ["bookmarks"])?.text == "“links” with a next one")
        let alone: Value.Members = ["tasks": ["task": ["total": "9", "next": "2"]]]
        #expect(MoreHint.find([:], around: alone, count: 1, items: ["tasks", "task"]) == nil)
    }

    @Test(
        "a first page that says that another is before it",
        arguments: [
            (#"{"content":[],"first":false,"number":1}"#, "“first”, which is false"),
            (#"{"data":[],"meta":{"hasPreviousPage":true}}"#, "“hasPreviousPage”"),
            (#"{"data":[],"first":true,"last":false,"hasPrev":false,"prev":null}"#, nil),
            (#"{"data":[{"first":false}],"task":{"first":false}}"#, nil)
        ] as [(String, String?)])
    func before(body: String, says: String?) throws {
        #expect(MoreHint.before(around: try Self.around(body)) == says)
    }

    @Test(
        "a header says it, too",
        arguments: [
            ("X-WP-TotalPages", "5", true), ("X-WP-TotalPages", "1", false), ("X-Total-Count", "11", true),
            ("X-Total-Count", "10", false), ("X-RateLimit-Total", "5000", false), ("X-Total-Time", "5000", false),
            ("Total-Count", "11", true), ("Total-Count", "10", false), ("Pagination-Count", "11", true),
            ("X-Next-Page", "2", true), ("X-Next-Page", "", false), ("X-NextJS-Cache", "HIT", false),
            ("X-Cache-Hits", "55", false), ("Age", "5000", false),
            ("Link", "<https://x>; rel=\"next\"", true)
        ])
    func header(name: String, value: String, says: Bool) {
        var headers = HeaderFields()
        headers.append(name, value)
        #expect((MoreHint.find(headers, around: [:], count: 10) != nil) == says)
    }

    @Test(
        "a part says of how many it is, or that it is one",
        arguments: [
            ("0-1/5", 206, true), ("items 0-1/5", 200, true), ("items 3-4/5", 206, true), ("0-4/5", 206, false),
            ("tasks 0-4/5", 200, false), ("0-4/*", 200, false), ("0-4/*", 206, true), ("*/0", 200, false),
            (nil, 206, true), (nil, 200, false), ("-4-1/5", 200, false), ("five", 200, false)
        ] as [(String?, Int, Bool)])
    func part(range: String?, status: Int, says: Bool) {
        var headers = HeaderFields()
        if let range { headers.append("Content-Range", range) }
        #expect((MoreHint.find(headers, status: status, around: [:], count: 5) != nil) == says)
    }

    @Test("a pull of a part, or of a list that is still to come, warns, and removes nothing", arguments: [206, 202])
    func incomplete(status: Int) async throws {
        let world = try await world {
            $0.read.isOffered = false
            $0.version = .none
        }
        let range: HeaderFields = status == 206 ? ["Content-Range": "0-0/2"] : [:]
        world.server.fail(
            .init(applies: { $0.url.contains("tasks/") }, processes: false) {
                var headers = range
                headers.append("Content-Type", "application/json")
                let row = status == 206 ? #"{"id":1,"title":"t1","rev":1}"# : ""
                let body = #"{"results":[\#(row)]}"#
                return Response(status: status, headers: headers, body: ResponseBody(Array(body.utf8)))
            })
        let report = try #require(try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"])
        #expect(report.problem == nil && report.deleted == 0)
        let warning = try #require(report.warnings.first)
        #expect(warning.contains(status == 206 ? "a header Content-Range, which is 0-0/2" : "answered with 202"))
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 2)
        #expect(try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"]?.warnings == [])
    }

    private func world(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.paging = .none
            $0.since = nil
            $0.deletes.byAbsence = true
            change(&$0)
        }
        for number in 1...2 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await world.synchronizer.pull()
        return world
    }

    @Test("a pull of what is only the first page of several warns, and removes nothing for being absent")
    func pull() async throws {
        let world = try await world()
        #expect(try await world.synchronizer.pull().entities["tasks"]?.warnings == [])
        world.server.insert("tasks", ["title": "t3"])
        world.server.remove("tasks", 1)
        world.server.insert("tasks", ["title": "t4"])
        let report = try #require(try await world.synchronizer.pull().entities["tasks"])
        #expect(
            report.warnings == [
                "tasks: the answer has 2 objects and says that there are more (“count”, which is 3); “pages” declares none, so "
                    + "the others are not here: write where the next page is, or pages: none where this is all"
            ])
        #expect(report.deleted == 0)
    }

    @Test("a header of a bare list says it to a pull, too", arguments: [("3", true), ("2", false)])
    func bare(total: String, says: Bool) async throws {
        let world = try await world { $0.items = nil }
        let response = Response(
            status: 200, headers: ["Content-Type": "application/json", "X-Total-Count": total],
            body: ResponseBody(Array(#"[{"id":1,"title":"t1","rev":1},{"id":2,"title":"t2","rev":2}]"#.utf8)))
        world.server.fail(.init(applies: { $0.url.contains("tasks/") }, processes: false) { response })
        let warnings = try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"]?.warnings
        #expect(warnings?.contains { $0.contains("a header X-Total-Count, which is 3") } == says)
    }

    @Test("a check says so, and that not all is kept")
    func check() async throws {
        let world = try await world()
        let whole = try await world.synchronizer.check()
        #expect(whole.resources[1].isCutOff == false && !whole.resources[1].notes.contains { $0.hasPrefix("pages") })
        world.server.insert("tasks", ["title": "t3"])
        let report = try await world.synchronizer.check()
        #expect(report.resources[1].isCutOff)
        #expect(report.resources[1].notes.contains { $0.hasPrefix("pages: none are declared") })
        let promise = try #require(report.promises.last)
        #expect(promise.exceptions.contains { $0.hasPrefix("tasks: the list goes on") })
    }

    @Test("a declared next page that is not there does not hide that there is more")
    func wrongPages() async throws {
        let world = try await world { $0.paging = .headerLink(name: "Link", size: nil) }
        world.server.insert("tasks", ["title": "t3"])
        let report = try await world.synchronizer.check()
        #expect(report.resources[1].isCutOff)
        #expect(report.resources[1].notes.contains { $0.contains("“pages” finds no next page in it") })
    }

    @Test("an object that no list shows and that can be read stays, with a word")
    func unlisted() async throws {
        let world = try await world()
        world.server.answer("GET", with: #"{"count":0,"results":[]}"#)
        world.server.answer("GET", with: #"{"count":1,"results":[{"id":1,"title":"t1","rev":1}]}"#)
        let report = try #require(try await world.synchronizer.pull().entities["tasks"])
        #expect(report.deleted == 0)
        #expect(
            report.warnings == [
                "1 of tasks stood in no list and could be read all the same, such as tasks/2, so they stay; where a member "
                    + "says that an object is deleted, name it: deletes: { absent: true, field: MEMBER }"
            ])
    }

    @Test("a read that shows more than the list is told")
    func leftOut() async throws {
        let world = try await world()
        world.server.list(only: ["id", "title", "rev"])
        world.server.edit("tasks", 1, ["posts": 3])
        let notes = try await world.synchronizer.check().resources[1].notes
        #expect(notes.contains { $0.contains("leaves out (“posts”)") && $0.contains("list: { shape: partial }") })
    }

    @Test("a cursor of the last page is not looked for on the first of several")
    func lastPage() async throws {
        let world = try await TinyWorld {
            var since = Since(parameter: "token", origin: .body(.member("token")))
            since.takesLastPage = true
            $0.since = since
        }
        for number in 1...3 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        let several = try await world.synchronizer.check().resources[1]
        #expect(several.problems == [] && several.notes.contains { $0.hasPrefix("since.from: it is on the last page") })
        for number in 2...3 { world.server.remove("tasks", number) }
        #expect(try await world.synchronizer.check().resources[1].problems.count == 1)
    }
}
