/// Objects whose version on the server is older than the one that is here: of a server that was restored from a copy, or
/// gives an identifier out once more, every later version would be taken for old, too.
struct OlderVersions: Sendable {
    let resource: Resource
    /// The pull asks for everything.
    let isFull: Bool

    /// Whether a full pull shows less than the server has confirmed before it was asked.
    func isOlder(_ theirs: Representation, than meta: MetaObject) -> Bool {
        guard isFull, let confirmed = meta.confirmed, theirs.sequence > confirmed.sequence else { return false }
        return resource.version.order(theirs.version, confirmed.version) == .less
    }

    /// What a person should know of the objects that ``isOlder(_:than:)`` has found; nil where there are none.
    func warning(of found: [ObjectURI]) -> String? {
        let older = Set(found).sorted()
        guard !older.isEmpty else { return nil }
        let shown = older.prefix(3).map(\.description).joined(separator: ", ")
        return "\(older.count) \(resource.name) have an older version on the server than here (\(shown)"
            + "\(older.count > 3 ? ", …" : "")) and stay as they are here; if the server was restored from a copy, take "
            + "what it has with pull --full --accept-older"
    }
}
