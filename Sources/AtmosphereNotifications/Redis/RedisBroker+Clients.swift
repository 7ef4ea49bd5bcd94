#if Notifications
    import Synchronization

    extension RedisBroker {
        /// Keeps the latest that is told of each client until Redis has it; returns at once.
        public func remember(_ client: RememberedClient, pid: String, _ moment: ClientMoment) {
            records.withLock { $0.put(client, pid: pid, moment) }
            recordNews.continuation.yield()
        }

        /// Calls `done` when Redis has what was told of the client.
        public func whenRemembered(_ pid: String, _ done: @escaping @Sendable () -> Void) {
            records.withLock { $0.wait(for: pid, done) }?()
        }

        /// Asks Redis; nil where it does not know.
        ///
        /// - Throws: where Redis cannot be asked.
        public func recall(_ pid: String) async throws -> RememberedClient? { try await publisher.recall(pid) }

        /// As many as are sent before the first answer is waited for.
        private static let recordBatch = 256

        func keepRemembering() async {
            let attempts = Attempts()
            for await _ in recordNews.stream {
                while let isWritten = await writeRecords() {
                    if isWritten {
                        attempts.reset()
                    } else {
                        let pause = attempts.next() * Double.random(in: 0.5...1)
                        guard (try? await Task.sleep(for: .seconds(pause))) != nil else { return }
                    }
                }
            }
        }

        /// Writes what waits: what connections that have ended said last is written when the broker ends, too.
        ///
        /// - Returns: nil where nothing does.
        func writeRecords() async -> Bool? {
            let batch = records.withLock { $0.take(Self.recordBatch) }
            if batch.isEmpty { return nil }
            let isWritten = await publisher.remember(batch)
            let done = records.withLock { records in
                var done: [ClientRecords.Done] = []
                for record in batch {
                    if isWritten { done += records.written(record) } else { records.failed(record) }
                }
                return done
            }
            for done in done { done() }
            return isWritten
        }
    }
#endif
