import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("Synchronous saves beside other work")
struct SynchronousSaveTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    private func world() async throws -> TinyWorld {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a", "note": "n"])
        try await world.synchronizer.pull()
        world.server.clearLog()
        return world
    }

    @Test("an edit of an object that is not on the server yet creates it, and stays")
    func notYetCreated() async throws {
        let world = try await TinyWorld()
        let uri = try await world.synchronizer.save(["title": "first"], as: "tasks")
        let place = try await world.synchronizer.editNow(uri, setting: [("title", "second")])
        #expect(place == ObjectURI(entity: "tasks", id: "1"))
        #expect(world.server.rows("tasks").map { $0["title"] } == ["second"])
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "second")
        #expect(try await world.synchronizer.push().updated == 0)
    }

    @Test("a refused edit of an object that is not on the server yet leaves what was queued before")
    func refusedCreate() async throws {
        let world = try await TinyWorld()
        let uri = try await world.synchronizer.save(["title": "first"], as: "tasks")
        await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("title", "bad")])
        }
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "first")
        #expect(try await world.synchronizer.push().created == 1)
        #expect(world.server.rows("tasks").map { $0["title"] } == ["first"])
    }

    @Test("an edit of a member that another has changed since is not sent, and shows theirs then")
    func changedThere() async throws {
        let world = try await world()
        world.server.edit("tasks", 1, ["title": "theirs"])
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("title", "mine")])
        }
        #expect(error?.code == .wrongState && error?.message.contains("“title” of tasks/1 was changed") == true)
        #expect(world.server.rows("tasks")[0]["title"] == "theirs")
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "theirs")
        #expect(try await world.synchronizer.pending().isEmpty)
        try await world.synchronizer.editNow(uri, setting: [("title", "mine")])
        #expect(world.server.rows("tasks")[0]["title"] == "mine")
    }

    @Test("what another has changed of other members stays beside a synchronous edit")
    func otherMember() async throws {
        let world = try await world()
        world.server.edit("tasks", 1, ["note": "theirs"])
        try await world.synchronizer.editNow(uri, setting: [("title", "mine")])
        #expect(world.server.rows("tasks")[0]["title"] == "mine")
        #expect(world.server.rows("tasks")[0]["note"] == "theirs")
    }

    @Test("where the policy says mine, a synchronous edit goes over theirs")
    func mineWins() async throws {
        let world = try await TinyWorld { $0.conflict.policy = .mine }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        world.server.edit("tasks", 1, ["title": "theirs"])
        try await world.synchronizer.editNow(uri, setting: [("title", "mine")])
        #expect(world.server.rows("tasks")[0]["title"] == "mine")
    }

    @Test("an edit made while the answer is on its way is a change of its own")
    func editMeanwhile() async throws {
        let world = try await world()
        let gate = Gate()
        let slow = try await world.holding("PATCH", at: gate)
        async let saved = slow.editNow(uri, setting: [("title", "now")])
        await gate.waitForArrivals()
        try await slow.edit(uri, setting: [("note", "later")])
        gate.open()
        _ = try await saved
        #expect(try await slow.record(at: uri)?["title"] == "now")
        #expect(try await slow.record(at: uri)?["note"] == "later")
        #expect(try await slow.pending().count == 1)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks")[0]["note"] == "later")
    }

    @Test("an edit that comes to the store between the read and the mark of a synchronous one of a new object is kept")
    func editBeforeMark() async throws {
        let store = PrecededStore()
        let world = try await TinyWorld(store: store)
        let uri = try await world.synchronizer.save(["title": "first"], as: "tasks")
        store.precede(pushes: 3) { number in
            try await world.synchronizer.edit(uri, setting: [("note\(number)", .string("later"))])
        }
        try await world.synchronizer.editNow(uri, setting: [("title", "second")])
        try await world.synchronizer.push()
        let row = try #require(world.server.rows("tasks").first)
        #expect(row["title"] == "second")
        for number in 1...3 { #expect(row["note\(number)"] == .string("later"), "\(world.server.log)") }
        #expect(world.server.rows("tasks").count == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a delete made while the answer is on its way is kept, and sent")
    func deleteMeanwhile() async throws {
        let world = try await world()
        let gate = Gate()
        let slow = try await world.holding("PATCH", at: gate)
        async let saved = slow.editNow(uri, setting: [("title", "now")])
        await gate.waitForArrivals()
        try await slow.delete(uri)
        gate.open()
        _ = try await saved
        #expect(try await slow.record(at: uri) == nil)
        #expect(try await world.synchronizer.push().deleted == 1)
        #expect(world.server.rows("tasks").isEmpty)
    }

    @Test("a queued edit that goes with an edit at once is marked, and is its own where the process ends meanwhile")
    func queuedGoesToo() async throws {
        let world = try await world()
        let gate = Gate()
        let slow = try await world.holding("PATCH", at: gate)
        try await slow.edit(uri, setting: [("note", "queued")])
        async let saved = slow.editNow(uri, setting: [("title", "now")])
        await gate.waitForArrivals()
        let marked = try #require(try await slow.object(at: uri))
        guard case .sending(let attempt)? = marked.meta.outgoing?.phase else {
            Issue.record("not marked: \(String(describing: marked.meta.outgoing))")
            return gate.open()
        }
        #expect(attempt.record?["note"] == "queued" && attempt.record?["title"] == "a")
        let resource = try #require(slow.routeFile.resource("tasks"))
        let left = try #require(ChangeEngine(resource).recovered(marked))
        #expect(left.meta.outgoing?.phase == .waiting)
        #expect(left.meta.outgoing?.unanswered.map { $0["note"] } == ["queued"])
        gate.open()
        _ = try await saved
        #expect(try await slow.pending().isEmpty)
        #expect(world.server.rows("tasks").map { $0["note"] } == ["queued"])
    }

    @Test("a queued edit that goes with a refused edit at once waits as before")
    func queuedIsRefusedToo() async throws {
        let world = try await world()
        try await world.synchronizer.edit(uri, setting: [("note", "queued")])
        let before = try await world.synchronizer.object(at: uri)
        await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("title", "bad")])
        }
        let after = try await world.synchronizer.object(at: uri)
        #expect(after?.record == before?.record && after?.meta.outgoing == before?.meta.outgoing)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["note"] } == ["queued"])
    }

    @Test("an edit of what a pull has brought before the answer to its create stays")
    func pulledMeanwhile() async throws {
        let world = try await TinyWorld { $0.assigned = .client }
        let gate = Gate()
        let slow = try await world.holding("POST", at: gate)
        async let saved = slow.saveNow(["title": "now"], as: "tasks")
        await gate.waitForArrivals()
        try await world.synchronizer.pull()
        let row = try #require(world.server.rows("tasks").first?["id"]?.text)
        let uri = ObjectURI(entity: "tasks", id: row)
        try await world.synchronizer.edit(uri, setting: [("note", "later")])
        gate.open()
        let stored = try await saved
        #expect(stored == uri)
        #expect(try await slow.record(at: uri)?["note"] == "later")
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["note"] } == ["later"])
        #expect(try await slow.pending().isEmpty)
    }

    @Test("a create that is refused at once, and was deleted meanwhile, is not sent")
    func refusedAndDeleted() async throws {
        let world = try await TinyWorld()
        let uri = try await world.synchronizer.save(["title": "first"], as: "tasks")
        world.server.answer("POST", with: "{}", status: 404, processes: false)
        let gate = Gate()
        let slow = try await world.holding("POST", at: gate)
        async let saved = slow.editNow(uri, setting: [("title", "now")])
        await gate.waitForArrivals()
        try await slow.delete(uri)
        gate.open()
        do {
            _ = try await saved
            Issue.record("the refusal was not told")
        } catch let error as SyncError {
            #expect(error.failure?.status == 404)
        }
        #expect(try await slow.pending().isEmpty)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").isEmpty, "\(world.server.log)")
    }

    @Test("a delete at once of what is in conflict is refused, and goes once that is decided")
    func deleteInConflict() async throws {
        let world = try await world()
        try await world.synchronizer.edit(uri, setting: [("title", "mine")])
        world.server.edit("tasks", 1, ["title": "theirs"])
        try await world.synchronizer.pull()
        let error = await #expect(throws: SyncError.self) { try await world.synchronizer.deleteNow(uri) }
        #expect(error?.code == .wrongState && error?.message.contains("is in conflict") == true)
        #expect(world.server.rows("tasks").map { $0["title"] } == ["theirs"])
        try await world.synchronizer.resolve(uri, .theirs)
        try await world.synchronizer.deleteNow(uri)
        #expect(world.server.rows("tasks").isEmpty)
    }

    @Test("a delete of what the server has no more is done")
    func deletedThere() async throws {
        let world = try await world()
        world.server.remove("tasks", 1)
        try await world.synchronizer.deleteNow(uri)
        #expect(try await world.synchronizer.object(at: uri) == nil)
    }

    @Test("while another process pushes, nothing is sent")
    func otherProcess() async throws {
        let world = try await world()
        let lock = try #require(try await world.store.lockForPush())
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("title", "now")])
        }
        #expect(error?.code == .pushedElsewhere && world.server.log.isEmpty)
        lock.release()
        try await world.synchronizer.editNow(uri, setting: [("title", "now")])
        #expect(world.server.rows("tasks")[0]["title"] == "now")
    }

    @Test("where deletes need the server, an offline delete is refused and the object stays")
    func onlineDeletes() async throws {
        let world = try await TinyWorld { $0.deletes.onlineOnly = true }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        world.server.goOffline(true)
        let error = await #expect(throws: SyncError.self) { try await world.synchronizer.delete(uri) }
        #expect(error?.code == .unreachable)
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "a")
        world.server.goOffline(false)
        try await world.synchronizer.delete(uri)
        #expect(world.server.rows("tasks").isEmpty)
    }

    // MARK: Without an answer

    @Test("an edit that was done and not answered clashes with no edit of this client", arguments: [true, false])
    func lostBesideEdit(_ isQueuedBefore: Bool) async throws {
        let world = try await world()
        if isQueuedBefore { try await world.synchronizer.edit(uri, setting: [("title", "queued")]) }
        world.server.loseAnswer(to: "PATCH")
        await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("title", "now")])
        }
        let title: Value = isQueuedBefore ? "queued" : "later"
        if !isQueuedBefore { try await world.synchronizer.edit(uri, setting: [("title", title)]) }
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks")[0]["title"] == title)
        #expect(try await world.synchronizer.record(at: uri)?["title"] == title)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test(
        "what was not answered is here as the server has it, once that was read, and is not taken back",
        arguments: [true, false], [true, false])
    func lost(isDone: Bool, byPull: Bool) async throws {
        let world = try await world()
        world.server.loseAnswer(to: "PATCH", processes: isDone)
        await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("title", "now")])
        }
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "a")
        let object = try #require(try await world.synchronizer.object(at: uri))
        let stored = object.meta.stored(beside: object.record)
        #expect(try MetaObject(stored: stored, beside: object.record, uri: uri) == object.meta)
        if byPull { try await world.synchronizer.pull() }
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.record(at: uri)?["title"] == (isDone ? "now" : "a"))
        #expect(world.server.rows("tasks")[0]["title"] == (isDone ? "now" : "a"))
        #expect(world.server.log.count { $0.hasPrefix("PATCH") } == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test(
        "an edit back to what is here, behind one that was not answered, is taken back there, and no other member is",
        arguments: [true, false], [true, false])
    func lostAndBack(isDone: Bool, isAtOnce: Bool) async throws {
        for compares in [true, false] {
            let world = try await TinyWorld { $0.version = compares ? .compare : .none }
            world.server.insert("tasks", ["title": "a", "note": "n"])
            try await world.synchronizer.pull()
            world.server.clearLog()
            world.server.loseAnswer(to: "PATCH", processes: isDone)
            await #expect(throws: SyncError.self) {
                try await world.synchronizer.editNow(uri, setting: [("title", "now"), ("note", "now")])
            }
            if isAtOnce {
                try await world.synchronizer.editNow(uri, setting: [("title", "a")])
            } else {
                try await world.synchronizer.edit(uri, setting: [("title", "a")])
                let object = try #require(try await world.synchronizer.object(at: uri))
                #expect(object.meta.isChanged && object.meta.confirmed?.stale == ["note"])
                let engine = ChangeEngine(try world.synchronizer.resource("tasks"))
                #expect(!engine.owesReadAlone(object))
            }
            try await world.synchronizer.push()
            let row = world.server.rows("tasks")[0]
            #expect(row["title"] == "a" && row["note"] == (isDone ? "now" : "n"))
            #expect(try await world.synchronizer.record(at: uri)?["title"] == "a")
            #expect(try await world.synchronizer.record(at: uri)?["note"] == row["note"])
            let writes = world.server.log.filter { $0.hasPrefix("PATCH") }
            #expect(writes.dropFirst() == (isDone ? [#"PATCH tasks/1/ {"title":"a"}"#] : []), "\(world.server.log)")
            #expect(try await world.synchronizer.pending().isEmpty)
        }
    }

    @Test(
        "where the read before a write is not answered, nothing can have happened",
        arguments: [500, 503, nil] as [Int?])
    func failedRead(status: Int?) async throws {
        let world = try await world()
        for _ in 0..<40 {
            if let status {
                world.server.answer("GET", with: nil, status: status, processes: false)
            } else {
                world.server.loseAnswer(to: "GET")
            }
        }
        let edit = await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("title", "now")])
        }
        let delete = await #expect(throws: SyncError.self) { try await world.synchronizer.deleteNow(uri) }
        for error in [edit, delete] {
            #expect(error?.code == .unreachable && error?.mayHaveHappened == false, "\(error?.message ?? "")")
        }
        #expect(world.server.log.allSatisfy { $0.hasPrefix("GET") }, "\(world.server.log)")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("what somebody else has set in the member since is a clash with a later edit")
    func lostBesideAnothers() async throws {
        let world = try await world()
        world.server.loseAnswer(to: "PATCH", processes: false)
        await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("title", "now")])
        }
        world.server.edit("tasks", 1, ["title": "theirs"])
        try await world.synchronizer.edit(uri, setting: [("title", "later")])
        try await world.synchronizer.push()
        let phase = try await world.synchronizer.object(at: uri)?.meta.outgoing?.phase
        guard case .conflicted(let conflict)? = phase else {
            Issue.record("not in conflict: \(String(describing: phase))")
            return
        }
        #expect(conflict.fields == ["title"])
        #expect(world.server.rows("tasks")[0]["title"] == "theirs")
    }

    @Test("what the server has tidied of it is no clash with a later edit")
    func lostAndTidied() async throws {
        let world = try await world()
        world.server.loseAnswer(to: "PATCH", processes: false)
        await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("title", " Now ")])
        }
        world.server.edit("tasks", 1, ["title": "now"])
        try await world.synchronizer.edit(uri, setting: [("title", "later")])
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks")[0]["title"] == "later")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a newer version that was asked for before the answer was lost shows what was sent, which is not taken back")
    func lostBesideOlderRead() async throws {
        let world = try await TinyWorld { $0.version = .token(.field(.member("rev")), ordered: true) }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let (gate, server) = (Gate(), world.server)
        let slow = ScriptedTransport { request in
            if request.method == "GET" { try await gate.pass() }
            return try await server.transport.send(request)
        }
        let other = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store, transport: slow, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment())
        async let read = other.refresh(uri)
        await gate.waitForArrivals()
        server.clearLog()
        server.loseAnswer(to: "PATCH")
        await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("title", "now")])
        }
        gate.open()
        #expect(try await read?["title"] == "now")
        try await world.synchronizer.push()
        #expect(server.rows("tasks")[0]["title"] == "now")
        #expect(server.log.count { $0.hasPrefix("PATCH") } == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("of an object that the server calls otherwise by now nothing waits")
    func lostOfRenamed() async throws {
        let world = try await world()
        world.server.loseAnswer(to: "PATCH", processes: false)
        await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("title", "now")])
        }
        world.server.answer("GET", with: #"{"id":9,"title":"a","note":"n","rev":1}"#)
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "a")
        #expect(world.server.log.count { $0.hasPrefix("PATCH") } == 1)
    }

    @Test("a delete behind it is in no conflict with it")
    func lostBeforeDelete() async throws {
        let world = try await world()
        world.server.loseAnswer(to: "PATCH")
        await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("title", "now")])
        }
        try await world.synchronizer.delete(uri)
        try await world.synchronizer.pull()
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").isEmpty)
        #expect(try await world.synchronizer.pending().isEmpty)
    }
}

/// A store in memory before whose next writes of a push something else is done.
private final class PrecededStore: Store {
    typealias Action = @Sendable (_ number: Int) async throws -> Void

    private let store = MemoryStore()
    private let state = Mutex<(action: Action?, done: Int, most: Int)>((nil, 0, 0))

    func precede(pushes: Int, _ action: @escaping Action) { state.withLock { $0 = (action, 0, pushes) } }

    private func next() -> (action: Action, number: Int)? {
        state.withLock { state in
            guard let action = state.action, state.done < state.most else { return nil }
            state.done += 1
            return (action, state.done)
        }
    }

    func read<Result: Sendable>(_ body: @Sendable (any StoreSnapshot) throws -> Result) async throws -> Result {
        try await store.read(body)
    }

    func write<Result: Sendable>(
        _ durability: Durability, origin: CommitSet.Origin,
        _ body: @Sendable (any StoreTransaction) throws -> Result
    ) async throws -> Result {
        if origin == .push, let (action, number) = next() { try await action(number) }
        return try await store.write(durability, origin: origin, body)
    }

    func commits() -> AsyncStream<CommitSet> { store.commits() }
    func lockForPush() async throws -> HeldLock? { try await store.lockForPush() }
    func close() async throws { try await store.close() }
}
