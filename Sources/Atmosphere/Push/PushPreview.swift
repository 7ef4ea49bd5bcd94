/// Makes the requests of a push without sending them.
struct PushPreview: Sendable {
    private let synchronizer: Synchronizer

    private var client: ResourceClient { synchronizer.client }

    init(_ synchronizer: Synchronizer) { self.synchronizer = synchronizer }

    /// See ``Synchronizer/pushPreview(entities:)``.
    func requests(of resources: [Resource]) async throws -> PendingPush {
        return try await synchronizer.store.read { snapshot in
            var pending = PendingPush()
            let held = Held(
                deletes: HeldDeletes(synchronizer.routeFile), actions: HeldActions(synchronizer.routeFile))
            var known: [ObjectURI: Bool] = [:]
            let pushed = Set(resources.map(\.name))
            for resource in resources {
                var parts: [Requests.Part] = []
                var releases: [PendingRequest] = []
                for meta in try snapshot.changed(entity: resource.name, after: nil, limit: .max) {
                    guard var object = try snapshot.object(at: meta.uri) else { continue }
                    // A push that somebody asks for heeds no pause after a failed try.
                    let next = ChangeEngine(resource).next(
                        object, now: .distantFuture, sequence: 0, hasCompared: true, hasLease: true)
                    guard case .send(let verb, let sent, let marked) = next else { continue }
                    if verb == .delete || verb.action != nil,
                        try !goes(meta, among: pushed, held, &known, in: snapshot)
                    {
                        continue
                    }
                    object.record = marked.record
                    do {
                        let own = try requests(verb, sent, object, resource, in: snapshot)
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

    /// What is known of the changes that wait for others.
    private struct Held {
        let deletes: HeldDeletes
        let actions: HeldActions
    }

    /// Whether a push of some entities sends a change, so that what waits for it may follow: it is to be sent, and so is all that
    /// it waits for itself. Of changes that wait for each other none goes.
    ///
    /// A row of changes, each behind the next, can be as long as a person likes: the row is a list here, not a recursion.
    private func goes(
        _ meta: MetaObject, among pushed: Set<String>, _ held: Held, _ known: inout [ObjectURI: Bool],
        in snapshot: any StoreSnapshot
    ) throws -> Bool {
        var row: [(uri: ObjectURI, holders: [MetaObject])] = []
        func look(at meta: MetaObject) throws {
            known[meta.uri] = false
            if let holders = try holders(of: meta, among: pushed, held, in: snapshot) { row.append((meta.uri, holders)) }
        }
        if known[meta.uri] == nil { try look(at: meta) }
        while let last = row.last {
            guard let holder = last.holders.last else {
                known[last.uri] = true
                row.removeLast()
                continue
            }
            switch known[holder.uri] {
            case true?: row[row.count - 1].holders.removeLast()
            case false?: row.removeLast()
            case nil: try look(at: holder)
            }
        }
        return known[meta.uri] == true
    }

    /// The changes that a change waits for; nil where a push of some entities does not send it in any case.
    private func holders(
        of meta: MetaObject, among pushed: Set<String>, _ held: Held, in snapshot: any StoreSnapshot
    ) throws -> [MetaObject]? {
        guard pushed.contains(meta.uri.entity), let object = try snapshot.object(at: meta.uri) else { return nil }
        let next = ChangeEngine(try synchronizer.resource(meta.uri.entity)).next(
            object, now: .distantFuture, sequence: 0, hasCompared: true, hasLease: true)
        guard next.leadsToWrite else { return nil }
        return try meta.isDeleted
            ? held.deletes.holders(of: meta.uri, in: snapshot) : held.actions.holders(of: object, in: snapshot)
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
        _ verb: Verb, _ sent: Attempt, _ object: LocalObject, _ resource: Resource, in snapshot: any StoreSnapshot
    ) throws -> Requests {
        let place = try ObjectPlace(object, resource: resource, routeFile: synchronizer.routeFile, in: snapshot)
        let engine = ChangeEngine(resource)
        var verbs = [verb]
        if case .upload = verb { verbs = [] }
        if verb == .update, let base = object.meta.confirmed?.base, let record = object.record {
            verbs += engine.pendingActions(base: base, record: record).map { .action($0.name) }
        }
        var requests = Requests()
        for verb in verbs {
            let (entry, part) = try request(verb, sent.record, object, resource, at: place)
            if let part {
                requests.together.append((entry, verb, part))
            } else {
                requests.alone.append(entry)
            }
        }
        var uploads: [PendingRequest] = []
        if verb != .delete { uploads = try object.meta.uploads.map { try request($0, object, resource, at: place) } }
        guard verb == .create, let made = created(object, sent, resource) else {
            requests.alone += uploads
            (requests.before, requests.after) = try client.leasePreview(verb, resource, at: place, uri: object.uri)
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
