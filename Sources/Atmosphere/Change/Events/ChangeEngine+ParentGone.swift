/// The server has deleted the parent of an object, and the parent was created once more.
extension ChangeEngine {
    /// What the server had below the parent is gone with it: what was confirmed there, and what a create without a clear
    /// answer may have brought. Such a create goes anew below the new parent, under another key: by the one before, the server
    /// would know what is gone.
    func lostWithParent(_ object: LocalObject, at uri: ObjectURI) -> Plan {
        guard let outgoing = object.meta.outgoing else { return Plan() }
        guard case .created(_, let deleting) = object.meta.state else {
            let gone = Representation(sequence: object.meta.confirmed?.sequence ?? 0)
            return remote(gone, over: object, uri: uri, key: outgoing.idempotencyKey)
        }
        guard outgoing.mayBeThere else { return Plan() }
        if deleting { return Plan(outcome: .remove, note: "deleted here; its parent was deleted on the server") }
        var object = object
        object.meta.outgoing = .anew(
            key: Self.key(after: outgoing.idempotencyKey), after: outgoing.lowWaterMark, previous: outgoing.previous)
        return Plan(outcome: .put(object), note: "its parent was deleted on the server and created anew; sent again")
    }

    /// A key under which nothing was sent: a UUID that follows from the key before (RFC 9562 §5.8).
    private static func key(after key: String) -> String {
        var digest = SHA256Digest()
        digest.update(Array(key.utf8))
        var digits = Array(digest.finish().prefix(32))
        // The version and the variant.
        (digits[12], digits[16]) = ("8", "8")
        let parts = [digits[..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20...]]
        return parts.map { String($0) }.joined(separator: "-")
    }
}
