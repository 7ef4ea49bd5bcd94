import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("Creates whose answer was lost")
struct LostCreateTests {
    /// Tasks are created by PUT under an identifier of the client's, and there is no look-up but a read of that.
    private func putting(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        try await TinyWorld {
            $0.lookup = nil
            $0.assigned = .client
            $0.create.method = "PUT"
            $0.create.path = $0.update.path
            change(&$0)
        }
    }

    @Test("an identifier that the server keeps in capitals is known by those from the first read on")
    func capitals() async throws {
        let world = try await putting()
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        let kept = ObjectURI(entity: "tasks", id: uri.id.uppercased())
        world.server.answer("PUT", with: nil, status: 204, processes: false)
        world.server.answer("GET", with: #"{"id":"\#(kept.id)","title":"mine"}"#)
        #expect(try await world.synchronizer.push().created == 1)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri) == [kept])
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "mine", "the address from before leads to it")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("one whose look-up value the server shows in capitals is found")
    func capitalValue() async throws {
        let world = try await TinyWorld()
        let uuid = "0190a2b4-0000-7000-8000-00000000000a"
        world.server.loseAnswer(to: "POST", processes: false)
        let uri = try await world.synchronizer.save(["title": "mine", "uuid": .string(uuid)], as: "tasks")
        let row = #"{"id":7,"title":"mine","uuid":"\#(uuid.uppercased())"}"#
        world.server.answer("GET", with: #"{"count":1,"next":null,"results":[\#(row)]}"#)
        try await world.synchronizer.push()
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 1)
        #expect(try await world.synchronizer.object(at: uri)?.uri == ObjectURI(entity: "tasks", id: "7"))
    }

    @Test("answers to two creates that come crosswise make neither the other: each is looked up by its value")
    func crosswise() async throws {
        let world = try await TinyWorld()
        let (server, gate) = (world.server, Gate())
        let crossed = ScriptedTransport { request in
            let response = try await server.transport.send(request)
            guard request.method == "POST", case .bytes(let bytes) = request.body else { return response }
            try await gate.pass()
            let other = String(decoding: bytes, as: UTF8.self).contains(#""uuid":"a""#) ? "b" : "a"
            let row = server.rows("tasks").first { $0["uuid"]?.string == other } ?? [:]
            return Response(
                status: 201, headers: ["Content-Type": "application/json"],
                body: ResponseBody(Value.object(row).json()))
        }
        let synchronizer = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store, transport: crossed,
            style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
        for title in ["a", "b"] {
            try await synchronizer.save(["title": .string(title), "uuid": .string(title)], as: "tasks")
        }
        let made = try await synchronizer.pending()
        let push = Task { try await synchronizer.push() }
        await gate.waitForArrivals(2)
        gate.open()
        #expect(try await push.value.created == 2)
        for object in made {
            #expect(try await synchronizer.record(at: object.uri)?["title"] == object.record?["title"])
        }
        #expect(server.rows("tasks").count == 2)
        #expect(try await synchronizer.pending().isEmpty)
    }

    @Test("the same where the client chooses the identifiers, also of two that say the same")
    func crosswiseIdentifiers() async throws {
        let world = try await putting()
        var made: [ObjectURI] = []
        for _ in 1...2 { made.append(try await world.synchronizer.save(["title": "same"], as: "tasks")) }
        let (ids, gate) = (made.map(\.id), Gate())
        let crossed = ScriptedTransport { request in
            var id = String(request.url.split(separator: "/").last ?? "")
            if request.method == "PUT" {
                try await gate.pass()
                id = ids.first { $0 != id } ?? id
            }
            return Response(
                status: 200, headers: ["Content-Type": "application/json"],
                body: ResponseBody(Array(#"{"id":"\#(id)","title":"same"}"#.utf8)))
        }
        let synchronizer = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store, transport: crossed,
            style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
        let push = Task { try await synchronizer.push() }
        await gate.waitForArrivals(2)
        gate.open()
        #expect(try await push.value.created == 2)
        #expect(try await synchronizer.records(matching: Query("tasks")).map(\.uri.id).sorted() == ids.sorted())
        #expect(try await synchronizer.pending().isEmpty)
    }

    @Test("one that was deleted here meanwhile is found and deleted there")
    func deletedMeanwhile() async throws {
        let world = try await TinyWorld()
        world.server.loseAnswer(to: "POST")
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        world.server.fail(
            .init(applies: { $0.url.contains("uuid=") }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        #expect(world.server.rows("tasks").count == 1)
        try await world.synchronizer.delete(uri)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").isEmpty)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("what a list shows without its version is read before it is written", arguments: [false, true])
    func withoutVersion(isDeleted: Bool) async throws {
        let world = try await TinyWorld { $0.version = .ifMatch(.field(.member("rev")), ordered: false) }
        world.server.list(only: ["id", "title", "note", "uuid"])
        world.server.loseAnswer(to: "POST")
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        world.server.fail(
            .init(applies: { $0.url.contains("uuid=") }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        if isDeleted {
            try await world.synchronizer.delete(uri)
        } else {
            try await world.synchronizer.edit(uri, setting: [("note", "n")])
        }
        world.server.clearLog()
        try await world.synchronizer.push()
        let kinds = world.server.log.map { $0.split(separator: " ")[0] }
        #expect(kinds == ["GET", "GET", isDeleted ? "DELETE" : "PATCH"], "\(world.server.log)")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("one whose lookup field was edited here meanwhile is found by what was sent")
    func editedLookup() async throws {
        let world = try await TinyWorld()
        world.server.loseAnswer(to: "POST")
        let uri = try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        world.server.fail(
            .init(applies: { $0.url.contains("uuid=") }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        try await world.synchronizer.edit(uri, setting: [("uuid", "u2")])
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["uuid"] } == ["u2"])
        #expect(world.server.log.contains("GET tasks/?uuid=u1"))
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test(
        "an edit of a member that the create did not send is a clash where the server has something there",
        arguments: [
            ("theirs", true), (.null, false), ("", false), (false, false), (0, false), ([], false), (true, true),
            (7, true)
        ] as [(Value, Bool)])
    func unsentMember(theirs: Value, isClash: Bool) async throws {
        let world = try await TinyWorld()
        world.server.loseAnswer(to: "POST")
        let uri = try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        world.server.fail(
            .init(applies: { $0.url.contains("uuid=") }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        world.server.edit("tasks", 1, ["note": theirs])
        try await world.synchronizer.edit(uri, setting: [("note", "mine")])
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["note"] } == [isClash ? theirs : "mine"])
        let phase = try await world.synchronizer.object(at: uri)?.meta.outgoing?.phase
        guard isClash else { return #expect(phase == nil) }
        guard case .conflicted(let conflict)? = phase else { return #expect(Bool(false), "\(phase as Any)") }
        #expect(conflict.fields == ["note"])
        try await world.synchronizer.resolve(uri, .theirs)
        #expect(try await world.synchronizer.record(at: uri)?["note"] == theirs)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("what another has set and nobody has edited here is no edit, also where another member clashes")
    func unsentMemberBesideClash() async throws {
        let world = try await TinyWorld()
        world.server.loseAnswer(to: "POST")
        let uri = try await world.synchronizer.save(["title": "first", "uuid": "u1"], as: "tasks")
        world.server.fail(
            .init(applies: { $0.url.contains("uuid=") }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        world.server.edit("tasks", 1, ["title": "theirs", "note": "old"])
        try await world.synchronizer.edit(uri, setting: [("title", "mine")])
        try await world.synchronizer.push()
        world.server.edit("tasks", 1, ["note": "new"])
        try await world.synchronizer.pull()
        let phase = try await world.synchronizer.object(at: uri)?.meta.outgoing?.phase
        guard case .conflicted(let conflict)? = phase else { return #expect(Bool(false), "\(phase as Any)") }
        #expect(conflict.fields == ["title"])
        try await world.synchronizer.resolve(uri, .mine)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["mine"])
        #expect(world.server.rows("tasks").map { $0["note"] } == ["new"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a value that the route file calls equal to absence, such as a default of the server's, is no clash")
    func unsentDefault() async throws {
        let world = try await TinyWorld { $0.fields.absentEquals = ["open"] }
        world.server.loseAnswer(to: "POST")
        let uri = try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        world.server.fail(
            .init(applies: { $0.url.contains("uuid=") }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        world.server.edit("tasks", 1, ["status": "open"])
        try await world.synchronizer.edit(uri, setting: [("status", "done")])
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["status"] } == ["done"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a server that ignores the lookup parameter gets no second create; the object stays unknown")
    func ignoredParameter() async throws {
        let world = try await TinyWorld { $0.lookup = Lookup(field: "uuid", parameter: "nosuch") }
        for number in 1...3 { world.server.insert("tasks", ["title": .string("other \(number)")]) }
        world.server.loseAnswer(to: "POST")
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        try await world.synchronizer.push()
        let report = try await world.synchronizer.push()
        #expect(report.failures.first?.uri == uri, "nothing that remains without an answer passes for done")
        #expect(world.server.rows("tasks").count == 4)
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 1)
        #expect(try await world.synchronizer.status()[1].counts.unknown == 1)
        let error = try await world.synchronizer.object(at: uri)?.meta.outgoing?.lastError
        #expect(error?.message.contains("does not tell whether the create has happened") == true)
    }

    @Test("a refused duplicate that was never lost before is somebody else's: it is rejected, and nothing is adopted")
    func foreignDuplicate() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "theirs", "uuid": "u1"])
        let uri = try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.status()[1].counts.rejected == 1)
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "mine")
        #expect(world.server.rows("tasks").map { $0["title"] } == ["theirs"])
    }

    @Test("a refused duplicate that says all that was sent is the create itself, repeated on the way")
    func ownDuplicate() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "mine", "uuid": "u1"])
        try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        let report = try await world.synchronizer.push()
        #expect(report.created == 1)
        #expect(world.server.rows("tasks").count == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    private static let nothing = #"{"count":0,"next":null,"results":[]}"#

    @Test("one that was accepted without an identifier is looked up with patience, and never sent again by itself")
    func laggingLookup() async throws {
        let world = try await TinyWorld()
        world.server.answer("POST", with: #"{"ok":true}"#)
        for _ in 0..<2 { world.server.answer("GET", with: Self.nothing) }
        try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        try await world.synchronizer.push()
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 1)
        #expect(world.server.rows("tasks").count == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a create that is answered with 409 is looked up before it counts as refused", arguments: [true, false])
    func conflict(_ isDone: Bool) async throws {
        let world = try await TinyWorld()
        world.server.answer("POST", with: "{}", status: 409, processes: isDone)
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        #expect(try await world.synchronizer.push().created == (isDone ? 1 : 0))
        #expect(world.server.log.count { $0.hasPrefix("GET tasks/?") } == 1)
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 1)
        #expect(try await world.synchronizer.status()[1].counts.rejected == (isDone ? 0 : 1))
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "mine")
    }

    @Test("one that was refused and done all the same is what the list shows", arguments: [400, 403, 413, 422])
    func refusedAndDone(_ status: Int) async throws {
        let world = try await TinyWorld()
        world.server.answer("POST", with: "{}", status: status)
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.status()[1].counts.rejected == 1)
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id) == ["1"])
        #expect(try await world.synchronizer.object(at: uri)?.uri.id == "1", "the address from before leads to it")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("one that was refused stays so beside another object with its value")
    func refusedBesideAnother() async throws {
        let world = try await TinyWorld()
        world.server.answer("POST", with: "{}", status: 422, processes: false)
        try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        try await world.synchronizer.push()
        world.server.insert("tasks", ["title": "another's", "uuid": "u1"])
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 2)
        #expect(try await world.synchronizer.status()[1].counts.rejected == 1)
    }

    @Test("where it is never found it stays unknown, for a person", arguments: [false, true])
    func neverFound(isDuplicate: Bool) async throws {
        let world = try await TinyWorld()
        if isDuplicate {
            world.server.answer("POST", with: #"{"uuid":["already exists."]}"#, status: 400)
        } else {
            world.server.answer("POST", with: #"{"ok":true}"#)
        }
        for _ in 0..<50 { world.server.answer("GET", with: Self.nothing) }
        let uri = try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        try await world.synchronizer.push()
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 1)
        #expect(world.server.log.count { $0.hasPrefix("GET") } < 10)
        #expect(try await world.synchronizer.status()[1].counts.unknown == 1)
        world.server.forgetFaults()
        // The pull shows it: it is the same object.
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 1)
        #expect(try await world.synchronizer.object(at: uri)?.uri.id == "1")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a refusal of a repeated create is looked up first, also where it names no duplicate")
    func refusedRepetition() async throws {
        let world = try await TinyWorld { $0.duplicate = Duplicate(statuses: [409]) }
        world.server.loseAnswer(to: "POST")
        // The first look-up comes too early: the server is still busy with the create.
        world.server.answer("GET", with: #"{"count":0,"next":null,"results":[]}"#)
        try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").count == 1)
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 2)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("with an identifier of the client's choice the object is read before it is put again")
    func clientIdentifier() async throws {
        let world = try await putting()
        world.server.insert("tasks", ["title": "mine"])
        world.server.fail(
            .init(
                applies: { $0.method == "PUT" }, processes: false,
                outcome: { throw TransportError(code: .timeout, message: "no answer", mayHaveArrived: true) }))
        let uri = try await world.synchronizer.save(["id": "1", "title": "mine"], as: "tasks")
        world.server.edit("tasks", 1, ["note": "another client's"])
        try await world.synchronizer.push()
        #expect(world.server.log.map { $0.prefix { $0 != " " } } == ["PUT", "GET"])
        #expect(try await world.synchronizer.record(at: uri)?["note"] == "another client's")
        #expect(world.server.rows("tasks")[0]["note"] == "another client's")
    }

    @Test("what a conditional create finds there is its own if it says the same", arguments: ["mine", "theirs"])
    func takenIdentifier(_ there: Value) async throws {
        let world = try await putting {
            $0.create.isConditional = true
        }
        world.server.insert("tasks", ["title": there])
        world.server.answer("PUT", with: "{}", status: 412, processes: false)
        let uri = try await world.synchronizer.save(["id": "1", "title": "mine"], as: "tasks")
        try await world.synchronizer.push()
        #expect(world.server.log.map { $0.prefix { $0 != " " } } == ["PUT", "GET"])
        #expect(world.server.rows("tasks")[0]["title"] == there)
        let phase = try await world.synchronizer.object(at: uri)?.meta.outgoing?.phase
        if case .conflicted(let conflict)? = phase {
            #expect(there == "theirs" && conflict.fields == ["title"] && conflict.theirs?["title"] == "theirs")
        } else {
            #expect(there == "mine" && phase == nil)
        }
    }

    @Test("without any means candidates from the next pull are shown, and a person adopts one")
    func candidates() async throws {
        let world = try await TinyWorld { $0.lookup = nil }
        world.server.insert("tasks", ["title": "mine"])
        try await world.synchronizer.pull()
        world.server.loseAnswer(to: "POST")
        let uri = try await world.synchronizer.save(["title": "mine"], as: "tasks")
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.candidates(for: uri).isEmpty)
        world.server.insert("tasks", ["title": "another"])
        try await world.synchronizer.pull()
        let found = ObjectURI(entity: "tasks", id: "2")
        #expect(try await world.synchronizer.candidates(for: uri) == [found])
        try await world.synchronizer.resolve(uri, .adopt(ObjectID("2", .number)))
        #expect(try await world.synchronizer.object(at: uri)?.uri == found)
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 3)
    }

    @Test("a mark left by a process that ended is never sent again by a synchronous save")
    func leftMark() async throws {
        let world = try await TinyWorld()
        let uri = try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        try await world.store.write(.power, origin: .push) { transaction in
            var meta = try #require(try transaction.meta(at: uri))
            let sent = Attempt(
                record: try transaction.record(at: uri), revision: meta.revision, sequence: 1)
            meta.outgoing?.phase = .sending(sent)
            try transaction.put([meta])
        }
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("title", "new")])
        }
        #expect(error?.code == .wrongState && world.server.log.isEmpty)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["mine"])
    }

    @Test("where nothing can be read, a conditional create that was lost keeps the edit made since")
    func unreadableIdentifier() async throws {
        let world = try await putting {
            $0.create.isConditional = true
            $0.read.isOffered = false
            $0.since = nil
        }
        world.server.insert("tasks", ["title": "first"])
        world.server.loseAnswer(to: "PUT", processes: false)
        for _ in 0..<9 { world.server.answer("PUT", with: "{}", status: 412, processes: false) }
        try await world.synchronizer.save(["id": "1", "title": "first"], as: "tasks")
        try await world.synchronizer.push()
        try await world.synchronizer.edit(ObjectURI(entity: "tasks", id: "1"), setting: [("title", "second")])
        try await world.synchronizer.push()
        try await world.synchronizer.pull()
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["title"] } == ["second"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("what is found under an identifier that a person chose is somebody else's if it says something else")
    func chosenIdentifier() async throws {
        for isDeleted in [false, true] {
            let world = try await putting()
            let uri = try await world.synchronizer.save(["id": "1", "title": "mine"], as: "tasks")
            world.server.loseAnswer(to: "PUT", processes: false)
            world.server.fail(
                .init(applies: { $0.method == "GET" }, processes: false, outcome: { throw CancellationError() }))
            await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
            world.server.insert("tasks", ["title": "theirs"])
            if isDeleted { try await world.synchronizer.delete(uri) }
            try await world.pass(.seconds(3600))
            try await world.synchronizer.push()
            #expect(world.server.rows("tasks").map { $0["title"] } == ["theirs"])
            let object = try await world.synchronizer.object(at: uri)
            #expect(object?.record?["title"] == (isDeleted ? nil : "mine"))
            guard case .conflicted(let conflict)? = object?.meta.outgoing?.phase else {
                Issue.record("no conflict")
                continue
            }
            #expect(conflict.fields == (isDeleted ? [] : ["title"]) && conflict.theirs?["title"] == "theirs")
        }
    }

    @Test(
        "a delete that meets something else under an identifier that a person chose waits for a decision, pull after pull",
        arguments: ["mine", "theirs", "none"])
    func chosenIdentifierDeleted(_ choice: String) async throws {
        let world = try await putting()
        let uri = try await world.synchronizer.save(["id": "1", "title": "mine"], as: "tasks")
        // It arrived, and another has edited it since: that, or a stranger's object, nobody can tell.
        world.server.loseAnswer(to: "PUT", processes: false)
        world.server.fail(
            .init(applies: { $0.method == "GET" }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        world.server.insert("tasks", ["title": "mine, edited"])
        try await world.synchronizer.delete(uri)
        try await world.pass(.seconds(3600))
        try await world.synchronizer.push()
        for _ in 1...2 {
            try await world.synchronizer.synchronize()
            let meta = try #require(try await world.synchronizer.object(at: uri)?.meta)
            guard meta.isDeleted, case .conflicted(let conflict)? = meta.outgoing?.phase else {
                Issue.record("\(meta)")
                return
            }
            #expect(conflict.theirs?["title"] == "mine, edited")
            #expect(world.server.rows("tasks").count == 1)
            #expect(try await world.synchronizer.status()[1].counts.conflicted == 1)
        }
        switch choice {
        case "mine": try await world.synchronizer.resolve(uri, .mine)
        case "theirs": try await world.synchronizer.resolve(uri, .theirs)
        default: try await world.synchronizer.discard(uri)
        }
        try await world.synchronizer.synchronize()
        #expect(world.server.rows("tasks").isEmpty == (choice == "mine"))
        let title = try await world.synchronizer.record(at: uri)?["title"]
        #expect(title == (choice == "mine" ? nil : "mine, edited"))
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a create that something between has sent twice is found, also where no duplicate is declared")
    func doubled() async throws {
        let world = try await TinyWorld { $0.duplicate = nil }
        try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        world.server.insert("tasks", ["title": "mine", "uuid": "u1"])
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").count == 1)
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    /// Two creates under one title, which is what they are looked up by; what becomes of them with the next push.
    private func twoOfOneTitle(
        isFirstLost: Bool, isSecondThere: Bool = false
    ) async throws -> (TinyWorld, ObjectURI, ObjectURI) {
        let world = try await TinyWorld {
            $0.lookup = Lookup(field: "uuid", parameter: "uuid")
            $0.duplicate = nil
        }
        let first = try await world.synchronizer.save(["note": "a", "uuid": "milk"], as: "tasks")
        if isFirstLost { world.server.loseAnswer(to: "POST") }
        world.server.fail(
            .init(
                applies: { $0.method == "GET" && isFirstLost }, processes: false,
                outcome: { throw CancellationError() }))
        if isFirstLost {
            await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        } else {
            try await world.synchronizer.push()
        }
        let second = try await world.synchronizer.save(["note": "b", "uuid": "milk"], as: "tasks")
        world.server.loseAnswer(to: "POST", processes: false)
        if isSecondThere { world.server.insert("tasks", ["note": "b", "uuid": "milk"]) }
        return (world, first, second)
    }

    @Test("what another create of this client has become is not what a look-up was for")
    func ownOther() async throws {
        let (world, first, second) = try await twoOfOneTitle(isFirstLost: false, isSecondThere: true)
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.record(at: first)?["note"] == "a")
        #expect(try await world.synchronizer.record(at: second)?["note"] == "b")
        #expect(world.server.rows("tasks").map { $0["note"] } == ["a", "b"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("what was here before a create was sent is not what a look-up was for")
    func wasHere() async throws {
        let world = try await TinyWorld {
            $0.lookup = Lookup(field: "uuid", parameter: "uuid")
            $0.duplicate = nil
        }
        world.server.insert("tasks", ["note": "theirs", "uuid": "home"])
        try await world.synchronizer.pull()
        let mine = try await world.synchronizer.save(["note": "mine", "uuid": "home"], as: "tasks")
        world.server.loseAnswer(to: "POST", processes: false)
        try await world.synchronizer.push()
        try await world.pass(.seconds(3600))
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.record(at: mine)?["note"] == "mine")
        // The server takes no second one with the value, so a person sees what is left.
        #expect(world.server.rows("tasks").map { $0["note"] } == ["theirs"])
        #expect(try await world.synchronizer.pending().map(\.uri) == [mine])
    }

    @Test("of two lost creates with one value each finds what it sent; what neither sent is for a person")
    func lostTwins() async throws {
        let (world, first, second) = try await twoOfOneTitle(isFirstLost: true)
        try await world.synchronizer.push()
        try await world.pass(.seconds(3600))
        try await world.synchronizer.push()
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.record(at: first)?["note"] == "a")
        #expect(try await world.synchronizer.record(at: second)?["note"] == "b")
        #expect(world.server.rows("tasks").map { $0["note"] }.filter { $0 == "a" }.count == 1)
    }

    /// How many changes are read by a push that looks up as many creates as are given.
    private func read(lookingUp number: Int) async throws -> Int {
        let store = WalkedStore()
        let world = try await TinyWorld(store: store)
        for index in 1...number {
            world.server.loseAnswer(to: "POST")
            try await world.synchronizer.save(["title": .string("t\(index)")], as: "tasks")
        }
        let before = store.walked
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").count == number)
        #expect(try await world.synchronizer.pending().isEmpty)
        return store.walked - before
    }

    @Test("ten times as many lost creates cost about ten times as much to look up")
    func cost() async throws {
        let few = try await read(lookingUp: 10)
        let many = try await read(lookingUp: 100)
        #expect(many <= 15 * few)
    }

    @Test("asked to send a create again, a push looks first whether it is there")
    func resentLookUp() async throws {
        let world = try await TinyWorld()
        world.server.loseAnswer(to: "POST")
        world.server.fail(
            .init(applies: { $0.method == "GET" }, processes: false, outcome: { throw CancellationError() }))
        let uri = try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
        try await world.synchronizer.resolve(uri, .resend)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").count == 1)
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 1)
    }

    // MARK: What a list shows

    @Test("one that is sent while a list is read is what that list shows")
    func sentMeanwhile() async throws {
        let world = try await TinyWorld()
        let server = world.server
        let isPost: @Sendable (Request) -> Bool = { $0.method == "POST" }
        let uri = try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        let pulling = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store,
            transport: ScriptedTransport { request in
                if request.method == "GET", server.rows("tasks").isEmpty {
                    // The process that sends it ends before it is answered.
                    server.fail(.init(applies: isPost, processes: true, outcome: { throw CancellationError() }))
                    await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
                }
                return try await server.transport.send(request)
            }, style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
        try await pulling.pull(entities: ["tasks"])
        #expect(try await pulling.records(matching: Query("tasks")).map(\.uri.id) == ["1"], "\(server.log)")
        #expect(try await pulling.record(at: uri)?["title"] == "mine")
        #expect(try await pulling.pending().isEmpty)
    }

    @Test("one that was refused after an answer was lost, and edited since, is what a list shows when it has come")
    func refusedAndEdited() async throws {
        let world = try await TinyWorld()
        world.server.loseAnswer(to: "POST", processes: false)
        world.server.answer("POST", with: #"{"title":["May not be so."]}"#, status: 400, processes: false)
        let uri = try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.status()[1].counts.rejected == 1)
        try await world.synchronizer.edit(uri, setting: [("note", "n")])
        world.server.insert("tasks", ["title": "mine", "uuid": "u1"])
        try await world.synchronizer.pull()
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id) == ["1"])
        #expect(try await world.synchronizer.record(at: uri)?["note"] == "n")
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").map { $0["note"] } == ["n"])
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 2)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("the refusal of an earlier try says nothing of what is on the wire, and may be what a list shows")
    func refusedBefore() async throws {
        let world = try await TinyWorld()
        let uri = try await world.synchronizer.save(["title": "mine", "uuid": "u1"], as: "tasks")
        var object = try #require(try await world.synchronizer.object(at: uri))
        var outgoing = try #require(object.meta.outgoing)
        outgoing.lastError = .init(status: 412, message: "no")
        outgoing.begin(Attempt(record: object.record, revision: object.meta.revision, sequence: 2))
        object.meta.outgoing = outgoing
        // The server has left the title out.
        let found = Representation(
            record: ObjectRecord(["id": 1, "title": "", "uuid": "u1"]), id: ObjectID("1", .number), version: nil,
            sequence: 3)
        let engine = ChangeEngine(try world.synchronizer.resource("tasks"))
        let plan = engine.lookedUp(found, of: object, arrival: 3, key: "k")
        guard case .put(let joined) = plan.outcome else {
            Issue.record("not adopted: \(plan)")
            return
        }
        #expect(!joined.meta.isLocalOnly && joined.meta.id.text == "1", "\(plan)")
    }
}
