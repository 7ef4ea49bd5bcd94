/// The JSON Schema of a route file, for editors and other programs: made from the vocabulary that the check reads.
///
/// Every file that loads is valid against it. The reverse does not hold: what depends on another part of the file, on a
/// style or on the linked adapters is for `atmos validate` to say. The dialect is draft 7, which editors know best.
///
/// - SeeAlso: <https://json-schema.org/draft-07>
package enum RouteFileSchema {
    /// The schema as a value.
    package static var document: Value {
        let document = RouteVocabulary.document
        let shared = Set(RouteVocabulary.resourceDefaults.map(\.name))
        var root = RouteSchemaWriter(isMerged: false, shared: shared).object(document, required: ["resources"])
        // `null` would only say that a required key is missing.
        root["type"] = "object"
        var definitions = Value.Members()
        for key in RouteVocabulary.resourceDefaults {
            definitions[key.name] = RouteSchemaWriter(isMerged: true, shared: []).schema(of: key, at: key.name)
        }
        var resource = RouteSchemaWriter(isMerged: true, shared: shared).object(RouteVocabulary.resource)
        resource["type"] = "object"
        definitions["resource"] = .object(resource)
        let head: Value.Members = [
            "$schema": "http://json-schema.org/draft-07/schema#", "title": "Atmosphere route file",
            "description": "Describes a REST API for Atmosphere; the guide “The route file” explains every key."
        ]
        return .object(
            Value.Members(Array(head) + Array(root) + [.init(name: "definitions", value: .object(definitions))]))
    }

    /// The schema as `atmos schema` prints it and `docs/route-file.schema.json` holds it; ends with a line break.
    package static var text: String { document.prettyJSON() + "\n" }
}

/// Turns shapes of the vocabulary into schemas.
struct RouteSchemaWriter {
    /// Other layers may fill in what is missing here, and `null` removes what they say.
    let isMerged: Bool
    /// Keys that stand in `definitions`, and the resource.
    let shared: Set<String>

    /// - Parameter path: the key's own, as ``RouteVocabulary/meaning(of:)`` knows it.
    func schema(of key: RouteKey, at path: String) -> Value {
        guard case .object(let members) = schema(key.shape, at: path) else { return [:] }
        var schema = Value.Members()
        if let meaning = RouteVocabulary.meaning(of: path) {
            // What it is for, then what may stand there.
            let form = members["description"]?.string.map { " Written as \($0)." } ?? ""
            schema["description"] = .string(meaning + form)
        }
        for member in members where schema[member.name] == nil { schema[member.name] = member.value }
        if case .scalar(let text) = key.fallback { schema["default"] = Self.scalar(text, key.shape) }
        return .object(schema)
    }

    func schema(_ shape: RouteShape, at path: String, mayBeNull: Bool = true) -> Value {
        switch shape {
        case .leaf(let leaf): return .object(leaf.schema(mayBeNull: mayBeNull))
        case .list(let element, let mayBeSingle):
            // What stands in a list is not merged with anything.
            let inner = RouteSchemaWriter(isMerged: false, shared: []).schema(
                element, at: path, mayBeNull: false)
            let list: Value = ["type": Self.type(["array"], mayBeNull), "items": inner]
            return mayBeSingle ? ["anyOf": [list, schema(element, at: path, mayBeNull: mayBeNull)]] : list
        case .map(let map): return self.map(map, at: path, mayBeNull: mayBeNull)
        case .named(.entity, _):
            return [
                "type": "object", "minProperties": 1,
                "patternProperties": [
                    "^x-": true,
                    "^(?!x-)[A-Za-z_][A-Za-z0-9_-]*$": ["anyOf": [["$ref": "#/definitions/resource"], ["type": "null"]]]
                ],
                "additionalProperties": false
            ]
        case .named(let key, let value):
            return [
                "type": Self.type(["object"], mayBeNull), "propertyNames": .object(key.schema(mayBeNull: false)),
                "additionalProperties": schema(value, at: path)
            ]
        case .anything: return [:]
        }
    }

