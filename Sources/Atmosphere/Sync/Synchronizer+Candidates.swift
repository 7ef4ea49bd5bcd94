extension Synchronizer {
    /// Objects that may be what became of a create whose outcome is unknown: the server has shown them since it was sent,
    /// and they say all that it said; not one that the server has deleted since. A person adopts one of them, or sends the
    /// create again.
    ///
    /// Looks through the whole entity, so it is for a person who decides and not for a loop.
    ///
    /// - Returns: in order of address, 20 at most; none where the object is not such a create.
    /// - Throws: ``SyncError`` `notFound`; ``StoreError``.
    public func candidates(for uri: ObjectURI) async throws -> [ObjectURI] {
        let resource = try resource(uri.entity)
        return try await store.read { snapshot in
            let (_, object) = try snapshot.existing(uri)
            guard object.meta.isLocalOnly, case .unknown(let sent)? = object.meta.outgoing?.phase,
                let record = sent.record
            else { return [] }
            let planner = Planner(resource)
            var found: [ObjectURI] = []
            try snapshot.records(matching: Query(resource.name)) { uri, theirs in
                if let meta = try snapshot.meta(at: uri), !meta.isGoneThere, let confirmed = meta.confirmed,
                    confirmed.sequence > sent.sequence, !planner.differs(record, theirs)
                {
                    found.append(uri)
                }
                return found.count < 20
            }
            return found
        }
    }
}
