#if SQLite
    internal import AtmosphereStore
    internal import Synchronization

    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #elseif canImport(Darwin)
        internal import Darwin
    #endif

    /// Has the write-ahead log of a file on the device, by one flush for all commits that were made before the flush began.
    ///
    /// SQLite can flush within each commit (`synchronous = FULL`), while nobody else can write. Here commits go on meanwhile,
    /// and those that come during one flush share the next. A log is read up to the first frame that is not whole, so a commit
    /// that survives a loss of power has all that were made before it beside it (https://www.sqlite.org/walformat.html).
    final class LogFlush: Sendable {
        private struct State {
            /// All commits up to this number are on the device.
            var flushed: UInt64 = 0
            var descriptor: Int32 = -1
            /// After a flush that has failed no later one proves anything of what was written before.
            var failure: StoreError?
        }

        private let log: String
        private let queue = BlockingQueue(label: "Atmosphere.SQLiteStore.flush")
        private let commits = Atomic<UInt64>(0)
        private let state = Mutex(State())

        /// - Parameter path: of the database file.
        init(path: String) { log = path + "-wal" }

        deinit {
            let descriptor = state.withLock(\.descriptor)
            if descriptor >= 0 { _ = close(descriptor) }
        }

        /// The number of the last commit that has written to the log.
        var lastCommit: UInt64 { commits.load(ordering: .acquiring) }

        /// After each commit that has written to the log, on the writer's queue.
        func committed() { commits.add(1, ordering: .releasing) }

        /// Returns once the commit survives a loss of power. A cancelled task waits all the same.
        ///
        /// - Throws: ``StoreError`` where the device does not take it, and from then on for every commit, until the store is
        ///   opened again.
        func reach(_ commit: UInt64) async throws {
            try await queue.run { try self.flush(to: commit) }
        }

        private func flush(to commit: UInt64) throws {
            try state.withLock { state in
                if state.flushed >= commit { return }
                if let failure = state.failure { throw failure }
                if state.descriptor < 0 { state.descriptor = try descriptor() }
                let last = lastCommit
                guard StoreFile.flush(state.descriptor) else {
                    let failure = StoreFile.failure("flush", log)
                    state.failure = failure
                    throw failure
                }
                state.flushed = last
            }
        }

        /// SQLite takes no locks on the log, so that closing another descriptor of it takes none away.
        private func descriptor() throws -> Int32 {
            let descriptor = open(log, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { throw StoreFile.failure("open", log) }
            return descriptor
        }
    }
#endif
