/// Reads one object, or looks one up.
struct ObjectReader: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource

    private var client: ResourceClient { synchronizer.client }

    // MARK: Reading

    func request(at place: ObjectPlace) throws -> ResourceClient.Read { try client.readRequest(resource, at: place) }

    /// What an answer says of the object.
    ///
    /// - Parameter sequence: the start sequence of the request.
    func finding(in reply: ResourceClient.Reply, at place: ObjectPlace, sequence: Int64) -> Finding {
        client.finding(in: reply, of: resource, at: place, sequence: sequence)
    }

    /// GETs the object at a place, for a caller who waits.
    ///
    /// - Parameters:
    ///   - sequence: the start sequence of the request, where what it shows is stored.
    ///   - uri: whose story it is; nil for nobody's.
    /// - Throws: ``SyncError`` `unreachable` or `unexpectedAnswer` where there is no answer.
    func read(
        at place: ObjectPlace, sequence: Int64 = 0, about uri: ObjectURI? = nil
    ) async throws -> (finding: Finding, reply: ResourceClient.Reply) {
        let reply = try await synchronizer.reply(to: request(at: place), resource, about: uri)
        return (finding(in: reply, at: place, sequence: sequence), reply)
    }

    /// The error for a caller who was told nothing of an object.
    func refusal(_ failure: MetaObject.Failure, _ treatment: ErrorRules.Treatment, of uri: ObjectURI) -> SyncError {
        SyncError(refused: failure, treatment, resource.asked(for: uri), remedy: synchronizer.routeFile.signInRemedy)
    }

    // MARK: Looking up

    func lookUpRequest(at place: ObjectPlace) throws -> ResourceClient.Read {
        try client.lookUpRequest(resource, at: place)
    }

    /// Why nothing is looked up: the server takes us for somebody else. nil where the route file does not say how to ask.
    func doubtOfLookUp() async throws -> String? {
        try await Ownership(synchronizer).doubt(
            about: [resource], "a look-up would not tell whether the create has happened")
    }

    /// What an answer to a look-up shows.
    ///
    /// - Returns: all that the server has with the value.
    /// - Throws: ``SyncError`` `unexpectedAnswer` or ``ExtractionError`` where the answer does not tell.
    func found(
        in reply: ResourceClient.Reply, at place: ObjectPlace, sequence: Int64
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
        let page = try client.page(in: reply, selectors, of: resource)
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
}
