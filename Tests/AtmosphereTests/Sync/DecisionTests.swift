import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

/// What requests carried.
final class Sent: Sendable {
    private let state = Mutex<[String?]>([])

    var values: [String?] { state.withLock { $0 } }

    func note(_ value: String?) { state.withLock { $0.append(value) } }
}

@Suite("What a person decides")
struct DecisionTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    /// Both sides changed the title; here the note was changed too, there the colour.
    private func clash() async throws -> TinyWorld {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a", "note": "n", "colour": "red"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(uri, setting: [("title", "mine"), ("note", "my note")])
        world.server.edit("tasks", 1, ["title": "theirs", "colour": "blue"])
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.status()[1].counts.conflicted == 1)
        return world
    }

    private func settled(_ world: TinyWorld, title: Value, note: Value = "my note") async throws {
        try await world.synchronizer.push()
        let row = world.server.rows("tasks")[0]
        #expect(row["title"] == title && row["note"] == note && row["colour"] == "blue")
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.record(at: uri)?["colour"] == "blue")
    }

    @Test("mine wins where both changed, and theirs stays where only they did")
    func mine() async throws {
        let world = try await clash()
        try await world.synchronizer.resolve(uri, .mine)
        try await settled(world, title: "mine")
    }

    @Test("an object that is made anew does not carry the version of the one that was deleted")
    func recreated() async throws {
        let world = try await TinyWorld {
            $0.version = .ifMatch(.field(.member("rev")), ordered: false)
            $0.readonly = []
        }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        world.server.remove("tasks", 1)
        try await world.synchronizer.push()
        try await world.synchronizer.resolve(uri, .mine)
        #expect(try await world.synchronizer.push().created == 1)
        let create = try #require(world.server.log.last { $0.hasPrefix("POST tasks/") })
        #expect(create.contains(#""title":"b""#) && !create.contains("rev"), "\(create)")
    }

    @Test("theirs wins where both changed, and mine stays where only I did")
    func theirs() async throws {
        let world = try await clash()
        try await world.synchronizer.resolve(uri, .theirs)
        try await settled(world, title: "theirs")
    }

    @Test("of a member that is merged deep only what clashes inside of it is decided", arguments: [true, false])
    func deep(isMine: Bool) async throws {
        let world = try await TinyWorld { $0.fields.merge["meta"] = .deep }
        world.server.insert("tasks", ["title": "a", "meta": ["a": 1, "b": ["c": 1]]])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(uri, setting: [("meta", ["a": 1, "b": ["c": 5, "d": 1]])])
        world.server.edit("tasks", 1, ["meta": ["a": 2, "b": ["c": 6]]])
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.status()[1].counts.conflicted == 1)
        try await world.synchronizer.resolve(uri, isMine ? .mine : .theirs)
        try await world.synchronizer.push()
        let meta: Value = ["a": 2, "b": ["c": isMine ? 5 : 6, "d": 1]]
        #expect(world.server.rows("tasks")[0]["meta"] == meta)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an edit of what theirs changed, too, makes it part of the clash")
    func editedSince() async throws {
        let world = try await clash()
        try await world.synchronizer.edit(uri, setting: [("colour", "green"), ("note", "my other note")])
        guard case .conflicted(let conflict) = try await world.synchronizer.object(at: uri)?.meta.outgoing?.phase else {
            Issue.record("no conflict")
            return
        }
        #expect(Set(conflict.fields) == ["title", "colour"])
        try await world.synchronizer.resolve(uri, .theirs)
        try await settled(world, title: "theirs", note: "my other note")
    }

    @Test("an edit back to what was there before is a decision against theirs", arguments: [false, true])
    func editedBack(_ isNow: Bool) async throws {
        let world = try await clash()
        if isNow {
            try await world.synchronizer.editNow(uri, setting: [("title", "a")])
        } else {
            try await world.synchronizer.edit(uri, setting: [("title", "a")])
        }
        try await settled(world, title: "a")
    }

    @Test("what refers to an object that is made anew waits for its new identifier")
    func madeAnew() async throws {
        let world = try await TinyWorld()
        world.server.insert("lists", ["title": "Home"])
        world.server.insert("tasks", ["title": "a", "list": 1])
        try await world.synchronizer.pull()
        let (list, task) = (ObjectURI(entity: "lists", id: "1"), ObjectURI(entity: "tasks", id: "2"))
        try await world.synchronizer.edit(list, setting: [("title", "House")])
        try await world.synchronizer.edit(task, setting: [("title", "b")])
        world.server.remove("tasks", 2)
        world.server.remove("lists", 1)
        try await world.synchronizer.push()
        try await world.synchronizer.resolve(task, .mine)
        try await world.synchronizer.resolve(list, .mine)
        try await world.synchronizer.push()
        #expect(world.server.rows("lists").map { $0["title"] } == ["House"])
        let waiting = try await world.synchronizer.pending()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["b"], "\(world.server.log) \(waiting)")
        #expect(world.server.rows("tasks").first?["list"] == world.server.rows("lists").first?["id"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("what is made anew, and sent again by a person's word, has what the server alone sets")
    func anewAgain() async throws {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
        }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        world.server.remove("tasks", 1)
        try await world.synchronizer.push()
        try await world.synchronizer.resolve(uri, .mine)
        world.server.answer("POST", with: "{}", status: 500, processes: false)
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.status()[1].counts.unknown == 1)
        try await world.synchronizer.resolve(uri, .resend)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["b"], "\(world.server.log)")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("what is as on the server does not follow an object that is made anew")
    func theirsBesideAnew() async throws {
        let world = try await TinyWorld()
        world.server.insert("lists", ["title": "Home"])
        world.server.insert("tasks", ["title": "a", "list": 1])
        try await world.synchronizer.pull()
        let (list, task) = (ObjectURI(entity: "lists", id: "1"), ObjectURI(entity: "tasks", id: "2"))
        try await world.synchronizer.edit(list, setting: [("title", "House")])
        try await world.synchronizer.edit(task, setting: [("title", "mine")])
        world.server.edit("tasks", 2, ["title": "theirs"])
        world.server.remove("lists", 1)
        try await world.synchronizer.push()
        try await world.synchronizer.resolve(list, .mine)
        try await world.synchronizer.resolve(task, .theirs)
        try await world.synchronizer.push()
        #expect(world.server.rows("lists").map { $0["title"] } == ["House"])
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(world.server.rows("tasks").first?["list"] == 1)
        #expect(try await world.synchronizer.record(at: task)?["list"] == 1)
    }

    @Test("an edit that says what theirs says ends the clash, and keeps the others' edits")
    func editedAway() async throws {
        let world = try await clash()
        try await world.synchronizer.edit(uri, setting: [("title", "theirs")])
        #expect(try await world.synchronizer.status()[1].counts.conflicted == 0)
        try await settled(world, title: "theirs")
    }

    @Test("values set for the clash leave all other edits as they are")
    func set() async throws {
        let world = try await clash()
        try await world.synchronizer.resolve(uri, .set([("title", "both")]))
        try await settled(world, title: "both")
    }

    @Test(
        "values that decide nothing are refused, and the conflict stays as it was",
        arguments: [
            ([("titel", "both")], "has no “titel”; did you mean “title”?"),
            ([("title", "both"), ("nosuchthing", 1)], "has no “nosuchthing”; what clashes is “title”"),
            ([("note", "x")], "“note” of tasks/1 does not clash"), ([("rev", 1), ("title", "x")], "cannot be edited")
        ] as [([(name: String, value: Value?)], String)])
    func setWrongly(_ changes: [(name: String, value: Value?)], _ reason: String) async throws {
        let world = try await clash()
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.resolve(uri, .set(changes))
        }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        #expect(try await world.synchronizer.status()[1].counts.conflicted == 1)
        try await world.synchronizer.resolve(uri, .set([("title", "both")]))
        try await settled(world, title: "both")
    }

    @Test("members of an object that the server has deleted cannot be set")
    func setOnDeleted() async throws {
        let world = try await TinyWorld { $0.deletes.byAbsence = true }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(uri, setting: [("title", "mine")])
        try await world.synchronizer.update(uri, with: nil)
        #expect(try await world.synchronizer.status()[1].counts.conflicted == 1)
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.resolve(uri, .set([("title", "both")]))
        }
        #expect(error?.code == .wrongState)
        try await world.synchronizer.resolve(uri, .theirs)
        #expect(try await world.synchronizer.record(at: uri) == nil)
    }

    @Test("what is deleted on the server while a person decides is told by the next full list")
    func deletedMeanwhile() async throws {
        let world = try await TinyWorld {
            $0.deletes.byAbsence = true
            $0.since = nil
        }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        try await world.synchronizer.refresh(uri)
        try await world.synchronizer.edit(uri, setting: [("title", "mine")])
        world.server.edit("tasks", 1, ["title": "theirs"])
        try await world.synchronizer.pull()
        func theirs() async throws -> String {
            let object = try #require(try await world.synchronizer.object(at: uri))
            guard case .conflicted(let conflict)? = object.meta.outgoing?.phase else { return "no conflict" }
            return conflict.theirs.map { $0["title"]?.string ?? "" } ?? "deleted"
        }
        #expect(try await theirs() == "theirs")
        world.server.clearLog()
        try await world.synchronizer.pull()
        #expect(!world.server.log.contains("GET tasks/1/"), "\(world.server.log)")
        world.server.remove("tasks", 1)
        #expect(try await world.synchronizer.pull().isComplete)
        #expect(try await theirs() == "deleted", "\(world.server.log)")
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "mine")
        world.server.clearLog()
        try await world.synchronizer.pull()
        #expect(!world.server.log.contains("GET tasks/1/"), "\(world.server.log)")
    }

    @Test("discarding takes theirs whole")
    func discard() async throws {
        let world = try await clash()
        try await world.synchronizer.discard(uri)
        try await settled(world, title: "theirs", note: "n")
    }

    @Test("marks: an object marked as changed is sent whole, one marked as synchronized is not sent")
    func marks() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a", "note": "n"])
        try await world.synchronizer.pull()
        world.server.clearLog()
        try await world.synchronizer.markChanged(uri)
        #expect(try await world.synchronizer.pending().map(\.uri) == [uri])
        try await world.synchronizer.markSynchronized(uri)
        try await world.synchronizer.push()
        #expect(world.server.log.isEmpty)
    }

    @Test("a changed identifier moves the object, and the old address stays valid")
    func changedIdentifier() async throws {
        let world = try await TinyWorld()
        let list = try await world.synchronizer.save(["title": "Home"], as: "lists")
        let task = try await world.synchronizer.save(["title": "Milk", "list": .string(list.id)], as: "tasks")
        try await world.synchronizer.changeIdentifier(of: list, to: ObjectID("77", .number))
        #expect(try await world.synchronizer.record(at: list)?["id"] == 77)
        #expect(try await world.synchronizer.record(at: task)?["list"] == 77)
    }
}
