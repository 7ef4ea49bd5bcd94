import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Creates that are accepted and not shown")
struct AcceptedCreateTests {
    /// The server has accepted “new” as task 50 and does not show it.
    private func accepted(
        _ change: (inout Resource) -> Void = {
            $0.lookup = nil
            $0.duplicate = nil
        }
    ) async throws -> (world: TinyWorld, made: ObjectURI) {
        let world = try await TinyWorld(change)
        world.server.answer("POST", with: #"{"id":50}"#, status: 202, processes: false)
        let made = try await world.synchronizer.save(["title": "new"], as: "tasks")
        let report = try await world.synchronizer.push()
        #expect(report.created == 0 && report.standing == [ObjectURI(entity: "tasks", id: "50")], "\(report)")
        return (world, made)
    }

    private func show(_ id: Int, _ title: Value, in world: TinyWorld) {
        world.server.put("tasks", id, ["title": title])
    }

    private func phase(_ world: TinyWorld, _ uri: ObjectURI) async throws -> Change.Phase? {
        try await world.synchronizer.object(at: uri)?.meta.outgoing?.phase
    }

    private func isUnknown(_ world: TinyWorld, _ uri: ObjectURI) async throws -> Bool {
        if case .unknown = try await phase(world, uri) { true } else { false }
    }

    private func posts(_ world: TinyWorld) -> Int { world.server.log.count { $0.hasPrefix("POST") } }

    private let fifty = ObjectURI(entity: "tasks", id: "50")

    @Test("what was sent stays, is asked for again, and is there once the server shows it", arguments: [true, false])
    func shownLater(_ byPull: Bool) async throws {
        let (world, made) = try await accepted()
        #expect(try await isUnknown(world, made))
        #expect(try await world.synchronizer.record(at: made)?["title"] == "new")
        // Neither a pull that does not show it nor an edit is the end of it.
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(made, setting: [("note", "mine")])
        #expect(try await isUnknown(world, made))
        show(50, "new", in: world)
        if byPull {
            try await world.synchronizer.pull()
        } else {
            try await world.pass(.seconds(3600))
        }
        let report = try await world.synchronizer.push()
        #expect(byPull || report.created == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 1)
        #expect(world.server.rows("tasks").first?["note"] == "mine")
        #expect(posts(world) == 1)
    }

    @Test("until it is shown it is a create, so that a process may end before it has looked")
    func endedBeforeTheRead() async throws {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
        }
        world.server.answer("POST", with: #"{"id":50}"#, status: 202, processes: false)
        let gate = Gate()
        let slow = try await world.holding("GET", at: gate)
        let made = try await slow.save(["title": "new"], as: "tasks")
        let push = Task { try await slow.push() }
        await gate.waitForArrivals()
        #expect(try await isUnknown(world, made))
        #expect(try await world.synchronizer.object(at: made)?.meta.isLocalOnly == true)
        push.cancel()
        _ = try? await push.value
        // Nothing that lists it is there, and it stays.
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.record(at: made)?["title"] == "new")
        show(50, "new", in: world)
        try await world.pass(.seconds(3600))
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(posts(world) == 1)
    }

