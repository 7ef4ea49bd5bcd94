import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Creates of which the server takes a part")
struct CreatePartTests {
    /// A server that takes nothing but the title of a new object.
    private func world(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
            change(&$0)
        }
        world.server.put("tasks", 1, ["title": "new", "n": 0, "note": ""])
        world.server.answer(
            "POST", with: #"{"id":1,"rev":1,"title":"new","n":0,"note":""}"#, status: 201, processes: false)
        return world
    }

    private let one = ObjectURI(entity: "tasks", id: "1")
    private let members: Value.Members = ["title": "new", "n": 7, "note": "keep me", "done": false]

    @Test("what a create leaves out goes with an update")
    func updated() async throws {
        let world = try await world()
        try await world.synchronizer.save(members, as: "tasks")
        let report = try await world.synchronizer.push()
        #expect(report.created == 1 && report.updated == 1, "\(report)")
        let row = try #require(world.server.rows("tasks").first)
        #expect(row["n"] == 7 && row["note"] == "keep me" && row["done"] == nil)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("what an update leaves out as well is kept for a person, and so is all of it where there is no update")
    func refused() async throws {
        for canUpdate in [true, false] {
            let world = try await world { $0.update.isOffered = canUpdate }
            world.server.answer("PATCH", with: #"{"id":1,"rev":1,"title":"new","n":0,"note":""}"#, processes: false)
            try await world.synchronizer.save(members, as: "tasks")
            try await world.synchronizer.push()
            let refused = try #require(try await world.synchronizer.rejected().first)
            #expect(refused.uri == one && refused.record?["n"] == 7 && refused.record?["note"] == "keep me")
            #expect(world.server.log.count { $0.hasPrefix("PATCH") } == (canUpdate ? 1 : 0))
        }
    }

    @Test("who waits for the create is told, and nothing stays queued")
    func now() async throws {
        let world = try await world()
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.saveNow(members, as: "tasks")
        }
        #expect(error?.message.contains("create tasks/1: the server accepted the create and left n, note out") == true)
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.record(at: one)?["n"] == 0)
    }

