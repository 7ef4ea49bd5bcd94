import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Edit leases")
struct LeaseTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    @Test("an update and a delete are sent under a lease, which is given back", arguments: ["PATCH", "DELETE"])
    func write(method: String) async throws {
        let world = try await LeasedWorld()
        if method == "PATCH" {
            try await world.synchronizer.edit(uri, setting: [("title", "b")])
        } else {
            try await world.synchronizer.delete(uri)
        }
        let report = try await world.synchronizer.push()
        #expect(report.updated + report.deleted == 1)
        // With the object its lease is gone.
        let end = method == "PATCH" ? ["DELETE lease t1"] : []
        #expect(world.desk.log == ["POST lease", "\(method) t1"] + end)
    }

    @Test("where the token ends, leases are asked for and given back with the next one")
    func renewal() async throws {
        let door = SignedDoor()
        let world = try await LeasedWorld(door: door)
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        #expect(try await world.synchronizer.push().updated == 1)
        #expect(world.desk.log == ["POST lease", "PATCH t1", "DELETE lease t1"])
        for kind in ["POST tasks/1/lease", "PATCH tasks/1/", "DELETE tasks/1/lease"] {
            #expect(door.refused.contains(kind), "\(door.refused)")
        }
    }

    @Test("content goes under the lease of the edit beside it, and waits where another has it")
    func content() async throws {
        let contents = ContentServer()
        let world = try await LeasedWorld(contents: contents)
        func attach(_ text: String) async throws {
            let content = AttachmentContent(Array(text.utf8), fileName: "cat.png", mediaType: "image/png")
            try await world.synchronizer.attach(content, as: "scan", to: uri)
        }
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        try await attach("meow")
        let report = try await world.synchronizer.push()
        #expect(report.updated == 1 && report.uploaded == 1)
        #expect(world.desk.log == ["POST lease", "PATCH t1", "PUT t1", "DELETE lease t1"])

        world.desk.lend(to: "ann")
        try await attach("purr")
        #expect(try await world.synchronizer.push().uploaded == 0)
        #expect(contents.received == ["PUT tasks/1/scan meow"])
        #expect(try await world.synchronizer.object(at: uri)?.meta.uploads.count == 1)
        world.desk.lend(to: nil)
        #expect(try await world.synchronizer.push().uploaded == 1)

        try await attach("hiss")
        world.desk.forget(before: "PUT")
        #expect(try await world.synchronizer.push().uploaded == 1)
        #expect(contents.received == ["meow", "purr", "hiss"].map { "PUT tasks/1/scan \($0)" })
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("content waits where a body says that its lease is missed, whatever the status", arguments: [200, 400, 409])
    func missedByBody(status: Int) async throws {
        let contents = ContentServer()
        let world = try await LeasedWorld(contents: contents) {
            $0.lease?.refusals = [.init(statuses: [status], path: .member("locked"), treatment: .conflict)]
        }
        world.desk.refuseWrites(with: status, ["locked": true])
        let content = AttachmentContent(Array("meow".utf8), fileName: "cat.png", mediaType: "image/png")
        try await world.synchronizer.attach(content, as: "scan", to: uri)
        world.desk.forget(before: "PUT")
        #expect(try await world.synchronizer.push().uploaded == 1)
        #expect(contents.received == ["PUT tasks/1/scan meow"])
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("theirs, where another has the lease, drops the content with the edit")
    func contentDropped() async throws {
        let contents = ContentServer()
        let world = try await LeasedWorld(contents: contents)
        world.desk.lend(to: "ann")
        let content = AttachmentContent(Array("meow".utf8), fileName: "cat.png", mediaType: "image/png")
        try await world.synchronizer.attach(content, as: "scan", to: uri)
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.conflicts().map(\.uri) == [uri])
        try await world.synchronizer.resolve(uri, .theirs)
        #expect(try await world.synchronizer.pending().isEmpty)
        world.desk.lend(to: nil)
        #expect(try await world.synchronizer.push().uploaded == 0 && contents.received.isEmpty)
    }

    @Test("a create needs no lease")
    func create() async throws {
        let world = try await LeasedWorld()
        try await world.synchronizer.save(["title": "new"], as: "tasks")
        #expect(try await world.synchronizer.push().created == 1)
        #expect(world.desk.log.isEmpty)
    }

    @Test("a refused lease keeps the edit as a conflict; a later push gets the lease and sends it")
    func refused() async throws {
        let world = try await LeasedWorld()
        world.desk.lend(to: "ann")
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.record(at: uri)?["title"] == "b")
        let conflict = try #require(try await world.conflict(at: uri))
        #expect(conflict.retryAt == world.now.advanced(by: .seconds(120)))
        #expect(conflict.theirs?["title"] == "a")
        let failure = try await world.store.read { try $0.meta(at: uri)?.outgoing?.lastError }
        #expect(failure?.message == "somebody else has the edit lease: ann is editing" && failure?.status == 423)
        #expect(world.desk.log == ["POST lease"])
        world.desk.lend(to: nil)
        #expect(try await world.synchronizer.push().updated == 1)
        #expect(world.server.rows("tasks")[0]["title"] == "b")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a refused lease keeps a delete, too, and a later push sends it")
    func refusedDelete() async throws {
        let world = try await LeasedWorld()
        world.desk.lend(to: "ann")
        try await world.synchronizer.delete(uri)
        try await world.synchronizer.push()
        #expect(try await world.conflict(at: uri) != nil)
        world.desk.lend(to: nil)
        #expect(try await world.synchronizer.push().deleted == 1)
        #expect(world.server.rows("tasks").isEmpty)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test(
        "what the other has done under the lease is merged, or clashes for a person to decide", arguments: [false, true]
    )
    func others(clashes: Bool) async throws {
        let world = try await LeasedWorld()
        world.desk.lend(to: "ann")
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        try await world.synchronizer.push()
        world.server.edit("tasks", 1, clashes ? ["title": "ann's"] : ["note": "ann's"])
        world.desk.lend(to: nil)
        try await world.synchronizer.synchronize()
        let row = world.server.rows("tasks")[0]
        if clashes {
            let conflict = try #require(try await world.conflict(at: uri))
            #expect(conflict.fields == ["title"] && conflict.retryAt == nil)
            #expect(row["title"] == "ann's")
            #expect(try await world.synchronizer.record(at: uri)?["title"] == "b")
        } else {
            #expect(row["title"] == "b" && row["note"] == "ann's")
        }
    }

    @Test("a lease that ran out on the way is asked for again, and the object compared")
    func expired() async throws {
        let world = try await LeasedWorld()
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        world.desk.forget(before: "PATCH")
        #expect(try await world.synchronizer.push().updated == 1)
        #expect(world.desk.log == ["POST lease", "PATCH t1", "POST lease", "PATCH t2", "DELETE lease t2"])
        #expect(world.server.log.contains("GET tasks/1/"))
    }

    @Test("a synchronous save goes under a lease, and throws where another has it", arguments: [nil, "ann"])
    func synchronously(holder: String?) async throws {
        let world = try await LeasedWorld()
        world.desk.lend(to: holder)
        guard holder == nil else {
            let error = await #expect(throws: SyncError.self) {
                try await world.synchronizer.editNow(uri, setting: [("title", "b")])
            }
            #expect(error?.code == .leased && error?.failure?.status == 423)
            #expect(try await world.synchronizer.record(at: uri)?["title"] == "a")
            #expect(try await world.synchronizer.pending().isEmpty)
            return
        }
        try await world.synchronizer.editNow(uri, setting: [("title", "b")])
        #expect(world.desk.log == ["POST lease", "PATCH t1", "DELETE lease t1"])
    }

    @Test("an editor keeps its lease: it is renewed in time, writes go under it, and the end gives it back")
    func kept() async throws {
        let world = try await LeasedWorld()
        let renewals = Gate()
        world.desk.onRenewal { try await renewals.pass() }
        try await world.synchronizer.withLease(on: uri) {
            await renewals.waitForArrivals()
            world.desk.onRenewal { try await Gate().pass() }
            renewals.open()
            let held = await world.synchronizer.editLeases()
            #expect(held.map(\.uri) == [uri] && held.allSatisfy { !$0.hasEnded })
            try await world.synchronizer.edit(uri, setting: [("title", "b")])
            #expect(try await world.synchronizer.push().updated == 1)
        }
        #expect(await world.synchronizer.editLeases().isEmpty)
        let log = world.desk.log.filter { $0 != "PUT lease t1" }
        #expect(log == ["POST lease", "PATCH t1", "DELETE lease t1"])
        #expect(world.desk.log.contains("PUT lease t1"))
    }

    @Test("whoever follows the leases hears that one of its own has ended, and why", arguments: [false, true])
    func ended(isRefused: Bool) async throws {
        let world = try await LeasedWorld()
        let renewals = Gate()
        world.desk.onRenewal { try await renewals.pass() }
        try await world.synchronizer.withLease(on: uri) {
            await renewals.waitForArrivals()
            // Another gets it meanwhile, or the server is away until it has run out.
            if isRefused { world.desk.lend(to: "ann") } else { world.desk.close(500) }
            renewals.open()
            for try await leases in world.synchronizer.leaseChanges() {
                guard let own = leases.first, own.hasEnded else { continue }
                #expect(own.uri == uri && leases.count == 1)
                switch own.state {
                case .held: Issue.record("it has not ended")
                case .ranOut: #expect(!isRefused)
                case .lost(let failure, _):
                    #expect(isRefused && failure.message == "somebody else has the edit lease: ann is editing")
                }
                break
            }
        }
        world.desk.lend(to: nil)
        world.desk.open()
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        #expect(try await world.synchronizer.push().updated == 1)
        #expect(await world.synchronizer.editLeases().isEmpty)
    }

    @Test("a write that the server refuses for its lease ends that")
    func lostByWrite() async throws {
        let world = try await LeasedWorld()
        let known = world.synchronizer.leases
        await known.put(uri, token: "old", until: world.now.advanced(by: .seconds(60)))
        world.desk.lend(to: "ann")
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        try await world.synchronizer.push()
        let leases = await world.synchronizer.editLeases()
        guard case .lost(let failure, _)? = leases.first?.state, leases.count == 1 else {
            Issue.record("\(leases)")
            return
        }
        #expect(failure.status == 423)
        #expect(try await world.conflict(at: uri) != nil)
    }

    @Test(
        "so does an action, or a content that is sent at once, whatever an error rule says; the next asks for another",
        arguments: ["POST", "PUT"])
    func lostAtOnce(method: String) async throws {
        let world = try await LeasedWorld(
            contents: ContentServer(), tasks: { $0.errors.rules = [.init(statuses: [423], treatment: .retry)] })
        let uri = uri
        @Sendable func write() async throws {
            if method == "POST" {
                _ = try await world.synchronizer.request("move", on: uri, arguments: ["parent": 5])
            } else {
                let content = AttachmentContent(Array("meow".utf8), fileName: "cat.png", mediaType: "image/png")
                _ = try await world.synchronizer.attachNow(content, as: "scan", to: uri)
            }
        }
        await world.synchronizer.leases.put(uri, token: "old", until: world.now.advanced(by: .seconds(60)))
        let error = await #expect(throws: SyncError.self) { try await write() }
        #expect(error?.code == .refused && error?.failure?.status == 423)
        let leases = await world.synchronizer.editLeases()
        #expect(leases.count == 1 && leases.first?.hasEnded == true, "\(leases)")
        try await write()
        #expect(world.desk.log == ["\(method) old", "POST lease", "\(method) t1", "DELETE lease t1"])
    }

    @Test("an editor learns at once that another has the lease")
    func taken() async throws {
        let world = try await LeasedWorld()
        world.desk.lend(to: "ann")
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.withLease(on: uri) { Issue.record("runs without the lease") }
        }
        #expect(error?.message == "tasks/1: somebody else has the edit lease: ann is editing")
    }

    @Test(
        "a server that knows no leases: the write waits where they are enforced, and goes on where they are advice",
        arguments: [Lease.Mode.enforced, .advisory], [404, 405, 501])
    func unknown(mode: Lease.Mode, status: Int) async throws {
        let world = try await LeasedWorld { $0.lease?.mode = mode }
        world.desk.close(status)
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        let report = try await world.synchronizer.push()
        #expect(report.updated == (mode == .advisory ? 1 : 0))
        #expect(try await world.synchronizer.pending().count == (mode == .advisory ? 0 : 1))
        // What was never given is not given back.
        #expect(world.desk.log.allSatisfy { ["POST lease", "PATCH"].contains($0) }, "\(world.desk.log)")
        #expect(await world.synchronizer.editLeases().isEmpty)
    }

    @Test("where the lease of an object that is there is answered with 404, the address of the lease is wrong")
    func wrongAddress() async throws {
        let world = try await LeasedWorld()
        world.desk.close(404)
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        let report = try await world.synchronizer.push()
        #expect(world.desk.log == ["POST lease"])
        let messages = report.failures.map(\.failure.message)
        #expect(messages.count == 1 && messages[0].contains("“POST tasks/{id}/lease” (lease.acquire) with 404"))
        #expect(try await world.synchronizer.pending().count == 1)
        world.desk.open()
        #expect(try await world.synchronizer.push().updated == 1)
    }

    @Test("the lease of an object that is gone leads to the policy for deleted objects")
    func gone() async throws {
        let world = try await LeasedWorld()
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        world.server.remove("tasks", 1)
        try await world.synchronizer.push()
        let conflict = try #require(try await world.conflict(at: uri))
        #expect(conflict.theirs == nil && conflict.retryAt == nil)
    }

    @Test("what is created anew under the identifier of what was deleted needs a lease of its own")
    func anew() async throws {
        let world = try await LeasedWorld(tasks: { $0.conflict.deletedThere = .recreate })
        let renewals = Gate()
        world.desk.onRenewal { try await renewals.pass() }
        try await world.synchronizer.withLease(on: uri) {
            await renewals.waitForArrivals()
            try await world.synchronizer.edit(uri, setting: [("title", "b")])
            world.server.remove("tasks", 1)
            world.server.countFrom(1)
            #expect(try await world.synchronizer.push().created == 1)
            try await world.synchronizer.edit(uri, setting: [("title", "c")])
            #expect(try await world.synchronizer.push().updated == 1)
            renewals.open()
        }
        #expect(world.server.rows("tasks").map { $0["title"] } == ["c"])
        let log = world.desk.log.filter { !$0.hasPrefix("PUT") }
        #expect(log == ["POST lease", "POST lease", "PATCH t2", "DELETE lease t2"])
    }

    @Test("where the lease runs out before an edit at once is sent, nothing is sent")
    func ranOut() async throws {
        let world = try await LeasedWorld { $0.lease?.length = .seconds(1) }
        // The first is the desk's own, the second that of the read before the write, which waits for two seconds then.
        for _ in 1...2 { world.server.answer("GET", with: "{}", status: 429, processes: false) }
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("title", "b")])
        }
        #expect(error?.code == .leased && error?.mayHaveHappened == false)
        #expect(!world.desk.log.contains { $0.hasPrefix("PATCH") }, "\(world.desk.log)")
        #expect(world.server.rows("tasks")[0]["title"] == "a")
        try await world.synchronizer.editNow(uri, setting: [("title", "b")])
        #expect(world.server.rows("tasks")[0]["title"] == "b")
    }

    @Test("an action that is called by hand goes under a lease, and one that only reads does not")
    func action() async throws {
        let world = try await LeasedWorld()
        _ = try await world.synchronizer.request("move", on: uri, arguments: ["parent": 5])
        #expect(world.desk.log == ["POST lease", "POST t1", "DELETE lease t1"])
        #expect(world.server.rows("tasks")[0]["parent"] == 5)
        world.desk.lend(to: "ann")
        let error = await #expect(throws: SyncError.self) {
            _ = try await world.synchronizer.request("move", on: uri, arguments: ["parent": 6])
        }
        #expect(error?.code == .leased && world.server.rows("tasks")[0]["parent"] == 5)
        let known = world.desk.log.count
        #expect(try await world.synchronizer.request("look", on: uri)?.members?["title"] == "a")
        #expect(world.desk.log.count == known)
    }

    @Test("a preview has what is sent for the lease, and sends nothing")
    func preview() async throws {
        let world = try await LeasedWorld()
        func requests() async throws -> [String] {
            try await world.synchronizer.pushPreview().requests.map { pending in
                let target = pending.request.url.dropFirst("https://tiny.example/api/".count)
                let token = pending.request.headers["Lock-Token"].map { " \($0)" } ?? ""
                return "\(pending.verb)\(pending.isLease ? "!" : ""): \(pending.request.method) \(target)\(token)"
            }
        }
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        #expect(
            try await requests() == [
                "lease!: POST tasks/1/lease", "update: PATCH tasks/1/ …", "release!: DELETE tasks/1/lease …"
            ])
        try await world.synchronizer.delete(uri)
        #expect(try await requests() == ["lease!: POST tasks/1/lease", "delete: DELETE tasks/1/ …"])
        try await world.synchronizer.discard(uri)
        try await world.synchronizer.save(["title": "new"], as: "tasks")
        #expect(try await requests() == ["create: POST tasks/"])
        #expect(world.desk.log.isEmpty)
    }

    @Test("what was shown before the lease was given is asked for again before the write")
    func looksAgain() {
        var machine = LaneMachine()
        _ = machine.step(.start)
        _ = machine.step(.decided(.request(.lookUp)))
        guard case .decide(hasCompared: true)? = machine.step(.applied(Plan(), standing: .pending)).first else {
            Issue.record("a look-up is a look")
            return
        }
        _ = machine.step(.decided(.request(.lease)))
        guard case .decide(hasCompared: false)? = machine.step(.applied(Plan(), standing: .done)).first else {
            Issue.record("it is written by what was shown before")
            return
        }
    }

    @Test("an answer without the declared token is a failed try")
    func noToken() async throws {
        let world = try await LeasedWorld { $0.lease?.token?.place = .member("lock") }
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        let report = try await world.synchronizer.push()
        #expect(report.failures.first?.failure.message.contains("holds no token") == true)
        #expect(world.desk.log == ["POST lease"], "the same would come of it")
        #expect(try await world.synchronizer.pending().count == 1)
    }

    @Test("null and an empty text are no token, and the message names the place", arguments: [Value.null, ""])
    func blankToken(_ blank: Value) async throws {
        let world = try await LeasedWorld()
        world.desk.give(blank)
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        let report = try await world.synchronizer.push()
        let message = try #require(report.failures.first?.failure.message)
        #expect(message.contains("holds no token at $.token") && message.contains("lease.token"), "\(message)")
        #expect(message.contains("but null") == blank.isNull)
        #expect(world.desk.log == ["POST lease"])
        #expect(try await world.synchronizer.pending().count == 1)
    }

    @Test("a renewal that is answered without a token prolongs the lease under its own")
    func renewedWithoutToken() async throws {
        let world = try await LeasedWorld()
        let renewals = Gate()
        world.desk.onRenewal { try await renewals.pass() }
        try await world.synchronizer.withLease(on: uri) {
            await renewals.waitForArrivals()
            world.desk.onRenewal { try await Gate().pass() }
            world.desk.give(nil)
            renewals.open()
            try await world.synchronizer.edit(uri, setting: [("title", "b")])
            #expect(try await world.synchronizer.push().updated == 1)
        }
        #expect(world.desk.log.filter { !$0.hasPrefix("PUT") } == ["POST lease", "PATCH t1", "DELETE lease t1"])
    }
}

