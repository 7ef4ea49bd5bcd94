import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("Partial representations")
struct PartialTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    private func world(_ detail: Detail, _ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.list.shape = .partial
            $0.detail = detail
            change(&$0)
        }
        world.server.list(only: ["id", "title", "rev"])
        for number in 1...3 { world.server.insert("tasks", ["title": .string("t\(number)"), "note": "long"]) }
        return world
    }

    @Test("what the list leaves out is read for each new or changed object, and for no other")
    func onChange() async throws {
        let world = try await world(.onChange)
        let first = try await world.synchronizer.pull(entities: ["tasks"])
        #expect(first.entities["tasks"]?.inserted == 3)
        #expect(try await world.synchronizer.record(at: uri)?["note"] == "long")
        #expect(
            Set(world.server.log.filter { !$0.contains("page=") })
                == Set(
                    ["GET tasks/", "GET tasks/1/", "GET tasks/2/", "GET tasks/3/"]))

        world.server.clearLog()
        world.server.edit("tasks", 1, ["note": "other"])
        var options = Synchronizer.PullOptions()
        options.full = true
        let second = try await world.synchronizer.pull(entities: ["tasks"], options: options)
        #expect(second.entities["tasks"]?.updated == 1 && second.entities["tasks"]?.unchanged == 2)
        #expect(world.server.log.filter { $0.contains("tasks/1/") || $0.contains("tasks/2/") } == ["GET tasks/1/"])
        #expect(try await world.synchronizer.record(at: uri)?["note"] == "other")
    }

    @Test(
        "a field that a partial list leaves out of a member is unknown, and what it shows as it was is no news",
        arguments: [Detail.onRead, .never, .onChange])
    func fieldInside(_ detail: Detail) async throws {
        func field(_ name: String) -> FieldMapping.Field {
            .init(name: name, read: JSONPath([.member("attributes"), .member(name)]))
        }
        let world = try await TinyWorld {
            $0.list.shape = .partial
            $0.detail = detail
            $0.mapping = FieldMapping([field("title"), field("note")])
        }
        world.server.insert("tasks", ["attributes": ["title": "a", "note": "long", "other": 1]])
        let server = world.server
        let transport = ScriptedTransport { request in
            let response = try await server.transport.send(request)
            guard request.url.contains("/tasks/?") || request.url.hasSuffix("/tasks/") else { return response }
            let body = String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
            let short = body.replacing(#","note":"long","other":1"#, with: "")
            return Response(
                status: response.status, headers: response.headers, body: ResponseBody(Array(short.utf8)))
        }
        let synchronizer = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store, transport: transport,
            style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
        try await synchronizer.pull(entities: ["tasks"])
        #expect(try await synchronizer.record(at: uri)?["note"] == (detail == .onChange ? "long" : nil))
        try await synchronizer.refresh(uri)
        var options = Synchronizer.PullOptions()
        options.full = true
        for _ in 0..<2 {
            server.clearLog()
            let report = try await synchronizer.pull(entities: ["tasks"], options: options).entities["tasks"]
            #expect(report?.updated == 0 && report?.unchanged == 1, "\(String(describing: report))")
            #expect(try await synchronizer.record(at: uri)?["note"] == "long")
            #expect(server.log == ["GET tasks/"])
        }
        server.edit("tasks", 1, ["attributes": ["title": "b", "note": "long", "other": 1]])
        let report = try await synchronizer.pull(entities: ["tasks"]).entities["tasks"]
        #expect(report?.updated == 1)
        let record = try await synchronizer.record(at: uri)
        #expect(record?["title"] == "b" && record?["note"] == "long")
    }

    @Test("a member that a partial list leaves out is unknown, not removed, and an edit of it is kept")
    func unknownMember() async throws {
        let world = try await world(.never)
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.record(at: uri)?["note"] == nil)
        try await world.synchronizer.refresh(uri)
        try await world.synchronizer.edit(uri, setting: [("note", "mine")])
        world.server.edit("tasks", 1, ["title": "theirs"])
        world.server.clearLog()
        try await world.synchronizer.pull(entities: ["tasks"])
        #expect(world.server.log == ["GET tasks/?since=3"])
        let merged = try await world.synchronizer.record(at: uri)
        #expect(merged?["note"] == "mine" && merged?["title"] == "theirs")
        #expect(try await world.synchronizer.pending().map(\.uri) == [uri])
    }

    @Test("a conflict over what the list leaves out stays until a person decides", arguments: [Detail.never, .onChange])
    func conflict(detail: Detail) async throws {
        let world = try await world(detail)
        try await world.synchronizer.pull()
        try await world.synchronizer.refresh(uri)
        try await world.synchronizer.edit(uri, setting: [("note", "mine")])
        world.server.edit("tasks", 1, ["note": "theirs"])
        try await world.synchronizer.push()
        var options = Synchronizer.PullOptions()
        for isFull in [false, true, true] {
            options.full = isFull
            try await world.synchronizer.pull(options: options)
            guard case .conflicted(let conflict)? = try await world.synchronizer.pending().first?.meta.outgoing?.phase
            else {
                Issue.record("there is no conflict any more")
                return
            }
            #expect(conflict.fields == ["note"])
        }
        try await world.synchronizer.resolve(uri, .mine)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks")[0]["note"] == "mine")
    }

    @Test("a whole update is never made from what a list shows", arguments: [Detail.onRead, .never])
    func wholeUpdate(detail: Detail) async throws {
        for isNow in [false, true] {
            let world = try await world(detail) {
                $0.update.method = "PUT"
                $0.update.body = .whole
                $0.version = .none
            }
            try await world.synchronizer.pull()
            world.server.clearLog()
            if isNow {
                try await world.synchronizer.editNow(uri, setting: [("title", "x")])
            } else {
                try await world.synchronizer.edit(uri, setting: [("title", "x")])
                try await world.synchronizer.push()
            }
            #expect(
                world.server.log.prefix(2) == ["GET tasks/1/", #"PUT tasks/1/ {"title":"x","note":"long"}"#]
                    || world.server.log.prefix(2) == ["GET tasks/1/", #"PUT tasks/1/ {"note":"long","title":"x"}"#])
        }
    }

    @Test("a fetch reads the rest of what it shows where the route file says on-read")
    func onRead() async throws {
        let world = try await world(.onRead)
        var query = Query("tasks")
        query.limit = 1
        var rounds: [Value?] = []
        for try await element in world.synchronizer.fetch(query) {
            rounds.append(element.records.first?.record["note"])
        }
        #expect(rounds == [nil, "long"])
        #expect(world.server.log.contains("GET tasks/1/") && !world.server.log.contains("GET tasks/2/"))
    }

    @Test("a fetch whose pull is not complete says of which kind the reason is")
    func fetchRefused() async throws {
        let world = try await world(.onRead)
        world.server.answer("GET", with: "{}", status: 401)
        let results = world.synchronizer.fetch(Query("tasks"))
        let error = await #expect(throws: SyncError.self) { for try await _ in results {} }
        #expect(error?.code == .signInNeeded)
    }

    @Test("an object that a partial list shows, and of which only a read says that it is deleted, is removed")
    func deletedInDetail() async throws {
        let world = try await world(.onChange) { $0.deletes.field = .member("gone") }
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(ObjectURI(entity: "tasks", id: "2"), setting: [("title", "mine")])
        for id in 1...2 { world.server.edit("tasks", id, ["gone": true]) }
        // Nobody has seen this one before.
        world.server.insert("tasks", ["title": "t4", "gone": true])
        let report = try #require(try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"])
        #expect(report.problem == nil && report.warnings == [], "\(report)")
        #expect(report.deleted == 1 && report.conflicted == 1 && report.inserted == 0)
        #expect(try await world.synchronizer.record(at: uri) == nil)
        let second = try await world.synchronizer.object(at: ObjectURI(entity: "tasks", id: "2"))
        #expect(second?.meta.isGoneThere == true)
        #expect(try await world.synchronizer.object(at: ObjectURI(entity: "tasks", id: "4")) == nil)
    }

    @Test("a partial answer to a write removes nothing, and the rest is read after it")
    func write() async throws {
        let world = try await world(.onChange) { $0.update.shape = .partial }
        try await world.synchronizer.pull()
        world.server.fail(
            .init(
                applies: { $0.method == "PATCH" }, processes: true,
                outcome: { Response(status: 200, body: ResponseBody(Array(#"{"id":1,"title":"mine"}"#.utf8))) }))
        try await world.synchronizer.edit(uri, setting: [("title", "mine")])
        world.server.clearLog()
        #expect(try await world.synchronizer.push().updated == 1)
        #expect(world.server.log == ["GET tasks/1/", #"PATCH tasks/1/ {"title":"mine"}"#, "GET tasks/1/"])
        #expect(try await world.synchronizer.record(at: uri)?["note"] == "long")
        #expect(try await world.synchronizer.pending().isEmpty)
    }
}
