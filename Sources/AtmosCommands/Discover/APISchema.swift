#if Command
    internal import Atmosphere

    /// A schema of an API's description: JSON Schema as OpenAPI 3 and Google's discovery documents write it, read as
    /// far as a route file is concerned. References are followed, what is composed is put together.
    struct APISchema {
        private let members: Value.Members
        private let document: DescribedDocument

        /// - Returns: nil for anything but a schema, and for references that lead nowhere or in a circle.
        init?(_ value: Value?, in document: DescribedDocument) {
            guard let members = Self.resolved(value, document, depth: 16) else { return nil }
            self.members = members
            self.document = document
        }

        /// `object`, `array`, `string`, …; what properties and items say where nothing else does.
        var type: String? {
            if let name = members["type"]?.string { return name }
            // OpenAPI 3.1 writes null as one of several types.
            if let name = members["type"]?.array?.compactMap(\.string).first(where: { $0 != "null" }) { return name }
            if members["properties"] != nil { return "object" }
            return members["items"] == nil ? nil : "array"
        }

        var format: String? { members["format"]?.string }
        var isReadOnly: Bool { members["readOnly"] == true }
        var maximum: Int? { members["maximum"].flatMap(Self.whole) ?? members["exclusiveMaximum"].flatMap(Self.whole) }
        var minimum: Int? { members["minimum"].flatMap(Self.whole) }
        var fallback: Int? { members["default"].flatMap(Self.whole) }

        /// What a parameter is unless it is sent; nil where that is no boolean.
        var fallbackFlag: Bool? {
            members["default"].flatMap { $0.bool ?? ($0.string == "true" ? true : $0.string == "false" ? false : nil) }
        }

        /// What a text may be.
        var choices: [String] { members["enum"]?.array?.compactMap(\.string) ?? [] }
        var fallbackText: String? { members["default"]?.string }

        /// The only text that may stand there.
        var constant: String? { members["const"]?.string ?? (choices.count == 1 ? choices[0] : nil) }

        /// An object of JSON:API as its fields: the attributes beside the identifier.
        var attributes: APISchema? {
            guard let id = members["properties"]?.members?["id"],
                let own = APISchema(members["properties"]?.members?["attributes"], in: document)
            else { return nil }
            var properties: Value.Members = ["id": id]
            for each in own.members["properties"]?.members ?? [:] where each.name != "id" {
                properties[each.name] = each.value
            }
            return APISchema(["type": "object", "properties": .object(properties)], in: document)
        }

        /// The names of an object's members, in the order of the document.
        var names: [String] { members["properties"]?.members?.names.filter { !$0.isEmpty } ?? [] }

        /// The members that an object must have.
        var required: [String] { members["required"]?.array?.compactMap(\.string) ?? [] }

        /// The schema of a member.
        subscript(name: String) -> APISchema? { APISchema(members["properties"]?.members?[name], in: document) }

        /// The schema of an array's elements.
        var items: APISchema? { APISchema(members["items"], in: document) }

        /// Google writes numbers as text.
        private static func whole(_ value: Value) -> Int? {
            value.number?.int64.map(Int.init) ?? value.string.flatMap(Int.init)
        }

        private static func resolved(_ value: Value?, _ document: DescribedDocument, depth: Int) -> Value.Members? {
            guard depth > 0, let members = value?.members else { return nil }
            if let reference = members["$ref"]?.string {
                guard var target = resolved(document.target(reference), document, depth: depth - 1) else {
                    return nil
                }
                // OpenAPI 3.1 and Google allow more beside a reference.
                for member in members where member.name != "$ref" { target[member.name] = member.value }
                return target
            }
            if let parts = members["allOf"]?.array {
                return parts.compactMap { resolved($0, document, depth: depth - 1) }.reduce(members) { whole, part in
                    merged(whole, part)
                }
            }
            if let choices = members["anyOf"]?.array ?? members["oneOf"]?.array {
                let real = choices.first { $0.members?["type"] != "null" }
                guard let chosen = resolved(real, document, depth: depth - 1) else { return members }
                return merged(members, chosen)
            }
            return members
        }

        private static func merged(_ whole: Value.Members, _ part: Value.Members) -> Value.Members {
            var merged = whole
            for member in part {
                if member.name == "properties", var all = merged["properties"]?.members, let more = member.value.members
                {
                    for each in more { all[each.name] = each.value }
                    merged["properties"] = .object(all)
                } else if member.name == "required", let own = merged["required"]?.array,
                    let more = member.value.array
                {
                    merged["required"] = .array(own + more)
                } else if merged[member.name] == nil {
                    merged[member.name] = member.value
                }
            }
            return merged
        }
    }
#endif
