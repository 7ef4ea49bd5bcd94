#if SQLite
    public import AtmosphereStore
    internal import GRDB
    internal import GRDBSQLite
    internal import Synchronization

    /// A store in one SQLite file, for any number of objects and for several processes at once.
    ///
    /// The file keeps a write-ahead log, so reads go on while a write runs. Beside `FILE` stand `FILE-wal` and
    /// `FILE-shm`, which belong to it, and `FILE.lock`, which the pusher holds; all are readable by their owner only. Where
    /// the path is a symbolic link, `FILE` is what it leads to, for SQLite keeps its log there.
    ///
    /// A ``Durability/power`` commit returns once the log is on the device; those that run at the same time share a flush.
    /// ``Durability/process`` commits do not wait for the device (`synchronous = NORMAL`): after a loss of power the last of
    /// them may be missing, but the file is whole. A `.power` write of a cancelled task still runs; a `.process` write gives up while it waits, a
    /// read at any time, both with `CancellationError`.
    ///
    /// A damaged file is kept under another name (`FILE.damaged-1`), with its log, and what can be read of it is saved in its
    /// place: at once where it cannot be opened, and where the damage is met later, the next time that the file is opened
    /// and nobody else has it open. ``notes`` says what was saved and which changes were not; the next pull asks for
    /// everything. Damage to the log looks like a process that ended too early, and cannot be told from that. A file without
    /// a byte beside a log is such a damaged file, and no new store.
    ///
    /// A file that is moved away, removed or replaced while it is open is not used any more: each read and write fails with
    /// `inputOutput` from then on, until the store is opened again.
    ///
    /// Two notes for who opens the file: records are stored as text, so SQLite's JSON functions work on them, and an
    /// object that a pull found unchanged keeps the sequence of the request that last changed it.
    public final class SQLiteStore: Store {
        private let path: String
        /// `PATH.contents`.
        public let contentFolder: ContentFolder?
        private let pool: DatabasePool
        private let checkpointer: Checkpointer
        private let flush: LogFlush
        private let writer = BlockingQueue(label: "Atmosphere.SQLiteStore")
        private let gate = WriteGate()
        private let publisher = CommitPublisher()
        private let connection = Mutex(ConnectionState())
        private let openFile: OpenStores.Entry

        /// What was damaged when the file was opened, what was saved of it, and that content was kept.
        public let notes: [StoreNote]

        private struct ConnectionState {
            var isClosed = false
            /// Changes when another connection writes.
            var dataVersion: Int64 = 0
            var indexes: [String: [QueryIndex]] = [:]
        }

        /// Opens the file, or creates it readable by its owner only.
        ///
        /// - Parameter path: absolute, or relative to the working directory at this moment.
        /// - Throws: ``StoreError``: `inputOutput` where the folder does not exist or the file may not be used,
        ///   `damaged` where it is not a store of this kind, or damaged while somebody else has it open; `newerFormat` where
        ///   a newer version wrote it; `full`. `CancellationError` where the caller's task was cancelled meanwhile.
        public init(path: String) throws {
            let path = StoreFile.behindLink(try StoreFile.absolutePath(path))
            try StoreFile.create(path)
            for ending in ["-wal", "-shm"] { StoreFile.keepPrivate(path + ending) }
            // Beside a file that may only be read SQLite would make one with the same rights, which stays.
            try StoreFile.checkWritable([path, path + "-wal", path + "-shm"])
            try RollbackJournal.check(besides: SQLiteSalvage.opened(of: path))
            self.path = path
            contentFolder = ContentFolder(path: path + ContentFolder.suffix)
            do {
                (pool, openFile, notes) = try Self.openOrSave(path)
                flush = LogFlush(path: path)
                checkpointer = try Checkpointer(path: path, flush)
                let checkpointer = checkpointer
                let version = try pool.writeWithoutTransaction { database in
                    checkpointer.watch(database)
                    return try Self.dataVersion(database)
                }
                connection.withLock { $0.dataVersion = version }
            } catch let error as CancellationError {
                throw error
            } catch {
                throw StoreError(error, path: path)
            }
        }

        /// Opens the file, and saves before what can be read of it where it is damaged.
        private static func openOrSave(_ path: String) throws -> (DatabasePool, OpenStores.Entry, [StoreNote]) {
            try OpenStores.shared.withLock { stores in
                var notes: [StoreNote] = []
                if let note = SQLiteSalvage.prepare(path, stores) { notes.append(note) }
                if let note = try SQLiteSalvage.saveLog(beside: path, stores) { notes.append(note) }
                let pool: DatabasePool
                do {
                    pool = try open(path)
                } catch let error where SQLiteSalvage.isDamage(error) {
                    let damage = StoreError(error, path: path)
                    let reason = (error as? DatabaseError)?.message ?? damage.message
                    guard let note = try SQLiteSalvage.run(path, because: reason, stores) else { throw damage }
                    notes.append(note)
                    pool = try open(path)
                }
                return (pool, stores.add(path), notes)
            }
        }

        static func open(_ path: String) throws -> DatabasePool {
            var configuration = Configuration()
            configuration.label = "Atmosphere.SQLiteStore"
            configuration.busyMode = .timeout(10)
            configuration.prepareDatabase { database in
                try SQLiteSchema.checkOwner(database, path: path)
                try SortKeyFunction.register(in: database, path: path)
                // After the log has been long, give the space back when it starts over; see Checkpointer.
                try database.execute(
                    sql: "PRAGMA journal_size_limit = \(Checkpointer.writerPages * 4096); PRAGMA fullfsync = ON")
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            do {
                switch try pool.read(SQLiteSchema.standing) {
                case .complete: break
                case .incomplete: try complete(pool)
                case .newer:
                    try pool.read(IndexCheck.checkAll)
                    throw StoreError(
                        code: .newerFormat,
                        message: "\(path) was written by a newer version of Atmosphere; use that version")
                }
                try IndexCheck.run(pool)
                return pool
            } catch {
                try? pool.close()
                throw error
            }
        }

        private static func complete(_ pool: DatabasePool) throws {
            do {
                try pool.writeWithoutTransaction(SQLiteSchema.complete)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
                // What was done already is to be done again: an index, or a page, has lost the note of it.
                try pool.read(IndexCheck.checkAll)
                let reason = error.message ?? "unknown error"
                throw DatabaseError(
                    resultCode: .SQLITE_CORRUPT, message: "that its tables were made is not noted in it: \(reason)")
            }
        }

        /// An error as a store throws it. Damage is noted beside the file, for the next time that it is opened.
        private func noted(_ error: any Error) -> any Error {
            let isOfDatabase = error is DatabaseError || error is RowDecodingError
            let stored: any Error = isOfDatabase ? StoreError(error, path: path) : error
            if (stored as? StoreError)?.code == .damaged { SQLiteSalvage.note(path) }
            return stored
        }

        /// Runs `body` on a connection for reading, in a snapshot that no write disturbs.
        ///
        /// - Throws: what `body` throws; ``StoreError``; `CancellationError` where the task is cancelled meanwhile.
        public func read<Result: Sendable>(
            _ body: @Sendable (any StoreSnapshot) throws -> Result
        ) async throws -> Result {
            try checkOpen()
            let path = path
            let indexes = connection.withLock(\.indexes)
            do {
                return try await pool.read { database in
                    let transaction = SQLiteTransaction(database, path: path, isWritable: false, indexes: indexes)
                    defer { transaction.end() }
                    return try body(transaction)
                }
            } catch {
                throw noted(error)
            }
        }

        /// Runs `body` in one transaction on the connection for writing.
        ///
        /// - Throws: what `body` throws; ``StoreError``; `CancellationError` for a ``Durability/process`` write that
        ///   gave up waiting.
        public func write<Result: Sendable>(
            _ durability: Durability, origin: CommitSet.Origin,
            _ body: @Sendable (any StoreTransaction) throws -> Result
        ) async throws -> Result {
            let (result, commit) = try await commit(durability, origin, body)
            // The next one may write meanwhile.
            if durability == .power { try await flush.reach(commit) }
            return result
        }

        /// - Returns: also the number of the commit.
        private func commit<Result: Sendable>(
            _ durability: Durability, _ origin: CommitSet.Origin,
            _ body: @Sendable (any StoreTransaction) throws -> Result
        ) async throws -> (Result, UInt64) {
            try await gate.enter(durability)
            defer { gate.leave() }
            try checkOpen()
            let (result, touched, commit) = try await writer.run { [self] in
                do {
                    let (result, touched) = try pool.writeWithoutTransaction { try transact($0, body) }
                    return (result, touched, flush.lastCommit)
                } catch {
                    throw noted(error)
                }
            }
            publisher.publish(CommitSet(origin: origin, objects: touched))
            return (result, commit)
        }

        private func transact<Result: Sendable>(
            _ database: Database, _ body: (any StoreTransaction) throws -> Result
        ) throws -> (Result, [String: Set<String>]) {
            let transaction = SQLiteTransaction(
                database, path: path, isWritable: true, indexes: connection.withLock(\.indexes))
            defer { transaction.end() }
            try transaction.prepare("BEGIN IMMEDIATE").run()
            do {
                let result = try body(transaction)
                try transaction.finish()
                try transaction.prepare("COMMIT").run()
                checkpointer.committed(database)
                // Asked after the commit: who subscribes later than this reads what was committed.
                return (result, publisher.isUnused ? [:] : transaction.touched)
            } catch {
                transaction.end()
                // A full disk, for one, has rolled back already.
                if sqlite3_get_autocommit(database.sqliteConnection) == 0 {
                    try? transaction.prepare("ROLLBACK").run()
                }
                throw error
            }
        }

        /// Indexes are SQL indexes over a function of this store, so only programs that have it can write to the file then;
        /// reading it goes on as before. Making one for a million objects takes some seconds, in one transaction.
        public func keepIndexes(_ indexes: [QueryIndex]) async throws {
            try checkOpen()
            connection.withLock { $0.indexes = Dictionary(grouping: indexes, by: \.entity) }
            let path = path
            let wanted = connection.withLock(\.indexes)
            do {
                let isDone = try await pool.read { database in
                    try SQLiteTransaction(database, path: path, isWritable: false, indexes: wanted).hasIndexes()
                }
                if isDone { return }
            } catch {
                throw noted(error)
            }
            // Its own kind of write: no object changes, so nothing is published.
            try await write(.process, origin: .application) { transaction in
                try (transaction as? SQLiteTransaction)?.keepIndexes()
            }
        }

        /// Each commit from now on, of this store and, once they are noticed, of other processes.
        public func commits() -> AsyncStream<CommitSet> { publisher.subscribe() }

        /// Publishes a commit of origin ``CommitSet/Origin/otherProcess`` if anything but this store has written to the
        /// file since the last call, or since it was opened: any object of any entity may have changed.
        ///
        /// Costs some microseconds; call it as often as another process's changes should be seen, there is no timer.
        ///
        /// - Throws: ``StoreError``.
        public func checkForOtherWriters() async throws {
            try await gate.enter(.process)
            defer { gate.leave() }
            try checkOpen()
            let names: [String]? = try await writer.run { [self] in
                try pool.writeWithoutTransaction { database in
                    let version = try Self.dataVersion(database)
                    let isNew = connection.withLock { connection in
                        defer { connection.dataVersion = version }
                        return connection.dataVersion != version
                    }
                    guard isNew else { return nil }
                    return try SQLiteTransaction(database, path: path, isWritable: false).entities()
                }
            }
            guard let names else { return }
            let objects = Dictionary(names.map { ($0, Set<String>()) }) { first, _ in first }
            publisher.publish(CommitSet(origin: .otherProcess, objects: objects))
        }

        private static func dataVersion(_ database: Database) throws -> Int64 {
            try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0
        }

        /// Takes the lock on `FILE.lock`, which also excludes another store of this process on the same file.
        public func lockForPush() async throws -> HeldLock? {
            try checkOpen()
            return try StoreFile.lockForPush(path)
        }

        /// Waits for the reads and the write that run, and ends the streams of commits. A second call does nothing.
        public func close() async throws {
            try await gate.enter(.power)
            defer { gate.leave() }
            let isFirst = connection.withLock { connection in
                defer { connection.isClosed = true }
                return !connection.isClosed
            }
            guard isFirst else { return }
            publisher.finish()
            // Who still waits for a flush would look for a log that goes with the last connection.
            try? await flush.reach(flush.lastCommit)
            do {
                try await writer.run { [self] in
                    // The last connection to close copies the log back, which GRDB's readers may not.
                    try pool.close()
                    try checkpointer.close()
                    openFile.end()
                }
            } catch {
                throw StoreError(error, path: path)
            }
        }

        /// SQLite goes on with a file that was moved away, and opens its next connection by the path: writes would go to one file
        /// and reads come from another.
        private func checkOpen() throws {
            if connection.withLock(\.isClosed) { throw StoreError.closed(path) }
            guard openFile.isAt(path) else {
                throw StoreError(
                    code: .inputOutput,
                    message:
                        "cannot use \(path): it was moved away or replaced while it was open; open the store again, or run the "
                        + "command again, to use what is there now")
            }
        }
    }

    extension Adapter {
        /// A store in an SQLite file: `store: { kind: sqlite, path: tasks.db }`.
        public static var sqlite: Adapter { .store("sqlite") { try SQLiteStore(path: $0.path) } }
    }
#endif
