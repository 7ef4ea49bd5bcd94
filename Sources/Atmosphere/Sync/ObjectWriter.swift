/// Applies plans inside a transaction, with everything that follows from a new identifier.
struct ObjectWriter {
    let routeFile: RouteFile
    let transaction: any StoreTransaction

    /// - Returns: where the object is now.
    @discardableResult
    func apply(_ plan: Planner.Plan, to uri: ObjectURI) throws -> ObjectURI {
        switch plan.outcome {
        case .keep:
            return uri
        case .remove:
            try transaction.delete([uri])
            try transaction.removeMeta([uri])
            return uri
        case .put(let object):
            return try put(object, over: uri)
        }
    }

    /// Stores an object; where its identifier is not the URI's any more, everything that held the old one gets the new.
    @discardableResult
    func put(_ object: LocalObject, over uri: ObjectURI) throws -> ObjectURI {
        var object = object
        let new = ObjectURI(entity: uri.entity, id: object.meta.id.text)
        if new != uri {
            try move(uri, to: new, id: object.meta.id)
            object.meta.uri = new
        }
        if let record = object.record {
            try transaction.upsert([(new, record)])
        } else {
            try transaction.delete([new])
        }
        try transaction.put([object.meta])
        return new
    }

    private func move(_ old: ObjectURI, to new: ObjectURI, id: ObjectID) throws {
        if let existing = try transaction.object(at: new) {
            // A page showed the new object before the answer to its create was here.
            guard case .synchronized = existing.meta.state else {
                throw SyncError(code: .wrongState, message: "\(old) turned out to be \(new), which is edited here too")
            }
            try transaction.delete([new])
            try transaction.removeMeta([new])
        }
        try transaction.changeIdentifier(from: old, to: new)
        try transaction.changeMetaIdentifier(from: old, to: new, id: id)
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
        let oldText = old.segments.last ?? old.id
        let newSegments = new.segments
        let value = ObjectID(newSegments.last ?? new.id, id.wireType).value
        if var members = object.record?.members {
            for reference in resource.references where reference.entity == old.entity {
                if members[reference.field]?.string == oldText { members[reference.field] = value }
            }
            object.record = ObjectRecord(members)
        }
        object.meta.waitsFor.removeAll { $0 == old }
        guard resource.isUniquePerParent, resource.parents.contains(where: { $0.entity == old.entity }) else {
            try put(object, over: uri)
            return
        }
        let oldPrefix = old.id + "/"
        if uri.id.hasPrefix(oldPrefix) {
            object.meta.id.text = new.id + "/" + uri.id.dropFirst(oldPrefix.count)
        }
        try put(object, over: uri)
    }
}
