extension MetaObject {
    /// Edited here and deleted on the server: a person decides.
    var isGoneThere: Bool {
        if case .conflicted(let conflict) = outgoing?.phase { conflict.theirs == nil } else { false }
    }

    /// The server has answered a write with 404, and nothing told whether the object is gone or the address is wrong.
    var isDeniedThere: Bool {
        if case .rejected(_, let failure)? = outgoing?.phase { failure.status == 404 } else { false }
    }

    /// As if nothing were known of the version, so that whatever the server shows next counts.
    var withoutVersion: MetaObject {
        guard var confirmed else { return self }
        confirmed.version = nil
        var meta = self
        switch state {
        case .synchronized: meta.state = .synchronized(confirmed)
        case .updated(_, let outgoing): meta.state = .updated(confirmed, outgoing)
        case .deleted(_, let outgoing): meta.state = .deleted(confirmed, outgoing)
        case .created: break
        }
        return meta
    }
}
