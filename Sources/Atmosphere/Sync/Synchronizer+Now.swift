extension Synchronizer {
    // MARK: Synchronous saves

    /// Creates an object on the server first and stores it when the server has accepted it.
    ///
    /// - Returns: its address, with the server's identifier.
    /// - Throws: ``SyncError`` with what the server said; nothing is stored or queued then.
    public func saveNow(_ members: Value.Members, as entity: String) async throws -> ObjectURI {
        let resource = try resource(entity)
        let uuid = environment.makeUUID()
        let lookup = environment.makeUUID()
        let key = environment.makeUUID()
        let (uri, object) = try await store.read { snapshot in
            try Edit(resource, snapshot).created(members, uuid: uuid, lookup: lookup, key: key)
        }
        guard object.meta.waitsFor.isEmpty else { throw Self.waits(uri, object.meta) }
        return try await sendNow(object, at: uri, isStored: false)
    }

    /// Sets members of an object on the server first and stores the answer when the server has accepted it. Whatever
    /// else waited to be sent for the object goes with it.
    ///
    /// - Throws: ``SyncError`` with what the server said; the object stays as it was then, with what was queued before.
    @discardableResult
    public func editNow(_ uri: ObjectURI, setting changes: [(name: String, value: Value?)]) async throws -> ObjectURI {
        let resource = try resource(uri.entity)
        let key = environment.makeUUID()
        return try await lanes.run(uri) {
            let (present, object) = try await self.store.read { snapshot -> (ObjectURI, LocalObject) in
                let (present, object) = try snapshot.existing(uri)
                let changed = try Edit(resource, snapshot).changed(object, key: key) { members in
                    var members = members
                    for change in changes { members[change.name] = change.value }
                    return members
                }
                return (present, changed)
            }
            guard object.meta.isChanged else { return present }
            guard object.meta.waitsFor.isEmpty else { throw Self.waits(present, object.meta) }
            return try await self.sendNow(object, at: present, isStored: true)
        }
    }

    /// Deletes an object on the server first, and here when the server has accepted it.
    ///
    /// - Throws: ``SyncError`` with what the server said; the object stays then.
    public func deleteNow(_ uri: ObjectURI) async throws {
        let resource = try resource(uri.entity)
        let key = environment.makeUUID()
        try await lanes.run(uri) {
            let (present, object) = try await self.store.read { try $0.existing(uri) }
            let plan = Planner(resource).delete(object, key: key)
            switch plan.outcome {
            case .keep: break
            case .remove: try await self.delete(present)
            case .put(let deleted): _ = try await self.sendNow(deleted, at: present, isStored: true)
            }
        }
    }

    /// Sends an object that is not stored in this form and stores the outcome.
    private func sendNow(_ object: LocalObject, at uri: ObjectURI, isStored: Bool) async throws -> ObjectURI {
        let resource = try resource(uri.entity)
        let planner = Planner(resource)
        let sequence = nextSequence()
        let now = environment.now()
        let next = planner.next(object, now: now, sequence: sequence, hasCompared: true)
        guard case .send(let verb, let snapshot, let marked) = next else {
            throw SyncError(
                code: .wrongState,
                message: "\(uri) cannot be sent now: it is conflicted, refused or waits for an earlier answer; "
                    + "resolve, retry or discard it first")
        }
        if isStored, object.meta.isLocalOnly {
            // A create that may be lost must be remembered, or the queued one would be sent again.
            try await store.write(.power, origin: .push) { transaction in
                try transaction.put([marked.meta])
                try transaction.raiseSequence(to: sequence)
            }
        }
        let place = try await store.read {
            try ObjectPlace(marked, resource: resource, routeFile: self.routeFile, in: $0)
        }
        let request = try client.writeRequest(verb, resource, at: place, record: snapshot.record, meta: marked.meta)
        let reply: ResourceClient.Reply
        do {
            reply = try await self.reply(to: request, resource)
        } catch {
            if isStored, object.meta.isLocalOnly { try await undoMark(uri, snapshot, error) }
            throw error
        }
        guard reply.isSuccess else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            let error = SyncError(refused: failure, treatment, "\(verb.rawValue) \(uri)")
            if isStored, object.meta.isLocalOnly { try await undoMark(uri, snapshot, error) }
            throw error
        }
        let found = client.representation(in: reply, of: resource, at: place, sequence: sequence)
        let arrival = nextSequence()
        let key = environment.makeUUID()
        let (stored, followUp) = try await store.write(.power, origin: .push) {
            transaction -> (ObjectURI, Planner.Plan.FollowUp?) in
            var current = marked
            if isStored, let here = try transaction.object(at: uri) {
                // An edit made while this was on the wire stays a change of its own.
                if here.meta.revision >= snapshot.revision { current.record = here.record }
            }
            let plan = planner.conclude(
                .accepted(found), to: snapshot, of: current, arrival: arrival, key: key, retryAt: { _ in now })
            let stored = try ObjectWriter(routeFile: self.routeFile, transaction: transaction).apply(plan, to: uri)
            try transaction.raiseSequence(to: arrival)
            return (stored, plan.followUp)
        }
        if followUp == .read { try await refresh(stored) }
        return stored
    }

    /// The queued create goes on as it was, or as one whose answer was lost.
    private func undoMark(_ uri: ObjectURI, _ snapshot: MetaObject.Snapshot, _ error: any Error) async throws {
        let cause = (error as? SyncError)?.cause as? TransportError
        let mayHaveArrived = cause?.mayHaveArrived ?? ((error as? SyncError)?.code == .unreachable)
        try await store.write(.power, origin: .push) { transaction in
            guard var meta = try transaction.meta(at: uri), case .sending(snapshot) = meta.outgoing?.phase else {
                return
            }
            meta.outgoing?.phase = mayHaveArrived ? .unknown(snapshot) : .waiting
            try transaction.put([meta])
        }
    }

    private static func waits(_ uri: ObjectURI, _ meta: MetaObject) -> SyncError {
        SyncError(
            code: .wrongState,
            message: "\(uri) refers to \(meta.waitsFor.map(\.description).joined(separator: ", ")), which the server "
                + "does not know yet; push first")
    }
}
