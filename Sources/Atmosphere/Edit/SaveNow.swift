/// Saves for which a caller waits: sent first, and stored when the server has accepted them.
struct SaveNow: Sendable {
    private let synchronizer: Synchronizer
    private let resource: Resource
    /// Looks at the object that an edit or a delete finds, and throws where that is not to be.
    private let condition: @Sendable (LocalObject) throws -> Void

    private var routeFile: RouteFile { synchronizer.routeFile }
    private var store: any Store { synchronizer.store }
    private var engine: ChangeEngine { ChangeEngine(resource) }

    /// - Parameter condition: gets the object as the application sees it, in the turn and before the server is asked.
    init(
        _ synchronizer: Synchronizer, _ resource: Resource,
        where condition: @escaping @Sendable (LocalObject) throws -> Void = { _ in }
    ) {
        self.synchronizer = synchronizer
        self.resource = resource
        self.condition = condition
    }

    // MARK: Creating

    /// See ``Synchronizer/saveNow(_:as:)``.
    func create(_ members: Value.Members) async throws -> ObjectURI {
        let uuid = synchronizer.environment.newIdentifier(of: resource)
        let lookup = synchronizer.environment.makeUUID()
        let key = synchronizer.environment.makeUUID()
        return try await WriteTurn(synchronizer).hold {
            try await Ownership(synchronizer).checkSender(of: [resource])
            let (uri, object) = try await store.read { snapshot in
                try Edit(resource, routeFile, snapshot).created(members, uuid: uuid, lookup: lookup, key: key)
            }
            guard object.meta.waitsFor.isEmpty else { throw Self.waits(uri, object.meta) }
            let write = try DirectWrite(synchronizer, object, at: uri, of: resource)
            let outcome = try await write.create()
            let concluded = write.concluding(outcome, key: key)
            return try await write.store(at: uri, naming: outcome.id) { engine, here in
                // A pull or a live update was faster where the identifier is of here; since then it may have been edited.
                if let here, let sent = write.sent.record {
                    let outcome = engine.following(sent, here, key: key).map { Plan.Outcome.put($0) } ?? .keep
                    return .init(outcome: outcome, next: .verify(sent: sent, before: nil), confirmed: .create)
                }
                return concluded(engine, write.marked)
            }
        }
    }

    /// Sends a create that was queued before, with a synchronous edit. It is marked durably first, for a lost answer
    /// must be remembered, or the queued create would be sent again.
    ///
    /// - Returns: nil where it is not as it was `before` any more, and nothing was sent.
    private func create(
        _ object: LocalObject, instead before: LocalObject, key: String
    ) async throws -> ObjectURI? {
        // What the edit takes the place of waits on where nothing is sent.
        let dropped = Set(before.meta.uploads(without: object.meta).map(\.id))
        let write = try DirectWrite(synchronizer, object, at: before.uri, of: resource).keeping(before.meta.uploads)
        let isMarked = try await store.write(.power, origin: .push) { transaction in
            guard try transaction.object(at: before.uri) == before else { return false }
            try ObjectWriter(routeFile: routeFile, transaction: transaction).put(write.marked, over: before.uri)
            if resource.lookup != nil { try SentCreates(of: resource).noteOne(in: transaction) }
            try transaction.raiseSequence(to: write.sent.sequence)
            return true
        }
        guard isMarked else { return nil }
        let outcome: DirectWrite.Outcome
        do {
            outcome = try await write.create()
        } catch {
            try await takeBack(write, to: before, dropping: dropped, error)
            throw error
        }
        let concluded = write.concluding(outcome, key: key)
        return try await write.store(at: before.uri, naming: outcome.id, wasQueued: true) { engine, here in
            guard var here else { return .init(note: "it was removed here meanwhile") }
            here.meta.uploads.removeAll { dropped.contains($0.id) }
            return concluded(engine, here)
        }
    }

    /// The queued create goes on as it was, or as one whose answer was lost.
    ///
    /// - Parameter dropped: the uploads that what was sent takes the place of.
    private func takeBack(
        _ write: DirectWrite, to before: LocalObject, dropping dropped: Set<String>, _ error: any Error
    ) async throws {
        // A request that was cancelled may have arrived, too.
        let failed = error as? SyncError
        let mayHaveArrived = failed?.mayHaveHappened ?? true
        let underWay = failed?.cause is ResourceClient.UnderWay ? failed?.failure : nil
        try await store.write(.power, origin: .push) { transaction in
            guard let here = try transaction.object(at: before.uri) else { return }
            let plan = engine.takenBack(
                write.sent, write.marked, over: here, to: before, dropping: dropped, mayHaveArrived: mayHaveArrived,
                underWay: underWay)
            try ObjectWriter(routeFile: routeFile, transaction: transaction).apply(plan, to: before.uri)
        }
    }

    // MARK: Editing

