extension RouteFile {
    /// The resource one of whose paths this one is; of several the one whose path has the most fixed segments.
    package func resource(addressedBy path: String) -> Resource? {
        var best: (resource: Resource, fixed: Int)?
        for resource in resources {
            let operations = [resource.list, resource.read, resource.create, resource.update, resource.delete]
            for template in operations.map(\.path) + resource.actions.map(\.path) + resource.batches.map(\.path) {
                if let fixed = template.fixedSegments(matching: path), fixed > best?.fixed ?? -1 {
                    best = (resource, fixed)
                }
            }
        }
        return best?.resource
    }
}

extension PathTemplate {
    /// How many segments of a path the template itself names; nil where the path is none of the template's.
    package func fixedSegments(matching path: String) -> Int? {
        let own = description.split(separator: "/")
        let given = path.split(separator: "/")
        guard own.count == given.count else { return nil }
        var fixed = 0
        for (pattern, segment) in zip(own, given) {
            if let open = pattern.firstIndex(of: "{"), let close = pattern.lastIndex(of: "}") {
                guard segment.hasPrefix(pattern[..<open]), segment.hasSuffix(pattern[pattern.index(after: close)...])
                else { return nil }
            } else {
                guard pattern == segment else { return nil }
                fixed += 1
            }
        }
        return fixed
    }

    /// Members of the object itself that fill the path, apart from its identifier.
    package var ownFields: Set<String> {
        Set(
            parts.compactMap { part in
                if case .field(let name) = part, name != "id" { name } else { nil }
            })
    }

    /// The path names one object.
    package var namesObject: Bool { parts.contains(.field("id")) }
}

extension AuthSettings {
    /// The query parameter that carries a secret; nil where none does.
    package var queryParameter: String? {
        switch self {
        case .keyInQuery(let name, _): return name
        case .session(let session):
            if case .query(let name) = session.send { return name }
            return nil
        default: return nil
        }
    }
}

extension RouteFile {
    /// The identifier of an object as a record refers to it: without its parents' where it is unique only among theirs.
    package func wireID(of uri: ObjectURI, _ wireType: ObjectID.WireType) -> ObjectID {
        let isPerParent = resource(uri.entity)?.isUniquePerParent == true
        return ObjectID(isPerParent ? uri.segments.last ?? uri.id : uri.id, wireType)
    }
}
