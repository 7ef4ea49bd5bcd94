extension StoreSnapshot {
    /// An object that a query shows; nil where it has no record. A record that nobody has made a meta object for counts
    /// as synchronized.
    func shown(_ uri: ObjectURI) throws -> LocalObject? {
        if let object = try object(at: uri) { return object.record == nil ? nil : object }
        return try record(at: uri).map { record in
            let meta = MetaObject(
                uri: uri, id: ObjectID(uri.id), state: .synchronized(.init(base: record, sequence: 0)))
            return LocalObject(record: record, meta: meta)
        }
    }

    /// Objects as they are now; nil for those without a record.
    func objects(_ ids: Set<String>, of entity: String) throws -> [String: LocalObject?] {
        var found: [String: LocalObject?] = [:]
        for id in ids { found[id] = .some(try shown(ObjectURI(entity: entity, id: id))) }
        return found
    }

    /// The objects of a query, in its order.
    func objects(matching query: Query) throws -> [LocalObject] {
        var found: [LocalObject] = []
        try records(matching: query) { uri, _ in
            if let object = try shown(uri) { found.append(object) }
            return true
        }
        return found
    }
}
