/// Makes the requests of a push without sending them.
struct PushPreview: Sendable {
    private let synchronizer: Synchronizer

    private var client: ResourceClient { synchronizer.client }

    init(_ synchronizer: Synchronizer) { self.synchronizer = synchronizer }

    /// See ``Synchronizer/pushPreview(entities:)``.
    func requests(of resources: [Resource]) async throws -> PendingPush {
        return try await synchronizer.store.read { snapshot in
            var pending = PendingPush()
            let held = HeldChanges(synchronizer.routeFile)
            var known: [Step: Bool] = [:]
            let pushed = Set(resources.map(\.name))
            for resource in resources {
                var parts: [Requests.Part] = []
                var releases: [PendingRequest] = []
                for meta in try snapshot.changed(entity: resource.name, after: nil, limit: .max) {
                    guard var object = try snapshot.object(at: meta.uri) else { continue }
                    guard case .send(let verb, let sent, let marked) = next(object, resource) else { continue }
                    let verbs = (verb.action == nil ? [verb] : []) + actions(of: object, resource)
                    let going = try verbs.filter {
                        try goes(Step(uri: meta.uri, verb: $0), among: pushed, held, &known, in: snapshot)
                    }
                    guard !going.isEmpty else { continue }
                    // Contents go behind everything else of their object.
                    let uploads = going == verbs && verb != .delete ? object.meta.uploads : []
                    object.record = marked.record
                    do {
                        let own = try requests(going, uploads, sent, object, resource, in: snapshot)
                        pending.requests += own.before + own.alone
                        // What goes in a batch is sent behind all that goes alone.
                        if own.together.isEmpty { pending.requests += own.after } else { releases += own.after }
                        parts += own.together
                    } catch let error as SyncError {
                        pending.problems.append(.init(uri: meta.uri, message: error.message))
                    }
                }
                pending.requests += try batches(of: parts, resource) + releases
            }
            return pending
        }
    }

    /// One request of an object.
    private struct Step: Hashable {
        var uri: ObjectURI
        var verb: Verb
    }

    private func actions(of object: LocalObject, _ resource: Resource) -> [Verb] {
        guard case .updated(let confirmed, _) = object.meta.state, let record = object.record else { return [] }
        let actions = ChangeEngine(resource).pendingActions(base: confirmed.base, record: record)
        return actions.map { .action($0.name) }
    }

    /// Whether a push of some entities sends something, so that what waits for it may follow: it is to be sent, and so is all that
    /// it waits for itself. Of what waits for each other nothing goes.
    ///
    /// A row of changes, each behind the next, can be as long as a person likes: the row is a list here, not a recursion.
    private func goes(
        _ step: Step, among pushed: Set<String>, _ held: HeldChanges, _ known: inout [Step: Bool],
        in snapshot: any StoreSnapshot
    ) throws -> Bool {
        var row: [(step: Step, holders: [Step])] = []
        func look(at step: Step) throws {
            known[step] = false
            if let holders = try holders(of: step, among: pushed, held, in: snapshot) { row.append((step, holders)) }
        }
        if known[step] == nil { try look(at: step) }
        while let last = row.last {
            guard let holder = last.holders.last else {
                known[last.step] = true
                row.removeLast()
                continue
            }
            switch known[holder] {
            case true?: row[row.count - 1].holders.removeLast()
            case false?: row.removeLast()
            case nil: try look(at: holder)
            }
        }
        return known[step] == true
    }

    /// What something waits for; nil where a push of some entities does not send it in any case.
    private func holders(
        of step: Step, among pushed: Set<String>, _ held: HeldChanges, in snapshot: any StoreSnapshot
    ) throws -> [Step]? {
        guard pushed.contains(step.uri.entity), let object = try snapshot.object(at: step.uri),
            try next(object, synchronizer.resource(step.uri.entity)).leadsToWrite
        else { return nil }
        return try held.holders(of: object, step.verb, in: snapshot).flatMap { meta in
            try steps(of: meta, holding: step.verb, in: snapshot)
        }
    }

    /// The requests of a change without which it holds another one.
    private func steps(
        of meta: MetaObject, holding verb: Verb, in snapshot: any StoreSnapshot
    ) throws -> [Step] {
        let resource = try synchronizer.resource(meta.uri.entity)
        guard let object = try snapshot.object(at: meta.uri), case .updated(let confirmed, _) = meta.state,
            let record = object.record
        else { return [Step(uri: meta.uri, verb: meta.isDeleted ? .delete : .create)] }
        let engine = ChangeEngine(resource)
        let isUpdated = !engine.changedMembers(base: confirmed.base, record: record).isEmpty
        var verbs = (isUpdated ? [.update] : []) + actions(of: object, resource)
        if verb == .delete {
            // What leaves its object holds it, and nothing else.
            let names = Set((resource.parents + resource.references).map(\.field))
            verbs.removeAll { names.isDisjoint(with: engine.carriedChanges($0, object)) }
        }
        if verbs.isEmpty { verbs = [.update] }
        return verbs.map { Step(uri: meta.uri, verb: $0) }
    }

