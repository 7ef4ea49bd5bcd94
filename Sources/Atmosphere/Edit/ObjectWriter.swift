/// Applies plans inside a transaction, with everything that follows from a new identifier.
struct ObjectWriter {
    let routeFile: RouteFile
    let transaction: any StoreTransaction

    /// - Parameter arrival: a sequence taken when the answer came that the plan follows from, where it was none to a list.
    /// - Returns: where the object is now.
    @discardableResult
    func apply(_ plan: Plan, to uri: ObjectURI, toldAt arrival: Int64? = nil) throws -> ObjectURI {
        if let arrival { try note(plan, of: uri, at: arrival) }
        switch plan.outcome {
        case .keep:
            return uri
        case .remove:
            let known = try transaction.meta(at: uri)
            if known?.isLocalOnly == true { try refuseDependents(of: uri) }
            if let known, !known.isLocalOnly { try note(gone: uri, toldAt: arrival) }
            try transaction.delete([uri])
            try transaction.removeMeta([uri])
            return uri
        case .put(let object):
            let place = try put(object, over: uri, isAsCreated: plan.isAsCreated)
            if let other = plan.other, place != uri { try put(other, over: uri) }
            return place
        }
    }

    /// Notes what is confirmed, for lists that were asked for earlier (``Confirmations``).
    private func note(_ plan: Plan, of uri: ObjectURI, at arrival: Int64) throws {
        guard let resource = routeFile.resource(uri.entity), resource.list.isOffered else { return }
        let known = try transaction.meta(at: uri)
        switch plan.outcome {
        case .keep, .remove: break
        case .put(let object):
            if object.meta.id.text != uri.id, let known, !known.isLocalOnly || known.outgoing?.previous != nil {
                // No list that was asked for earlier makes a second object of its former address.
                try note(gone: uri, toldAt: arrival)
            }
            // Only the tag of a list stands for what the list has shown.
            guard resource.list.isConditional, let base = object.meta.confirmed?.base, base != known?.confirmed?.base
            else { return }
            try Confirmations(of: resource).note(at: arrival, by: .message, in: transaction)
        }
    }

    /// Notes that the server has no such object any more (``GoneMarks``).
    ///
    /// - Parameter arrival: nil where a list has told it.
    private func note(gone uri: ObjectURI, toldAt arrival: Int64?) throws {
        guard let resource = routeFile.resource(uri.entity) else { return }
        let isTold = arrival != nil && resource.list.isOffered
        guard isTold || routeFile.live != nil else { return }
        try GoneMarks(of: resource).note(
            uri, at: arrival ?? transaction.highestSequence(), isTold: isTold, in: transaction)
        if let arrival, isTold { try Confirmations(of: resource).note(at: arrival, by: .message, in: transaction) }
    }

    /// Stores an object; where its identifier is not the URI's any more, everything that held the old one gets the new.
    ///
    /// - Parameters:
    ///   - isAsCreated: see ``Plan/isAsCreated``.
    ///   - isNamedByServer: a new identifier is one that the server has given, so what refers to the object there refers to that.
    @discardableResult
    func put(
        _ object: LocalObject, over uri: ObjectURI, isAsCreated: Bool = false, isNamedByServer: Bool = true
    ) throws -> ObjectURI {
        var object = object
        object.meta.settleUploads()
        if case .synchronized(let confirmed) = object.meta.state {
            object.meta.waitsFor = []
            // Byte by byte: what was merged or set to the same may be written otherwise, and stores compare bytes.
            object.record = confirmed.base
        }
        let uri = try placeOfItsOwn(of: &object, over: uri)
        let new = ObjectURI(entity: uri.entity, id: object.meta.id.text)
        let wasKnown = try transaction.meta(at: uri)?.isLocalOnly == false
        let isRenamed = new != uri && wasKnown && isNamedByServer
        if wasKnown, object.meta.isLocalOnly { object.meta.waitsFor = try unknownReferences(of: object) }
        if new != uri {
            try move(uri, to: new, &object, isAsCreated)
            object.meta.uri = new
        } else if let known = try transaction.meta(at: uri), known.id.wireType != object.meta.id.wireType {
            try rewriteReferences(to: uri, as: object.meta.id)
        }
        if let record = object.record {
            try transaction.upsert([(new, record)])
        } else {
            try transaction.delete([new])
        }
        try transaction.put([object.meta])
        if !object.meta.isLocalOnly { try release(dependentsOf: new) }
        if wasKnown, object.meta.isLocalOnly { try hold(whatRefersTo: new) }
        if isRenamed { try rewriteKnown(from: uri, to: new, id: object.meta.id) }
        return new
    }

