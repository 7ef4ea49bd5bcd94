/// One request for one object, and the merge of what comes.
struct ObjectRefresh: Sendable {
    let synchronizer: Synchronizer
    /// Why it is asked for, for those who watch the store's commits.
    let origin: CommitSet.Origin
    /// No list shows it, so that a 404 needs no other proof.
    var isUnlisted = false
    /// The create whose answer named it, perhaps by something else than its identifier; nil for any other.
    var created: ObjectRecord?
    /// See ``ChangeEngine/isSynchronous``.
    var isSynchronous = false

    /// What has become of an object.
    struct Outcome: Sendable {
        /// The working record; nil where there is none.
        var record: ObjectRecord?
        /// What has to be asked next where nothing of the answer could be taken.
        var next: ObjectRequest?
    }

    /// What is asked for.
    private struct Question: Sendable {
        var resource: Resource
        var uri: ObjectURI
        var place: ObjectPlace
        var isHere: Bool
        var sequence: Int64
        /// For what goes next.
        var key: String
    }

    private var routeFile: RouteFile { synchronizer.routeFile }

    /// Asks as ``once(_:)``; where a push of the object is on the wire, once more when that has ended.
    ///
    /// - Returns: the working record afterwards; nil where there is none.
    func run(_ uri: ObjectURI) async throws -> ObjectRecord? {
        let outcome = try await once(uri)
        guard outcome.next == .read else { return outcome.record }
        return try await synchronizer.lanes.run(at: uri, in: synchronizer.store) {
            // No push of this process is on the wire any more.
            if case .sending? = try await synchronizer.object(at: uri)?.meta.outgoing?.phase {
                synchronizer.note(uri, "another process sends it, or has ended while it did; the next push tells")
                return outcome.record
            }
            return try await once(uri).record
        }
    }

    /// - Throws: ``SyncError`` where the server does not show the object and does not tell that it is gone; ``StoreError``.
    @discardableResult
    func once(_ uri: ObjectURI) async throws -> Outcome {
        let question = try await question(uri)
        let found = try await answer(to: question)
        let due = synchronizer.environment.now().advanced(by: .seconds(1))
        // What no list shows any more is no news to the lists.
        let arrival = isUnlisted ? nil : synchronizer.nextSequence()
        let (outcome, why) = try await synchronizer.store.write(.process, origin: origin) { transaction in
            try merge(found, question, arrival, due: due, transaction)
        }
        synchronizer.note(question.uri, why ?? "read from the server")
        return outcome
    }

    /// Asks as ``once(_:)`` before a write for which a caller waits.
    ///
    /// - Throws: as ``once(_:)``; the write is not sent then, so that nothing can have happened.
    func beforeWrite(to uri: ObjectURI) async throws {
        do {
            try await once(uri)
        } catch let error as SyncError {
            throw error.beforeWrite
        }
    }

    /// Asks as ``beforeWrite(to:)``, of what has to be there to be written to.
    ///
    /// - Throws: also ``SyncError`` `notFound` where the server has deleted it.
    func beforeEdit(of uri: ObjectURI) async throws {
        try await beforeWrite(to: uri)
        guard try await synchronizer.object(at: uri) == nil else { return }
        throw SyncError(
            code: .notFound, message: "the server has deleted \(uri), and it is removed here now; nothing was sent")
    }

    private func question(_ uri: ObjectURI) async throws -> Question {
        let resource = try synchronizer.resource(uri.entity)
        let key = synchronizer.environment.makeUUID()
        let (present, place, highest, isHere) = try await synchronizer.store.read {
            snapshot -> (ObjectURI, ObjectPlace, Int64, Bool) in
            let present = try snapshot.alias(of: uri) ?? uri
            let here = try snapshot.object(at: present)
            let object =
                here
                ?? LocalObject(
                    record: nil,
                    meta: MetaObject(
                        uri: present, id: ObjectID(resource.ownID(in: present)),
                        state: .synchronized(.init(base: ObjectRecord([:]), sequence: 0))))
            let place = try ObjectPlace(object, resource: resource, routeFile: routeFile, in: snapshot)
            return (present, place, try snapshot.highestSequence(), here != nil)
        }
        synchronizer.learn(sequence: highest)
        return Question(
            resource: resource, uri: present, place: place, isHere: isHere, sequence: synchronizer.nextSequence(),
            key: key)
    }

