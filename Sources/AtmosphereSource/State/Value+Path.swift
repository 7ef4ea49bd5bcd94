internal import Atmosphere

extension Value {
    /// The same value with `new` at a path of members; objects are made where they are missing, and any other value on
    /// the way is replaced. Steps that are not members are left out.
    func setting(_ new: Value, at path: JSONPath) -> Value {
        setting(new, at: path.steps[...])
    }

    private func setting(_ new: Value, at steps: ArraySlice<JSONPath.Step>) -> Value {
        guard let step = steps.first else { return new }
        guard case .member(let name) = step else { return setting(new, at: steps.dropFirst()) }
        var members = self.members ?? Members()
        members[name] = (members[name] ?? .null).setting(new, at: steps.dropFirst())
        return .object(members)
    }

    /// A scalar as it would stand in a URL.
    var scalarText: String? {
        switch self {
        case .string(let text): text
        case .number(let number): number.lexeme
        case .bool(let flag): String(flag)
        case .null, .array, .object: nil
        }
    }
}
