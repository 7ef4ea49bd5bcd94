import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Queued actions")
struct QueuedActionTests {
    /// Tasks that move below other tasks by an action; `behind` is never shown by the server.
    private func world(mayRepeat: Bool = true, _ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld
    {
        try await TinyWorld { tasks in
            tasks.references.append(Reference(entity: "tasks", field: "parent"))
            tasks.references.append(Reference(entity: "tasks", field: "behind"))
            tasks.readonly.insert("parent")
            tasks.fields.absentEquals = [.null]
            tasks.version = .none
            let path = try! PathTemplate("tasks/{id}/move")
            tasks.actions = [
                Action(
                    name: "move", method: "POST", path: path, arguments: ["parent", "behind"],
                    query: ["parent", "behind"], mayRepeat: mayRepeat)
            ]
            change(&tasks)
        }
    }

    private func task(_ id: Int) -> ObjectURI { ObjectURI(entity: "tasks", id: String(id)) }

    @Test("a change of the action's members is sent by it, with all their values, and not by an update")
    func moves() async throws {
        let world = try await world()
        for title in ["a", "b", "c"] { world.server.insert("tasks", ["title": .string(title)]) }
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(task(1), setting: [("parent", 2)])
        try await world.synchronizer.push()
        world.server.clearLog()
        try await world.synchronizer.edit(task(1), setting: [("behind", 3)])
        let report = try await world.synchronizer.push()
        #expect(world.server.log == ["POST tasks/1/move?parent=2&behind=3"])
        #expect(report.updated == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
        let record = try await world.synchronizer.record(at: task(1))
        #expect(record?["parent"] == 2 && record?["behind"] == nil)
    }

    @Test("the update of other members goes first; both show in the preview; they count as one")
    func updateFirst() async throws {
        let world = try await world()
        world.server.insert("tasks", ["title": "a"])
        world.server.insert("tasks", ["title": "b"])
        try await world.synchronizer.pull()
        world.server.clearLog()
        try await world.synchronizer.edit(task(1), setting: [("parent", 2), ("title", "moved")])
        let preview = try await world.synchronizer.pushPreview()
        #expect(preview.requests.map(\.verb) == ["update", "move"])
        let report = try await world.synchronizer.push()
        #expect(world.server.log == [#"PATCH tasks/1/ {"title":"moved"}"#, "POST tasks/1/move?parent=2"])
        #expect(report.updated == 1 && report.failures.isEmpty)
    }

    @Test("what one without an answer has done is read when a person discards it: a list may not show it again")
    func discardedInDoubt() async throws {
        let world = try await world(mayRepeat: false)
        for title in ["a", "b"] { world.server.insert("tasks", ["title": .string(title)]) }
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(task(1), setting: [("parent", 2)])
        world.server.loseAnswer(to: "POST")
        try await world.synchronizer.push()
        try await world.synchronizer.discard(task(1))
        #expect(try await world.synchronizer.record(at: task(1))?["parent"] == nil)
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.record(at: task(1))?["parent"] == 2)
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 1)
    }

    @Test("what an earlier try of it has done is nobody else's change in the answer to an update")
    func ownTry() async throws {
        let engine = ChangeEngine(try await world().synchronizer.resource("tasks"))
        let sent = Attempt(record: ObjectRecord(["id": 1, "title": "b", "parent": 3]), revision: 2, sequence: 4)
        var outgoing = Change(
            phase: .sending(sent), idempotencyKey: "k", evidence: .inDoubt(isLookedFor: false))
        outgoing.unanswered = [ObjectRecord(["id": 1, "title": "a", "parent": 2])]
        let confirmed = MetaObject.Confirmed(base: ObjectRecord(["id": 1, "title": "a"]), sequence: 1)
        let meta = MetaObject(
            uri: task(1), id: ObjectID("1", .number), state: .updated(confirmed, outgoing), revision: 2)
        let shown = Representation(
            record: ObjectRecord(["id": 1, "title": "b", "parent": 2]), id: ObjectID("1", .number), version: nil,
            sequence: 4)
        let plan = engine.conclude(
            .accepted(shown), to: sent, of: LocalObject(record: sent.record, meta: meta), arrival: 5, key: "next",
            retryAt: { _ in Timestamp(milliseconds: 0) })
        guard case .put(let object) = plan.outcome else {
            Issue.record("not stored: \(plan)")
            return
        }
        #expect(object.meta.outgoing?.phase == .waiting && object.record?["parent"] == 3, "\(plan)")
        #expect(object.meta.confirmed?.base["parent"] == 2)
    }

    @Test("a null of a new object, or of one that is made anew, is sent by no action")
    func nullOfNew() async throws {
        let world = try await world {
            $0.fields.absentEquals = []
            $0.conflict.deletedThere = .recreate
        }
        world.server.insert("tasks", ["title": "a", "parent": .null])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(task(1), setting: [("title", "b")])
        world.server.remove("tasks", 1)
        let made = try await world.synchronizer.save(["title": "new", "parent": .null], as: "tasks")
        let preview = try await world.synchronizer.pushPreview().requests.filter { $0.uri == made }
        #expect(preview.map(\.verb) == ["create"])
        try await world.synchronizer.push()
        #expect(Set(world.server.rows("tasks").compactMap { $0["title"]?.string }) == ["b", "new"])
        #expect(!world.server.log.contains { $0.contains("/move") })
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("the preview of a new object has the action that follows its create")
    func previewOfNew() async throws {
        let world = try await world()
        world.server.insert("tasks", ["title": "parent"])
        try await world.synchronizer.pull()
        let child = try await world.synchronizer.save(["title": "child", "parent": 1], as: "tasks")
        let preview = try await world.synchronizer.pushPreview().requests
        #expect(preview.map(\.verb) == ["create", "move"])
        #expect(preview.last?.changed == ["parent"])
        let url = preview.last?.request.url ?? ""
        #expect(url.hasSuffix("/tasks/\(child.id)/move?parent=1"), "\(url)")
        try await world.synchronizer.push()
        #expect(world.server.log.contains("POST tasks/2/move?parent=1"))
    }

    @Test("a new object is created first and then moved below one that was new as well")
    func creates() async throws {
        let world = try await world()
        let parent = try await world.synchronizer.save(["title": "parent"], as: "tasks")
        let child = try await world.synchronizer.save(
            ["title": "child", "parent": .string(parent.id)], as: "tasks")
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["parent", "child"])
        #expect(world.server.rows("tasks")[1]["parent"] == 1)
        #expect(world.server.log.last == "POST tasks/2/move?parent=1")
        #expect(try await world.synchronizer.record(at: child)?["parent"] == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a new object whose create was lost is found, and moved then")
    func lostCreate() async throws {
        let world = try await world()
        world.server.insert("tasks", ["title": "parent"])
        try await world.synchronizer.pull()
        world.server.fail(
            .init(applies: { $0.method == "POST" }, processes: true) {
                throw TransportError(code: .timeout, message: "timed out", mayHaveArrived: true)
            })
        let child = try await world.synchronizer.save(["title": "child", "parent": 1], as: "tasks")
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").count == 2 && world.server.rows("tasks")[1]["parent"] == 1)
        #expect(try await world.synchronizer.record(at: child)?["parent"] == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test(
        "an edit of what a lost create carried of an action's members is newer than that, and in conflict with nothing",
        arguments: [ConflictRules.Policy.ask, .theirs])
    func carriedByLostCreate(_ clash: ConflictRules.Policy) async throws {
        let world = try await world {
            $0.create.with = ["parent"]
            $0.duplicate = nil
            $0.conflict.clash = clash
        }
        for title in ["a", "b"] { world.server.insert("tasks", ["title": .string(title)]) }
        try await world.synchronizer.pull()
        let child = try await world.synchronizer.save(["title": "child", "parent": 1], as: "tasks")
        world.server.loseAnswer(to: "POST")
        for _ in 0..<20 { world.server.loseAnswer(to: "GET") }
        try await world.synchronizer.push()
        world.server.forgetFaults()
        #expect(world.server.rows("tasks").last?["parent"] == 1)
        try await world.synchronizer.edit(child, setting: [("parent", 2)])
        try await world.pass(.seconds(3600))
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["parent"] } == [nil, nil, 2], "\(world.server.log)")
        #expect(world.server.log.last == "POST tasks/3/move?parent=2")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a member that a create carries goes by the action only where the server has left it out", arguments: 0...2)
    func carriedByCreate(_ answer: Int) async throws {
        let world = try await world {
            $0.create.with = ["parent"]
            $0.lookup = nil
            $0.duplicate = nil
        }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        try await world.synchronizer.save(["title": "new", "parent": 1], as: "tasks")
        #expect(try await world.synchronizer.pushPreview().requests.map(\.verb) == ["create"])
        switch answer {
        case 0: break
        case 1: world.server.answer("POST", with: #"{"id":2}"#, status: 201)
        default:
            world.server.put("tasks", 2, ["title": "new", "parent": .null])
            world.server.answer(
                "POST", with: #"{"id":2,"rev":2,"title":"new","parent":null}"#, status: 201, processes: false)
        }
        #expect(try await world.synchronizer.push().created == 1)
        #expect(world.server.log.count { $0.contains("/move") } == (answer == 2 ? 1 : 0), "\(world.server.log)")
        #expect(world.server.rows("tasks").map { $0["parent"] } == [nil, 1])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a member that was removed, or is null, is left out of the call")
    func removed() async throws {
        let world = try await world()
        world.server.insert("tasks", ["title": "a", "parent": 2])
        world.server.insert("tasks", ["title": "b"])
        try await world.synchronizer.pull()
        world.server.clearLog()
        try await world.synchronizer.edit(task(1), setting: [("parent", nil)])
        try await world.synchronizer.push()
        #expect(world.server.log == ["POST tasks/1/move"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an edit made while the action was on the wire is sent after it")
    func editMeanwhile() async throws {
        let world = try await world()
        world.server.insert("tasks", ["title": "a"])
        world.server.insert("tasks", ["title": "b"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(task(1), setting: [("parent", 2)])
        let gate = Gate()
        let transport = ScriptedTransport { request in
            if request.method == "POST" { try await gate.pass() }
            return try await world.server.transport.send(request)
        }
        let other = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store, transport: transport,
            style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
        async let pushed = other.push()
        await gate.waitForArrivals()
        try await world.synchronizer.edit(task(1), setting: [("title", "edited")])
        gate.open()
        _ = try await pushed
        #expect(world.server.rows("tasks")[0]["title"] == "edited" && world.server.rows("tasks")[0]["parent"] == 2)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an action whose answer was lost is sent again only where that is safe; else a person decides")
    func lost() async throws {
        for mayRepeat in [true, false] {
            let world = try await world(mayRepeat: mayRepeat)
            world.server.insert("tasks", ["title": "a"])
            world.server.insert("tasks", ["title": "b"])
            try await world.synchronizer.pull()
            try await world.synchronizer.edit(task(1), setting: [("behind", 2)])
            world.server.fail(
                .init(applies: { $0.method == "POST" }, processes: true) {
                    throw TransportError(code: .timeout, message: "timed out", mayHaveArrived: true)
                })
            world.server.clearLog()
            try await world.synchronizer.push()
            try await world.synchronizer.push()
            let calls = world.server.log.filter { $0.hasPrefix("POST") }.count
            #expect(calls == (mayRepeat ? 2 : 1))
            guard !mayRepeat else { continue }
            let object = try #require(try await world.synchronizer.object(at: task(1)))
            guard case .unknown(let snapshot) = object.meta.outgoing?.phase else {
                Issue.record("not unknown: \(object.meta.state)")
                continue
            }
            #expect(snapshot.action == "move")
            // What another client changed does not send it again.
            world.server.edit("tasks", 1, ["title": "theirs"])
            try await world.synchronizer.synchronize()
            #expect(world.server.log.filter { $0.hasPrefix("POST") }.count == 1)
            try await world.synchronizer.resolve(task(1), .resend)
            try await world.synchronizer.push()
            #expect(world.server.log.filter { $0.hasPrefix("POST") }.count == 2)
            #expect(try await world.synchronizer.pending().isEmpty)
        }
    }

    @Test(
        "what a lost one has done is its own after a person has it sent again, whatever its member was set to since",
        arguments: [ConflictRules.Policy.ask, .theirs], [Value.number(JSONNumber(3)), .null])
    func editedAndSentAgain(_ clash: ConflictRules.Policy, _ parent: Value) async throws {
        let world = try await world(mayRepeat: false) {
            $0.version = .compare
            $0.conflict.clash = clash
        }
        for title in ["a", "b", "c"] { world.server.insert("tasks", ["title": .string(title)]) }
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(task(1), setting: [("parent", 2)])
        world.server.loseAnswer(to: "POST")
        try await world.synchronizer.push()
        try await world.synchronizer.edit(task(1), setting: [("parent", parent)])
        try await world.synchronizer.resolve(task(1), .resend)
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.conflicts().isEmpty)
        #expect(world.server.rows("tasks")[0]["parent"] == parent, "\(world.server.log)")
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 2)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a pull that shows what the action was to bring about ends it")
    func seen() async throws {
        let world = try await world()
        world.server.insert("tasks", ["title": "a"])
        world.server.insert("tasks", ["title": "b"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(task(1), setting: [("parent", 2)])
        world.server.edit("tasks", 1, ["parent": 2])
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a refused action keeps the change and says why; an edit gives it another try")
    func refused() async throws {
        let world = try await world()
        world.server.insert("tasks", ["title": "a"])
        world.server.insert("tasks", ["title": "b"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(task(1), setting: [("parent", 2)])
        world.server.fail(
            .init(applies: { $0.method == "POST" }, processes: false) {
                Response(status: 400, body: ResponseBody(Array(#"{"parent":["Too deep."]}"#.utf8)))
            })
        try await world.synchronizer.push()
        let object = try #require(try await world.synchronizer.object(at: task(1)))
        guard case .rejected(.refused(let snapshot), let failure) = object.meta.outgoing?.phase else {
            Issue.record("not rejected")
            return
        }
        #expect(snapshot.action == "move" && failure.fields == [.init(field: "parent", message: "Too deep.")])
        try await world.synchronizer.retry(task(1))
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks")[0]["parent"] == 2)
    }

    /// Three tasks, of which the first is below the third.
    private func placedWorld() async throws -> TinyWorld {
        let world = try await world()
        for title in ["a", "b", "c"] { world.server.insert("tasks", ["title": .string(title)]) }
        world.server.edit("tasks", 1, ["parent": 3])
        try await world.synchronizer.pull()
        world.server.clearLog()
        return world
    }

    @Test(
        "an action that the server accepts and does not do is kept as refused, with all that it was to carry",
        arguments: [200, 202, 204])
    func notDone(_ status: Int) async throws {
        let world = try await placedWorld()
        world.server.answer(
            "POST", with: status == 200 ? #"{"id":1,"title":"a","parent":3,"rev":4}"# : nil, status: status,
            processes: false)
        try await world.synchronizer.edit(task(1), setting: [("parent", 2), ("behind", 3)])
        let report = try await world.synchronizer.push()
        #expect(report.updated == 0)
        #expect(report.ignored == [.init(uri: task(1), members: ["parent", "behind"], verb: .action("move"))])
        let record = try await world.synchronizer.record(at: task(1))
        #expect(record?["parent"] == 2 && record?["behind"] == 3)
        let phase = try await world.synchronizer.pending().first?.meta.outgoing?.phase
        guard case .rejected(.notTaken, let failure)? = phase else {
            Issue.record("the action is not kept as refused")
            return
        }
        #expect(failure.message == "the server accepted “move” and left parent, behind as it was")
        try await world.synchronizer.retry(task(1))
        #expect(try await world.synchronizer.push().updated == 1)
        #expect(world.server.log.last == "POST tasks/1/move?parent=2&behind=3")
        #expect(world.server.rows("tasks")[0]["parent"] == 2)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an action that is answered with another value than was sent was done")
    func otherEffect() async throws {
        let world = try await placedWorld()
        world.server.answer("POST", with: #"{"id":1,"title":"a","parent":7,"rev":5}"#, processes: false)
        try await world.synchronizer.edit(task(1), setting: [("parent", 2)])
        let report = try await world.synchronizer.push()
        #expect(report.updated == 1 && report.ignored.isEmpty)
        #expect(try await world.synchronizer.record(at: task(1))?["parent"] == 7)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an answer that lacks what the action was to change is read back")
    func shortAnswer() async throws {
        let world = try await placedWorld()
        world.server.answer("POST", with: #"{"id":1,"title":"a","rev":4}"#, processes: false)
        try await world.synchronizer.edit(task(1), setting: [("parent", 2)])
        let report = try await world.synchronizer.push()
        #expect(world.server.log == ["POST tasks/1/move?parent=2", "GET tasks/1/"])
        #expect(report.ignored == [.init(uri: task(1), members: ["parent"], verb: .action("move"))])
        #expect(try await world.synchronizer.record(at: task(1))?["parent"] == 2)
    }

    @Test("what carried a change that was not done is known to a later read, too")
    func laterRead() async throws {
        let world = try await placedWorld()
        world.server.answer("POST", with: nil, status: 204, processes: false)
        world.server.answer("GET", with: "{}", status: 500, processes: false)
        try await world.synchronizer.edit(task(1), setting: [("parent", 2)])
        let report = try await world.synchronizer.push()
        #expect(report.ignored == [.init(uri: task(1), members: ["parent"], verb: .action("move"))])
        let error = try await world.synchronizer.object(at: task(1))?.meta.outgoing?.lastError
        #expect(error?.message == "the server accepted “move” and left parent as it was")
    }

    @Test("a synchronous action that the server does not do throws")
    func notDoneNow() async throws {
        let world = try await placedWorld()
        world.server.answer("POST", with: nil, status: 204, processes: false)
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(task(1), setting: [("parent", 2)])
        }
        #expect(error?.message == "move tasks/1: the server accepted “move” and left parent as it was")
        #expect(try await world.synchronizer.record(at: task(1))?["parent"] == 3)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test(
        "an action whose answer was lost does not go again for a decision about other members",
        arguments: [true, false])
    func lostBesideClash(_ isMine: Bool) async throws {
        let world = try await world(mayRepeat: false)
        for title in ["a", "b"] { world.server.insert("tasks", ["title": .string(title)]) }
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(task(1), setting: [("parent", 2)])
        world.server.loseAnswer(to: "POST", processes: false)
        try await world.synchronizer.push()
        try await world.synchronizer.edit(task(1), setting: [("title", "mine")])
        world.server.edit("tasks", 1, ["title": "theirs"])
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.conflicts().map(\.uri) == [task(1)])
        try await world.synchronizer.resolve(task(1), isMine ? .mine : .set([("title", "third")]))
        try await world.synchronizer.push()
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 1)
        guard case .unknown(let sent)? = try await world.synchronizer.object(at: task(1))?.meta.outgoing?.phase else {
            Issue.record("nobody is asked what became of the action")
            return
        }
        #expect(sent.action == "move")
        try await world.synchronizer.resolve(task(1), .resend)
        try await world.synchronizer.push()
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 2)
        #expect(world.server.rows("tasks")[0]["title"] == (isMine ? "mine" : "third"))
        #expect(world.server.rows("tasks")[0]["parent"] == 2)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an action that may have been done is no change of another to a delete", arguments: [true, false])
    func deletedInDoubt(_ isAtOnce: Bool) async throws {
        let world = try await world(mayRepeat: false) {
            $0.version = .compare
            $0.conflict.deletedHere = .ask
        }
        for title in ["a", "b"] { world.server.insert("tasks", ["title": .string(title)]) }
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(task(1), setting: [("parent", 2)])
        world.server.loseAnswer(to: "POST")
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.unknown().map(\.uri) == [task(1)])
        #expect(world.server.rows("tasks")[0]["parent"] == 2)
        if isAtOnce {
            try await world.synchronizer.deleteNow(task(1))
        } else {
            try await world.synchronizer.delete(task(1))
            #expect(try await world.synchronizer.push().deleted == 1)
        }
        #expect(world.server.rows("tasks").map { $0["title"] } == ["b"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("what another has changed beside such an action is asked about still")
    func deletedBesideOthers() async throws {
        let world = try await world(mayRepeat: false) {
            $0.version = .compare
            $0.conflict.deletedHere = .ask
        }
        for title in ["a", "b"] { world.server.insert("tasks", ["title": .string(title)]) }
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(task(1), setting: [("parent", 2)])
        world.server.loseAnswer(to: "POST")
        try await world.synchronizer.push()
        world.server.edit("tasks", 1, ["title": "theirs"])
        try await world.synchronizer.delete(task(1))
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.conflicts().map(\.uri) == [task(1)])
        #expect(world.server.rows("tasks").count == 2)
    }

    /// Three tasks, of which one moves below another when it is called so, or is renamed.
    private func calling(mayRepeat: Bool = true) async throws -> TinyWorld {
        let world = try await world(mayRepeat: mayRepeat) {
            $0.conflict.deletedHere = .ask
            $0.actions.append(Action(name: "rename", method: "POST", path: try! PathTemplate("tasks/{id}/")))
        }
        for title in ["a", "b", "c"] { world.server.insert("tasks", ["title": .string(title)]) }
        try await world.synchronizer.pull()
        return world
    }

    @Test("what a call sets takes the place of an edit of the same member that waits, and of no other")
    func calledOverEdit() async throws {
        let world = try await calling()
        try await world.synchronizer.edit(task(1), setting: [("parent", 2)])
        _ = try await world.synchronizer.request("move", on: task(1), arguments: ["parent": 3])
        #expect(try await world.synchronizer.pending().isEmpty)
        try await world.synchronizer.edit(task(1), setting: [("title", "b"), ("note", "n")])
        _ = try await world.synchronizer.request("rename", on: task(1), arguments: ["title": "renamed"])
        #expect(try await world.synchronizer.conflicts().isEmpty)
        world.server.clearLog()
        try await world.synchronizer.push()
        #expect(world.server.log == [#"PATCH tasks/1/ {"note":"n"}"#])
        let row = world.server.rows("tasks")[0]
        #expect(row["parent"] == 3 && row["title"] == "renamed" && row["note"] == "n")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an edit that is on the wire while an action is called is not put back to what was before it")
    func calledWhilePushed() async throws {
        let world = try await calling()
        try await world.synchronizer.edit(task(1), setting: [("parent", 2)])
        world.server.clearLog()
        let gate = Gate()
        let slow = try await world.holding("POST", at: gate)
        async let push = slow.push()
        await gate.waitForArrivals()
        _ = try await world.synchronizer.request("move", on: task(1), arguments: ["parent": 3])
        gate.open()
        _ = try await push
        try await world.synchronizer.push()
        #expect(world.server.log.filter { $0.hasPrefix("POST") }.count == 2, "\(world.server.log)")
        #expect(world.server.rows("tasks")[0]["parent"] == 3)
        try await world.synchronizer.refresh(task(1))
        #expect(try await world.synchronizer.record(at: task(1))?["parent"] == 3)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a call whose answer shows nothing, and whose read fails, is no change of another")
    func calledUnshown() async throws {
        let world = try await calling()
        try await world.synchronizer.edit(task(1), setting: [("parent", 2)])
        world.server.answer("POST", with: nil, status: 204)
        for _ in 0..<8 { world.server.answer("GET", with: #"{"detail":"No."}"#, status: 500, processes: false) }
        _ = try? await world.synchronizer.request("move", on: task(1), arguments: ["parent": 3])
        world.server.forgetFaults()
        #expect(world.server.rows("tasks")[0]["parent"] == 3)
        try await world.synchronizer.edit(task(1), setting: [("parent", 4)])
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.conflicts().isEmpty)
        #expect(world.server.rows("tasks")[0]["parent"] == 4)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an argument that the answer does not show as the member's value leaves the edit of that member")
    func otherArgument() async throws {
        let world = try await calling()
        try await world.synchronizer.edit(task(1), setting: [("title", "b")])
        world.server.answer("POST", with: #"{"id":1,"title":"a","rev":1}"#, processes: false)
        _ = try await world.synchronizer.request("rename", on: task(1), arguments: ["title": "tag"])
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks")[0]["title"] == "b")
    }

    @Test("a delete that waits goes on behind a call that changes the object")
    func calledOverDelete() async throws {
        let world = try await calling()
        try await world.synchronizer.delete(task(1))
        _ = try await world.synchronizer.request("move", on: task(1), arguments: ["parent": 3])
        #expect(try await world.synchronizer.push().deleted == 1)
        #expect(try await world.synchronizer.conflicts().isEmpty)
        #expect(world.server.rows("tasks").map { $0["title"] } == ["b", "c"])
    }

    @Test("a call that got no answer is no change of another to an edit before it, after it, or to a delete")
    func calledInDoubt() async throws {
        for value in [2, 1, nil] as [Value?] {
            let world = try await calling(mayRepeat: false)
            if value == 2 { try await world.synchronizer.edit(task(1), setting: [("parent", 2)]) }
            world.server.loseAnswer(to: "POST")
            await #expect(throws: SyncError.self) {
                try await world.synchronizer.request("move", on: task(1), arguments: ["parent": 3])
            }
            #expect(world.server.rows("tasks")[0]["parent"] == 3)
            if value == 1 { try await world.synchronizer.edit(task(1), setting: [("parent", 2)]) }
            if value == nil { try await world.synchronizer.delete(task(1)) }
            try await world.synchronizer.push()
            #expect(try await world.synchronizer.conflicts().isEmpty, "\(String(describing: value))")
            let parent = world.server.rows("tasks").first { $0["title"] == "a" }?["parent"]
            let wanted: Value? = value == nil ? nil : 2
            #expect(parent == wanted)
            #expect(try await world.synchronizer.pending().isEmpty)
        }
    }

    @Test("an edit back to what is here, behind a call that got no answer, is taken back there")
    func calledAndBack() async throws {
        let world = try await calling(mayRepeat: false)
        _ = try await world.synchronizer.request("move", on: task(1), arguments: ["parent": 2])
        world.server.loseAnswer(to: "POST")
        await #expect(throws: SyncError.self) {
            try await world.synchronizer.request("move", on: task(1), arguments: ["parent": 3])
        }
        #expect(try await world.synchronizer.record(at: task(1))?["parent"] == 2)
        try await world.synchronizer.edit(task(1), setting: [("parent", 2)])
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks")[0]["parent"] == 2)
        #expect(try await world.synchronizer.record(at: task(1))?["parent"] == 2)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("what was edited while the call was on its way is newer than that")
    func editedWhileCalled() throws {
        let resource = try #require(try TinyWorld.routeFile().resource("tasks"))
        let engine = ChangeEngine(resource)
        let base = ObjectRecord(["id": 1, "title": "a"])
        let confirmed = MetaObject.Confirmed(base: base, sequence: 9)
        func object(_ title: Value) -> LocalObject {
            let state = MetaObject.State.updated(confirmed, Change(idempotencyKey: "k"))
            return LocalObject(
                record: ObjectRecord(["id": 1, "title": title]),
                meta: MetaObject(uri: task(1), id: ObjectID("1", .number), state: state))
        }
        let left = engine.withoutEdits(of: ["title"], in: object("older"), object("newer"), key: "next")
        #expect(left == object("newer"))
        let dropped = engine.withoutEdits(of: ["title"], in: object("older"), object("older"), key: "next")
        #expect(dropped.record == base && dropped.meta.state == .synchronized(confirmed))
    }

    @Test("an action is called at once by name, its arguments go where they are declared, unknown ones are refused")
    func called() async throws {
        let world = try await world { tasks in
            tasks.actions[0].body = []
            tasks.actions.append(
                Action(name: "clear", method: "POST", path: try! PathTemplate("tasks/"), query: ["list"]))
        }
        world.server.insert("tasks", ["title": "a"])
        let second = try await world.synchronizer.save(["title": "b"], as: "tasks")
        try await world.synchronizer.push()
        try await world.synchronizer.pull()
        world.server.clearLog()
        // The identifier from before the create is known still.
        _ = try await world.synchronizer.request("move", on: task(1), arguments: ["parent": .string(second.id)])
        _ = try await world.synchronizer.request("clear", of: "tasks", arguments: ["list": 7, "title": "c"])
        #expect(world.server.log == ["POST tasks/1/move?parent=2", #"POST tasks/?list=7 {"title":"c"}"#])
        #expect(try await world.synchronizer.record(at: task(1))?["parent"] == 2)
        let unknown = await #expect(throws: SyncError.self) {
            try await world.synchronizer.request("move", on: task(1), arguments: ["parrent": 2])
        }
        #expect(
            unknown?.message == "the action “move” of tasks has no argument “parrent”; it takes parent, behind"
        )
        let single = await #expect(throws: SyncError.self) {
            try await world.synchronizer.request("move", of: "tasks")
        }
        #expect(single?.message == "the action “move” is for one object: write tasks/ID")
    }
}
