#if SQLite
    internal import AtmosphereStore
    internal import GRDB

    /// Saves what can be read of a damaged file.
    ///
    /// The damaged file, and its log, are copied first and kept. What can be read goes into a new file, and when that is
    /// whole and flushed its contents take the place of the old ones; a process that ends in between leaves the new file
    /// behind, and the next open goes on from there. Where anything fails, the damaged file is as it was.
    enum SQLiteSalvage {
        /// Beside the store: damage was met while it was open.
        private static func mark(of path: String) -> String { path + ".damaged" }
        /// What was saved, whole, until it stands in the store's own file.
        private static func saved(of path: String) -> String { path + ".salvaged" }
        private static func new(of path: String) -> String { path + ".salvaging" }
        private static func old(of path: String) -> String { path + ".salvaging-old" }

        /// What is opened as a file of SQLite's when a store is.
        static func opened(of path: String) -> [String] { [path, saved(of: path), new(of: path), old(of: path)] }

        private static func files(of path: String) -> [String] { ["", "-wal", "-shm", "-journal"].map { path + $0 } }

        static func isDamage(_ error: any Error) -> Bool {
            if error is RowDecodingError { return true }
            guard let code = (error as? DatabaseError)?.resultCode else { return false }
            return code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB
        }

        /// Damage was met in a store that is open; when it is opened the next time, what can be read is saved.
        static func note(_ path: String) { try? StoreFile.create(mark(of: path)) }

        /// Before a store is opened: goes on with what was interrupted, and saves what was found damaged.
        ///
        /// - Returns: what there is to say.
        static func prepare(_ path: String, _ stores: OpenStores) -> StoreNote? {
            do {
                if SoleFile.exists(saved(of: path)) {
                    guard let file = try SoleFile.take(path, stores) else { return nil }
                    try finish(file)
                    return warning("\(path) was damaged; what could be read of it was saved\(advice(kept: nil, path))")
                }
                guard SoleFile.exists(mark(of: path)) else { return nil }
                return try run(path, because: "this was met when it was last used", stores)
            } catch {
                return warning(
                    "\(path) is damaged, and what can be read of it could not be saved: \(StoreError(error, path: path))"
                )
            }
        }

        /// Before a store is opened: a file without a byte, beside a log that has some, was emptied by something else than a
        /// store. SQLite would take it for a new one, and remove the log.
        ///
        /// - Returns: what there is to say.
        /// - Throws: ``StoreError`` `full`, `inputOutput`; nothing has changed then.
        static func saveLog(beside path: String, _ stores: OpenStores) throws -> StoreNote? {
            guard isEmptied(path) else { return nil }
            return try run(path, because: "the file was empty, and its log was not", stores, where: isEmptied)
        }

        /// A log without a frame is its header at most.
        private static func isEmptied(_ path: String) -> Bool {
            // In this order: who makes a store writes to the file before there is a log.
            SoleFile.size(path + "-wal") > 32 && SoleFile.size(path) == 0
        }

        /// - Parameter isNeeded: asked again when nobody else has the file any more, for somebody may have done it.
        /// - Returns: nil where it is not for us to do: somebody has the file open, or it never was a store.
        /// - Throws: ``StoreError`` `full`, `inputOutput`; nothing has changed then.
        static func run(
            _ path: String, because reason: String, _ stores: OpenStores,
            where isNeeded: (String) -> Bool = { _ in true }
        ) throws -> StoreNote? {
            guard let file = try SoleFile.take(path, stores), isNeeded(path),
                let header = try DamagedHeader(file)
            else { return nil }
            let kept = try keep(file)
            let new = new(of: path)
            let old = old(of: path)
            let scratch = files(of: new) + files(of: old)
            SoleFile.remove(scratch)
            let report: SalvageReport
            let contents: String?
            do {
                contents = try ContentFolder.keepCopies(of: path, with: kept)
                defer { SoleFile.remove(files(of: old)) }
                let writer = try SalvageWriter(new)
                try file.copy(to: old)
                try SoleFile.copy(path + "-wal", to: old + "-wal")
                try header.mend(old, like: new)
                report = try SalvageReading(old).save(into: writer)
                try writer.close()
                try SoleFile.move(new, to: saved(of: path))
                SoleFile.remove(files(of: new))
                try StoreFile.synchronizeDirectory(of: path)
            } catch {
                SoleFile.remove(scratch + [kept, kept + "-wal"])
                throw StoreError(error, path: path)
            }
            try finish(file)
            return warning("\(path) is damaged: \(reason); \(report)\(advice(kept: kept, path, contents: contents))")
        }

        /// What was saved becomes the store.
        private static func finish(_ file: SoleFile) throws {
            // The log is that of the damaged file.
            SoleFile.remove(Array(files(of: file.path).dropFirst()))
            try StoreFile.synchronizeDirectory(of: file.path)
            try file.become(saved(of: file.path))
            SoleFile.remove([saved(of: file.path), mark(of: file.path)])
            try StoreFile.synchronizeDirectory(of: file.path)
        }

        /// - Returns: where the damaged file is kept; its log stands beside it.
        private static func keep(_ file: SoleFile) throws -> String {
            for number in 1...10_000 {
                let kept = "\(file.path).damaged-\(number)"
                if SoleFile.exists(kept) { continue }
                do {
                    try file.copy(to: kept)
                    try SoleFile.copy(file.path + "-wal", to: kept + "-wal")
                    return kept
                } catch {
                    SoleFile.remove([kept, kept + "-wal"])
                    throw error
                }
            }
            throw StoreError(
                code: .inputOutput, message: "there are 10,000 damaged copies of \(file.path) already; remove some")
        }

        private static func advice(kept: String?, _ path: String, contents: String? = nil) -> String {
            "; the damaged file is kept as \(kept ?? "\(path).damaged-N"); pull to get back what the server has, and look "
                + "for changes of yours that were not sent\(contents.map(ContentFolder.adviceOfKept) ?? "")"
        }

        private static func warning(_ message: String) -> StoreNote { StoreNote(isWarning: true, message: message) }
    }

    /// The first hundred bytes of a file, which tell whose it is (https://www.sqlite.org/fileformat.html#the_database_header).
    private struct DamagedHeader {
        private static let size = 100
        private static let magic = Array("SQLite format 3\0".utf8)
        /// What only a store's schema says; it begins on the first page.
        private static let ours = Array("CREATE TABLE cursor(entity TEXT".utf8)

        private let isWhole: Bool

        /// nil for a file that shows no sign of having been a store. One without a byte shows nothing, and its log may.
        init?(_ file: SoleFile) throws {
            let bytes = try file.beginning(1 << 16)
            let owner = withUnsafeBytes(of: SQLiteSchema.applicationID.bigEndian) { Array($0) }
            let hasOwner = bytes.count >= Self.size && Array(bytes[68..<72]) == owner
            let hasMagic = bytes.starts(with: Self.magic)
            isWhole = hasMagic && hasOwner
            if isWhole { return }
            guard bytes.isEmpty || Self.contains(bytes, Self.ours) else { return nil }
        }

        /// Gives the file the header of a new store, where its own is gone: what it says beside its size is the same in all.
        func mend(_ damaged: String, like new: String) throws {
            guard !isWhole else { return }
            try SoleFile.mend(damaged, header: Self.size, like: new)
        }

        private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
            guard bytes.count >= part.count else { return false }
            return (0...(bytes.count - part.count)).contains { start in
                bytes[start] == part[0] && bytes[start..<(start + part.count)].elementsEqual(part)
            }
        }
    }
#endif