    /// See ``Synchronizer/editNow(_:setting:)``.
    ///
    /// - Parameter replaced: of an edit that stands for content which was sent at once, the uploads whose place that takes.
    func edit(
        _ uri: ObjectURI, setting changes: [(name: String, value: Value?)], insteadOf replaced: Set<String>? = nil
    ) async throws -> ObjectURI {
        let key = synchronizer.environment.makeUUID()
        let seen = try await store.read { try $0.existing(uri).1 }
        let (place, dropped) = try await WriteTurn(synchronizer).hold(of: uri) {
            () async throws -> (ObjectURI, [MetaObject.Upload]) in
            var basis = try await compare(uri, setting: changes)
            while true {
                let (before, object) = try await store.read { snapshot -> (LocalObject, LocalObject) in
                    let (present, object) = try snapshot.existing(uri)
                    try object.requireNotDeleted()
                    let changed = try Edit(resource, routeFile, snapshot).changed(object, key: key) {
                        let changes = try engine.rebased(changes, from: seen, onto: object)
                        return try resource.setting(changes, in: $0, of: present)
                    }
                    return (object, engine.superseding(only: replaced, changed, over: object))
                }
                do {
                    // What was edited here since it was read goes with it, too.
                    guard let place = try await send(object, insteadOf: before, key: key, basis) else { continue }
                    return (place, before.meta.uploads(without: object.meta))
                } catch let error as SyncError where error.isOvertaken && basis == .look {
                    basis = try await compare(uri, after: basis)
                }
            }
        }
        await WaitingContents(synchronizer).forget(dropped, of: place, because: WaitingContents.isEdited)
        return place
    }

    /// - Parameters:
    ///   - object: as it is with the edit.
    ///   - before: as it is stored.
    /// - Returns: where it is now; nil where it was edited here meanwhile, and the edit is to be made to that.
    private func send(
        _ object: LocalObject, insteadOf before: LocalObject, key: String, _ basis: LaneMachine.Basis
    ) async throws -> ObjectURI? {
        guard object.meta.isChanged else {
            guard before.meta.isChanged else { return before.uri }
            return try await settle(object, insteadOf: before) ? before.uri : nil
        }
        guard object.meta.waitsFor.isEmpty else { throw Self.waits(before.uri, object.meta) }
        if object.meta.isLocalOnly { return try await create(object, instead: before, key: key) }
        try engine.checkOneRequest(object)
        let write = try DirectWrite(synchronizer, object, at: before.uri, of: resource)
        guard try await mark(write, over: before) else { return nil }
        let outcome: DirectWrite.Outcome
        do {
            outcome = .answered(try await write.send(basis))
        } catch {
            // A request that was cancelled may have arrived, too.
            let mayHaveArrived = (error as? SyncError)?.mayHaveHappened ?? true
            try await unmark(write, at: before.uri, key: key, mayHaveArrived: mayHaveArrived)
            throw error
        }
        let concluded = write.concluding(outcome, key: key)
        return try await write.store(at: before.uri, naming: outcome.id) { engine, here in
            guard let here else { return .init(note: "it was removed here meanwhile") }
            return concluded(engine, engine.sent(write.marked, madeFrom: before, over: here))
        }
    }

    /// Marks the queued edits that go with this one, durably and first.
    ///
    /// - Returns: false where the object is not as it was `before` any more, and nothing may be sent.
    private func mark(_ write: DirectWrite, over before: LocalObject) async throws -> Bool {
        guard let marked = engine.marked(write.sent, over: before) else { return true }
        return try await store.write(.power, origin: .push) { transaction in
            guard try transaction.object(at: before.uri) == before else { return false }
            try ObjectWriter(routeFile: routeFile, transaction: transaction).put(marked, over: before.uri)
            try transaction.raiseSequence(to: write.sent.sequence)
            return true
        }
    }

    /// It was refused, or there is no answer: then what the server shows of the save later is this client's own.
    private func unmark(_ write: DirectWrite, at uri: ObjectURI, key: String, mayHaveArrived: Bool) async throws {
        let arrival = synchronizer.nextSequence()
        try await store.write(.power, origin: .push) { transaction in
            guard let here = try transaction.object(at: uri) else { return }
            var kept = engine.unmarked(here, mayHaveArrived: mayHaveArrived)
            if mayHaveArrived {
                kept = engine.unanswered(write.sent, from: write.marked, over: kept, arrival: arrival, key: key)
            }
            guard kept != here else { return }
            try ObjectWriter(routeFile: routeFile, transaction: transaction).put(kept, over: uri)
            try transaction.raiseSequence(to: arrival)
        }
    }

