import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

/// A server that gives its lists entity tags and answers 304.
@Suite("Conditional listings")
struct ConditionalListTests {
    private struct Tagged {
        let world: TinyWorld
        let synchronizer: Synchronizer
        let conditions: Conditions
    }

    /// What was asked, and answered.
    private final class Conditions: Sendable {
        let lines = Mutex<[String]>([])
        func take() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
    }

    private func tagged(
        server: TinyServer = TinyServer(), store: any Store = MemoryStore(), start: Int64 = 1_700_000_000_000,
        _ change: (inout Resource) -> Void = { _ in }
    ) async throws -> Tagged {
        let world = try await TinyWorld(server: server, store: store, start: start) { tasks in
            tasks.list.isConditional = true
            tasks.since = nil
            tasks.deletes.byAbsence = true
            change(&tasks)
        }
        let conditions = Conditions()
        let transport = ScriptedTransport { request in
            var response = try await world.server.transport.send(request)
            guard request.method == "GET", request.url.contains("/tasks/?") || request.url.hasSuffix("/tasks/") else {
                return response
            }
            let body = try await response.body.collect(upTo: 1 << 20)
            let tag = "\"\(String(decoding: body, as: UTF8.self).hashValue)\""
            let isKnown = request.headers["If-None-Match"] == tag
            conditions.lines.withLock {
                $0.append("\(request.headers["If-None-Match"] == nil ? "plain" : "conditional") \(isKnown ? 304 : 200)")
            }
            response.headers["ETag"] = tag
            return Response(
                status: isKnown ? 304 : 200, headers: response.headers, body: ResponseBody(isKnown ? [] : body))
        }
        let synchronizer = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store, transport: transport,
            style: TinyWorld.TinyStyle(), environment: TinyWorld.environment(start: start))
        return Tagged(world: world, synchronizer: synchronizer, conditions: conditions)
    }

    @Test("a list of which a row was left out keeps no tag")
    func leftOut() async throws {
        let tagged = try await tagged()
        tagged.world.server.answer(
            "GET", with: #"{"results":[{"id":1,"title":"a"},{"title":"b"}],"next":null}"#, processes: false)
        for _ in 0..<2 { try await tagged.synchronizer.pull(entities: ["tasks"]) }
        #expect(tagged.conditions.take() == ["plain 200", "plain 200"])
    }

    @Test("an unchanged list is asked for by its tag, transfers nothing and takes nothing away")
    func unchanged() async throws {
        let tagged = try await tagged()
        tagged.world.server.insert("tasks", ["title": "a"])
        try await tagged.synchronizer.pull(entities: ["tasks"])
        #expect(tagged.conditions.take() == ["plain 200"])
        let again = try await tagged.synchronizer.pull(entities: ["tasks"])
        #expect(tagged.conditions.take() == ["conditional 304"])
        #expect(again.isComplete && again.entities["tasks"]?.deleted == 0)
        #expect(try await tagged.synchronizer.status()[1].counts.objects == 1)

        tagged.world.server.edit("tasks", 1, ["title": "b"])
        try await tagged.synchronizer.pull(entities: ["tasks"])
        #expect(tagged.conditions.take() == ["conditional 200"])
        #expect(try await tagged.synchronizer.record(at: ObjectURI(entity: "tasks", id: "1"))?["title"] == "b")

        tagged.world.server.remove("tasks", 1)
        try await tagged.synchronizer.pull(entities: ["tasks"])
        #expect(tagged.conditions.take() == ["conditional 200"])
        #expect(try await tagged.synchronizer.status()[1].counts.objects == 0)
    }

    @Test("a full pull asks without the tag")
    func full() async throws {
        let tagged = try await tagged()
        tagged.world.server.insert("tasks", ["title": "a"])
        try await tagged.synchronizer.pull(entities: ["tasks"])
        var options = Synchronizer.PullOptions()
        options.full = true
        try await tagged.synchronizer.pull(entities: ["tasks"], options: options)
        #expect(tagged.conditions.take() == ["plain 200", "plain 200"])
    }

    @Test("the first of several pages says nothing of the others, so no tag is kept")
    func pages() async throws {
        let tagged = try await tagged()
        for title in ["a", "b", "c"] { tagged.world.server.insert("tasks", ["title": .string(title)]) }
        try await tagged.synchronizer.pull(entities: ["tasks"])
        tagged.world.server.remove("tasks", 3)
        try await tagged.synchronizer.pull(entities: ["tasks"])
        #expect(tagged.conditions.take().allSatisfy { $0 == "plain 200" })
        #expect(try await tagged.synchronizer.status()[1].counts.objects == 2)
    }

    @Test("an incremental pull is conditional as long as its cursor stays")
    func incremental() async throws {
        let tagged = try await tagged { tasks in
            tasks.since = Since(parameter: "since", origin: .field(.member("rev")))
            tasks.deletes.byAbsence = false
        }
        tagged.world.server.insert("tasks", ["title": "a"])
        for _ in 1...3 { try await tagged.synchronizer.pull(entities: ["tasks"]) }
        #expect(tagged.conditions.take() == ["plain 200", "plain 200", "conditional 304"])
        tagged.world.server.insert("tasks", ["title": "b"])
        for _ in 1...3 { try await tagged.synchronizer.pull(entities: ["tasks"]) }
        #expect(tagged.conditions.take() == ["conditional 200", "plain 200", "conditional 304"])
        #expect(try await tagged.synchronizer.status()[1].counts.objects == 2)
    }

    /// One task that was pulled, which the server shows again as it was then after this client has changed it.
    private func undone(_ change: (Tagged, ObjectURI) async throws -> Void) async throws -> Tagged {
        let tagged = try await tagged()
        let id = tagged.world.server.insert("tasks", ["title": "a"])
        let before = tagged.world.server.rows("tasks")[0]
        try await tagged.synchronizer.pull(entities: ["tasks"])
        try await change(tagged, ObjectURI(entity: "tasks", id: String(id)))
        try await tagged.synchronizer.push()
        #expect(tagged.world.server.rows("tasks") != [before])
        tagged.world.server.state.withLock { $0.rows["tasks"]?[id] = before }
        return tagged
    }

    @Test("the tag from before a write of this client is not used: somebody may undo that", arguments: [false, true])
    func ownWrite(isDelete: Bool) async throws {
        let tagged = try await undone { tagged, uri in
            if isDelete {
                try await tagged.synchronizer.delete(uri)
            } else {
                try await tagged.synchronizer.edit(uri, setting: [("title", "mine")])
            }
        }
        for _ in 1...2 { try await tagged.synchronizer.pull(entities: ["tasks"]) }
        #expect(tagged.conditions.take() == ["plain 200", "plain 200", "conditional 304"])
        #expect(try await tagged.synchronizer.records(matching: Query("tasks")).map { $0.record["title"] } == ["a"])
        #expect(try await tagged.synchronizer.pending().isEmpty)
    }

    @Test(
        "nor is one from before an edit that was sent at once, or that somebody else has told of",
        arguments: [false, true])
    func confirmedPastTheList(isTold: Bool) async throws {
        let tagged = try await tagged()
        tagged.world.server.insert("tasks", ["title": "a"])
        try await tagged.synchronizer.pull(entities: ["tasks"])
        let uri = ObjectURI(entity: "tasks", id: "1")
        if isTold {
            let told = ObjectRecord(["id": 1, "title": "theirs", "rev": 2])
            try await tagged.synchronizer.update(uri, with: told)
        } else {
            _ = try await tagged.synchronizer.editNow(uri, setting: [("title", "mine")])
        }
        for _ in 1...2 { try await tagged.synchronizer.pull(entities: ["tasks"]) }
        #expect(tagged.conditions.take() == ["plain 200", "plain 200", "conditional 304"])
    }

    /// One task, which the list and a view show.
    private func taggedView(_ change: (inout Resource) -> Void = { _ in }) async throws -> Tagged {
        let tagged = try await tagged {
            $0.views = [View(name: "mine", query: [NamedText(name: "uuid", value: "{owner}")])]
            change(&$0)
        }
        tagged.world.server.insert("tasks", ["title": "a", "uuid": "7"])
        return tagged
    }

    private func pullView(_ tagged: Tagged) async throws {
        try await tagged.synchronizer.pull(view: "mine", of: "tasks", parameters: ["owner": "7"])
    }

    @Test("nor is the tag of a list from before a view has shown something else", arguments: [false, true])
    func shownByView(isDelete: Bool) async throws {
        let tagged = try await taggedView {
            guard isDelete else { return }
            $0.deletes.byAbsence = false
            $0.deletes.field = .member("gone")
            $0.deletes.equals = true
        }
        let before = tagged.world.server.rows("tasks")[0]
        for _ in 1...2 { try await tagged.synchronizer.pull(entities: ["tasks"]) }
        #expect(tagged.conditions.take() == ["plain 200", "conditional 304"])
        tagged.world.server.edit("tasks", 1, isDelete ? ["gone": true] : ["title": "b"])
        try await pullView(tagged)
        let uri = ObjectURI(entity: "tasks", id: "1")
        #expect(try await tagged.synchronizer.record(at: uri)?["title"] == (isDelete ? nil : "b"))
        // Somebody undoes it, so the list is what it was.
        tagged.world.server.state.withLock { $0.rows["tasks"]?[1] = before }
        for _ in 1...2 { try await tagged.synchronizer.pull(entities: ["tasks"]) }
        #expect(tagged.conditions.take() == ["plain 200", "plain 200", "conditional 304"])
        #expect(try await tagged.synchronizer.record(at: uri)?["title"] == "a")
    }

    @Test("nor is the tag of a view from before the list has shown something else; what both show is no news to one")
    func shownByList() async throws {
        let tagged = try await taggedView()
        let before = tagged.world.server.rows("tasks")[0]
        try await tagged.synchronizer.pull(entities: ["tasks"])
        for _ in 1...2 { try await pullView(tagged) }
        try await tagged.synchronizer.pull(entities: ["tasks"])
        #expect(tagged.conditions.take() == ["plain 200", "plain 200", "conditional 304", "conditional 304"])
        tagged.world.server.edit("tasks", 1, ["title": "b"])
        try await tagged.synchronizer.pull(entities: ["tasks"])
        tagged.world.server.state.withLock { $0.rows["tasks"]?[1] = before }
        try await pullView(tagged)
        #expect(tagged.conditions.take() == ["conditional 200", "plain 200"])
        let uri = ObjectURI(entity: "tasks", id: "1")
        #expect(try await tagged.synchronizer.record(at: uri)?["title"] == "a")
    }

    @Test(
        "nor is the tag of a list or a view of which a clock that was ahead has dropped something (“retention”)",
        arguments: [false, true])
    func droppedTooEarly(isView: Bool) async throws {
        let (server, store) = (TinyServer(), MemoryStore())
        server.insert("tasks", ["title": "a", "at": "2023-11-13T00:00:00Z"])
        func pulled(days: Int64, times: Int) async throws -> [String] {
            let tagged = try await tagged(server: server, store: store, start: 1_700_000_000_000 + days * 86_400_000) {
                $0.fields.types["at"] = .instant
                $0.retention = Retention(keep: .seconds(10 * 86_400), field: "at")
                $0.views = [View(name: "all")]
            }
            for _ in 0..<times {
                if isView {
                    try await tagged.synchronizer.pull(view: "all", of: "tasks")
                } else {
                    try await tagged.synchronizer.pull(entities: ["tasks"])
                }
            }
            return tagged.conditions.take()
        }
        func count() async throws -> Int { try await store.read { try $0.counts()["tasks"]?.objects ?? 0 } }
        #expect(try await pulled(days: 0, times: 2) == ["plain 200", "conditional 304"])
        #expect(try await pulled(days: 100, times: 1) == ["conditional 304"])
        #expect(try await count() == 0)
        // No view says that everything is here again.
        let again = isView ? "plain 200" : "conditional 304"
        #expect(try await pulled(days: 0, times: 2) == ["plain 200", again])
        #expect(try await count() == 1)
    }

    /// Settings that decide what an answer to a list means.
    enum Setting: CaseIterable, Sendable {
        case id, items, absence, mark, shape, retention
    }

    @Test("the tag of an answer that was read under other settings is not used", arguments: Setting.allCases)
    func settings(setting: Setting) async throws {
        let (server, store) = (TinyServer(), MemoryStore())
        server.insert("tasks", ["title": "a", "uuid": "u1", "at": "2020-01-01T00:00:00Z"])
        let before = try await tagged(server: server, store: store) { $0.deletes.byAbsence = false }
        for _ in 1...2 { try await before.synchronizer.pull(entities: ["tasks"]) }
        #expect(before.conditions.take() == ["plain 200", "conditional 304"])
        let after = try await tagged(server: server, store: store) { tasks in
            tasks.deletes.byAbsence = false
            switch setting {
            case .id: tasks.id = .member("uuid")
            case .items:
                tasks.items = .member("others")
                tasks.areItemsOptional = true
            case .absence: tasks.deletes.byAbsence = true
            case .mark: tasks.deletes.field = .member("gone")
            case .shape: tasks.list.shape = .partial
            case .retention:
                tasks.fields.types["at"] = .instant
                tasks.retention = Retention(keep: .seconds(100 * 365 * 86_400), field: "at")
            }
        }
        try await after.synchronizer.pull(entities: ["tasks"])
        #expect(after.conditions.take() == ["plain 200"])
    }

    private let second = ObjectURI(entity: "tasks", id: "2")

    /// Two tasks that were pulled, of which the second has left the list.
    private func withoutSecond(_ before: (Tagged) async throws -> Void) async throws -> Tagged {
        let tagged = try await tagged()
        for title in ["a", "b"] { tagged.world.server.insert("tasks", ["title": .string(title)]) }
        try await tagged.synchronizer.pull(entities: ["tasks"])
        try await before(tagged)
        tagged.world.server.remove("tasks", 2)
        return tagged
    }

    @Test("a list that lacks what is edited here keeps no tag until the edit is decided")
    func editedAndAbsent() async throws {
        let tagged = try await withoutSecond {
            try await $0.synchronizer.edit(second, setting: [("title", "mine")])
        }
        try await tagged.synchronizer.pull(entities: ["tasks"])
        try await tagged.synchronizer.discard(second)
        for _ in 1...2 { try await tagged.synchronizer.pull(entities: ["tasks"]) }
        #expect(tagged.conditions.take() == ["plain 200", "conditional 200", "plain 200", "conditional 304"])
        #expect(try await tagged.synchronizer.object(at: second) == nil)
    }

    @Test("a list that lacks what a read shows, or the server refuses to show, keeps no tag", arguments: [200, 403])
    func contradicted(status: Int) async throws {
        let tagged = try await withoutSecond { tagged in
            tagged.world.server.fail(
                .init(applies: { $0.url.hasSuffix("tasks/2/") }, processes: false) {
                    Response(
                        status: status, headers: ["Content-Type": "application/json"],
                        body: ResponseBody(Array(#"{"id":2,"title":"b","rev":2}"#.utf8)))
                })
        }
        let report = try await tagged.synchronizer.pull(entities: ["tasks"]).entities["tasks"]
        #expect(report?.warnings.count == 1)
        #expect(try await tagged.synchronizer.object(at: second) != nil)
        for _ in 1...2 { try await tagged.synchronizer.pull(entities: ["tasks"]) }
        #expect(tagged.conditions.take() == ["plain 200", "conditional 200", "plain 200", "conditional 304"])
        #expect(try await tagged.synchronizer.object(at: second) == nil)
    }

    @Test("a list that shows what a read does not keeps no tag")
    func unseenDetail() async throws {
        let tagged = try await tagged { $0.list.shape = .partial }
        for title in ["a", "b"] { tagged.world.server.insert("tasks", ["title": .string(title)]) }
        tagged.world.server.fail(
            .init(applies: { $0.url.hasSuffix("tasks/2/") }, processes: false) {
                Response(status: 404, headers: [:], body: ResponseBody([]))
            })
        for _ in 1...3 { try await tagged.synchronizer.pull(entities: ["tasks"]) }
        #expect(tagged.conditions.take() == ["plain 200", "plain 200", "conditional 304"])
        #expect(try await tagged.synchronizer.object(at: second) != nil)
    }

    @Test("a view that has not changed keeps its members")
    func view() async throws {
        let tagged = try await tagged {
            $0.views = [View(name: "mine", query: [NamedText(name: "uuid", value: "{owner}")])]
        }
        for title in ["a", "b"] { tagged.world.server.insert("tasks", ["title": .string(title), "uuid": "7"]) }
        func titles() async throws -> [Value?] {
            try await tagged.synchronizer.pull(view: "mine", of: "tasks", parameters: ["owner": "7"])
            return try await tagged.synchronizer.records(in: "mine", of: "tasks", parameters: ["owner": "7"])
                .map { $0.record["title"] }
        }
        for _ in 1...3 { #expect(try await titles() == ["a", "b"]) }
        #expect(tagged.conditions.take() == ["plain 200", "conditional 304", "conditional 304"])
        tagged.world.server.remove("tasks", 1)
        #expect(try await titles() == ["b"])
        #expect(tagged.conditions.take() == ["conditional 200"])
    }

    /// A task that stands in the lists of two parents, with nothing else in them.
    private final class Shelves: Sendable {
        /// What each parent's list holds; a parent without a list is gone.
        let holds = Mutex<[Int: [Int]]>([1: [7], 2: [7]])
        let log = Mutex<[String]>([])

        func answer(_ request: Request) -> Response {
            let held = holds.withLock { $0 }
            func list(_ ids: [Int]) -> Response {
                let tag = "\"\(ids)\""
                let isKnown = request.headers["If-None-Match"] == tag
                let items = ids.map { #"{"id":\#($0)}"# }.joined(separator: ",")
                return Response(
                    status: isKnown ? 304 : 200, headers: ["ETag": tag],
                    body: ResponseBody(isKnown ? [] : Array(#"{"results":[\#(items)]}"#.utf8)))
            }
            let target = request.url.dropFirst("https://tiny.example/api/".count)
            if target == "lists/" { return list(held.keys.sorted()) }
            let id = target.split(separator: "/").lazy.compactMap { Int($0) }.first ?? 0
            if target.hasSuffix("/tasks/"), let ids = held[id] {
                let shown = list(ids)
                log.withLock { $0.append("\(id) \(shown.status)") }
                return shown
            }
            let isList = target.hasPrefix("lists/")
            let isThere = isList ? held[id] != nil : held.values.contains { $0.contains(id) }
            guard isThere else { return Response(status: 404) }
            return Response(status: 200, body: ResponseBody(Array(#"{"id":\#(id)}"#.utf8)))
        }
    }

    @Test(
        "what leaves one list, or goes with it, stays where another that has not changed holds it",
        arguments: [false, true], [false, true])
    func elsewhere(isReadable: Bool, isParentGone: Bool) async throws {
        let shelves = Shelves()
        var routeFile = try TinyWorld.routeFile { tasks in
            tasks.list.path = try! PathTemplate("lists/{lists.id}/tasks/")
            tasks.parents = [Reference(entity: "lists", field: "list")]
            tasks.paging = .none
            tasks.since = nil
            tasks.version = .none
            tasks.deletes.byAbsence = true
            tasks.list.isConditional = true
            tasks.read.isOffered = isReadable
        }
        routeFile.resources[0].paging = .none
        routeFile.resources[0].since = nil
        routeFile.resources[0].deletes.byAbsence = true
        // Of two lists at once the one that was asked first may be stored last: it tells nothing of the task then.
        routeFile.limits.concurrent = 1
        let synchronizer = try await Synchronizer(
            routeFile: routeFile, store: MemoryStore(), transport: ScriptedTransport { shelves.answer($0) },
            style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
        func ids() async throws -> [String] {
            try await synchronizer.records(matching: Query("tasks")).map(\.uri.id)
        }
        try await synchronizer.pull()
        let record = try await synchronizer.record(at: ObjectURI(entity: "tasks", id: "7"))
        let (own, other) = record?["list"] == 1 ? (1, 2) : (2, 1)
        #expect(record?["list"]?.number?.int64 == Int64(own))
        shelves.log.withLock { $0 = [] }
        shelves.holds.withLock { $0[own] = isParentGone ? nil : [] }
        let report = try #require(try await synchronizer.pull().entities["tasks"])
        #expect(report.problem == nil && report.warnings == [] && report.deleted == 0, "\(report)")
        #expect(try await ids() == ["7"])
        #expect(shelves.log.withLock { $0 }.contains("\(other) 304"))
        // Then the other one holds it no more.
        shelves.holds.withLock { $0[other] = [] }
        #expect(try await synchronizer.pull().entities["tasks"]?.deleted == 1)
        #expect(try await ids() == [])
    }

    @Test("where one of several lists is unchanged, only what the others lack is gone")
    func severalLists() async throws {
        let transport = ScriptedTransport { request in
            let lists = #"{"results":[{"id":1},{"id":2}]}"#
            if request.url.hasSuffix("/lists/") { return Response(status: 200, body: ResponseBody(Array(lists.utf8))) }
            if request.url.hasSuffix("/tasks/21/") { return Response(status: 404) }
            let isFirst = request.url.contains("/lists/1/")
            if isFirst, request.headers["If-None-Match"] == "\"one\"" { return Response(status: 304) }
            let items = isFirst ? #"{"id":11}"# : request.headers["If-None-Match"] == nil ? #"{"id":21}"# : ""
            return Response(
                status: 200, headers: ["ETag": isFirst ? "\"one\"" : "\"two\""],
                body: ResponseBody(Array(#"{"results":[\#(items)]}"#.utf8)))
        }
        let routeFile = try TinyWorld.routeFile { tasks in
            tasks.list.path = try! PathTemplate("lists/{lists.id}/tasks/")
            tasks.parents = [Reference(entity: "lists", field: "list")]
            tasks.references = tasks.parents
            tasks.readonly.insert("list")
            tasks.paging = .none
            tasks.since = nil
            tasks.deletes.byAbsence = true
            tasks.list.isConditional = true
        }
        let synchronizer = try await Synchronizer(
            routeFile: routeFile, store: MemoryStore(), transport: transport, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment())
        try await synchronizer.pull()
        #expect(try await synchronizer.status()[1].counts.objects == 2)
        try await synchronizer.pull()
        #expect(try await synchronizer.records(matching: Query("tasks")).map(\.uri.id) == ["11"])
    }
}
