public import Atmosphere

/// What the ``MetaContext`` of a store must do: meta objects in every state, changes, aliases, dependents, cursors and
/// sequences.
///
/// A part of ``StoreSuite``, for those who write the meta context of a store first; the whole suite runs it again.
public struct MetaContextSuite: Sendable {
    private let suite: StoreSuite

    /// A suite for the meta contexts of such stores.
    ///
    /// - Parameter makeStore: makes an empty store that shares nothing with those it made before.
    public init(makeStore: @escaping @Sendable () async throws -> any Store) {
        suite = StoreSuite(makeStore: makeStore)
    }

    /// One for each rule; each makes a store of its own.
    public var checks: [ConformanceCheck] { suite.metaChecks + suite.cursorChecks }
}
