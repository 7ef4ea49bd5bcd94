internal import Atmosphere

/// Reads `application/x-www-form-urlencoded`, as `FormBodyWriter` writes it: `task[title]=Milk&task[tags][]=a`.
enum SourceForm {
    static func members(in body: [UInt8]) -> Value.Members {
        var form = Value.object([:])
        for pair in SourceRequest(method: "GET", target: "/?" + String(decoding: body, as: UTF8.self)).query {
            form = set(.string(pair.value), path(pair.name)[...], in: form)
        }
        return form.members ?? [:]
    }

    /// `task[tags][]` is `task`, `tags` and an element, which is empty.
    private static func path(_ name: String) -> [String] {
        guard let open = name.firstIndex(of: "["), name.hasSuffix("]"), open > name.startIndex else { return [name] }
        let inner = name[name.index(after: open)...].dropLast()
        // Deeper than any object; a longer name is a name.
        let steps = String(inner).split(separator: "][", omittingEmptySubsequences: false).map(String.init)
        return steps.count < 32 ? [String(name[..<open])] + steps : [name]
    }

    private static func set(_ new: Value, _ path: ArraySlice<String>, in value: Value) -> Value {
        guard let name = path.first else { return new }
        if name.isEmpty {
            return .array((value.array ?? []) + [set(new, path.dropFirst(), in: .null)])
        }
        var members = value.members ?? [:]
        members[name] = set(new, path.dropFirst(), in: members[name] ?? .null)
        return .object(members)
    }
}