    /// A create that stands under an identifier of the server's gets the address back that it had before, where it has not
    /// been seen under that identifier and is found elsewhere or sent again, or where another object was seen there: the
    /// identifier is another object's from now on, if any.
    ///
    /// - Returns: where the object is now.
    private func placeOfItsOwn(of object: inout LocalObject, over uri: ObjectURI) throws -> ObjectURI {
        guard var known = try transaction.object(at: uri) else { return uri }
        let evidence = object.meta.isLocalOnly ? object.meta.outgoing?.evidence : nil
        let isGivenUp =
            if known.meta.isLocalOnly {
                known.meta.outgoing?.evidence.isNamed == true
                    && (object.meta.id.text != uri.id || evidence?.isNamed == false)
            } else {
                evidence == .nameless
            }
        guard isGivenUp else { return uri }
        let former = try transaction.formerURIs(of: uri)
        guard let own = former.first else { return uri }
        let earlier = try transaction.formerURIs(of: own) + former.dropFirst()
        if !known.meta.isLocalOnly {
            // What is to be sent and refers to it has been released since, and waits again.
            known.meta.state = object.meta.state
            try transaction.put([known.meta])
            try hold(whatRefersTo: uri)
        }
        let dependents = try transaction.dependents(of: uri)
        try transaction.delete([uri])
        try transaction.removeMeta([uri])
        // Over a third address: from where an object is moved an alias leads to it.
        let spare = ObjectURI(entity: uri.entity, id: own.id + "-")
        let id = ObjectID(own.id, .temporary)
        known.meta.uri = spare
        known.meta.id = id
        if let record = known.record { try transaction.upsert([(spare, record)]) }
        try transaction.put([known.meta])
        try transaction.changeIdentifier(from: spare, to: own)
        try transaction.changeMetaIdentifier(from: spare, to: own, id: id)
        for uri in earlier { try transaction.putAlias(of: uri, to: own) }
        for dependent in dependents { try rewrite(dependent, from: uri, to: own, id: id) }
        if object.meta.id.text == uri.id { object.meta.id = id }
        object.meta.uri = own
        return own
    }

    /// The server has given an object that it knew another identifier: what refers to it there refers to the new one now,
    /// here and in its base, so that no edit comes of it. Looks through the entities that can refer to it: a reference may
    /// be a list, and no index finds an element of one.
    private func rewriteKnown(from old: ObjectURI, to new: ObjectURI, id: ObjectID) throws {
        let oldText = routeFile.wireID(of: old, .string).text
        let value = routeFile.wireID(of: new, id.wireType).value
        let isUniquePerParent = routeFile.resource(old.entity)?.isUniquePerParent == true
        for resource in routeFile.resources {
            let references = resource.references.filter { $0.entity == old.entity }
            guard !references.isEmpty else { continue }
            let edit = Edit(resource, routeFile, transaction)
            func renamed(_ record: ObjectRecord) throws -> ObjectRecord {
                let members = resource.mapping.members(of: record)
                var changed = members
                for reference in references {
                    changed[reference.field] = try changed[reference.field]?.mapElements { own in
                        guard own.text.hasSameBytes(as: oldText) else { return own }
                        if isUniquePerParent, let before = ObjectID(own), let id = ObjectID(value) {
                            // Below other parents it is another object, before or now.
                            guard try edit.address(of: reference, before, in: members) == old,
                                try edit.address(of: reference, id, in: members) == new
                            else { return own }
                        }
                        return resource.held(value, in: reference.field, like: own)
                    }
                }
                return changed == members ? record : resource.mapping.record(changed, over: record)
            }
            var found: [ObjectURI] = []
            try transaction.records(matching: Query(resource.name)) { uri, record in
                if try renamed(record) != record { found.append(uri) }
                return true
            }
            // A base alone refers to it where the object is deleted here, or was edited to refer elsewhere.
            for meta in try transaction.changed(entity: resource.name, after: nil, limit: .max) {
                guard let base = meta.confirmed?.base, try renamed(base) != base else { continue }
                if let record = try transaction.record(at: meta.uri), try renamed(record) != record { continue }
                found.append(meta.uri)
            }
            let isBelow = resource.isUniquePerParent && resource.parents.contains { $0.entity == old.entity }
            for uri in found where uri != new {
                guard var object = try transaction.object(at: uri) else { continue }
                object.record = try object.record.map(renamed)
                if var confirmed = object.meta.confirmed {
                    confirmed.base = try renamed(confirmed.base)
                    object.meta.confirmed = confirmed
                }
                if isBelow, let own = uri.id.rest(after: beginning(below: old)) {
                    object.meta.id.text = beginning(below: new) + own
                }
                try put(object, over: uri)
            }
        }
    }