    @Test("it is asked for a few times; then a person decides")
    func neverShown() async throws {
        let (world, made) = try await accepted()
        for _ in 0..<12 {
            try await world.pass(.seconds(7200))
            try await world.synchronizer.push()
        }
        #expect(world.server.log.count { $0 == "GET tasks/50/" } == ChangeEngine.mostLookUps)
        #expect(posts(world) == 1)
        let object = try #require(try await world.synchronizer.object(at: made))
        #expect(!world.synchronizer.findsOut(object) && object.record?["title"] == "new")
        // Sent again it is another object than what the server calls 50, should that come after all.
        try await world.synchronizer.resolve(made, .resend)
        #expect(try await world.synchronizer.push().created == 1)
        let one = ObjectURI(entity: "tasks", id: "1")
        #expect(try await world.synchronizer.object(at: made)?.uri == one)
        show(50, "late", in: world)
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.record(at: one)?["title"] == "new")
        #expect(try await world.synchronizer.record(at: fifty)?["title"] == "late")
        #expect(posts(world) == 2)
    }

    @Test("a person may drop it, or say that it is there")
    func decided() async throws {
        var (world, made) = try await accepted()
        try await world.synchronizer.discard(made)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).isEmpty)
        (world, made) = try await accepted()
        show(50, "new", in: world)
        try await world.synchronizer.resolve(made, .adopt(ObjectID("50", .number)))
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.object(at: made)?.uri == fifty)
    }

    @Test("deleted meanwhile, it is deleted there when it comes")
    func deleted() async throws {
        let (world, made) = try await accepted()
        try await world.synchronizer.delete(made)
        show(50, "new", in: world)
        try await world.pass(.seconds(3600))
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").isEmpty)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("another object under its identifier stands beside it and gets nothing of it", arguments: [true, false])
    func anothers(_ byPull: Bool) async throws {
        let (world, made) = try await accepted()
        show(50, "theirs", in: world)
        if byPull {
            try await world.synchronizer.pull()
        } else {
            try await world.pass(.seconds(3600))
        }
        try await world.synchronizer.push()
        let object = try #require(try await world.synchronizer.object(at: made))
        #expect(try await isUnknown(world, made))
        #expect(object.uri == made && object.record?["title"] == "new", "\(object)")
        #expect(object.record?["id"] == .string(made.id))
        #expect(object.meta.outgoing?.lastError?.message.contains("shows another object") == true)
        #expect(try await world.synchronizer.object(at: fifty)?.meta.isChanged == false)
        #expect(try await world.synchronizer.record(at: fifty)?["title"] == "theirs")
        #expect(!world.synchronizer.findsOut(object))
        try await world.synchronizer.resolve(made, .resend)
        #expect(try await world.synchronizer.push().created == 1)
        #expect(world.server.rows("tasks").map { $0["title"] } == ["new", "theirs"])
        #expect(posts(world) == 2)
    }

    @Test("nothing that is done with it goes to another object", arguments: ["delete", "edit", "retry", "discard"])
    func notToAnothers(_ deed: String) async throws {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
        }
        show(50, "theirs", in: world)
        world.server.answer("POST", with: #"{"id":50}"#, status: 201, processes: false)
        let made = try await world.synchronizer.save(["title": "new"], as: "tasks")
        try await world.synchronizer.push()
        switch deed {
        case "delete": try await world.synchronizer.delete(made)
        case "edit": try await world.synchronizer.edit(made, setting: [("note", "mine")])
        case "retry": await #expect(throws: SyncError.self) { try await world.synchronizer.retry(made) }
        default: try await world.synchronizer.discard(made)
        }
        try await world.pass(.seconds(3600))
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["theirs"])
        #expect(world.server.rows("tasks").first?["note"] == nil)
        #expect(try await world.synchronizer.record(at: fifty)?["title"] == "theirs")
    }

    @Test("what refers to it follows it from another's identifier")
    func childOfAnothers() async throws {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
            $0.references.append(Reference(entity: "tasks", field: "parent"))
        }
        show(50, "theirs", in: world)
        world.server.answer("POST", with: #"{"id":50}"#, status: 201, processes: false)
        let made = try await world.synchronizer.save(["title": "new"], as: "tasks")
        let child = try await world.synchronizer.save(["title": "child", "parent": .string(made.id)], as: "tasks")
        try await world.synchronizer.push()
        let waiting = try #require(try await world.synchronizer.object(at: child))
        #expect(waiting.meta.waitsFor == [made] && waiting.record?["parent"] == .string(made.id))
        try await world.synchronizer.resolve(made, .resend)
        #expect(try await world.synchronizer.push().created == 2)
        #expect(world.server.rows("tasks").contains { $0["title"] == "child" && $0["parent"] == 1 })
    }

    @Test("an answer that shows a part of what was sent, under another's identifier, leads to no write there")
    func partOfAnothers() async throws {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
        }
        show(50, "theirs", in: world)
        world.server.answer("POST", with: #"{"id":50,"title":"new"}"#, status: 201, processes: false)
        let made = try await world.synchronizer.save(["title": "new", "note": "mine"], as: "tasks")
        #expect(try await world.synchronizer.push().created == 0)
        #expect(try await isUnknown(world, made))
        #expect(try await world.synchronizer.object(at: made)?.uri == made)
        #expect(try await world.synchronizer.record(at: made)?["note"] == "mine")
        #expect(try await world.synchronizer.record(at: fifty)?["title"] == "theirs")
        #expect(world.server.rows("tasks").map { $0["title"] } == ["theirs"])
    }

    @Test("one that waited and is sent at once with an edit stays, too")
    func now() async throws {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
        }
        let made = try await world.synchronizer.save(["title": "new"], as: "tasks")
        world.server.answer("POST", with: #"{"id":50}"#, status: 202, processes: false)
        await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(made, setting: [("note", "mine")])
        }
        #expect(try await isUnknown(world, made))
        let record = try await world.synchronizer.record(at: made)
        #expect(record?["title"] == "new" && record?["note"] == "mine")
        world.server.put("tasks", 50, ["title": "new", "note": "mine"])
        try await world.pass(.seconds(3600))
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(posts(world) == 1)
    }

    @Test("a look-up finds it under the identifier that it has")
    func lookedUp() async throws {
        let world = try await TinyWorld()
        world.server.answer("POST", with: #"{"id":50}"#, status: 201)
        let made = try await world.synchronizer.save(["title": "new"], as: "tasks")
        let report = try await world.synchronizer.push()
        #expect(report.created == 1 && report.vanished.isEmpty && report.failures.isEmpty, "\(report)")
        #expect(try await world.synchronizer.object(at: made)?.uri == ObjectURI(entity: "tasks", id: "1"))
        show(50, "fifty", in: world)
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.record(at: fifty)?["title"] == "fifty")
    }

    @Test("of the body of a 202 only the identifier is the object's: what was written stays", arguments: [true, false])
    func ofAJob(_ isDone: Bool) async throws {
        let world = try await TinyWorld {
            guard !isDone else { return }
            $0.lookup = nil
            $0.duplicate = nil
        }
        world.server.answer(
            "POST", with: #"{"id":50,"title":"import job","note":"queued","rev":9}"#, status: 202, processes: isDone)
        let made = try await world.synchronizer.save(["title": "new", "note": "mine"], as: "tasks")
        #expect(try await world.synchronizer.push().created == (isDone ? 1 : 0))
        try await world.synchronizer.pull()
        let record = try await world.synchronizer.record(at: made)
        #expect(record?["title"] == "new" && record?["note"] == "mine")
        #expect(world.server.rows("tasks").map { $0["title"] } == (isDone ? ["new"] : []))
        #expect(try await isUnknown(world, made) == !isDone)
    }

    @Test("the body of a 202 to an update is none of the object's")
    func updateOfAJob() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a", "note": "n"])
        try await world.synchronizer.pull()
        world.server.answer("PATCH", with: #"{"id":1,"title":"update job","note":"queued","rev":9}"#, status: 202)
        let one = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.edit(one, setting: [("title", "b")])
        #expect(try await world.synchronizer.push().updated == 1)
        let record = try await world.synchronizer.record(at: one)
        #expect(record?["title"] == "b" && record?["note"] == "n")
        #expect(world.server.log.last == "GET tasks/1/")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("where no single object is read, a 202 to a create says nothing of it")
    func namelessJob() async throws {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
            $0.read.isOffered = false
        }
        world.server.answer("POST", with: #"{"id":50,"title":"import job"}"#, status: 202, processes: false)
        let made = try await world.synchronizer.save(["title": "new"], as: "tasks")
        #expect(try await world.synchronizer.push().created == 0)
        #expect(try await isUnknown(world, made))
        let object = try #require(try await world.synchronizer.object(at: made))
        #expect(object.uri == made && object.record?["title"] == "new")
    }

    @Test("where the route file says where the object stands in the answer, a 202 shows it")
    func shownJob() async throws {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
            $0.create.item = .member("task")
        }
        world.server.answer(
            "POST", with: #"{"id":50,"task":{"id":1,"title":"new","note":"theirs","rev":1}}"#, status: 202)
        let made = try await world.synchronizer.save(["title": "new"], as: "tasks")
        #expect(try await world.synchronizer.push().created == 1)
        #expect(try await world.synchronizer.record(at: made)?["note"] == "theirs")
        #expect(world.server.log.count { $0.hasPrefix("GET") } == 0)
    }

    @Test("what refers to it waits until it is there, and names it as the server does")
    func child() async throws {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
            $0.references.append(Reference(entity: "tasks", field: "parent"))
        }
        world.server.answer("POST", with: #"{"id":"50"}"#, status: 202, processes: false)
        let made = try await world.synchronizer.save(["title": "new"], as: "tasks")
        let child = try await world.synchronizer.save(["title": "child", "parent": .string(made.id)], as: "tasks")
        try await world.synchronizer.push()
        #expect(posts(world) == 1)
        #expect(try await world.synchronizer.object(at: child)?.meta.waitsFor == [fifty])
        show(50, "new", in: world)
        try await world.pass(.seconds(3600))
        #expect(try await world.synchronizer.push().created == 2)
        #expect(world.server.rows("tasks").contains { $0["title"] == "child" && $0["parent"] == 50 })
    }
}
