#if Notifications
    import AtmosphereExchange
    import AtmosphereSocketIO
    import NIOCore
    public import NIOSSL
    import Synchronization

    /// The notification server: takes updates and notifications from publishers over HTTP, and hands them to the clients
    /// they are addressed to, over Socket.IO.
    ///
    /// Any stock client of Socket.IO 3 or later connects with `auth: { token, rooms }`. It gets the events `update`,
    /// `notification` and `resync` (something was missed that cannot be sent again: pull), each with its offset as the
    /// last argument; `ready` brings the rooms that it has joined and the offset at which it has, `expired` comes before a disconnect where the token
    /// has ended. It may emit `subscribe` and `unsubscribe` with an array of rooms.
    public final class NotificationServer: Sendable {
        /// How the server listens, and what it allows.
        public struct Options: Sendable {
            /// 127.0.0.1 by default: only this machine.
            public var host: String
            /// 0, the default, takes any free one.
            public var port: Int
            /// Of Socket.IO; `/socket.io/` by default.
            public var path: String
            /// The origins of web pages that may connect, `*` for all; none but the server's own by default.
            public var origins: Set<String>
            /// Whether publishers may send the form `payload={"data":…,"keys":[…]}` of the first implementation.
            public var takesForms: Bool
            /// The most clients at a time; 50,000 by default.
            public var clients: Int
            /// The most connections of one address that have brought no key yet; 256 by default. Behind a proxy all
            /// clients have its address.
            public var newClients: Int
            /// The most clients of one user at a time, on this server; 1,000 by default. More wait until one has gone.
            public var clientsPerUser: Int
            /// The threads that serve clients; 1 by default.
            public var threads: Int
            /// How much waits for a client before it is told to catch up instead, in bytes; 256 KiB by default.
            public var bufferedBytes: Int
            /// The longest body or message in bytes; 1,000,000 by default.
            public var messageBytes: Int
            /// How often a client is asked whether it is there; 25 seconds by default.
            public var pingInterval: Duration
            /// How long the server waits for the answer before a client counts as gone; 20 seconds by default.
            public var pingTimeout: Duration
            /// What is remembered for clients that come back, where there is no other broker.
            public var window: ReplayWindow
            /// What other services may send, beside publishers.
            public var webhooks: [Webhook]
            /// Without it the server speaks plain HTTP, for a proxy in front of it or for this machine alone.
            public var tls: TLSConfiguration?

            /// The defaults at an address.
            ///
            /// - Parameter port: 0 for any free one; ``NotificationServer/start()`` returns it.
            public init(host: String = "127.0.0.1", port: Int = 0) {
                self.host = host
                self.port = port
                path = "/socket.io/"
                origins = []
                takesForms = false
                clients = 50_000
                newClients = 256
                clientsPerUser = 1000
                threads = 1
                bufferedBytes = 256 * 1024
                messageBytes = 1_000_000
                pingInterval = .seconds(25)
                pingTimeout = .seconds(20)
                tls = nil
                window = ReplayWindow()
                webhooks = []
            }

            /// Serves https and wss with this certificate chain and private key, both files in PEM.
            ///
            /// - Throws: an error that names a file which cannot be read, and what NIOSSL says of one that cannot be used.
            public mutating func useTLS(certificate: String, key: String) throws {
                let chain = try NIOSSLCertificate.fromPEMBytes(PEMFile.read(certificate))
                tls = .makeServerConfiguration(
                    certificateChain: chain.map { .certificate($0) },
                    privateKey: .privateKey(try NIOSSLPrivateKey(bytes: PEMFile.read(key), format: .pem)))
                // Older ones are broken (RFC 8996).
                tls?.minimumTLSVersion = .tlsv12
            }
        }

        private let server: SocketIOServer
        private let application: NotificationApplication

        /// Makes a server; nothing is bound yet.
        ///
        /// - Parameters:
        ///   - clients: says who a client is.
        ///   - publishers: knows the keys or tokens of publishers; their names do not matter here.
        ///   - broker: carries events between servers; one in memory by default.
        public init(
            _ options: Options = Options(), clients: any ClientAuthorizer, publishers: any ClientAuthorizer,
            broker: (any Broker)? = nil
        ) {
            let start = ContinuousClock.now
            let clock: @Sendable () -> Duration = { start.duration(to: .now) }
            let broker = broker ?? MemoryBroker(epoch: Self.newEpoch(), window: options.window, clock: clock)
            let source = ReportSource()
            let api = PublisherAPI(
                publishers: publishers, broker: broker, takesForms: options.takesForms,
                reader: EventReader(newIdentifier: { RandomIdentifier.make() }),
                webhooks: Dictionary(
                    options.webhooks.map { (ScalarText($0.path), $0) }, uniquingKeysWith: { first, _ in first }),
                wallClock: { WallClock.now() }, messageBytes: options.messageBytes, report: { source.report() },
                isBusy: { source.isBusy })
            let application = NotificationApplication(
                authorizer: clients, broker: broker, api: api, memory: RoomMemory(time: .seconds(120), clock: clock),
                clientsPerUser: options.clientsPerUser, wallClock: { WallClock.now() })
            self.application = application
            server = SocketIOServer(Self.serverOptions(options), application: application)
            source.set(server, application)
            broker.subscribe { [weak application] in application?.take($0) }
            broker.pause(while: { [weak application] in application?.isBusy ?? false })
        }

        private static func serverOptions(_ options: Options) -> SocketIOServerOptions {
            var result = SocketIOServerOptions()
            result.host = options.host
            result.port = options.port
            result.path = options.path
            result.origins = options.origins
            result.clients = options.clients
            result.newClientsPerAddress = options.newClients
            result.threads = options.threads
            result.highWaterMark = options.bufferedBytes
            result.tls = options.tls
            result.engine.pingInterval = options.pingInterval
            result.engine.pingTimeout = options.pingTimeout
            result.engine.limits.payloadBytes = options.messageBytes
            result.engine.limits.bufferedBytes = options.bufferedBytes + options.messageBytes * 2
            return result
        }

        /// Letters and digits, so that an offset can be taken apart.
        private static func newEpoch() -> String {
            String(UInt64.random(in: .min ... .max), radix: 36)
        }

        /// Binds the port.
        ///
        /// - Returns: the port.
        /// - Throws: what the system says where the port is taken, or the certificate cannot be used.
        public func start() async throws -> Int { try await server.start() }

        /// Asks again who the clients are, after keys were taken away: those whose key is gone get `expired` and are
        /// disconnected, and those who may listen to less leave those rooms. Nothing happens where the authorizer takes
        /// nothing back. Returns at once.
        public func checkClients() { application.checkAgain() }

        /// Takes no more clients, closes the others so that they connect again elsewhere, and ends when all have gone,
        /// after `grace` at the latest. The server cannot be started again.
        public func shutDown(grace: Duration = .seconds(10)) async throws { try await server.shutDown(grace: grace) }
    }

    /// Breaks the circle of a server whose application reports on the server.
    private final class ReportSource: Sendable {
        private struct Parts {
            weak var server: SocketIOServer?
            weak var application: NotificationApplication?
        }

        private let parts = Mutex(Parts())

        func set(_ server: SocketIOServer, _ application: NotificationApplication) {
            parts.withLock { $0 = Parts(server: server, application: application) }
        }

        var isBusy: Bool { parts.withLock { $0.application }?.isBusy ?? false }

        func report() -> NotificationReport {
            let (server, application) = parts.withLock { ($0.server, $0.application) }
            let metrics = application?.metrics
            let counts =
                server?.counts
                ?? SocketIOServerCounts(
                    clients: 0, joined: 0, connections: 0, opened: 0, upgrades: 0, protocolErrors: 0, isDraining: true)
            return NotificationReport(
                server: counts, joined: metrics?.joined.load(ordering: .relaxed) ?? 0,
                waiting: application?.places.waiting ?? 0,
                published: metrics?.published.load(ordering: .relaxed) ?? 0,
                delivered: metrics?.delivered.load(ordering: .relaxed) ?? 0,
                dropped: metrics?.dropped.load(ordering: .relaxed) ?? 0,
                replayed: metrics?.replayed.load(ordering: .relaxed) ?? 0,
                resyncs: metrics?.resyncs.load(ordering: .relaxed) ?? 0,
                passed: metrics?.passed.load(ordering: .relaxed) ?? 0)
        }
    }
#endif
