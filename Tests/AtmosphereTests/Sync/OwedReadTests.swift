import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Writes that were accepted in an answer that says too little, and whose read failed")
struct OwedReadTests {
    /// What the server has made of an edit.
    enum Deed: CaseIterable { case taken, ignored, rewritten, deleted }

    /// Who reads it then.
    enum Reader: CaseIterable { case push, pull }

    /// An edit of a note that lists do not show, whose process ends before the read behind the answer.
    private func cut(_ deed: Deed) async throws -> (TinyWorld, ObjectURI) {
        let world = try await TinyWorld {
            $0.list.shape = .partial
            $0.update.shape = .partial
            $0.version = .none
            $0.conflict.deletedThere = .delete
        }
        world.server.list(only: ["id", "title", "uuid", "rev"])
        world.server.insert("tasks", ["title": "a", "note": "old", "uuid": "u1"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.edit(uri, setting: ["note": "mine"])
        world.server.answer("PATCH", with: #"{"id": 1, "title": "a"}"#, processes: deed == .taken)
        world.server.fail(
            .init(applies: { $0.method == "GET" }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        if deed == .rewritten { world.server.edit("tasks", 1, ["note": "mine, cut"]) }
        if deed == .deleted { world.server.remove("tasks", 1) }
        world.server.clearLog()
        return (world, uri)
    }

    @Test(
        "it is read by the next push or pull, and judged as it would have been",
        arguments: Deed.allCases, Reader.allCases)
    func read(_ deed: Deed, _ reader: Reader) async throws {
        let (world, uri) = try await cut(deed)
        let owing = try #require(try await world.synchronizer.object(at: uri))
        #expect(owing.meta.outgoing?.unverified?.sent["note"] == "mine" && owing.record?["note"] == "mine")
        #expect(owing.meta.outgoing?.unverified?.before?["note"] == "old")
        switch reader {
        case .push: try await world.synchronizer.push()
        case .pull:
            var options = Synchronizer.PullOptions()
            options.full = true
            try await world.synchronizer.pull(options: options)
            // Lists do not say what is gone there.
            if deed == .deleted { try await world.synchronizer.push() }
        }
        #expect(!world.server.log.contains { $0.hasPrefix("PATCH") })
        let object = try await world.synchronizer.object(at: uri)
        switch deed {
        case .taken, .rewritten:
            #expect(object?.record?["note"] == (deed == .taken ? "mine" : "mine, cut"))
            #expect(object?.meta.outgoing == nil)
        case .ignored:
            guard case .rejected(_, let failure)? = object?.meta.outgoing?.phase else {
                Issue.record("an edit that did not take has to be told: \(String(describing: object))")
                return
            }
            #expect(failure.message.contains("note") && object?.record?["note"] == "mine")
        case .deleted: #expect(object == nil)
        }
        if deed != .ignored { #expect(try await world.synchronizer.pending().isEmpty) }
    }

    @Test("an edit made since goes behind the read, and what did not take with it")
    func editedSince() async throws {
        let (world, uri) = try await cut(.ignored)
        try await world.synchronizer.edit(uri, setting: ["title": "b"])
        try await world.synchronizer.push()
        #expect(world.server.log.first == "GET tasks/1/")
        #expect(world.server.rows("tasks").first?["title"] == "b")
        #expect(world.server.rows("tasks").first?["note"] == "mine")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an edit back, or dropped, leaves the read owed")
    func takenBack() async throws {
        let (world, uri) = try await cut(.rewritten)
        try await world.synchronizer.edit(uri, setting: ["title": "b"])
        try await world.synchronizer.edit(uri, setting: ["title": "a"])
        #expect(try await world.synchronizer.pending().map(\.uri) == [uri])
        try await world.synchronizer.edit(uri, setting: ["title": "b"])
        try await world.synchronizer.discard(uri)
        #expect(try await world.synchronizer.pending().map(\.uri) == [uri])
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.record(at: uri)?["note"] == "mine, cut")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("where it cannot be read the answer is believed in the end")
    func unreadable() async throws {
        let (world, uri) = try await cut(.taken)
        for _ in 0..<ChangeEngine.mostLookUps {
            world.server.answer("GET", with: #"{"detail": "no"}"#, status: 500, processes: false)
        }
        for _ in 0..<ChangeEngine.mostLookUps { try await world.synchronizer.push() }
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.record(at: uri)?["note"] == "mine")
        #expect(world.server.log.count <= ChangeEngine.mostLookUps)
    }

    @Test("a create that a list shows in part, in a look-up, is read, also where the first read fails")
    func foundInPart() async throws {
        let world = try await TinyWorld {
            $0.list.shape = .partial
            $0.version = .none
        }
        world.server.list(only: ["id", "title", "uuid", "rev"])
        world.server.loseAnswer(to: "POST")
        let uri = try await world.synchronizer.save(["title": "a", "note": "  mine "], as: "tasks")
        world.server.fail(
            .init(
                applies: { $0.method == "GET" && $0.url.hasSuffix("tasks/1/") }, processes: false,
                outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        #expect(try await world.synchronizer.pending().map(\.uri) == [ObjectURI(entity: "tasks", id: "1")])
        // The server tidies what it was sent.
        world.server.edit("tasks", 1, ["note": "mine"])
        world.server.clearLog()
        try await world.synchronizer.push()
        #expect(world.server.log == ["GET tasks/1/"])
        #expect(try await world.synchronizer.record(at: uri)?["note"] == "mine")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a store keeps what is owed")
    func stored() throws {
        var outgoing = Change(idempotencyKey: "k")
        outgoing.unverified = .init(sent: ObjectRecord(["note": "mine"]), before: ObjectRecord(["note": "old"]))
        for before in [ObjectRecord(["note": "old"]), nil] {
            outgoing.unverified?.before = before
            outgoing.unverified?.action = before == nil ? nil : "move"
            let base = MetaObject.Confirmed(base: ObjectRecord(["note": "mine"]), version: nil, sequence: 1)
            let meta = MetaObject(
                uri: ObjectURI(entity: "tasks", id: "1"), id: ObjectID("1"), state: .updated(base, outgoing))
            #expect(try MetaObject(stored: meta.stored(beside: nil), beside: nil, uri: meta.uri) == meta)
        }
    }
}
