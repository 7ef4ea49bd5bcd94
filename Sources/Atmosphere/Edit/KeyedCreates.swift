/// New objects that were saved once under a key of the caller's: known also when the object is not here any more, which was deleted
/// or discarded before the server knew it, say.
///
/// Kept beside the cursors of the store, under scopes that no list has, as ``Confirmations``.
struct KeyedCreates: Sendable {
    private let resource: Resource

    init(of resource: Resource) { self.resource = resource }

    /// How long a key is known; the object that came of it is known by its address for as long as it is here.
    private static let lifetime = Duration.seconds(30 * 24 * 60 * 60)

    private var entity: String { "#once/\(resource.name)" }

    /// The slash keeps a key from being taken for a view.
    private func scope(_ key: String) -> PullScope { PullScope(entity: entity, parent: "/\(key)") }

    /// What was saved under the key before.
    ///
    /// - Returns: its address then; nil where nothing was.
    /// - Throws: ``SyncError`` `invalidRecord` where it was something else.
    func known(_ key: String, _ members: Value.Members, in snapshot: any StoreSnapshot) throws -> ObjectURI? {
        guard let kept = try snapshot.cursor(for: scope(key)), let id = kept.request else { return nil }
        guard kept.checkpoint == digest(of: members) else {
            throw SyncError(
                code: .invalidRecord,
                message: "the key \(key) was used for another new object of \(resource.name); use a new UUID for each")
        }
        return ObjectURI(entity: resource.name, id: id)
    }

    /// - Parameters:
    ///   - uri: the address that the new object has now.
    ///   - sequence: taken when it was saved.
    func note(
        _ key: String, _ members: Value.Members, at uri: ObjectURI, _ sequence: Int64,
        in transaction: any StoreTransaction
    ) throws {
        try transaction.put(
            PullCursor(
                checkpoint: digest(of: members), underway: .init(number: sequence, isFull: false), request: uri.id),
            for: scope(key))
        try transaction.raiseSequence(to: sequence)
    }

    /// A reference may be named by the identifier that its object had before, so none counts.
    private func digest(of members: Value.Members) -> String {
        let references = MemberNames((resource.parents + resource.references).map(\.field))
        let others = members.filter { !references.contains($0.name) }.sorted { $0.name < $1.name }
        var digest = SHA256Digest()
        digest.update(Value.object(Value.Members(others)).json())
        return digest.finish()
    }

    /// Forgets what was saved long ago.
    func forgetOld(now sequence: Int64, in store: any Store) async throws {
        let (entity, oldest) = (entity, sequence - Synchronizer.sequences(in: Self.lifetime))
        var old = try await store.read { snapshot in
            try snapshot.cursors(entity: entity).filter { ($0.cursor.underway?.number ?? 0) < oldest }.map(\.scope)
        }
        while !old.isEmpty {
            let slice = Array(old.suffix(StoringPages.chunk))
            old.removeLast(slice.count)
            try await store.write(.process, origin: .pull) { transaction in
                for scope in slice { try transaction.removeCursor(for: scope) }
            }
        }
    }
}
