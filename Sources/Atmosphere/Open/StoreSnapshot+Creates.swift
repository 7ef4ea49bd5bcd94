extension StoreSnapshot {
    /// Whether a create of the entity is on the wire.
    func isCreating(_ entity: String) throws -> Bool {
        var last: ObjectURI?
        while true {
            let batch = try changed(entity: entity, after: last, limit: 1_000)
            let isThere = batch.contains { meta in
                guard meta.isLocalOnly, case .sending = meta.outgoing?.phase else { return false }
                return true
            }
            if isThere { return true }
            guard batch.count == 1_000, let next = batch.last?.uri else { return false }
            last = next
        }
    }

    /// The object whose create was sent and not answered, and which a representation shows, by its lookup field. Of several
    /// it is the one that sent what is shown, or none. One that was refused is it where just what it sent is shown.
    func lostCreate(
        that found: Representation, of resource: Resource
    ) throws -> LocalObject? {
        guard let record = found.record else { return nil }
        let lost = try lostCreates(of: resource, with: resource.lookupValue(of: record))
        let engine = ChangeEngine(resource)
        var own = lost.own(of: record, resource)
        if lost.isEmpty {
            own = try creates(of: resource, with: resource.lookupValue(of: record)) { $0.refusedCreate }
                .first { engine.isRefused($0.outgoing, shown: found) }
        }
        return try own.flatMap { try object(at: $0.uri) }
    }

    /// The objects that a query finds, as the server has shown them.
    func confirmed(_ query: Query) throws -> [Representation] {
        var found: [Representation] = []
        try records(matching: query) { uri, _ in
            if let meta = try meta(at: uri), let confirmed = meta.confirmed {
                found.append(
                    Representation(
                        record: confirmed.base, id: meta.id, version: confirmed.version, sequence: confirmed.sequence))
            }
            return true
        }
        return found
    }

    /// The creates that were sent and not answered with this look-up value; none where it is nil.
    func lostCreates(of resource: Resource, with value: String?) throws -> [MetaObject] {
        try creates(of: resource, with: value) { $0.creates.last }
    }

    /// - Parameter sent: which record of a change has the value.
    private func creates(
        of resource: Resource, with value: String?, _ sent: (Change) -> ObjectRecord?
    ) throws -> [MetaObject] {
        guard let value else { return [] }
        return try changed(entity: resource.name, after: nil, limit: .max).filter { meta in
            guard meta.isLocalOnly, let own = meta.outgoing.flatMap(sent) else { return false }
            return resource.lookupValue(of: own).map(ObjectID.compared) == ObjectID.compared(value)
        }
    }
}

extension [MetaObject] {
    /// The one among creates with the same look-up value that has become what is shown; nil where that cannot be told.
    func own(of shown: ObjectRecord, _ resource: Resource) -> MetaObject? {
        guard count > 1 else { return first }
        return first { $0.outgoing?.creates.last.map { !ChangeEngine(resource).differs($0, shown) } == true }
    }
}
