#if Gateway && Notifications
    internal import Atmosphere
    internal import AtmosphereNotifications
    internal import AtmosphereSocketIO
    internal import NIOSSL

    /// The gateway's events for stock clients of Socket.IO: each as `emit(NAME, DATA, ID)`.
    ///
    /// A client connects with `auth: { token, entities, after }`; it is told what the event stream tells, at its own pace.
    final class EventSocket: SocketApplication {
        /// What is kept with a client.
        private final class Reading: Sendable {
            let events: EventClient
            /// The client has taken what it was told.
            let taken: AsyncStream<Void>.Continuation
            let telling: Task<Void, Never>

            init(_ events: EventClient, _ taken: AsyncStream<Void>.Continuation, _ telling: Task<Void, Never>) {
                self.events = events
                self.taken = taken
                self.telling = telling
            }

            deinit {
                telling.cancel()
                events.end()
            }
        }

        private let service: @Sendable () -> GatewayService?

        /// - Parameter service: nil before the gateway is open and after its end.
        init(_ service: @escaping @Sendable () -> GatewayService?) { self.service = service }

        /// A server of it on a port of its own.
        static func server(
            _ options: Gateway.Options, port: Int, _ tls: TLSConfiguration?,
            _ service: @escaping @Sendable () -> GatewayService?
        ) -> SocketIOServer {
            var serving = SocketIOServerOptions()
            serving.host = options.host
            serving.port = port
            serving.names = Set(options.hostNames)
            serving.origins = Set(options.origins)
            serving.clients = options.connections
            serving.tls = tls
            return SocketIOServer(serving, application: EventSocket(service))
        }

        func clientAsked(
            _ client: SocketClient, _ namespace: String, _ auth: Value.Members, _ recovery: SocketRecovery?
        ) {
            guard namespace == "/" else {
                return client.refuse(namespace, message: "events are told in the namespace /")
            }
            guard let service = service() else {
                return client.refuse(namespace, message: "the gateway begins, or ends")
            }
            do throws(Problem) {
                let events = try service.eventReader(auth)
                events.onOverdue { client.execute { $0.close() } }
                let (signs, taken) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
                client.accept(namespace, sid: client.id)
                let telling = Task { await Self.tell(client, events, signs, taken) }
                client.context = Reading(events, taken, telling)
            } catch {
                client.refuse(namespace, message: error.detail, data: error.value)
            }
        }

        /// Until the client leaves or the gateway ends.
        private static func tell(
            _ client: SocketClient, _ events: EventClient, _ signs: AsyncStream<Void>,
            _ taken: AsyncStream<Void>.Continuation
        ) async {
            var signs = signs.makeAsyncIterator()
            while let turn = await events.turn() {
                let told = turn.events.compactMap { event in
                    (try? Value(json: event.data)).map { data in
                        SocketEvent(.text(event.name), [.json(data), .json(.string(event.id))])
                    }
                }
                client.execute { client in
                    for event in told { client.emit("/", event) }
                    if client.isReady { taken.yield() }
                }
                if await signs.next() == nil { return }
            }
            // Who has left by itself may have come again.
            guard !Task.isCancelled else { return }
            client.execute { $0.close() }
        }

        func clientEmitted(
            _ client: SocketClient, _ namespace: String, _ event: SocketEvent, acknowledgement: UInt64?
        ) {}

        func clientBecameReady(_ client: SocketClient) { (client.context as? Reading)?.taken.yield() }

        func clientLeft(_ client: SocketClient, _ namespace: String) { client.context = nil }
    }
#endif