    /// What the server shows of the object, or that it is gone.
    private func answer(to question: Question) async throws -> Representation {
        let (resource, uri, place) = (question.resource, question.uri, question.place)
        let reader = ObjectReader(synchronizer: synchronizer, resource: resource)
        let (finding, reply) = try await reader.read(at: place, sequence: question.sequence, about: uri)
        switch finding {
        case .unreadable:
            throw SyncError(
                code: .unexpectedAnswer,
                message:
                    "the answer to \(resource.asked(for: uri)) is not an object with an identifier at \(resource.id)"
                    + synchronizer.client.remedy(forObjectIn: reply, of: resource))
        case .shown(var shown):
            let isNew = created.map { ChangeEngine(resource).contradicts($0, shown.record) == nil } ?? false
            let reason = isNew ? nil : resource.whyOther(shown, at: place)
            if let reason, !isUnlisted || resource.isUniquePerParent {
                throw SyncError(code: .unexpectedAnswer, message: "\(resource.asked(for: uri)): \(reason)")
            }
            synchronizer.addresses.insert(nil, of: resource.name)
            shown.isRenamed = reason != nil
            return shown
        case .none(let failure, let isCertain):
            let proof = GoneProof(synchronizer: synchronizer, resource: resource)
            if question.isHere, !isUnlisted, !isCertain,
                let reason = try await proof.whyNotGone(uri, at: place, asked: nil)
            {
                throw SyncError(code: .refused, message: "\(resource.asked(for: uri)): \(reason)", failure: failure)
            }
            return Representation(sequence: question.sequence)
        case .untold(let failure, let treatment): throw reader.refusal(failure, treatment, of: uri)
        }
    }

    private func merge(
        _ found: Representation, _ question: Question, _ arrival: Int64?, due: Timestamp,
        _ transaction: any StoreTransaction
    ) throws -> (Outcome, why: String?) {
        let (resource, uri, key) = (question.resource, question.uri, question.key)
        let object = try transaction.object(at: uri)
        // What is not known here may be what an own create has become whose answer was lost.
        let lost = try object == nil ? transaction.lostCreate(that: found, of: resource) : nil
        if object == nil, lost == nil, let id = found.id, id.text != uri.id {
            throw SyncError(
                code: .unexpectedAnswer,
                message: "the answer to \(resource.asked(for: uri)) shows another object, \(id)")
        }
        var engine = ChangeEngine(resource)
        engine.isSynchronous = isSynchronous
        let plan =
            if let lost {
                engine.lookedUp(found, of: lost, arrival: question.sequence, key: key)
            } else if let object, let created,
                let plan = engine.notCreated(found, sent: created, object, key: key)
            {
                plan
            } else if let object, let created,
                // What waits with it is as much its own as what was sent: neither goes to nothing, nor to another object.
                object.meta.outgoing != nil || engine.contradicts(created, found.record) == nil
            {
                engine.readNow(
                    found, sent: created, over: object, uri: uri, key: key, retryAt: { _ in due })
            } else {
                engine.remote(found, over: object, uri: uri, key: key)
            }
        let place = try ObjectWriter(routeFile: routeFile, transaction: transaction)
            .apply(plan, to: lost?.uri ?? uri, toldAt: arrival)
        try transaction.raiseSequence(to: question.sequence)
        let record = try transaction.record(at: place).map(resource.mapping.view)
        return (Outcome(record: record, next: plan.outcome == .keep ? plan.next : nil), plan.note)
    }
}