/// A tiny server with a desk in front that gives leases and lets no write through without one.
private struct LeasedWorld: Sendable {
    let server: TinyServer
    let desk = LeaseDesk()
    let store = MemoryStore()
    let synchronizer: Synchronizer

    /// - Parameter contents: takes what is attached as `scan`.
    init(
        door: SignedDoor? = nil, contents: ContentServer? = nil, tasks changeTasks: (inout Resource) -> Void = { _ in },
        _ change: (inout Lease) -> Void = { _ in }
    ) async throws {
        server = contents?.tiny ?? TinyServer()
        let path = try PathTemplate("tasks/{id}/lease")
        var lease = Lease(
            acquire: .init(method: "POST", path: path), length: .seconds(120), interval: .seconds(110))
        lease.renew = .init(method: "PUT", path: path)
        lease.release = .init(method: "DELETE", path: path)
        lease.token = .init(place: .member("token"), header: "Lock-Token")
        change(&lease)
        let actions = [
            Action(name: "move", method: "POST", path: try PathTemplate("tasks/{id}/move"), query: ["parent"]),
            Action(name: "look", method: "GET", path: try PathTemplate("tasks/{id}/"))
        ]
        let desk = desk
        let scanPath = try PathTemplate("tasks/{id}/scan")
        let routeFile = try TinyWorld.routeFile { tasks in
            tasks.version = .compare
            tasks.lease = lease
            tasks.actions = actions
            changeTasks(&tasks)
            guard contents != nil else { return }
            var scan = Attachment(name: "scan")
            scan.upload = .init()
            scan.upload?.path = scanPath
            tasks.attachments = [scan]
        }
        let behind = contents?.transport ?? server.transport
        let open = ScriptedTransport { try await desk.answer($0, before: behind) }
        let transport = door?.transport(before: open) ?? open
        synchronizer = try await Synchronizer(
            routeFile: routeFile, store: store, transport: transport, style: TinyWorld.TinyStyle(),
            authenticator: door?.authenticator, environment: TinyWorld.environment())
        server.insert("tasks", ["title": "a", "note": "n"])
        try await synchronizer.pull()
        server.clearLog()
    }

