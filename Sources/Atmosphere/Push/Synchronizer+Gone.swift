/// A 404 says that there is nothing at an address, which may be a wrong one. Before an object counts as gone the server has
/// to say more: that the address is one of objects at all, or that its list does not show the object.
extension Synchronizer {
    /// What the refusal of a request of a lane is worth that says there is no such object.
    enum Worth: Sendable {
        case gone
        /// A read of the object tells more.
        case open
        /// The address may be wrong; why.
        case doubted(String)
        case unanswered(LaneMachine.End)
    }

    /// - Parameter reply: has said that there is no such object.
    func worth(
        of reply: ResourceClient.Reply, _ order: ObjectRequest, _ address: LaneAddress, _ resource: Resource,
        _ place: ObjectPlace
    ) async throws -> Worth {
        let isLookUp = order == .lookUp
        if !isLookUp, client.saysGone(reply, of: resource) { return .gone }
        var verb: Verb?
        if case .send(let sent, _) = order { verb = sent }
        if !isLookUp, addresses.contains(verb, of: resource.name) { return .gone }
        if verb != nil, resource.read.isOffered { return .open }
        do {
            // Of a list it says nothing of the object, unless the parent is gone under which the list stands.
            if isLookUp {
                return try await isParentGone(of: address.uri, resource, at: place) ? .gone : .open
            }
            let reason = try await whyNotGone(await address.uri, resource, at: place, asked: verb)
            return reason.map(Worth.doubted) ?? .gone
        } catch let error as SyncError {
            if (error.cause as? TransportError)?.isUnreached == true { return .unanswered(.offline(error.message)) }
            if error.code == .signInNeeded { return .unanswered(.signInNeeded(error.message)) }
            return .unanswered(try await postpone(address, .init(message: error.message)))
        }
    }

