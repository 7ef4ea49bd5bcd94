extension LocalObject {
    /// The object with every record as the application sees it.
    package func viewed(through mapping: FieldMapping) -> LocalObject {
        guard !mapping.isIdentity else { return self }
        var object = self
        object.record = record.map(mapping.view)
        object.meta = meta.viewed(through: mapping)
        return object
    }
}

extension MetaObject {
    fileprivate func viewed(through mapping: FieldMapping) -> MetaObject {
        var meta = self
        func confirmed(_ confirmed: Confirmed) -> Confirmed {
            var copy = confirmed
            copy.base = mapping.view(confirmed.base)
            return copy
        }
        switch state {
        case .synchronized(let base): meta.state = .synchronized(confirmed(base))
        case .created: break
        case .updated(let base, let outgoing): meta.state = .updated(confirmed(base), outgoing)
        case .deleted(let base, let outgoing): meta.state = .deleted(confirmed(base), outgoing)
        }
        if var outgoing = meta.outgoing {
            outgoing.phase = outgoing.phase.viewed(through: mapping)
            meta.outgoing = outgoing
        }
        return meta
    }
}

extension Change.Phase {
    fileprivate func viewed(through mapping: FieldMapping) -> Self {
        func view(_ snapshot: Attempt) -> Attempt {
            var copy = snapshot
            copy.record = snapshot.record.map(mapping.view)
            return copy
        }
        switch self {
        case .waiting: return self
        case .sending(let snapshot): return .sending(view(snapshot))
        case .unknown(let snapshot): return .unknown(view(snapshot))
        case .rejected(.refused(let snapshot), let failure): return .rejected(.refused(view(snapshot)), failure)
        case .rejected(.dangling(let record), let failure):
            return .rejected(.dangling(record.map(mapping.view)), failure)
        case .rejected: return self
        case .conflicted(var conflict):
            conflict.theirs = conflict.theirs.map(mapping.view)
            return .conflicted(conflict)
        }
    }
}
