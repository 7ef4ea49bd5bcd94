#if Command || Demo
    internal import Atmosphere
    internal import Dispatch
    internal import Synchronization
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #else
        internal import Darwin
    #endif

    /// Turns SIGINT and SIGTERM into the cancellation of a task.
    final class Interruption: Sendable {
        private let received = Mutex<Int32?>(nil)

        /// Runs `body` in a task that a signal cancels.
        ///
        /// - Returns: what `body` returns; 128 and the signal's number where it did not end well after one.
        func run(_ body: @escaping @Sendable () async -> Int32) async -> Int32 {
            Self.ignoreClosedPipes()
            let task = Task(operation: body)
            let sources = [SIGINT, SIGTERM].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { self.receive(number, task) }
                source.resume()
                return source
            }
            let status = await task.value
            if received.withLock({ $0 != nil }) { await LastingWork.finish(within: .seconds(5)) }
            for source in sources { source.cancel() }
            guard status != ExitStatus.done, let number = received.withLock({ $0 }) else { return status }
            return 128 + number
        }

        /// From here on a write to a closed pipe or socket is an error that its writer handles.
        static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

        private func receive(_ number: Int32, _ task: Task<Int32, Never>) {
            let isFirst = received.withLock { received in
                defer { received = number }
                return received == nil
            }
            // Whoever asks twice does not want to wait for the end of a request.
            guard isFirst else { _exit(128 + number) }
            task.cancel()
        }
    }
#endif
