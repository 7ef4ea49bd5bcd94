/// Contents that wait, beside what the server shows of their members: each is an edit of its member, to a value that nobody knows
/// yet.
extension ChangeEngine {
    /// What becomes of contents where the server shows another value in their members.
    struct Weighed {
        /// These wait on.
        var uploads: [MetaObject.Upload] = []
        /// The policy takes what the server has in the place of these.
        var dropped: [MetaObject.Upload] = []
        /// The members about which a person decides.
        var clashes: [String] = []

        /// What people read of the contents that are dropped; nil where none are.
        var said: String? {
            guard !dropped.isEmpty else { return nil }
            let names = dropped.map { "“\($0.member)” (\($0.fileName))" }.joined(separator: ", ")
            return "the content of \(names) is not uploaded, as the policy says"
        }
    }

    /// Decides about contents that would replace what somebody else has put into their members since they were attached.
    ///
    /// - Parameter known: the base, with what own updates without an answer have brought.
    func weighed(
        _ uploads: [MetaObject.Upload], base: ObjectRecord, known: Value.Members, mine: Value.Members,
        theirs: Value.Members
    ) -> Weighed {
        var weighed = Weighed()
        guard !uploads.isEmpty else { return weighed }
        let before = resource.mapping.members(of: base)
        for upload in uploads {
            let name = upload.member
            let isOwn = !merge.same(name, before[name], theirs[name]) && merge.same(name, known[name], theirs[name])
            guard replaces(upload), let seen = upload.base, !isOwn, !isSameContent(name, seen, theirs[name]) else {
                weighed.uploads.append(upload)
                continue
            }
            switch merge.winner(of: name, base: known, mine: mine, theirs: theirs) {
            case .mine: weighed.uploads.append(upload)
            case .theirs: weighed.dropped.append(upload)
            case .person:
                weighed.uploads.append(upload)
                if !weighed.clashes.contains(where: { $0.hasSameBytes(as: name) }) { weighed.clashes.append(name) }
            }
        }
        return weighed
    }

    /// The contents that wait for members which clash: they are this side's of those, and newer than what it has there.
    func contested(in object: LocalObject) -> [MetaObject.Upload] {
        guard case .conflicted(let conflict)? = object.meta.outgoing?.phase else { return [] }
        let fields = Set(conflict.fields.map { ScalarText($0) })
        return object.meta.uploads.filter { replaces($0) && fields.contains(ScalarText($0.member)) }
    }

    /// Whether a member stands for the same content; null stands for none.
    private func isSameContent(_ name: String, _ left: Value?, _ right: Value?) -> Bool {
        func orNothing(_ value: Value?) -> Value? { value?.isNull == true ? nil : value }
        return merge.same(name, orNothing(left), orNothing(right))
    }

    /// What the member of content holds, for ``MetaObject/Upload/base``.
    func content(of member: String, in record: ObjectRecord) -> Value {
        resource.mapping.members(of: record)[member] ?? .null
    }

    /// Contents that are to replace what the server shows now.
    ///
    /// - Parameter others: members that somebody else has changed, of which nothing is decided yet.
    func based(
        _ uploads: [MetaObject.Upload], on shown: ObjectRecord, but others: [String] = []
    ) -> [MetaObject.Upload] {
        uploads.map { upload in
            guard upload.base != nil, !others.contains(where: { $0.hasSameBytes(as: upload.member) }) else {
                return upload
            }
            var upload = upload
            upload.base = content(of: upload.member, in: shown)
            return upload
        }
    }

    /// Contents of which nobody knew what their members were: what the server shows as a whole is that from now on.
    func founded(_ uploads: [MetaObject.Upload], on shown: ObjectRecord) -> [MetaObject.Upload] {
        uploads.map { upload in
            guard upload.base == nil, replaces(upload) else { return upload }
            var upload = upload
            upload.base = content(of: upload.member, in: shown)
            return upload
        }
    }

    /// Contents for an object that the server shows before it has confirmed the create of it: what stands in their members there
    /// and was not there before, and was not sent, is somebody else's. Nothing is nobody's.
    ///
    /// - Parameter before: what was sent, and what the object was before it was made anew; the first that has a member counts.
    func compared(
        _ uploads: [MetaObject.Upload], with before: [ObjectRecord?], on shown: ObjectRecord
    ) -> [MetaObject.Upload] {
        guard !uploads.isEmpty else { return [] }
        let known = before.compactMap(\.self).map(resource.mapping.members)
        return uploads.map { upload in
            guard upload.base == nil, replaces(upload) else { return upload }
            var upload = upload
            let there = content(of: upload.member, in: shown)
            let before = known.compactMap { $0[upload.member] }.first ?? .null
            upload.base = merge.fields.isEmpty(there) ? there : before
            return upload
        }
    }

