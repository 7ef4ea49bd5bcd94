import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

/// Nothing is left behind that would find out later, so the same call does.
@Suite("A create that is sent at once and not answered")
struct LostCreateNowTests {
    /// What the API has that tells what became of a create.
    enum Means: CaseIterable {
        case lookup, key, identifier

        func declare(_ resource: inout Resource) {
            guard self != .lookup else { return }
            resource.lookup = nil
            resource.duplicate = nil
            if self == .key { resource.create.idempotencyHeader = "Idempotency-Key" }
            if self == .identifier { resource.assigned = .client }
        }
    }

    /// How the answer is lost, after the work was done.
    enum Loss: CaseIterable {
        case timeout, serverError, webPage

        func put(into server: TinyServer) {
            switch self {
            case .timeout: server.loseAnswer(to: "POST")
            case .serverError: server.answer("POST", with: "{}", status: 500)
            case .webPage: server.answer("POST", with: "<html>please sign in</html>")
            }
        }
    }

    private func world(_ means: Means) async throws -> TinyWorld {
        let world = try await TinyWorld { means.declare(&$0) }
        world.server.knowKeys()
        return world
    }

    /// Nothing waits, nothing is unknown, and what is here is what the server has.
    private func isSettled(_ world: TinyWorld, _ uri: ObjectURI) async throws {
        #expect(world.server.rows("tasks").map { $0["title"] } == ["first"], "\(world.server.log)")
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "first")
        #expect(try await world.synchronizer.records(matching: Query("tasks")).map(\.uri) == [uri])
        world.server.clearLog()
        #expect(try await world.synchronizer.push().created == 0)
        #expect(world.server.log.isEmpty)
    }

    @Test("is found in the same call, however the answer was lost", arguments: [Means.lookup, .key], Loss.allCases)
    func found(_ means: Means, _ loss: Loss) async throws {
        let world = try await world(means)
        loss.put(into: world.server)
        let uri = try await world.synchronizer.saveNow(["title": "first"], as: "tasks")
        #expect(uri == ObjectURI(entity: "tasks", id: "1"))
        try await isSettled(world, uri)
    }

    @Test("is read at the identifier that was chosen for it here")
    func readable() async throws {
        let world = try await world(.identifier)
        let server = world.server
        server.loseAnswer(to: "POST", processes: false)
        let row = #"{"id":"00000000-0000-4000-8000-000000000001","title":"first","rev":1}"#
        server.answer("GET", with: row)
        let uri = try await world.synchronizer.saveNow(["title": "first"], as: "tasks")
        #expect(uri.id == "00000000-0000-4000-8000-000000000001")
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.record(at: uri)?["rev"] == 1)
    }

    @Test("that a look-up does not show may be there all the same, and stays so", arguments: Means.allCases)
    func notShown(_ means: Means) async throws {
        let world = try await world(means)
        for _ in 1...2 { world.server.loseAnswer(to: "POST", processes: false) }
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.saveNow(["title": "first"], as: "tasks")
        }
        #expect(error?.code == .unreachable && error?.mayHaveHappened == true, "\(String(describing: error))")
        if means != .key { #expect(error?.message.hasSuffix("; a look-up does not show it so far") == true) }
        #expect(try await world.synchronizer.records(matching: Query("tasks")).isEmpty)
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(world.server.log.count == 2, "asked once: \(world.server.log)")
    }

    @Test("whose repetition is refused may be there all the same, and says what was refused")
    func refusedAgain() async throws {
        let world = try await world(.key)
        world.server.loseAnswer(to: "POST")
        world.server.answer("POST", with: #"{"title":["no"]}"#, status: 400, processes: false)
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.saveNow(["title": "first"], as: "tasks")
        }
        #expect(error?.mayHaveHappened == true && error?.message.contains("; sent again: ") == true)
        #expect(world.server.rows("tasks").count == 1)
    }

    @Test("whose look-up fails says why")
    func failedLookUp() async throws {
        let world = try await world(.lookup)
        world.server.loseAnswer(to: "POST")
        world.server.answer("GET", with: #"{"detail":"oops"}"#, status: 500, processes: false)
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.saveNow(["title": "first"], as: "tasks")
        }
        #expect(error?.mayHaveHappened == true && error?.message.contains("; a look-up failed, too: look up ") == true)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test(
        "that was sent twice, and is refused as a duplicate of itself, is found",
        arguments: [(#"{"uuid":["already exists."]}"#, 400), ("{}", 409)])
    func twice(_ body: String, _ status: Int) async throws {
        let world = try await world(.lookup)
        world.server.answer("POST", with: body, status: status)
        let uri = try await world.synchronizer.saveNow(["title": "first"], as: "tasks")
        #expect(uri == ObjectURI(entity: "tasks", id: "1"))
        try await isSettled(world, uri)
    }

    @Test("that has a value of another object stays refused")
    func takenValue() async throws {
        let world = try await world(.lookup)
        world.server.insert("tasks", ["title": "first", "uuid": "mine"])
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.saveNow(["title": "first", "uuid": "mine"], as: "tasks")
        }
        #expect(error?.code == .refused)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).isEmpty)
    }

    @Test("that certainly did not arrive is asked about by nobody")
    func offline() async throws {
        let world = try await world(.lookup)
        world.server.goOffline(true)
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.saveNow(["title": "first"], as: "tasks")
        }
        #expect(error?.mayHaveHappened == false && world.server.log.count == 1)
    }

    @Test("of a caller who has gone is looked up by nobody")
    func cancelled() async throws {
        let world = try await world(.lookup)
        let server = world.server
        let call = Task {
            try await world.synchronizer.saveNow(["title": "first"], as: "tasks")
        }
        server.fail(
            .init(
                applies: { $0.method == "POST" }, processes: true,
                outcome: {
                    call.cancel()
                    throw TransportError(code: .timeout, message: "no answer", mayHaveArrived: true)
                }))
        await #expect(throws: (any Error).self) { try await call.value }
        #expect(server.log.allSatisfy { $0.hasPrefix("POST") }, "\(server.log)")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("by a value that a person gave is told from another's that has it, too")
    func anothersValue() async throws {
        let world = try await world(.lookup)
        world.server.insert("tasks", ["title": "another's", "uuid": "mine"])
        world.server.loseAnswer(to: "POST", processes: false)
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.saveNow(["title": "first", "uuid": "mine"], as: "tasks")
        }
        #expect(error?.mayHaveHappened == true)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).isEmpty)
    }

    @Test("and left a member out is told as any other that did")
    func leftOut() async throws {
        let world = try await world(.lookup)
        world.server.loseAnswer(to: "POST", processes: false)
        world.server.insert(
            "tasks", ["title": "first", "note": .null, "uuid": "00000000-0000-4000-8000-000000000002"])
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.saveNow(["title": "first", "note": "n"], as: "tasks")
        }
        #expect(error?.code == .refused && error?.message.contains("note") == true, "\(String(describing: error))")
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.records(matching: Query("tasks")).count == 1)
    }

    @Test("and answers without an identifier is looked up, too")
    func nameless() async throws {
        let world = try await world(.lookup)
        world.server.answer("POST", with: "{}", status: 201)
        let uri = try await world.synchronizer.saveNow(["title": "first"], as: "tasks")
        #expect(uri == ObjectURI(entity: "tasks", id: "1"))
        try await isSettled(world, uri)
    }

    @Test("and was shown by a pull before a look-up shows it is one object here")
    func shownMeanwhile() async throws {
        let world = try await world(.lookup)
        let gate = Gate()
        let slow = try await world.holding("POST", at: gate)
        world.server.answer("POST", with: "{}", status: 201)
        let none = #"{"next":null,"results":[]}"#
        world.server.fail(
            .init(
                applies: { $0.url.contains("uuid=") }, processes: false,
                outcome: {
                    Response(
                        status: 200, headers: ["Content-Type": "application/json"],
                        body: ResponseBody(Array(none.utf8)))
                }))
        async let saved = slow.saveNow(["title": "first"], as: "tasks")
        await gate.waitForArrivals()
        try await world.synchronizer.pull()
        gate.open()
        let uri = try await saved
        #expect(uri == ObjectURI(entity: "tasks", id: "1"))
        #expect(!world.server.log.contains { $0.hasPrefix("GET tasks/0") }, "\(world.server.log)")
        try await isSettled(world, uri)
    }

    @Test("with an edit of an object that waited to be created is found, and that waits no more")
    func queued() async throws {
        let world = try await world(.lookup)
        let uri = try await world.synchronizer.save(["title": "zero"], as: "tasks")
        world.server.loseAnswer(to: "POST")
        let place = try await world.synchronizer.editNow(uri, setting: [("title", "first")])
        #expect(place == ObjectURI(entity: "tasks", id: "1"))
        try await isSettled(world, place)
    }

    @Test("with such an edit and is not found stays one whose outcome is not known")
    func queuedNotShown() async throws {
        let world = try await world(.lookup)
        let uri = try await world.synchronizer.save(["title": "zero"], as: "tasks")
        world.server.loseAnswer(to: "POST", processes: false)
        await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("title", "first")])
        }
        guard case .unknown? = try await world.synchronizer.object(at: uri)?.meta.outgoing?.phase else {
            Issue.record("not unknown")
            return
        }
        #expect(try await world.synchronizer.push().created == 1)
        #expect(world.server.rows("tasks").map { $0["title"] } == ["first"])
    }
}
