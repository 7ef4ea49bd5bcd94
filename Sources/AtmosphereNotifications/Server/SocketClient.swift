#if Notifications
    public import AtmosphereExchange
    public import AtmosphereSocketIO
    package import NIOCore
    import Synchronization

    /// One client: its two sessions, and the requests and WebSocket that carry them.
    ///
    /// A ``SocketApplication`` is called on the client's own thread, where all of this may be used. From elsewhere go
    /// through ``execute(_:)``. What is said to a client that has gone meanwhile is dropped.
    ///
    /// `@unchecked Sendable`: every stored variable is touched on the hub's event loop only. What may be called from
    /// elsewhere (`take(_:)`, `becameWritable()`, `newLink(_:)`) hops there first, or uses the atomic counter.
    public final class SocketClient: @unchecked Sendable {
        /// Tells this connection from all others; not the secret of the Engine.IO session.
        public let id: String
        /// Of the peer, without its port: an IPv4 address, or a network of IPv6 with 64 bits.
        public let address: String
        package let loop: any EventLoop
        /// Whatever the application keeps with the client; on its thread only.
        public var context: AnyObject?
        /// What the application does to let it in, cancelled when it ends; on the loop only.
        package var admission: Task<Void, Never>?
        let sid: String
        private let hub: Hub
        private let application: any SocketApplication
        private var engine: EngineServerSession
        private var socket: SocketServerSession
        private var responders: [EngineServerSession.Link: HTTPResponder] = [:]
        /// One; two while an upgrade is on its way.
        private var webSockets: [(link: EngineServerSession.Link, output: WebSocketOutput)] = []
        /// The WebSocket that everything goes out by, where there is one; looked up once for many messages.
        private var direct: WebSocketOutput?
        private let lastLink = Atomic<UInt64>(0)
        /// When the hub looks at this client next.
        var scheduled: Duration?
        private var isFinished = false

        init(sid: String, id: String, address: String, transport: EngineTransport, hub: Hub) {
            self.sid = sid
            self.id = id
            self.address = address
            self.hub = hub
            loop = hub.loop
            application = hub.core.application
            let now = hub.now
            engine = EngineServerSession(sid: sid, transport: transport, options: hub.core.engineOptions, at: now)
            socket = SocketServerSession(options: hub.core.socketOptions, at: now)
        }

        var isPolling: Bool { engine.isPolling }
        var hasEnded: Bool { isFinished }

        // MARK: From any thread

        func newLink() -> EngineServerSession.Link { lastLink.add(1, ordering: .relaxed).newValue }

        func newLink(_ responder: HTTPResponder) -> EngineServerSession.Link {
            let link = newLink()
            onLoop { $0.responders[link] = responder }
            return link
        }

        func open(_ output: WebSocketOutput, _ link: EngineServerSession.Link) {
            onLoop {
                $0.webSockets.append((link, output))
                $0.step(.webSocketOpened(link))
            }
        }

        func take(_ event: EngineServerSession.Event) { onLoop { $0.step(event) } }

        func becameWritable() {
            onLoop { client in
                if !client.isFinished { client.application.clientBecameReady(client) }
            }
        }

        private func onLoop(_ body: @escaping @Sendable (SocketClient) -> Void) {
            if loop.inEventLoop { body(self) } else { loop.execute { body(self) } }
        }

        // MARK: For the application, on the loop

        /// Runs this on the client's own thread: at once where it is called there, else soon. Nothing happens once the
        /// server has ended.
        public func execute(_ body: @escaping @Sendable (SocketClient) -> Void) {
            if loop.inEventLoop { body(self) } else { hub.core.loopGate.execute(loop) { body(self) } }
        }

        /// Whether it was let into a namespace and has not left it.
        public func isConnected(to namespace: String) -> Bool { socket.isConnected(to: namespace) }

        /// Whether more may be sent without piling up.
        public var isReady: Bool {
            loop.assertInEventLoop()
            if let output = direct {
                // What was written in this turn of the loop may only wait for its flush.
                if !output.isWritable { output.flush() }
                return output.isWritable
            }
            return engine.bufferedBytes < hub.core.options.highWaterMark
        }

        /// Lets the client into a namespace that it has asked for; nothing happens where it has not.
        ///
        /// - Parameters:
        ///   - sid: what the client calls itself then (`socket.id`); ``id``, or what it had before.
        ///   - pid: a secret by which it can come back; nil where the application remembers nobody.
        public func accept(_ namespace: String, sid: String, pid: String? = nil) {
            perform(.accept(namespace: namespace, sid: sid, pid: pid))
            guard isConnected(to: namespace) else { return }
            hub.core.joined(self)
            trustConnections()
        }

        /// Sends the client away that has asked for a namespace: it gets `connect_error` with this message.
        public func refuse(_ namespace: String, message: String, data: Value? = nil) {
            perform(.refuse(namespace: namespace, message: message, data: data))
            hub.core.refused(self)
        }

        /// Emits an event; nothing is sent where the client is not in the namespace, or the event cannot be sent. Where
        /// ``isReady`` is false it piles up, and beyond the engine's `limits.bufferedBytes` a polling client is ended.
        ///
        /// - Parameter acknowledgement: comes back in
        ///   ``SocketApplication/clientAcknowledged(_:_:_:_:)``; nil where no answer is needed.
        public func emit(_ namespace: String, _ event: SocketEvent, acknowledgement: UInt64? = nil) {
            perform(.emit(namespace: namespace, event, acknowledgement: acknowledgement))
        }

        /// Answers an event that came with this number; once.
        public func acknowledge(_ namespace: String, _ id: UInt64, _ arguments: [SocketArgument]) {
            perform(.acknowledge(namespace: namespace, id: id, arguments))
        }

        /// Takes the client out of a namespace.
        public func disconnect(_ namespace: String) { perform(.disconnect(namespace: namespace)) }

        /// Ends the session; stock clients take that for an end by intent.
        public func close() { step(.close) }

        /// Ends as by a lost connection, so that the client comes again.
        func leave(_ end: WebSocketEnd) { step(.leave, end) }

        /// It has shown who it is, and does not count as new any more, though it is not let in yet.
        func trust() {
            guard !isFinished else { return }
            hub.core.noLongerNew(self)
            trustConnections()
        }

        private func trustConnections() {
            for (_, output) in webSockets { output.trust(hub.core.connections) }
            for responder in responders.values { responder.trust() }
        }

        /// Sends messages that were encoded once for many.
        ///
        /// - Parameter isAlone: whether nothing else follows in this turn of the loop. Otherwise they go out together, with
        ///   one flush by the hub.
        package func send(_ shared: SharedMessage, isAlone: Bool) {
            loop.assertInEventLoop()
            if let output = direct {
                for frame in shared.frames where !isAlone || !output.sendPastChannel(frame) {
                    output.write(frame)
                    hub.flushLater(output)
                }
            } else {
                step(.send(shared.messages))
            }
        }

        // MARK: The machines

        func tick() {
            scheduled = nil
            step(.tick)
            perform(.tick)
        }

        private func perform(_ event: SocketServerSession.Event) {
            loop.assertInEventLoop()
            guard !isFinished else { return }
            // Only an own event that cannot be sent throws; the application's data is not the client's fault.
            for action in (try? socket.step(event, at: hub.now)) ?? [] {
                switch action {
                case .send(let messages): step(.send(messages))
                case .authorize(let namespace, let auth, let recovery):
                    hub.core.asked(self)
                    application.clientAsked(self, namespace, auth, recovery)
                case .event(let namespace, let event, let id):
                    application.clientEmitted(self, namespace, event, acknowledgement: id)
                case .acknowledged(let number, let namespace, let arguments):
                    application.clientAcknowledged(self, namespace, number, arguments)
                case .disconnected(let namespace, _): application.clientLeft(self, namespace)
                case .close(let error):
                    hub.core.metrics.protocolErrors.add(1, ordering: .relaxed)
                    hub.core.noLongerNew(self)
                    step(.close, WebSocketEnd(error))
                case .leave:
                    hub.core.noLongerNew(self)
                    step(
                        .leave,
                        .notNow("not let in now: its user has too many clients, or who it is cannot be asked"))
                }
            }
            schedule()
        }

        /// - Parameter end: why, where this ends a WebSocket; nil where that follows from the event.
        private func step(_ event: EngineServerSession.Event, _ end: WebSocketEnd? = nil) {
            loop.assertInEventLoop()
            let actions = engine.step(event, at: hub.now)
            direct = engine.directWebSocket.flatMap(webSocket)
            for action in actions { perform(action, end ?? self.end(event, actions)) }
            schedule()
        }

        private func end(_ event: EngineServerSession.Event, _ actions: [EngineServerSession.Action]) -> WebSocketEnd {
            if case .closed(let reason)? = actions.last { return reason.error.map { WebSocketEnd($0) } ?? .done }
            // The session goes on without this WebSocket, which was to be its next transport.
            switch event {
            case .webSocketOpened where !engine.isClosed, .webSocketMessage:
                return WebSocketEnd(SocketIOError(.unexpectedPacket, "this is no upgrade of the session's transport"))
            default: return .done
            }
        }

        private func webSocket(_ link: EngineServerSession.Link) -> WebSocketOutput? {
            webSockets.first { $0.link == link }?.output
        }

        private func perform(_ action: EngineServerSession.Action, _ end: @autoclosure () -> WebSocketEnd) {
            switch action {
            case .answerPoll(let link, let body):
                responders.removeValue(forKey: link)?.answer(
                    HTTPAnswer(status: 200, contentType: "text/plain; charset=UTF-8", body: body))
                if !isFinished, !engine.isClosed { application.clientBecameReady(self) }
            case .answerPost(let link):
                responders.removeValue(forKey: link)?.answer(
                    HTTPAnswer(status: 200, contentType: "text/html", body: Array("ok".utf8)))
            case .refuse(let link, let refusal):
                responders.removeValue(forKey: link)?.answer(hub.core.refusal(refusal))
            case .sendFrame(let link, let message): webSocket(link)?.send(message)
            case .closeWebSocket(let link):
                let output = webSocket(link)
                webSockets.removeAll { $0.link == link }
                output?.close(end())
            case .deliver(let message): perform(.message(message))
            case .upgraded:
                hub.core.metrics.upgrades.add(1, ordering: .relaxed)
                // What waited for a poll has gone out.
                application.clientBecameReady(self)
            case .closed(let reason): finish(reason)
            }
        }

        private func finish(_ reason: EngineCloseReason) {
            guard !isFinished else { return }
            isFinished = true
            admission?.cancel()
            admission = nil
            for namespace in socket.namespaces { application.clientLeft(self, namespace) }
            if reason.error != nil { hub.core.metrics.protocolErrors.add(1, ordering: .relaxed) }
            hub.core.unregister(self)
            // Requests that the machine does not know any more.
            for responder in responders.values { responder.answer(hub.core.refusal(.badRequest)) }
            responders = [:]
        }

        private func schedule() {
            guard !isFinished else { return }
            let deadlines = [engine.deadline, socket.deadline].compactMap { $0 }
            guard let next = deadlines.min() else { return }
            if let scheduled, scheduled <= next { return }
            scheduled = next
            hub.schedule(self, at: next)
        }
    }

    /// Messages that go to many clients, encoded once for both transports.
    package struct SharedMessage: Sendable {
        package let messages: [EngineMessage]
        let frames: [ByteBuffer]

        /// About the memory that it takes.
        package var bytes: Int { frames.reduce(256) { $0 + 2 * $1.readableBytes } }

        /// - Throws: ``SocketIOError`` for a packet that cannot be sent.
        package init(_ packet: SocketPacket) throws(SocketIOError) {
            messages = try packet.messages()
            frames = messages.map { Frame.buffer(EnginePacket.message($0).frame) }
        }
    }
#endif
