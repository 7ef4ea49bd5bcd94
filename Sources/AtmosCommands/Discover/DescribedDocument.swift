#if Command
    internal import Atmosphere
    internal import Synchronization

    /// A description as it was read, whose parts are found by their references.
    final class DescribedDocument: Sendable {
        let root: Value
        /// The groups that references lead to, by their paths: some descriptions have thousands of schemas.
        private let groups: [String: [String: Value]]
        /// Schemas by their references; nil for a reference that leads nowhere, and while the schema is read.
        private let schemas = Mutex<[String: SchemaContent?]>([:])
        private let budget: SchemaBudget
        /// How many references and parts may stand inside each other.
        private static let deepest = 64

        init(_ root: Value, _ budget: SchemaBudget) {
            self.root = root
            self.budget = budget
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
            return steps.reduce(Optional(root)) { part, step in
                guard let members = part?.members, budget.spend(members.count) else { return nil }
                return members[step]
            }
        }

        /// The members of a part, or of what it refers to.
        func resolved(_ part: Value?) -> Value.Members? {
            guard let reference = part?.members?["$ref"]?.string else { return part?.members }
            return target(reference)?.members
        }
    }

    // MARK: Schemas

    extension DescribedDocument {
        /// A schema put together.
        ///
        /// - Returns: nil for anything but a schema, for references that lead nowhere or in a circle, and for objects
        ///   beyond the budget.
        func schema(_ value: Value?, depth: Int = 0) -> SchemaContent? {
            guard depth < Self.deepest, let members = value?.members else { return nil }
            if let reference = members["$ref"]?.string {
                guard let target = schema(at: reference, depth: depth) else { return nil }
                guard members.count > 1, budget.spend(target.members.count + members.count) else { return target }
                // OpenAPI 3.1 and Google allow more beside a reference.
                var all = IndexedMembers(target.members)
                for member in members where member.name != "$ref" { all.set(member.name, member.value) }
                return content(all.all)
            }
            guard let parts = Self.parts(of: members) else { return content(members) }
            var composition = SchemaComposition(members)
            for part in parts {
                guard let part = schema(part, depth: depth + 1) else { continue }
                guard budget.spend(1 + part.members.count + part.names.count) else { break }
                composition.add(part.members)
            }
            return content(composition.whole)
        }

        private func schema(at reference: String, depth: Int) -> SchemaContent? {
            if let known = schemas.withLock({ $0[reference] }) { return known }
            schemas.withLock { _ = $0.updateValue(nil, forKey: reference) }
            let found = schema(target(reference), depth: depth + 1)
            schemas.withLock { _ = $0.updateValue(found, forKey: reference) }
            return found
        }

        /// What a schema is composed of: all of these, or the first one of several choices.
        private static func parts(of members: Value.Members) -> [Value]? {
            if let parts = members["allOf"]?.array { return parts }
            guard let choices = members["anyOf"]?.array ?? members["oneOf"]?.array else { return nil }
            return choices.first { $0.members?["type"] != "null" }.map { [$0] }
        }

        private func content(_ members: Value.Members) -> SchemaContent? {
            let count = members["properties"]?.members?.count ?? 0
            return count == 0 || budget.spend(count) ? SchemaContent(members) : nil
        }
    }
#endif
