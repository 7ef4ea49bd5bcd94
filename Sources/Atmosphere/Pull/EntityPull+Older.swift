/// Objects whose version on the server is older than the one that is here: of a server that was restored from a copy, or
/// gives an identifier out once more, every later version would be taken for old, too.
extension EntityPull {
    /// Whether a full pull shows less than the server has confirmed before it was asked.
    func isOlder(_ theirs: Representation, than meta: MetaObject) -> Bool {
        guard options.full, let confirmed = meta.confirmed, theirs.sequence > confirmed.sequence else { return false }
        return resource.version.order(theirs.version, confirmed.version) == .less
    }

    func warnOfOlder() {
        let older = Set(tally.olderObjects).sorted()
        guard !older.isEmpty else { return }
        let shown = older.prefix(3).map(\.description).joined(separator: ", ")
        tally.warn(
            "\(older.count) \(resource.name) have an older version on the server than here (\(shown)"
                + "\(older.count > 3 ? ", …" : "")) and stay as they are here; if the server was restored from a copy, take "
                + "what it has with pull --full --accept-older")
    }
}
