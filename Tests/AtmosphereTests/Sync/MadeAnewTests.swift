import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

/// Two clients create an object anew that was deleted on the server, which keeps the look-up field unique.
@Suite("An object that two clients make anew")
struct MadeAnewTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    /// Two clients that edited the object, heard that it is gone, and decided to make it anew; the first has done so.
    private func worlds(
        _ first: Value.Members, _ second: Value.Members, _ change: @escaping (inout Resource) -> Void = { _ in }
    ) async throws -> (TinyWorld, TinyWorld) {
        let server = TinyServer()
        server.insert("tasks", ["title": "a", "note": "n", "uuid": "u-1"])
        let one = try await TinyWorld(server: server, change)
        let two = try await TinyWorld(server: server, change)
        for world in [one, two] { try await world.synchronizer.pull() }
        server.remove("tasks", 1)
        for (world, edits) in [(one, first), (two, second)] {
            try await world.synchronizer.edit(uri, setting: edits.map { ($0.name, $0.value) })
            try await world.synchronizer.push()
            try await world.synchronizer.resolve(uri, .mine)
        }
        #expect(try await one.synchronizer.push().created == 1)
        return (one, two)
    }

    private func isOne(_ worlds: [TinyWorld], _ title: Value, _ note: Value) async throws {
        for _ in 1...2 { for world in worlds { try await world.synchronizer.synchronize() } }
        let rows = worlds[0].server.rows("tasks")
        #expect(rows.map { $0["title"] } == [title] && rows.map { $0["note"] } == [note], "\(rows)")
        for world in worlds {
            let here = try await world.synchronizer.records(matching: Query("tasks"))
            #expect(here.map { $0.record["title"] } == [title] && here.map { $0.record["note"] } == [note])
            let previous = try await world.synchronizer.record(at: uri)
            #expect(previous?["title"] == title, "the address from before leads to it")
            #expect(try await world.synchronizer.pending().isEmpty)
        }
    }

    @Test("is one, with what each has changed")
    func merged() async throws {
        let (one, two) = try await worlds(["title": "one"], ["note": "two"])
        try await two.synchronizer.push()
        try await isOne([one, two], "one", "two")
    }

    @Test("is one also where both have changed the same to the same")
    func same() async throws {
        let (one, two) = try await worlds(["title": "both"], ["title": "both"])
        try await two.synchronizer.push()
        try await isOne([one, two], "both", "n")
    }

    @Test("is asked about where both have changed one member", arguments: [true, false])
    func clash(isMine: Bool) async throws {
        let (one, two) = try await worlds(["title": "one"], ["title": "two"])
        try await two.synchronizer.push()
        let object = try #require(try await two.synchronizer.pending().first)
        guard case .conflicted(let conflict)? = object.meta.outgoing?.phase else {
            Issue.record("no conflict: \(object)")
            return
        }
        #expect(conflict.fields == ["title"] && conflict.theirs?["title"] == "one")
        #expect(object.meta.confirmed?.base["title"] == "a")
        try await two.synchronizer.resolve(object.uri, isMine ? .mine : .theirs)
        try await isOne([one, two], isMine ? "two" : "one", "n")
    }

    @Test("is asked about where both have given it a member that it had not")
    func clashOfNew() async throws {
        let (one, two) = try await worlds(["extra": "one"], ["extra": "two"])
        try await two.synchronizer.push()
        let object = try #require(try await two.synchronizer.pending().first)
        guard case .conflicted(let conflict)? = object.meta.outgoing?.phase else {
            Issue.record("no conflict: \(object)")
            return
        }
        #expect(conflict.fields == ["extra"] && conflict.theirs?["extra"] == "one")
        try await two.synchronizer.resolve(object.uri, .mine)
        try await isOne([one, two], "a", "n")
        #expect(one.server.rows("tasks").map { $0["extra"] } == ["two"])
    }

    @Test("is asked about also where the list that shows it leaves the member out", arguments: [true, false])
    func clashInPart(isPulled: Bool) async throws {
        let (one, two) = try await worlds(["note": "one"], ["note": "two"]) {
            $0.list.shape = .partial
            $0.detail = .onChange
        }
        one.server.list(only: ["id", "title", "uuid", "rev"])
        if isPulled { try await two.synchronizer.pull() }
        try await two.synchronizer.push()
        let object = try #require(try await two.synchronizer.pending().first)
        guard case .conflicted(let conflict)? = object.meta.outgoing?.phase else {
            Issue.record("no conflict: \(object)")
            return
        }
        #expect(conflict.fields == ["note"] && conflict.theirs?["note"] == "one")
        try await two.synchronizer.resolve(object.uri, .mine)
        try await isOne([one, two], "a", "two")
    }

    @Test("is asked about with what the list leaves out, also after a read that failed", arguments: [true, false])
    func clashBesidePart(isCut: Bool) async throws {
        let (one, two) = try await worlds(["title": "one", "note": "one"], ["title": "two", "note": "two"]) {
            $0.list.shape = .partial
        }
        one.server.list(only: ["id", "title", "uuid", "rev"])
        if isCut {
            two.server.fail(
                .init(
                    applies: { $0.method == "GET" && $0.url.hasSuffix("tasks/2/") }, processes: false,
                    outcome: { throw CancellationError() }))
            await #expect(throws: CancellationError.self) { try await two.synchronizer.push() }
            let waiting = try #require(try await two.synchronizer.pending().first)
            #expect(waiting.meta.outgoing?.phase == .waiting && waiting.meta.outgoing?.unverified?.isRead == true)
        }
        try await two.synchronizer.push()
        let object = try #require(try await two.synchronizer.pending().first)
        guard case .conflicted(let conflict)? = object.meta.outgoing?.phase else {
            Issue.record("no conflict: \(object)")
            return
        }
        #expect(Set(conflict.fields) == ["title", "note"] && conflict.theirs?["note"] == "one")
        #expect(one.server.rows("tasks").map { $0["note"] } == ["one"])
    }

    @Test("is one where a pull has brought the other's before")
    func pulledBefore() async throws {
        let (one, two) = try await worlds(["title": "one"], ["note": "two"])
        try await two.synchronizer.pull()
        try await two.synchronizer.push()
        try await isOne([one, two], "one", "two")
    }

    @Test("is one where the server says no more than 409")
    func bareConflict() async throws {
        let (one, two) = try await worlds(["title": "one"], ["note": "two"]) { $0.duplicate = nil }
        two.server.answer("POST", with: "{}", status: 409, processes: false)
        try await two.synchronizer.push()
        try await isOne([one, two], "one", "two")
    }

    @Test("loses no edit where the answers to the second were lost, and comes once")
    func lostAnswer() async throws {
        let (one, two) = try await worlds(["title": "one"], ["note": "two"])
        two.server.loseAnswer(to: "POST")
        try await two.synchronizer.push()
        try await isOne([one, two], "one", "two")
    }

    @Test("is one where the policy makes it anew by itself")
    func policy() async throws {
        let server = TinyServer()
        server.insert("tasks", ["title": "a", "note": "n", "uuid": "u-1"])
        let worlds = [
            try await TinyWorld(server: server) { $0.conflict.deletedThere = .recreate },
            try await TinyWorld(server: server) { $0.conflict.deletedThere = .recreate }
        ]
        for world in worlds { try await world.synchronizer.pull() }
        server.remove("tasks", 1)
        try await worlds[0].synchronizer.edit(uri, setting: [("title", "one")])
        try await worlds[1].synchronizer.edit(uri, setting: [("note", "two")])
        for world in worlds { try await world.synchronizer.push() }
        try await isOne(worlds, "one", "two")
    }

    @Test("is not taken for the deleted one that a look-up still shows")
    func tombstone() async throws {
        let world = try await TinyWorld {
            $0.deletes.field = .member("deleted")
            $0.deletes.equals = true
        }
        world.server.insert("tasks", ["title": "a", "uuid": "u-1"])
        try await world.synchronizer.pull()
        world.server.remove("tasks", 1)
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        try await world.synchronizer.push()
        try await world.synchronizer.resolve(uri, .mine)
        world.server.loseAnswer(to: "POST", processes: false)
        let row = #"{"id":1,"title":"a","uuid":"u-1","deleted":true}"#
        world.server.answer("GET", with: #"{"count":1,"next":null,"results":[\#(row)]}"#)
        for _ in 1...3 {
            try await world.synchronizer.push()
            try await world.pass(.seconds(3600))
        }
        #expect(world.server.rows("tasks").map { $0["title"] } == ["b"])
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "b")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("that is refused for what it says stays refused")
    func refused() async throws {
        let server = TinyServer()
        server.insert("tasks", ["title": "a", "uuid": "u-1"])
        let world = try await TinyWorld(server: server)
        try await world.synchronizer.pull()
        server.remove("tasks", 1)
        try await world.synchronizer.edit(uri, setting: [("title", "bad")])
        try await world.synchronizer.push()
        try await world.synchronizer.resolve(uri, .mine)
        try await world.synchronizer.push()
        guard case .rejected(_, let failure)? = try await world.synchronizer.object(at: uri)?.meta.outgoing?.phase
        else {
            Issue.record("not rejected")
            return
        }
        #expect(failure.fields.map(\.field) == ["title"])
        try await world.synchronizer.edit(uri, setting: [("title", "good")])
        #expect(try await world.synchronizer.push().created == 1)
    }

    @Test("keeps what it was over the end of the process")
    func stored() throws {
        var outgoing = Change.anew(key: "k", after: 7, previous: ObjectRecord(["title": "a"]))
        outgoing.phase = .waiting
        let meta = MetaObject(uri: uri, id: ObjectID("1"), state: .created(outgoing, deleting: false))
        #expect(try MetaObject(stored: meta.stored(beside: nil), beside: nil, uri: uri) == meta)
    }

    @Test("is found also where no list can be filtered, and the other's was pulled first", arguments: [false, true])
    func withoutQuery(isPulledFirst: Bool) async throws {
        let (one, two) = try await worlds(["title": "one"], ["note": "two"]) {
            $0.lookup = Lookup(field: "uuid", parameter: nil)
        }
        if isPulledFirst { try await two.synchronizer.pull() }
        try await two.synchronizer.push()
        try await isOne([one, two], "one", "two")
    }
}
