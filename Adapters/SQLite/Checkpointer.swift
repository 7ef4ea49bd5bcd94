#if SQLite
    internal import GRDB
    internal import GRDBSQLite
    internal import Synchronization

    /// Copies the write-ahead log back into the database, most of the time beside the writer.
    ///
    /// SQLite would do it inside the commit that passes 1,000 pages, which then takes some 10 ms, be it a save or a
    /// chunk of a pull. Here a connection of its own does it in the background. A log can start over only when all of
    /// it is copied, which the background never reaches while a pull goes on; so at 8,192 pages (32 MiB) the writer
    /// copies the rest itself, after a commit, and the log stays below that but for a read that lasts.
    final class Checkpointer: Sendable {
        static let backgroundPages = 1_000
        static let writerPages = 8_192

        private let connection: DatabaseQueue
        private let flush: LogFlush
        /// Pages in the log after the last commit.
        private let logged = Atomic(0)
        /// Pages of the log that were copied when the background last ended.
        private let copied = Atomic(0)
        private let isRunning = Atomic(false)

        /// - Parameter flush: is told of each commit.
        init(path: String, _ flush: LogFlush) throws {
            self.flush = flush
            var configuration = Configuration()
            configuration.label = "Atmosphere.checkpoint"
            // Another process that closes the file has it alone for a moment.
            configuration.busyMode = .timeout(10)
            connection = try DatabaseQueue(path: path, configuration: configuration)
        }

        /// Learns the length of the log from the connection, and switches SQLite's own checkpoints off.
        ///
        /// The checkpointer must live as long as the connection.
        func watch(_ writer: Database) {
            let logged = Unmanaged.passUnretained(self).toOpaque()
            sqlite3_wal_hook(
                writer.sqliteConnection,
                { checkpointer, _, _, pages in
                    let checkpointer = Unmanaged<Checkpointer>.fromOpaque(checkpointer!).takeUnretainedValue()
                    checkpointer.logged.store(Int(pages), ordering: .relaxed)
                    checkpointer.flush.committed()
                    return SQLITE_OK
                }, logged)
        }

        /// After each commit, on the writer's queue.
        func committed(_ writer: Database) {
            let pages = logged.load(ordering: .relaxed)
            if pages < copied.load(ordering: .relaxed) { copied.store(0, ordering: .relaxed) }
            if pages >= Self.writerPages {
                // Fails while the background is at it; the next commit tries again.
                checkpoint(writer)
            } else if pages - copied.load(ordering: .relaxed) >= Self.backgroundPages,
                isRunning.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
            {
                connection.asyncWriteWithoutTransaction { [self] database in
                    checkpoint(database)
                    isRunning.store(false, ordering: .relaxed)
                }
            }
        }

        /// Copies what no reader needs; failing costs nothing but a longer log.
        private func checkpoint(_ database: Database) {
            var pages: Int32 = 0
            var done: Int32 = 0
            let code = sqlite3_wal_checkpoint_v2(
                database.sqliteConnection, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, &done)
            if code == SQLITE_OK { copied.store(Int(done), ordering: .relaxed) }
        }

        func close() throws { try connection.close() }
    }
#endif
