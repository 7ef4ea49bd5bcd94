import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Synchronizer")
struct SynchronizerTests {
    @Test("a full pull leaves the tombstones since the last cursor to the next pull")
    func fullPullKeepsTombstones() async throws {
        let world = try await TinyWorld { $0.deletes.field = .member("deleted") }
        world.server.insert("tasks", ["title": "a"])
        world.server.insert("tasks", ["title": "b"])
        try await world.synchronizer.pull()
        let before = try await world.synchronizer.status()[1].cursor
        let cursor = try #require(before)
        world.server.edit("tasks", 2, ["title": "c"])
        var options = Synchronizer.PullOptions()
        options.full = true
        try await world.synchronizer.pull(options: options)
        #expect(try await world.synchronizer.status()[1].cursor == cursor)
        world.server.clearLog()
        try await world.synchronizer.pull()
        #expect(world.server.log.contains("GET tasks/?since=\(cursor)"))
        #expect(try await world.synchronizer.status()[1].cursor != cursor)
    }

    @Test("a pull stores every page; the next one asks for changes only, with one request per entity")
    func pull() async throws {
        let world = try await TinyWorld()
        for number in 1...5 { world.server.insert("tasks", ["title": .string("t\(number)"), "list": nil]) }
        let first = try await world.synchronizer.pull()
        #expect(first.isComplete)
        #expect(first.entities["tasks"]?.inserted == 5 && first.entities["tasks"]?.pages == 3)
        world.server.clearLog()
        world.server.edit("tasks", 2, ["title": "changed"])
        let second = try await world.synchronizer.pull()
        #expect(world.server.log == ["GET lists/", "GET tasks/?since=5"])
        #expect(second.entities["tasks"]?.updated == 1)
        #expect(try await world.synchronizer.record(at: ObjectURI(entity: "tasks", id: "2"))?["title"] == "changed")
    }

    @Test("parent and child created offline arrive in order, with the parent's real identifier")
    func offlineCreates() async throws {
        let world = try await TinyWorld()
        world.server.goOffline(true)
        let list = try await world.synchronizer.save(["title": "Home"], as: "lists")
        let task = try await world.synchronizer.save(["title": "Milk", "list": .string(list.id)], as: "tasks")
        let offline = try await world.synchronizer.push()
        #expect(offline.unreachable == "no route to tiny.example")
        #expect(try await world.synchronizer.status().map(\.counts.localOnly) == [1, 1])

        world.server.goOffline(false)
        let report = try await world.synchronizer.push()
        #expect(report.created == 2 && report.failures.isEmpty)
        #expect(world.server.rows("tasks")[0]["list"] == 1)
        #expect(try await world.synchronizer.record(at: task)?["list"] == 1)
        #expect(try await world.synchronizer.record(at: list)?["id"] == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.object(at: list)?.uri == ObjectURI(entity: "lists", id: "1"))
    }

    @Test(
        "where the list is sorted by the cursor an interrupted pull goes on from what was stored, unless pages have numbers",
        arguments: ["", "p"])
    func ascending(prefix: String) async throws {
        let world = try await TinyWorld {
            $0.since?.isAscending = true
            $0.paging = .token(next: .body(.member("next")), parameter: "page", size: nil)
        }
        world.server.namePages(with: prefix)
        for number in 1...5 { world.server.insert("tasks", ["title": .string("t\(number)"), "list": nil]) }
        world.server.fail(
            .init(
                applies: { $0.url.contains("page=\(prefix)3") }, processes: false,
                outcome: {
                    throw TransportError(code: .cannotConnect, message: "the line is down", mayHaveArrived: false)
                }))
        #expect(try await world.synchronizer.pull().entities["tasks"]?.problem == "the line is down")
        world.server.clearLog()
        #expect(try await world.synchronizer.pull().entities["tasks"]?.inserted == 1)
        let pages = prefix.isEmpty ? ["tasks/", "tasks/?page=2", "tasks/?page=3"] : ["tasks/?since=4"]
        #expect(world.server.log == ["GET lists/"] + pages.map { "GET \($0)" })
    }