    /// What the object refers to and the server does not know.
    private func unknownReferences(of object: LocalObject) throws -> [ObjectURI] {
        guard let record = object.record, let resource = routeFile.resource(object.uri.entity) else { return [] }
        var members = resource.mapping.members(of: record)
        return try Edit(resource, routeFile, transaction).resolve(&members, of: object.meta.waitsFor)
            .filter { $0 != object.uri }
    }

    /// An object that the server has deleted is created anew and gets another identifier there: what is to be sent and refers
    /// to it waits for that.
    private func hold(whatRefersTo uri: ObjectURI) throws {
        for resource in routeFile.resources where resource.references.contains(where: { $0.entity == uri.entity }) {
            for var meta in try transaction.changed(entity: resource.name, after: nil, limit: .max) {
                guard meta.uri != uri, !meta.waitsFor.contains(uri), let object = try transaction.object(at: meta.uri),
                    try unknownReferences(of: object).contains(uri)
                else { continue }
                meta.waitsFor.append(uri)
                try transaction.put([meta])
            }
        }
    }

    /// What waited for the object may be sent: the server knows it now.
    private func release(dependentsOf uri: ObjectURI) throws {
        for dependent in try transaction.dependents(of: uri) {
            guard var meta = try transaction.meta(at: dependent) else { continue }
            meta.waitsFor.removeAll { $0 == uri }
            try transaction.put([meta])
        }
    }

    /// What waited for an object that never reaches the server would wait for ever: a person has to decide.
    private func refuseDependents(of uri: ObjectURI) throws {
        for dependent in try transaction.dependents(of: uri) {
            if let meta = try transaction.meta(at: dependent) { try refuse(meta, dangling: uri) }
        }
    }

    /// What waits for an object that is not here, because damage of the store has taken it, would wait for ever, too.
    ///
    /// - Returns: whether the change was refused.
    func refuseDangling(_ meta: MetaObject) throws -> Bool {
        let absent = try meta.waitsFor.first { try transaction.meta(at: transaction.alias(of: $0) ?? $0) == nil }
        guard let absent else { return false }
        return try refuse(meta, dangling: absent)
    }

    /// What may be on the server is found out first, and its change waits as it is until then: what was sent has referred to
    /// something else.
    ///
    /// - Returns: whether the change was refused.
    @discardableResult
    private func refuse(_ dependent: MetaObject, dangling uri: ObjectURI) throws -> Bool {
        var meta = dependent
        guard var outgoing = meta.outgoing else { return false }
        switch outgoing.phase {
        case .sending, .unknown: return false
        case .waiting, .conflicted, .rejected: break
        }
        meta.waitsFor.removeAll { $0 == uri }
        let failure = MetaObject.Failure(
            message: "it refers to \(uri), which was removed here before the server knew it; edit the reference, "
                + "or discard this object too")
        outgoing.phase = .rejected(.dangling(try transaction.record(at: meta.uri)), failure)
        outgoing.lastError = failure
        meta.outgoing = outgoing
        try transaction.put([meta])
        return true
    }

