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
        guard let reply = try await attempt(create, "create") else {
            explainRefusedCopy()
            return
        }
        guard let made = try await created(reply, at: place) else {
            report.problems.append(
                "create: the answer says no identifier at \(resource.id), and no look-up finds one; an object made by "
                    + "this check may be left on the server")
            return
        }
        var present = made
        do {
            try await tryRepeat(create, made)
            try await tryLookUp(uuid, made.place)
            try await tryUpdate(&present)
        } catch {
            try await remove(present)
            throw error
        }
        try await tryDelete(present)
    }

    /// A server that wants a member to be unique refuses any copy, and is what the route file says all the same.
    private mutating func explainRefusedCopy() {
        guard let last = report.problems.indices.last else { return }
        let isTaken = refusedStatus.map { $0 == 409 || resource.duplicate?.statuses.contains($0) == true } ?? false
        if isTaken {
            report.problems.remove(at: last)
            report.notes.append(
                "writes were not tried: the server refuses a copy as a duplicate, so some member has to be unique, and no "
                    + "copy can be made")
        } else {
            report.problems[last] +=
                "; what only the server may set belongs under “readonly”; where a member has to be unique no copy can be "
                + "made, and the writes are not tried"
        }
    }

    /// An object that the check has made, as the server last showed it.
    private struct Made {
        var place: ObjectPlace
        /// With its wire type.
        var id: ObjectID
        var version: String?

        var record: ObjectRecord? { place.record }
    }

    // MARK: Steps

    /// The place of a new object, by the answer or by its lookup field.
    private mutating func created(_ reply: ResourceClient.Reply, at place: ObjectPlace) async throws -> Made? {
        let answered = client.representation(
            in: reply, of: resource, at: place, operation: resource.create, sequence: sequence)
        let found = resource.told(by: reply, answered, resource.create)
        guard let id = found?.id ?? (resource.assigned == .client ? place.id.map { ObjectID($0) } : nil) else {
            return nil
        }
        let what = found?.record == nil ? "its identifier" : "the object"
        report.findings.append(.init("create", true, "a create is answered with \(reply.status) and \(what)"))
        var made = Made(place: place, id: id, version: found?.version)
        made.id.text = ownText(of: id)
        made.place.id = made.id.text
        made.place.record = found?.record ?? place.record
        // What an answer leaves out, the version above all, is read as before any other write.
        let isWhole = found?.record != nil && found?.isPartial == false
        let needsVersion = resource.version != .none && resource.version != .compare && made.version == nil
        return !isWhole || needsVersion ? try await read(made) : made
    }

    /// An identifier without those of the parents in front of it.
    private func ownText(of id: ObjectID) -> String {
        guard resource.isUniquePerParent else { return id.text }
        return ObjectURI(entity: resource.name, id: id.text).segments.last ?? id.text
    }

    /// The object as the server shows it now; as it was where it does not.
    private func read(_ made: Made) async throws -> Made {
        let request = try client.readRequest(resource, at: made.place)
        let reply = try await client.exchange(request, resource: resource)
        guard reply.isSuccess,
            let found = client.representation(
                in: reply, of: resource, at: made.place, operation: resource.read, sequence: sequence),
            let record = found.record
        else { return made }
        var made = made
        made.place.record = record
        made.version = found.version
        if let type = found.id?.wireType { made.id.wireType = type }
        return made
    }

    private mutating func tryRepeat(_ create: ResourceClient.Write, _ made: Made) async throws {
        guard resource.createHasKey || resource.lookup != nil || resource.assigned == .client else { return }
        let reply = try await exchange(create)
        let found =
            reply.isSuccess
            ? client.representation(
                in: reply, of: resource, at: made.place, operation: resource.create, sequence: sequence)
            : nil
        guard reply.isSuccess else {
            report.findings.append(.init("repeat", true, "a create sent twice is refused with \(said(reply))"))
            return
        }
        let second = found?.id.map { id in
            var second = made
            second.id = ObjectID(ownText(of: id), id.wireType)
            second.place.id = second.id.text
            second.place.record = found?.record ?? made.record
            second.version = found?.version
            return second
        }
        guard let second, second.id.text != made.id.text else {
            report.findings.append(.init("repeat", true, "a create sent twice makes one object"))
            return
        }
        report.findings.append(.init("repeat", false, "a create sent twice makes two objects"))
        report.create = .refuted
        var setting: String?
        if let path = resource.batch(for: .create)?.create?.idempotency.first {
            setting = "batch.create.idempotency: the server does not know “\(JSONPath(path.map { .member($0) }))”"
        } else if let header = resource.create.idempotencyHeader {
            setting = "create.idempotency-header: the server does not know “\(header)”"
        }
        report.problems.append(
            (setting ?? "lookup.field: the server takes the same value twice") + ", so a create could happen twice")
        try await remove(second)
    }

    private mutating func tryLookUp(_ value: String, _ made: ObjectPlace) async throws {
        guard let lookup = resource.lookup, let parameter = lookup.parameter else { return }
        var asked = made
        asked.record = resource.mapping.record([lookup.field: .string(value)], over: made.record)
        let request = try client.lookUpRequest(resource, at: asked)
        guard let reply = try await exchange(request, "lookup") else {
            report.findings.append(.init("lookup", false, "a new object cannot be looked up by “\(parameter)”"))
            return refuteLookUp()
        }
        let found = try? client.extractor(for: resource)
            .page(in: reply.body, client.lookUpSelectors(for: resource, at: made))
        let isFound = found?.items.contains { item in item.lookup.map { found?.text($0) == value } ?? false } ?? false
        report.findings.append(
            .init("lookup", isFound, "a new object is \(isFound ? "" : "not ")found by “\(parameter)”"))
        if !isFound {
            refuteLookUp()
            report.problems.append(
                "lookup: a new object is not found by “\(parameter)”, so a lost create waits for a person")
        }
    }

    private mutating func tryUpdate(_ made: inout Made) async throws {
        guard resource.update.isOffered, let record = made.record else { return }
        let first: ResourceClient.Write
        do {
            first = try client.write(.update, resource, at: made.place, record: record, meta: meta(of: made))
        } catch let error as SyncError where error.code == .invalidRecord {
            report.findings.append(.init("update", false, "no update of a copy can be sent"))
            report.notes.append("update: \(error.message)")
            return
        }
        guard let reply = try await attempt(first, "update") else { return }
        report.findings.append(
            .init(
                "update", true,
                "an update is answered with \(reply.status)\(reply.body.isEmpty ? ", without a body" : "")"))
        var old = made
        made = try await read(made)
        var stale = first
        let isHeader = stale.part == nil && !carriesToken
        if resource.carriesVersion(.update) {
            // Without a tag to send, as where the server gives weak ones, nothing can be refused.
            if isHeader, stale.request.headers["If-Match"] == nil { return }
            // One over again, with its old version.
            if old.version == made.version, let change = try await changeText(&made) { (old, stale) = change }
            guard old.version != made.version else {
                report.notes.append(
                    "version: no update moved the version, so it was not tried whether the server refuses an old one")
                return
            }
        } else {
            guard isHeader, let update = try await updateUnderTag(&made) else { return }
            stale = update
        }
        let answer = try await exchange(stale)
        let kind = isHeader ? "If-Match" : "version"
        let treatment = answer.isSuccess ? .reject : client.failure(in: answer, of: resource).1
        switch treatment {
        case .unauthorized, .wait, .retry:
            report.notes.append(
                "version: an update with a stale \(kind) was answered with \(said(answer)), which says nothing of it")
            return
        case .reject, .conflict, .gone: break
        }
        if answer.isSuccess { made = try await read(made) }
        reportStale(answer, kind, treatment)
    }

    /// What an answer to an update with an old version, or an old tag, says of the server.
    private mutating func reportStale(
        _ answer: ResourceClient.Reply, _ kind: String, _ treatment: ErrorRules.Treatment
    ) {
        // A rule of the route file may say that a success is a refusal, or that another status is a conflict.
        let isHonoured =
            answer.isRefused || [409, 412].contains(answer.status) || !answer.isSuccess && treatment == .conflict
        // Whatever is no success has overwritten nothing.
        report.findings.append(
            .init(
                "if-match", isHonoured || !answer.isSuccess,
                "an update with a stale \(kind) is answered with \(said(answer))"))
        if resource.carriesVersion(.update), !isHonoured, !answer.isSuccess {
            report.problems.append(
                "version.send: the server refuses a stale \(kind) with "
                    + "\(answer.status), which counts as a change that can never be sent, not as a conflict; say so in "
                    + "errors: { rules: [{ status: \(answer.status), treat: conflict, … }] }, with the path or code by "
                    + "which the answer tells it from other refusals")
        } else if resource.carriesVersion(.update), !isHonoured {
            report.problems.append(
                "version.send: the server does not honour \(kind == "version" ? "the version" : kind) (\(answer.status)), so writes undo each other; "
                    + "write version: compare")
        } else if isHonoured, resource.version == .compare {
            report.notes.append(
                "version: the server honours If-Match; where an ETag comes with an object, "
                    + "version: { header: ETag, send: if-match } leaves no race")
        }
    }

    /// Sends an update under the tag that comes with the object, as a server has to take it, which makes the tag stale.
    ///
    /// - Returns: the update, whose tag is stale now; nil where no tag comes that `If-Match` can use, or no update moves it.
    private mutating func updateUnderTag(_ made: inout Made) async throws -> ResourceClient.Write? {
        guard let record = made.record, let tag = try await self.tag(of: made) else { return nil }
        let changed = otherText(of: record)?.changed
        var update = try client.write(
            .update, resource, at: made.place, record: changed ?? record, meta: meta(of: made))
        update.request.headers["If-Match"] = tag
        let reply = try await exchange(update)
        guard reply.isSuccess, !reply.isRefused else {
            report.findings.append(
                .init(
                    "if-match", false,
                    "an update with If-Match and the object’s own ETag is answered with \(said(reply))"))
            return nil
        }
        made = try await read(made)
        guard let moved = try await self.tag(of: made), moved != tag else {
            report.notes.append(
                "version: no update moved the ETag, so it was not tried whether the server refuses a stale one")
            return nil
        }
        return update
    }

    /// What comes with the object in `ETag`; nil for a weak one, which `If-Match` cannot use (RFC 9110 §13.1.1).
    private func tag(of made: Made) async throws -> String? {
        let request = try client.readRequest(resource, at: made.place)
        let reply = try await client.exchange(request, resource: resource)
        return reply.isSuccess ? resource.matchable(reply.headers["ETag"]) : nil
    }

    /// A text of several words in the record, and the record with another one in its place: what holds a single word may be
    /// one of a few that the server takes.
    private func otherText(of record: ObjectRecord) -> (member: Value.Member, changed: ObjectRecord)? {
        let members = resource.mapping.members(of: record)
        let text = members.first { member in
            !resource.neverSent.contains(member.name) && member.name != resource.lookup?.field
                && resource.fields.types[member.name, default: .string] == .string
                && member.value.string?.contains(where: \.isWhitespace) == true
        }
        guard let text, let words = text.value.string else { return nil }
        var changed = members
        changed[text.name] = .string(words + ".")
        return (text, resource.mapping.record(changed, over: record))
    }

    /// Changes a text of several words: many servers take no notice of an update that changes nothing.
    ///
    /// - Returns: the object as it was before, and the update; nil where there is no such text, or the server refuses it.
    private mutating func changeText(_ made: inout Made) async throws -> (Made, ResourceClient.Write)? {
        guard let record = made.record, let (text, changed) = otherText(of: record) else { return nil }
        let update = try client.write(.update, resource, at: made.place, record: changed, meta: meta(of: made))
        let reply = try await exchange(update)
        guard reply.isSuccess, !reply.isRefused else { return nil }
        let before = made
        made = try await read(made)
        if made.record.map({ resource.mapping.members(of: $0)[text.name] == text.value }) == true {
            report.findings.append(
                .init(
                    "update", false,
                    "an update of “\(text.name)” is answered with \(reply.status) and leaves it as it was"))
            report.problems.append(
                "update: the server takes an update of “\(text.name)” and does nothing; what it does not take belongs under "
                    + "“readonly”, and what else it wants in an update under “update”")
        }
        return (before, update)
    }

    /// Whether an update says the version elsewhere than in `If-Match`.
    private var carriesToken: Bool {
        if case .body = resource.version { return true }
        return resource.update.besidePath.contains(where: \.namesVersion)
    }

    private mutating func tryDelete(_ made: Made) async throws {
        let delete = try client.write(.delete, resource, at: made.place, record: made.record, meta: meta(of: made))
        guard let reply = try await attempt(delete, "delete") else {
            report.problems.append("delete: the object made by this check is left: \(resource.name)/\(made.id)")
            return
        }
        let after = try await client.exchange(try client.readRequest(resource, at: made.place), resource: resource)
        let left =
            after.isSuccess
            ? "; the object can still be read, marked or not" : "; the object is gone (\(said(after)))"
        report.findings.append(.init("delete", true, "a delete is answered with \(reply.status)\(left)"))
    }

    // MARK: Parts

    /// The status, and what is wrong where that is an error by a rule of the route file alone.
    private func said(_ reply: ResourceClient.Reply) -> String {
        guard reply.isRefused else { return String(reply.status) }
        return "\(reply.status): \(client.failure(in: reply, of: resource).0.summary.prefix(200))"
    }

    private func remove(_ made: Made) async throws {
        let delete = try client.write(.delete, resource, at: made.place, record: made.record, meta: meta(of: made))
        _ = try await exchange(delete)
    }

    /// Sends a write; a refusal is a finding, and a problem where the route file offers the operation.
    private mutating func attempt(
        _ write: ResourceClient.Write, _ topic: String
    ) async throws -> ResourceClient.Reply? {
        let known = report.problems.count
        let answer = try await exchange(write)
        refusedStatus = answer.isSuccess ? nil : answer.status
        let reply = try judged(answer, write.request, topic)
        if reply == nil {
            let reason = report.problems.dropFirst(known).map { ": \($0)" }.joined()
            report.findings.append(.init(topic, false, "the server refuses to \(topic) a copy of an object\(reason)"))
        }
        return reply
    }

    private func exchange(_ write: ResourceClient.Write) async throws -> ResourceClient.Reply {
        try client.answer(to: write, in: try await client.exchange(write.request, resource: resource))
    }

    /// A base with nothing but the version: every member counts as changed.
    private func meta(of made: Made) -> MetaObject {
        MetaObject(
            uri: ObjectURI(entity: resource.name, id: made.id.text), id: made.id,
            state: .updated(
                .init(base: ObjectRecord(versionMembers(of: made.record)), version: made.version, sequence: 0),
                .init(idempotencyKey: made.id.text)))
    }

    /// The member in which the version stands.
    private func versionMembers(of record: ObjectRecord?) -> Value.Members {
        guard case .member(let name)? = resource.version.path?.steps.first, let token = record?[name] else {
            return [:]
        }
        return [name: token]
    }
}
