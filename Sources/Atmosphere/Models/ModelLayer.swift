/// An application's own model layer: where its objects live already, seen as an ``AppContext``.
///
/// A ``PairedStore`` pairs one with a store of ours. Both methods block, and are called on the threads of that store; the
/// body is called once, before they return, and the context is valid inside it only. What the context must do is checked by
/// `AppContextSuite` of AtmosphereTesting; the guide "Writing a store" shows how one is written.
///
/// A context may hold a part of each record: the members that the application knows. It gives back those, and leaves out
/// all others. Each is equal to what it was given, or is that value in the application's own form (`2026-01-02T02:04:05Z` for
/// `2026-01-02T03:04:05+01:00`): the same each time until the application changes it.
public protocol ModelLayer: Sendable {
    /// Whether objects of the entity belong to it; those of all others stay in the store beside it. True by default.
    func holds(_ entity: String) -> Bool

    /// Runs `body` on the objects as they are.
    ///
    /// - Throws: what `body` throws, or ``StoreError``.
    func read<Result>(_ body: (any AppContext) throws -> Result) throws -> Result

    /// Runs `body` in one transaction: all of it is kept when it returns, nothing when it throws.
    ///
    /// With ``Durability/power`` it must survive a loss of power when it returns: nothing beside it remembers the change any
    /// more, and an older value that is back then counts as an edit of the application, which is sent.
    ///
    /// - Throws: what `body` throws, or ``StoreError``.
    func write<Result>(_ durability: Durability, _ body: (any AppContext) throws -> Result) throws -> Result

    /// Closes files; the store beside it was closed before. A second call does nothing, and so does the default.
    func close() throws
}

extension ModelLayer {
    /// True: every entity belongs to the model layer.
    public func holds(_ entity: String) -> Bool { true }
    /// Nothing.
    public func close() throws {}
}
