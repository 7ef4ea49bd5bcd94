#if Notifications
    package import AtmosphereSocketIO
    package import NIOCore
    package import NIOSSL

    /// How the server listens, and what it allows.
    package struct SocketIOServerOptions: Sendable {
        package var host = "127.0.0.1"
        /// 0 for any free one.
        package var port = 0
        package var path = "/socket.io/"
        package var engine = EngineServerOptions()
        package var socket = SocketServerOptions()
        /// The origins of web pages that may connect: `https://app.example.com`, or `*` for all. A page of the server's
        /// own origin always may, and so may programs, which send no origin.
        package var origins: Set<String> = []
        /// The most clients at a time.
        package var clients = 50_000
        /// The most sessions from one address whose clients have not been let in; of connections that have shown neither
        /// such a client nor a publisher's key, twice as many and 64.
        package var newClientsPerAddress = 256
        /// Above so many waiting bytes a client gets nothing more, and is told to catch up later.
        package var highWaterMark = 256 * 1024
        /// How long a request may take to arrive.
        package var requestTimeout = TimeAmount.seconds(15)
        /// How long a connection may idle between requests.
        package var keepAlive = TimeAmount.seconds(60)
        /// The threads that serve; 1 is right for a small machine.
        package var threads = 1
        package var tls: TLSConfiguration?

        package init() {}
    }
#endif
