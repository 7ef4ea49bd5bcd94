import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Answers that name another object")
struct NamedElsewhereTests {
    private func world(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
            change(&$0)
        }
        for number in 1...2 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        try await world.synchronizer.pull()
        world.server.clearLog()
        return world
    }

    private func uri(_ id: String) -> ObjectURI { ObjectURI(entity: "tasks", id: id) }

    // MARK: Creates

    @Test("the identifier of a new object is where the route file says that the answer has it")
    func declared() async throws {
        let world = try await world { $0.create.id = .member("task_id") }
        // Two is the number of something else.
        world.server.answer("POST", with: #"{"id":2,"task_id":3,"title":"post"}"#, status: 201)
        _ = try await world.synchronizer.save(["title": "new"], as: "tasks")
        #expect(try await world.synchronizer.push().created == 1)
        #expect(try await world.synchronizer.record(at: uri("3"))?["title"] == "new")
        #expect(try await world.synchronizer.record(at: uri("2"))?["title"] == "t2")
        #expect(world.server.log.last == "GET tasks/3/")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an answer that is nothing but the identifier names it", arguments: ["3", "\"3\""])
    func bare(body: String) async throws {
        let world = try await world { $0.create.id = JSONPath([]) }
        world.server.answer("POST", with: body, status: 201)
        _ = try await world.synchronizer.save(["title": "new"], as: "tasks")
        #expect(try await world.synchronizer.push().created == 1)
        #expect(try await world.synchronizer.record(at: uri("3"))?["title"] == "new")
    }

    @Test("where the declared place has no identifier, no other member is taken for it")
    func declaredAndMissing() async throws {
        let world = try await world { $0.create.id = .member("task_id") }
        world.server.answer("POST", with: #"{"id":2,"title":"post"}"#, status: 201)
        let made = try await world.synchronizer.save(["title": "new"], as: "tasks")
        try await world.synchronizer.push()
        let object = try #require(try await world.synchronizer.object(at: made))
        guard case .unknown = object.meta.outgoing?.phase else {
            Issue.record("the create is not unknown")
            return
        }
        #expect(object.meta.outgoing?.lastError?.message.contains("holds no identifier") == true)
    }

    @Test("an answer that names an object which was here before is not taken for the new one")
    func stranger() async throws {
        let world = try await world()
        world.server.answer("POST", with: #"{"id":2,"task_id":3}"#, status: 201)
        let made = try await world.synchronizer.save(["title": "new"], as: "tasks")
        #expect(try await world.synchronizer.push().created == 0)
        let object = try #require(try await world.synchronizer.object(at: made))
        guard case .unknown = object.meta.outgoing?.phase else {
            Issue.record("the create is not unknown")
            return
        }
        let said = object.meta.outgoing?.lastError?.message
        #expect(said?.contains("its answer names tasks/2, which is another object") == true)
        #expect(said?.contains("create: { id: MEMBER }") == true)
        #expect(try await world.synchronizer.record(at: uri("2"))?["title"] == "t2")
        // It is not sent again by itself.
        world.server.clearLog()
        try await world.synchronizer.push()
        #expect(world.server.log.isEmpty)
    }

    @Test("the same where the create is repeated under its key")
    func strangerAfterRepeat() async throws {
        let world = try await world { $0.create.idempotencyHeader = "Idempotency-Key" }
        world.server.loseAnswer(to: "POST")
        world.server.answer("POST", with: #"{"id":2,"task_id":3}"#, status: 201)
        let made = try await world.synchronizer.save(["title": "new"], as: "tasks")
        try await world.synchronizer.push()
        try await world.pass(.seconds(100))
        try await world.synchronizer.push()
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 2)
        guard case .unknown? = try await world.synchronizer.object(at: made)?.meta.outgoing?.phase else {
            Issue.record("the create is not unknown")
            return
        }
        #expect(try await world.synchronizer.record(at: uri("2"))?["title"] == "t2")
    }

    @Test("a read that shows another object leaves what was sent, and nothing goes to that object")
    func strangerRead() async throws {
        let world = try await world()
        // It has come there since the last pull.
        let other = world.server.insert("tasks", ["title": "theirs"])
        world.server.answer("POST", with: #"{"id":\#(other)}"#, status: 201, processes: false)
        let made = try await world.synchronizer.save(["title": "new"], as: "tasks")
        let report = try await world.synchronizer.push()
        #expect(report.created == 0 && report.vanished == [made])
        let object = try #require(try await world.synchronizer.object(at: made))
        guard case .unknown? = object.meta.outgoing?.phase else {
            Issue.record("the create is not unknown")
            return
        }
        let said = object.meta.outgoing?.lastError?.message
        #expect(said?.contains("shows another object") == true && said?.contains("create: { id: MEMBER }") == true)
        #expect(object.uri == made && object.record?["title"] == "new")
        #expect(try await world.synchronizer.record(at: uri(String(other)))?["title"] == "theirs")
        world.server.clearLog()
        try await world.synchronizer.push()
        try await world.synchronizer.pull()
        try await world.synchronizer.push()
        #expect(!world.server.log.contains { $0.hasPrefix("PATCH") || $0.hasPrefix("PUT") })
        try await world.synchronizer.discard(made)
        #expect(try await world.synchronizer.record(at: uri(String(other)))?["title"] == "theirs")
    }

    @Test(
        "a read that shows what was sent otherwise written, or only a part of it, is believed",
        arguments: [
            #"{"title":"<p>New</p>","size":3}"#, #"{"title":"ne","size":3}"#, #"{"title":{"rendered":"x"},"size":3}"#,
            #"{"title":"x","size":3}"#
        ])
    func normalized(shown: String) async throws {
        let world = try await world()
        let made = try Value(json: Array(shown.utf8)).members ?? [:]
        let id = world.server.insert("tasks", made)
        world.server.answer("POST", with: #"{"id":\#(id)}"#, status: 201, processes: false)
        _ = try await world.synchronizer.save(["title": " new ", "size": 3], as: "tasks")
        #expect(try await world.synchronizer.push().created == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a create that the server accepts and does not show is told, counts for nothing, and is kept")
    func vanished() async throws {
        let world = try await world()
        world.server.answer("POST", with: #"{"id":30}"#, status: 201)
        let made = try await world.synchronizer.save(["title": "new"], as: "tasks")
        let report = try await world.synchronizer.push()
        #expect(report.created == 0 && report.vanished == [uri("30")] && report.standing == [uri("30")])
        let object = try #require(try await world.synchronizer.object(at: made))
        guard case .unknown? = object.meta.outgoing?.phase else {
            Issue.record("the create is not unknown: \(object.meta.state)")
            return
        }
        #expect(object.record?["title"] == "new")
        // The list shows it where it is, for a person to take.
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.candidates(for: made) == [uri("3")])
        try await world.synchronizer.resolve(made, .adopt(ObjectID("3", .number)))
        #expect(try await world.synchronizer.object(at: made)?.uri == uri("3"))
        #expect(try await world.synchronizer.pending().isEmpty)
        // What gets the number one day is another object.
        world.server.put("tasks", 30, ["title": "thirty"])
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.record(at: uri("3"))?["title"] == "new")
        #expect(try await world.synchronizer.record(at: uri("30"))?["title"] == "thirty")
    }

    @Test("a create that is sent at once is no other object either")
    func now() async throws {
        let world = try await world()
        world.server.answer("POST", with: #"{"id":30}"#, status: 201)
        await #expect(throws: SyncError.self) {
            _ = try await world.synchronizer.saveNow(["title": "new"], as: "tasks")
        }
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a create that was sent at once, and only named, is a create until a read shows it", arguments: [true, false])
    func namedNow(_ isDeleted: Bool) async throws {
        let world = try await world()
        // It is done later, and the read behind the answer fails.
        world.server.answer("POST", with: #"{"id":3}"#, status: 202, processes: false)
        for _ in 0..<20 { world.server.answer("GET", with: nil, status: 500) }
        await #expect(throws: SyncError.self) {
            _ = try await world.synchronizer.saveNow(["title": "new"], as: "tasks")
        }
        world.server.forgetFaults()
        if isDeleted {
            try await world.synchronizer.delete(uri("3"))
        } else {
            try await world.synchronizer.edit(uri("3"), setting: [("note", "n")])
        }
        try await world.pass(.seconds(60))
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.pending().map(\.uri) == [uri("3")])
        world.server.put("tasks", 3, ["title": "new"])
        try await world.pass(.seconds(3600))
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").count == (isDeleted ? 2 : 3), "\(world.server.log)")
        if !isDeleted { #expect(world.server.rows("tasks").last?["note"] == "n") }
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("what was here before a create was sent, and says something else, is not adopted for it")
    func adopted() async throws {
        let world = try await world()
        world.server.loseAnswer(to: "POST")
        let made = try await world.synchronizer.save(["title": "new"], as: "tasks")
        try await world.synchronizer.push()
        await #expect(throws: SyncError.self) {
            try await world.synchronizer.resolve(made, .adopt(ObjectID("2", .number)))
        }
        try await world.synchronizer.pull()
        try await world.synchronizer.resolve(made, .adopt(ObjectID("3", .number)))
        #expect(try await world.synchronizer.object(at: made)?.uri == uri("3"))
        #expect(try await world.synchronizer.record(at: uri("2"))?["title"] == "t2")
    }

    @Test("a server that answers with what it has, because it says the same, is believed")
    func known() async throws {
        let world = try await world()
        world.server.answer("POST", with: #"{"id":2,"title":"t2","rev":2}"#, processes: false)
        _ = try await world.synchronizer.save(["title": "t2"], as: "tasks")
        #expect(try await world.synchronizer.push().created == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 2)
    }

    @Test("a page that shows the new object before the answer is here makes no stranger of it")
    func race() async throws {
        let world = try await world()
        let gate = Gate()
        let slow = try await world.holding("POST", at: gate)
        _ = try await slow.save(["title": "new"], as: "tasks")
        let push = Task { try await slow.push() }
        await gate.waitForArrivals()
        // Another edits it before the pull.
        world.server.edit("tasks", 3, ["title": "theirs"])
        try await world.synchronizer.pull()
        gate.open()
        #expect(try await push.value.created == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.record(at: uri("3"))?["title"] == "theirs")
    }

    @Test("what a page shows may be younger than the request for it")
    func openPages() {
        let pages = OpenPages()
        let first = pages.begin { 5 }
        _ = pages.begin { 7 }
        #expect(pages.floor(of: 9) == 5)
        pages.end(first)
        #expect(pages.floor(of: 9) == 7 && pages.floor(of: 6) == 6)
    }

    // MARK: Updates

    @Test("an update after which the object has another identifier moves it, and leads there from the old address")
    func renamed() async throws {
        let world = try await world()
        world.server.answer("PATCH", with: #"{"id":9,"title":"b","rev":8}"#, processes: false)
        try await world.synchronizer.edit(uri("1"), setting: [("title", "b")])
        #expect(try await world.synchronizer.push().updated == 1)
        #expect(try await world.synchronizer.record(at: uri("9"))?["title"] == "b")
        let found = try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id)
        #expect(found == ["2", "9"])
        #expect(try await world.synchronizer.object(at: uri("1"))?.uri == uri("9"))
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test(
        "an answer to an update that names another object of here is about something else, whatever it shows",
        arguments: [true, false])
    func namedAnother(_ isAtOnce: Bool) async throws {
        let world = try await world()
        world.server.answer("PATCH", with: #"{"id":2,"task_id":1,"title":"b","rev":8}"#)
        if isAtOnce {
            try await world.synchronizer.editNow(uri("1"), setting: [("title", "b")])
        } else {
            try await world.synchronizer.edit(uri("1"), setting: [("title", "b")])
            #expect(try await world.synchronizer.push().updated == 1)
        }
        #expect(world.server.log.last == "GET tasks/1/")
        #expect(try await world.synchronizer.object(at: uri("1"))?.uri == uri("1"))
        #expect(try await world.synchronizer.record(at: uri("1"))?["title"] == "b")
        #expect(try await world.synchronizer.record(at: uri("2"))?["title"] == "t2")
        try await world.synchronizer.edit(uri("1"), setting: [("note", "for one")])
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["note"] } == ["for one", nil])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("the same where that object has been shown anew while the update was on the wire")
    func namedAnotherAnew() async throws {
        let world = try await world()
        try await world.synchronizer.edit(uri("1"), setting: [("title", "a")])
        try await world.synchronizer.push()
        world.server.answer("PATCH", with: #"{"id":1,"title":"b","rev":8}"#)
        try await world.synchronizer.edit(uri("2"), setting: [("title", "b")])
        let gate = Gate()
        let slow = try await world.holding("PATCH", at: gate)
        let push = Task { try await slow.push() }
        await gate.waitForArrivals()
        world.server.edit("tasks", 1, ["note": "theirs"])
        try await world.synchronizer.refresh(uri("1"))
        gate.open()
        #expect(try await push.value.updated == 1)
        #expect(world.server.log.last == "GET tasks/2/")
        #expect(try await world.synchronizer.record(at: uri("1"))?["title"] == "a")
        #expect(try await world.synchronizer.object(at: uri("2"))?.uri == uri("2"))
        #expect(try await world.synchronizer.record(at: uri("2"))?["title"] == "b")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("what refers to an object that an update has moved refers to its new address, and is no edit")
    func renamedParent() async throws {
        let server = TinyServer()
        let world = try await TinyWorld(server: server)
        let list = server.insert("lists", ["title": "l"])
        server.insert("tasks", ["title": "a", "list": .number(JSONNumber(list))])
        server.insert("tasks", ["title": "b", "list": .number(JSONNumber(list))])
        try await world.synchronizer.pull()
        let edited = uri("3")
        try await world.synchronizer.edit(edited, setting: [("title", "mine")])
        server.answer("PATCH", with: #"{"id":7,"title":"m","rev":8}"#, processes: false)
        try await world.synchronizer.edit(ObjectURI(entity: "lists", id: "1"), setting: [("title", "m")])
        try await world.synchronizer.push(entities: ["lists"])
        #expect(try await world.synchronizer.record(at: uri("2"))?["list"] == 7)
        let object = try #require(try await world.synchronizer.object(at: edited))
        #expect(object.record?["list"] == 7 && object.meta.confirmed?.base["list"] == 7)
        server.clearLog()
        try await world.synchronizer.push()
        #expect(server.log.contains(#"PATCH tasks/3/ {"title":"mine"}"#))
    }

    @Test("an edit that refers elsewhere by now has the new address in its base, and clashes with nothing")
    func renamedBase() async throws {
        let server = TinyServer()
        let world = try await TinyWorld(server: server)
        for title in ["l", "m"] { server.insert("lists", ["title": .string(title)]) }
        server.insert("tasks", ["title": "a", "list": 1])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(uri("3"), setting: [("list", 2)])
        server.answer("PATCH", with: #"{"id":7,"title":"n","rev":8}"#, processes: false)
        try await world.synchronizer.edit(ObjectURI(entity: "lists", id: "1"), setting: [("title", "n")])
        try await world.synchronizer.push(entities: ["lists"])
        let object = try #require(try await world.synchronizer.object(at: uri("3")))
        #expect(object.record?["list"] == 2 && object.meta.confirmed?.base["list"] == 7)
        server.edit("tasks", 3, ["list": 7])
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.push().updated == 1)
        #expect(server.rows("tasks")[0]["list"] == 2)
    }

    @Test("the children of an object that an update has moved stand below its new address")
    func renamedAbove() async throws {
        let server = TinyServer()
        let world = try await TinyWorld(server: server) {
            $0.list.path = (try? PathTemplate("lists/{lists.id}/tasks/")) ?? $0.list.path
            $0.read.path = (try? PathTemplate("lists/{lists.id}/tasks/{id}/")) ?? $0.read.path
            $0.parents = [Reference(entity: "lists", field: "list")]
            $0.references = $0.parents
            $0.isUniquePerParent = true
        }
        let list = server.insert("lists", ["title": "l"])
        server.insert("tasks", ["title": "a", "list": .number(JSONNumber(list))])
        // The tiny server lists every task below each list.
        try await world.synchronizer.pull()
        server.answer("PATCH", with: #"{"id":7,"title":"m","rev":8}"#, processes: false)
        try await world.synchronizer.edit(ObjectURI(entity: "lists", id: "1"), setting: [("title", "m")])
        try await world.synchronizer.push()
        let found = try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id)
        #expect(found == ["7/2"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an answer to an update that is about something else says nothing of the object, which is read")
    func job() async throws {
        let world = try await world()
        world.server.answer("PATCH", with: #"{"id":2,"status":"queued"}"#)
        try await world.synchronizer.edit(uri("1"), setting: [("title", "b")])
        try await world.synchronizer.push()
        #expect(world.server.log.last == "GET tasks/1/")
        let record = try await world.synchronizer.record(at: uri("1"))
        #expect(record?["id"] == 1 && record?["title"] == "b" && record?["status"] == nil)
        #expect(try await world.synchronizer.record(at: uri("2"))?["title"] == "t2")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    // MARK: Deletes

    @Test("a delete is no conflict because a read shows more than the list, or other values of read-only members")
    func deleted() async throws {
        let world = try await world { $0.version = .compare }
        world.server.edit("tasks", 1, ["title": "t1"])
        world.server.answer("GET", with: #"{"id":1,"title":"t1","rev":77,"posts":[1,2]}"#)
        try await world.synchronizer.delete(uri("1"))
        #expect(try await world.synchronizer.push().deleted == 1)
        #expect(world.server.rows("tasks").count == 1)
    }

    @Test(
        "a delete of what somebody has edited is a conflict: another value, or a member more that a list shows",
        arguments: [["title": "theirs"], ["note": "theirs"]] as [Value.Members])
    func deletedAndEdited(change: Value.Members) async throws {
        let world = try await world { $0.version = .compare }
        world.server.edit("tasks", 1, change)
        try await world.synchronizer.delete(uri("1"))
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.push().deleted == 0)
        guard case .conflicted = try await world.synchronizer.object(at: uri("1"))?.meta.outgoing?.phase else {
            Issue.record("the delete is not conflicted")
            return
        }
        #expect(world.server.rows("tasks").count == 2)
    }

    @Test(
        "a member more is an edit where the server has another version, and none where it has the same",
        arguments: [1, 7])
    func deletedInOtherVersion(revision: Int) async throws {
        let world = try await world { $0.version = .ifMatch(.field(.member("rev")), ordered: false) }
        let own = try #require(try await world.synchronizer.record(at: uri("1"))?["rev"]?.number?.int64)
        try await world.synchronizer.delete(uri("1"))
        world.server.answer("DELETE", with: #"{"detail":"other"}"#, status: 412, processes: false)
        let shown = revision == 1 ? Int(own) : revision
        world.server.answer("GET", with: #"{"id":1,"title":"t1","rev":\#(shown),"posts":[1]}"#)
        #expect(try await world.synchronizer.push().deleted == (revision == 1 ? 1 : 0))
    }
}