    /// Contents of which nobody knows what their members are.
    ///
    /// - Parameter members: of these alone; nil for all.
    func unbased(_ uploads: [MetaObject.Upload], of members: [String]? = nil) -> [MetaObject.Upload] {
        uploads.map { upload in
            guard members?.contains(where: { $0.hasSameBytes(as: upload.member) }) != false else { return upload }
            var upload = upload
            upload.base = nil
            return upload
        }
    }

    /// Whether the object is read before content is sent: what the request carries is compared by nobody else.
    func mustCompare(_ upload: MetaObject.Upload) -> Bool {
        resource.read.isOffered && upload.base != nil && replaces(upload) && !setsMember(upload.member)
    }

    /// Whether the object is read before content is sent into a member at once.
    func mustCompare(_ member: String, of object: LocalObject) -> Bool {
        guard resource.read.isOffered, !object.meta.isLocalOnly, let route = resource.attachment(member)?.upload,
            route.method == "PUT", !route.setsMember
        else { return false }
        // What an upload before it may have brought is nobody else's change.
        return object.meta.confirmed?.isStale(member) != true
            && !object.meta.uploads.contains { $0.member.hasSameBytes(as: member) && $0.base == nil }
    }

    /// What was never shown here is not overwritten by content that is sent at once.
    ///
    /// - Parameter seen: the object as it was before it was read.
    /// - Throws: ``SyncError`` `wrongState` where the server shows another value in the member than then.
    func requireShown(_ member: String, of object: LocalObject, since seen: LocalObject) throws {
        guard let before = seen.meta.lastShown, let now = object.meta.lastShown,
            seen.meta.confirmed?.isStale(member) != true
        else { return }
        let known = seen.meta.outgoing.map { self.known(before, $0, shown: now) } ?? before
        let value = content(of: member, in: now)
        if [before, known].contains(where: { isSameContent(member, content(of: member, in: $0), value) }) { return }
        let winner = merge.winner(
            of: member, base: resource.mapping.members(of: known),
            mine: resource.mapping.members(of: seen.record ?? before), theirs: resource.mapping.members(of: now))
        if case .mine = winner { return }
        throw SyncError(
            code: .wrongState,
            message: "\(member.quoted) of \(object.uri) was changed on the server since it was last read; it is up to "
                + "date now: look at it, and attach the content again if it shall go all the same")
    }

    /// The contents that an edit of their members takes the place of.
    func superseded(by record: ObjectRecord, in object: LocalObject) -> [MetaObject.Upload] {
        guard !object.meta.uploads.isEmpty, let before = object.record else { return [] }
        let names = merge.changes(from: resource.mapping.members(of: before), to: resource.mapping.members(of: record))
        return object.meta.uploads.filter { upload in
            replaces(upload) && names.contains { $0.hasSameBytes(as: upload.member) }
        }
    }

    /// An edit that stands for content which was sent at once takes the place of contents that were attached before, and of no
    /// newer ones.
    ///
    /// - Parameter replaced: those before; nil for any other edit.
    func superseding(
        only replaced: Set<String>?, _ changed: LocalObject, over object: LocalObject
    ) -> LocalObject {
        guard let replaced else { return changed }
        let left = Set(changed.meta.uploads.map(\.id))
        var changed = changed
        changed.meta.uploads = object.meta.uploads.filter { !replaced.contains($0.id) || left.contains($0.id) }
        return changed
    }

    /// A change without contents that are not wanted any more: nobody is asked about these.
    static func forgetting(_ dropped: [MetaObject.Upload], in change: Change, key: String) -> Change {
        func isDropped(_ sent: Attempt?) -> Bool { dropped.contains { $0.id == sent?.upload } }
        var change = change
        switch change.phase {
        case .unknown(let sent) where isDropped(sent), .rejected(.refused(let sent), _) where isDropped(sent):
            var fresh = Change(idempotencyKey: key)
            (fresh.unanswered, fresh.lowWaterMark) = (change.unanswered, change.lowWaterMark)
            fresh.unverified = change.unverified
            return fresh
        case .conflicted(var conflict) where isDropped(conflict.lost):
            conflict.lost = nil
            change.phase = .conflicted(conflict)
        case .waiting, .sending, .unknown, .conflicted, .rejected: break
        }
        return change
    }

    /// A conflict about members, as it is once other contents wait.
    func rejoined(_ object: LocalObject) -> LocalObject {
        guard case .updated(let confirmed, let outgoing) = object.meta.state,
            case .conflicted(let conflict) = outgoing.phase, !conflict.fields.isEmpty, let theirs = conflict.theirs,
            let mine = object.record
        else { return object }
        let plan = combine(
            object, base: confirmed.base, mine: mine, theirs: theirs, version: conflict.version,
            sequence: conflict.sequence, stale: confirmed.stale, outgoing: outgoing, confirmed: confirmed)
        guard case .put(let joined) = plan.outcome else { return object }
        return joined
    }
}
