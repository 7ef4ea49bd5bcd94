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
        let event = try await apply(address, resource, lookingUp: found) { engine, object, _, key in
            engine.lookedUp(found, of: object, arrival: arrival, key: key, retryAt: retryAt)
        }
        guard case .applied(let plan, _) = event, case .put(let object) = plan.outcome,
            object.meta.outgoing?.isLookedForInVain == true
        else { return event }
        return event.failing(.notShown)
    }
}
