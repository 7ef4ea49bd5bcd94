#if Command
    internal import Atmosphere

    /// The names of fields that a command was given, looked for in the records that are here.
    struct FieldNames {
        let resource: Resource
        /// More records are not looked at where none of them has the field.
        private static let sample = 1000

        /// What is wrong with each name that no record has and the route file does not name: most likely a mistake.
        /// Nothing where there are no records from the server.
        ///
        /// - Parameter isThorough: looks at all records, as a command does that reads them all anyway.
        func complaints(
            _ names: some Sequence<String>, in synchronizer: Synchronizer, isThorough: Bool = false
        ) async throws -> [String] {
            let named = resource.namedMembers
            let wanted = Set(names).subtracting(named)
            guard !wanted.isEmpty else { return [] }
            let (mapping, entity) = (resource.mapping, resource.name)
            let limit = isThorough ? Int.max : Self.sample
            return try await synchronizer.store.read { snapshot in
                var missing = wanted
                var known = named
                var count = 0
                try snapshot.records(matching: Query(entity, limit: isThorough ? nil : limit)) { uri, record in
                    // What was only created here proves no name.
                    if !isThorough, try snapshot.meta(at: uri)?.isLocalOnly == true { return true }
                    count += 1
                    if count <= Self.sample { known.formUnion(mapping.members(of: record).names) }
                    missing = missing.filter { mapping.value($0, in: record) == nil }
                    return !missing.isEmpty
                }
                guard count > 0 else { return [] }
                let whose = count < limit ? "no record of \(entity)" : "none of \(limit) records of \(entity)"
                return missing.sorted().map { name in
                    let near = NearestName.of(name, among: known.sorted()).map { " (did you mean \($0.quoted)?)" }
                    return "\(whose) has \(name.quoted)\(near ?? "")"
                }
            }
        }
    }
#endif
