#if Curl
    import AtmosphereExchange
    import Synchronization

    /// One request on its way, shared by the caller's task and the loop's thread.
    final class Exchange: Sendable {
        let request: PreparedRequest
        /// From now to the last byte.
        let timeout: Duration
        /// What the caller asked for, before redirects took their part: for messages.
        let wholeTimeout: Duration
        /// Carries a body that is pulled chunk by chunk.
        let upload: Upload?
        private let state = Mutex(ExchangeState())

        init(_ request: PreparedRequest, timeout: Duration, of wholeTimeout: Duration) {
            self.request = request
            self.timeout = timeout
            self.wholeTimeout = wholeTimeout
            upload =
                if case .stream(let length, _) = request.body { Upload(length: length) } else { nil }
        }

        // MARK: The loop's side

        var hasEnded: Bool { state.withLock { $0.hasEnded } }
        var bufferedBytes: Int { state.withLock { $0.bufferedBytes } }

        func arrived(_ head: ResponseHead, capacity: Int) {
            state.withLock { $0.arrived(head, capacity: capacity) }
        }

        func receive(_ bytes: UnsafeRawBufferPointer) -> Int { state.withLock { $0.receive(bytes) } }

        func pause(at limit: Int) -> Bool { state.withLock { $0.pause(at: limit) } }

        func wake() { state.withLock { $0.wake() }?.perform() }

        // MARK: Both sides

        /// Ends the exchange; what happened first counts.
        ///
        /// - Parameter isDiscarding: nobody may read what has arrived.
        func finish(_ result: Result<Void, any Error>, isDiscarding: Bool) {
            let wake = state.withLock { state in
                state.finish(result, isDiscarding: isDiscarding)
                return state.wake()
            }
            wake?.perform()
            upload?.stop()
        }

        // MARK: The caller's side

        func head() async throws -> ResponseHead {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.wait(forHead: continuation) }?.perform()
            }
        }

        func chunkResult() -> Result<[UInt8]?, any Error>? { state.withLock { $0.chunkResult() } }

        func nextChunk() async throws -> [UInt8]? {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.wait(forChunk: continuation) }?.perform()
            }
        }

        func wholeBody() -> [UInt8]? { state.withLock { $0.wholeBody() } }

        func resume() -> Bool { state.withLock { $0.resume() } }
    }
#endif
