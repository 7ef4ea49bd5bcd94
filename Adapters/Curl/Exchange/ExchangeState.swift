#if Curl
    import AtmosphereExchange

    /// What one exchange has got so far and who waits for it: no I/O, no threads, only decisions.
    ///
    /// The loop's thread puts in, the caller's task takes out; whoever completes a pair gets a ``Wake`` to perform after
    /// the lock.
    struct ExchangeState {
        /// A continuation with what it gets.
        enum Wake {
            case head(CheckedContinuation<ResponseHead, any Error>, Result<ResponseHead, any Error>)
            case chunk(CheckedContinuation<[UInt8]?, any Error>, Result<[UInt8]?, any Error>)

            func perform() {
                switch self {
                case .head(let continuation, let result): continuation.resume(with: result)
                case .chunk(let continuation, let result): continuation.resume(with: result)
                }
            }
        }

        private var head: ResponseHead?
        private var received: [UInt8] = []
        private var end: Result<Void, any Error>?
        private var headWaiter: CheckedContinuation<ResponseHead, any Error>?
        private var chunkWaiter: CheckedContinuation<[UInt8]?, any Error>?
        private(set) var isPaused = false

        var hasEnded: Bool { end != nil }
        var bufferedBytes: Int { received.count }

        // MARK: The loop's side

        /// - Parameter capacity: how much to make room for, so that a body of known length is never moved.
        mutating func arrived(_ head: ResponseHead, capacity: Int) {
            guard end == nil else { return }
            self.head = head
            received.reserveCapacity(capacity)
        }

        /// - Returns: how much waits for a reader now.
        mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
            if end == nil { received.append(contentsOf: bytes) }
            return received.count
        }

        /// Whether to stop receiving: true where at least `limit` bytes wait for a reader.
        mutating func pause(at limit: Int) -> Bool {
            guard end == nil, !isPaused, received.count >= limit else { return false }
            isPaused = true
            return true
        }

        /// The first end counts. What has arrived can still be read, unless `isDiscarding`.
        mutating func finish(_ result: Result<Void, any Error>, isDiscarding: Bool) {
            guard end == nil else { return }
            end = result
            if isDiscarding { (head, received) = (nil, []) }
        }

        /// Whoever waits for what is here now.
        mutating func wake() -> Wake? {
            if let waiter = headWaiter, let result = headResult() {
                headWaiter = nil
                return .head(waiter, result)
            }
            if let waiter = chunkWaiter, let result = chunkResult() {
                chunkWaiter = nil
                return .chunk(waiter, result)
            }
            return nil
        }

        // MARK: The caller's side

        mutating func wait(forHead waiter: CheckedContinuation<ResponseHead, any Error>) -> Wake? {
            headWaiter = waiter
            return wake()
        }

        mutating func wait(forChunk waiter: CheckedContinuation<[UInt8]?, any Error>) -> Wake? {
            guard chunkWaiter == nil else {
                let error = TransportError(
                    code: .invalidRequest, message: "two tasks read one response body; read it in one",
                    mayHaveArrived: true)
                return .chunk(waiter, .failure(error))
            }
            chunkWaiter = waiter
            return wake()
        }

        /// What has arrived since the last call, nil in a success at the end; nil where there is nothing yet.
        mutating func chunkResult() -> Result<[UInt8]?, any Error>? {
            if !received.isEmpty {
                let chunk = received
                received = []
                return .success(chunk)
            }
            return end?.map { nil }
        }

        /// The whole body, where all of it is here.
        mutating func wholeBody() -> [UInt8]? {
            guard case .success = end else { return nil }
            defer { received = [] }
            return received
        }

        /// Whether the loop must be told to receive again.
        mutating func resume() -> Bool {
            guard isPaused, end == nil, received.isEmpty else { return false }
            isPaused = false
            return true
        }

        private func headResult() -> Result<ResponseHead, any Error>? {
            if let head { return .success(head) }
            if case .failure(let error) = end { return .failure(error) }
            return nil
        }
    }
#endif
