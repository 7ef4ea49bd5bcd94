/// What may have become of a create whose outcome is unknown.
struct Candidates: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource

    /// See ``Synchronizer/candidates(for:)``.
    func find(for uri: ObjectURI) async throws -> [ObjectURI] {
        try await synchronizer.store.read { snapshot in
            let (_, object) = try snapshot.existing(uri)
            guard object.meta.isLocalOnly, case .unknown(let sent)? = object.meta.outgoing?.phase,
                let record = sent.record
            else { return [] }
            let engine = ChangeEngine(resource)
            var found: [ObjectURI] = []
            try snapshot.records(matching: Query(resource.name)) { uri, theirs in
                if let meta = try snapshot.meta(at: uri), !meta.isGoneThere, let confirmed = meta.confirmed,
                    confirmed.sequence > sent.sequence, !engine.differs(record, theirs),
                    try snapshot.formerURIs(of: uri).isEmpty
                {
                    found.append(uri)
                }
                return found.count < 20
            }
            return found
        }
    }

    /// What the server has under an identifier that a create shall have got: read there, or as it was last shown where
    /// single objects cannot be read.
    ///
    /// - Throws: ``SyncError`` `notFound`, and what a read throws.
    func adoptable(_ id: ObjectID, at place: ObjectPlace, sequence: Int64) async throws -> Representation {
        guard resource.read.isOffered else { return try await shown(id) }
        let reader = ObjectReader(synchronizer: synchronizer, resource: resource)
        guard case .shown(let found) = try await reader.read(at: place, sequence: sequence).finding, found.record != nil
        else {
            throw SyncError(code: .notFound, message: "the server shows no \(resource.name)/\(id) to adopt")
        }
        return found
    }

    private func shown(_ id: ObjectID) async throws -> Representation {
        let uri = ObjectURI(entity: resource.name, id: id.text)
        guard let meta = try await synchronizer.store.read({ try $0.meta(at: uri) }), !meta.isGoneThere,
            let confirmed = meta.confirmed
        else {
            throw SyncError(
                code: .notFound,
                message: "\(uri) is not here, and the API reads no single \(resource.name); pull first, and adopt what "
                    + "has come")
        }
        return .init(
            record: confirmed.base, id: meta.id, version: confirmed.version, sequence: confirmed.sequence,
            isPartial: resource.list.shape == .partial)
    }
}

extension StoreSnapshot {
    /// Two creates cannot be one object: adopting what another has become would lose one of them.
    ///
    /// - Throws: ``SyncError`` `wrongState`.
    func requireForeign(_ id: ObjectID, to create: ObjectURI) throws {
        let uri = ObjectURI(entity: create.entity, id: id.text)
        guard uri != create, try object(at: uri) != nil, let former = try formerURIs(of: uri).first else { return }
        throw SyncError(
            code: .wrongState,
            message:
                "\(uri) is what \(former), another create of this client, has become, so \(create) is not it; send "
                + "it again (--resend), or discard it")
    }
}