    /// A map, and the words that may stand in its place.
    private func map(_ map: RouteMapShape, at path: String, mayBeNull: Bool) -> Value {
        var object = object(map, at: path)
        object["type"] = Self.type(["object"], mayBeNull)
        switch map.word {
        case .none: return .object(object)
        case .at(let keys):
            guard let key = keys.first.flatMap({ map.key($0) }) else { return .object(object) }
            return ["anyOf": [schema(key.shape, at: path, mayBeNull: mayBeNull), .object(object)]]
        case .short(let words): return ["anyOf": [["enum": Self.texts(words.keys.sorted())], .object(object)]]
        case .itself(let words): return ["anyOf": [["enum": Self.texts(words)], .object(object)]]
        }
    }

    /// The members of an object with known keys, without its type.
    func object(_ map: RouteMapShape, at path: String = "", required others: [String] = []) -> Value.Members {
        var schema: Value.Members = [:]
        var properties = Value.Members()
        // Only keys of this map are shared: `limits` has a `pages` of its own.
        let inner = RouteSchemaWriter(isMerged: isMerged, shared: [])
        for key in map.keys {
            properties[key.name] =
                shared.contains(key.name)
                ? ["$ref": .string("#/definitions/\(key.name)")]
                : inner.schema(of: key, at: path.isEmpty ? key.name : "\(path).\(key.name)")
        }
        schema["properties"] = .object(properties)
        schema["patternProperties"] = ["^x-": true]
        schema["additionalProperties"] = false
        let required = isMerged ? [] : map.keys.filter { $0.isRequired && $0.kinds.isEmpty }.map(\.name) + others
        if !required.isEmpty { schema["required"] = Self.texts(required) }
        if !isMerged, map.needsOne {
            schema["anyOf"] = .array((map.oneOf + map.orAlone).map { ["required": [.string($0)]] })
        }
        let rules = exclusions(map) + kinds(map)
        if !rules.isEmpty { schema["allOf"] = .array(rules) }
        return schema
    }

    /// Where one of the alternatives is written, the others are not.
    private func exclusions(_ map: RouteMapShape) -> [Value] {
        map.oneOf.map { name in
            [
                "if": ["required": [.string(name)], "properties": [name: ["not": ["type": "null"]]]],
                "then": ["properties": Self.nulls(map.oneOf.filter { $0 != name })]
            ]
        }
    }

    /// Where the kind is written, the keys of other kinds are not.
    private func kinds(_ map: RouteMapShape) -> [Value] {
        guard let name = map.kind, let key = map.key(name), case .leaf(.choice(let words)) = key.shape else {
            return []
        }
        return words.compactMap { word in
            let others = map.keys.filter { !$0.kinds.isEmpty && !$0.kinds.contains(word) }.map(\.name)
            guard !others.isEmpty else { return nil }
            return [
                "if": ["required": [.string(name)], "properties": [name: ["const": .string(word)]]],
                "then": ["properties": Self.nulls(others)]
            ]
        }
    }

    // MARK: Parts

    private static func nulls(_ names: [String]) -> Value {
        .object(Value.Members(names.map { .init(name: $0, value: ["type": "null"]) }))
    }

    static func texts(_ texts: [String]) -> Value { .array(texts.map { .string($0) }) }

    static func type(_ names: [String], _ mayBeNull: Bool) -> Value {
        let all = names + (mayBeNull ? ["null"] : [])
        return all.count == 1 ? .string(all[0]) : texts(all)
    }

    private static func scalar(_ text: String, _ shape: RouteShape) -> Value {
        switch shape {
        case .leaf(.boolean): .bool(text == "true")
        case .leaf(.whole): JSONNumber(text).map { .number($0) } ?? .string(text)
        default: .string(text)
        }
    }
}