    /// Why an object cannot be taken for gone, though the server says that there is nothing at its address; nil where it can.
    ///
    /// Asks for the first page of its list, and then for an object that stands there: what is read shows that the address is
    /// right. Neither is asked again in this process.
    ///
    /// - Parameter verb: what was asked; nil for a read.
    /// - Throws: ``SyncError`` where the server does not tell now.
    func whyNotGone(
        _ uri: ObjectURI, _ resource: Resource, at place: ObjectPlace, asked verb: Verb?
    ) async throws -> String? {
        if addresses.contains(verb, of: resource.name) { return nil }
        let asked = resource.words(for: verb)
        let unclear = "nothing tells whether \(uri) is gone or \(asked.setting) is wrong"
        guard resource.list.isOffered else {
            return "the server answers \(asked.request) with 404, and \(unclear)"
        }
        note(uri, "\(resource.list.method) its list, to make sure that it is gone", isRoutine: true)
        let target = try client.firstPage(of: resource, at: place, cursor: nil)
        let reply = try await reply(to: client.listRequest(resource, target, at: place), resource)
        guard reply.isSuccess, !client.isWebPage(reply) else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            guard reply.isSuccess || treatment == .gone || treatment == .reject else {
                throw SyncError(
                    refused: failure, treatment, "\(resource.list.method) \(target.path)",
                    remedy: routeFile.signInRemedy)
            }
            if treatment == .gone, try await isParentGone(of: uri, resource, at: place) { return nil }
            return "the server answers \(asked.request) with 404 and its list with \(reply.status), so \(unclear); "
                + "mend “base”, \(asked.setting) or list.path; \(Self.decision(uri))"
        }
        guard
            var page = try? client.extractor(for: resource).page(
                in: reply.body, client.selectors(for: resource, at: place, isList: true))
        else {
            return "the server answers \(asked.request) with 404, and its list cannot be read as declared, so "
                + unclear
        }
        page.entity = resource.name
        if let own = page.items.first(where: { page.uri($0) == uri }) {
            return own.isDeleted ? nil : "the server lists it, and answers \(asked.remedy); \(Self.decision(uri))"
        }
        let rows = page.items.filter { !$0.isDeleted }
        // What this client deletes may be gone before it is asked for.
        let shown = page
        let leaving = try await store.read { snapshot in
            Set(try rows.map(shown.uri).filter { try snapshot.meta(at: $0)?.isDeleted == true })
        }
        let others = rows.filter { !leaving.contains(page.uri($0)) }
        if verb == nil, !others.isEmpty {
            return try await whyUnreadable(others, of: page, uri, resource, at: place)
        }
        let summary = try client.summary(of: reply, page: page, resource, target: target)
        let isWhole = resource.paging == .none && page.skipped == 0
        if isWhole || rows.isEmpty && summary.next == nil { return nil }
        return "the server answers \(asked.request) with 404, and the first page of its list does not hold it, so "
            + "\(unclear); look there: mend \(asked.setting), or \(Self.decision(uri))"
    }

    /// Whether what a list shows can be read where the route file says; why not, or nil. One that is deleted meanwhile says
    /// nothing, so two are tried.
    private func whyUnreadable(
        _ rows: [PageItem], of page: Page, _ uri: ObjectURI, _ resource: Resource, at place: ObjectPlace
    ) async throws -> String? {
        var place = place
        for row in rows.prefix(2) {
            let other = page.uri(row)
            place.id = resource.ownID(in: other)
            place.record = page.record(row)
            note(other, "GET to see whether single objects can be read there", isRoutine: true)
            let reply = try await reply(to: client.readRequest(resource, at: place), resource)
            if reply.isSuccess {
                addresses.insert(nil, of: resource.name)
                return nil
            }
            let (failure, treatment) = client.failure(in: reply, of: resource)
            guard treatment == .gone else {
                throw SyncError(refused: failure, treatment, "GET \(other)", remedy: routeFile.signInRemedy)
            }
        }
        let others = rows.prefix(2).map { page.uri($0).description }.joined(separator: " and ")
        return "the server lists \(others), and answers \(resource.words(for: nil).remedy); \(Self.decision(uri))"
    }

    /// Whether the innermost of the parents that the list is asked for under is gone, and with it what was below.
    private func isParentGone(of uri: ObjectURI, _ resource: Resource, at place: ObjectPlace) async throws -> Bool {
        guard let entity = resource.list.parentEntities.last, let known = place.parents[entity],
            let above = routeFile.resource(entity)
        else { return false }
        let parent =
            above.isUniquePerParent
            ? ObjectURI(entity: entity, segments: Array(uri.segments.dropLast()))
            : ObjectURI(entity: entity, id: known.id.text)
        guard let object = try await object(at: parent), !object.meta.isGoneThere else { return true }
        guard above.read.isOffered, !object.meta.isLocalOnly else { return false }
        let own = try await store.read {
            try ObjectPlace(object, resource: above, routeFile: self.routeFile, in: $0)
        }
        let reply = try await reply(to: client.readRequest(above, at: own), above)
        guard !reply.isSuccess else { return false }
        let (failure, treatment) = client.failure(in: reply, of: above)
        guard treatment == .gone else {
            throw SyncError(refused: failure, treatment, "GET \(parent)", remedy: routeFile.signInRemedy)
        }
        if client.saysGone(reply, of: above) { return true }
        return try await whyNotGone(parent, above, at: own, asked: nil) == nil
    }

    /// A caller who waits for a delete is told where it cannot have been about the object.
    ///
    /// - Throws: ``SyncError`` `refused` where the server shows the object, or nothing tells; what a read throws.
    func requireGone(
        _ uri: ObjectURI, _ resource: Resource, at place: ObjectPlace, _ reply: ResourceClient.Reply,
        _ failure: MetaObject.Failure
    ) async throws {
        guard !client.saysGone(reply, of: resource), !addresses.contains(.delete, of: resource.name) else { return }
        var reason: String?
        if resource.read.isOffered {
            let read = try await self.reply(to: client.readRequest(resource, at: place), resource)
            if read.isSuccess {
                reason = "the server shows it, and answers \(resource.words(for: .delete).remedy)"
            } else {
                let (refusal, treatment) = client.failure(in: read, of: resource)
                guard treatment == .gone else {
                    throw SyncError(refused: refusal, treatment, "GET \(uri)", remedy: routeFile.signInRemedy)
                }
                if !client.saysGone(read, of: resource) {
                    reason = try await whyNotGone(uri, resource, at: place, asked: nil)
                }
            }
        } else {
            reason = try await whyNotGone(uri, resource, at: place, asked: .delete)
        }
        guard let reason else { return }
        throw SyncError(code: .refused, message: "delete \(uri): \(reason)", failure: failure)
    }

    private static func decision(_ uri: ObjectURI) -> String {
        "then atmos retry \(uri.shellWord), or give the change up: atmos discard \(uri.shellWord)"
    }
}
