/// Which objects the parents of a new one are, where identifiers are unique only below their own parents.
extension Edit {
    /// Makes sure that the parents which a new object names are one place: each is here, and below the one in front of
    /// it. A parent that is left out is filled in where the others leave no choice.
    ///
    /// A parent whose entity the server does not list, or of which nothing was pulled, cannot be known here and is taken as
    /// it is named.
    ///
    /// - Throws: ``SyncError`` `invalidRecord`: a parent that is not here, one that stands below another than the one that
    ///   is named, or a name that several have; the message lists what there is.
    func findParents(of members: inout Value.Members) throws {
        guard resource.isUniquePerParent else { return }
        // From the innermost outwards: it decides which ones are above it.
        for parent in resource.parents.reversed() {
            guard let above = routeFile.resource(parent.entity), above.isUniquePerParent, isKnown(above),
                let id = members[parent.field].flatMap({ ObjectID($0) })
            else { continue }
            let named = try ancestors(of: above, in: members)
            if let whole = whole(named), try isHere(ObjectURI(entity: parent.entity, segments: whole + [id.text])) {
                continue
            }
            let candidates = try snapshot.objects(of: parent.entity, called: id.text)
            let fitting = candidates.filter { candidate in
                zip(candidate.segments, named).allSatisfy { own, given in given == nil || given == own }
            }
            guard let only = fitting.first, fitting.count == 1 else {
                let shown = fitting.isEmpty ? candidates : fitting
                throw unclear(parent, id, named, above, shown, isAbsent: fitting.isEmpty)
            }
            for (reference, segment) in zip(above.parents, only.segments) {
                guard let field = field(of: reference.entity), members[field] == nil || members[field] == .null else {
                    continue
                }
                members[field] = .string(segment)
            }
        }
        try refuseAbsentRoot(members)
    }

    /// The outermost parent is found by its identifier alone.
    private func refuseAbsentRoot(_ members: Value.Members) throws {
        for parent in resource.parents {
            guard let above = routeFile.resource(parent.entity), !above.isUniquePerParent, isKnown(above),
                let id = members[parent.field].flatMap({ ObjectID($0) })
            else { continue }
            guard try !isHere(ObjectURI(entity: parent.entity, id: id.text)) else { continue }
            throw unclear(parent, id, [], above, [], isAbsent: true)
        }
    }

    /// The address that a reference means: below the parents that the same object names, where the identifier is
    /// unique only there.
    func address(of reference: Reference, _ id: ObjectID, in members: Value.Members) throws -> ObjectURI {
        let plain = ObjectURI(entity: reference.entity, id: id.text)
        guard let other = routeFile.resource(reference.entity), other.isUniquePerParent, try !isHere(plain),
            let whole = whole(try ancestors(of: other, in: members))
        else { return plain }
        return ObjectURI(entity: reference.entity, segments: whole + [id.text])
    }

    private func field(of entity: String) -> String? {
        (resource.parents + resource.references).first { $0.entity == entity }?.field
    }

    /// What the object says of the parents of another, outermost first, by their present identifiers; nil for one that
    /// it does not name.
    private func ancestors(of other: Resource, in members: Value.Members) throws -> [String?] {
        var found: [String] = []
        var isWhole = true
        return try other.parents.map { parent in
            guard let id = field(of: parent.entity).flatMap({ members[$0] }).flatMap({ ObjectID($0) }) else {
                isWhole = false
                return nil
            }
            let isNested = routeFile.resource(parent.entity)?.isUniquePerParent == true
            guard !isNested || isWhole else { return id.text }
            let uri = ObjectURI(entity: parent.entity, segments: isNested ? found + [id.text] : [id.text])
            let present = try snapshot.alias(of: uri)?.segments.last ?? id.text
            found.append(present)
            return present
        }
    }

    private func whole(_ ancestors: [String?]) -> [String]? {
        let named = ancestors.compactMap(\.self)
        return named.count == ancestors.count ? named : nil
    }

    private func isHere(_ uri: ObjectURI) throws -> Bool {
        try snapshot.meta(at: snapshot.alias(of: uri) ?? uri) != nil
    }

    /// Whether an absent object can be said to be absent.
    private func isKnown(_ parent: Resource) -> Bool { parent.list.isOffered }

    private func unclear(
        _ parent: Reference, _ id: ObjectID, _ named: [String?], _ above: Resource, _ candidates: [ObjectURI],
        isAbsent: Bool
    ) -> SyncError {
        let place = "the “\(parent.field)” of a new object of \(resource.name)"
        let shown = candidates.prefix(8).map(\.description).joined(separator: ", ")
        let more = candidates.count > 8 ? " and \(candidates.count - 8) more" : ""
        if !isAbsent {
            let missing = zip(above.parents, named).filter { $0.1 == nil }.compactMap { field(of: $0.0.entity) }
            return SyncError(
                code: .invalidRecord,
                message: "\(place) could be any of \(shown)\(more); say which with "
                    + missing.map { "“\($0)”" }.joined(separator: " and "))
        }
        let given = zip(above.parents, named).compactMap { reference, segment in
            segment.flatMap { text in field(of: reference.entity).map { "\($0)=\(text)" } }
        }
        let below = given.isEmpty ? "" : " below \(given.joined(separator: " "))"
        return SyncError(
            code: .invalidRecord,
            message: "\(place) is \(id.text), and there is no such object of \(parent.entity)\(below) here; "
                + (candidates.isEmpty
                    ? "check the identifier, or run atmos pull \(parent.entity.shellWord) first"
                    : "there is \(shown)\(more): name its parents, or another"))
    }
}

extension StoreSnapshot {
    /// The objects of an entity whose identifier below their parents is this, or was.
    fileprivate func objects(of entity: String, called name: String) throws -> [ObjectURI] {
        var found: [ObjectURI] = []
        try records(matching: Query(entity)) { uri, _ in
            if uri.segments.last == name { found.append(uri) }
            return true
        }
        return found
    }
}
