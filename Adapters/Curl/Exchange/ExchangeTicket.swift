#if Curl
    import AtmosphereExchange

    /// The caller's hold on an exchange: letting go of it ends the exchange.
    ///
    /// It keeps the loop running as well, so that a body can be read when the transport itself is gone.
    final class ExchangeTicket: Sendable {
        private let exchange: Exchange
        private let loop: CurlLoop.Owner

        init(_ exchange: Exchange, on loop: CurlLoop.Owner) {
            self.exchange = exchange
            self.loop = loop
        }

        deinit {
            if !exchange.hasEnded { loop.loop.cancel(exchange) }
        }

        /// Puts the request on its way.
        func start() {
            if let upload = exchange.upload, case .stream(_, let start) = exchange.request.body {
                upload.begin(start) { [loop = loop.loop, exchange] in loop.send(.resumeSending(exchange)) }
            }
            loop.loop.send(.start(exchange))
        }

        /// Cancelling the task ends the exchange.
        func head() async throws -> ResponseHead {
            try await cancelling { try await exchange.head() }
        }

        /// The whole body, where it came along with the head.
        func wholeBody() -> [UInt8]? { exchange.wholeBody() }

        /// Cancelling the task ends the exchange.
        func nextChunk() async throws -> [UInt8]? {
            try Task.checkCancellation()
            let chunk: [UInt8]?
            if let result = exchange.chunkResult() {
                chunk = try result.get()
            } else {
                chunk = try await cancelling { try await exchange.nextChunk() }
            }
            if exchange.resume() { loop.loop.send(.resumeReceiving(exchange)) }
            return chunk
        }

        private func cancelling<Value: Sendable>(
            _ body: @Sendable () async throws -> Value
        ) async throws -> Value {
            try await withTaskCancellationHandler {
                try await body()
            } onCancel: {
                loop.loop.cancel(exchange)
            }
        }
    }
#endif
