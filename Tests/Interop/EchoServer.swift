#if Command
    import Atmosphere
    import AtmosphereNotifications
    import AtmosphereSocketIO

    @testable import EchoServer

    extension EchoApplication {
        /// Runs `body` with a server as the suites configure it.
        ///
        /// - Parameters:
        ///   - isPatient: waits longer for clients that may be slow to start on a busy machine.
        ///   - pingTimeout: how long it waits for a pong; nil for what `isPatient` says.
        ///   - left: called when a client is out of a namespace.
        static func serve<Result>(
            isPatient: Bool = false, pingTimeout: Duration? = nil, left: @escaping @Sendable () -> Void = {},
            _ body: (SocketIOServer, String) async throws -> Result
        ) async throws -> Result {
            var options = SocketIOServerOptions()
            options.engine.pingInterval = .milliseconds(300)
            options.engine.pingTimeout = pingTimeout ?? (isPatient ? .seconds(5) : .milliseconds(200))
            options.socket.connectTimeout = isPatient ? .seconds(10) : .seconds(1)
            options.origins = ["https://app.example"]
            options.newClientsPerAddress = 64
            options.requestTimeout = .seconds(1)
            let server = SocketIOServer(options, application: EchoApplication(left: left))
            let port = try await server.start()
            do {
                let result = try await body(server, "http://127.0.0.1:\(port)")
                try await server.shutDown(grace: .zero)
                return result
            } catch {
                try await server.shutDown(grace: .zero)
                throw error
            }
        }
    }
#endif