    var now: Timestamp { synchronizer.environment.now() }

    func conflict(at uri: ObjectURI) async throws -> MetaObject.Conflict? {
        guard case .conflicted(let conflict) = try await store.read({ try $0.meta(at: uri)?.outgoing?.phase }) else {
            return nil
        }
        return conflict
    }
}

/// Gives one lease at a time, for one object.
private final class LeaseDesk: Sendable {
    fileprivate struct State {
        var log: [String] = []
        var other: String?
        var token: String?
        var given = 0
        /// What every request for a lease is answered with; nil where leases are given.
        var closedWith: Int?
        var forgetsBefore: String?
        /// What a write without the lease is answered with.
        var refusal: (status: Int, body: Value.Members) = (423, ["detail": "Locked."])
        /// What stands in the place of the token; nil for nothing.
        var shown: @Sendable (String) -> Value? = { .string($0) }
        var onRenewal: @Sendable () async throws -> Void = {}
    }

    private let state = Mutex(State())
    var log: [String] { state.withLock { $0.log } }
    func lend(to other: String?) { state.withLock { $0.other = other } }
    /// Knows no leases from now on, and lets every write through.
    func close(_ status: Int) { state.withLock { $0.closedWith = status } }
    func open() { state.withLock { $0.closedWith = nil } }
    /// Shows this in the place of each token from now on.
    func give(_ value: Value?) { state.withLock { $0.shown = { _ in value } } }
    /// Loses the lease just before the next request of this method.
    func forget(before method: String) { state.withLock { $0.forgetsBefore = method } }
    func refuseWrites(with status: Int, _ body: Value.Members) { state.withLock { $0.refusal = (status, body) } }
    func onRenewal(_ body: @escaping @Sendable () async throws -> Void) { state.withLock { $0.onRenewal = body } }

