#if Command
    internal import Atmosphere

    /// A schema of an API's description: JSON Schema as OpenAPI 3 and Google's discovery documents write it, read as
    /// far as a route file is concerned. References are followed, what is composed is put together.
    struct APISchema {
        private let content: SchemaContent
        private let document: DescribedDocument

        private var members: Value.Members { content.members }

        /// - Returns: nil for anything but a schema, and for references that lead nowhere or in a circle.
        init?(_ value: Value?, in document: DescribedDocument) {
            guard let content = document.schema(value) else { return nil }
            self.content = content
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
            guard let id = content.property("id"), let own = self["attributes"] else { return nil }
            let others = own.members["properties"]?.members ?? [:]
            let properties = Value.Members([Value.Member(name: "id", value: id)] + Array(others))
            return APISchema(["type": "object", "properties": .object(properties)], in: document)
        }

        /// Where an object holds its identifier, where the server says so itself.
        var identifier: JSONPath? {
            guard let path = members["x-atmos-id"]?.string.flatMap({ try? JSONPath($0) }), !path.steps.contains(.all),
                let root = path.firstMember, has(root)
            else { return nil }
            return path
        }

        /// The type of a member, where the server says it as a route file does.
        var declaredType: FieldType? { members["x-atmos-type"]?.string.flatMap { FieldType(rawValue: $0) } }

        /// An object that its list does not show is deleted, as the server says itself.
        var tellsDeletesByAbsence: Bool { members["x-atmos-deletes"] == "absent" }

        /// The names of an object's members, in the order of the document.
        var names: [String] { content.names }

        /// Whether an object has a member of this name, whatever its schema.
        func has(_ name: String) -> Bool { content.property(name) != nil }

        /// The members that an object must have.
        var required: [String] { members["required"]?.array?.compactMap(\.string) ?? [] }

        /// The schema of a member.
        subscript(name: String) -> APISchema? { APISchema(content.property(name), in: document) }

        /// The schema of an array's elements.
        var items: APISchema? { APISchema(members["items"], in: document) }

        /// Google writes numbers as text.
        private static func whole(_ value: Value) -> Int? {
            value.number?.int64.map(Int.init) ?? value.string.flatMap(Int.init)
        }
    }
#endif
