internal import Atmosphere

/// The names of the members that records have which are here. Only a sample of each entity's is read, so that it costs little
/// whatever the copy holds.
enum SeenMembers {
    private static let mostRecords = 100
    private static let mostBytes = 1 << 20
    private static let mostNames = 200

    /// - Returns: for each resource the names, sorted; those alone that any language can make a name of, and none where a record
    ///   is damaged.
    static func names(of resources: [Resource], in synchronizer: Synchronizer) async throws -> [[String]] {
        try await synchronizer.store.read { snapshot in
            try resources.map { resource -> [String] in
                do {
                    return try names(of: resource, in: snapshot)
                } catch let error as StoreError where error.code == .damaged {
                    return []
                }
            }
        }
    }

    private static func names(of resource: Resource, in snapshot: any StoreSnapshot) throws -> [String] {
        var found: Set<String> = []
        var read = 0
        try snapshot.records(matching: Query(resource.name, limit: mostRecords)) { uri, record in
            // What was only created here proves no name.
            guard try snapshot.meta(at: uri)?.isLocalOnly != true else { return true }
            found.formUnion(resource.mapping.members(of: record).names.filter { $0.isIdentifier(with: "-.") })
            read += record.bytes.count
            return read < mostBytes && found.count < mostNames
        }
        return Array(found.sorted().prefix(mostNames))
    }
}
