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

    /// The identifier of an object as a record refers to it: without its parents' where it is unique only among theirs.
    package func wireID(of uri: ObjectURI, _ wireType: ObjectID.WireType) -> ObjectID {
        let isPerParent = resource(uri.entity)?.isUniquePerParent == true
        return ObjectID(isPerParent ? uri.segments.last ?? uri.id : uri.id, wireType)
    }

    /// The base without its scheme: the same service may speak with TLS or without.
    package var server: String {
        let origin = RequestOrigin(base)
        let isUsual = origin.port == (origin.scheme == "https" ? 443 : 80)
        let path = base.firstRange(of: "://").map { base[$0.upperBound...].drop { $0 != "/" } } ?? ""
        return origin.host + (isUsual ? "" : ":\(origin.port)") + path
    }
}
