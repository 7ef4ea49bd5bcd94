/// What a server does with writes: found out with a copy of an object, which is deleted again.
extension ResourceCheck {
    /// Creates, repeats, looks up, changes and deletes one object on the server.
    ///
    /// - Parameter sample: an object that is there; nil where there is none to copy.
    mutating func tryWrites(like sample: ObjectPlace?) async throws {
        guard resource.create.isOffered, resource.delete.isOffered, resource.read.isOffered else {
            report.notes.append("writes were not tried: that takes “create”, “read” and “delete”")
            return
        }
        guard resource.lease?.mode != .enforced else {
            report.notes.append("writes were not tried: they go under edit leases")
            return
        }
        guard var place = sample, let record = sample?.record else {
            report.notes.append("writes were not tried: there is no object to copy")
            return
        }
        let uuid = client.environment.makeUUID()
        var members = record.members
        if let lookup = resource.lookup { members[lookup.field] = .string(uuid) }
        if let id = resource.id.singleMember { members[id] = resource.assigned == .client ? .string(uuid) : nil }
        place.id = resource.assigned == .client ? uuid : nil
        place.parents[resource.name] = nil
        let copy = ObjectRecord(members)
        place.record = copy
        let uri = ObjectURI(entity: resource.name, id: uuid)
        let meta = MetaObject(
            uri: uri, id: ObjectID(uuid), state: .created(.init(idempotencyKey: uuid), deleting: false))
        let create = try client.write(.create, resource, at: place, record: copy, meta: meta)
        guard let reply = try await attempt(create, "create") else { return }
        guard let made = try await created(reply, at: place) else {
            report.problems.append(
                "create: the answer says no identifier at \(resource.id), and no look-up finds one; an object made by "
                    + "this check may be left on the server")
            return
        }
        do {
            try await tryRepeat(create, made)
            try await tryLookUp(uuid, made)
            try await tryUpdate(made)
        } catch {
            try await remove(made)
            throw error
        }
        try await tryDelete(made)
    }

    // MARK: Steps

    /// The place of a new object, by the answer or by its lookup field.
    private mutating func created(_ reply: ResourceClient.Reply, at place: ObjectPlace) async throws -> ObjectPlace? {
        let found = client.representation(
            in: reply, of: resource, at: place, operation: resource.create, sequence: sequence)
        guard let id = found?.id ?? (resource.assigned == .client ? place.id.map { ObjectID($0) } : nil) else {
            return nil
        }
        let what = found?.record == nil ? "its identifier" : "the object"
        report.findings.append(.init("create", true, "a create is answered with \(reply.status) and \(what)"))
        var made = place
        made.id = ObjectURI(entity: resource.name, id: id.text).segments.last
        if !resource.isUniquePerParent { made.id = id.text }
        made.record = found?.record ?? place.record
        return made
    }

    private mutating func tryRepeat(_ create: ResourceClient.Write, _ made: ObjectPlace) async throws {
        guard resource.createHasKey || resource.lookup != nil || resource.assigned == .client else { return }
        let reply = try await exchange(create)
        let found =
            reply.isSuccess
            ? client.representation(in: reply, of: resource, at: made, operation: resource.create, sequence: sequence)
            : nil
        guard reply.isSuccess else {
            report.findings.append(.init("repeat", true, "a create sent twice is refused with \(reply.status)"))
            return
        }
        var second = made
        second.id = found?.id.map {
            resource.isUniquePerParent ? ObjectURI(entity: "x", id: $0.text).segments.last ?? "" : $0.text
        }
        if second.id == nil || second.id == made.id {
            report.findings.append(.init("repeat", true, "a create sent twice makes one object"))
            return
        }
        report.findings.append(.init("repeat", false, "a create sent twice makes two objects"))
        var setting: String?
        if let path = resource.batch(for: .create)?.create?.idempotency {
            setting = "batch.create.idempotency: the server does not know “\(JSONPath(path.map { .member($0) }))”"
        } else if let header = resource.create.idempotencyHeader {
            setting = "create.idempotency-header: the server does not know “\(header)”"
        }
        report.problems.append(
            (setting ?? "lookup.field: the server takes the same value twice") + ", so a create could happen twice")
        try await remove(second)
    }

