#if Source || Gateway
    package import NIOCore
    internal import Synchronization

    /// The requests that are being answered, so that a server that ends need not wait for them.
    package final class OpenRequests: Sendable {
        private struct State {
            var isStopping = false
            var last = 0
            var channels: [Int: any Channel] = [:]
            var waits: [Int: AsyncStream<Never>.Continuation] = [:]

            mutating func next() -> Int {
                last += 1
                return last
            }
        }

        package struct Stopping: Error {}

        private let state = Mutex(State())

        package init() {}

        /// - Throws: ``Stopping`` once ``stop()`` was called.
        package func enter(_ channel: any Channel) throws(Stopping) -> Int {
            try state.withLock { state throws(Stopping) in
                guard !state.isStopping else { throw Stopping() }
                let number = state.next()
                state.channels[number] = channel
                return number
            }
        }

        package func leave(_ number: Int) {
            state.withLock { _ = $0.channels.removeValue(forKey: number) }
        }

        /// Runs the operation, and cancels it when the server ends.
        ///
        /// - Throws: ``Stopping`` where the server ends first.
        package func untilStopped<Result: Sendable>(
            _ operation: @escaping @Sendable () async -> Result
        ) async throws(Stopping) -> Result {
            let (stopped, continuation) = AsyncStream<Never>.makeStream()
            let number = try state.withLock { state throws(Stopping) in
                guard !state.isStopping else { throw Stopping() }
                let number = state.next()
                state.waits[number] = continuation
                return number
            }
            defer { state.withLock { _ = $0.waits.removeValue(forKey: number) } }
            let result = await withTaskGroup(of: Result?.self) { group in
                group.addTask { await operation() }
                group.addTask {
                    for await _ in stopped {}
                    return nil
                }
                let first = await group.next() ?? nil
                group.cancelAll()
                return first
            }
            guard let result else { throw Stopping() }
            return result
        }

        /// Closes the connections of all requests that are being answered, and of all that come later.
        package func stop() {
            let (channels, waits) = state.withLock { state in
                state.isStopping = true
                return (Array(state.channels.values), Array(state.waits.values))
            }
            for wait in waits { wait.finish() }
            for channel in channels { channel.close(promise: nil) }
        }
    }
#endif
