#if SocketIO
    public import AtmosphereSocketIO

    /// How a Socket.IO client connects.
    public struct SocketIOClientOptions: Sendable {
        /// `ws`, `wss`, `http` or `https`; a path other than `/` stands for `/socket.io/`.
        public var url: String
        /// WebSocket first, and long-polling with an upgrade where it cannot be had, by default; one of them alone
        /// otherwise. `[.polling, .webSocket]` polls first, as the reference client does.
        public var transports: [EngineTransport]
        /// The URL of an HTTP proxy that tunnels (CONNECT), `none`, or nil for what the environment says.
        public var proxy: String?
        /// Where `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` are looked up.
        public var environment: [String: String]
        /// Certificates in PEM to trust beside the system's.
        public var certificates: String?
        /// The first pause after a loss; each pause is spread by chance over a half to one and a half times its length.
        /// 1 second by default.
        public var firstPause: Duration
        /// What pauses grow to, before chance spreads them; 30 seconds by default.
        public var longestPause: Duration
        /// For the TCP connection, for TLS, and for the answer that opens a WebSocket, each; 10 seconds by default.
        public var connectTimeout: Duration
        /// What is taken from the server; an answer or message of 16,000,000 bytes by default, so that it is more than
        /// a server may send at once. After a longer one nothing is resumed: what was missed is a gap.
        public var engine: EngineLimits
        /// What is taken of Socket.IO's own packets, and how much may wait for an acknowledgement.
        public var socket: SocketLimits
        /// The time since any moment.
        public var clock: @Sendable () -> Duration
        /// Returns after a duration or throws `CancellationError`; for tests with a clock of their own.
        public var sleep: @Sendable (Duration) async throws -> Void
        /// A number in 0..<1.
        public var random: @Sendable () -> Double

        /// The defaults for a URL; nothing of it is checked before ``SocketIOClient`` is made.
        public init(url: String) {
            self.url = url
            transports = [.webSocket, .polling]
            environment = [:]
            firstPause = .seconds(1)
            longestPause = .seconds(30)
            connectTimeout = .seconds(10)
            engine = EngineLimits(payloadBytes: 16_000_000)
            socket = .default
            let start = ContinuousClock.now
            clock = { start.duration(to: .now) }
            sleep = { try await Task.sleep(for: $0) }
            random = { Double.random(in: 0..<1) }
        }
    }

    /// Settings that no waiting mends.
    public struct SocketIOClientError: Error, Sendable, CustomStringConvertible {
        /// Names the setting, the reason and the remedy; holds no secret.
        public let description: String

        init(_ description: String) { self.description = description }
    }
#endif
