extension MetaObject {
    /// How the object stands to the server.
    package var status: ObjectStatus {
        guard let outgoing else { return .synchronized }
        let change: ObjectStatus.Change = isDeleted ? .delete : isLocalOnly ? .create : .update
        switch outgoing.phase {
        case .sending: return .sending(change)
        case .unknown: return .unknown(change)
        case .conflicted(let conflict): return .conflicted(change, conflict)
        case .rejected(_, let failure): return .rejected(change, failure)
        case .waiting:
            if !waitsFor.isEmpty { return .waiting(change, .parents(waitsFor)) }
            guard let error = outgoing.lastError else { return .waiting(change, .push) }
            return .waiting(change, .retry(at: outgoing.retry.due, after: error))
        }
    }

    /// How content that waits stands to the server: it is an update of its object, behind the object's other changes and the
    /// contents before it. One that was rejected ends with ``Synchronizer/retry(_:)``, ``Synchronizer/discard(_:of:)`` or other
    /// content in its place, one whose outcome is unknown with ``Synchronizer/resolve(_:_:)`` (`resend`) or
    /// ``Synchronizer/discard(_:of:)``.
    public func status(of upload: Upload) -> ObjectStatus {
        guard let outgoing else { return .waiting(.update, .push) }
        switch outgoing.phase {
        case .sending(let attempt) where attempt.upload == upload.id: return .sending(.update)
        case .unknown(let attempt) where attempt.upload == upload.id: return .unknown(.update)
        case .rejected(.refused(let sent), let failure) where sent.upload == upload.id:
            return .rejected(.update, failure)
        case .waiting where upload.id == uploads.first?.id:
            guard let error = outgoing.lastError else { return .waiting(.update, .push) }
            return .waiting(.update, .retry(at: outgoing.retry.due, after: error))
        case .waiting, .sending, .unknown, .conflicted, .rejected: return .waiting(.update, .push)
        }
    }
}
