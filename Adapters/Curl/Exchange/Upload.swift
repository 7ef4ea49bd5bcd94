#if Curl
    import AtmosphereExchange
    import Synchronization

    /// Hands the chunks of a request body from the caller's task to the loop's thread, one at a time.
    final class Upload: Sendable {
        enum Supply {
            case chunk([UInt8])
            /// Nothing yet; the loop is told when there is.
            case later
            case end
            /// The body is not what was promised.
            case failed(any Error)
        }

        /// In bytes; nil for chunked coding.
        let length: Int64?

        private struct State {
            var chunk: [UInt8]?
            var offered: Int64 = 0
            var hasEnded = false
            var isStopped = false
            var failure: (any Error)?
            /// The loop has asked and got nothing.
            var isAwaited = false
            /// The task that waits until its chunk is taken.
            var producer: CheckedContinuation<Bool, Never>?
            var task: Task<Void, Never>?

            mutating func takeAwaited() -> Bool {
                defer { isAwaited = false }
                return isAwaited
            }
        }
        private let state = Mutex(State())

        init(length: Int64?) {
            self.length = length
        }

        // MARK: The caller's side

        /// Pulls the body in a task of its own, which ends with the exchange: the answer may come, and be read, while
        /// the body is still on its way.
        ///
        /// - Parameter notify: called when the loop waits for what is now here.
        func begin(
            _ start: @escaping @Sendable () async throws -> @Sendable () async throws -> [UInt8]?,
            notify: @escaping @Sendable () -> Void
        ) {
            let task = Task { await run(start, notify: notify) }
            let isStopped = state.withLock { state in
                state.task = state.isStopped ? nil : task
                return state.isStopped
            }
            if isStopped { task.cancel() }
        }

        private func run(
            _ start: @Sendable () async throws -> @Sendable () async throws -> [UInt8]?, notify: @Sendable () -> Void
        ) async {
            do {
                let next = try await start()
                while let chunk = try await next() {
                    if chunk.isEmpty { continue }
                    guard await put(chunk, notify: notify) else { return }
                }
                end(nil, notify: notify)
            } catch {
                end(error, notify: notify)
            }
        }

        private func put(_ chunk: [UInt8], notify: @Sendable () -> Void) async -> Bool {
            await withCheckedContinuation { continuation in
                let (isAwaited, goesOn): (Bool, Bool?) = state.withLock { state in
                    guard !state.isStopped, state.failure == nil else { return (false, false) }
                    state.offered += Int64(chunk.count)
                    if let length, state.offered > length {
                        state.failure = Self.wrongLength("longer", length)
                        return (state.takeAwaited(), false)
                    }
                    state.chunk = chunk
                    state.producer = continuation
                    return (state.takeAwaited(), nil)
                }
                if let goesOn { continuation.resume(returning: goesOn) }
                if isAwaited { notify() }
            }
        }

        private func end(_ error: (any Error)?, notify: @Sendable () -> Void) {
            let isAwaited = state.withLock { state in
                state.hasEnded = true
                state.failure = error
                if error == nil, let length, state.offered < length {
                    state.failure = Self.wrongLength("shorter", length)
                }
                return state.takeAwaited()
            }
            if isAwaited { notify() }
        }

        // MARK: The loop's side

        func take() -> Supply {
            let (supply, producer): (Supply, CheckedContinuation<Bool, Never>?) = state.withLock { state in
                if let failure = state.failure { return (.failed(failure), nil) }
                if let chunk = state.chunk {
                    state.chunk = nil
                    defer { state.producer = nil }
                    return (.chunk(chunk), state.producer)
                }
                if state.hasEnded { return (.end, nil) }
                state.isAwaited = true
                return (.later, nil)
            }
            producer?.resume(returning: true)
            return supply
        }

        /// Nothing is wanted any more: the exchange has ended.
        func stop() {
            let (producer, task) = state.withLock { state in
                state.isStopped = true
                state.chunk = nil
                defer { (state.producer, state.task) = (nil, nil) }
                return (state.producer, state.task)
            }
            producer?.resume(returning: false)
            task?.cancel()
        }

        private static func wrongLength(_ how: String, _ length: Int64) -> TransportError {
            TransportError(
                code: .invalidRequest,
                message: "the request body is \(how) than the \(length) bytes it was announced with; "
                    + "give the right length, or nil", mayHaveArrived: true)
        }
    }
#endif
