#if SQLite
    internal import AtmosphereStore

    /// An object as the columns of its row.
    struct Row {
        /// The columns in the order of ``init(_:uri:)``.
        static let columns = "key, state, sequence, version, record, meta"

        /// The same of a damaged file. Where the state is lost, the meta object says what it was; without that it was most
        /// likely synchronized.
        static let salvagedColumns = """
            key, CASE WHEN typeof(state) = 'integer' THEN state WHEN meta IS NULL THEN \(RowState.synchronized)
            ELSE \(RowState.changed) END, sequence, version, record, meta
            """

        var state: Int64
        var sequence: Int64
        var version: String?
        var record: [UInt8]?
        var meta: [UInt8]?

        init(_ stored: StoredObject, key: IdentifierKey) {
            record = stored.record?.bytes
            sequence = 0
            guard let object = stored.meta else {
                state = RowState.recordOnly
                return
            }
            let text = key.text
            guard case .synchronized(let confirmed) = object.state else {
                state = RowState.changed(object)
                meta = object.stored(beside: stored.record).json()
                return
            }
            sequence = confirmed.sequence
            version = confirmed.version
            if confirmed.base != stored.record {
                state = RowState.divergent
                meta = object.stored(beside: stored.record).json()
            } else if object.revision != 0 || !object.waitsFor.isEmpty || !confirmed.stale.isEmpty
                || !object.id.text.hasSameBytes(as: text)
            {
                state = RowState.synchronizedWithMore
                meta = object.stored(beside: stored.record).json()
            } else {
                state = RowState.plain(object.id.wireType, isIntegerKey: key.isInteger)
            }
        }

        /// Reads the present row of a statement that selects ``columns``.
        static func object(_ row: PreparedStatement, uri: ObjectURI) throws -> StoredObject {
            let record = try row.utf8(4).map { try ObjectRecord(stored: $0, of: uri) }
            let state = try row.integer(1, of: "the row of \(uri)")
            let meta: MetaObject?
            switch state {
            case RowState.plain:
                guard let record else { throw StoreError.damaged("the record of \(uri)", "it is missing") }
                let wireType = RowState.wireType(state, isIntegerKey: IdentifierKey(uri.id).isInteger)
                let confirmed = MetaObject.Confirmed(base: record, version: row.text(3), sequence: row.integer(2))
                meta = MetaObject(uri: uri, id: ObjectID(uri.id, wireType), state: .synchronized(confirmed))
            case RowState.recordOnly: meta = nil
            default: meta = try self.meta(row.utf8(5), beside: record, uri: uri)
            }
            guard let object = StoredObject(record: record, meta: meta) else {
                throw StoreError.damaged("the row of \(uri)", "it is empty")
            }
            return object
        }

        /// Reads the column `meta`.
        static func meta(_ bytes: [UInt8]?, beside record: ObjectRecord?, uri: ObjectURI) throws -> MetaObject {
            guard let bytes else { throw StoreError.damaged("the meta object of \(uri)", "it is missing") }
            let value: Value
            do {
                value = try Value(json: bytes, limits: .unlimited)
            } catch {
                throw StoreError.damaged("the meta object of \(uri)", error.message)
            }
            return try MetaObject(stored: value, beside: record, uri: uri)
        }
    }

    extension IdentifierKey {
        var isInteger: Bool { if case .integer = self { true } else { false } }
    }
#endif
