extension Value.Members {
    /// These members after a JSON merge patch (RFC 7396): null removes, objects are merged, anything else replaces.
    func merged(with patch: Value.Members) -> Value.Members {
        var merged = self
        for member in patch {
            switch member.value {
            case .null: merged[member.name] = nil
            case .object(let inner):
                merged[member.name] = .object((merged[member.name]?.members ?? Value.Members()).merged(with: inner))
            default: merged[member.name] = member.value
            }
        }
        return merged
    }
}
