package import Atmosphere

/// Something that only a person can decide.
package struct OpenDecision {
    package enum Kind {
        case conflict(MetaObject.Conflict)
        case unknown(Attempt, MetaObject.Failure?)
    }

    package let object: LocalObject
    /// What an unknown create may have become.
    package let candidates: [ObjectURI]
    package let kind: Kind
    /// The next push finds out by itself, unless a person is quicker.
    package let isAutomatic: Bool
    /// The files that wait for fields that clash; nil where the route file does not say it.
    private let files: [MetaObject.Upload]?

    /// nil for an object that needs no decision.
    package init?(
        _ object: LocalObject, candidates: [ObjectURI] = [], isAutomatic: Bool = false,
        files: [MetaObject.Upload]? = nil
    ) {
        switch object.meta.outgoing?.phase {
        case .conflicted(let conflict): kind = .conflict(conflict)
        case .unknown(let snapshot): kind = .unknown(snapshot, object.meta.outgoing?.lastError)
        default: return nil
        }
        self.object = object
        self.candidates = candidates
        self.isAutomatic = isAutomatic
        self.files = files
    }

    package var json: Value {
        switch kind {
        case .conflict(let conflict):
            [
                "uri": .string(object.uri.description), "state": "conflicted", "fields": .init(conflict.fields),
                "base": .init(object.meta.confirmed?.base), "mine": .init(object.record),
                "theirs": .init(conflict.theirs),
                "files": .array(conflict.fields.compactMap { upload(of: $0, conflict)?.place }),
                "message": .init(said?.summary ?? doubt),
                "status": said?.status.map { .init($0) } ?? .null, "retryAt": .init(conflict.retryAt?.rfc3339)
            ]
        case .unknown(let snapshot, let failure):
            [
                "uri": .string(object.uri.description), "state": "unknown", "sent": .init(snapshot.record),
                "upload": object.meta.openUpload?.place ?? .null, "message": .init(failure?.message),
                "candidates": .init(candidates.map(\.description)), "isAutomatic": .bool(isAutomatic),
                "retryAt": .init(object.meta.outgoing?.retry.due?.rfc3339)
            ]
        }
    }

    /// What the server said when it refused the change, where that is why a person has to decide, or what it waits for.
    package var said: MetaObject.Failure? {
        guard case .conflict(let conflict) = kind, let outgoing = object.meta.outgoing else { return nil }
        return conflict.retryAt == nil ? outgoing.refusalWithoutClash(of: object.meta) : outgoing.lastError
    }

    /// Why an object that is gone there may be there all the same.
    package var doubt: String? {
        guard case .conflict(let conflict) = kind, conflict.cause == .deletion, conflict.theirs == nil,
            object.meta.outgoing?.mayBeRenamed == true
        else { return nil }
        return "an update of it got no answer, and may have given it another identifier: where atmos pull "
            + "\(object.uri.entity.shellWord) shows it under that, --theirs lets this one go, and --mine makes a second"
    }

    /// The file that waits for a member and that clashes with what the server has there; nil where an edit clashes.
    package func upload(of field: String, _ conflict: MetaObject.Conflict) -> MetaObject.Upload? {
        if let files { return files.last { $0.member == field } }
        let mine = object.record?.members[field]
        guard mine == object.meta.confirmed?.base.members[field] || mine == conflict.theirs?.members[field] else {
            return nil
        }
        return object.meta.uploads.last { $0.member == field }
    }
}
