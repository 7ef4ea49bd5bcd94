/// Who has made the changes that wait, where reads are not signed and so no list says whose its objects are.
///
/// Kept beside the cursors of the store, under scopes that no list has, as ``SentCreates``.
struct ChangeAuthors: Sendable {
    private let synchronizer: Synchronizer

    init(_ synchronizer: Synchronizer) { self.synchronizer = synchronizer }

    private func scope(of resource: Resource) -> PullScope { PullScope(entity: "#author/\(resource.name)") }

    /// Somebody else than `name` who has made some of what waits, if anybody has.
    func stranger(to name: String, in resources: [Resource]) async throws -> (entity: String, name: String)? {
        try await synchronizer.store.read { snapshot in
            let counts = try snapshot.counts()
            for resource in resources where counts[resource.name].map({ $0.changed > 0 }) ?? false {
                guard let author = try snapshot.cursor(for: scope(of: resource))?.begunAs,
                    !author.hasSameBytes(as: name)
                else { continue }
                return (resource.name, author)
            }
            return nil
        }
    }

    /// From here on changes are made by this one; nil for nobody who is known. What waits stays that of who has made it.
    ///
    /// - Parameter accepted: entities of which what waits is taken over.
    func become(_ name: String?, accepting accepted: [Resource] = []) async throws {
        let store = synchronizer.store
        let taken = try await store.read { snapshot in
            let counts = try snapshot.counts()
            return try synchronizer.routeFile.resources.filter { resource in
                let author = try snapshot.cursor(for: scope(of: resource))?.begunAs
                guard author != nil || name != nil, !author.hasSameBytes(as: name) else { return false }
                let waits = counts[resource.name].map { $0.changed > 0 } ?? false
                return author == nil || !waits || accepted.contains { $0.name == resource.name }
            }
        }
        guard !taken.isEmpty else { return }
        try await store.write(.power, origin: .push) { transaction in
            for resource in taken {
                if let name {
                    try transaction.put(PullCursor(begunAs: name), for: scope(of: resource))
                } else {
                    try transaction.removeCursor(for: scope(of: resource))
                }
            }
        }
    }
}
