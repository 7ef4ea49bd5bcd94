extension JSONPath {
    /// The name where the path is one top-level member; nil for any other path.
    public var singleMember: String? {
        guard steps.count == 1, case .member(let name) = steps[0] else { return nil }
        return name
    }
}