    /// An edit after which nothing is left to send ends what waited.
    ///
    /// - Returns: whether it did: false where the object is not as it was `before` any more.
    private func settle(_ object: LocalObject, insteadOf before: LocalObject) async throws -> Bool {
        try await store.write(.power, origin: .application) { transaction in
            guard try transaction.object(at: before.uri) == before else { return false }
            try ObjectWriter(routeFile: routeFile, transaction: transaction).put(object, over: before.uri)
            return true
        }
    }

    // MARK: Deleting

    /// See ``Synchronizer/deleteNow(_:)``.
    func delete(_ uri: ObjectURI) async throws {
        let key = synchronizer.environment.makeUUID()
        try await WriteTurn(synchronizer).hold(of: uri) {
            let known = try await store.read { try $0.existing(uri).1 }
            let basis = try await compare(uri, isDelete: true)
            do {
                try await delete(uri, asItWas: known, key: key, basis)
            } catch let error as SyncError where error.isOvertaken && basis == .look {
                let basis = try await compare(uri, isDelete: true, after: basis)
                try await delete(uri, asItWas: known, key: key, basis)
            }
        }
    }

    /// - Parameter known: as the object was when it was to be deleted.
    private func delete(
        _ uri: ObjectURI, asItWas known: LocalObject, key: String, _ basis: LaneMachine.Basis
    ) async throws {
        guard let object = try await store.read({ try $0.object(at: $0.alias(of: uri) ?? uri) }) else { return }
        try engine.requireUndisputed(object)
        try engine.requireUnchanged(object, since: known)
        let plan = engine.delete(object, key: key)
        switch plan.outcome {
        // Its delete waits already, and goes now.
        case .keep where object.meta.isDeleted: try await sendDelete(object, as: object, key: key, basis)
        case .keep: break
        case .remove: try await synchronizer.delete(object.uri)
        case .put(let deleted) where deleted.meta.isLocalOnly:
            let isFound = synchronizer.findsOut(object)
            throw SyncError(
                code: .wrongState,
                message: isFound
                    ? "\(deleted.uri) was sent to be created and not answered; push, and delete it then"
                    : "\(deleted.uri) was sent to be created and not answered; nothing finds out what became of it: "
                        + "decide that first (atmos conflicts)")
        case .put(let deleted): try await sendDelete(deleted, as: object, key: key, basis)
        }
    }

    /// - Parameter object: as it is stored.
    private func sendDelete(
        _ deleted: LocalObject, as object: LocalObject, key: String, _ basis: LaneMachine.Basis
    ) async throws {
        let holder = try await store.read { try HeldChanges(routeFile).holder(of: object, .delete, in: $0) }
        if let holder { throw Self.held(object.uri, by: holder.uri) }
        let write = try DirectWrite(synchronizer, deleted, at: object.uri, of: resource)
        _ = try await write.send(basis)
        let arrival = synchronizer.nextSequence()
        _ = try await write.store(at: object.uri) { engine, here in
            guard let here else { return .init() }
            if here.meta.revision == object.meta.revision { return .init(outcome: .remove) }
            // Edited while the delete was on the wire.
            return engine.remote(Representation(sequence: arrival), over: here, uri: here.uri, key: key)
        }
    }

    // MARK: Before a write

    /// Learns the server's present object before a write to it, where the one that is here is to be written to.
    ///
    /// - Parameters:
    ///   - changes: what an edit sets. Where that may be something else there only because of this client, it is a change.
    ///   - last: the basis of a write that a pause of the server kept from going; ``condition`` held before that.
    /// - Returns: the basis of the write to come.
    private func compare(
        _ uri: ObjectURI, setting changes: [(name: String, value: Value?)] = [], isDelete: Bool = false,
        after last: LaneMachine.Basis? = nil
    ) async throws -> LaneMachine.Basis {
        let known = try await store.read { try $0.existing(uri).1 }
        if last == nil { try condition(synchronizer.viewed(known)) }
        guard !known.meta.isLocalOnly,
            engine.mustCompare(known) || (engine.mustComplete || engine.mustRefresh(known)) && !isDelete
                || engine.setsBack(changes, in: known)
        else { return .store }
        let refresh = ObjectRefresh(synchronizer: synchronizer, origin: .pull)
        if isDelete { try await refresh.beforeWrite(to: uri) } else { try await refresh.beforeEdit(of: uri) }
        return last == nil ? .look : .lastLook
    }

    private static func held(_ uri: ObjectURI, by change: ObjectURI) -> SyncError {
        SyncError(
            code: .wrongState,
            message: "\(uri) is not deleted before \(change) is changed, which refers to it on the server and might be "
                + "deleted along with it: push \(change.entity.shellWord) first; where that waits for a person, resolve, "
                + "retry or discard it (atmos status)")
    }

    private static func waits(_ uri: ObjectURI, _ meta: MetaObject) -> SyncError {
        SyncError(
            code: .wrongState,
            message: "\(uri) refers to \(meta.waitsFor.map(\.description).joined(separator: ", ")), which the server "
                + "does not know yet; push first")
    }
}