    @Test("a synchronous save of an object that the server has changed compares first, and sends only the change")
    func comparesBeforeSynchronousSave() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a", "done": false])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        world.server.edit("tasks", 1, ["title": "theirs"])
        world.server.clearLog()
        try await world.synchronizer.editNow(uri, setting: [("done", true)])
        #expect(world.server.log == ["GET tasks/1/", #"PATCH tasks/1/ {"done":true}"#])
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "theirs")

        world.server.edit("tasks", 1, ["title": "again"])
        await #expect(throws: SyncError.self) { try await world.synchronizer.deleteNow(uri) }
        #expect(world.server.rows("tasks").count == 1)
        try await world.synchronizer.deleteNow(uri)
        #expect(world.server.rows("tasks").isEmpty)
        #expect(try await world.synchronizer.object(at: uri) == nil)
    }

    @Test("an update that is refused for its version again and again ends as a conflict that shows both sides")
    func endlessConflict() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a", "done": false])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        for _ in 0..<20 {
            world.server.fail(
                .init(applies: { $0.method == "PATCH" }, processes: false, outcome: { Response(status: 409) }))
        }
        try await world.synchronizer.edit(uri, setting: [("title", "mine")])
        try await world.synchronizer.push()
        #expect(world.server.log.count { $0.hasPrefix("PATCH") } == 6)
        let object = try #require(try await world.synchronizer.object(at: uri))
        guard case .conflicted(let conflict)? = object.meta.outgoing?.phase else {
            Issue.record("the object is not conflicted")
            return
        }
        #expect(conflict.theirs?["title"] == "a" && object.record?["title"] == "mine")
    }

    @Test("an update sends only the changed members, after a comparing GET")
    func update() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a", "done": false])
        try await world.synchronizer.pull()
        world.server.clearLog()
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.edit(uri, setting: [("done", true)])
        let report = try await world.synchronizer.push()
        #expect(report.updated == 1)
        #expect(world.server.log == ["GET tasks/1/", #"PATCH tasks/1/ {"done":true}"#])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a server edit of another member merges; of the same member it conflicts and both sides are kept")
    func conflicts() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a", "done": false])
        world.server.insert("tasks", ["title": "b", "done": false])
        try await world.synchronizer.pull()
        let merged = ObjectURI(entity: "tasks", id: "1")
        let clashing = ObjectURI(entity: "tasks", id: "2")
        try await world.synchronizer.edit(merged, setting: [("done", true)])
        try await world.synchronizer.edit(clashing, setting: [("title", "mine")])
        world.server.edit("tasks", 1, ["title": "theirs"])
        world.server.edit("tasks", 2, ["title": "theirs"])
        let report = try await world.synchronizer.synchronize()
        #expect(report.push.updated == 1)
        #expect(world.server.rows("tasks")[0]["title"] == "theirs" && world.server.rows("tasks")[0]["done"] == true)
        #expect(world.server.rows("tasks")[1]["title"] == "theirs")
        let object = try #require(try await world.synchronizer.object(at: clashing))
        guard case .conflicted(let conflict) = object.meta.outgoing?.phase else {
            Issue.record("not conflicted: \(object.meta.state)")
            return
        }
        #expect(conflict.fields == ["title"] && conflict.theirs?["title"] == "theirs")
        #expect(object.record?["title"] == "mine" && object.meta.confirmed?.base["title"] == "b")

        try await world.synchronizer.resolve(clashing, .mine)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks")[1]["title"] == "mine")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a refused record keeps the server's message per field and blocks nothing else")
    func rejected() async throws {
        let world = try await TinyWorld()
        let bad = try await world.synchronizer.save(["title": "bad"], as: "tasks")
        try await world.synchronizer.save(["title": "good"], as: "tasks")
        let report = try await world.synchronizer.push()
        #expect(report.created == 1)
        let object = try #require(try await world.synchronizer.object(at: bad))
        guard case .rejected(_, let failure) = object.meta.outgoing?.phase else {
            Issue.record("not rejected")
            return
        }
        #expect(failure.status == 400 && failure.message == "No.")
        #expect(failure.fields == [.init(field: "title", message: "May not be bad.")])
        // An edit gives it another try.
        try await world.synchronizer.edit(bad, setting: [("title", "better")])
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["good", "better"])
    }

    @Test("a create whose answer was lost is looked up, and never made twice", arguments: [true, false])
    func lostCreate(wasProcessed: Bool) async throws {
        let world = try await TinyWorld()
        world.server.fail(
            .init(applies: { $0.method == "POST" }, processes: wasProcessed) {
                throw TransportError(code: .timeout, message: "timed out", mayHaveArrived: true)
            })
        let uri = try await world.synchronizer.save(["title": "once"], as: "tasks")
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").count == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.record(at: uri)?["id"] == 1)
        #expect(world.server.log.contains { $0.hasPrefix("GET tasks/?uuid=") })
    }

    @Test("a lost create without a means to look it up waits for a person")
    func unknown() async throws {
        let world = try await TinyWorld {
            $0.lookup = nil; $0.duplicate = nil
        }
        world.server.fail(
            .init(applies: { $0.method == "POST" }, processes: true) {
                throw TransportError(code: .timeout, message: "timed out", mayHaveArrived: true)
            })
        let uri = try await world.synchronizer.save(["title": "once"], as: "tasks")
        try await world.synchronizer.push()
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").count == 1)
        #expect(try await world.synchronizer.status()[1].counts.unknown == 1)
        try await world.synchronizer.resolve(uri, .adopt(ObjectID("1", .number)))
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.record(at: uri)?["id"] == 1)
    }

    @Test("a pull adopts a lost create instead of making a second local object")
    func pullAdopts() async throws {
        let world = try await TinyWorld()
        world.server.fail(
            .init(applies: { $0.method == "POST" }, processes: true) {
                throw TransportError(code: .timeout, message: "timed out", mayHaveArrived: true)
            })
        world.server.fail(
            .init(applies: { $0.url.contains("uuid=") }, processes: false) {
                throw TransportError(code: .cannotConnect, message: "gone", mayHaveArrived: false)
            })
        let uri = try await world.synchronizer.save(["title": "once"], as: "tasks")
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.object(at: uri)?.meta.isLocalOnly == true)
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id) == ["1"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an edit while its push is on the wire stays a change of its own")
    func editInFlight() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a", "note": "n"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        let gate = Gate()
        let server = world.server
        let slow = ScriptedTransport { request in
            let response = try await server.transport.send(request)
            if request.method == "PATCH" { try await gate.pass() }
            return response
        }
        let synchronizer = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store, transport: slow, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment())
        async let report = synchronizer.push()
        await gate.waitForArrivals()
        try await synchronizer.edit(uri, setting: [("title", "c")])
        gate.open()
        #expect(try await report.updated == 2)
        #expect(server.rows("tasks")[0]["title"] == "c")
        #expect(
            server.log.filter { $0.hasPrefix("PATCH") } == [
                #"PATCH tasks/1/ {"title":"b"}"#, #"PATCH tasks/1/ {"title":"c"}"#
            ])
        #expect(try await synchronizer.pending().isEmpty)
    }

    @Test("create then delete before sending: both vanish; two saves of a new object: one create")
    func collapse() async throws {
        let world = try await TinyWorld()
        let gone = try await world.synchronizer.save(["title": "gone"], as: "tasks")
        try await world.synchronizer.delete(gone)
        let kept = try await world.synchronizer.save(["title": "1"], as: "tasks")
        try await world.synchronizer.edit(kept, setting: [("title", "2")])
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["2"])
        #expect(world.server.log.count == 1)
    }

    @Test("a delete arrives; one that is gone already is done")
    func deletes() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        world.server.insert("tasks", ["title": "b"])
        try await world.synchronizer.pull()
        try await world.synchronizer.delete(ObjectURI(entity: "tasks", id: "1"))
        #expect(try await world.synchronizer.push().deleted == 1)
        // The address is proven by now, so a 404 is about the object.
        try await world.synchronizer.delete(ObjectURI(entity: "tasks", id: "2"))
        world.server.remove("tasks", 2)
        let report = try await world.synchronizer.push()
        #expect(world.server.rows("tasks").isEmpty)
        #expect(report.failures.isEmpty)
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).isEmpty)
    }

    @Test("absence from a complete list removes an unchanged object after a GET, never a changed one")
    func absence() async throws {
        let world = try await TinyWorld { $0.deletes.byAbsence = true }
        for number in 1...4 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(ObjectURI(entity: "tasks", id: "2"), setting: [("title", "mine")])
        world.server.remove("tasks", 1)
        world.server.remove("tasks", 2)
        var options = Synchronizer.PullOptions()
        options.full = true
        let report = try await world.synchronizer.pull(options: options)
        #expect(report.entities["tasks"]?.deleted == 1)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id) == ["2", "3", "4"])
        // The edited one becomes a conflict when its push finds it gone.
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.status()[1].counts.conflicted == 1)
    }

    @Test("more absences than allowed stop the pull and delete nothing")
    func massDelete() async throws {
        let world = try await TinyWorld { $0.deletes.byAbsence = true }
        for number in 1...30 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await world.synchronizer.pull()
        for number in 1...25 { world.server.remove("tasks", number) }
        var options = Synchronizer.PullOptions()
        options.full = true
        let stopped = try await world.synchronizer.pull(options: options)
        #expect(stopped.entities["tasks"]?.problem?.contains("--allow-deletes 25") == true)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 30)
        options.allowedDeletes = 25
        let allowed = try await world.synchronizer.pull(options: options)
        #expect(allowed.entities["tasks"]?.deleted == 25)
    }

    @Test("a dry run stores nothing and says what would go")
    func dryRun() async throws {
        let world = try await TinyWorld { $0.deletes.byAbsence = true }
        for number in 1...3 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await world.synchronizer.pull()
        world.server.remove("tasks", 1)
        world.server.edit("tasks", 2, ["title": "new"])
        var options = Synchronizer.PullOptions()
        options.full = true
        options.dryRun = true
        let report = try await world.synchronizer.pull(options: options)
        #expect(report.entities["tasks"]?.deleted == 1 && report.entities["tasks"]?.updated == 1)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 3)
        #expect(try await world.synchronizer.record(at: ObjectURI(entity: "tasks", id: "2"))?["title"] == "t2")
    }

    @Test("an interrupted pull goes on from the last stored page")
    func resume() async throws {
        let world = try await TinyWorld { $0.since?.fullEvery = .seconds(604_800) }
        for number in 1...7 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        world.server.fail(
            .init(applies: { $0.url.hasSuffix("tasks/?page=3") }, processes: false) {
                throw TransportError(code: .connectionLost, message: "lost", mayHaveArrived: true)
            })
        let stopped = try await world.synchronizer.pull(entities: ["tasks"])
        #expect(stopped.entities["tasks"]?.problem == "lost")
        world.server.clearLog()
        let resumed = try await world.synchronizer.pull(entities: ["tasks"])
        #expect(resumed.isComplete)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 7)
        #expect(!world.server.log.contains("GET tasks/"))
        // What was changed between the two halves may stand on a page that was read before.
        #expect(try await world.synchronizer.status()[1].cursor == "4")
    }

    @Test("an interrupted list of changes with page numbers is asked for anew, for its rows move")
    func resumeChanges() async throws {
        let world = try await TinyWorld()
        for number in 1...5 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await world.synchronizer.pull(entities: ["tasks"])
        for id in 1...5 { world.server.edit("tasks", id, ["title": "new"]) }
        world.server.fail(
            .init(applies: { $0.url.contains("page=2") }, processes: false) {
                throw TransportError(code: .connectionLost, message: "lost", mayHaveArrived: true)
            })
        #expect(try await world.synchronizer.pull(entities: ["tasks"]).isComplete == false)
        // The row that stood first on page 2 stands on page 1 now.
        world.server.remove("tasks", 1)
        #expect(try await world.synchronizer.pull(entities: ["tasks"]).isComplete)
        #expect(
            try await world.synchronizer.records(matching: Query("tasks")).filter { $0.record["title"] == "new" }.count
                == 5)
    }

    @Test("a cursor that the server has given up is followed by a full pull", arguments: [410, 400])
    func expiredCursor(status: Int) async throws {
        let world = try await TinyWorld {
            if status == 400 {
                $0.errors.rules = [
                    .init(statuses: [400], path: .member("reason"), values: ["expired"], treatment: .gone)
                ]
            }
            $0.deletes.byAbsence = true
        }
        for number in 1...3 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await world.synchronizer.pull(entities: ["tasks"])
        world.server.remove("tasks", 2)
        world.server.fail(
            .init(applies: { $0.url.contains("since=") }, processes: false) {
                Response(
                    status: status, headers: ["Content-Type": "application/json"],
                    body: ResponseBody(Array(#"{"reason":"expired"}"#.utf8)))
            })
        let report = try await world.synchronizer.pull(entities: ["tasks"])
        #expect(report.isComplete && report.entities["tasks"]?.deleted == 1)
        #expect(report.entities["tasks"]?.warnings.first?.contains("everything is listed anew") == true)
        world.server.clearLog()
        #expect(try await world.synchronizer.pull(entities: ["tasks"]).isComplete)
        #expect(world.server.log == ["GET tasks/?since=3"])
    }

    @Test("a synchronous save throws what the server said and leaves nothing behind")
    func saveNow() async throws {
        let world = try await TinyWorld()
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.saveNow(["title": "bad"], as: "tasks")
        }
        #expect(error?.code == .refused && error?.failure?.fields.first?.message == "May not be bad.")
        #expect(try await world.synchronizer.records(matching: Query("tasks")).isEmpty)
        let uri = try await world.synchronizer.saveNow(["title": "good"], as: "tasks")
        #expect(uri == ObjectURI(entity: "tasks", id: "1"))
        try await world.synchronizer.editNow(uri, setting: [("title", "better")])
        #expect(world.server.rows("tasks")[0]["title"] == "better")
        await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("title", "bad")])
        }
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "better")
        try await world.synchronizer.deleteNow(uri)
        #expect(world.server.rows("tasks").isEmpty)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("429 pauses the origin for as long as it asks and counts no attempt")
    func throttled() async throws {
        let world = try await TinyWorld()
        world.server.fail(
            .init(applies: { $0.method == "POST" }, processes: false) {
                Response(status: 429, headers: ["Retry-After": "25"])
            })
        try await world.synchronizer.save(["title": "a"], as: "tasks")
        let before = world.synchronizer.environment.now()
        let report = try await world.synchronizer.push()
        #expect(report.created == 1 && report.failures.isEmpty)
        #expect(before.duration(to: world.synchronizer.environment.now()) >= .seconds(25))
    }

    @Test("401 stops the push, keeps everything and says so")
    func unauthorized() async throws {
        let world = try await TinyWorld()
        world.server.fail(
            .init(applies: { _ in true }, processes: false) {
                Response(status: 401, body: ResponseBody(Array(#"{"detail":"Invalid token."}"#.utf8)))
            })
        try await world.synchronizer.save(["title": "a"], as: "lists")
        try await world.synchronizer.save(["title": "b"], as: "tasks")
        let report = try await world.synchronizer.push()
        #expect(report.signInNeeded != nil && report.created == 0)
        #expect(try await world.synchronizer.push().created == 2)
    }

    @Test("a page that is not what the route file says is named, and nothing is stored or lost")
    func wrongPages() async throws {
        for body in ["<html>Sign in</html>", "", #"{"results":[{"title":"no id"}]}"#, #"{"results":[{"id":1}"#] {
            let world = try await TinyWorld()
            let kept = try await world.synchronizer.save(["title": "mine"], as: "tasks")
            world.server.fail(
                .init(applies: { $0.url.contains("tasks") }, processes: false) {
                    Response(status: 200, body: ResponseBody(Array(body.utf8)))
                })
            let report = try await world.synchronizer.pull(entities: ["tasks"])
            #expect(report.entities["tasks"]?.problemKind == .answer)
            #expect(report.entities["tasks"]?.problem?.hasPrefix("tasks: ") == true)
            #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri) == [kept])
        }
    }

    @Test(
        "a success without a usable body is followed by a GET or a look-up", arguments: ["", "<html>ok</html>", "true"])
    func bodylessSuccess(body: String) async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        for method in ["PATCH", "POST"] {
            world.server.fail(
                .init(applies: { $0.method == method }, processes: true) {
                    Response(status: 200, body: ResponseBody(Array(body.utf8)))
                })
        }
        try await world.synchronizer.edit(ObjectURI(entity: "tasks", id: "1"), setting: [("title", "b")])
        let new = try await world.synchronizer.save(["title": "new"], as: "tasks")
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["b", "new"])
        #expect(try await world.synchronizer.record(at: new)?["id"] == 2)
        #expect(try await world.synchronizer.record(at: ObjectURI(entity: "tasks", id: "1"))?["rev"] == 3)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a push that is asked for does not wait for a backoff to run out")
    func demand() async throws {
        let world = try await TinyWorld()
        world.server.goOffline(true)
        try await world.synchronizer.save(["title": "a"], as: "tasks")
        try await world.synchronizer.push()
        world.server.goOffline(false)
        let before = world.synchronizer.environment.now()
        #expect(try await world.synchronizer.push().created == 1)
        #expect(world.synchronizer.environment.now() == before)
    }

    @Test("an identifier that was deleted here is taken until the delete is on the server, and the way out is told")
    func deletedIdentifier() async throws {
        let world = try await TinyWorld { $0.assigned = .client }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.delete(uri)
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.save(["id": 1, "title": "b"], as: "tasks")
        }
        #expect(error?.code == .wrongState)
        #expect(
            error?.message
                == "tasks/1 was deleted here, which is not on the server yet: push first and create it then, or take the "
                + "delete back: atmos discard tasks/1")
        try await world.synchronizer.discard(uri)
        let present = await #expect(throws: SyncError.self) {
            try await world.synchronizer.save(["id": 1, "title": "b"], as: "tasks")
        }
        #expect(present?.message == "tasks/1 exists already; edit it instead")
    }

    @Test("a save is refused for an unknown entity, an identifier of one's own, and a record that exists")
    func wrongSaves() async throws {
        let world = try await TinyWorld()
        let unknown = await #expect(throws: SyncError.self) { try await world.synchronizer.save([:], as: "notes") }
        #expect(unknown?.message == "tiny.yaml has no entity “notes”; it has lists, tasks")
        let own = await #expect(throws: SyncError.self) { try await world.synchronizer.save(["id": 7], as: "tasks") }
        #expect(own?.message == "the server gives tasks their “id”; leave it out")
    }
}
