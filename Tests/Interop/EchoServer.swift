#if Command
    import Atmosphere
    import AtmosphereNotifications
    import AtmosphereSocketIO
    import NIOCore

    /// What the protocol's own test suites ask a server to do: `auth` on connecting, `message` echoed as
    /// `message-back`, the arguments of `message-with-ack` as its acknowledgement; beside these `ask-me`, which asks the
    /// client and tells it what it answered.
    final class EchoApplication: SocketApplication {
        private let left: @Sendable () -> Void

        init(left: @escaping @Sendable () -> Void) { self.left = left }

        func clientAsked(
            _ client: SocketClient, _ namespace: String, _ auth: Value.Members, _ recovery: SocketRecovery?
        ) {
            guard namespace == "/" || namespace == "/custom" else {
                return client.refuse(namespace, message: "Invalid namespace")
            }
            client.accept(namespace, sid: client.id, pid: nil)
            client.emit(namespace, SocketEvent("auth", [.json(.object(auth))]))
        }

        func clientEmitted(
            _ client: SocketClient, _ namespace: String, _ event: SocketEvent, acknowledgement: UInt64?
        ) {
            switch event.name {
            case "message": client.emit(namespace, SocketEvent("message-back", event.arguments))
            case "message-with-ack":
                if let acknowledgement { client.acknowledge(namespace, acknowledgement, event.arguments) }
            case "ask-me": client.emit(namespace, SocketEvent("ask", [41] + event.arguments), acknowledgement: 7)
            default: break
            }
        }

        func clientAcknowledged(
            _ client: SocketClient, _ namespace: String, _ number: UInt64, _ arguments: [SocketArgument]
        ) {
            client.emit(namespace, SocketEvent("answered", [.json(.number(JSONNumber(Int64(number))))] + arguments))
        }

        func clientLeft(_ client: SocketClient, _ namespace: String) { left() }
        func clientBecameReady(_ client: SocketClient) {}

        func answer(_ request: HTTPRequest, to responder: any Answering) {
            responder.answer(HTTPAnswer(status: 404, contentType: "text/plain", body: []))
        }

        /// Runs `body` with a server as the suites configure it.
        ///
        /// - Parameters:
        ///   - isPatient: waits longer for clients that may be slow to start on a busy machine.
        ///   - pingTimeout: how long it waits for a pong; nil for what `isPatient` says.
        ///   - left: called when a client is out of a namespace.
        static func serve<Result>(
            isPatient: Bool = false, pingTimeout: Duration? = nil, left: @escaping @Sendable () -> Void = {},
            _ body: (SocketIOServer, String) async throws -> Result
        ) async throws -> Result {
            var options = SocketIOServerOptions()
            options.engine.pingInterval = .milliseconds(300)
            options.engine.pingTimeout = pingTimeout ?? (isPatient ? .seconds(5) : .milliseconds(200))
            options.socket.connectTimeout = isPatient ? .seconds(10) : .seconds(1)
            options.origins = ["https://app.example"]
            options.newClientsPerAddress = 64
            options.requestTimeout = .seconds(1)
            let server = SocketIOServer(options, application: EchoApplication(left: left))
            let port = try await server.start()
            do {
                let result = try await body(server, "http://127.0.0.1:\(port)")
                try await server.shutDown(grace: .zero)
                return result
            } catch {
                try await server.shutDown(grace: .zero)
                throw error
            }
        }
    }
#endif
