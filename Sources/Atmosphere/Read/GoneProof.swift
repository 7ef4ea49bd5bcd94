/// A 404 says that there is nothing at an address, which may be a wrong one. Before an object counts as gone the server has
/// to say more: that the address is one of objects at all, or that its list does not show the object.
struct GoneProof: Sendable {
    /// Why nothing tells whether an object is gone: the server lists it at another address than the one it was asked for at, which
    /// the next pull brings.
    struct NamedOtherwise: Error {}

    let synchronizer: Synchronizer
    let resource: Resource

    private var client: ResourceClient { synchronizer.client }
    private var reader: ObjectReader { ObjectReader(synchronizer: synchronizer, resource: resource) }

    /// Why an object cannot be taken for gone, though the server says that there is nothing at its address; nil where it can.
    ///
    /// Asks for the first page of its list, and then for an object that stands there: what is read shows that the address is
    /// right. Neither is asked again in this process.
    ///
    /// - Parameter verb: what was asked; nil for a read.
    /// - Throws: ``SyncError`` where the server does not tell now; with ``NamedOtherwise`` before it was pulled.
    func whyNotGone(_ uri: ObjectURI, at place: ObjectPlace, asked verb: Verb?) async throws -> String? {
        if synchronizer.addresses.contains(verb, of: resource.name) { return nil }
        return try await whyNotGone(uri, at: place, asked: verb, resource.words(for: verb))
    }

    /// As ``whyNotGone(_:at:asked:)``, of the request for an edit lease.
    func whyNotGone(_ uri: ObjectURI, at place: ObjectPlace, asked lease: Lease) async throws -> String? {
        try await whyNotGone(uri, at: place, asked: .update, resource.words(for: lease.acquire))
    }