    @Test("what the server does not show of a create it may have taken: it does not go twice, and a person is asked")
    func neverShown() async throws {
        let sent: Value.Members = ["title": "new", "comment": "hello"]
        let world = try await world()
        try await world.synchronizer.save(sent, as: "tasks")
        let report = try await world.synchronizer.push()
        #expect(report.created == 1 && report.updated == 0, "\(report)")
        let refused = try #require(try await world.synchronizer.rejected().first)
        #expect(refused.record?["comment"] == "hello")
        let message = refused.meta.outgoing?.lastError?.message ?? ""
        #expect(message.contains("left comment out") && message.contains("write writeonly: [comment]"))
        // Whoever waits for it has it, and makes no second one.
        let other = try await self.world()
        #expect(try await other.synchronizer.saveNow(sent, as: "tasks") == one)
        // What only a create may carry was taken.
        let once = try await self.world { $0.update.without = ["comment"] }
        try await once.synchronizer.save(sent, as: "tasks")
        #expect(try await once.synchronizer.push().created == 1)
        for world in [other, once] { #expect(try await world.synchronizer.pending().isEmpty) }
        for world in [world, other, once] { #expect(!world.server.log.contains { $0.hasPrefix("PATCH") }) }
    }

    @Test(
        "a create that was looked up and says less than was sent may have been cleared there: both sides are asked for")
    func lookedUp() async throws {
        let world = try await TinyWorld { $0.duplicate = nil }
        try await world.synchronizer.save(["title": "new", "n": 7], as: "tasks")
        world.server.loseAnswer(to: "POST")
        for _ in 0..<20 { world.server.loseAnswer(to: "GET") }
        try await world.synchronizer.push()
        world.server.forgetFaults()
        world.server.edit("tasks", 1, ["n": 0])
        try await world.pass(.seconds(3600))
        try await world.synchronizer.push()
        guard case .conflicted(let conflict)? = try await world.synchronizer.object(at: one)?.meta.outgoing?.phase
        else {
            Issue.record("nobody is asked: \(String(describing: try await world.synchronizer.object(at: one)))")
            return
        }
        #expect(conflict.fields == ["n"])
        #expect(world.server.rows("tasks").first?["n"] == 0)
    }

    @Test(
        "a create that was looked up and shows less than was sent keeps that, for a person to say whether it was taken")
    func lookedUpInPart() async throws {
        let world = try await TinyWorld { $0.duplicate = nil }
        try await world.synchronizer.save(["title": "new", "note": "keep me"], as: "tasks")
        world.server.loseAnswer(to: "POST")
        for _ in 0..<20 { world.server.loseAnswer(to: "GET") }
        try await world.synchronizer.push()
        world.server.forgetFaults()
        var row = try #require(world.server.rows("tasks").first)
        row["note"] = nil
        world.server.put("tasks", 1, row)
        try await world.pass(.seconds(3600))
        try await world.synchronizer.push()
        let refused = try #require(try await world.synchronizer.rejected().first)
        #expect(refused.uri == one && refused.record?["note"] == "keep me")
        #expect(!world.server.log.contains { $0.hasPrefix("PATCH") })
    }

    @Test("a create that its answer has named is read there until a read shows nothing, and only then looked up")
    func readFirst() async throws {
        let world = try await TinyWorld { $0.duplicate = nil }
        try await world.synchronizer.save(["title": "new"], as: "tasks")
        world.server.answer("POST", with: #"{"id":1}"#, status: 201)
        for _ in 0..<20 { world.server.answer("GET", with: nil, status: 500) }
        try await world.synchronizer.push()
        world.server.forgetFaults()
        world.server.clearLog()
        try await world.pass(.seconds(3600))
        try await world.synchronizer.push()
        #expect(world.server.log == ["GET tasks/1/"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test(
        "a create that its answer has named ends with a tombstone under that name, and an edit since then is asked about"
    )
    func tombstone() throws {
        let resource = try #require(try TinyWorld.routeFile().resource("tasks"))
        // Sent with the identifier that it had here until its answer named it.
        let tried = ObjectRecord(["id": "00000000-0000-4000-8000-000000000001", "title": "x"])
        let sent = ObjectRecord(["id": 1, "title": "x"])
        let outgoing = Change(
            phase: .unknown(.init(record: tried, revision: 1, sequence: 5)), idempotencyKey: "k",
            evidence: .named(isLookedFor: false))
        func plan(_ record: ObjectRecord?, at sequence: Int64) -> Plan {
            let meta = MetaObject(
                uri: one, id: ObjectID("1", .number), state: .created(outgoing, deleting: record == nil), revision: 1)
            var gone = Representation(record: nil, id: meta.id, version: nil, sequence: sequence)
            gone.isDeleted = true
            return ChangeEngine(resource).remote(
                gone, over: LocalObject(record: record, meta: meta), uri: one, key: "k2")
        }
        for record in [sent, nil] { #expect(plan(record, at: 6).outcome == .remove) }
        let edited = ObjectRecord(["id": 1, "title": "y"])
        guard case .put(let asked) = plan(edited, at: 6).outcome,
            case .conflicted? = asked.meta.outgoing?.phase
        else {
            Issue.record("nobody is asked")
            return
        }
        #expect(asked.record == edited)
        // Said before the create was answered, it is about an older object.
        #expect(plan(sent, at: 4).outcome == .keep)
    }

    @Test("what is never shown, or as it is by default, is no part that was left out")
    func hidden() async throws {
        let world = try await world { $0.writeonly = ["note"] }
        try await world.synchronizer.save(["title": " new ", "note": "secret", "done": false], as: "tasks")
        let report = try await world.synchronizer.push()
        #expect(report.created == 1 && report.updated == 0)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("of two creates for which the server finds one object, the second is asked about, and keeps what it sent")
    func foundByTwo() throws {
        let resource = try #require(try TinyWorld.routeFile { $0.lookup = nil }.resource("tasks"))
        let sent = ObjectRecord(["title": "x", "color": "blue"])
        let theirs = ObjectRecord(["id": 1, "title": "x", "color": "red"])
        let snapshot = Attempt(record: sent, revision: 1, sequence: 5)
        var outgoing = Change(phase: .sending(snapshot), idempotencyKey: "k")
        outgoing.lowWaterMark = 5
        let uri = ObjectURI(entity: "tasks", id: "new")
        let object = LocalObject(
            record: sent,
            meta: MetaObject(
                uri: uri, id: ObjectID("new", .temporary), state: .created(outgoing, deleting: false), revision: 1))
        let answer = Representation(record: theirs, id: ObjectID("1", .number), version: nil, sequence: 5)
        let confirmed = MetaObject.Confirmed(base: theirs, sequence: 7)
        for isOthers in [true, false] {
            var engine = ChangeEngine(resource)
            engine.named = LocalObject(
                record: theirs,
                meta: MetaObject(uri: one, id: ObjectID("1", .number), state: .synchronized(confirmed)))
            engine.isNamedByOther = isOthers
            let plan = engine.conclude(
                .accepted(answer), to: snapshot, of: object, arrival: 9, key: "k2", retryAt: { _ in .distantFuture })
            guard case .put(let kept) = plan.outcome else {
                Issue.record("nothing is kept")
                return
            }
            #expect(kept.meta.isLocalOnly == isOthers && (kept.record == sent) == isOthers)
            guard isOthers else { continue }
            #expect(kept.meta.outgoing?.lastError?.message.contains("created from here as well") == true)
        }
    }

    // MARK: What no create carries

    /// A client whose creates never carry a status.
    private func statusWorld(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        try await TinyWorld {
            $0.create.without = ["status"]
            change(&$0)
        }
    }

    enum Way: CaseIterable { case create, edit, createNow, editNow, lost, short }

    @Test("what the create never carries follows with an update", arguments: Way.allCases)
    func follows(_ way: Way) async throws {
        let world = try await statusWorld()
        let synchronizer = world.synchronizer
        let whole: Value.Members = ["title": "a", "status": "done"]
        switch way {
        case .create: _ = try await synchronizer.save(whole, as: "tasks")
        case .edit:
            let made = try await synchronizer.save(["title": "a"], as: "tasks")
            try await synchronizer.edit(made, setting: [("status", "done")])
        case .createNow: _ = try await synchronizer.saveNow(whole, as: "tasks")
        case .editNow:
            let made = try await synchronizer.save(["title": "a"], as: "tasks")
            _ = try await synchronizer.editNow(made, setting: [("status", "done")])
        case .lost:
            world.server.loseAnswer(to: "POST")
            _ = try await synchronizer.save(whole, as: "tasks")
        case .short:
            world.server.answer("POST", with: #"{"id":1}"#, status: 201)
            _ = try await synchronizer.save(whole, as: "tasks")
        }
        try await synchronizer.push()
        let sent = world.server.log.filter { !$0.hasPrefix("GET") }
        #expect(sent.count == 2 && sent.first?.contains("status") == false, "\(sent)")
        #expect(sent.last == #"PATCH tasks/1/ {"status":"done"}"#)
        #expect(world.server.rows("tasks").first?["status"] == "done")
        #expect(try await synchronizer.record(at: one)?["status"] == "done")
        #expect(try await synchronizer.pending().isEmpty)
    }

    @Test("it goes over the server's default, whether the answer or a read shows that", arguments: [true, false])
    func overDefault(_ isAnswered: Bool) async throws {
        let world = try await statusWorld {
            $0.lookup = nil
            $0.duplicate = nil
        }
        world.server.put("tasks", 1, ["title": "a", "status": "open"])
        let answer = isAnswered ? #"{"id":1,"title":"a","status":"open","rev":1}"# : #"{"id":1}"#
        world.server.answer("POST", with: answer, status: 201, processes: false)
        try await world.synchronizer.save(["title": "a", "status": "done"], as: "tasks")
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").first?["status"] == "done")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("where no update carries it either, a new object cannot have it", arguments: [true, false])
    func neverWritten(_ isOffered: Bool) async throws {
        let world = try await statusWorld {
            $0.update.isOffered = isOffered
            $0.update.without = ["status"]
        }
        await #expect {
            try await world.synchronizer.save(["title": "a", "status": "done"], as: "tasks")
        } throws: { error in
            let error = error as? SyncError
            return error?.code == .invalidRecord && error?.message.contains("(create.without)") == true
        }
        try await world.synchronizer.save(["title": "a", "status": .null], as: "tasks")
        #expect(try await world.synchronizer.push().created == 1)
    }

    @Test("the preview of a new object has the update that follows its create")
    func preview() async throws {
        let world = try await statusWorld()
        try await world.synchronizer.save(["title": "a", "status": "done"], as: "tasks")
        let preview = try await world.synchronizer.pushPreview().requests
        #expect(preview.map(\.verb) == ["create", "update"])
        #expect(preview.last?.changed == ["status"])
    }
}