    func answer(_ request: Request, before server: ScriptedTransport) async throws -> Response {
        let isLease = request.url.hasSuffix("/lease")
        let isContent = request.url.hasSuffix("/scan")
        guard
            isLease || isContent || ["PATCH", "DELETE"].contains(request.method) || request.url.contains("/move")
        else {
            return try await server.send(request)
        }
        if isLease, request.method == "PUT" { try await state.withLock { $0.onRenewal }() }
        if isLease, try await server.send(Request(method: "GET", url: String(request.url.dropLast(5)))).status == 404 {
            return Response(status: 404)
        }
        let refusal = state.withLock { state in
            let token = request.headers["Lock-Token"]
            let words: [String?] = [request.method, isLease ? "lease" : nil, token]
            state.log.append(words.compactMap { $0 }.joined(separator: " "))
            return isLease ? state.lease(request.method, token) : state.write(request.method, token)
        }
        if let refusal { return refusal }
        return try await server.send(request)
    }
}

extension LeaseDesk.State {
    fileprivate mutating func lease(_ method: String, _ token: String?) -> Response {
        if let closedWith { return Response(status: closedWith) }
        if let other { return Self.json(423, ["non_field_errors": [.string("\(other) is editing")]]) }
        if method == "DELETE" {
            self.token = nil
            return Response(status: 204)
        }
        if method == "POST" { given += 1 }
        self.token = "t\(given)"
        var answer: Value.Members = [:]
        answer["token"] = shown("t\(given)")
        return Self.json(200, answer)
    }

    /// - Returns: nil lets it through.
    fileprivate mutating func write(_ method: String, _ token: String?) -> Response? {
        if forgetsBefore == method {
            forgetsBefore = nil
            self.token = nil
        }
        return closedWith != nil || (token != nil && token == self.token)
            ? nil : Self.json(refusal.status, refusal.body)
    }

    private static func json(_ status: Int, _ members: Value.Members) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json"],
            body: ResponseBody(Value.object(members).json()))
    }
}
