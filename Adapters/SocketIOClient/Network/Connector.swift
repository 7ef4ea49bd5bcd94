#if SocketIO
    internal import Atmosphere
    import AtmosphereSocketIO
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOPosix
    internal import NIOSSL
    internal import NIOTLS
    internal import NIOWebSocket
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// Opens connections to one server: through a proxy where there is one, with TLS where the URL asks for it.
    struct Connector: Sendable {
        let address: ServerAddress
        let proxy: ServerAddress?
        private let tls: NIOSSLContext?
        private let timeout: TimeAmount
        private let limits: EngineLimits

        /// - Throws: ``SocketIOClientError`` for a URL or certificates that cannot be used.
        init(_ options: SocketIOClientOptions) throws {
            address = try ServerAddress(options.url)
            proxy = try address.proxy(setting: options.proxy, environment: options.environment)
            timeout = .milliseconds(max(1, options.connectTimeout.milliseconds))
            limits = options.engine
            guard address.isSecure else {
                tls = nil
                return
            }
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            do {
                if let path = options.certificates {
                    let certificates = try NIOSSLCertificate.fromPEMBytes(PEMFile.read(path))
                    configuration.additionalTrustRoots = [.certificates(certificates)]
                }
                tls = try NIOSSLContext(configuration: configuration)
            } catch let error as PEMFile.Failure {
                throw SocketIOClientError("the certificates cannot be used: \(error)")
            } catch {
                throw SocketIOClientError("the certificates cannot be used: \(options.certificates ?? "the system's")")
            }
        }

        /// Where connections go, for messages.
        var target: String { proxy.map { "\(address.target) through the proxy \($0.target)" } ?? address.target }

        /// A connection for requests, one after another. It is given up where the task is cancelled.
        func openHTTP(_ limit: Int) async throws -> any Channel {
            try await ConnectionAttempt.run { try await openHTTP(limit, $0) }
        }

        private func openHTTP(_ limit: Int, _ attempt: ConnectionAttempt) async throws -> any Channel {
            let channel = try await connect(attempt)
            do {
                try await channel.eventLoop.submit {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(HTTPExchanges(limit: limit))
                }.get()
            } catch {
                channel.close(promise: nil)
                throw error
            }
            return channel
        }

        /// A WebSocket whose messages go to `receive`. It is given up where the task is cancelled.
        func openWebSocket(_ query: String, _ receive: @escaping WebSocketMessages.Receiver) async throws -> any Channel
        {
            try await ConnectionAttempt.run { try await openWebSocket(query, receive, $0) }
        }

        private func openWebSocket(
            _ query: String, _ receive: @escaping WebSocketMessages.Receiver, _ attempt: ConnectionAttempt
        ) async throws -> any Channel {
            let channel = try await connect(attempt)
            var headers = HTTPHeaders()
            headers.add(name: "Host", value: address.authority)
            headers.add(name: "Content-Length", value: "0")
            let head = HTTPRequestHead(
                version: .http1_1, method: .GET, uri: address.path + "?" + query, headers: headers)
            let limit = limits.payloadBytes
            do {
                let opened = channel.eventLoop.makePromise(of: Bool.self)
                let deadline = channel.eventLoop.scheduleTask(in: timeout) {
                    opened.fail(LinkError("the server does not answer the WebSocket handshake"))
                }
                channel.closeFuture.whenComplete { _ in opened.fail(LinkError("the connection ended")) }
                try await channel.eventLoop.submit {
                    let upgrader = NIOTypedWebSocketClientUpgrader<Bool>(
                        // What is wrong with a frame is told before the connection ends, and by ourselves.
                        maxFrameSize: limit + 1024, enableAutomaticErrorHandling: false
                    ) { channel, _ in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(WebSocketMessages(limit: limit, receive))
                            return true
                        }
                    }
                    let upgrade = NIOTypedHTTPClientUpgradeConfiguration<Bool>(
                        upgradeRequestHead: head, upgraders: [upgrader]
                    ) { $0.eventLoop.makeSucceededFuture(false) }
                    var configuration = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: upgrade)
                    configuration.leftOverBytesStrategy = .forwardBytes
                    try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
                        configuration: configuration
                    ).cascade(to: opened)
                }.get()
                defer { deadline.cancel() }
                guard try await opened.futureResult.get() else {
                    throw LinkError("the server offers no WebSocket there")
                }
            } catch {
                channel.close(promise: nil)
                throw error
            }
            return channel
        }

        /// A connected socket, tunnelled and encrypted as it has to be.
        private func connect(_ attempt: ConnectionAttempt) async throws -> any Channel {
            let next = proxy ?? address
            let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(timeout)
                .channelOption(.socketOption(.so_keepalive), value: 1)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try attempt.add(channel) }
                }
            let channel: any Channel
            do { channel = try await bootstrap.connect(host: next.host, port: next.port).get() } catch {
                throw LinkError("cannot connect to \(target)")
            }
            do {
                if let proxy {
                    let tunnel = channel.eventLoop.makePromise(of: Void.self)
                    let deadline = channel.eventLoop.scheduleTask(in: timeout) {
                        tunnel.fail(LinkError("the proxy is silent"))
                    }
                    let request = Tunnel.request(address.target, credentials: proxy.credentials)
                    try await channel.eventLoop.submit {
                        try channel.pipeline.syncOperations.addHandler(Tunnel(request, tunnel))
                    }.get()
                    defer { deadline.cancel() }
                    try await tunnel.futureResult.get()
                }
                if let tls {
                    let host = address.host
                    let shaken = channel.eventLoop.makePromise(of: Void.self)
                    let deadline = channel.eventLoop.scheduleTask(in: timeout) {
                        shaken.fail(LinkError("the TLS handshake takes too long"))
                    }
                    try await channel.eventLoop.submit {
                        let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
                        let handler = try NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : host)
                        try channel.pipeline.syncOperations.addHandlers([handler, Handshake(shaken)])
                    }.get()
                    defer { deadline.cancel() }
                    try await shaken.futureResult.get()
                }
            } catch let error as LinkError {
                channel.close(promise: nil)
                throw error
            } catch {
                channel.close(promise: nil)
                throw LinkError("no TLS connection to \(target): \(error)")
            }
            return channel
        }
    }

    /// Why a connection could not be made or was lost, for people.
    struct LinkError: Error, CustomStringConvertible {
        let description: String
        /// The server sent what this client does not take; it would do so again.
        let isUnreadable: Bool
        /// The server has said so.
        let isOfPeer: Bool

        init(_ description: String, isUnreadable: Bool = false, isOfPeer: Bool = false) {
            self.description = description
            self.isUnreadable = isUnreadable
            self.isOfPeer = isOfPeer
        }

        /// An answer of a server to a request of long-polling that none gives who takes it.
        ///
        /// - Parameter isFirst: no session was open: then the address may be wrong.
        init(status: Int, at address: ServerAddress, isFirst: Bool) {
            let kind = (300..<400).contains(status) ? ", a redirect, which is not followed" : ""
            let isLasting = (300..<500).contains(status) && ![408, 425, 429].contains(status)
            let remedy = isFirst && isLasting ? "; correct the URL (live.url)" : ""
            self.init(
                "\(address.target)\(address.path) answered \(status)\(kind)\(remedy)", isOfPeer: true)
        }
    }

    /// Tells when TLS is there.
    private final class Handshake: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = NIOAny
        private let promise: EventLoopPromise<Void>

        init(_ promise: EventLoopPromise<Void>) { self.promise = promise }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .handshakeCompleted? = event as? TLSUserEvent {
                promise.succeed()
                context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
            }
            context.fireUserInboundEventTriggered(event)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            promise.fail(LinkError("the server's certificate or TLS is not accepted: \(error)"))
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            promise.fail(LinkError("the connection ended during the TLS handshake"))
            context.fireChannelInactive()
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            promise.fail(LinkError("the connection ended during the TLS handshake"))
        }
    }
#endif
