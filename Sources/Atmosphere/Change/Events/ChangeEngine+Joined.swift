/// Two objects that turn out to be one, or to share an identifier.
extension ChangeEngine {
    /// The change of an object that was known under two addresses. What is on the wire stays so: its lane waits for the
    /// answer under the address that both have now, and a mark that a process has left is mended as any other. What was
    /// without an answer, and must not be sent twice, is for a person to decide.
    ///
    /// - Parameters:
    ///   - existing: the object whose change it was.
    ///   - other: the change under the other address; nil where there is none.
    func waiting(
        _ outgoing: Change, of existing: LocalObject, with other: Change?
    ) -> Change {
        var waiting = Change(idempotencyKey: outgoing.idempotencyKey)
        waiting.unanswered = ((other?.unanswered ?? []) + outgoing.unanswered)
            .suffix(Change.mostUnanswered)
        switch outgoing.phase {
        case .sending(let sent) where sent.upload == nil: waiting.phase = .sending(sent)
        case .sending(let sent), .unknown(let sent):
            waiting.evidence.lose()
            if !mayRepeat(sent, of: existing) {
                waiting.phase = .unknown(sent)
            } else if sent.upload == nil {
                waiting.remember(sent)
            }
        case .waiting, .conflicted, .rejected: break
        }
        return waiting
    }

    /// What people read where a new object has got the identifier of one that was edited here.
    static func isAnotherNow(_ uri: ObjectURI, _ names: [String]) -> String {
        "\(uri) is another object now, to which the server has given the identifier of a deleted one; what was edited here of "
            + "that (\(names.joined(separator: ", "))) goes to the new one with atmos retry "
            + "\(uri.shellWord), and nowhere with atmos discard \(uri.shellWord)"
    }

    /// What people read where one object was here under two addresses, edited under one and deleted under the other.
    static func isDeletedToo(_ uri: ObjectURI, _ names: [String]) -> String {
        "\(uri) was here under two addresses, because the answer to its create was lost: it was deleted under one and edited "
            + "under the other (\(names.joined(separator: ", "))); the edit goes to the server with atmos retry "
            + "\(uri.shellWord), and atmos delete \(uri.shellWord) deletes it there"
    }

    /// The server has called by one identifier what two creates have brought, and has not shown it yet: what was edited in the
    /// first since it was sent goes to what both are now. Each was wanted for itself, so a delete of the one leaves the other.
    func join(
        create existing: LocalObject, _ outgoing: Change, to object: inout LocalObject
    ) {
        guard let edited = existing.record, let sent = outgoing.firstTry,
            let base = object.meta.confirmed?.base ?? object.meta.outgoing?.firstTry
        else { return }
        let record = rebase(edited, from: sent, onto: object.record ?? base)
        guard record != object.record else { return }
        object.record = record
        object.meta.revision = max(object.meta.revision, existing.meta.revision) + 1
        switch object.meta.state {
        case .created(let own, _): object.meta.state = .created(own, deleting: false)
        case .synchronized(let confirmed), .deleted(let confirmed, _):
            object.meta.state =
                isUnedited(record, confirmed.base)
                ? .synchronized(confirmed) : .updated(confirmed, .init(idempotencyKey: outgoing.idempotencyKey))
        // What it waits for stands.
        case .updated: break
        }
    }

    /// What a person has changed of an object, by the names of the members; of one whose create may have arrived since
    /// that was sent first.
    func edits(of object: LocalObject) -> [String] {
        let base = object.meta.isLocalOnly ? object.meta.outgoing?.firstTry : object.meta.confirmed?.base
        guard object.meta.isChanged, let record = object.record, let base else { return [] }
        let names = edited(from: base, to: record) + unsendable(base: base, record: record)
        return names + object.meta.uploads.map(\.member).filter { !names.contains($0) }
    }

    /// An object that was edited under one address and deleted under another: its change is kept for a person.
    func ask(
        about edited: [String], _ outgoing: Change, _ confirmed: MetaObject.Confirmed,
        _ object: inout LocalObject
    ) {
        var outgoing = outgoing
        let uri = ObjectURI(entity: object.uri.entity, id: object.meta.id.text)
        Self.refuse(&outgoing, .init(message: Self.isDeletedToo(uri, edited)))
        object.meta.state = .updated(confirmed, outgoing)
    }

    /// A person has to decide.
    static func refuse(_ change: inout Change, _ failure: MetaObject.Failure) {
        change.lastError = failure
        change.retry.due = nil
        change.phase = .rejected(.mistaken, failure)
    }
}
