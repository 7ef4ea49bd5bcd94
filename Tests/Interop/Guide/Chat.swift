#if Command
    import Atmosphere
    import AtmosphereNotifications
    import AtmosphereSocketIO
    import Synchronization

    final class Chat: SocketApplication {
        private let members = Mutex<[String: SocketClient]>([:])

        func clientAsked(
            _ client: SocketClient, _ namespace: String, _ auth: Value.Members, _ recovery: SocketRecovery?
        ) {
            guard namespace == "/", auth["name"]?.string != nil else {
                return client.refuse(namespace, message: "say your name")
            }
            client.accept(namespace, sid: client.id)
            members.withLock { $0[client.id] = client }
        }

        func clientEmitted(
            _ client: SocketClient, _ namespace: String, _ event: SocketEvent, acknowledgement: UInt64?
        ) {
            guard event.name == "say" else { return }
            // Each member has a thread of its own, perhaps.
            for member in members.withLock({ Array($0.values) }) {
                member.execute { if $0.isReady { $0.emit("/", SocketEvent("said", event.arguments)) } }
            }
        }

        func clientLeft(_ client: SocketClient, _ namespace: String) {
            members.withLock { $0[client.id] = nil }
        }
    }
#endif
