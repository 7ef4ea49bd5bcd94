import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

/// What the synchronizer makes of live updates; the log of the server shows which requests they cost.
@Suite("Live updates")
struct LiveUpdateTests {
    @Test("attributes of an ordered, newer version are applied without a request, and keep what they leave out")
    func newer() async throws {
        let world = try await TinyWorld.ordered()
        world.server.insert("tasks", ["title": "old", "note": "kept"])
        try await world.synchronizer.pull()
        world.server.clearLog()
        try await world.follow(.task(1, .attributes(["id": 1, "title": "new", "rev": 12]), version: "12"))
        #expect(try await world.task(1) == ["id": 1, "title": "new", "note": "kept", "rev": 12])
        #expect(world.server.log.isEmpty)
        // The version counts as a number: 9 is older than 12.
        try await world.follow(.task(1, .attributes(["title": "older", "rev": 9]), version: "9"))
        #expect(try await world.task(1)?["title"] == "new")
        #expect(world.server.log.isEmpty)
    }

    @Test("attributes whose version says nothing of the order are only a reason to ask")
    func unordered() async throws {
        let world = try await TinyWorld { $0.version = .token(.field(.member("rev")), ordered: false) }
        world.server.insert("tasks", ["title": "old"])
        try await world.synchronizer.pull()
        world.server.edit("tasks", 1, ["title": "new"])
        world.server.clearLog()
        try await world.follow(.task(1, .attributes(["title": "lie"]), version: "9"))
        #expect(try await world.task(1)?["title"] == "new")
        #expect(world.server.log == ["GET tasks/1/"])
    }

