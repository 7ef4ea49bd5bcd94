/// Reads a live update that has the whole of an object, and says whether it can be taken without asking the server.
struct ArrivingObject: Sendable {
    let client: ResourceClient
    let routeFile: RouteFile
    let resource: Resource

    /// What the update shows.
    enum Finding {
        /// The object, as the answer to a read would show it.
        case shown(Representation)
        /// Only the server can tell, and why.
        case doubtful(String)
    }

    /// - Parameters:
    ///   - uri: where the object stands, or is to stand.
    ///   - object: nil where it is not here. Then nothing may speak for an update that was overtaken by the object's removal, or
    ///     for an object of this client's own.
    func finding(
        _ update: LiveUpdate, at uri: ObjectURI, over object: LocalObject?, sequence: Int64,
        in snapshot: any StoreSnapshot
    ) throws -> Finding {
        guard case .whole(let members) = update.content else { return .doubtful("not here yet") }
        let known = MetaObject.Confirmed(base: ObjectRecord(members), sequence: 0)
        let shape = LocalObject(
            record: nil,
            meta: MetaObject(uri: uri, id: ObjectID(resource.ownID(in: uri)), state: .synchronized(known)))
        let place = try ObjectPlace(object ?? shape, resource: resource, routeFile: routeFile, in: snapshot)
        let found = client.representation(ofWhole: members, of: resource, at: place, sequence: sequence)
        guard let found, let id = found.id else { return .doubtful("the update shows no identifier") }
        guard object == nil else { return .shown(found) }
        guard id.text.hasSameBytes(as: uri.id) else { return .doubtful("the update shows another identifier") }
        guard routeFile.live != nil else { return .doubtful("not here yet, and the route file has no live") }
        if try GoneMarks(of: resource).contains(uri, in: snapshot) {
            return .doubtful("it was removed, and the update may be older")
        }
        for parent in resource.list.parentEntities {
            guard case .here? = place.parents[parent]?.presence else {
                return .doubtful("not here yet, and neither is what it stands below")
            }
        }
        if try snapshot.lostCreate(that: found, of: resource) != nil {
            return .doubtful("it may be what a create from here has become")
        }
        return .shown(found)
    }
}
