/// A local edit: fills in what the application may leave out, keeps references whole. Stores nothing.
struct Edit {
    let resource: Resource
    let routeFile: RouteFile
    let snapshot: any StoreSnapshot
    /// When an edit is made that waits for a push: what its actions set here shows at once. nil for any other.
    var moment: Timestamp?

    init(_ resource: Resource, _ routeFile: RouteFile, _ snapshot: any StoreSnapshot) {
        self.resource = resource
        self.routeFile = routeFile
        self.snapshot = snapshot
    }

    /// A new object.
    func created(_ given: Value.Members, uuid: String, lookup: String, key: String) throws
        -> (ObjectURI, LocalObject)
    {
        var members = given
        var id = ObjectID(uuid, resource.assigned == .client ? .string : .temporary)
        for name in members.names where resource.mapping.hides(name) { throw hidden(name) }
        try setsNothingFixed(members)
        try refuseDashes(in: members, except: nil)
        if let name = resource.idField {
            if let own = ownID(in: members) {
                id = own
            } else if resource.assigned == .client, members[name] != nil {
                throw SyncError(
                    code: .invalidRecord,
                    message:
                        "“\(name)” is the identifier of the new \(resource.name), so it must be a text or a number "
                        + "and not empty; leave it out for a UUID")
            } else if members[name] == nil {
                members = Value.Members([.init(name: name, value: .string(uuid))] + Array(members))
            } else if resource.assigned == .server {
                throw SyncError(
                    code: .invalidRecord,
                    message: "the server gives \(resource.name) their “\(name)”; leave it out")
            }
        }
        if let field = resource.lookup?.field, members[field].map({ $0.isNull || $0.string == "" }) != false {
            members[field] = .string(lookup)
        }
        guard resource.create.isOffered else { throw notOffered("create", "create: null") }
        try findParents(of: &members)
        let waitsFor = try resolve(&members)
        try requireParents(of: members)
        id = try underItsParents(id, members)
        if !resource.isUniquePerParent,
            let parent = resource.parents.first(where: { parent in
                resource.createPath.parentEntities.contains(parent.entity)
                    && members[parent.field].flatMap { ObjectID($0) } == nil
            })
        {
            throw SyncError(
                code: .invalidRecord,
                message: "a new object of \(resource.name) needs “\(parent.field)”: the identifier of its parent in "
                    + "\(parent.entity)")
        }
        let uri = ObjectURI(entity: resource.name, id: id.text)
        if let present = try snapshot.object(at: uri) {
            guard !present.meta.isDeleted else {
                throw SyncError(
                    code: .wrongState,
                    message: "\(uri) was deleted here, which is not on the server yet: push first and create it then, "
                        + "or take the delete back: atmos discard \(uri.shellWord)")
            }
            throw SyncError(code: .invalidRecord, message: "\(uri) exists already; edit it instead")
        }
        if let moment { members = try withEffects(members, over: [:], base: nil, of: nil, at: moment) }
        let record = resource.mapping.record(members, over: nil)
        var object = try ChangeEngine(resource).save(record, over: nil, uri: uri, id: id, key: key)
        object.meta.waitsFor = waitsFor
        return (uri, object)
    }

    /// What a create with this identifier has become; nil where there was none.
    func present(_ given: Value.Members, uuid: String) throws -> ObjectURI? {
        var members = given
        try findParents(of: &members)
        _ = try resolve(&members)
        let id = try underItsParents(ownID(in: members) ?? ObjectID(uuid), members)
        let uri = ObjectURI(entity: resource.name, id: id.text)
        if let present = try snapshot.alias(of: uri) { return present }
        return try snapshot.meta(at: uri) == nil ? nil : uri
    }

    /// The identifier that the application gives a new object; nil where it gives none.
    private func ownID(in members: Value.Members) -> ObjectID? {
        guard resource.assigned == .client else { return nil }
        return resource.idField.flatMap { members[$0] }.flatMap { ObjectID($0) }
    }

    /// The identifier of a new object with those of its parents, by which they are called now, where it is unique only among
    /// theirs.
    private func underItsParents(_ id: ObjectID, _ members: Value.Members) throws -> ObjectID {
        guard resource.isUniquePerParent else { return id }
        let parents = try resource.parents.map { parent -> String in
            guard let value = members[parent.field], let parentID = ObjectID(value) else {
                throw SyncError(
                    code: .invalidRecord,
                    message: "a new object of \(resource.name) needs “\(parent.field)”: the identifier of its "
                        + "parent in \(parent.entity)")
            }
            return PercentEncoding.segment(parentID.text)
        }
        var whole = id
        whole.text = (parents + [PercentEncoding.segment(id.text)]).joined(separator: "/")
        return whole
    }

