/// How one value stands to another.
package enum ValueOrder: Sendable, Hashable {
    /// How the left value stands to the right one.
    case less, equal, greater

    package init<Key: Comparable>(_ left: Key, _ right: Key) {
        self = left < right ? .less : left == right ? .equal : .greater
    }

    package var reversed: ValueOrder {
        switch self {
        case .less: .greater
        case .equal: .equal
        case .greater: .less
        }
    }
}
