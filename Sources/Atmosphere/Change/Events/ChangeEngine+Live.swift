/// What a live update says of an object.
extension ChangeEngine {
    /// What to do with a live update.
    enum LiveChoice: Equatable, Sendable {
        /// Nothing: what it says is here already, or does not matter here.
        case known(String)
        /// Its content is what the server has: store it as if it had been pulled.
        case apply(Plan)
        /// The object is being pushed; look again when its outcome is known.
        case wait
        /// Its content cannot be used as it is: ask the server.
        case fetch(String)
    }

    /// Decides by content and version alone; the order in which messages arrive says nothing.
    ///
    /// - Parameters:
    ///   - isCreating: a create of this entity is on the wire, so an object that is not known may be our own.
    ///   - arriving: what an update shows that has the whole object; of any other nothing.
    ///   - sequence: taken now.
    func live(
        _ update: LiveUpdate, over object: LocalObject?, isCreating: Bool, arriving: ArrivingObject.Finding,
        sequence: Int64, key: String
    ) -> LiveChoice {
        guard let object else {
            if update.content == .deleted { return .known("deleted on the server, and not here") }
            return isCreating ? .wait : arrived(update, arriving, key: key)
        }
        if let choice = undecidable(update, object) { return choice }
        // Also where a person has still to decide about what it has shown since.
        guard let confirmed = object.meta.newest else { return .known("its create has not been sent") }
        if let choice = settledByVersion(update, confirmed) { return choice }
        switch update.content {
        case .changed: return .fetch("changed on the server")
        case .unusable(let reason): return .fetch(reason)
        case .deleted:
            // An old message may have been overtaken by a restore; only an order of versions, or the server, can tell.
            guard isOrdered(update.version, after: confirmed.version) || !resource.read.isOffered else {
                return .fetch("said to be deleted on the server")
            }
            let gone = Representation(
                record: nil, id: object.meta.id, version: nil, sequence: sequence, isDeleted: true)
            return .apply(remote(gone, over: object, uri: object.uri, key: key))
        case .attributes(let members):
            return shown(members, by: update, over: object, confirmed, sequence: sequence, key: key)
        case .whole(let members):
            guard case .shown(let found) = arriving else { return .fetch("the update does not show the object") }
            return shown(
                members, by: update, over: object, confirmed, as: found.record ?? ObjectRecord(members),
                sequence: sequence, key: key)
        case .patch(let patch):
            guard isMade(update, from: confirmed) else { return .fetch("made from another version") }
            let members = confirmed.base.members.merged(with: patch)
            guard isOf(object, members, over: confirmed.base) else {
                return .fetch("the update changes the identifier")
            }
            let version = nextVersion(update, members, confirmed)
            return apply(members, version, as: ObjectRecord(members), over: object, sequence: sequence, key: key)
        case .edits(let texts):
            guard isMade(update, from: confirmed) else { return .fetch("made from another version") }
            guard let members = edited(confirmed.base.members, texts),
                isOf(object, members, over: confirmed.base)
            else {
                return .fetch("the edits do not fit the text")
            }
            let version = nextVersion(update, members, confirmed)
            return apply(members, version, as: ObjectRecord(members), over: object, sequence: sequence, key: key)
        }
    }

    /// An object that is not here.
    private func arrived(
        _ update: LiveUpdate, _ arriving: ArrivingObject.Finding, key: String
    ) -> LiveChoice {
        switch arriving {
        case .doubtful(let why): return .fetch(why)
        case .shown(var found):
            guard found.record != nil else { return .known("deleted on the server, and not here") }
            found.version = arrivedVersion(found, update)
            return .apply(remote(found, over: nil, uri: update.uri, key: key))
        }
    }

    /// The version of an object that is not here; nil, which makes the next write compare first, where the message has it in
    /// another form than the server's headers.
    private func arrivedVersion(_ found: Representation, _ update: LiveUpdate) -> String? {
        guard let header = resource.version.headerName else {
            return resource.version.path == nil ? nil : found.version ?? update.version
        }
        guard let version = update.version else { return nil }
        return header.lowercased() == "etag" && !version.hasSuffix("\"") ? nil : version
    }

    /// A message that shows the members of the object, or some of them.
    ///
    /// - Parameter all: the object where the message shows all of it.
    func shown(
        _ members: Value.Members, by update: LiveUpdate, over object: LocalObject, _ confirmed: MetaObject.Confirmed,
        as all: ObjectRecord? = nil, sequence: Int64, key: String
    ) -> LiveChoice {
        let whole = all ?? resource.mapping.completed(ObjectRecord(members), over: confirmed.base)
        guard isOf(object, whole.members, over: confirmed.base) else {
            return .fetch("the update shows another identifier")
        }
        let version = update.version ?? shownVersion(members)
        if version == nil || isSameVersion(version, confirmed.version), isSame(whole, confirmed.base) {
            return .known("here already")
        }
        guard let version, resource.version.order(confirmed.version, version) == .less else {
            return .fetch("changed on the server, and not known to be newer")
        }
        return apply(
            all?.members ?? members, version, as: whole, isPartial: all == nil, over: object, sequence: sequence,
            key: key)
    }

