/// How a write makes sure that it does not undo another's.
package enum Version: Sendable, Hashable {
    /// Where an answer holds the version's token.
    package enum Place: Sendable, Hashable {
        /// At a path of the record.
        case field(JSONPath)
        /// In the header of this name.
        case header(String)
    }

    /// Writes are not checked.
    case none
    /// GET and merge before each update or delete.
    case compare
    /// The token is sent as `If-Match` (RFC 9110 §13.1.1); `ordered`: a greater text is newer.
    case ifMatch(Place, ordered: Bool)
    /// The token is only stored and compared, and travels in the body of the write if it is a member of the record.
    case token(Place, ordered: Bool)
    /// The member that holds the token goes back in the body of every update, changed or not (`lock_version`); the
    /// server refuses an old one.
    case body(JSONPath, ordered: Bool)
}

/// What becomes of the quotes of a version token: an entity tag has them (RFC 9110 §8.8.3), and not every API keeps to
/// that.
package enum VersionQuotes: String, Sendable, Hashable, CaseIterable {
    /// Sent as it came.
    case keep
    /// Put around a token that has none.
    case add
    /// Taken from a token that has them.
    case remove

    package func applied(to token: String) -> String {
        let opaque = token.hasPrefix("W/") ? token.dropFirst(2) : token[...]
        let hasQuotes = opaque.count > 1 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"")
        return switch self {
        case .keep: token
        case .add: hasQuotes ? token : "\"\(token)\""
        case .remove: hasQuotes ? String(opaque.dropFirst().dropLast()) : token
        }
    }
}

/// What becomes of a weak entity tag where versions go into `If-Match`.
package enum WeakVersions: String, Sendable, Hashable, CaseIterable {
    /// The object is read and merged before the write, which goes without.
    case read
    /// Sent as it came.
    case send
}
