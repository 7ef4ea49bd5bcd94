#if Notifications
    import Atmosphere
    import AtmosphereNotifications
    import AtmosphereSocketIO

    /// What the protocol's own test suites ask a server to do: `auth` on connecting, `message` echoed as
    /// `message-back`, the arguments of `message-with-ack` as its acknowledgement; beside these `ask-me`, which asks the
    /// client and tells it what it answered.
    final class EchoApplication: SocketApplication {
        private let left: @Sendable () -> Void

        init(left: @escaping @Sendable () -> Void = {}) { self.left = left }

        func clientAsked(
            _ client: SocketClient, _ namespace: String, _ auth: Value.Members, _ recovery: SocketRecovery?
        ) {
            guard namespace == "/" || namespace == "/custom" else {
                return client.refuse(namespace, message: "Invalid namespace")
            }
            client.accept(namespace, sid: client.id)
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
    }
#endif