    /// The object after an edit, not yet stored.
    ///
    /// - Parameter names: the members that the edit sets, whatever they were before; besides these, it sets what it changes.
    func changed(
        _ object: LocalObject, key: String, setting names: [String] = [],
        _ change: (Value.Members) throws -> Value.Members
    ) throws -> LocalObject {
        guard let record = object.record ?? object.meta.confirmed?.base else { return object }
        let before = resource.mapping.members(of: record)
        var members = try change(before)
        for name in members.names where resource.mapping.hides(name) { throw hidden(name) }
        try refuseDashes(in: members, except: before)
        if let name = resource.idField, members[name] != before[name] {
            guard members[name] == nil || members[name]?.text == before[name]?.text else {
                throw SyncError(
                    code: .invalidRecord,
                    message: "the “\(name)” of \(object.uri) cannot be edited, for it is the object’s address; create "
                        + "another object with that identifier, and delete this one")
            }
            members[name] = before[name]
        }
        for name in resource.fixed where members[name] != before[name] { members[name] = before[name] }
        // What an edit that was refused here has changed may be set back to what the server has.
        let base = object.meta.confirmed.map { resource.mapping.members(of: $0.base) }
        let isThere = object.meta.confirmed != nil || object.meta.outgoing?.mayBeThere == true
        if isThere, !resource.update.isOffered, !changesOnlyByAction([before, base], members) {
            throw notOffered("update", "update: null")
        }
        if isThere { try setsNothingOverridden(members, before, of: object.uri) }
        try keepsItsParents(object, before, base, members)
        let waitsFor = try resolve(&members, like: base ?? before, of: object.meta.waitsFor)
        try refersToNoWaiter(object.uri, waitsFor)
        if let moment {
            members = try withEffects(
                members, setting: names, over: before, base: base, of: object.uri, at: moment)
        }
        let engine = ChangeEngine(resource)
        var changed = try engine.save(
            resource.mapping.record(members, over: record), over: object, uri: object.uri, id: object.meta.id, key: key)
        if changed.meta.isChanged { changed.meta.waitsFor = waitsFor }
        return engine.settingBack(names + engine.merge.changes(from: before, to: members), changed)
    }

    /// A member that the server alone sets would not be sent, and be gone with the answer. Null asks for nothing.
    private func setsNothingFixed(_ members: Value.Members) throws {
        let own = Set(resource.parents.map(\.field) + [resource.idField, resource.lookup?.field].compactMap { $0 })
        for member in members
        where resource.fixed.contains(member.name) && !own.contains(member.name) && !member.value.isNull {
            throw SyncError(
                code: .invalidRecord,
                message: "the “\(member.name)” of a new object of \(resource.name) cannot be set: the route file says "
                    + "that \(resource.whoSets(member.name)); leave it out")
        }
        let never = resource.neverWritten
        for member in members where never.contains(member.name) && !own.contains(member.name) && !member.value.isNull {
            throw SyncError(
                code: .invalidRecord,
                message: "the “\(member.name)” of a new object of \(resource.name) cannot be set: the route file says "
                    + "that no create carries it, nor an update behind it (create.without); leave it out")
        }
        guard !resource.create.set.isEmpty else { return }
        let record = resource.mapping.record(members, over: nil)
        for member in members
        where !member.value.isNull && resource.overrides(member.name, of: record, with: resource.create) {
            throw SyncError(
                code: .invalidRecord,
                message: "the “\(member.name)” of a new object of \(resource.name) cannot be set: the route file says "
                    + "that every create sends another value in its place (create.set); leave it out")
        }
    }

    /// A value in whose place every update sends another would be gone with the answer.
    private func setsNothingOverridden(_ members: Value.Members, _ before: Value.Members, of uri: ObjectURI) throws {
        guard !resource.update.set.isEmpty else { return }
        let record = resource.mapping.record(members, over: nil)
        for name in members.names + before.names where members[name] != before[name] {
            guard resource.overrides(name, of: record, with: resource.update) else { continue }
            throw SyncError(
                code: .invalidRecord,
                message: "the “\(name)” of \(uri) cannot be edited: the route file says that every update sends "
                    + "another value in its place (update.set)")
        }
    }

    /// XML is read with underscores in the place of dashes: another member with a dash would be a second element of the
    /// same name.
    private func refuseDashes(in members: Value.Members, except before: Value.Members?) throws {
        guard resource.format == "xml", resource.coding == "xml" else { return }
        for name in members.names where name.contains("-") && before?[name] == nil {
            let writes =
                resource.xml.dashesNames ? "" : "; xml: { dashes: true } in the route file writes it with dashes"
            throw SyncError(
                code: .invalidRecord,
                message: "“\(name)” of \(resource.name) is called “\(name.underscored)” here, as XML is read\(writes)")
        }
    }

    /// What is created below an object that is to be deleted would go with it.
    private func requireParents(of members: Value.Members) throws {
        for parent in resource.parents {
            guard let id = members[parent.field].flatMap({ ObjectID($0) }) else { continue }
            let named = try address(of: parent, id, in: members)
            guard let above = try snapshot.meta(at: snapshot.alias(of: named) ?? named), above.isDeleted else {
                continue
            }
            throw SyncError(
                code: .wrongState,
                message: "\(above.uri) was deleted here, so nothing can be created below it; to keep it: "
                    + "atmos discard \(above.uri.shellWord)")
        }
    }

