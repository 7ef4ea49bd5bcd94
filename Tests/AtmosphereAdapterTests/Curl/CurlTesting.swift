#if Curl
    import Atmosphere
    import AtmosphereTesting

    /// An answer with a length.
    func answer(_ status: String = "200 OK", _ headers: [String] = [], _ body: String = "") -> String {
        FaultyServer.answer(status, headers, body)
    }

    /// Tells an event from a peer's thread to a test.
    struct Signal: Sendable {
        private let stream: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() { (stream, continuation) = AsyncStream.makeStream() }

        func give() { continuation.yield() }

        /// Returns when it has been given once more than waited for; false where the task was cancelled.
        @discardableResult
        func wait() async -> Bool { await stream.first { _ in true } != nil }
    }

    extension TransportSettings {
        /// For tests that are not about time, on a machine that runs many at once.
        static var patient: TransportSettings {
            var settings = TransportSettings()
            settings.timeout = .seconds(600)
            return settings
        }
    }
#endif
