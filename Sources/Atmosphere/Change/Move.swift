/// A write that has brought an object below other parents, where its identifier is unique only among theirs.
struct Move: Equatable {
    /// The identifier that the object has there, with its parents'; nil where the answer does not say it: the server may have given
    /// it another, and what has the old one there may be another object.
    let id: ObjectID?

    /// For the log.
    static let isElsewhere = "moved; the answer does not say under which identifier, so the next pull shows it"
}

extension ChangeEngine {
    /// - Parameters:
    ///   - meta: the object as it was before the write.
    ///   - sent: its record as the write has brought it to the server.
    ///   - answer: what the answer shows of it.
    /// - Returns: nil where the object stays where it is, as where the answer shows it below a parent that it has left.
    func move(of meta: MetaObject, by sent: ObjectRecord, _ answer: Representation?) -> Move? {
        guard resource.isUniquePerParent, let base = meta.confirmed?.base else { return nil }
        let known = Array(meta.uri.segments.dropLast())
        var parents = known
        for (index, parent) in resource.parents.enumerated() where index < known.count {
            let old = resource.mapping.value(parent.field, in: base).flatMap { ObjectID($0) }
            let new = resource.mapping.value(parent.field, in: sent).flatMap { ObjectID($0) }
            guard let old, let new, old.text != new.text else { continue }
            let shown = answer?.record.flatMap { resource.mapping.value(parent.field, in: $0) }.flatMap { ObjectID($0) }
            if shown?.text == old.text { return nil }
            parents[index] = new.text
        }
        guard parents != known else { return nil }
        guard let answer, let id = answer.id, !leavesOut(sent, answer, before: base) else { return Move(id: nil) }
        let own = ObjectURI(entity: meta.uri.entity, id: id.text).segments.suffix(1)
        let uri = ObjectURI(entity: meta.uri.entity, segments: parents + own)
        return Move(id: ObjectID(uri.id, id.wireType))
    }

    /// What becomes of an object of which nobody knows here where it is now: it comes with a pull. What was edited since is kept
    /// for a person, whatever `conflict` says of deleted objects.
    func elsewhere(_ object: LocalObject, arrival: Int64, key: String) -> Plan {
        var plan: Plan
        if case .updated(let confirmed, let outgoing) = object.meta.state {
            plan = ask(object, confirmed, outgoing, sequence: arrival)
        } else {
            plan = remote(Representation(sequence: arrival), over: object, uri: object.uri, key: key)
        }
        plan.note = Move.isElsewhere
        return plan
    }
}
