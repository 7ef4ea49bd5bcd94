#if SQLite
    import AtmosphereStore
    import Foundation
    import Testing

    @testable import AtmosphereSQLite

    @Suite("the flush of a write-ahead log that many commits share")
    struct LogFlushTests {
        private let folder: TemporaryFolder
        private let flush: LogFlush

        init() throws {
            folder = try TemporaryFolder()
            flush = LogFlush(path: folder.file("store.db"))
        }

        private func failure(of commit: UInt64) async -> String? {
            do {
                try await flush.reach(commit)
                return nil
            } catch {
                return "\(error)"
            }
        }

        @Test("a commit that wrote nothing needs no log")
        func nothing() async {
            #expect(await failure(of: flush.lastCommit) == nil)
        }

        @Test("a log that cannot be opened is named, and looked for again by the next commit")
        func missing() async throws {
            flush.committed()
            #expect(await failure(of: flush.lastCommit)?.contains("store.db-wal") == true)
            try Data().write(to: URL(filePath: folder.file("store.db-wal")))
            #expect(await failure(of: flush.lastCommit) == nil)
        }

        @Test("a device that has not taken one flush is not believed again")
        func broken() async throws {
            let log = folder.file("store.db-wal")
            #expect(mkfifo(log, 0o600) == 0)
            // No pipe can be flushed to a device; without a writer nobody could open it to read.
            let writer = open(log, O_RDWR | O_NONBLOCK)
            defer { close(writer) }
            flush.committed()
            let failure = await failure(of: flush.lastCommit)
            #expect(failure?.contains("store.db-wal") == true)
            try FileManager.default.removeItem(atPath: log)
            try Data().write(to: URL(filePath: log))
            flush.committed()
            #expect(await self.failure(of: flush.lastCommit) == failure)
        }

        @Test("commits that wait together are all there after the flush of the last")
        func shared() async throws {
            try Data().write(to: URL(filePath: folder.file("store.db-wal")))
            for _ in 0..<100 { flush.committed() }
            try await withThrowingTaskGroup { group in
                for commit in UInt64(1)...100 { group.addTask { [flush] in try await flush.reach(commit) } }
                try await group.waitForAll()
            }
            // Nothing is left to flush, so the log is not needed any more.
            try FileManager.default.removeItem(atPath: folder.file("store.db-wal"))
            #expect(await failure(of: 100) == nil)
        }
    }
#endif
