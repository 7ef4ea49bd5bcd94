import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

/// Each failed before it was mended; docs/RELIABILITY.md tells the story.
@Suite("Defects that the simulation found")
struct FoundDefectTests {
    @Test("an update whose comparison failed once is sent when the comparison succeeds")
    func failedComparison() async throws {
        let world = try await TinyWorld()
        let id = world.server.insert("tasks", ["title": "theirs"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: String(id))
        try await world.synchronizer.edit(uri, setting: [("title", "mine")])
        world.server.loseAnswer(to: "GET")
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["mine"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("the tombstone of a deleted object does not remove the one that was created anew in its place")
    func tombstone() async throws {
        let world = try await TinyWorld {
            $0.deletes.field = .member("deleted")
            $0.conflict.deletedThere = .recreate
            $0.lookup = nil
        }
        let id = world.server.insert("tasks", ["title": "theirs"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: String(id))
        try await world.synchronizer.edit(uri, setting: [("title", "mine")])
        world.server.edit("tasks", id, ["deleted": true])
        try await world.synchronizer.pull()
        try await world.synchronizer.push()
        let records = try await world.synchronizer.records(matching: Query("tasks"))
        #expect(records.map { $0.record["title"] } == ["mine"])
        #expect(records.first?.uri != uri)
        var options = Synchronizer.PullOptions()
        options.full = true
        try await world.synchronizer.pull(options: options)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri) == records.map(\.uri))
    }

    @Test("a look-up whose answer is a web page or half an object decides nothing, and holds up nothing else")
    func unreadableLookUp() async throws {
        for body in ["<!doctype html>Sign in", #"{"results": [{"id": 1, "tit"#] {
            let world = try await TinyWorld()
            world.server.loseAnswer(to: "POST")
            world.server.answer("GET", with: body, processes: false)
            try await world.synchronizer.save(["title": "mine"], as: "tasks")
            try await world.synchronizer.save(["title": "other"], as: "lists")
            try await world.synchronizer.push()
            #expect(world.server.rows("lists").count == 1)
            try await world.synchronizer.push()
            #expect(world.server.rows("tasks").count == 1)
            #expect(try await world.synchronizer.pending().isEmpty)
        }
    }

    @Test("an object that is deleted while its create is put off is never created")
    func unwantedCreate() async throws {
        let world = try await TinyWorld()
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        let gate = Gate()
        world.server.fail(
            .init(applies: { $0.method == "POST" }, processes: false) {
                Response(status: 401, headers: [:], body: ResponseBody([]))
            })
        let slow = try await world.holding("POST", at: gate)
        async let push = slow.push()
        await gate.waitForArrivals()
        try await slow.delete(uri)
        gate.open()
        _ = try await push
        #expect(try await world.synchronizer.pending().isEmpty)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").isEmpty)
    }

    /// A push ends with a process, before the server has done its part or after it.
    private func cutOff(_ world: TinyWorld, after isDone: Bool) async throws {
        world.server.fail(
            .init(applies: { $0.method == "PATCH" }, processes: isDone, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
    }

    /// A world with the task “a” in it, which is edited to “b”.
    private func edited() async throws -> (world: TinyWorld, uri: ObjectURI, id: Int) {
        let world = try await TinyWorld()
        let id = world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: String(id))
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        return (world, uri, id)
    }

    @Test("an object that is edited again after each push that was cut off is not in conflict with itself")
    func ownEdits() async throws {
        let (world, uri, _) = try await edited()
        try await cutOff(world, after: true)
        try await world.synchronizer.edit(uri, setting: [("title", "c")])
        try await cutOff(world, after: false)
        try await world.synchronizer.edit(uri, setting: [("title", "d")])
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["d"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an edit that is taken back after a push that was cut off is taken back on the server, too")
    func takenBack() async throws {
        for isDone in [true, false] {
            let (world, uri, _) = try await edited()
            try await cutOff(world, after: isDone)
            try await world.synchronizer.edit(uri, setting: [("title", "a")])
            try await world.synchronizer.push()
            #expect(world.server.rows("tasks").map { $0["title"] } == ["a"])
            #expect(try await world.synchronizer.record(at: uri)?["title"] == "a")
            #expect(try await world.synchronizer.pending().isEmpty)
        }
    }

    @Test("a delete after a push that was cut off is no conflict with its own edit, and one with another's")
    func deletedAfterCut() async throws {
        for isOwn in [true, false] {
            let (world, uri, id) = try await edited()
            try await cutOff(world, after: true)
            if !isOwn { world.server.edit("tasks", id, ["note": "theirs"]) }
            try await world.synchronizer.delete(uri)
            try await world.synchronizer.push()
            #expect(world.server.rows("tasks").isEmpty == isOwn)
            #expect(try await world.synchronizer.status()[1].counts.conflicted == (isOwn ? 0 : 1))
        }
    }

    @Test("what another has set since a push that was cut off clashes all the same")
    func othersEdit() async throws {
        let (world, uri, id) = try await edited()
        try await cutOff(world, after: true)
        world.server.edit("tasks", id, ["title": "theirs"])
        try await world.synchronizer.edit(uri, setting: [("title", "c")])
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["theirs"])
        #expect(try await world.synchronizer.status()[1].counts.conflicted == 1)
        try await world.synchronizer.resolve(uri, .mine)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["c"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an object that has just got its identifier is not sent by a second push while it is on the wire")
    func movedLane() async throws {
        let world = try await TinyWorld { $0.version = .none }
        let gates = ["POST": Gate(), "PATCH": Gate()]
        let server = world.server
        let slow = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store,
            transport: ScriptedTransport { request in
                let response = try await server.transport.send(request)
                try await gates[request.method]?.pass()
                return response
            }, style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
        let uri = try await slow.save(["title": "a"], as: "tasks")
        async let first = slow.push()
        await gates["POST"]?.waitForArrivals()
        try await slow.edit(uri, setting: [("title", "b")])
        gates["POST"]?.open()
        await gates["PATCH"]?.waitForArrivals()
        async let second = slow.push()
        for _ in 0..<200 { await Task.yield() }
        gates["PATCH"]?.open()
        _ = try await (first, second)
        #expect(world.server.log.count { $0.hasPrefix("PATCH") } == 1)
        #expect(try await slow.pending().isEmpty)
    }

    @Test("a clash that a look-up finds takes nothing away that another has added")
    func clashOfFound() async throws {
        let world = try await TinyWorld()
        world.server.loseAnswer(to: "POST")
        let uri = try await world.synchronizer.save(["title": "a"], as: "tasks")
        world.server.fail(
            .init(applies: { $0.url.contains("uuid=") }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        world.server.edit("tasks", 1, ["title": "theirs", "note": "theirs"])
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.status()[1].counts.conflicted == 1)
        try await world.synchronizer.resolve(uri, .theirs)
        #expect(try await world.synchronizer.pending().isEmpty)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["note"] } == ["theirs"])
        #expect(!world.server.log.contains { $0.hasPrefix("PATCH") })
    }

    @Test("what the server has deleted since is no candidate for a create whose outcome is unknown")
    func deletedCandidate() async throws {
        let world = try await TinyWorld { $0.lookup = nil }
        world.server.loseAnswer(to: "POST")
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        try await world.synchronizer.push()
        try await world.synchronizer.pull()
        let candidate = try #require(try await world.synchronizer.candidates(for: uri).first)
        try await world.synchronizer.edit(candidate, setting: [("title", "mine"), ("note", "more")])
        world.server.remove("tasks", Int(candidate.id) ?? 0)
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.status()[1].counts.conflicted == 1)
        #expect(try await world.synchronizer.candidates(for: uri).isEmpty)
    }

    @Test("a look-up that is made as somebody else, who does not see the object, creates no second one")
    func strangersLookUp() async throws {
        let world = try await TinyWorld(identity: .init(path: "me", field: .member("name"))) { $0.duplicate = nil }
        try await world.synchronizer.pull()
        world.server.loseAnswer(to: "POST")
        // Who we are changes on the way, after the push has asked.
        world.server.fail(
            .init(applies: { $0.url.hasSuffix("me") }, processes: false) {
                Response(
                    status: 200, headers: ["Content-Type": "application/json"],
                    body: ResponseBody(Array(#"{"name":"ann"}"#.utf8)))
            })
        world.server.signIn("bob")
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").count == 1)
        #expect(!world.server.log.contains { $0.contains("uuid=") })
        let waiting = try #require(try await world.synchronizer.object(at: uri))
        #expect(waiting.meta.outgoing?.lastError?.message.contains("takes us for “bob”") == true)
        guard case .unknown? = waiting.meta.outgoing?.phase else {
            Issue.record("\(String(describing: waiting.meta.outgoing?.phase))")
            return
        }
        world.server.signIn("ann")
        try await world.synchronizer.push()
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a refused create that a list shows after all is no second object")
    func refusedAndThere() async throws {
        let world = try await TinyWorld { $0.duplicate = Duplicate(statuses: [409]) }
        world.server.loseAnswer(to: "POST")
        // The copy that answers look-ups is behind.
        for _ in 0..<2 { world.server.answer("GET", with: #"{"results": [], "next": null}"#, processes: false) }
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        try await world.synchronizer.push()
        let refused = try #require(try await world.synchronizer.object(at: uri))
        guard case .rejected? = refused.meta.outgoing?.phase else {
            Issue.record("\(String(describing: refused.meta.outgoing?.phase))")
            return
        }
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an edit is not lost where a look-up that was behind let the create be sent again with it")
    func editedBetweenTries() async throws {
        let world = try await TinyWorld()
        world.server.loseAnswer(to: "POST")
        let uri = try await world.synchronizer.save(["title": "a"], as: "tasks")
        // The process ends before it can look what became of it.
        world.server.fail(
            .init(applies: { $0.url.contains("uuid=") }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        world.server.edit("tasks", 1, ["note": "theirs"])
        world.server.answer("GET", with: #"{"results": [], "next": null}"#, processes: false)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["b"])
        #expect(world.server.rows("tasks").map { $0["note"] } == ["theirs"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a look-up that is refused is no refusal of the create")
    func refusedLookUp() async throws {
        let world = try await TinyWorld()
        world.server.loseAnswer(to: "POST", processes: false)
        world.server.answer("GET", with: "{}", status: 409, processes: false)
        try await world.synchronizer.save(["title": "mine"], as: "tasks")
        try await world.synchronizer.push()
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").count == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("where no single object can be read, none is taken for deleted")
    func noRead() async throws {
        let world = try await TinyWorld {
            $0.read.isOffered = false
            $0.version = .none
        }
        let id = world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: String(id))
        world.server.clearLog()
        let error = await #expect(throws: SyncError.self) { try await world.synchronizer.refresh(uri) }
        #expect(error?.code == .wrongState)
        #expect(world.server.log.isEmpty)
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "a")
        // A page that comes while a push is on the wire decides nothing, and asks for nothing.
        let gate = Gate()
        let slow = try await world.holding("PATCH", at: gate)
        try await slow.edit(uri, setting: [("title", "b")])
        async let push = slow.push()
        await gate.waitForArrivals()
        try await world.synchronizer.pull()
        #expect(try await slow.record(at: uri)?["title"] == "b")
        gate.open()
        _ = try await push
        try await world.synchronizer.pull()
        #expect(try await slow.record(at: uri)?["title"] == "b")
        #expect(world.server.rows("tasks")[0]["title"] == "b")
    }

    @Test("a pause ends where the clock is set back, for nobody can tell how much of it is left")
    func clockSetBack() async throws {
        let clock = Mutex(Int64(1_800_000_000_000))
        let time = Box(clock)
        let environment = SyncEnvironment(
            now: { Timestamp(milliseconds: time.value.withLock { $0 }) }, sleep: { _ in }, makeUUID: { "" },
            random: { 0 })
        let gate = OriginGate(limits: Limits(), environment: environment)
        await gate.pause(until: environment.now().advanced(by: .seconds(3)))
        #expect(await gate.pausedUntil != nil)
        time.value.withLock { $0 -= 3_600_000 }
        #expect(await gate.pausedUntil == nil)
    }

    private final class Box: Sendable {
        let value: Mutex<Int64>
        init(_ value: consuming Mutex<Int64>) { self.value = value }
    }
}