    /// A push that somebody asks for heeds no pause after a failed try.
    private func next(_ object: LocalObject, _ resource: Resource) -> ChangeEngine.Next {
        ChangeEngine(resource).next(object, now: .distantFuture, sequence: 0, hasCompared: true, hasLease: true)
    }

    /// What a push sends for one object.
    private struct Requests {
        typealias Part = (entry: PendingRequest, verb: Verb, part: ResourceClient.BatchPart)

        /// About the edit lease.
        var before: [PendingRequest] = []
        var after: [PendingRequest] = []
        /// What goes in requests of its own, and what goes with others.
        var alone: [PendingRequest] = []
        var together: [Part] = []
    }

    private func requests(
        _ verbs: [Verb], _ uploads: [MetaObject.Upload], _ sent: Attempt, _ object: LocalObject, _ resource: Resource,
        in snapshot: any StoreSnapshot
    ) throws -> Requests {
        let place = try ObjectPlace(object, resource: resource, routeFile: synchronizer.routeFile, in: snapshot)
        var requests = Requests()
        for verb in verbs {
            if case .upload = verb { continue }
            let (entry, part) = try request(verb, sent.record, object, resource, at: place)
            if let part {
                requests.together.append((entry, verb, part))
            } else {
                requests.alone.append(entry)
            }
        }
        let uploads = try uploads.map { try request($0, object, resource, at: place) }
        guard verbs == [.create], let made = created(object, sent, resource) else {
            requests.alone += uploads
            let lease = try client.leasePreview(verbs[0], resource, at: place, uri: object.uri)
            (requests.before, requests.after) = lease
            return requests
        }
        let others = behindCreate(of: made, resource, at: place) + uploads
        guard !others.isEmpty else { return requests }
        // The create needs no lease, and what follows it does.
        let lease = try client.leasePreview(.update, resource, at: place, uri: object.uri)
        requests.after = lease.before + others + lease.after
        return requests
    }

    /// The update and the actions that follow a create, without those whose path names what only the server gives the object.
    ///
    /// - Parameter made: see ``created(_:_:_:)``.
    private func behindCreate(
        of made: LocalObject, _ resource: Resource, at place: ObjectPlace
    ) -> [PendingRequest] {
        guard let base = made.meta.confirmed?.base, let record = made.record else { return [] }
        let engine = ChangeEngine(resource)
        let updates = engine.changedMembers(base: base, record: record).isEmpty ? [] : [Verb.update]
        let actions = engine.pendingActions(base: base, record: record).map { Verb.action($0.name) }
        return (updates + actions).compactMap { try? request($0, record, made, resource, at: place).entry }
    }

    /// The object as its create leaves it: what that carries is on the server, and nobody knows yet what else the
    /// server makes of it.
    private func created(_ object: LocalObject, _ sent: Attempt, _ resource: Resource) -> LocalObject? {
        guard let record = sent.record, let outgoing = object.meta.outgoing else { return nil }
        let base = ChangeEngine(resource).carried(by: sent.action, record, over: nil)
        var made = object
        made.meta.state = .updated(.init(base: base, sequence: 0), outgoing)
        return made
    }

    /// The request that carries one verb of an object.
    private func request(
        _ verb: Verb, _ record: ObjectRecord?, _ object: LocalObject, _ resource: Resource, at place: ObjectPlace
    ) throws -> (entry: PendingRequest, part: ResourceClient.BatchPart?) {
        let write = try client.write(
            verb, resource, at: place, record: record, meta: object.meta,
            lease: verb == .create ? nil : resource.lease?.token.map { _ in PendingRequest.unknownToken })
        var entry = PendingRequest(uri: object.uri, verb: verb.word, request: write.request)
        entry.members = write.members
        entry.changed = ChangeEngine(resource).carriedChanges(verb, object)
        if verb == .create, let record {
            let path = write.part?.batch.path ?? resource.create.path
            entry.changed = client.sentFields(verb, resource, in: path, record: record, meta: object.meta)
        }
        if let record { try say(verb, resource, of: record, in: &entry) }
        if verb == .create, let part = write.part, let spec = part.batch.create {
            // A key stands among the members of the object.
            for path in spec.idempotency where resource.writeRoot == nil && path.starts(with: spec.body) {
                let path = path.dropFirst(spec.body.count)
                guard let key = part.item.value(at: spec.body + path), write.members?.value(at: path) == nil
                else { continue }
                entry.beside.put(key, at: path)
            }
        }
        return (entry, write.part)
    }

