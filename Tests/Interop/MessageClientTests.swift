#if Command
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereNotifications
    import AtmosphereSocketIO
    import AtmosphereSocketIOClient
    import Foundation
    import Testing

    /// What a message client reports, in order.
    struct Messages: ~Copyable {
        private var iterator: AsyncStream<MessageEvent>.Iterator

        init(_ stream: AsyncStream<MessageEvent>) { iterator = stream.makeAsyncIterator() }

        mutating func next() async throws -> MessageEvent {
            guard let event = await iterator.next() else { throw CancellationError() }
            return event
        }

        /// The next one that is no word of a lost connection.
        mutating func news() async throws -> MessageEvent {
            while true {
                let event = try await next()
                if case .disconnected = event.content { continue }
                return event
            }
        }
    }

    func withMessageClient<Result: Sendable>(
        _ options: SocketIOClientOptions, key: String, rooms: [String] = [],
        _ body: (inout Messages) async throws -> Result
    ) async throws -> Result {
        let client = try SocketIOMessageClient(options, rooms: rooms, key: { Secret(key) })
        let (stream, continuation) = AsyncStream<MessageEvent>.makeStream()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { continuation.finish() }
                try await client.run { continuation.yield($0) }
            }
            defer { group.cancelAll() }
            var messages = Messages(stream)
            return try await body(&messages)
        }
    }

    @Suite(
        "The message client", .serialized, .timeLimit(.minutes(10)),
        .enabled(if: SocketIOPeer.isAvailable, "no Python with venv here"))
    struct MessageClientTests {
        static let publisher = "publisher-0123456789"
        static let ann = "ann-0123456789abcdef"

        /// `atmos serve` in a process of its own.
        struct Serve {
            let process: LinePeer
            let url: String

            init(in folder: URL, port: String = "0", arguments: [String] = []) async throws {
                let publishers = folder.appendingPathComponent("publishers.keys")
                let clients = folder.appendingPathComponent("clients.keys")
                try "\(publisher) backend\n".write(to: publishers, atomically: true, encoding: .utf8)
                try "\(ann) ann tasks/*\n".write(to: clients, atomically: true, encoding: .utf8)
                process = try LinePeer(
                    AtmosCommand.binary,
                    ["serve", "--port", port, "--publishers", publishers.path, "--clients", clients.path] + arguments)
                url = try await process.line("http")
            }

            var port: String { url.split(separator: ":").last.map(String.init) ?? "" }

            func publish(_ path: String, _ body: Value) async throws {
                var request = Request(method: "POST", url: "\(url)/\(path)")
                request.headers["Authorization"] = "Bearer \(publisher)"
                request.headers["Content-Type"] = "application/json"
                request.body = .bytes(body.json())
                let response = try await CurlTransport().send(request)
                let answer = try await response.body.collect(upTo: 1 << 16)
                try #require(response.status == 200, "\(String(decoding: answer, as: UTF8.self))")
            }

            func notify(_ data: Value) async throws { try await publish("notification", ["to": ["ann"], "data": data]) }
        }

        private func data(_ event: MessageEvent) -> Value? {
            if case .notification(let notification) = event.content { notification.data } else { nil }
        }

        @Test("updates and notifications arrive, and so does what a room is told", arguments: SocketIOClientTests.ways)
        func arrival(transports: [EngineTransport]) async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let serve = try await Serve(in: folder)
            try await withMessageClient(
                quickOptions(serve.url, transports), key: Self.ann, rooms: ["tasks/9"]
            ) { messages in
                #expect(try await messages.next() == .connected(.new))
                #expect(try await messages.next() == .joined(["tasks/9"]))
                try await serve.notify(["n": 1])
                #expect(data(try await messages.next()) == ["n": 1])
                try await serve.publish(
                    "update",
                    [
                        "to": ["rooms": ["tasks/9"]], "uri": ["entity": "tasks", "id": "9"], "id": "e1",
                        "patch": ["a": nil], "version": 3, "next": 4
                    ])
                let update = LiveUpdate(
                    id: "e1", uri: ObjectURI(entity: "tasks", id: "9"), content: .patch(["a": nil]), version: "3",
                    next: "4")
                #expect(try await messages.next() == .update(update))
            }
        }

        @Test(
            "a cut connection is resumed: what was missed comes once and in order, without a gap",
            arguments: SocketIOClientTests.ways)
        func resumed(transports: [EngineTransport]) async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let serve = try await Serve(in: folder)
            let proxy = try SocketIOPeer.lines("proxy.py")
            var options = quickOptions(serve.url, transports)
            options.proxy = try await proxy.readyURL()
            try await withMessageClient(options, key: Self.ann) { messages in
                #expect(try await messages.next() == .connected(.new))
                try await serve.notify(0)
                #expect(data(try await messages.news()) == 0)
                _ = try await proxy.tell("refuse")
                _ = try await proxy.tell("cut")
                for number in 1..<4 { try await serve.notify(.init(integerLiteral: number)) }
                // A cut between two polls is seen by the next request, which must not get through before.
                guard case .disconnected = try await messages.next().content else {
                    Issue.record("the cut was not told")
                    return
                }
                _ = try await proxy.tell("allow")
                let first = try await messages.news()
                try #require(first == .connected(.resumed))
                for number in 1..<4 {
                    #expect(data(try await messages.news()) == .init(integerLiteral: number))
                }
            }
        }

        @Test(
            "after a message that is longer than the client takes nothing is resumed: it is a gap, and goes on",
            arguments: SocketIOClientTests.ways)
        func oversized(transports: [EngineTransport]) async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let serve = try await Serve(in: folder)
            var options = quickOptions(serve.url, transports)
            options.engine.payloadBytes = 10_000
            try await withMessageClient(options, key: Self.ann) { messages in
                #expect(try await messages.next() == .connected(.new))
                try await serve.notify(0)
                #expect(data(try await messages.news()) == 0)
                try await serve.notify(.string(String(repeating: "x", count: 20_000)))
                guard case .disconnected(let reason) = try await messages.next().content else {
                    Issue.record("it was taken")
                    return
                }
                #expect(reason.contains("longer than 10000 bytes"), "\(reason)")
                #expect(try await messages.news() == .connected(.gap))
                try await serve.notify(1)
                #expect(data(try await messages.next()) == 1)
            }
        }

        @Test("rooms that the key may not join are told, also of a connection that was made again")
        func refusedRooms() async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let serve = try await Serve(in: folder)
            try await withMessageClient(
                quickOptions(serve.url), key: Self.ann, rooms: ["tasks/9", "secret/1", "tasks"]
            ) { messages in
                let refusal = MessageEvent.refused(.rooms(["secret/1", "tasks"]))
                #expect(try await messages.next() == .connected(.new))
                #expect(try await messages.next() == .joined(["tasks/9"]))
                #expect(try await messages.next() == refusal)
                await serve.process.end(SIGKILL)
                let again = try await Serve(in: folder, port: serve.port)
                #expect(try await messages.news() == .connected(.gap))
                // Said by itself, or asked for; the order is the server's.
                var said = [try await messages.next(), try await messages.next()]
                said.sort { "\($0)" < "\($1)" }
                #expect(said == [.joined(["tasks/9"]), refusal])
                await again.process.end(SIGKILL)
            }
        }

        @Test("a server that was killed and has forgotten is one gap, not two", arguments: SocketIOClientTests.ways)
        func restarted(transports: [EngineTransport]) async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let serve = try await Serve(in: folder)
            try await withMessageClient(quickOptions(serve.url, transports), key: Self.ann) { messages in
                #expect(try await messages.next() == .connected(.new))
                await serve.process.end(SIGKILL)
                let again = try await Serve(in: folder, port: serve.port)
                #expect(try await messages.news() == .connected(.gap))
                try await again.notify("after")
                #expect(data(try await messages.news()) == "after")
            }
        }

        @Test(
            "another server than ours tells of every loss as a gap; what it sends is read", arguments: ["asgi", "wsgi"])
        func pythonServer(kind: String) async throws {
            let server = try SocketIOPeer.lines("server.py", [kind])
            let url = try await server.readyURL()
            let port = try #require(url.split(separator: ":").last.map(String.init))
            try await withMessageClient(quickOptions(url), key: Self.ann) { messages in
                #expect(try await messages.next() == .connected(.new))
                try await withSocketIOClient(quickOptions(url)) { publisher, signals in
                    try await signals.connected()
                    for value: Value in [["uri": ["entity": "tasks", "id": 1]], ["uri": 1]] {
                        try publisher.emit(SocketEvent("publish", ["update", .json(value)]))
                    }
                    try publisher.emit(SocketEvent("publish", ["notification", .json(["data": "hello"])]))
                    #expect(
                        try await messages.next()
                            == .update(LiveUpdate(uri: ObjectURI(entity: "tasks", id: "1"), content: .changed)))
                    #expect(try await messages.next() == .unusable(reason: "an update's uri has an entity and an id"))
                    #expect(try await messages.next() == .notification(LiveNotification(data: "hello")))
                    try publisher.emit(SocketEvent("die"))
                    _ = try await signals.lost()
                }
                let again = try SocketIOPeer.lines("server.py", [kind, "--port", port])
                _ = try await again.readyURL()
                #expect(try await messages.news() == .connected(.gap))
            }
        }

        @Test("a key that is not accepted is told as such, without the key")
        func wrongKey() async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let serve = try await Serve(in: folder)
            try await withMessageClient(quickOptions(serve.url), key: "wrong-0123456789abcdef") { messages in
                #expect(
                    try await messages.next() == .refused(.key(reason: "Unauthorized: auth.token is not valid")))
                guard case .disconnected(let reason) = try await messages.next().content else {
                    Issue.record("it was let in")
                    return
                }
                #expect(reason == "the server refuses the key (Unauthorized: auth.token is not valid)")
            }
        }

        @Test("that a server has no place for a client is no refusal of its key: it is told, and tried again")
        func noPlace() async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let serve = try await Serve(in: folder, arguments: ["--user-clients", "1"])
            var options = quickOptions(serve.url)
            options.transports = [.webSocket]
            try await withMessageClient(options, key: Self.ann) { first in
                #expect(try await first.next() == .connected(.new))
                try await withMessageClient(options, key: Self.ann) { second in
                    try await withMessageClient(options, key: Self.ann) { third in
                        // One waits for the place, and the other for its turn to wait.
                        let reason = "the server closed the connection: the places of this user (1) are taken"
                        var isTold = false
                        while !isTold {
                            guard case .disconnected(let told) = try await third.next().content else {
                                Issue.record("it was let in")
                                return
                            }
                            isTold = told.hasPrefix(reason)
                        }
                    }
                }
            }
        }

        @Test("a refusal of another server that is not of the key is told as a lost connection, with what it says")
        func otherRefusal() async throws {
            let server = try SocketIOPeer.lines("server.py", ["asgi"])
            try await withMessageClient(quickOptions(try await server.readyURL()), key: "crowded") { messages in
                let reason = "the server does not let this client in now (Too busy: for a while)"
                for _ in 0..<2 {
                    let event = try await messages.next()
                    #expect(event == .disconnected(reason: reason))
                }
            }
        }

        @Test("listen ends with 4 where the key is refused, with 0 when it is asked to, and tells of refused rooms")
        func listen() async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let serve = try await Serve(in: folder)
            let file = folder.appendingPathComponent("atmosphere.yaml")
            try """
            atmosphere: 1
            style: plain
            base: http://127.0.0.1:1/api
            live:
              url: \(serve.url.replacing("http", with: "ws"))
              key: secret:PUSH_KEY
              rooms: [tasks/9, secret/1]
            resources: { tasks: {} }
            """.write(to: file, atomically: true, encoding: .utf8)
            let wrong = try await AtmosCommand(routeFile: file, secrets: ["PUSH_KEY": "wrong-0123456789abcdef"])
                .run(["listen"])
            #expect(
                wrong.status == 4
                    && wrong.errors.contains("the server refuses the key (Unauthorized: auth.token is not valid)"),
                "\(wrong)")
            for (more, status) in [([], 0), (["--count", "2"], 128 + SIGTERM)] as [([String], Int32)] {
                let peer = try LinePeer(
                    AtmosCommand.binary, ["listen", "-c", file.path] + more,
                    environment: ["PUSH_KEY": Self.ann, "ATMOS_TRUST": file.path],
                    keepsErrors: true)
                try await peer.lines(inAnyOrder: [
                    "connected", "the server refuses rooms: this key may not listen to secret/1"
                ])
                await peer.end(SIGTERM)
                #expect(peer.status == status)
            }
        }

        @Test("TLS is checked: a certificate of its own has to be named")
        func tls() async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let certificate = folder.appendingPathComponent("certificate.pem").path
            let key = folder.appendingPathComponent("key.pem").path
            let openssl = try LinePeer(
                URL(fileURLWithPath: "/usr/bin/env"),
                [
                    "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate
                ], keepsErrors: true)
            _ = try? await openssl.line("no such line, so until it ends")
            let serve = try await Serve(
                in: folder, arguments: ["--tls-certificate", certificate, "--tls-key", key])
            try #require(serve.url.hasPrefix("https://"))
            var options = quickOptions(serve.url.replacing("https", with: "wss"))
            try await withMessageClient(options, key: Self.ann) { messages in
                guard case .disconnected(let reason) = try await messages.next().content else {
                    Issue.record("it trusts anybody")
                    return
                }
                #expect(reason.contains("certificate"), "\(reason)")
            }
            options.certificates = certificate
            let first = try await withMessageClient(options, key: Self.ann) { messages in try await messages.next() }
            #expect(first == .connected(.new))
            options.certificates = key
            #expect(throws: (any Error).self) { try SocketIOClient(options) }
        }
    }

#endif
