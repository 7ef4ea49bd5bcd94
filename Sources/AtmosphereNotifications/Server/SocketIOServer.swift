#if Notifications
    import AtmosphereSocketIO
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import Synchronization
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// A Socket.IO server on SwiftNIO: HTTP/1.1 with polling, WebSocket, and the upgrade between them.
    ///
    /// It speaks Engine.IO 4 and Socket.IO 5, as clients of Socket.IO 3 and later do; what it says to them is a
    /// ``SocketApplication``'s to decide. ``NotificationServer`` is one of these with an application of its own.
    public final class SocketIOServer: Sendable {
        private let core: ServerCore
        private let group: MultiThreadedEventLoopGroup
        private let listener = Mutex<(any Channel)?>(nil)

        /// Makes a server; nothing is bound yet.
        ///
        /// - Parameter application: decides what happens with clients; kept as long as the server.
        public init(
            _ options: SocketIOServerOptions = SocketIOServerOptions(), application: any SocketApplication
        ) {
            core = ServerCore(options, application)
            group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, options.threads))
        }

        /// Counts for metrics; may be read from any thread.
        public var counts: SocketIOServerCounts {
            let now = core.counts
            return SocketIOServerCounts(
                clients: now.clients, joined: now.joined, connections: core.connections.count,
                opened: core.metrics.opened.load(ordering: .relaxed),
                upgrades: core.metrics.upgrades.load(ordering: .relaxed),
                protocolErrors: core.metrics.protocolErrors.load(ordering: .relaxed), isDraining: core.isDraining)
        }

        /// Binds the port.
        ///
        /// - Returns: the port.
        /// - Throws: what the system says where the port is taken, or the certificate cannot be used.
        public func start() async throws -> Int {
            let tls = try core.options.tls.map { try NIOSSLContext(configuration: $0) }
            let core = core
            let bootstrap = ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 1024)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                // Each connection keeps the buffer that it read with: one, and small where little comes.
                .childChannelOption(.maxMessagesPerRead, value: 1)
                .childChannelOption(
                    .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 256, maximum: 65_536)
                )
                .childChannelOption(
                    .writeBufferWaterMark,
                    value: .init(low: core.options.highWaterMark / 4, high: core.options.highWaterMark)
                )
                .childChannelInitializer { channel in
                    guard core.connections.add(channel) else { return channel.close() }
                    return channel.eventLoop.makeCompletedFuture {
                        if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                        try Self.configure(channel, core)
                    }
                }
            let channel: any Channel
            do {
                channel = try await bootstrap.bind(host: core.options.host, port: core.options.port).get()
            } catch let error as IOError {
                switch error.errnoCode {
                case EADDRINUSE: throw ListenFailure("another program listens there; choose another port")
                case EACCES: throw ListenFailure("this user may not listen there; choose a port above 1023")
                case EADDRNOTAVAIL: throw ListenFailure("this machine has no such address")
                default: throw error
                }
            }
            listener.withLock { $0 = channel }
            #if canImport(Glibc)
                MemoryWatch().start(on: group.next())
            #endif
            return channel.localAddress?.port ?? core.options.port
        }

        private static func configure(_ channel: any Channel, _ core: ServerCore) throws {
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldCount = 100
            limits.maxHeaderFieldSize = 16 * 1024
            limits.maxHeaderListSize = 64 * 1024
            let encoder = HTTPResponseEncoder()
            let decoder = ByteToMessageHandler(
                HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits))
            let others: [any RemovableChannelHandler] = [
                PipeliningLimit(), HTTPServerPipelineHandler(), NIOHTTPResponseHeadersValidator(),
                HTTPServerProtocolErrorHandler()
            ]
            let handler = HTTPHandler(
                core, hub: core.hub(of: channel), address: channel.peer,
                behind: [encoder] + others + [decoder])
            try channel.pipeline.syncOperations.addHandlers([encoder, decoder] + others + [handler])
        }

        /// Takes no more clients, closes all sessions in order, answers the requests that are on their way, and waits for
        /// the connections to end, for `grace` at most; then ends what is left. Clients see a lost transport, and connect
        /// again elsewhere.
        public func shutDown(grace: Duration = .seconds(10)) async throws {
            core.drain()
            if let channel = listener.withLock({ $0 }) { try? await channel.close().get() }
            for client in core.clients { client.loop.execute { client.leave(.goingAway) } }
            // Those that wait for a request end now, the others behind its answer.
            for channel in core.connections.all {
                channel.eventLoop.execute {
                    channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
                }
            }
            let clock = ContinuousClock()
            let end = clock.now + grace
            while clock.now < end, core.connections.count > 0 {
                do { try await Task.sleep(for: .milliseconds(20)) } catch { break }
            }
            for channel in core.connections.all { try? await channel.close().get() }
            (core.application as? any HTTPApplication)?.ended()
            core.loopGate.close()
            try await group.shutdownGracefully()
        }
    }

    /// Why no port was bound, with what helps.
    struct ListenFailure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// What a server has now, and has had.
    public struct SocketIOServerCounts: Sendable {
        /// The sessions that are open.
        public var clients: Int
        /// Of those, the ones whose clients were let into a namespace.
        public var joined: Int
        /// The connections, of sessions and others.
        public var connections: Int
        /// The sessions that were ever opened.
        public var opened: UInt64
        /// Those that went over from polling to WebSocket.
        public var upgrades: UInt64
        /// Those that were ended for what their clients did wrong.
        public var protocolErrors: UInt64
        /// Whether no more clients are taken, because the server ends.
        public var isDraining: Bool
    }
#endif
