import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("A write that is compared by a read before it")
struct ComparedWriteTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    @Test("goes before what waits for a place at the origin, but for what has got that of the read")
    func next() async throws {
        let world = try await TinyWorld { $0.version = .compare }
        for _ in 0..<4 { world.server.insert("tasks", ["title": "a"]) }
        try await world.synchronizer.pull()
        var routeFile = world.synchronizer.routeFile
        routeFile.limits.concurrent = 1
        let (server, read, other) = (world.server, Gate(), Gate())
        let slow = ScriptedTransport { request in
            let response = try await server.transport.send(request)
            guard request.method == "GET" else { return response }
            if request.url.hasSuffix("tasks/1/") { try await read.pass() }
            if request.url.hasSuffix("tasks/2/") { try await other.pass() }
            return response
        }
        let single = try await Synchronizer(
            routeFile: routeFile, store: world.store, transport: slow, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment())
        try await single.edit(uri, setting: [("title", "b")])
        let push = Task { try await single.push() }
        await read.waitForArrivals()
        world.server.clearLog()
        var others: [Task<ObjectRecord?, any Error>] = []
        for id in 2...4 {
            others.append(Task { try await single.refresh(ObjectURI(entity: "tasks", id: "\(id)")) })
            while await single.client.gate.waitingRequests < id - 1 { await Task.yield() }
        }
        read.open()
        await other.waitForArrivals()
        while await single.client.gate.waitingRequests < 3 { await Task.yield() }
        other.open()
        #expect(try await push.value.updated == 1)
        for other in others { _ = try await other.value }
        #expect(server.log.map { $0.prefix(13) } == ["GET tasks/2/", "PATCH tasks/1", "GET tasks/3/", "GET tasks/4/"])
    }

    @Test("says of what the server has deleted that it has, and a delete of it is done")
    func deletedThere() async throws {
        for isDelete in [false, true] {
            let world = try await TinyWorld { $0.version = .compare }
            world.server.insert("tasks", ["title": "a"])
            try await world.synchronizer.pull()
            world.server.remove("tasks", 1)
            if isDelete {
                try await world.synchronizer.deleteNow(uri)
            } else {
                let error = await #expect(throws: SyncError.self) {
                    try await world.synchronizer.editNow(uri, setting: [("title", "b")])
                }
                #expect(error?.code == .notFound, "\(String(describing: error))")
                #expect(
                    error?.message == "the server has deleted tasks/1, and it is removed here now; nothing was sent")
            }
            #expect(try await world.synchronizer.object(at: uri) == nil)
            #expect(!world.server.log.contains { $0.hasPrefix("PATCH") || $0.hasPrefix("DELETE") })
        }
    }

    // MARK: Pauses

    /// A world whose server asks the first writes to wait, and where somebody edits a note meanwhile.
    private func busy(
        _ times: Int = 1, status: Int = 429, _ change: (inout Resource) -> Void = { _ in }
    ) async throws -> (Synchronizer, TinyServer) {
        let world = try await TinyWorld {
            $0.version = .compare
            $0.update.method = "PUT"
            $0.update.body = .whole
            change(&$0)
        }
        world.server.insert("tasks", ["title": "a", "note": "n"])
        try await world.synchronizer.pull()
        world.server.clearLog()
        let server = world.server
        let left = Mutex(times)
        let transport = ScriptedTransport { request in
            let isAsked = left.withLock { left in
                guard request.method != "GET", left > 0 else { return false }
                left -= 1
                return true
            }
            guard isAsked else { return try await server.transport.send(request) }
            server.noteRefused(request)
            server.edit("tasks", 1, ["note": "theirs"])
            return Response(status: status, headers: ["Retry-After": "2"], body: ResponseBody([]))
        }
        let synchronizer = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store, transport: transport,
            style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
        return (synchronizer, server)
    }

    private func methods(_ server: TinyServer) -> [String] {
        server.log.map { String($0.prefix { $0 != " " }) }
    }

    @Test("is decided anew after a pause that the server asks for")
    func pause() async throws {
        let (synchronizer, server) = try await busy()
        try await synchronizer.edit(uri, setting: [("title", "b")])
        #expect(try await synchronizer.push().updated == 1)
        #expect(methods(server) == ["GET", "refused", "GET", "PUT"])
        #expect(server.rows("tasks").first?["note"] == "theirs" && server.rows("tasks").first?["title"] == "b")
        #expect(try await synchronizer.pending().isEmpty)
    }

    @Test("goes after a second pause without another look, or the looks would take its turn")
    func secondPause() async throws {
        let (synchronizer, server) = try await busy(3)
        try await synchronizer.edit(uri, setting: [("title", "b")])
        #expect(try await synchronizer.push().updated == 1)
        #expect(methods(server) == ["GET", "refused", "GET", "refused", "refused", "PUT"])
        #expect(try await synchronizer.pending().isEmpty)
    }

    @Test("reaches a server that lets one request through in two seconds")
    func rates() async throws {
        let world = try await TinyWorld { $0.version = .compare }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        world.server.clearLog()
        let (server, environment) = (world.server, TinyWorld.environment())
        let free = Mutex(Timestamp(milliseconds: 0))
        let limited = ScriptedTransport { request in
            let now = environment.now()
            let isEarly = free.withLock { free in
                guard free <= now else { return true }
                free = now.advanced(by: .seconds(2))
                return false
            }
            guard !isEarly else {
                return Response(status: 429, headers: ["Retry-After": "2"], body: ResponseBody([]))
            }
            return try await server.transport.send(request)
        }
        let synchronizer = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store, transport: limited,
            style: TinyWorld.TinyStyle(), environment: environment)
        try await synchronizer.edit(uri, setting: [("title", "b")])
        #expect(try await synchronizer.push().updated == 1)
        #expect(methods(server) == ["GET", "GET", "PATCH"])
        try await synchronizer.editNow(uri, setting: [("title", "c")])
        #expect(server.rows("tasks").first?["title"] == "c")
    }

    @Test("is decided anew after a 503, which may mean that it was done")
    func unavailable() async throws {
        let (synchronizer, server) = try await busy(status: 503)
        try await synchronizer.edit(uri, setting: [("title", "b")])
        #expect(try await synchronizer.push().updated == 1)
        #expect(methods(server) == ["GET", "refused", "GET", "PUT"])
        #expect(server.rows("tasks").first?["note"] == "theirs" && server.rows("tasks").first?["title"] == "b")
    }

    @Test("goes after a second 503 without another look")
    func unavailableTwice() async throws {
        let (synchronizer, server) = try await busy(3, status: 503)
        try await synchronizer.edit(uri, setting: [("title", "b")])
        #expect(try await synchronizer.push().updated == 1)
        #expect(methods(server) == ["GET", "refused", "GET", "refused", "refused", "PUT"])
    }

    @Test("at once is compared once more after a pause", arguments: [429, 503])
    func atOnce(_ status: Int) async throws {
        let (synchronizer, server) = try await busy(status: status)
        try await synchronizer.editNow(uri, setting: [("title", "b")])
        #expect(methods(server) == ["GET", "refused", "GET", "PUT"])
        #expect(server.rows("tasks").first?["note"] == "theirs" && server.rows("tasks").first?["title"] == "b")
    }

    @Test("that deletes at once does not go where the object was edited during a pause")
    func deleteAtOnce() async throws {
        let (synchronizer, server) = try await busy()
        await #expect(throws: SyncError.self) { try await synchronizer.deleteNow(uri) }
        #expect(methods(server) == ["GET", "refused", "GET"])
        #expect(try await synchronizer.object(at: uri)?.record?["note"] == "theirs")
    }

    @Test("in a batch is decided anew with all of the batch")
    func batch() async throws {
        let (synchronizer, server) = try await busy { $0.batches = [.tiny()] }
        try await synchronizer.edit(uri, setting: [("title", "b")])
        #expect(try await synchronizer.push().updated == 1)
        #expect(methods(server).prefix(3) == ["GET", "refused", "GET"])
        #expect(server.rows("tasks").first?["title"] == "b" && server.rows("tasks").first?["note"] == "theirs")
    }
}