    /// What cannot be decided by the content: of an object that had another address, that is on the wire, or whose create is
    /// open. nil where it can be.
    private func undecidable(_ update: LiveUpdate, _ object: LocalObject) -> LiveChoice? {
        if object.uri != update.uri {
            // What had that address before may have been made anew since, under another: versions of the two mean nothing
            // to each other.
            if update.content == .deleted { return .known("the address that it had before is gone on the server") }
            return .fetch("changed under the address that it had before")
        }
        if case .sending = object.meta.outgoing?.phase { return .wait }
        guard object.meta.confirmed == nil else { return nil }
        // At an identifier of the client's own the server may have it.
        guard case .unknown = object.meta.outgoing?.phase, update.content != .deleted else { return nil }
        return .fetch("its create may have happened")
    }

    /// - Parameter whole: the object that the members make, with what was here already.
    private func apply(
        _ members: Value.Members, _ version: String?, as whole: ObjectRecord, isPartial: Bool = false,
        over object: LocalObject, sequence: Int64, key: String
    ) -> LiveChoice {
        let isDeleted = saysDeleted(.object(whole.members))
        let representation = Representation(
            record: isDeleted ? nil : ObjectRecord(members), id: object.meta.id,
            version: version.flatMap { storable($0, object.meta.confirmed?.version) }, sequence: sequence,
            isPartial: isPartial, isDeleted: isDeleted)
        return .apply(remote(representation, over: object, uri: object.uri, key: key))
    }

    /// What is here already is recognized by its version, above all the echo of an own push.
    private func settledByVersion(_ update: LiveUpdate, _ confirmed: MetaObject.Confirmed) -> LiveChoice? {
        let leadsTo: String?
        switch update.content {
        case .patch, .edits: leadsTo = update.next
        case .changed, .attributes, .whole, .deleted, .unusable: leadsTo = update.version
        }
        guard let leadsTo, let version = confirmed.version else { return nil }
        switch resource.version.order(version, leadsTo) {
        case .greater?: return .known("older than what is here")
        case .equal? where update.content != .deleted: return .known("here already")
        default: break
        }
        // Of a delete the version may be the last one that the object had.
        if update.content != .deleted, isSameVersion(leadsTo, version) { return .known("here already") }
        return nil
    }

    /// Whether the whole of an object's members still shows the object: with its identifier, unless the base shows none.
    private func isOf(_ object: LocalObject, _ whole: Value.Members, over base: ObjectRecord) -> Bool {
        guard let shown = resource.id.first(in: .object(whole)) else {
            return resource.id.first(in: .object(base.members)) == nil
        }
        guard let id = ObjectID(shown) else { return false }
        let own = resource.isUniquePerParent ? object.uri.segments.last ?? object.uri.id : object.meta.id.text
        return id.text.hasSameBytes(as: own)
    }

    private func saysDeleted(_ shown: Value) -> Bool {
        guard let mark = resource.deletes.field?.first(in: shown) else { return false }
        if let equals = resource.deletes.equals { return mark == equals || mark.text == equals.text }
        return !mark.isNull && mark != false
    }

    func edited(_ members: Value.Members, _ texts: [LiveUpdate.TextEdits]) -> Value.Members? {
        var edited = members
        for text in texts {
            guard let old = edited[text.member]?.string, let new = TextEdit.apply(text.edits, to: old) else {
                return nil
            }
            edited[text.member] = .string(new)
        }
        return edited
    }

    private func shownVersion(_ members: Value.Members) -> String? {
        guard let value = resource.version.path?.first(in: .object(members)), value.string != nil || value.number != nil
        else { return nil }
        return value.text
    }

    /// The version after a patch or edits: as it is told, or as they set the member that holds it. nil, which makes the
    /// next write compare first, where neither says it.
    private func nextVersion(
        _ update: LiveUpdate, _ members: Value.Members, _ confirmed: MetaObject.Confirmed
    ) -> String? {
        if let next = update.next { return next }
        guard let shown = shownVersion(members), shown != confirmed.version else { return nil }
        return shown
    }

    /// A version out of a message in the form in which the server's headers write it; nil where the forms differ, for
    /// it could not be sent back.
    private func storable(_ version: String, _ known: String?) -> String? {
        guard resource.version.headerName != nil, let known else { return version }
        return version.hasSuffix("\"") == known.hasSuffix("\"") ? version : nil
    }

    /// Whether a message tells of the known version, or of one that is newer where the API orders its versions.
    private func isOrdered(_ version: String?, after known: String?) -> Bool {
        isSameVersion(version, known) || version.flatMap { resource.version.order(known, $0) } == .less
    }

    /// Whether what an update says is made from what is known here.
    private func isMade(_ update: LiveUpdate, from confirmed: MetaObject.Confirmed) -> Bool {
        confirmed.stale.isEmpty && isSameVersion(update.version, confirmed.version)
    }

    private func isSameVersion(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return false }
        return bare(left).hasSameBytes(as: bare(right)) || resource.version.order(left, right) == .equal
    }

    /// An entity tag without its quotes (RFC 9110 §8.8.3); a weak one stays as it is.
    private func bare(_ version: String) -> String {
        guard resource.version.headerName != nil, version.count > 2, version.hasPrefix("\""), version.hasSuffix("\"")
        else { return version }
        return String(version.dropFirst().dropLast())
    }
}
