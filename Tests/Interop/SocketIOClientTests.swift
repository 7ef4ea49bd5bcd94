#if Command
    import Atmosphere
    import AtmosphereSocketIO
    import AtmosphereSocketIOClient
    import Foundation
    import Synchronization
    import Testing

    @testable import EchoServer

    /// What a client is told, in order.
    struct Signals: ~Copyable {
        private var iterator: AsyncStream<SocketIOClient.Signal>.Iterator

        init(_ stream: AsyncStream<SocketIOClient.Signal>) { iterator = stream.makeAsyncIterator() }

        mutating func next() async throws -> SocketIOClient.Signal {
            guard let signal = await iterator.next() else { throw CancellationError() }
            return signal
        }

        /// The arguments of the next event of a name; what comes before is passed over.
        mutating func event(_ name: SocketEvent.Name, in namespace: String = "/") async throws -> [SocketArgument] {
            while true {
                if case .event(namespace, let event, _) = try await next(), event.name == name {
                    return event.arguments
                }
            }
        }

        mutating func acknowledgement(of number: UInt64?) async throws -> [SocketArgument] {
            while true {
                if case .acknowledged(number, _, let arguments) = try await next() { return arguments }
            }
        }

        mutating func connected(_ namespace: String = "/") async throws {
            while true {
                if case .connected(namespace, _, _) = try await next() { return }
            }
        }

        mutating func lost() async throws -> String {
            while true {
                if case .lost(let reason) = try await next() { return reason }
            }
        }

        mutating func refusal() async throws -> SocketIOClient.Signal {
            while true {
                let signal = try await next()
                if case .refused = signal { return signal }
            }
        }
    }

    /// Runs a client while `body` runs.
    func withSocketIOClient<Result: Sendable>(
        _ options: SocketIOClientOptions, namespaces: [String] = ["/"], auth: Value.Members = ["token": "123"],
        _ body: (SocketIOClient, inout Signals) async throws -> Result
    ) async throws -> Result {
        let client = try SocketIOClient(options)
        let (stream, continuation) = AsyncStream<SocketIOClient.Signal>.makeStream()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { continuation.finish() }
                try await client.run(namespaces: namespaces, auth: { _ in auth }) { continuation.yield($0) }
            }
            defer { group.cancelAll() }
            var signals = Signals(stream)
            return try await body(client, &signals)
        }
    }

    func quickOptions(_ url: String, _ transports: [EngineTransport] = [.webSocket, .polling]) -> SocketIOClientOptions
    {
        var options = SocketIOClientOptions(url: url)
        options.transports = transports
        options.firstPause = .milliseconds(50)
        options.longestPause = .milliseconds(400)
        return options
    }

    @Suite(
        "Our Socket.IO client", .serialized, .timeLimit(.minutes(10)),
        .enabled(if: SocketIOPeer.isAvailable, "no Python with venv here"))
    struct SocketIOClientTests {
        static let ways: [[EngineTransport]] = [
            [.polling], [.webSocket], [.polling, .webSocket], [.webSocket, .polling]
        ]

        /// Text, bytes and acknowledgements both ways, in two namespaces, and heartbeats that keep it alive.
        private func exchange(_ url: String, _ transports: [EngineTransport], acks: [SocketArgument]) async throws {
            try await withSocketIOClient(quickOptions(url, transports), namespaces: ["/", "/custom"]) {
                client, signals in
                let auth = try await signals.event("auth")
                #expect(auth == [.json(["token": "123"])])
                try client.emit(SocketEvent("message", [1, "2", .json(["3": [true]])]))
                #expect(try await signals.event("message-back") == [1, "2", .json(["3": [true]])])
                let mixed = SocketArgument.object([
                    .init(name: "a", argument: .array([.binary([]), 1, .json(nil), "€"]))
                ])
                let bytes: [SocketArgument] = [.binary([1, 2, 3]), mixed]
                try client.emit(SocketEvent("message", bytes))
                #expect(try await signals.event("message-back") == bytes)
                let number = try client.emit(SocketEvent("message-with-ack", acks), isAcknowledged: true)
                #expect(try await signals.acknowledgement(of: number) == acks)
                let binary = try client.emit(SocketEvent("message-with-ack", bytes), isAcknowledged: true)
                #expect(try await signals.acknowledgement(of: binary) == bytes)
                try client.emit(SocketEvent("ask-me", [.binary([9])]))
                var asked: UInt64?
                while asked == nil {
                    if case .event(_, let event, let id) = try await signals.next(), event.name == "ask" { asked = id }
                }
                try client.acknowledge(try #require(asked), [42, .binary([9])])
                let answered = try await signals.event("answered")
                #expect(answered.suffix(2) == [42, .binary([9])])
                let custom = try client.emit(
                    SocketEvent("message-with-ack", ["in custom"]), to: "/custom", isAcknowledged: true)
                #expect(try await signals.acknowledgement(of: custom) == ["in custom"])
                let long = String(repeating: "ä", count: 100_000)
                try client.emit(SocketEvent("message", [.json(.string(long))]))
                #expect(try await signals.event("message-back") == [.json(.string(long))])
                // Beyond several heartbeats.
                let end = ContinuousClock.now + .milliseconds(1500)
                while ContinuousClock.now < end {
                    try client.emit(SocketEvent("message", ["still here"]))
                    #expect(try await signals.event("message-back") == ["still here"])
                }
            }
        }

        @Test("text, bytes, namespaces and acknowledgements against our own server", arguments: ways)
        func ownServer(transports: [EngineTransport]) async throws {
            try await EchoApplication.serve(isPatient: true) { _, url in
                try await exchange(url, transports, acks: [1, "2", .json(["3": [false]])])
            }
        }

        @Test("the same against python-socketio behind ASGI and WSGI", arguments: ["asgi", "wsgi"], ways)
        func pythonServer(kind: String, transports: [EngineTransport]) async throws {
            let server = try SocketIOPeer.lines("server.py", [kind])
            try await exchange(try await server.readyURL(), transports, acks: [1, "2", .json(["3": [false]])])
        }

        @Test("a server that dies is found again, with every namespace", arguments: ["asgi", "wsgi"], ways)
        func death(kind: String, transports: [EngineTransport]) async throws {
            let server = try SocketIOPeer.lines("server.py", [kind])
            let url = try await server.readyURL()
            let port = try #require(url.split(separator: ":").last.map(String.init))
            try await withSocketIOClient(quickOptions(url, transports), namespaces: ["/", "/custom"]) {
                client, signals in
                _ = try await signals.event("auth", in: "/custom")
                try client.emit(SocketEvent("die"))
                _ = try await signals.lost()
                #expect(throws: SocketIOError.self) { try client.emit(SocketEvent("message")) }
                let next = try SocketIOPeer.lines("server.py", [kind, "--port", port])
                _ = try await next.readyURL()
                _ = try await signals.event("auth", in: "/custom")
                try client.emit(SocketEvent("message", ["again"]))
                #expect(try await signals.event("message-back") == ["again"])
                await next.end(SIGKILL)
            }
        }

        @Test("a refusal is told with its reason, and tried again", arguments: ["asgi", "wsgi"])
        func refusal(kind: String) async throws {
            let server = try SocketIOPeer.lines("server.py", [kind])
            let options = quickOptions(try await server.readyURL())
            try await withSocketIOClient(options, auth: ["token": "wrong"]) { _, signals in
                for _ in 0..<2 {
                    let refused = try await signals.refusal()
                    #expect(
                        refused
                            == .refused(namespace: "/", message: "Unauthorized", data: ["reason": "try another"]))
                }
            }
        }

        // MARK: Ways to get there

        @Test("a tunnel through a proxy, with its name and password, and the reason where it refuses", arguments: ways)
        func proxy(transports: [EngineTransport]) async throws {
            let proxy = try SocketIOPeer.lines("proxy.py", ["ann:p@ss"])
            let url = try await proxy.readyURL()
            try await EchoApplication.serve(isPatient: true) { _, server in
                var options = quickOptions(server, transports)
                options.environment = ["http_proxy": url.replacing("://", with: "://ann:p%40ss@")]
                try await withSocketIOClient(options) { _, signals in
                    try await signals.connected()
                    let made = try await proxy.tell("refuse")
                    #expect(made != "done 0")
                    // A cut between two polls is seen by the next request, which must not get through before.
                    _ = try await proxy.tell("cut")
                    var reason = ""
                    while !reason.contains("refuses the tunnel") { reason = try await signals.lost() }
                    #expect(!reason.contains("p%40ss") && !reason.contains("p@ss"))
                    _ = try await proxy.tell("allow")
                    try await signals.connected()
                }
                options.environment["no_proxy"] = "127.0.0.1"
                _ = try await proxy.tell("refuse")
                try await withSocketIOClient(options) { _, signals in
                    let first = try await signals.next()
                    guard case .connected = first else {
                        Issue.record("\(first)")
                        return
                    }
                }
            }
        }

        @Test("a server without WebSocket is polled, and that is no loss", arguments: ["asgi", "wsgi"])
        func noWebSocket(kind: String) async throws {
            let server = try SocketIOPeer.lines("server.py", [kind, "--polling"])
            try await withSocketIOClient(quickOptions(try await server.readyURL())) { client, signals in
                let first = try await signals.next()
                guard case .connected = first else {
                    Issue.record("\(first)")
                    return
                }
                try client.emit(SocketEvent("message", ["over polling"]))
                #expect(try await signals.event("message-back") == ["over polling"])
            }
        }

        @Test("no server at all is told with its address")
        func noServer() async throws {
            try await withSocketIOClient(quickOptions("ws://127.0.0.1:9")) { _, signals in
                let reason = try await signals.lost()
                #expect(reason == "cannot connect to 127.0.0.1:9")
                _ = try await signals.lost()
            }
        }

        @Test(
            "the pauses before the next try double up to the longest, and chance spreads each around it",
            arguments: [(0, [2, 4, 8, 8]), (0.5, [4, 8, 16, 16]), (0.75, [5, 10, 20, 20])] as [(Double, [Int])])
        func pauses(random: Double, expected: [Int]) async throws {
            let pauses = Mutex<[Duration]>([])
            var options = quickOptions("ws://127.0.0.1:9", [.webSocket])
            options.firstPause = .milliseconds(4)
            options.longestPause = .milliseconds(16)
            options.random = { random }
            options.sleep = { pause in
                // Longer ones are the sessions' own deadlines.
                guard pause < .seconds(1) else { return try await Task.sleep(for: pause) }
                pauses.withLock { $0.append(pause) }
            }
            try await withSocketIOClient(options) { _, signals in
                for _ in 0...expected.count { _ = try await signals.lost() }
            }
            #expect(pauses.withLock { Array($0.prefix(expected.count)) } == expected.map { .milliseconds($0) })
        }

        @Test(
            "settings that cannot be used are told at once",
            arguments: [
                "", "ftp://x", "ws://", "ws://a b/", "ws://a:0/", "ws://a:99999", "ws://a/?x", "ws://[::1", "ws://a/é"
            ])
        func wrongURL(url: String) {
            #expect(throws: SocketIOClientError.self) { try SocketIOClient(SocketIOClientOptions(url: url)) }
        }
    }
#endif