    @Test("many updates of one object while it is asked for cost one more request at most")
    func coalesced() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "old"])
        try await world.synchronizer.pull()
        world.server.edit("tasks", 1, ["title": "new"])
        world.server.clearLog()
        let gate = Gate()
        let slow = try await world.holding("GET", at: gate)
        try await slow.follow(
            ScriptedMessages { receive in
                receive(.update(.task(1, .changed)))
                await gate.waitForArrivals()
                for _ in 0..<50 { receive(.update(.task(1, .changed))) }
                await slow.allTaken(receive)
                gate.open()
            })
        #expect(world.server.log == ["GET tasks/1/", "GET tasks/1/"])
        #expect(try await world.task(1)?["title"] == "new")
    }

    @Test("what is here already costs no request: the same version, or the same attributes")
    func echoes() async throws {
        let world = try await TinyWorld.ordered()
        world.server.insert("tasks", ["title": "old"])
        try await world.synchronizer.pull()
        world.server.clearLog()
        try await world.follow(
            .task(1, .changed, version: "1"), .task(1, .attributes(["title": "old"])),
            .task(1, .attributes(["title": "other"]), version: "1"), .task(1, .patch([:]), version: "0", next: "1"))
        #expect(try await world.task(1)?["title"] == "old")
        #expect(world.server.log.isEmpty)
    }

    @Test("the echo of an own push that overtakes its answer waits for it and costs no request")
    func overtaken() async throws {
        let world = try await TinyWorld.ordered()
        world.server.insert("tasks", ["title": "old"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.edit(uri, setting: [("title", "mine")])
        let gate = Gate()
        let slow = try await world.holding("PATCH", at: gate)
        async let push = slow.push()
        await gate.waitForArrivals()
        world.server.clearLog()
        try await slow.follow(
            ScriptedMessages { receive in
                receive(.update(.task(1, .attributes(["title": "mine", "rev": 2]), version: "2")))
                gate.open()
            })
        _ = try await push
        #expect(world.server.log.isEmpty)
        #expect(try await world.synchronizer.object(at: uri)?.meta.isChanged == false)
        #expect(try await world.task(1)?["title"] == "mine")
    }

    @Test("the echo of an own create that overtakes its answer makes no second object and costs no request")
    func overtakenCreate() async throws {
        let world = try await TinyWorld.ordered()
        try await world.synchronizer.save(["title": "mine"], as: "tasks")
        let gate = Gate()
        let slow = try await world.holding("POST", at: gate)
        async let push = slow.push()
        await gate.waitForArrivals()
        world.server.clearLog()
        try await slow.follow(
            ScriptedMessages { receive in
                receive(.update(.task(1, .changed, version: "1")))
                gate.open()
            })
        _ = try await push
        #expect(world.server.log.isEmpty)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id) == ["1"])
    }

    @Test("a create on the wire is recognized behind any number of other changes")
    func createBehindOthers() async throws {
        let store = MemoryStore()
        let record = ObjectRecord(["title": "a"])
        try await store.write(.process, origin: .application) { transaction in
            for number in 1...1_000 {
                let id = ObjectID(String(number), .number)
                let uri = ObjectURI(entity: "tasks", id: id.text)
                let state = MetaObject.State.updated(.init(base: record, sequence: 1), .init(idempotencyKey: "k"))
                try transaction.put([MetaObject(uri: uri, id: id, state: state)])
            }
        }
        #expect(try await store.read { try !$0.isCreating("tasks") })
        try await store.write(.process, origin: .application) { transaction in
            let uri = ObjectURI(entity: "tasks", id: "new")
            let sent = Attempt(record: record, revision: 1, sequence: 2)
            let outgoing = Change(phase: .sending(sent), idempotencyKey: "k")
            let state = MetaObject.State.created(outgoing, deleting: false)
            try transaction.put([MetaObject(uri: uri, id: ObjectID("new", .temporary), state: state)])
        }
        #expect(try await store.read { try $0.isCreating("tasks") })
    }

    @Test("an update of what a lost create has become is the create's answer, not a second object")
    func lostCreate() async throws {
        let world = try await TinyWorld.ordered()
        world.server.loseAnswer(to: "POST")
        world.server.goOffline(false)
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        // The look-up after it does not arrive either.
        world.server.fail(
            .init(applies: { $0.method == "GET" }, processes: false) {
                throw TransportError(code: .cannotConnect, message: "away", mayHaveArrived: false)
            })
        try await world.synchronizer.push()
        try #require(world.server.rows("tasks").count == 1)
        try await world.follow(.task(1, .changed))
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id) == ["1"])
        #expect(try await world.synchronizer.object(at: uri)?.uri.id == "1")
    }

    @Test("a changed object is merged, and conflicts where both changed one member")
    func merged() async throws {
        let world = try await TinyWorld.ordered()
        world.server.insert("tasks", ["title": "old", "note": "old"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.edit(uri, setting: [("title", "mine")])
        try await world.follow(.task(1, .attributes(["note": "theirs", "rev": 5]), version: "5"))
        #expect(try await world.task(1) == ["id": 1, "title": "mine", "note": "theirs", "rev": 5])
        try await world.follow(.task(1, .attributes(["title": "theirs", "rev": 6]), version: "6"))
        guard case .conflicted(let conflict)? = try await world.synchronizer.object(at: uri)?.meta.outgoing?.phase
        else {
            Issue.record("no conflict")
            return
        }
        #expect(conflict.fields == ["title"] && conflict.theirs?["title"] == "theirs")
        #expect(try await world.task(1)?["title"] == "mine")
    }

    @Test("a patch and edits are applied to the version that they name, and no other")
    func deltas() async throws {
        let world = try await TinyWorld.ordered()
        world.server.insert("tasks", ["title": "a😀c", "tags": ["x": 1, "y": 2]])
        try await world.synchronizer.pull()
        world.server.clearLog()
        try await world.follow(
            .task(1, .patch(["tags": ["x": nil, "z": 3], "rev": 2]), version: "1"),
            // Offsets count scalars, each in what the edit before has left.
            .task(
                1,
                .edits([
                    .init(
                        member: "title", edits: [.init(at: 1, delete: 1, insert: "bb"), .init(at: 4, insert: "é")])
                ]), version: "2", next: "3"))
        #expect(try await world.task(1) == ["id": 1, "title": "abbcé", "tags": ["y": 2, "z": 3], "rev": 2])
        let version = try await world.synchronizer.object(at: ObjectURI(entity: "tasks", id: "1"))?.meta.confirmed
        #expect(version?.version == "3")
        #expect(world.server.log.isEmpty)
        for _ in 0..<3 { world.server.edit("tasks", 1, ["title": "theirs"]) }
        try await world.follow(.task(1, .patch(["title": "x"]), version: "1", next: "4"))
        #expect(try await world.task(1)?["title"] == "theirs")
        #expect(world.server.log == ["GET tasks/1/"])
    }

    @Test(
        "edits that do not fit the text are not made",
        arguments: [TextEdit(at: 4), TextEdit(at: 2, delete: 2), TextEdit(at: .max, delete: .max), TextEdit(at: -1)])
    func unfitting(edit: TextEdit) async throws {
        #expect(TextEdit.apply([edit], to: "abc") == nil)
        let world = try await TinyWorld.ordered()
        world.server.insert("tasks", ["title": "abc"])
        try await world.synchronizer.pull()
        world.server.clearLog()
        try await world.follow(.task(1, .edits([.init(member: "title", edits: [edit])]), version: "1"))
        #expect(world.server.log == ["GET tasks/1/"])
    }

    @Test("a text that both sides edited keeps both edits where its lines merge")
    func bothEdit() async throws {
        let world = try await TinyWorld.ordered { $0.fields.merge["text"] = .lines }
        world.server.insert("tasks", ["text": "one\ntwo\nthree\n"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.edit(uri, setting: [("text", "one\ntwo\nthree, mine\n")])
        let edits = LiveUpdate.TextEdits(member: "text", edits: [TextEdit(at: 3, insert: ", theirs")])
        try await world.follow(.task(1, .edits([edits]), version: "1", next: "2"))
        #expect(try await world.task(1)?["text"] == "one, theirs\ntwo\nthree, mine\n")
    }

    @Test("a delete removes what is not edited here, and becomes a decision where it is")
    func deletes() async throws {
        let world = try await TinyWorld.ordered()
        for _ in 0..<2 { world.server.insert("tasks", ["title": "old"]) }
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(ObjectURI(entity: "tasks", id: "2"), setting: [("title", "mine")])
        world.server.clearLog()
        try await world.follow(.task(1, .deleted, version: "1"), .task(2, .deleted, version: "2"), .task(99, .deleted))
        #expect(try await world.task(1) == nil)
        let meta = try await world.synchronizer.object(at: ObjectURI(entity: "tasks", id: "2"))?.meta
        guard case .conflicted(let conflict)? = meta?.outgoing?.phase else {
            Issue.record("no conflict")
            return
        }
        #expect(conflict.theirs == nil)
        #expect(world.server.log.isEmpty)
    }

    @Test("a delete of what was made anew under another identifier does not remove that")
    func deletedBefore() async throws {
        let world = try await TinyWorld.ordered { $0.conflict.deletedThere = .recreate }
        world.server.insert("tasks", ["title": "old"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(ObjectURI(entity: "tasks", id: "1"), setting: [("title", "mine")])
        world.server.remove("tasks", 1)
        try await world.synchronizer.push()
        #expect(try await world.task(2)?["title"] == "mine")
        try await world.follow(.task(1, .deleted, version: "99"), .task(1, .patch(["title": "late"]), version: "1"))
        #expect(try await world.task(2)?["title"] == "mine")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an old delete says nothing of what a conflict has shown since")
    func deletedBeforeConflict() async throws {
        let world = try await TinyWorld.ordered()
        world.server.insert("tasks", ["title": "old"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.delete(uri)
        // Deleted as of version 2, and there once more.
        world.server.edit("tasks", 1, ["title": "older"])
        world.server.put("tasks", 1, ["title": "again"])
        try await world.synchronizer.pull()
        world.server.clearLog()
        try await world.follow(
            .task(1, .deleted, version: "2"), .task(1, .attributes(["title": "older", "rev": 2]), version: "2"))
        let meta = try await world.synchronizer.object(at: uri)?.meta
        guard case .conflicted(let conflict)? = meta?.outgoing?.phase else {
            Issue.record("no conflict")
            return
        }
        #expect(conflict.theirs?["title"] == "again")
        try await world.follow(.task(1, .deleted, version: "4"))
        #expect(try await world.synchronizer.object(at: uri) == nil)
        #expect(world.server.log.isEmpty)
    }

    @Test("a delete that says no version is asked for, so that one which a restore has overtaken removes nothing")
    func unversionedDelete() async throws {
        let world = try await TinyWorld.ordered()
        for _ in 0..<3 { world.server.insert("tasks", ["title": "old"]) }
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(ObjectURI(entity: "tasks", id: "3"), setting: [("title", "mine")])
        // The address is right: a 404 is believed without the list, whichever of the answers comes first.
        _ = try await world.synchronizer.refresh(ObjectURI(entity: "tasks", id: "1"))
        for id in 2...3 { world.server.remove("tasks", id) }
        world.server.clearLog()
        try await world.follow(.task(1, .deleted), .task(2, .deleted), .task(3, .deleted))
        #expect(try await world.task(1)?["title"] == "old")
        #expect(try await world.task(2) == nil)
        let meta = try await world.synchronizer.object(at: ObjectURI(entity: "tasks", id: "3"))?.meta
        guard case .conflicted(let conflict)? = meta?.outgoing?.phase else {
            Issue.record("no conflict")
            return
        }
        #expect(conflict.theirs == nil)
        #expect(Set(world.server.log) == ["GET tasks/1/", "GET tasks/2/", "GET tasks/3/"])
    }

    @Test("attributes that carry the API's own mark of a deleted object delete it")
    func tombstone() async throws {
        let world = try await TinyWorld.ordered {
            $0.deletes.field = .member("gone")
            $0.deletes.equals = true
        }
        world.server.insert("tasks", ["title": "old"])
        try await world.synchronizer.pull()
        try await world.follow(.task(1, .attributes(["gone": true, "rev": 2]), version: "2"))
        #expect(try await world.task(1) == nil)
    }

    @Test("an object that is not here is asked for, and one that the server does not show stays away")
    func unknownObject() async throws {
        let world = try await TinyWorld.ordered()
        world.server.insert("tasks", ["title": "new"])
        try await world.follow(
            .task(1, .attributes(["title": "part"]), version: "1"), .task(7, .changed), .task(8, .deleted))
        #expect(try await world.task(1)?["title"] == "new")
        #expect(Set(world.server.log) == ["GET tasks/1/", "GET tasks/7/"])
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 1)
    }

    @Test("an identifier cannot lead a request astray, nor attributes make another object of it")
    func strangeIdentifiers() async throws {
        let world = try await TinyWorld.ordered()
        world.server.insert("tasks", ["title": "one"])
        try await world.synchronizer.pull()
        world.server.clearLog()
        for id in ["../lists", "1/../2", "1?x=1", "%2e%2e", "1#", ".."] {
            try await world.synchronizer.follow(
                ScriptedMessages(LiveUpdate(uri: ObjectURI(entity: "tasks", id: id), content: .changed)))
        }
        // Each stays one segment of the path; what servers would resolve is not asked for, and a pull finds out.
        #expect(
            world.server.log.filter { $0.hasPrefix("GET tasks/") && !$0.contains("since") }
                == ["GET tasks/1%3Fx%3D1/", "GET tasks/%252e%252e/", "GET tasks/1%23/"])
        world.server.clearLog()
        try await world.follow(.task(1, .attributes(["id": 2, "title": "x", "rev": 9]), version: "9"))
        #expect(world.server.log == ["GET tasks/1/"])
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id) == ["1"])
    }

    @Test("no update takes the identifier out of an object: neither a patch, nor attributes around it")
    func identifierStays() async throws {
        let world = try await TinyWorld.ordered()
        world.server.insert("tasks", ["title": "one"])
        try await world.synchronizer.pull()
        world.server.clearLog()
        try await world.follow(.task(1, .patch(["id": nil, "title": "x"]), version: "1", next: "2"))
        #expect(world.server.log == ["GET tasks/1/"])
        #expect(try await world.task(1) == ["id": 1, "title": "one", "rev": 1])
        let nested = try await TinyWorld.ordered { $0.id = JSONPath([.member("meta"), .member("key")]) }
        nested.server.insert("tasks", ["meta": ["key": 1, "owner": "ann"]])
        try await nested.synchronizer.pull()
        nested.server.clearLog()
        let around: Value.Members = ["meta": ["owner": "bob"]]
        try await nested.follow(
            .task(1, .attributes(around), version: "9"), .task(1, .patch(["meta": nil]), version: "1", next: "9"))
        #expect(Set(nested.server.log) == ["GET tasks/1/"])
        #expect(try await nested.task(1)?["meta"] == ["key": 1, "owner": "ann"])
    }

    @Test("without a GET for single objects an update causes a pull")
    func withoutRead() async throws {
        let world = try await TinyWorld.ordered { $0.read.isOffered = false }
        world.server.insert("tasks", ["title": "new"])
        try await world.follow(.task(1, .changed))
        #expect(try await world.task(1)?["title"] == "new")
    }
}
