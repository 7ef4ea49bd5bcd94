#if Command
    import Atmosphere
    import Foundation
    import Testing

    /// A shape of `docs/json-output.schema.json`: as much of JSON Schema as that file uses.
    struct JSONShape {
        private let schema: Value
        private let definitions: Value.Members

        private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()

        static func text(_ path: String) throws -> String {
            try String(contentsOf: root.appending(path: path), encoding: .utf8)
        }

        /// The shapes by name.
        static func all() throws -> [String: JSONShape] {
            let document = try Value(json: Array(try text("docs/json-output.schema.json").utf8))
            let definitions = try #require(document.members?["$defs"]?.members)
            return Dictionary(
                uniqueKeysWithValues: definitions.map {
                    ($0.name, JSONShape(schema: $0.value, definitions: definitions))
                })
        }

        /// Holds each line that a command has printed with `--json` against its shape.
        static func hold<Lines: Sequence>(
            _ lines: Lines, to command: String, sourceLocation: SourceLocation = #_sourceLocation
        ) throws where Lines.Element: StringProtocol {
            let lines = lines.filter { !$0.isEmpty }
            // What only fails has no shape.
            if lines.isEmpty { return }
            let shape = try #require(try all()[command], "no shape of \(command)", sourceLocation: sourceLocation)
            for line in lines {
                let value = try Value(json: Array(line.utf8))
                #expect(shape.complaints(value) == [], "\(command): \(line)", sourceLocation: sourceLocation)
            }
        }

        /// What is wrong with a value, each with its place; empty where nothing is.
        func complaints(_ value: Value) -> [String] { complaints(value, schema, "$") }

        private func complaints(_ value: Value, _ schema: Value, _ place: String) -> [String] {
            guard let rules = schema.members else { return ["\(place): the schema is no object"] }
            let known: Set<String> = [
                "type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref",
                "description"
            ]
            var complaints = rules.names.filter { !known.contains($0) }.map { "\(place): the schema says “\($0)”" }
            if let reference = rules["$ref"]?.string {
                let name = String(reference.dropFirst("#/$defs/".count))
                guard let target = definitions[name] else { return ["\(place): there is no \(reference)"] }
                complaints += self.complaints(value, target, place)
            }
            if let choices = rules["anyOf"]?.array {
                let each = choices.map { self.complaints(value, $0, place) }
                if !each.contains(where: \.isEmpty) { complaints += each.min { $0.count < $1.count } ?? [] }
            }
            if let types = rules["type"] {
                let names = types.array?.compactMap(\.string) ?? [types.string ?? ""]
                if !names.contains(where: { Self.fits(value, $0) }) {
                    complaints.append("\(place): is not \(names.joined(separator: " or "))")
                }
            }
            if let constant = rules["const"], constant != value { complaints.append("\(place): is not \(constant)") }
            if let words = rules["enum"]?.array, !words.contains(value) {
                complaints.append("\(place): is none of the enum")
            }
            if let items = rules["items"], let elements = value.array {
                for (index, element) in elements.enumerated() {
                    complaints += self.complaints(element, items, "\(place)[\(index)]")
                }
            }
            return complaints + inObject(value, rules, place)
        }

        private func inObject(_ value: Value, _ rules: Value.Members, _ place: String) -> [String] {
            guard let members = value.members else { return [] }
            var complaints = (rules["required"]?.array ?? []).compactMap(\.string).filter { members[$0] == nil }
                .map { "\(place).\($0) is missing" }
            let properties = rules["properties"]?.members ?? [:]
            for member in members {
                let inside = "\(place).\(member.name)"
                if let schema = properties[member.name] {
                    complaints += self.complaints(member.value, schema, inside)
                } else if let others = rules["additionalProperties"] {
                    if others == .bool(false) {
                        complaints.append("\(inside) is not in the schema")
                    } else {
                        complaints += self.complaints(member.value, others, inside)
                    }
                }
            }
            return complaints
        }

        private static func fits(_ value: Value, _ type: String) -> Bool {
            switch (value, type) {
            case (.null, "null"), (.bool, "boolean"), (.string, "string"), (.array, "array"), (.object, "object"): true
            case (.number(let number), "integer"): number.int64 != nil
            default: false
            }
        }
    }
#endif
