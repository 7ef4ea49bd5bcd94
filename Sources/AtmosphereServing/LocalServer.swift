#if Source || Gateway
    package import HummingbirdCore
    internal import Logging
    package import NIOCore
    internal import NIOPosix
    internal import Synchronization
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #else
        internal import Darwin
    #endif

    /// An HTTP server that ends with the task that runs it.
    package struct LocalServer: Sendable {
        /// The port cannot be bound.
        package struct CannotBind: Error {
            /// In words.
            package let reason: String
        }

        private enum Phase {
            case starting, cancelled, running
        }

        private let configuration: ServerConfiguration
        private let requests: OpenRequests
        private let logger: Logger

        /// - Parameters:
        ///   - connections: the most at a time; more wait to be accepted. nil for any number.
        ///   - requests: what the responder enters each request into.
        ///   - name: for the log that nobody reads.
        package init(host: String, port: Int, connections: Int? = nil, requests: OpenRequests, name: String) {
            let logger = Logger(label: name) { _ in SwiftLogNoOpLogHandler() }
            configuration = ServerConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: connections.map { MaximumAvailableConnections($0, logger: logger) })
            self.requests = requests
            self.logger = logger
        }

        /// Serves until the calling task is cancelled, and returns then; connections with open requests are closed.
        ///
        /// - Parameters:
        ///   - channel: answers the requests of one connection.
        ///   - onReady: called once, with the channel that listens.
        /// - Throws: ``CannotBind``.
        package func run(
            _ channel: some ServerChildChannel, onReady: @escaping @Sendable (any Channel) async -> Void
        ) async throws {
            let phase = Mutex(Phase.starting)
            let server = Server(
                childChannelSetup: channel, configuration: configuration,
                onServerRunning: { channel in
                    let isCancelled = phase.withLock { phase in
                        defer { phase = .running }
                        return phase == .cancelled
                    }
                    guard !isCancelled else { return channel.close(promise: nil) }
                    await onReady(channel)
                },
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
            // NIO stops the process when cancellation drops a connection that was accepted and not yet taken. So the
            // server's own task is never cancelled; it is asked to end, and does at once, as nothing is waited for.
            let serving = Task { try await server.run() }
            do {
                try await withTaskCancellationHandler {
                    try await serving.value
                } onCancel: {
                    let isRunning = phase.withLock { phase in
                        if phase == .starting { phase = .cancelled }
                        return phase == .running
                    }
                    requests.stop()
                    if isRunning { Task { try await server.shutdownGracefully() } }
                }
            } catch {
                if Task.isCancelled { return }
                throw CannotBind(reason: Self.reason(error))
            }
        }

        private static func reason(_ error: any Error) -> String {
            switch (error as? IOError)?.errnoCode {
            case EADDRINUSE: "another program listens there"
            case EACCES: "this user may not listen there"
            case EADDRNOTAVAIL: "this machine has no such address"
            default: "\(error)"
            }
        }
    }
#endif
