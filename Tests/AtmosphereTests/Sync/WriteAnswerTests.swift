import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("What servers answer to writes")
struct WriteAnswerTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    private func world(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        let world = try await TinyWorld(change)
        world.server.insert("tasks", ["title": "a", "note": "n"])
        try await world.synchronizer.pull()
        world.server.clearLog()
        return world
    }

    @Test("a create answered with little more than the identifier loses nothing here")
    func shortAnswer() async throws {
        let world = try await TinyWorld()
        world.server.answer("POST", with: #"{"id":1}"#, status: 201)
        let uri = try await world.synchronizer.save(["title": "a", "note": "n"], as: "tasks")
        try await world.synchronizer.push()
        let record = try await world.synchronizer.record(at: uri)
        #expect(record?["note"] == "n" && record?["rev"] == 1)
        #expect(world.server.log.last == "GET tasks/1/")
    }

    @Test("an update answered without a body is read back")
    func noBody() async throws {
        let world = try await world()
        world.server.answer("PATCH", with: nil, status: 204)
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        let report = try await world.synchronizer.push()
        #expect(report.updated == 1 && report.ignored.isEmpty)
        #expect(world.server.log.last == "GET tasks/1/")
        #expect(try await world.synchronizer.record(at: uri)?["rev"] == 2)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an error that looks like a success, to the update and to the read after it, keeps the edit")
    func bothErrors() async throws {
        let world = try await world { $0.version = .none }
        world.server.answer("PATCH", with: #"{"ok":false,"reason":"no such task"}"#, processes: false)
        world.server.answer("GET", with: #"{"ok":false,"reason":"no such task"}"#, processes: false)
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        #expect(try await world.synchronizer.push().ignored == [.init(uri: uri, members: ["title"])])
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "b")
        guard case .rejected(_, let failure)? = try await world.synchronizer.pending().first?.meta.outgoing?.phase
        else {
            Issue.record("the edit is not kept as refused")
            return
        }
        #expect(failure.message.contains("“ok”") && failure.message.contains("errors: { rules"), "\(failure.message)")
        try await world.synchronizer.retry(uri)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks")[0]["title"] == "b")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test(
        "a member that the server accepts and does not take is reported, and kept as refused", arguments: [true, false])
    func ignored(hasBody: Bool) async throws {
        let world = try await world()
        world.server.answer(
            "PATCH", with: hasBody ? #"{"id":1,"title":"a","note":"n","rev":1}"# : nil, status: hasBody ? 200 : 204,
            processes: false)
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        let report = try await world.synchronizer.push()
        #expect(report.ignored == [.init(uri: uri, members: ["title"])])
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "b")
        let pending = try await world.synchronizer.pending()
        guard case .rejected(_, let failure)? = pending.first?.meta.outgoing?.phase else {
            Issue.record("the edit is not kept as refused")
            return
        }
        #expect(failure.fields.map(\.field) == ["title"])
        try await world.synchronizer.retry(uri)
        #expect(try await world.synchronizer.push().ignored.isEmpty)
        #expect(world.server.rows("tasks")[0]["title"] == "b")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("of an update that was taken in part the rest is kept")
    func ignoredInPart() async throws {
        let world = try await world()
        world.server.answer("PATCH", with: #"{"id":1,"title":"a","note":"m","rev":2}"#, processes: false)
        try await world.synchronizer.edit(uri, setting: [("title", "b"), ("note", "m")])
        let report = try await world.synchronizer.push()
        #expect(report.updated == 1 && report.ignored == [.init(uri: uri, members: ["title"])])
        let object = try #require(try await world.synchronizer.pending().first)
        #expect(object.record?["title"] == "b" && object.meta.confirmed?.base["note"] == "m")
        try await world.synchronizer.discard(uri)
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "a")
    }

    @Test("a text that the server tidies is taken")
    func normalized() async throws {
        let world = try await world()
        world.server.answer("PATCH", with: #"{"id":1,"title":"a","note":"n","rev":2}"#, processes: false)
        try await world.synchronizer.edit(uri, setting: [("title", " A ")])
        let report = try await world.synchronizer.push()
        #expect(report.ignored.isEmpty && report.updated == 1)
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "a")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a text that the server has tidied is taken, also where the answer was lost")
    func normalizedUnanswered() async throws {
        let cases: [(sent: String, kept: String, later: String?, wanted: String)] = [
            (" Buy Milk ", "buy milk", nil, "buy milk"),
            (" Buy Milk ", "buy milk", "later", "later"),
            // What changes capitals alone and was not done goes again.
            ("A", "a", nil, "A"),
            (" b ", "theirs", nil, "theirs")
        ]
        for (sent, kept, later, wanted) in cases {
            let world = try await world { $0.version = .compare }
            try await world.synchronizer.edit(uri, setting: [("title", .string(sent))])
            world.server.fail(
                .init(applies: { $0.method == "PATCH" }, processes: false, outcome: { throw CancellationError() }))
            await #expect(throws: CancellationError.self) { try await world.synchronizer.push() }
            world.server.edit("tasks", 1, ["title": .string(kept)])
            if let later { try await world.synchronizer.edit(uri, setting: [("title", .string(later))]) }
            try await world.synchronizer.push()
            #expect(world.server.rows("tasks")[0]["title"] == .string(wanted))
            #expect(world.server.log.count { $0.hasPrefix("PATCH") } == (wanted == kept ? 1 : 2), "\(sent)")
            let isOthers = kept == "theirs"
            #expect(try await world.synchronizer.conflicts().isEmpty == !isOthers)
            #expect(try await world.synchronizer.pending().isEmpty == !isOthers)
        }
    }

    @Test("a synchronous save that the server does not take throws", arguments: [true, false])
    func ignoredNow(hasBody: Bool) async throws {
        let world = try await world()
        world.server.answer(
            "PATCH", with: hasBody ? #"{"id":1,"title":"a","note":"n","rev":1}"# : #"{"ok":true}"#, processes: false)
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("title", "b")])
        }
        #expect(error?.code == .refused && error?.message.contains("left title as it was") == true)
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "a")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    private static let error = #"{"error":{"code":7,"message":"database down"}}"#

    private func errorRule(_ treatment: ErrorRules.Treatment) throws -> (inout Resource) -> Void {
        let path = try JSONPath("$.error.code")
        return { resource in
            resource.errors.messages = [path]
            resource.errors.rules = [.init(statuses: [200], path: path, values: [7], treatment: treatment)]
        }
    }

    @Test("a success that an error rule names is a refusal: nothing is taken for done", arguments: ["PATCH", "DELETE"])
    func refusedSuccess(method: String) async throws {
        let world = try await world(errorRule(.reject))
        world.server.answer(method, with: Self.error, processes: false)
        if method == "PATCH" {
            try await world.synchronizer.edit(uri, setting: [("title", "b")])
        } else {
            try await world.synchronizer.delete(uri)
        }
        let report = try await world.synchronizer.push()
        #expect(report.updated == 0 && report.deleted == 0)
        #expect(try await world.synchronizer.status()[1].counts.rejected == 1)
        try await world.synchronizer.retry(uri)
        let second = try await world.synchronizer.push()
        #expect(second.updated + second.deleted == 1)
    }

    @Test("a create that a success refuses is rejected, and one that it puts off is tried again")
    func refusedCreate() async throws {
        for treatment in [ErrorRules.Treatment.reject, .retry] {
            let world = try await TinyWorld(errorRule(treatment))
            world.server.answer("POST", with: Self.error, processes: false)
            try await world.synchronizer.save(["title": "a"], as: "tasks")
            let report = try await world.synchronizer.push()
            #expect(report.created == (treatment == .retry ? 1 : 0))
            #expect(try await world.synchronizer.status()[1].counts.rejected == (treatment == .retry ? 0 : 1))
        }
    }

    @Test("a list that a success refuses is no empty list")
    func refusedList() async throws {
        let world = try await world(errorRule(.retry))
        for _ in 0..<3 { world.server.answer("GET", with: Self.error, processes: false) }
        var options = Synchronizer.PullOptions()
        options.full = true
        let report = try await world.synchronizer.pull(entities: ["tasks"], options: options)
        #expect(!report.isComplete && report.entities["tasks"]?.problem?.contains("(200)") == true)
        #expect(try await world.synchronizer.record(at: uri) != nil)
    }

    @Test("a web page is no answer: the edit and the delete stay", arguments: ["PATCH", "DELETE"])
    func webPage(method: String) async throws {
        let world = try await world { $0.version = .none }
        for _ in 0..<20 { world.server.answer(method, with: "<html>Please sign in</html>", processes: false) }
        if method == "PATCH" {
            try await world.synchronizer.edit(uri, setting: [("title", "b")])
        } else {
            try await world.synchronizer.delete(uri)
        }
        let report = try await world.synchronizer.push()
        #expect(report.updated == 0 && report.deleted == 0)
        #expect(report.failures.first?.failure.message.contains("web page") == true)
        #expect(try await world.synchronizer.pending().count == 1)
    }

    @Test(
        "a try that failed holds up no later one, whatever the object is compared by",
        arguments: ["PATCH", "DELETE"], [Version.compare, .none, .token(.field(.member("rev")), ordered: true)])
    func failedOnce(method: String, version: Version) async throws {
        let world = try await world { $0.version = version }
        if method == "PATCH" {
            try await world.synchronizer.edit(uri, setting: [("title", "b")])
        } else {
            try await world.synchronizer.delete(uri)
        }
        for failing in version == .none ? [method] : [method, "GET"] {
            for _ in 0..<7 { world.server.answer(failing, with: "{}", status: 500, processes: false) }
            let report = try await world.synchronizer.push()
            #expect(report.updated + report.deleted == 0 && !report.failures.isEmpty)
        }
        world.server.forgetFaults()
        let report = try await world.synchronizer.push()
        #expect(report.updated + report.deleted == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("an edit made while a refused update was on the wire is sent; the refusal was of another")
    func supersededRefusal() async throws {
        let world = try await world()
        let gate = Gate()
        let slow = try await world.holding("PATCH", at: gate)
        try await slow.edit(uri, setting: [("title", "bad")])
        async let report = slow.push()
        await gate.waitForArrivals()
        try await slow.edit(uri, setting: [("title", "good")])
        gate.open()
        #expect(try await report.updated == 1)
        #expect(world.server.rows("tasks")[0]["title"] == "good")
        #expect(try await slow.pending().isEmpty)
    }

    @Test("a delete made while a refused update was on the wire is sent")
    func deleteAfterRefusal() async throws {
        let world = try await world()
        let gate = Gate()
        let slow = try await world.holding("PATCH", at: gate)
        try await slow.edit(uri, setting: [("title", "bad")])
        async let report = slow.push()
        await gate.waitForArrivals()
        try await slow.delete(uri)
        gate.open()
        _ = try await report
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").isEmpty)
        #expect(try await slow.pending().isEmpty)
    }

    @Test("an update of what is gone there asks, where the API offers no read too")
    func goneWithoutRead() async throws {
        let world = try await world { $0.read.isOffered = false }
        world.server.remove("tasks", 1)
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        let report = try await world.synchronizer.push()
        #expect(report.updated == 0)
        // The list tells that it is not the address that is wrong.
        #expect(world.server.log == [#"PATCH tasks/1/ {"title":"b"}"#, "GET tasks/"])
        #expect(try await world.synchronizer.status()[1].counts.conflicted == 1)
    }

    @Test(
        "deleted there and edited here goes as the policy says",
        arguments: [ConflictRules.DeleteRule.delete, .recreate, .ask])
    func deletedThere(rule: ConflictRules.DeleteRule) async throws {
        let world = try await world { $0.conflict.deletedThere = rule }
        world.server.remove("tasks", 1)
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        try await world.synchronizer.push()
        let counts = try await world.synchronizer.status()[1].counts
        switch rule {
        case .delete: #expect(counts.objects == 0 && world.server.rows("tasks").isEmpty)
        case .recreate:
            #expect(world.server.rows("tasks").map { $0["title"] } == ["b"])
            #expect(counts.changed == 0 && counts.objects == 1)
        case .ask: #expect(counts.conflicted == 1 && counts.objects == 1)
        }
    }

    @Test(
        "deleted here and edited there goes as the policy says",
        arguments: [ConflictRules.DeleteRule.delete, .recreate, .ask])
    func deletedHere(rule: ConflictRules.DeleteRule) async throws {
        let world = try await world { $0.conflict.deletedHere = rule }
        world.server.edit("tasks", 1, ["title": "theirs"])
        try await world.synchronizer.delete(uri)
        try await world.synchronizer.push()
        let counts = try await world.synchronizer.status()[1].counts
        switch rule {
        case .delete: #expect(world.server.rows("tasks").isEmpty && counts.changed == 0)
        case .recreate: #expect(try await world.synchronizer.record(at: uri)?["title"] == "theirs")
        case .ask: #expect(counts.conflicted == 1 && world.server.rows("tasks").count == 1)
        }
    }

    @Test(
        "an edit of either of two members whose names are canonically equivalent is seen before a delete goes on",
        arguments: ["caf\u{E9}", "cafe\u{301}"])
    func deletedHereBesideEquivalentName(_ edited: String) throws {
        let resource = try #require(try TinyWorld.routeFile().resource("tasks"))
        let members: Value.Members = ["id": 1, "caf\u{E9}": "x", "cafe\u{301}": "y"]
        var theirs = members
        theirs[edited] = "edited by another"
        let confirmed = MetaObject.Confirmed(base: ObjectRecord(members), version: nil, sequence: 3)
        func shown(_ members: Value.Members) -> Representation {
            Representation(record: ObjectRecord(members), id: ObjectID("1"), version: nil, sequence: 9)
        }
        #expect(ChangeEngine(resource).isUntouched(shown(members), since: confirmed))
        #expect(!ChangeEngine(resource).isUntouched(shown(theirs), since: confirmed))
    }

    @Test("where versions are sent and none is known, the server is read first; a strong one goes into If-Match")
    func ifMatch() async throws {
        let world = try await TinyWorld { $0.version = .ifMatch(.header("ETag"), ordered: false) }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        world.server.fail(
            .init(
                applies: { $0.method == "GET" && $0.url.hasSuffix("tasks/1/") }, processes: false,
                outcome: {
                    Response(
                        status: 200, headers: ["ETag": "\"v1\""],
                        body: ResponseBody(Array(#"{"id":1,"rev":1,"title":"a"}"#.utf8)))
                }))
        let sent = Sent()
        world.server.fail(
            .init(
                applies: { request in
                    if request.method == "PATCH" { sent.note(request.headers["If-Match"]) }
                    return false
                }, processes: false, outcome: { nil }))
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        try await world.synchronizer.push()
        #expect(sent.values == ["\"v1\""])
    }

    @Test("the same idempotency key goes with each try of a create")
    func idempotencyKey() async throws {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.create.idempotencyHeader = "Idempotency-Key"
        }
        let sent = Sent()
        world.server.fail(
            .init(
                applies: { request in
                    if request.method == "POST" { sent.note(request.headers["Idempotency-Key"]) }
                    return false
                }, processes: false, outcome: { nil }))
        world.server.loseAnswer(to: "POST", processes: false)
        try await world.synchronizer.save(["title": "a"], as: "tasks")
        try await world.synchronizer.push()
        #expect(sent.values.count == 2 && Set(sent.values).count == 1 && sent.values[0] != nil)
        #expect(world.server.rows("tasks").count == 1)
    }
}
