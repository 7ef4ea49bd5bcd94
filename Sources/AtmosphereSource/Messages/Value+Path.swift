internal import Atmosphere

extension Value {
    /// The same value with `new` at a path. Objects and arrays are made where they are missing, and any other value on the
    /// way is replaced. Where the path leads through all elements, each of `new` gets an element of its own. An index beyond
    /// 100 is left out.
    func setting(_ new: Value, at path: JSONPath) -> Value {
        setting(new, at: path.steps[...])
    }

    private func setting(_ new: Value, at steps: ArraySlice<JSONPath.Step>) -> Value {
        guard let step = steps.first else { return new }
        let rest = steps.dropFirst()
        switch step {
        case .member(let name):
            var members = self.members ?? Members()
            members[name] = (members[name] ?? .null).setting(new, at: rest)
            return .object(members)
        case .index(let index):
            guard abs(index) <= 100 else { return setting(new, at: rest) }
            var elements = array ?? []
            let missing = (index < 0 ? -index : index + 1) - elements.count
            if missing > 0 { elements += Array(repeating: Value.null, count: missing) }
            let place = index < 0 ? elements.count + index : index
            elements[place] = elements[place].setting(new, at: rest)
            return .array(elements)
        case .all:
            return .array((new.array ?? [new]).map { Value.null.setting($0, at: rest) })
        }
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
