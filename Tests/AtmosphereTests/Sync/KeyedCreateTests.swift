import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Creates that carry an idempotency key")
struct KeyedCreateTests {
    private func world(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
            $0.create.idempotencyHeader = "Idempotency-Key"
            change(&$0)
        }
        world.server.knowKeys()
        return world
    }

    /// A create whose answer was lost, with an edit since; the server has the first title.
    private func lost(_ world: TinyWorld) async throws -> ObjectURI {
        let uri = try await world.synchronizer.save(["title": "first"], as: "tasks")
        world.server.loseAnswer(to: "POST")
        // The process ends before it can send it again.
        world.server.fail(
            .init(applies: { $0.method == "POST" }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        try await world.synchronizer.edit(uri, setting: [("title", "second")])
        return uri
    }

    private func refuse(_ world: TinyWorld, _ status: Int, times: Int = 1) {
        for _ in 0..<times { world.server.answer("POST", with: "{}", status: status, processes: false) }
    }

    @Test(
        "one that is sent at once and answered without an identifier is sent again under its key", arguments: [202, 201]
    )
    func acceptedAtOnce(_ status: Int) async throws {
        let world = try await world()
        let uri = try await world.synchronizer.save(["title": "first"], as: "tasks")
        world.server.answer("POST", with: #"{"status":"queued"}"#, status: status)
        _ = try? await world.synchronizer.editNow(uri, setting: [("note", "n")])
        let object = try #require(try await world.synchronizer.object(at: uri))
        let stored = object.meta.stored(beside: object.record)
        #expect(try MetaObject(stored: stored, beside: object.record, uri: uri) == object.meta)
        let due = try #require(object.meta.outgoing?.retry.due)
        #expect(world.now.duration(to: due) <= .seconds(1))
        try await world.pass(.seconds(60))
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["note"] } == ["n"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("one that is sent at once with an edit, and answered with 409 each time, goes on under its key")
    func underWayAtOnce() async throws {
        let world = try await world()
        let uri = try await world.synchronizer.save(["title": "first"], as: "tasks")
        // Something between sends it twice, and the answer is that to the second.
        world.server.answer("POST", with: "{}", status: 409)
        refuse(world, 409)
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("note", "n")])
        }
        #expect(error?.code == .refused && error?.mayHaveHappened == true)
        #expect(try await world.synchronizer.object(at: uri)?.meta.outgoing?.evidence == .underWay)
        try await world.pass(.seconds(60))
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["note"] } == ["n"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("one that is sent at once, and answered with 409, is sent again under its key in the same call")
    func underWayNow() async throws {
        let world = try await world()
        world.server.answer("POST", with: "{}", status: 409)
        _ = try await world.synchronizer.saveNow(["title": "first"], as: "tasks")
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 2)
        #expect(world.server.rows("tasks").count == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a refusal of the repeated create says nothing of the first, and loses no edit", arguments: [409, 403, 422])
    func refusedRepeat(_ status: Int) async throws {
        let world = try await world()
        _ = try await lost(world)
        refuse(world, status)
        try await world.synchronizer.push()
        try await world.pass(.seconds(60))
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["second"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a create that is refused under its key each time waits for a person, who can send it anew")
    func refusedForGood() async throws {
        let world = try await world()
        let uri = try await lost(world)
        refuse(world, 409, times: 100)
        for _ in 0..<20 {
            try await world.pass(.seconds(3600))
            try await world.synchronizer.push()
        }
        #expect(world.server.log.count { $0.hasPrefix("POST") } == ChangeEngine.mostRepeats + 2)
        let object = try #require(try await world.synchronizer.object(at: uri))
        #expect(!world.synchronizer.findsOut(object))
        #expect(object.record?["title"] == "second")
        world.server.forgetFaults()
        try await world.synchronizer.resolve(uri, .resend)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["first", "second"])
    }

    @Test(
        "one that was answered each time, and with 409, is refused, and an edit of it goes under a new key",
        arguments: [true, false])
    func plainlyRefused(_ namesField: Bool) async throws {
        let world = try await world()
        let body = namesField ? #"{"title":["is taken"]}"# : #"{"non_field_errors":["title taken"]}"#
        for _ in 0..<20 { world.server.answer("POST", with: body, status: 409, processes: false) }
        let uri = try await world.synchronizer.save(["title": "first"], as: "tasks")
        for _ in 0..<5 {
            try await world.synchronizer.push()
            try await world.pass(.seconds(3600))
        }
        #expect(world.server.log.count { $0.hasPrefix("POST") } == (namesField ? 1 : ChangeEngine.mostUnderWay))
        #expect(try await world.synchronizer.status()[1].counts.rejected == 1)
        world.server.forgetFaults()
        try await world.synchronizer.edit(uri, setting: [("title", "second")])
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["second"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test(
        "a 503 on the way may have been the deed, so what is refused after it in the same exchange keeps its key",
        arguments: [400, 401, 403, 404, 409, 410, 422])
    func unavailableBefore(_ status: Int) async throws {
        let world = try await world()
        world.server.answer("POST", with: "{}", status: 503)
        refuse(world, status, times: 3)
        let uri = try await world.synchronizer.save(["title": "first"], as: "tasks")
        for _ in 0..<4 {
            try await world.synchronizer.push()
            try await world.pass(.seconds(3600))
        }
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "first")
        #expect(world.server.rows("tasks").map { $0["title"] } == ["first"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an edit made while the server seems to be at it goes once that is refused")
    func editedUnderWay() async throws {
        let world = try await world()
        let uri = try await world.synchronizer.save(["title": "first"], as: "tasks")
        refuse(world, 409)
        world.server.goOffline(false)
        world.server.fail(
            .init(applies: { $0.method == "POST" }, processes: false, outcome: { throw CancellationError() }))
        _ = try? await world.synchronizer.push()
        try await world.synchronizer.edit(uri, setting: [("title", "second")])
        try await world.synchronizer.push()
        try await world.pass(.seconds(3600))
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["second"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a create that is refused for its content gets a new key with an edit or a retry", arguments: [true, false])
    func newKey(_ isEdited: Bool) async throws {
        let world = try await world()
        let keys = Sent()
        world.server.fail(
            .init(
                applies: { request in
                    if request.method == "POST" { keys.note(request.headers["Idempotency-Key"]) }
                    return false
                }, processes: false, outcome: { nil }))
        let uri = try await world.synchronizer.save(["title": "bad"], as: "tasks")
        try await world.synchronizer.push()
        if isEdited {
            try await world.synchronizer.edit(uri, setting: [("title", "good")])
        } else {
            try await world.synchronizer.retry(uri)
        }
        try await world.synchronizer.push()
        #expect(keys.values.count == 2 && Set(keys.values).count == 2)
        #expect(world.server.rows("tasks").count == (isEdited ? 1 : 0))
    }

    @Test("where there is a look-up too, a refused repeat is looked up and adopted with its edit")
    func lookedUp() async throws {
        let world = try await world { $0.lookup = Lookup(field: "uuid", parameter: "uuid") }
        let uri = try await lost(world)
        _ = uri
        refuse(world, 409)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["second"])
        #expect(world.server.log.contains { $0.contains("uuid=") })
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    /// A create whose answer was lost, though the server has done it: it answers so, once more, for the key.
    private func forgotten(_ world: TinyWorld) async throws {
        try await world.synchronizer.save(["title": "first"], as: "tasks")
        world.server.loseAnswer(to: "POST")
        world.server.fail(
            .init(applies: { $0.method == "POST" }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
    }

    @Test("an answer that is remembered for the key makes nothing of what was shown and deleted since")
    func deletedAndTold() async throws {
        let world = try await world()
        try await forgotten(world)
        try await world.synchronizer.pull()
        world.server.remove("tasks", 1)
        try await world.synchronizer.refresh(ObjectURI(entity: "tasks", id: "1"))
        world.server.clearLog()
        try await world.pass(.seconds(60))
        try await world.synchronizer.push()
        #expect(world.server.log.filter { $0.hasPrefix("POST") || $0 == "GET tasks/1/" }.count == 1)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).isEmpty, "\(world.server.log)")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an answer that is remembered for the key is followed by a read, which shows a deletion since")
    func deletedAndUntold() async throws {
        let world = try await world()
        try await forgotten(world)
        world.server.remove("tasks", 1)
        try await world.pass(.seconds(60))
        try await world.synchronizer.push()
        #expect(world.server.log.contains("GET tasks/1/"))
        #expect(try await world.synchronizer.records(matching: Query("tasks")).isEmpty, "\(world.server.log)")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an answer that shows what another has made of it since the first try clashes with an edit here")
    func editedThere() async throws {
        let world = try await world()
        _ = try await lost(world)
        let task = ObjectURI(entity: "tasks", id: "1")
        world.server.edit("tasks", 1, ["title": "theirs", "note": "n"])
        world.server.answer(
            "POST", with: #"{"id":1,"title":"theirs","note":"n","rev":2}"#, status: 201, processes: false)
        try await world.synchronizer.push()
        #expect(!world.server.log.contains { $0.hasPrefix("PATCH") })
        let object = try #require(try await world.synchronizer.object(at: task))
        guard case .conflicted(let conflict)? = object.meta.outgoing?.phase else {
            Issue.record("no conflict: \(object.meta.state)")
            return
        }
        #expect(conflict.fields == ["title"] && conflict.theirs?["title"] == "theirs")
        #expect(object.meta.confirmed?.base["title"] == "first" && object.record?["title"] == "second")
        try await world.synchronizer.resolve(task, .mine)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["second"])
        #expect(world.server.rows("tasks").map { $0["note"] } == ["n"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("what another has made of it since the first try is taken where nothing was edited here")
    func editedThereAlone() async throws {
        let world = try await world()
        let uri = try await world.synchronizer.save(["title": "first"], as: "tasks")
        world.server.loseAnswer(to: "POST")
        world.server.fail(
            .init(applies: { $0.method == "POST" }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        world.server.edit("tasks", 1, ["title": "theirs"])
        world.server.answer("POST", with: #"{"id":1,"title":"theirs","rev":2}"#, status: 201, processes: false)
        #expect(try await world.synchronizer.push().created == 1)
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "theirs")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("asked to send it again, a create that is repeated by itself keeps its key")
    func resend() async throws {
        let world = try await world()
        let uri = try await lost(world)
        world.server.goOffline(true)
        try await world.synchronizer.push()
        world.server.goOffline(false)
        #expect(world.synchronizer.findsOut(try #require(try await world.synchronizer.object(at: uri))))
        try await world.synchronizer.resolve(uri, .resend)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["second"])
    }

    @Test("an answer that was cut off is asked for again under the key")
    func cutAnswer() async throws {
        let world = try await world()
        world.server.answer("POST", with: #"{"id": 1, "ti"#, status: 201)
        try await world.synchronizer.save(["title": "a"], as: "tasks")
        try await world.synchronizer.push()
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 2)
        #expect(world.server.rows("tasks").count == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a create that is accepted without an identifier each time waits for a person")
    func acceptedWithoutIdentifier() async throws {
        let world = try await world()
        for _ in 0..<100 { world.server.answer("POST", with: "{}", status: 201) }
        let uri = try await world.synchronizer.save(["title": "a"], as: "tasks")
        for _ in 0..<20 {
            try await world.pass(.seconds(3600))
            try await world.synchronizer.push()
        }
        #expect(world.server.log.count { $0.hasPrefix("POST") } == ChangeEngine.mostRepeats)
        #expect(world.server.rows("tasks").count == 1)
        #expect(!world.synchronizer.findsOut(try #require(try await world.synchronizer.object(at: uri))))
        #expect(try await world.synchronizer.status()[1].counts.unknown == 1)
    }

    @Test("an update that is edited after a lost answer does not go under the key of the first")
    func updateKey() async throws {
        let world = try await world()
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        world.server.fail(
            .init(applies: { $0.method == "PATCH" }, processes: false, outcome: { throw CancellationError() }))
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        let first = try await world.synchronizer.object(at: uri)?.meta.outgoing?.idempotencyKey
        try await world.synchronizer.edit(uri, setting: [("title", "c")])
        let second = try await world.synchronizer.object(at: uri)?.meta.outgoing?.idempotencyKey
        #expect(first != nil && second != nil && first != second)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks")[0]["title"] == "c")
    }
}
