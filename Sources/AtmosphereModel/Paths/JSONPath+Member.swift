extension JSONPath {
    /// The name where the path is one top-level member; nil for any other path.
    package var singleMember: String? {
        guard steps.count == 1, case .member(let name) = steps[0] else { return nil }
        return name
    }

    /// The top-level member that the path begins with; nil where it begins with none.
    package var firstMember: String? {
        guard case .member(let name)? = steps.first else { return nil }
        return name
    }

    /// The names where the path is made of members alone; nil for any other path.
    package var memberNames: [String]? {
        var names: [String] = []
        for case .member(let name) in steps { names.append(name) }
        return names.count == steps.count ? names : nil
    }

    /// The name that it ends with.
    package var lastMember: String? {
        guard case .member(let name)? = steps.last else { return nil }
        return name
    }
}

extension JSONPath.Step {
    package var isMember: Bool { if case .member = self { true } else { false } }
}
