#if YAML
    import Atmosphere
    import Foundation

    /// Reads a value by a JSON Schema of draft 7, as far as the route file's goes. A keyword that is not known here is a
    /// mistake, so that nothing is skipped in silence.
    struct SchemaReading {
        let root: Value

        /// What is wrong, each with its place; empty for a valid value.
        func complaints(_ value: Value) -> [String] { complaints(value, root, at: "$") }

        func complaints(_ value: Value, _ schema: Value, at place: String) -> [String] {
            if case .bool(let allowed) = schema { return allowed ? [] : ["\(place): nothing may stand here"] }
            guard case .object(let members) = schema else { return ["\(place): the schema is \(schema.text)"] }
            if let reference = members["$ref"]?.string {
                let name = String(reference.split(separator: "/").last ?? "")
                guard let target = root.members?["definitions"]?.members?[name] else { return ["no \(reference)"] }
                return complaints(value, target, at: place)
            }
            return members.flatMap { keyword($0.name, $0.value, of: members, value, place) }
        }

        private func isValid(_ value: Value, _ schema: Value) -> Bool {
            complaints(value, schema, at: "").isEmpty
        }

        private func keyword(
            _ name: String, _ rule: Value, of schema: Value.Members, _ value: Value, _ place: String
        ) -> [String] {
            switch name {
            case "$schema", "title", "description", "default", "definitions", "then": return []
            case "type":
                let types = rule.array?.compactMap(\.string) ?? [rule.text]
                return types.contains { Self.isType($0, value) } ? [] : ["\(place): is no \(types)"]
            case "enum":
                return rule.array?.contains(value) == true ? [] : ["\(place): \(value.text) is none of \(rule.text)"]
            case "const": return rule == value ? [] : ["\(place): is not \(rule.text)"]
            case "minimum": return compare(value, rule) { $0 >= $1 } ? [] : ["\(place): is below \(rule.text)"]
            case "maximum": return compare(value, rule) { $0 <= $1 } ? [] : ["\(place): is above \(rule.text)"]
            case "minLength":
                guard let text = value.string, let least = rule.number?.int64 else { return [] }
                return text.count >= least ? [] : ["\(place): is too short"]
            case "pattern":
                guard let text = value.string else { return [] }
                return Self.matches(text, rule.text) ? [] : ["\(place): “\(text)” does not look like \(rule.text)"]
            case "not": return isValid(value, rule) ? ["\(place): is what it must not be"] : []
            case "anyOf":
                let tried = (rule.array ?? []).map { complaints(value, $0, at: place) }
                return tried.contains([]) ? [] : tried.first { !$0.isEmpty } ?? ["\(place): fits nothing"]
            case "allOf": return (rule.array ?? []).flatMap { complaints(value, $0, at: place) }
            case "if":
                guard let then = schema["then"], isValid(value, rule) else { return [] }
                return complaints(value, then, at: place)
            case "items":
                return (value.array ?? []).enumerated().flatMap { complaints($1, rule, at: "\(place)[\($0)]") }
            default: return object(name, rule, of: schema, value, place)
            }
        }

        private func object(
            _ name: String, _ rule: Value, of schema: Value.Members, _ value: Value, _ place: String
        ) -> [String] {
            let members = value.members ?? [:]
            switch name {
            case "required":
                guard value.members != nil else { return [] }
                return (rule.array ?? []).map(\.text).filter { members[$0] == nil }.map {
                    "\(place): “\($0)” is missing"
                }
            case "minProperties":
                guard value.members != nil, let least = rule.number?.int64 else { return [] }
                return members.count >= least ? [] : ["\(place): is empty"]
            case "properties":
                return members.flatMap { member in
                    rule.members?[member.name].map { complaints(member.value, $0, at: "\(place).\(member.name)") } ?? []
                }
            case "patternProperties":
                return members.flatMap { member in
                    (rule.members ?? [:]).filter { Self.matches(member.name, $0.name) }
                        .flatMap { complaints(member.value, $0.value, at: "\(place).\(member.name)") }
                }
            case "additionalProperties":
                let patterns = schema["patternProperties"]?.members?.names ?? []
                return members.filter { member in
                    schema["properties"]?.members?[member.name] == nil
                        && !patterns.contains { Self.matches(member.name, $0) }
                }.flatMap { complaints($0.value, rule, at: "\(place).\($0.name)") }
            case "propertyNames":
                return members.flatMap { complaints(.string($0.name), rule, at: "\(place), the name \($0.name)") }
            default: return ["the keyword \(name) is not known here"]
            }
        }

        private func compare(_ value: Value, _ bound: Value, _ holds: (JSONNumber, JSONNumber) -> Bool) -> Bool {
            guard let number = value.number, let bound = bound.number else { return true }
            return holds(number, bound)
        }

        private static func isType(_ name: String, _ value: Value) -> Bool {
            switch (name, value) {
            case ("null", .null), ("boolean", .bool), ("number", .number), ("string", .string), ("array", .array),
                ("object", .object):
                true
            case ("integer", .number(let number)): number.int64 != nil
            default: false
            }
        }

        private static func matches(_ text: String, _ pattern: String) -> Bool {
            text.range(of: pattern, options: .regularExpression) != nil
        }
    }
#endif
