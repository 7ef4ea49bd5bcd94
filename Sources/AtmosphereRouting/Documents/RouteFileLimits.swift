/// How large a route file may be. Far above any real one, and small enough that a hostile one does no harm.
package enum RouteFileLimits {
    package static let bytes = 1 << 20
    /// Maps and lists inside each other.
    package static let depth = 64
    /// Scalars, lists and maps together.
    package static let nodes = 10_000
}
