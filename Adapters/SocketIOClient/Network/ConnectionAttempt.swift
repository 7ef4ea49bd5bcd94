#if SocketIO
    internal import NIOConcurrencyHelpers
    internal import NIOCore

    /// The channels that an attempt to connect has opened: when its task is cancelled, they are closed at once, which fails
    /// whatever waits for the server.
    final class ConnectionAttempt: Sendable {
        private let state = NIOLockedValueBox<(channels: [any Channel], isCancelled: Bool)>(([], false))

        /// Runs an attempt that ends when its task is cancelled.
        ///
        /// - Throws: what `body` throws.
        static func run(
            _ body: @Sendable (ConnectionAttempt) async throws -> any Channel
        ) async throws -> any Channel {
            let attempt = ConnectionAttempt()
            return try await withTaskCancellationHandler {
                try await body(attempt)
            } onCancel: {
                attempt.cancel()
            }
        }

        /// Takes a channel that is to be connected.
        ///
        /// - Throws: `CancellationError` where the attempt is over.
        func add(_ channel: any Channel) throws {
            let isCancelled = state.withLockedValue { state in
                if !state.isCancelled { state.channels.append(channel) }
                return state.isCancelled
            }
            if isCancelled { throw CancellationError() }
        }

        private func cancel() {
            let channels = state.withLockedValue { state in
                state.isCancelled = true
                defer { state.channels = [] }
                return state.channels
            }
            for channel in channels { channel.close(promise: nil) }
        }
    }
#endif
