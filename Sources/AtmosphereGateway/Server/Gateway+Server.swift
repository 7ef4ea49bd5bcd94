#if Gateway
    internal import Atmosphere
    internal import AtmosphereServing
    internal import HTTPTypes
    internal import HummingbirdCore
    internal import HummingbirdTLS
    internal import NIOCore
    internal import NIOSSL
    internal import Synchronization
    #if Notifications
        internal import AtmosphereNotifications
    #endif

    extension Gateway {
        /// Serves until the calling task is cancelled, and returns then; open connections are closed.
        ///
        /// - Parameter onReady: called once, with the address.
        /// - Throws: ``GatewayError`` `cannotBind`, `certificate`; ``StoreError``, also later, where the store cannot be used any
        ///   more.
        public func run(onReady: @escaping @Sendable (Address) async -> Void) async throws {
            let tls = try configuration()
            try await takeUpSwitch()
            let commits = synchronizer.store.commits()
            let requests = OpenRequests()
            let entrance = Entrance(requests)
            let http = HTTP1Channel(
                responder: { request, writer, channel in
                    try await entrance.answer(request, writer, channel)
                },
                configuration: .init(
                    idleTimeout: .seconds(60),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 64 << 10, maxHeaderFieldCount: 100)))
            let server = LocalServer(
                host: options.host, port: options.port, connections: options.connections, requests: requests,
                name: "AtmosphereGateway")
            let socketPort = Mutex<Int?>(nil)
            let ready: @Sendable (any Channel) async -> Void = { [self] channel in
                let port = channel.localAddress?.port ?? options.port
                entrance.open(service(port: port), commits, self)
                await onReady(address(port: port, socketPort: socketPort.withLock { $0 }))
            }
            defer { entrance.close() }
            try await withEventSocket(tls, { entrance.service }) { port in
                socketPort.withLock { $0 = port }
                try await entrance.untilWorkFails { [self] in
                    try await serve(http, tls, server, entrance, ready)
                }
            }
        }

        private func serve(
            _ http: HTTP1Channel, _ tls: TLSConfiguration?, _ server: LocalServer, _ entrance: Entrance,
            _ ready: @escaping @Sendable (any Channel) async -> Void
        ) async throws {
            do {
                try await withTaskCancellationHandler {
                    if let tls {
                        try await server.run(TLSChannel(http, tlsConfiguration: tls), onReady: ready)
                    } else {
                        try await server.run(http, onReady: ready)
                    }
                } onCancel: {
                    // Readers of events are told before their connections are closed.
                    entrance.close()
                }
            } catch let error as LocalServer.CannotBind {
                throw GatewayError(
                    code: .cannotBind,
                    message:
                        "cannot listen on \(HostName.written(options.host)):\(options.port): \(error.reason); choose "
                        + "another port, or 0 for any")
            }
        }

        /// Tells events over Socket.IO while the body runs, where that is asked for.
        ///
        /// - Parameter body: gets the port; nil for none.
        private func withEventSocket(
            _ tls: TLSConfiguration?, _ service: @escaping @Sendable () -> GatewayService?,
            _ body: (Int?) async throws -> Void
        ) async throws {
            guard let port = options.socketIO else { return try await body(nil) }
            #if Notifications
                let server = EventSocket.server(options, port: port, tls, service)
                let bound: Int
                do {
                    bound = try await server.start()
                } catch {
                    try? await server.shutDown(grace: .zero)
                    throw GatewayError(
                        code: .cannotBind,
                        message:
                            "cannot listen on \(HostName.written(options.host)):\(port) for Socket.IO: \(error)")
                }
                do {
                    try await body(bound)
                } catch {
                    try? await server.shutDown(grace: .zero)
                    throw error
                }
                try? await server.shutDown(grace: .zero)
            #else
                throw GatewayError(
                    code: .invalidOption, message: "events over Socket.IO need the trait Notifications; build with it")
            #endif
        }

        /// Serves while the body runs.
        ///
        /// - Parameter body: gets the address.
        /// - Throws: ``GatewayError``, or what the body throws.
        public func withServer<Result>(_ body: (Address) async throws -> Result) async throws -> Result {
            let (addresses, ready) = AsyncStream<Address>.makeStream()
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [self] in
                    defer { ready.finish() }
                    try await run { ready.yield($0) }
                }
                var iterator = addresses.makeAsyncIterator()
                guard let address = await iterator.next(isolation: #isolation) else {
                    try await group.waitForAll()
                    throw CancellationError()
                }
                let result = try await body(address)
                group.cancelAll()
                try await group.waitForAll()
                return result
            }
        }

        private func configuration() throws(GatewayError) -> TLSConfiguration? {
            guard let certificate = options.certificate, let key = options.key else { return nil }
            do {
                let chain = try NIOSSLCertificate.fromPEMBytes(PEMFile.read(certificate))
                var configuration = TLSConfiguration.makeServerConfiguration(
                    certificateChain: chain.map { .certificate($0) },
                    privateKey: .privateKey(try NIOSSLPrivateKey(bytes: PEMFile.read(key), format: .pem)))
                // Older ones are broken (RFC 8996).
                configuration.minimumTLSVersion = .tlsv12
                return configuration
            } catch {
                throw GatewayError(
                    code: .certificate,
                    message:
                        "--certificate \(certificate) and --key \(key) cannot be used: \(error); give a certificate "
                        + "chain and its key in PEM")
            }
        }
    }
#endif
