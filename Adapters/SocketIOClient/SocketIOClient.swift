#if SocketIO
    public import Atmosphere
    public import AtmosphereSocketIO
    internal import Synchronization

    /// A Socket.IO v5 client: stays connected to one server, over WebSocket or long-polling, and resumes what it left
    /// off where the server offers connection state recovery.
    ///
    /// ```swift
    /// let client = try SocketIOClient(SocketIOClientOptions(url: "wss://push.example.com"))
    /// try await client.run(namespaces: ["/"], auth: { _ in ["token": "…"] }) { signal in
    ///     if case .event(_, let event, _) = signal { print(event.name, event.arguments) }
    /// }
    /// ```
    public final class SocketIOClient: Sendable {
        /// What happens, in order.
        public enum Signal: Sendable, Hashable {
            /// In a namespace. Where `isRecovered`, what was missed follows.
            case connected(namespace: String, sid: String, isRecovered: Bool)
            /// The server did not let the client into the namespace, and why; `data` is what it sent with that.
            case refused(namespace: String, message: String, data: Value?)
            /// An event came. With an id it asks for an answer, see ``SocketIOClient/acknowledge(_:in:_:)``.
            case event(namespace: String, SocketEvent, acknowledgement: UInt64?)
            /// The event that was emitted with this number was answered.
            case acknowledged(UInt64, namespace: String, [SocketArgument])
            /// Out of a namespace; `unanswered` are the numbers of events whose acknowledgements will never come.
            case left(namespace: String, byServer: Bool, unanswered: [UInt64])
            /// There is no connection, and why; it will be tried again.
            case lost(reason: String)
        }

        private struct State {
            var input: AsyncStream<EngineRun.Input>.Continuation?
            var joined: Set<ScalarText> = []
            var number: UInt64 = 0
        }

        private let options: SocketIOClientOptions
        private let connector: Connector
        private let state = Mutex(State())

        /// A client of one server; connects to nothing yet.
        ///
        /// - Throws: ``SocketIOClientError`` for a URL, proxy or certificates that cannot be used.
        public init(_ options: SocketIOClientOptions) throws {
            self.options = options
            connector = try Connector(options)
        }

        /// Connects and stays connected until the task is cancelled. Called once.
        ///
        /// - Parameters:
        ///   - namespaces: joined with each connection.
        ///   - auth: the credentials for a namespace, asked for with each connection.
        ///   - receive: called from one task, in order; must return quickly.
        /// - Throws: `CancellationError`; what `auth` throws.
        public func run(
            namespaces: [String] = ["/"], auth: @escaping @Sendable (String) throws -> Value.Members,
            _ receive: @escaping @Sendable (Signal) -> Void
        ) async throws {
            var socket = SocketClientSession(limits: options.socket)
            var plan = ReconnectPlan(first: options.firstPause, longest: options.longestPause)
            var transports = options.transports
            while true {
                try Task.checkCancellation()
                for namespace in namespaces {
                    _ = try socket.step(
                        .connect(namespace: namespace, auth: try auth(namespace)), at: options.clock())
                }
                let (inputs, input) = AsyncStream<EngineRun.Input>.makeStream()
                state.withLock { $0.input = input }
                let wasJoined = Mutex(false)
                let run = EngineRun(connector, options, transports, socket) { signal in
                    switch signal {
                    case .connected(let namespace, _, _):
                        wasJoined.withLock { $0 = true }
                        self.state.withLock { _ = $0.joined.insert(ScalarText(namespace)) }
                        receive(signal)
                    case .left(let namespace, let byServer, _):
                        self.state.withLock { _ = $0.joined.remove(ScalarText(namespace)) }
                        receive(signal)
                        if byServer { input.yield(.engine(.close)) }
                    case .refused:
                        receive(signal)
                        if namespaces.count == 1 { input.yield(.engine(.close)) }
                    default: receive(signal)
                    }
                }
                let end = await run.run(inputs, input)
                state.withLock {
                    $0.input = nil
                    $0.joined = []
                }
                socket = end.socket
                try Task.checkCancellation()
                if end.lacksWebSocket, transports.first == .webSocket, transports.contains(.polling) {
                    // At once the other way round: from now on it polls first, and goes over where it can.
                    transports = [.polling, .webSocket]
                    continue
                }
                receive(.lost(reason: end.reason))
                if wasJoined.withLock({ $0 }) { plan.succeeded() } else { transports = options.transports }
                try await options.sleep(plan.pause(random: options.random()))
            }
        }

        /// Sends an event.
        ///
        /// - Parameter isAcknowledged: whether the answer is wanted, as ``Signal/acknowledged(_:namespace:_:)``.
        /// - Returns: the number under which it will be acknowledged.
        /// - Throws: `SocketIOError` `notConnected`, and for an event that no receiver could take.
        @discardableResult
        public func emit(
            _ event: SocketEvent, to namespace: String = "/", isAcknowledged: Bool = false
        ) throws(SocketIOError) -> UInt64? {
            _ = try SocketPacket(namespace: namespace, .event(event, nil)).messages(limits: options.socket)
            let number: UInt64? =
                isAcknowledged
                ? state.withLock { state in
                    state.number += 1
                    return state.number
                } : nil
            try send(.emit(namespace: namespace, event, acknowledgement: number), namespace)
            return number
        }

        /// Answers an event that asks for it.
        ///
        /// - Throws: as ``emit(_:to:isAcknowledged:)``.
        public func acknowledge(
            _ id: UInt64, in namespace: String = "/", _ arguments: [SocketArgument] = []
        ) throws(SocketIOError) {
            _ = try SocketPacket(namespace: namespace, .acknowledgement(arguments, id)).messages(limits: options.socket)
            try send(.acknowledge(namespace: namespace, id: id, arguments), namespace)
        }

        private func send(_ event: SocketClientSession.Event, _ namespace: String) throws(SocketIOError) {
            let input = state.withLock { $0.joined.contains(ScalarText(namespace)) ? $0.input : nil }
            guard let input else { throw SocketIOError(.notConnected, "not connected to \(namespace)") }
            input.yield(.socket(event))
        }
    }
#endif
