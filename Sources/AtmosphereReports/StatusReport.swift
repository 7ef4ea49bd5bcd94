package import Atmosphere

/// What of one object waits to be sent, and why it has not been.
package struct PendingReason: Sendable {
    package let meta: MetaObject
    package let reason: String

    /// nil for an object that is in step with the server.
    ///
    /// - Parameters:
    ///   - object: as the store has it.
    ///   - held: see ``Synchronizer/heldChanges()``.
    ///   - namesCommands: the reader has the command at hand.
    package init?(
        _ object: LocalObject, in synchronizer: Synchronizer, held: [ObjectURI: MetaObject], namesCommands: Bool = true
    ) {
        guard let outgoing = object.meta.outgoing else { return nil }
        meta = object.meta
        let missing = synchronizer.missingOperation(object)
        let resource = synchronizer.routeFile.resource(object.uri.entity)
        let viewed = resource.map { object.viewed(through: $0.mapping) } ?? object
        reason = outgoing.reason(
            of: object.meta, in: synchronizer.routeFile, missing: missing, isFoundOut: synchronizer.findsOut(object),
            edited: viewed.editedMembers, holder: held[object.uri], namesCommands: namesCommands)
    }

    package var json: Value {
        var members: Value.Members = ["uri": .string(meta.uri.description), "reason": .string(reason)]
        if !meta.uploads.isEmpty { members["uploads"] = meta.uploadsJSON }
        return .object(members)
    }
}

/// Objects by entity and state, and what waits to be sent.
package struct StatusReport: Sendable {
    package var entities: [EntityStatus]
    package var pending: [PendingReason]

    package init(entities: [EntityStatus], pending: [PendingReason]) {
        self.entities = entities
        self.pending = pending
    }

    package var members: Value.Members {
        let members = entities.map { Value.Member(name: $0.entity, value: $0.json) }
        return ["entities": .object(Value.Members(members)), "pending": .array(pending.map(\.json))]
    }
}

extension EntityStatus {
    package var json: Value {
        guard case .object(var members) = counts.json else { return counts.json }
        members["cursor"] = Value(cursor)
        members["lastPull"] = Value(lastPull?.rfc3339)
        return .object(members)
    }
}

extension StateCounts {
    package var json: Value {
        [
            "objects": .init(objects), "changed": .init(changed), "localOnly": .init(localOnly),
            "deleted": .init(deleted), "conflicted": .init(conflicted), "rejected": .init(rejected),
            "unknown": .init(unknown)
        ]
    }
}
