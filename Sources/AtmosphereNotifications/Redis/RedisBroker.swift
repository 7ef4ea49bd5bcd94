#if Notifications
    import AtmosphereExchange
    import NIOCore
    import NIOSSL
    import Synchronization

    /// Carries events between servers through one Redis (6.2 or later), and keeps them there for clients that come back.
    ///
    /// Every event is an entry of a stream, numbered by a script that also knows the identifiers of what was published
    /// before, so that numbers have no holes and an event published twice, on whichever server, is delivered once. Each
    /// server reads the stream in order, goes on where it was after a lost connection, and knows a hole when it sees one.
    /// What it has read it keeps, so that clients that come back cost Redis nothing.
    ///
    /// When Redis has forgotten (it was emptied, or restarted without having written everything down:
    /// `appendonly yes` and `appendfsync always` are what keeps it from that) a new epoch begins, and every client is told
    /// to pull. The same happens when Redis does not say how it writes, or was a replica before.
    ///
    /// Redis is not trusted beyond that: answers are bounded, and what is not an event is counted and left out, with
    /// clients told to pull.
    public final class RedisBroker: Broker {
        /// Where Redis is, and how it is used.
        public struct Options: Sendable {
            /// The one Redis of the group.
            public var address: RedisAddress
            /// Certificates of authorities in PEM that are trusted instead of the system's; nil for the system's.
            public var authorities: String?
            /// What all keys begin with; servers with one prefix are one group.
            public var prefix: String
            /// How much is remembered, here and in Redis.
            public var window: ReplayWindow
            /// Programs that write for Socket.IO servers, and are understood.
            public var emitters: [RedisEmitter]
            /// How long a publisher waits for Redis to come back before it is told to try again.
            public var patience: Duration

            /// The prefix `atmosphere`, no emitters, five seconds of patience.
            public init(_ address: RedisAddress) {
                self.address = address
                prefix = "atmosphere"
                window = ReplayWindow()
                emitters = []
                patience = .seconds(5)
            }
        }

        struct State {
            var log: ReplayLog
            /// nil until Redis was read for the first time.
            var epoch: String?
            var number: UInt64 = 0
            /// The stream's name of the last entry.
            var entry = "0-0"
            /// The most entries that are asked for at a time.
            var page = 1000
            var waiters = ReadingWaiters()
            var isConnected = false
            /// The emitters that are listened to.
            var subscriptions = 0
            var receivers: [@Sendable (BrokerSignal) -> Void] = []
            var isBusy: @Sendable () -> Bool = { false }
            /// What was said last of why there is no connection.
            var problem: String?
            /// What was said last of why a record was not kept.
            var refusal: String?
            var connections: UInt64 = 0
            var losses: UInt64 = 0
            var refusals: UInt64 = 0
        }

        let options: Options
        let tls: NIOSSLContext?
        let clock: @Sendable () -> Duration
        let newIdentifier: @Sendable () -> String
        let log: @Sendable (String) -> Void
        let state: Mutex<State>
        let publisher: RedisPublisher
        /// What is to be kept of clients.
        let records = Mutex(ClientRecords())
        /// That there is something.
        let recordNews = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        /// That Redis has refused some.
        let refusalNews = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

        /// Makes a broker; nothing is connected before ``run()``.
        ///
        /// - Parameters:
        ///   - clock: the time since any moment.
        ///   - newIdentifier: letters and digits, different each time.
        ///   - log: gets a line when the connection is lost or comes back.
        /// - Throws: an error that names a file of authorities which cannot be read, and what NIOSSL says of one that cannot be
        ///   used.
        public init(
            _ options: Options, clock: @escaping @Sendable () -> Duration,
            newIdentifier: @escaping @Sendable () -> String, log: @escaping @Sendable (String) -> Void = { _ in }
        ) throws {
            self.options = options
            self.clock = clock
            self.newIdentifier = newIdentifier
            self.log = log
            var tls: NIOSSLContext?
            if options.address.usesTLS {
                var configuration = TLSConfiguration.makeClientConfiguration()
                configuration.minimumTLSVersion = .tlsv12
                if let authorities = options.authorities {
                    let certificates = try NIOSSLCertificate.fromPEMBytes(PEMFile.read(authorities))
                    configuration.trustRoots = .certificates(certificates)
                }
                tls = try NIOSSLContext(configuration: configuration)
            }
            self.tls = tls
            state = Mutex(State(log: ReplayLog(options.window)))
            publisher = RedisPublisher(
                options.address, tls, keys: RedisKeys(prefix: options.prefix), newIdentifier: newIdentifier)
        }

        // MARK: Broker

        /// Writes the events into the stream in one go, waiting for Redis as long as ``Options/patience`` says.
        ///
        /// - Throws: where Redis cannot be reached or refuses; the events may have been published then, and publishing
        ///   them again with the same ids doubles none.
        public func publish(_ events: [PublishedEvent]) async throws -> [Publication] {
            try await publisher.publish(events, window: options.window, patience: options.patience)
        }

        /// Adds a receiver for as long as the broker lives; it is called inside a lock.
        public func subscribe(_ receive: @escaping @Sendable (BrokerSignal) -> Void) {
            state.withLock { $0.receivers.append(receive) }
        }

        /// Reads no more from the stream while the subscribers are busy; emitters, whom Redis does not keep waiting, are heard
        /// all the same.
        public func pause(while isBusy: @escaping @Sendable () -> Bool) { state.withLock { $0.isBusy = isBusy } }

        /// What this server has read after the offset. Waits for it to read as far as the client has: up to two seconds, and up
        /// to thirty while the subscribers keep it from reading. A gap for another epoch, and for what is not remembered any
        /// more.
        ///
        /// - Throws: `CancellationError`.
        public func replay(_ audiences: Set<Audience>, after offset: Offset) async throws -> Replay {
            // Another server may have read further than this one has.
            let isBehind = { @Sendable (state: State) in
                state.epoch == offset.epoch && state.number < offset.number
            }
            for turn in 0..<15 {
                let (mustWait, isBusy) = state.withLock { (isBehind($0), $0.isBusy) }
                guard mustWait, turn == 0 || isBusy() else { break }
                await withTaskGroup { group in
                    group.addTask { await self.wait(for: offset.number, while: isBehind) }
                    group.addTask { try? await Task.sleep(for: .seconds(2)) }
                    await group.next()
                    group.cancelAll()
                }
                try Task.checkCancellation()
            }
            let time = clock()
            return state.withLock { state in
                guard state.epoch == offset.epoch,
                    let deliveries = state.log.events(for: audiences, after: offset.number, at: time)
                else { return .gap }
                return .events(deliveries)
            }
        }

        /// Returns when the stream was read for the first time.
        public func ready() async { await wait(for: 0, while: { $0.epoch == nil }) }

        /// Returns when that number was read, the epoch has changed, or the task is cancelled; at once where the condition
        /// does not hold.
        private func wait(
            for number: UInt64, while condition: @escaping @Sendable (State) -> Bool
        ) async {
            guard let key = state.withLock({ condition($0) ? $0.waiters.newKey() : nil }) else { return }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let mustWait = state.withLock { state in
                        guard condition(state), !Task.isCancelled else { return false }
                        state.waiters.add(key, until: number, continuation)
                        return true
                    }
                    if !mustWait { continuation.resume() }
                }
            } onCancel: {
                state.withLock { $0.waiters.remove(key) }?.resume()
            }
        }

        /// How far this server has read.
        ///
        /// - Throws: where Redis was never read.
        public func latest() async throws -> Offset {
            try state.withLock { state in
                guard let epoch = state.epoch else { throw RedisFailure("Redis was not read yet") }
                return Offset(epoch: epoch, number: state.number)
            }
        }

        /// Healthy while the connections for reading, and for each emitter, stand.
        public func status() async -> BrokerStatus {
            state.withLock { state in
                BrokerStatus(
                    name: "redis", isHealthy: state.isConnected && state.subscriptions >= options.emitters.count,
                    reconnections: state.connections > 0 ? state.connections - 1 : 0, losses: state.losses,
                    refusals: state.refusals)
            }
        }
    }

    /// The names of what a group of servers keeps; the braces keep them together in a cluster.
    struct RedisKeys: Sendable {
        let prefix: String
        var log: String { "{\(prefix)}:log" }
        var state: String { "{\(prefix)}:state" }
        func id(_ id: String) -> String { "{\(prefix)}:id:\(id)" }
        func pid(_ pid: String) -> String { "{\(prefix)}:pid:\(pid)" }
    }
#endif
