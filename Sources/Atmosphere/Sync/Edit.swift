/// A local edit: fills in what the application may leave out, keeps references whole. Stores nothing.
struct Edit {
    let resource: Resource
    let snapshot: any StoreSnapshot

    init(_ resource: Resource, _ snapshot: any StoreSnapshot) {
        self.resource = resource
        self.snapshot = snapshot
    }

    /// A new object.
    func created(_ given: Value.Members, uuid: String, lookup: String, key: String) throws
        -> (ObjectURI, LocalObject)
    {
        var members = given
        var id = ObjectID(uuid, resource.assigned == .client ? .string : .temporary)
        if let name = resource.id.singleMember {
            if resource.assigned == .client, let own = members[name].flatMap({ ObjectID($0) }) {
                id = own
            } else if members[name] == nil {
                members = Value.Members([.init(name: name, value: .string(uuid))] + Array(members))
            } else if resource.assigned == .server {
                throw SyncError(
                    code: .invalidRecord,
                    message: "the server gives \(resource.name) their “\(name)”; leave it out")
            }
        }
        if let field = resource.lookup?.field, members[field] == nil || members[field] == .null {
            members[field] = .string(lookup)
        }
        let waitsFor = try resolve(&members)
        if resource.isUniquePerParent {
            let parents = try resource.parents.map { parent -> String in
                guard let value = members[parent.field], let parentID = ObjectID(value) else {
                    throw SyncError(
                        code: .invalidRecord,
                        message: "a new object of \(resource.name) needs “\(parent.field)”: the identifier of its "
                            + "parent in \(parent.entity)")
                }
                return PercentEncoding.segment(parentID.text)
            }
            id.text = (parents + [PercentEncoding.segment(id.text)]).joined(separator: "/")
        } else if let parent = resource.parents.first(where: { members[$0.field] == nil }),
            resource.create.path.parentEntities.contains(parent.entity)
        {
            throw SyncError(
                code: .invalidRecord,
                message: "a new object of \(resource.name) needs “\(parent.field)”: the identifier of its parent in "
                    + "\(parent.entity)")
        }
        let uri = ObjectURI(entity: resource.name, id: id.text)
        guard try snapshot.object(at: uri) == nil else {
            throw SyncError(code: .invalidRecord, message: "\(uri) exists already; edit it instead")
        }
        var object = try Planner(resource).save(ObjectRecord(members), over: nil, uri: uri, id: id, key: key)
        object.meta.waitsFor = waitsFor
        return (uri, object)
    }

    /// The object after an edit, not yet stored.
    func changed(_ object: LocalObject, key: String, _ change: (Value.Members) throws -> Value.Members) throws
        -> LocalObject
    {
        guard let before = object.record?.members ?? object.meta.confirmed?.base.members else { return object }
        var members = try change(before)
        if let name = resource.id.singleMember, members[name] != before[name] {
            guard members[name] == nil || members[name]?.text == before[name]?.text else {
                throw SyncError(
                    code: .invalidRecord,
                    message: "the “\(name)” of \(object.uri) cannot be edited; use changeIdentifier instead")
            }
            members[name] = before[name]
        }
        for name in resource.readonly where members[name] != before[name] { members[name] = before[name] }
        let waitsFor = try resolve(&members)
        var changed = try Planner(resource).save(
            ObjectRecord(members), over: object, uri: object.uri, id: object.meta.id, key: key)
        if changed.meta.isChanged { changed.meta.waitsFor = waitsFor }
        return changed
    }

    /// Writes references as the server does, with the present identifier and its wire type.
    ///
    /// - Returns: the objects referred to that the server does not know yet.
    private func resolve(_ members: inout Value.Members) throws -> [ObjectURI] {
        var waitsFor: [ObjectURI] = []
        for reference in resource.references {
            guard let value = members[reference.field], let id = ObjectID(value) else { continue }
            let named = ObjectURI(entity: reference.entity, id: id.text)
            let uri = try snapshot.alias(of: named) ?? named
            guard let meta = try snapshot.meta(at: uri) else { continue }
            if meta.isLocalOnly { waitsFor.append(uri) }
            let own = ObjectID(uri.segments.last ?? uri.id, meta.id.wireType).value
            if own != value { members[reference.field] = own }
        }
        return waitsFor
    }
}