    /// What the body of a create or an update says beside the fields that change.
    private func say(
        _ verb: Verb, _ resource: Resource, of record: ObjectRecord, in entry: inout PendingRequest
    ) throws {
        guard let members = entry.members, verb == .create || verb == .update else { return }
        let operation = resource.operation(verb)
        let mapping = resource.mapping
        let held = mapping.decoded(record)
        let linked = try client.linked(record, resource)
        let written = mapping.decoded(linked)
        // What the operation sets goes in the place of the object's own; a reference may go as a link.
        for name in entry.changed {
            let own = mapping.value(written: name, in: mapping.body([name], of: held), of: held)
            let sent = mapping.value(written: name, in: members, of: held)
            if let own, let sent, sent != own { entry.instead[name] = sent }
        }
        let whole = mapping.wholeBody(held.view.names, of: written, without: [])
        var named = mapping.body(operation.with.filter { mapping.value($0, in: linked) != nil }, of: written)
        named.overlay(operation.set)
        if let name = resource.version.path?.firstMember { named[name] = named[name] ?? true }
        for (path, value) in members.leaves(missingIn: mapping.body(entry.changed, of: written)) {
            if verb == .update, whole.value(at: path) == value, named.value(at: path) == nil {
                entry.unchanged.append(path.joined(separator: "."))
            } else if entry.instead[path[0]] == nil {
                entry.beside.put(value, at: path)
            }
        }
    }

    /// The first request of an upload: the one that asks where the content goes, or the one that carries it.
    private func request(
        _ upload: MetaObject.Upload, _ object: LocalObject, _ resource: Resource, at place: ObjectPlace
    ) throws -> PendingRequest {
        let (attachment, route) = try resource.uploadRoute(upload.member)
        let file = AttachmentContent(
            length: upload.length, fileName: upload.fileName, mediaType: upload.mediaType, start: { { nil } })
        var place = place
        // The server gives a new object another one before.
        place.id = place.id ?? object.uri.id
        let id = place.id.map { ObjectID($0, object.meta.id.wireType) }
        let content = try file.named(by: route, of: resource, at: place, id: id, member: upload.member)
        let places = AttachmentPlaces(
            place, of: resource, id: id, member: upload.member, content, md5: PendingRequest.unknownToken)
        let request: Request
        if let ask = route.ask {
            request = try client.askRequest(ask, resource, at: place, places)
        } else {
            let link = try client.contentTarget(route, resource, at: place, places)
            let url = try client.contentURL(link, relativeTo: link, attachment)
            request =
                route.resumable == nil
                ? client.contentRequest(attachment, route, content, to: url, headers: HeaderFields())
                : try client.tusCreation(attachment, route, content, to: url, headers: HeaderFields(), places)
        }
        var pending = PendingRequest(uri: object.uri, verb: Verb.upload(upload.member).word, request: request)
        pending.upload = upload
        return pending
    }

    /// The requests that carry several changes, with each change in its place.
    private func batches(of parts: [Requests.Part], _ resource: Resource) throws -> [PendingRequest] {
        var parts = parts
        var requests: [PendingRequest] = []
        while let first = parts.first {
            let together = parts.filter { $0.verb == first.verb && $0.part.goesWith(first.part) }
                .prefix(first.part.batch.size)
            let uris = Set(together.map(\.entry.uri))
            parts.removeAll { $0.verb == first.verb && uris.contains($0.entry.uri) }
            let request = try client.batchRequest(together.map(\.part), resource)
            for (index, each) in together.enumerated() {
                var one = each.entry
                one.request = request
                one.batch = .init(
                    number: index + 1, count: together.count, item: .object(each.part.numbered(index + 1)))
                requests.append(one)
            }
        }
        return requests
    }
}

/// What a push would do.
package struct PendingPush: Sendable {
    /// In the order of entities; a push sends parents before children.
    package var requests: [PendingRequest] = []
    /// Changes of which no request can be made.
    package var problems: [Problem] = []

    /// Why something of a push would not be sent.
    package struct Problem: Sendable, Hashable {
        /// The object whose change it is.
        package var uri: ObjectURI
        /// Names the path or the member, and the reason.
        package var message: String
    }
}