    /// What waits to be sent refers to the object as the server writes it, which has become known by now.
    private func rewriteReferences(to uri: ObjectURI, as id: ObjectID) throws {
        let value = routeFile.wireID(of: uri, id.wireType).value
        for resource in routeFile.resources where resource.references.contains(where: { $0.entity == uri.entity }) {
            for meta in try transaction.changed(entity: resource.name, after: nil, limit: .max) where meta.uri != uri {
                guard let record = try transaction.record(at: meta.uri) else { continue }
                var members = resource.mapping.members(of: record)
                for reference in resource.references where reference.entity == uri.entity {
                    members[reference.field] = members[reference.field]?.mapElements {
                        $0.text.hasSameBytes(as: value.text) ? resource.held(value, in: reference.field, like: $0) : $0
                    }
                }
                guard members != resource.mapping.members(of: record) else { continue }
                try transaction.upsert([(meta.uri, resource.mapping.record(members, over: record))])
            }
        }
    }

    private func move(
        _ old: ObjectURI, to new: ObjectURI, _ object: inout LocalObject, _ isAsCreated: Bool
    ) throws {
        let id = object.meta.id
        var joined: [ObjectURI] = []
        if let existing = try transaction.object(at: new) {
            if try isOlder(existing, thanCreateAt: old) {
                leaveToPerson(existing, &object)
            } else {
                joined = try transaction.formerURIs(of: new)
                // A page showed the new object before the answer to its create was here, and it may have been edited since.
                if isAsCreated { renew(&object, by: existing) }
                try join(existing, to: &object, from: old)
                object.meta.uploads += existing.meta.uploads
                object.meta.settleUploads()
            }
            try transaction.delete([new])
            try transaction.removeMeta([new])
        }
        try transaction.changeIdentifier(from: old, to: new)
        try transaction.changeMetaIdentifier(from: old, to: new, id: id)
        for former in joined { try transaction.putAlias(of: former, to: new) }
        for dependent in try transaction.dependents(of: old) {
            try rewrite(dependent, from: old, to: new, id: id)
        }
    }

    /// Gives a waiting object its parent's real identifier, in its members and, where identifiers are unique per
    /// parent, in its own.
    private func rewrite(_ uri: ObjectURI, from old: ObjectURI, to new: ObjectURI, id: ObjectID) throws {
        guard var object = try transaction.object(at: uri), let resource = routeFile.resource(uri.entity) else {
            return
        }
        let oldText = routeFile.wireID(of: old, .string).text
        let value = routeFile.wireID(of: new, id.wireType).value
        if let record = object.record {
            let shown = object.meta.confirmed?.base
            var members = resource.mapping.members(of: record)
            for reference in resource.references where reference.entity == old.entity {
                let known = shown.flatMap { resource.mapping.value(reference.field, in: $0) }
                members[reference.field] = members[reference.field]?.mapElements {
                    $0.text.hasSameBytes(as: oldText) ? resource.held(value, in: reference.field, like: known) : $0
                }
            }
            object.record = resource.mapping.record(members, over: record)
        }
        // It waits on where the object is still unknown to the server, because only a parent of it has got an identifier.
        object.meta.waitsFor = object.meta.waitsFor.map { $0 == old ? new : $0 }
        guard resource.isUniquePerParent, resource.parents.contains(where: { $0.entity == old.entity }),
            let own = uri.id.rest(after: beginning(below: old))
        else {
            try put(object, over: uri)
            return
        }
        // What the server has named below the former parent keeps that name: below the new one it may give it to another.
        let isOwnName = resource.assigned == .client || object.meta.id.wireType == .temporary
        if isOwnName { object.meta.id.text = beginning(below: new) + own }
        try loseWithParent(put(object, over: uri), resource)
    }

    /// What the server had below a parent that it has deleted is gone with it, though the parent was created once more.
    private func loseWithParent(_ uri: ObjectURI, _ resource: Resource) throws {
        guard let object = try transaction.object(at: uri) else { return }
        try apply(ChangeEngine(resource).lostWithParent(object, at: uri), to: uri)
    }

    /// What the identifiers begin with that are unique below a parent: its own is one segment of them, or has segments itself.
    private func beginning(below parent: ObjectURI) -> String {
        let isJoined = routeFile.resource(parent.entity)?.isUniquePerParent == true
        return (isJoined ? parent.id : PercentEncoding.segment(parent.id)) + "/"
    }
}
