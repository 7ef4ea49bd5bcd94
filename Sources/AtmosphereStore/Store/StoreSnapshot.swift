/// What can be read inside a transaction or a snapshot.
public protocol StoreSnapshot: AppContext, MetaContext {
    /// Record and meta object together.
    func object(at uri: ObjectURI) throws -> LocalObject?
    /// Objects per entity and state.
    func counts() throws -> [String: StateCounts]
}
