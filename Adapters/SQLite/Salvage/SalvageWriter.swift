#if SQLite
    internal import AtmosphereStore
    internal import GRDB

    /// The new file of a damaged store.
    final class SalvageWriter {
        private static let batch = 1_000

        private let path: String
        private let pool: DatabasePool
        private var objects: [(uri: ObjectURI, object: StoredObject)] = []

        init(_ path: String) throws {
            self.path = path
            try StoreFile.create(path)
            pool = try SQLiteStore.open(path)
            // From now on the file itself has a whole header.
            try checkpoint()
        }

        private func checkpoint() throws {
            try pool.writeWithoutTransaction { database in
                try PreparedStatement("PRAGMA wal_checkpoint(TRUNCATE)", in: database, path: path).run()
            }
        }

        func put(_ object: StoredObject, at uri: ObjectURI) throws {
            objects.append((uri, object))
            if objects.count == Self.batch { try flush() }
        }

        private func flush() throws {
            let objects = objects
            self.objects = []
            try write { transaction in
                for (uri, object) in objects {
                    // A damaged index may have had two rows made for one object; the one with a change is not given up.
                    try transaction.replace(uri) { $0?.isChanged == true && !object.isChanged ? $0 : object }
                }
            }
        }

        func write(_ body: (SQLiteTransaction) throws -> Void) throws {
            if !objects.isEmpty { try flush() }
            try pool.writeWithoutTransaction { database in
                let transaction = SQLiteTransaction(database, path: path, isWritable: true)
                defer { transaction.end() }
                try transaction.prepare("BEGIN IMMEDIATE").run()
                do {
                    try body(transaction)
                    try transaction.finish()
                    try transaction.prepare("COMMIT").run()
                } catch {
                    if database.isInsideTransaction { try? transaction.prepare("ROLLBACK").run() }
                    throw error
                }
            }
        }

        /// The file is whole then, and on the device.
        func close() throws {
            try flush()
            try checkpoint()
            try pool.close()
            try SoleFile.flush(path)
        }
    }

    /// What was saved of a damaged file.
    struct SalvageReport: CustomStringConvertible {
        var objects = 0
        /// How many records the file says it holds; 0 where it does not say.
        var expected = 0
        /// Objects with changes that were not sent.
        var changed = 0
        /// Those that could not be read. The text names all of them, for nothing else does.
        var lost: [ObjectURI] = []
        /// Rows that stand in the table of another entity.
        var strangers = 0
        /// Rows of such tables that the server has too, and of which nothing tells whose they are.
        var unsure = 0

        var description: String {
            let about = expected > objects ? " of about \(expected)" : ""
            var text = objects == 0 ? "nothing\(about) could be saved" : "\(Self.count(objects))\(about) could be saved"
            if changed > 0 { text += ", \(changed) of them with changes that were not sent" }
            if strangers > 0 {
                text += "; left out, because they stand in the table of another entity: \(Self.count(strangers))"
                if unsure > 0 { text += ", and \(unsure) beside them that are as the server has them" }
            }
            guard !lost.isEmpty else { return text }
            let names = lost.map(\.description).joined(separator: ", ")
            return text + "; changes that were not sent and could not be read: \(names)"
        }

        private static func count(_ number: Int) -> String { "\(number) object\(number == 1 ? "" : "s")" }
    }
#endif
