extension Synchronizer {
    /// - Returns: all that the server has with the value.
    /// - Throws: ``SyncError`` `unexpectedAnswer` or ``ExtractionError`` where the answer does not tell.
    func lookUpResult(
        _ reply: ResourceClient.Reply, _ resource: Resource, _ place: ObjectPlace, _ sequence: Int64
    ) throws -> [Representation] {
        guard let parameter = resource.lookup?.parameter, !resource.looksUpByID else {
            let found = client.representation(
                in: reply, of: resource, at: place, operation: resource.read, sequence: sequence)
            if let found, found.isTelling { return [found] }
            // Who has no such object says 404.
            throw SyncError(
                code: .unexpectedAnswer,
                message: "the answer to the look-up is not an object with an identifier at \(resource.id)")
        }
        let selectors = client.lookUpSelectors(for: resource, at: place)
        let page = try client.extractor(for: resource).page(in: reply.body, selectors)
        let wanted = place.record.flatMap { resource.lookupValue(of: $0) }
        let items = page.items.filter { item in
            item.lookup.map { ObjectID.compared(page.text($0)) } == wanted.map(ObjectID.compared)
        }
        guard !items.isEmpty else {
            guard page.items.isEmpty, page.next == nil else {
                // A server that does not know the parameter lists everything, of which this is only a part.
                throw SyncError(
                    code: .unexpectedAnswer,
                    message: "asked for “\(parameter)=\(wanted ?? "")” the server lists objects with other "
                        + "values, so it does not tell whether the create has happened; check lookup.query, "
                        + "which is to be left out where no parameter filters (a pull finds the create then), or adopt or "
                        + "resend"
                )
            }
            return []
        }
        // What was deleted there and is made anew from here may still be shown, as deleted.
        let others = items.filter { item in
            !item.isDeleted || resource.ownID(in: page.uri(item)) != place.id
        }
        return others.map { item in
            .init(
                record: page.record(item), id: item.id.objectID, version: item.version.map { page.text($0) },
                sequence: sequence, isPartial: resource.list.shape == .partial)
        }
    }

    func lookedUp(
        _ found: [Representation], _ address: LaneAddress, _ resource: Resource
    ) async throws -> LaneMachine.Event {
        let arrival = nextSequence()
        let retryAt = retryTimes()
        let event = try await apply(address, resource, lookingUp: found) { planner, object, _, key in
            planner.lookedUp(found, of: object, arrival: arrival, key: key, retryAt: retryAt)
        }
        guard case .applied(let plan, _) = event, case .put(let object) = plan.outcome,
            object.meta.outgoing?.isLookedForInVain == true
        else { return event }
        return event.failing(.notShown)
    }
}

extension Planner {
    /// A planner that knows what is here under an identifier that an answer names.
    init(
        _ resource: Resource, naming id: ObjectID?, beside uri: ObjectURI, in snapshot: any StoreSnapshot
    ) throws {
        self.init(resource)
        guard let id, !id.text.hasSameBytes(as: uri.id) else { return }
        let uri = ObjectURI(entity: resource.name, id: id.text)
        named = try snapshot.object(at: uri)
        isNamedByOther = try named != nil && !snapshot.formerURIs(of: uri).isEmpty
    }

    /// Learns of what was found for a create which of it cannot be its own, for another create of this client has become it
    /// or it was here before that was sent, and, where that decides, whether another one with the same value still waits to
    /// be found.
    mutating func learn(
        whatOthersBecame found: [Representation], beside object: LocalObject, in snapshot: any StoreSnapshot
    ) throws {
        guard !found.isEmpty, resource.lookup != nil, !resource.looksUpByID else { return }
        let lost = object.meta.outgoing
        for one in found {
            guard let id = one.id, one.record.map({ isAnew($0, lost) }) != true else { continue }
            let uri = ObjectURI(entity: resource.name, id: id.text)
            guard uri != object.uri, let here = try snapshot.object(at: uri) else { continue }
            let wasHere = lost?.lostCreate?.record.map {
                isAnother(here, than: $0, one, lost ?? .init(idempotencyKey: ""))
            }
            if try wasHere == true || !snapshot.formerURIs(of: uri).isEmpty { others.insert(ScalarText(id.text)) }
        }
        // Looks through all changes of the entity.
        guard isDecidedByTwin(found, of: object) else { return }
        let value = object.meta.outgoing?.lostCreate?.record.flatMap { resource.lookupValue(of: $0) }
        hasTwin = try snapshot.lostCreates(of: resource, with: value).contains { $0.uri != object.uri }
    }
}