    private mutating func tryLookUp(_ value: String, _ made: ObjectPlace) async throws {
        guard let lookup = resource.lookup else { return }
        var asked = made
        asked.record = ObjectRecord([lookup.field: .string(value)])
        let request = try client.lookUpRequest(resource, at: asked)
        let reply = try await client.exchange(request, resource: resource)
        guard reply.isSuccess else { return }
        let found = try? client.extractor(for: resource)
            .page(in: reply.body, client.selectors(for: resource, at: made, isList: true))
        let isFound = found?.items.contains { item in item.lookup.map { found?.text($0) == value } ?? false } ?? false
        report.findings.append(
            .init("lookup", isFound, "a new object is \(isFound ? "" : "not ")found by “\(lookup.parameter)”"))
        if !isFound {
            report.problems.append(
                "lookup: a new object is not found by “\(lookup.parameter)”, so a lost create waits for a person")
        }
    }

    private mutating func tryUpdate(_ made: ObjectPlace) async throws {
        guard resource.update.isOffered, let record = made.record else { return }
        var stale = try client.write(.update, resource, at: made, record: record, meta: meta(of: made, version: nil))
        guard let reply = try await attempt(stale, "update") else { return }
        report.findings.append(
            .init(
                "update", true,
                "an update is answered with \(reply.status)\(reply.body.isEmpty ? ", without a body" : "")"))
        // No server has ever given this one out.
        let unknown = "\"atmosphere-check\""
        if stale.part == nil {
            stale.request.headers["If-Match"] = unknown
        } else {
            guard resource.batch(for: .update)?.update?.version != nil else { return }
            stale = try client.write(
                .update, resource, at: made, record: record, meta: meta(of: made, version: unknown))
        }
        let answer = try await exchange(stale)
        let isHonoured = [409, 412].contains(answer.status)
        let kind = stale.part == nil ? "If-Match" : "version"
        report.findings.append(
            .init("if-match", isHonoured, "an update with a stale \(kind) is answered with \(answer.status)"))
        if case .ifMatch = resource.version, !isHonoured {
            report.problems.append(
                "version.send: the server does not honour \(kind == "version" ? "the version" : kind) (\(answer.status)), so writes undo each other; "
                    + "write version: compare")
        } else if isHonoured, resource.version == .compare {
            report.notes.append(
                "version: the server honours If-Match; where an ETag comes with an object, "
                    + "version: { header: ETag, send: if-match } leaves no race")
        }
    }

    private mutating func tryDelete(_ made: ObjectPlace) async throws {
        let delete = try client.write(
            .delete, resource, at: made, record: made.record, meta: meta(of: made, version: nil))
        guard let reply = try await attempt(delete, "delete") else {
            report.problems.append("delete: the object made by this check is left: \(resource.name)/\(made.id ?? "")")
            return
        }
        let after = try await client.exchange(try client.readRequest(resource, at: made), resource: resource)
        let left =
            after.isSuccess
            ? "; the object can still be read, marked or not" : "; the object is gone (\(after.status))"
        report.findings.append(.init("delete", true, "a delete is answered with \(reply.status)\(left)"))
    }

    // MARK: Parts

    private func remove(_ made: ObjectPlace) async throws {
        let delete = try client.write(
            .delete, resource, at: made, record: made.record, meta: meta(of: made, version: nil))
        _ = try await exchange(delete)
    }

    /// Sends a write; a refusal is a finding, and a problem where the route file offers the operation.
    private mutating func attempt(
        _ write: ResourceClient.Write, _ topic: String
    ) async throws -> ResourceClient.Reply? {
        let known = report.problems.count
        let reply = try judged(try await exchange(write), write.request, topic)
        if reply == nil {
            let reason = report.problems.dropFirst(known).map { ": \($0)" }.joined()
            report.findings.append(.init(topic, false, "the server refuses to \(topic) a copy of an object\(reason)"))
        }
        return reply
    }

    private func exchange(_ write: ResourceClient.Write) async throws -> ResourceClient.Reply {
        try client.answer(to: write, in: try await client.exchange(write.request, resource: resource))
    }

    /// A base with nothing but the version that a body carries: every member counts as changed.
    private func meta(of made: ObjectPlace, version: String?) -> MetaObject {
        let id = made.id ?? ""
        return MetaObject(
            uri: ObjectURI(entity: resource.name, id: id), id: ObjectID(id),
            state: .updated(
                .init(base: ObjectRecord(versionMembers(of: made.record)), version: version, sequence: 0),
                .init(idempotencyKey: id)))
    }

    private func versionMembers(of record: ObjectRecord?) -> Value.Members {
        guard case .body(let path, _) = resource.version, let name = path.singleMember, let token = record?[name] else {
            return [:]
        }
        return [name: token]
    }
}