    private func whyNotGone(
        _ uri: ObjectURI, at place: ObjectPlace, asked verb: Verb?, _ asked: Resource.RequestWords
    ) async throws -> String? {
        let unclear = "nothing tells whether \(uri) is gone or \(asked.setting) is wrong"
        guard resource.list.isOffered else {
            return "the server answers \(asked.request) with 404, and \(unclear)"
        }
        synchronizer.note(uri, "\(resource.list.method) its list, to make sure that it is gone", isRoutine: true)
        let target: RequestTarget
        do {
            target = try client.firstPage(of: resource, at: place, cursor: nil)
        } catch let error as SyncError where error.isBelowNothing {
            return nil
        }
        let reply = try await synchronizer.reply(to: client.listRequest(resource, target, at: place), resource)
        guard reply.isSuccess, !client.isWebPage(reply) else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            guard reply.isSuccess || treatment == .gone || treatment == .reject else {
                throw SyncError(
                    refused: failure, treatment, "\(resource.list.method) \(target.path)",
                    remedy: synchronizer.routeFile.signInRemedy)
            }
            if treatment == .gone, try await isParentGone(of: uri, at: place) { return nil }
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
            if !own.isDeleted, isNamedOtherwise(page.record(own), than: place) {
                throw SyncError(
                    code: .unexpectedAnswer,
                    message: "\(uri) is called otherwise on the server by now; atmos pull \(uri.entity.shellWord) "
                        + "brings the name", cause: NamedOtherwise())
            }
            return own.isDeleted ? nil : "the server lists it, and answers \(asked.remedy); \(Self.decision(uri))"
        }
        let rows = page.items.filter { !$0.isDeleted }
        // What this client deletes may be gone before it is asked for.
        let shown = page
        let leaving = try await synchronizer.store.read { snapshot in
            Set(try rows.map(shown.uri).filter { try snapshot.meta(at: $0)?.isDeleted == true })
        }
        let others = rows.filter { !leaving.contains(page.uri($0)) }
        if verb == nil, !others.isEmpty {
            return try await whyUnreadable(others, of: page, uri, at: place)
        }
        let summary = try client.summary(of: reply, page: page, resource, target: target)
        let isWhole = resource.paging == .none && page.skipped == 0
        if isWhole || rows.isEmpty && summary.next == nil { return nil }
        return "the server answers \(asked.request) with 404, and the first page of its list does not hold it, so "
            + "\(unclear); look there: mend \(asked.setting), or \(Self.decision(uri))"
    }

    /// The members of which the path of an object is made, apart from its identifier.
    private var namingFields: Set<String> {
        resource.read.path.ownFields.subtracting([resource.idField].compactMap(\.self))
    }

    /// Whether members of which the path of the object is made are others on the server by now.
    private func isNamedOtherwise(_ shown: ObjectRecord, than place: ObjectPlace) -> Bool {
        let mapping = resource.mapping
        return namingFields.contains { field in
            guard let value = mapping.value(field, in: shown) else { return false }
            return place.record.flatMap { mapping.value(field, in: $0) } != value
        }
    }

    /// Whether what a list shows can be read where the route file says; why not, or nil. One that is deleted meanwhile says
    /// nothing, so two are tried.
    private func whyUnreadable(
        _ rows: [PageItem], of page: Page, _ uri: ObjectURI, at place: ObjectPlace
    ) async throws -> String? {
        var place = place
        for row in rows.prefix(2) {
            let other = page.uri(row)
            place.id = resource.ownID(in: other)
            place.record = page.record(row)
            synchronizer.note(
                other, "\(resource.readMethod) to see whether single objects can be read there", isRoutine: true)
            switch try await reader.read(at: place).finding {
            case .shown:
                synchronizer.addresses.insert(nil, of: resource.name)
                return nil
            case .unreadable:
                return
                    "the server lists \(other), and its answer to \(resource.asked(for: other)) cannot be read as declared; "
                    + Self.decision(uri)
            case .none: continue
            case .untold(let failure, let treatment): throw reader.refusal(failure, treatment, of: other)
            }
        }
        let others = rows.prefix(2).map { page.uri($0).description }.joined(separator: " and ")
        return "the server lists \(others), and answers \(resource.words(for: nil).remedy); \(Self.decision(uri))"
    }

    /// Whether the innermost of the parents that the list is asked for under is gone, and with it what was below.
    func isParentGone(of uri: ObjectURI, at place: ObjectPlace) async throws -> Bool {
        let routeFile = synchronizer.routeFile
        guard let entity = resource.list.parentEntities.last, let known = place.parents[entity],
            let above = routeFile.resource(entity)
        else { return false }
        let parent =
            above.isUniquePerParent
            ? ObjectURI(entity: entity, segments: Array(uri.segments.dropLast()))
            : ObjectURI(entity: entity, id: known.id.text)
        // As it is stored, for so a place takes it.
        let (stored, own) = try await synchronizer.store.read { snapshot -> (LocalObject?, ObjectPlace) in
            let object = try snapshot.object(at: snapshot.alias(of: parent) ?? parent)
            let own = try object.map { try ObjectPlace($0, resource: above, routeFile: routeFile, in: snapshot) }
            return (object, own ?? ObjectPlace())
        }
        guard let object = stored, !object.meta.isGoneThere else { return true }
        guard above.read.isOffered, !object.meta.isLocalOnly else { return false }
        let reader = ObjectReader(synchronizer: synchronizer, resource: above)
        let finding: Finding
        do {
            finding = try await reader.read(at: own).finding
        } catch let error as SyncError where error.isBelowNothing {
            return true
        }
        switch finding {
        case .shown(let found): return found.record == nil
        case .unreadable: return false
        case .none(_, isCertain: true): return true
        case .none:
            let proof = GoneProof(synchronizer: synchronizer, resource: above)
            // What was read of another one says nothing of members in the path of this one.
            guard proof.namingFields.isEmpty else {
                return try await proof.whyNotGone(parent, at: own, asked: nil, above.words(for: nil)) == nil
            }
            return try await proof.whyNotGone(parent, at: own, asked: nil) == nil
        case .untold(let failure, let treatment): throw reader.refusal(failure, treatment, of: parent)
        }
    }

    /// A caller who waits for a delete is told where it cannot have been about the object.
    ///
    /// - Throws: ``SyncError`` `refused` where the server shows the object, or nothing tells; what a read throws.
    func requireGone(
        _ uri: ObjectURI, at place: ObjectPlace, _ reply: ResourceClient.Reply, _ failure: MetaObject.Failure
    ) async throws {
        let isProven = synchronizer.addresses.contains(.delete, of: resource.name)
        guard !client.saysGone(reply, of: resource), !isProven, let reason = try await whyKept(uri, at: place) else {
            return
        }
        throw SyncError(code: .refused, message: "delete \(uri): \(reason)", failure: failure)
    }

    /// Why a delete that was answered with 404 cannot have been about the object; nil where it can.
    private func whyKept(_ uri: ObjectURI, at place: ObjectPlace) async throws -> String? {
        guard resource.read.isOffered else { return try await whyNotGone(uri, at: place, asked: .delete) }
        switch try await reader.read(at: place).finding {
        case .shown(let found) where found.record == nil: return nil
        case .shown, .unreadable: return "the server shows it, and answers \(resource.words(for: .delete).remedy)"
        case .none(_, isCertain: true): return nil
        case .none: return try await whyNotGone(uri, at: place, asked: nil)
        case .untold(let failure, let treatment): throw reader.refusal(failure, treatment, of: uri)
        }
    }

    /// A caller who waits for a delete is told where the server accepted it and shows the object as it was, or does not tell.
    ///
    /// - Parameters:
    ///   - confirmed: what the server had before.
    ///   - isLater: it was accepted for later.
    /// - Throws: ``SyncError`` `refused`; `unexpectedAnswer` where the answer to the read says nothing of the object; what a
    ///   read throws.
    func requireDone(
        _ uri: ObjectURI, at place: ObjectPlace, _ confirmed: MetaObject.Confirmed, isLater: Bool
    ) async throws {
        switch try await reader.read(at: place, sequence: confirmed.sequence).finding {
        case .shown(let found):
            guard let record = found.record, ChangeEngine(resource).isStill(record, found.version, confirmed) else {
                return
            }
            let said = isLater ? "for later (202), and still shows it" : "and shows it all the same"
            throw SyncError(code: .refused, message: "delete \(uri): the server accepted it \(said)")
        // Whoever may not see it any more has nothing that says that it is there.
        case .none, .untold(_, .reject): return
        case .untold(let failure, let treatment): throw reader.refusal(failure, treatment, of: uri)
        case .unreadable:
            throw SyncError(
                code: .unexpectedAnswer,
                message: "delete \(uri): the server accepted it, and its answer to the GET that was to show "
                    + "whether it is done cannot be read as declared; the next pull tells")
        }
    }

    private static func decision(_ uri: ObjectURI) -> String {
        "then atmos retry \(uri.shellWord), or give the change up: atmos discard \(uri.shellWord)"
    }
}