    private func hidden(_ name: String) -> SyncError {
        let fields = resource.mapping.fields.filter { $0.read.firstMember == name }.map { "“\($0.name)”" }
        return SyncError(
            code: .invalidRecord,
            message: "“\(name)” of \(resource.name) is only seen through \(fields.joined(separator: ", ")); set that")
    }

    private func notOffered(_ verb: String, _ setting: String) -> SyncError {
        SyncError(
            code: .wrongState,
            message: "the API offers no \(verb) for \(resource.name) (\(setting) in the route file), so this could "
                + "never be sent")
    }

    /// Whether everything that was edited has an action that carries it.
    private func changesOnlyByAction(_ known: [Value.Members?], _ after: Value.Members) -> Bool {
        let carried = resource.actionMembers
        let known = known.compactMap(\.self)
        return (known.flatMap(\.names) + after.names).allSatisfy { name in
            carried.contains(name) || known.contains { $0[name] == after[name] }
        }
    }

    /// An object that is addressed below its parent cannot be moved by an update: its address would be another
    /// object's. One whose create was sent may be there already, and would be looked for in the wrong place.
    private func keepsItsParents(
        _ object: LocalObject, _ before: Value.Members, _ base: Value.Members?, _ after: Value.Members
    ) throws {
        let isKnown = object.meta.confirmed != nil
        guard isKnown || object.meta.outgoing?.mayBeThere == true else { return }
        let named = resource.update.path.parentEntities
        for parent in resource.parents where named.contains(parent.entity) {
            let field = parent.field
            let hasAction = resource.actions.contains { $0.arguments.contains(field) }
            guard let old = before[field], old != after[field], base?[field] ?? old != after[field], !hasAction else {
                continue
            }
            let reason = "\(object.uri) is addressed below its “\(field)”"
            guard isKnown else {
                throw SyncError(
                    code: .wrongState,
                    message: "\(reason), and its create was sent but not answered; push, then create it there and "
                        + "delete it here")
            }
            throw SyncError(
                code: .invalidRecord,
                message: "\(reason), so an update cannot move it; declare an action with “when: [\(field)]”, or create "
                    + "it there and delete it here")
        }
    }

    /// Two new objects that refer to each other would wait for each other for ever.
    private func refersToNoWaiter(_ uri: ObjectURI, _ waitsFor: [ObjectURI]) throws {
        var seen: Set<ObjectURI> = []
        var waiting = waitsFor
        while let next = waiting.popLast() {
            guard next != uri else {
                throw SyncError(
                    code: .invalidRecord,
                    message: "\(uri) and \(waitsFor.map(\.description).joined(separator: ", ")) would refer to each "
                        + "other before the server knows either; push one of them first, then set the reference")
            }
            guard seen.insert(next).inserted else { continue }
            waiting += try snapshot.meta(at: next)?.waitsFor ?? []
        }
    }

    /// Writes references, also those in lists, as the server does, with the present identifier and its wire type.
    ///
    /// - Parameters:
    ///   - shown: the members as the server has shown them; nil for a new object.
    ///   - held: what the object waits for so far. What of that was removed here it waits for as long as it refers to it.
    /// - Returns: the objects referred to that the server does not know yet.
    func resolve(
        _ members: inout Value.Members, like shown: Value.Members? = nil, of held: [ObjectURI] = []
    ) throws -> [ObjectURI] {
        var waitsFor: [ObjectURI] = []
        var waiting = Set<ObjectURI>()
        for reference in resource.references {
            guard var value = members[reference.field] else { continue }
            if resource.links[reference.field] != nil {
                // A link that a person gives is the identifier that it ends with.
                let link = routeFile.link(at: .member(reference.field), of: reference.field, resource)
                value = resource.held(link.identifier(in: value), in: reference.field, like: shown?[reference.field])
                if value != members[reference.field] { members[reference.field] = value }
            }
            if value == "", resource.parents.contains(reference) {
                throw SyncError(
                    code: .invalidRecord,
                    message: "“\(reference.field)” of \(resource.name) is empty; write the identifier of the parent in "
                        + "\(reference.entity), or null for none")
            }
            let resolved = try value.mapElements { value in
                guard let id = ObjectID(value) else { return value }
                let named = try address(of: reference, id, in: members)
                let uri = try snapshot.alias(of: named) ?? named
                guard let meta = try snapshot.meta(at: uri) else {
                    if held.contains(uri), waiting.insert(uri).inserted { waitsFor.append(uri) }
                    return value
                }
                if meta.isLocalOnly, waiting.insert(uri).inserted { waitsFor.append(uri) }
                let own = resource.held(
                    routeFile.wireID(of: uri, meta.id.wireType).value, in: reference.field,
                    like: shown?[reference.field])
                return own == value ? value : own
            }
            if resolved != value { members[reference.field] = resolved }
        }
        return waitsFor
    }
}
