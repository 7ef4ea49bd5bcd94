#if Command
    internal import Atmosphere

    /// A description as it was read, whose parts are found by their references.
    final class DescribedDocument: Sendable {
        let root: Value
        /// The groups that references lead to, by their paths: some descriptions have thousands of schemas.
        private let groups: [String: [String: Value]]

        init(_ root: Value) {
            self.root = root
            var groups: [String: [String: Value]] = [:]
            for group in root.members?["components"]?.members ?? [:] {
                groups["components/\(group.name)"] = Self.index(group.value)
            }
            // Google's, and those of Swagger 2.
            for name in ["schemas", "definitions", "parameters", "responses"] {
                groups[name] = Self.index(root.members?[name])
            }
            self.groups = groups
        }

        private static func index(_ group: Value?) -> [String: Value] {
            let members = (group?.members ?? [:]).map { ($0.name, $0.value) }
            return Dictionary(members, uniquingKeysWith: { first, _ in first })
        }

        /// `#/components/schemas/Task`, or a name alone in Google's documents; nil where the reference leads nowhere.
        func target(_ reference: String) -> Value? {
            guard reference.hasPrefix("#/") else { return groups["schemas"]?[reference] }
            let steps = reference.dropFirst(2).split(separator: "/").map { step -> String in
                PercentEncoding.decode(String(step.replacing("~1", with: "/").replacing("~0", with: "~")))
            }
            if steps.count == 3, let group = groups["\(steps[0])/\(steps[1])"] { return group[steps[2]] }
            if steps.count == 2, let group = groups[steps[0]] { return group[steps[1]] }
            return steps.reduce(Optional(root)) { $0?.members?[$1] }
        }

        /// The members of a part, or of what it refers to.
        func resolved(_ part: Value?) -> Value.Members? {
            guard let reference = part?.members?["$ref"]?.string else { return part?.members }
            return target(reference)?.members
        }
    }
#endif
