#if Notifications
    public import AtmosphereSocketIO
    public import NIOSSL

    /// How the server listens, and what it allows.
    public struct SocketIOServerOptions: Sendable {
        /// 127.0.0.1 by default: only this machine.
        public var host = "127.0.0.1"
        /// 0, the default, for any free one.
        public var port = 0
        /// Of Socket.IO; `/socket.io/` by default.
        public var path = "/socket.io/"
        /// How sessions behave below: pings, the upgrade, and what a message may have.
        public var engine = EngineServerOptions()
        /// How they behave above: time to join a namespace, and the limits of packets.
        public var socket = SocketServerOptions()
        /// The names under which the server may be asked, as a `Host` header writes them without the port: in lower case, an
        /// IPv6 address in brackets. Another name, which somebody may have pointed at this machine (DNS rebinding), is answered
        /// with 421. nil, the default, for any name.
        public var names: Set<String>?
        /// The origins of web pages that may connect: `https://app.example.com`, or `*` for all. A page of the server's
        /// own origin always may, and so may programs, which send no origin. What a browser sends for a page of another
        /// site without saying its origin (`Sec-Fetch-Site`) may not.
        public var origins: Set<String> = []
        /// The most clients at a time.
        public var clients = 50_000
        /// The most sessions from one address whose clients have not been let in; of connections that have shown neither
        /// such a client nor a publisher's key, twice as many and 64.
        public var newClientsPerAddress = 256
        /// Above so many waiting bytes a client gets nothing more, and is told to catch up later.
        public var highWaterMark = 256 * 1024
        /// How long a request may take to arrive.
        public var requestTimeout = Duration.seconds(15)
        /// How long a connection may idle between requests.
        public var keepAlive = Duration.seconds(60)
        /// The threads that serve; 1 is right for a small machine.
        public var threads = 1
        /// Without it the server speaks plain HTTP.
        public var tls: TLSConfiguration?

        /// The defaults.
        public init() {}
    }
#endif
