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

        /// Asks Redis, which gives each connection of the group a number of its own.
        ///
        /// - Throws: where Redis cannot be asked.
        public func claim(
            _ pid: String, for user: String, owner: String, known: RememberedClient?
        ) async throws -> ClientClaim? {
            try await publisher.claim(pid, for: user, owner: owner, known: known)
        }

        /// What Redis has of a client; nil where it does not know.
        ///
        /// - Throws: where Redis cannot be asked.
        package func recall(_ pid: String) async throws -> RememberedClient? { try await publisher.recall(pid) }

        /// As many as are sent before the first answer is waited for.
        private static let recordBatch = 256
        /// How long what Redis has refused is left; twice as long each time while it refuses it.
        private static let refusalPauses = (first: Duration.seconds(2), longest: Duration.seconds(60))

        private enum Writing {
            /// Redis has answered.
            case done
            /// The connection was lost on the way.
            case lost
            /// There is none.
            case away
        }

        func keepRemembering() async {
            let attempts = Attempts()
            var limit = Self.recordBatch
            for await _ in recordNews.stream {
                while let writing = await writeRecords(limit) {
                    switch writing {
                    case .done:
                        attempts.reset()
                        limit = min(Self.recordBatch, limit * 2)
                        continue
                    // One of them may be why: the fewer are sent together, the sooner that one is alone.
                    case .lost: limit = max(1, limit / 16)
                    case .away: break
                    }
                    let pause = attempts.next() * Double.random(in: 0.5...1)
                    guard (try? await Task.sleep(for: .seconds(pause))) != nil else { return }
                }
            }
        }

        /// Tries what Redis has refused again, now and then.
        func keepTryingAgain() async {
            var pause = Self.refusalPauses.first
            var last: Duration?
            for await _ in refusalNews.stream {
                // One that comes long after what was tried again is another one.
                if let last, clock() - last > .seconds(10) { pause = Self.refusalPauses.first }
                guard (try? await Task.sleep(for: pause)) != nil else { return }
                records.withLock { $0.tryAgain() }
                recordNews.continuation.yield()
                pause = min(Self.refusalPauses.longest, pause * 2)
                last = clock()
            }
        }

        /// Writes what waits: what connections that have ended said last is written when the broker ends, too.
        func writeRest() async {
            while case .done? = await writeRecords(Self.recordBatch) {}
        }

        /// - Returns: nil where nothing waits.
        private func writeRecords(_ limit: Int) async -> Writing? {
            let batch = records.withLock { $0.take(limit) }
            if batch.isEmpty { return nil }
            let outcomes = await publisher.remember(batch)
            var refusal: String?
            var isLost = false
            let done = records.withLock { records in
                var done: [ClientRecords.Done] = []
                for (index, record) in batch.enumerated() {
                    switch outcomes?[index] {
                    case .written: done += records.written(record)
                    case .refused(let reason):
                        refusal = reason
                        records.refused(record)
                    case .lost where batch.count == 1:
                        isLost = true
                        refusal = "the connection ended when it was sent"
                        records.refused(record)
                    case .lost:
                        isLost = true
                        records.failed(record)
                    case nil: records.failed(record)
                    }
                }
                return done
            }
            for done in done { done() }
            if let refusal {
                refusalNews.continuation.yield()
                let isNew = state.withLock { state in
                    defer { state.refusal = refusal }
                    return state.refusal != refusal
                }
                if isNew { log("\(options.address): what a client listens to cannot be kept: \(refusal)") }
            }
            guard outcomes != nil else { return .away }
            return isLost ? .lost : .done
        }
    }
#endif
