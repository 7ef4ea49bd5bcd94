import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Identifiers that a server gives again")
struct ReusedIdentifierTests {
    /// Somebody else has deleted the object with the highest identifier, and the server counts from there.
    private func world() async throws -> (TinyWorld, ObjectURI) {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "old", "note": "old"])
        try await world.synchronizer.pull()
        world.server.remove("tasks", 1)
        world.server.countFrom(1)
        return (world, ObjectURI(entity: "tasks", id: "1"))
    }

    @Test("an edit of the old object does not go to the new one by itself")
    func edited() async throws {
        let (world, uri) = try await world()
        try await world.synchronizer.edit(uri, setting: [("note", "mine")])
        try await world.synchronizer.save(["title": "new"], as: "tasks")
        let report = try await world.synchronizer.push()
        #expect(report.created == 1 && report.updated == 0)
        #expect(world.server.rows("tasks").map { $0["note"] } == [nil])
        guard case .conflicted(let conflict)? = try await world.synchronizer.object(at: uri)?.meta.outgoing?.phase
        else {
            Issue.record("nobody is asked")
            return
        }
        #expect(conflict.fields == ["note"] && conflict.theirs?["title"] == "new")
        try await world.synchronizer.resolve(uri, .theirs)
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.record(at: uri)?["note"] == nil)
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "new")
        #expect(world.server.rows("tasks").map { $0["title"] } == ["new"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a look-up that shows the identifier of an object that is here says so")
    func lookedUp() async throws {
        let world = try await TinyWorld()
        world.server.loseAnswer(to: "POST")
        for _ in 0..<20 { world.server.loseAnswer(to: "GET") }
        let uri = try await world.synchronizer.save(["title": "new"], as: "tasks")
        try await world.synchronizer.push()
        let object = try #require(try await world.synchronizer.object(at: uri))
        var engine = ChangeEngine(try world.synchronizer.resource("tasks"))
        engine.others = [ScalarText("1")]
        let found = Representation(
            record: ObjectRecord(["id": 1, "title": "old"]), id: ObjectID("1"), version: nil, sequence: 2)
        let plan = engine.lookedUp([found], of: object, arrival: 3, key: "k") { _ in nil }
        #expect(
            plan.note == "not on the server; what the server has with that value is 1, which is another object here")
    }

    /// An old address that leads on to the object under its new identifier.
    private func renamed(_ change: (TinyWorld, ObjectURI) async throws -> Void) async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.since = nil
            $0.deletes.byAbsence = true
        }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        try await change(world, ObjectURI(entity: "tasks", id: "1"))
        world.server.remove("tasks", 1)
        world.server.insert("tasks", ["title": "a"])
        let body = #"{"id":2,"title":"a"}"#
        world.server.fail(
            .init(applies: { $0.method == "GET" && $0.url.hasSuffix("tasks/1/") }, processes: false) {
                Response(
                    status: 200, headers: ["Content-Type": "application/json"], body: ResponseBody(Array(body.utf8)))
            })
        return world
    }

    @Test("an object that the server has renamed is one, under its new identifier, and its old address leads to it")
    func renamedThere() async throws {
        let world = try await renamed { _, _ in }
        let report = try await world.synchronizer.pull()
        #expect(report.isComplete)
        let new = ObjectURI(entity: "tasks", id: "2")
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri) == [new])
        #expect(try await world.synchronizer.object(at: ObjectURI(entity: "tasks", id: "1"))?.uri == new)
        #expect(try await world.synchronizer.pull().isComplete)
    }

    @Test("what was edited under the old identifier ends no pull, goes nowhere by itself, and can be discarded")
    func editedAndRenamed() async throws {
        let world = try await renamed { world, uri in
            try await world.synchronizer.edit(uri, setting: [("title", "mine")])
        }
        let old = ObjectURI(entity: "tasks", id: "1")
        let new = ObjectURI(entity: "tasks", id: "2")
        #expect(try await world.synchronizer.pull().isComplete)
        #expect(try await world.synchronizer.object(at: old)?.uri == old)
        try await world.synchronizer.discard(old)
        #expect(try await world.synchronizer.pull().isComplete)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri) == [new])
        #expect(world.server.rows("tasks").map { $0["title"] } == ["a"])
    }

    private func uri(_ entity: String, _ id: String) -> ObjectURI { ObjectURI(entity: entity, id: id) }

    /// An update has given the object another identifier, 9 for 1.
    private func moved(_ entity: String = "tasks") async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
        }
        world.server.insert(entity, ["title": "a"])
        try await world.synchronizer.pull()
        world.server.answer("PATCH", with: #"{"id":9,"title":"b","rev":2}"#, processes: false)
        try await world.synchronizer.edit(uri(entity, "1"), setting: [("title", "b")])
        #expect(try await world.synchronizer.push().updated == 1)
        #expect(try await world.synchronizer.object(at: uri(entity, "1"))?.uri == uri(entity, "9"))
        world.server.remove(entity, 1)
        world.server.put(entity, 9, ["title": "b"])
        return world
    }

    @Test("an object that stands at a former address of another goes before that, whoever brings it")
    func formerAddress() async throws {
        for isPulled in [true, false] {
            let world = try await moved()
            let (old, new) = (uri("tasks", "1"), uri("tasks", "9"))
            world.server.put("tasks", 1, ["title": "another"])
            if isPulled {
                try await world.synchronizer.pull()
            } else {
                try await world.synchronizer.update(old, with: ObjectRecord(["id": 1, "title": "another", "rev": 3]))
            }
            #expect(try await world.synchronizer.object(at: old)?.uri == old)
            #expect(try await world.synchronizer.record(at: old)?["title"] == "another")
            #expect(try await world.synchronizer.record(at: new)?["title"] == "b")
            try await world.synchronizer.edit(old, setting: [("note", "for another")])
            try await world.synchronizer.push()
            #expect(world.server.rows("tasks").map { $0["note"] } == ["for another", nil])
            try await world.synchronizer.delete(old)
            try await world.synchronizer.push()
            #expect(world.server.rows("tasks").map { $0["title"] } == ["b"])
            #expect(try await world.synchronizer.object(at: old) == nil)
        }
    }

    @Test("a reference means the object that had the identifier when it was made")
    func formerReference() async throws {
        let world = try await moved("lists")
        try await world.synchronizer.save(["title": "early", "list": 1], as: "tasks")
        world.server.put("lists", 1, ["title": "another"])
        try await world.synchronizer.pull()
        try await world.synchronizer.save(["title": "late", "list": 1], as: "tasks")
        try await world.synchronizer.push()
        let rows = world.server.rows("tasks")
        #expect(rows.first { $0["title"] == "early" }?["list"] == 9)
        #expect(rows.first { $0["title"] == "late" }?["list"] == 1)
    }

    @Test("a list that was asked for before an update gave an object another identifier makes no second object of it")
    func staleList() async throws {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
        }
        let (old, new) = (uri("tasks", "1"), uri("tasks", "9"))
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        world.server.edit("tasks", 1, ["note": "theirs"])
        let gate = Gate()
        let slow = try await world.holding("GET", at: gate) {
            !$0.url.hasSuffix("tasks/1/") && !$0.url.hasSuffix("tasks/9/")
        }
        async let pulled = slow.pull(entities: ["tasks"])
        await gate.waitForArrivals()
        world.server.answer("PATCH", with: #"{"id":9,"title":"b","note":"theirs","rev":3}"#, processes: false)
        try await slow.edit(old, setting: [("title", "b")])
        #expect(try await slow.push().updated == 1)
        world.server.remove("tasks", 1)
        world.server.put("tasks", 9, ["title": "b", "note": "theirs"])
        gate.open()
        _ = try await pulled
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri) == [new])
        #expect(try await world.synchronizer.object(at: old)?.uri == new)
    }

    @Test("the address of an object that is gone leads to no other that the server gives its identifier")
    func addressOfDeleted() async throws {
        for isOwn in [true, false] {
            let world = try await TinyWorld {
                $0.since = nil
                $0.deletes.byAbsence = true
            }
            let first = try await world.synchronizer.save(["title": "one"], as: "tasks")
            try await world.synchronizer.push()
            try await world.synchronizer.pull()
            #expect(try await world.synchronizer.object(at: first)?.uri == uri("tasks", "1"))
            if isOwn {
                try await world.synchronizer.delete(first)
                try await world.synchronizer.push()
            } else {
                world.server.remove("tasks", 1)
                try await world.synchronizer.pull()
            }
            #expect(try await world.synchronizer.object(at: first) == nil)
            world.server.countFrom(1)
            if isOwn {
                let second = try await world.synchronizer.save(["title": "two"], as: "tasks")
                try await world.synchronizer.push()
                #expect(try await world.synchronizer.object(at: second)?.uri == uri("tasks", "1"))
            } else {
                world.server.insert("tasks", ["title": "two"])
                try await world.synchronizer.pull()
            }
            #expect(try await world.synchronizer.object(at: first) == nil)
            await #expect(throws: SyncError.self) {
                try await world.synchronizer.edit(first, setting: [("title", "for one")])
            }
            await #expect(throws: SyncError.self) { try await world.synchronizer.delete(first) }
            try await world.synchronizer.push()
            #expect(world.server.rows("tasks").map { $0["title"] } == ["two"])
        }
    }

    /// An update got no answer, and the server has given the object another identifier, 9 for 1, unless it is gone.
    ///
    /// - Parameter title: what the server has in it then.
    private func unanswered(
        isThere: Bool = true, title: Value = "b", _ change: (inout Resource) -> Void = { _ in }
    ) async throws -> (TinyWorld, ObjectURI) {
        let world = try await TinyWorld {
            $0.conflict.deletedThere = .recreate
            $0.version = .none
            change(&$0)
        }
        let uri = try await world.synchronizer.save(["title": "a"], as: "tasks")
        try await world.synchronizer.push()
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        var members = try #require(world.server.rows("tasks").first)
        members["title"] = title
        world.server.remove("tasks", 1)
        if isThere { world.server.put("tasks", 9, members) }
        world.server.loseAnswer(to: "PATCH", processes: false)
        for _ in 0..<2 {
            try await world.synchronizer.push()
            try await world.pass(.seconds(60))
        }
        return (world, uri)
    }

    @Test("an update without an answer that has given the object another identifier is found by the look-up member")
    func lostRename() async throws {
        let (world, address) = try await unanswered()
        #expect(try await world.synchronizer.object(at: address)?.uri == uri("tasks", "9"))
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(world.server.rows("tasks").count == 1)
    }

    @Test("what another client has made anew is not taken for renamed by an own update without an answer")
    func madeAnewByAnother() async throws {
        let (world, address) = try await unanswered(title: "c")
        let object = try #require(try await world.synchronizer.object(at: address))
        #expect(
            object.uri == uri("tasks", "1") && world.server.rows("tasks").map { $0["title"] } == ["c"],
            "\(world.server.log)")
        guard case .conflicted(let conflict)? = object.meta.outgoing?.phase else {
            Issue.record("nobody is asked")
            return
        }
        #expect(conflict.cause == .deletion)
    }

    @Test("what is gone under each identifier is made anew as the policy says, also after an update without an answer")
    func lostUpdateOfGone() async throws {
        let (world, address) = try await unanswered(isThere: false)
        #expect(world.server.rows("tasks").map { $0["title"] } == ["b"])
        #expect(try await world.synchronizer.record(at: address)?["title"] == "b")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("nothing is made anew unasked after an update without an answer, where no look-up finds the object")
    func lostRenameWithoutLookUp() async throws {
        let (world, address) = try await unanswered {
            $0.lookup = nil
            $0.duplicate = nil
        }
        #expect(world.server.rows("tasks").count == 1, "\(world.server.log)")
        let outgoing = try #require(try await world.synchronizer.object(at: address)?.meta.outgoing)
        guard case .conflicted(let conflict) = outgoing.phase else {
            Issue.record("nobody is asked")
            return
        }
        #expect(conflict.cause == .deletion && outgoing.mayBeRenamed)
        try await world.synchronizer.resolve(address, .theirs)
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri) == [uri("tasks", "9")])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an edit that an action carries, or that is sent no more, does not vanish with the old object")
    func carriedByAction() async throws {
        for isSent in [true, false] {
            let path = try PathTemplate("tasks/{id}/move")
            let first = try await TinyWorld()
            first.server.insert("tasks", ["title": "old", "note": "old"])
            try await first.synchronizer.pull()
            let uri = ObjectURI(entity: "tasks", id: "1")
            try await first.synchronizer.edit(uri, setting: [("note", "mine")])
            first.server.remove("tasks", 1)
            first.server.countFrom(1)
            let world = try await TinyWorld(server: first.server, store: first.store) { tasks in
                tasks.readonly.insert("note")
                guard isSent else { return }
                tasks.actions = [Action(name: "move", method: "POST", path: path, arguments: ["note"])]
            }
            try await world.synchronizer.save(["title": "new"], as: "tasks")
            try await world.synchronizer.push()
            #expect(world.server.rows("tasks").map { $0["note"] } == [nil])
            let object = try #require(try await world.synchronizer.object(at: uri))
            #expect(object.record?["note"] == "mine" && object.record?["title"] == "new")
            switch object.meta.outgoing?.phase {
            case .conflicted(let conflict): #expect(isSent && conflict.fields == ["note"])
            case .rejected(_, let failure): #expect(!isSent && failure.message.contains("another object now"))
            default: Issue.record("nobody is asked")
            }
        }
    }

    @Test("who decides for the edit gets it in the new object")
    func decided() async throws {
        let (world, uri) = try await world()
        try await world.synchronizer.edit(uri, setting: [("note", "mine")])
        try await world.synchronizer.save(["title": "new"], as: "tasks")
        try await world.synchronizer.push()
        try await world.synchronizer.resolve(uri, .mine)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { [$0["title"], $0["note"]] } == [["new", "mine"]])
    }

    @Test("a delete of the old object deletes nothing else, and what was only here is replaced")
    func deleted() async throws {
        for isDeleted in [true, false] {
            let (world, uri) = try await world()
            if isDeleted { try await world.synchronizer.delete(uri) }
            try await world.synchronizer.save(["title": "new"], as: "tasks")
            try await world.synchronizer.push()
            #expect(world.server.rows("tasks").map { $0["title"] } == ["new"])
            #expect(try await world.synchronizer.record(at: uri)?["title"] == "new")
            #expect(try await world.synchronizer.record(at: uri)?["note"] == nil)
            #expect(try await world.synchronizer.pending().isEmpty)
        }
    }
}
