package import Atmosphere

/// The names of fields that a person gave, looked for in the records that are here.
package struct FieldNames {
    private let resource: Resource
    /// More records are not looked at where none of them has the field.
    private static let sample = 1000
    /// More names are not looked for in what is near them, and are only counted: each is compared with all known ones.
    private static let told = 10
    /// From here on a record is decoded once, and not searched for each name.
    package static let manyNames = 4

    package init(_ resource: Resource) { self.resource = resource }

    /// What is wrong with each name that no record has and the route file does not name: most likely a mistake.
    /// Nothing where there are no records from the server.
    ///
    /// - Parameter isThorough: looks at all records, as whoever reads them all anyway does.
    package func complaints(
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
                let isSampled = count <= Self.sample
                if isSampled || missing.count >= Self.manyNames {
                    let members = mapping.members(of: record)
                    if isSampled { known.formUnion(members.names) }
                    missing = missing.filter { members[$0] == nil }
                } else {
                    missing = missing.filter { mapping.value($0, in: record) == nil }
                }
                return !missing.isEmpty
            }
            guard count > 0 else { return [] }
            let whose = count < limit ? "no record of \(entity)" : "none of \(limit) records of \(entity)"
            let (names, others) = (missing.sorted(), known.sorted())
            let complaints = names.prefix(Self.told).map { name -> String in
                let near = NearestName.of(name, among: others).map { " (did you mean \($0.quoted)?)" }
                return "\(whose) has \(name.quoted)\(near ?? "")"
            }
            let more = names.count - complaints.count
            return more > 0 ? complaints + ["\(whose) has \(more) more of the names"] : complaints
        }
    }
}
