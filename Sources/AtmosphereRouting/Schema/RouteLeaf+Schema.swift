extension RouteLeaf {
    /// What an editor can check of a single value; patterns are those of ECMA 262, as JSON Schema asks for.
    func schema(mayBeNull: Bool) -> Value.Members {
        switch self {
        case .boolean: typed(["boolean"], mayBeNull)
        case .whole(let range):
            typed(
                ["integer"], mayBeNull,
                ["minimum": .init(integerLiteral: range.lowerBound), "maximum": .init(integerLiteral: range.upperBound)]
            )
        case .vocabulary: ["enum": .array(Self.vocabularies.map { .init(integerLiteral: $0) })]
        case .choice(let words):
            ["enum": .array(words.map { .string($0) } + (mayBeNull ? [.null] : []))]
        case .size: described(typed(["string", "integer"], mayBeNull, ["minimum": 1]))
        case .duration, .durationOrNever, .rate, .base, .endpoint, .scope, .secret, .proof, .liveURL, .webURL, .proxy:
            described(typed(["string"], mayBeNull))
        case .name: scalar(mayBeNull, ["minLength": 1])
        case .entity, .path, .fixedPath, .selector, .headerName, .ownHeader, .headerValue, .mediaType:
            described(scalar(mayBeNull))
        default: scalar(mayBeNull)
        }
    }

    /// What a text has to look like; nil where any does, or where a pattern could not say it.
    private var pattern: String? {
        switch self {
        case .duration:
            #"^([0-9]{1,12}(ms|s|m|h|d)|P(?=[0-9T])([0-9]+W)?([0-9]+D)?(T(?=[0-9])([0-9]+H)?([0-9]+M)?"#
                + #"([0-9]+(\.[0-9]{1,9})?S)?)?)$"#
        case .durationOrNever: Self.duration.pattern.map { "^never$|\($0)" }
        case .size: "^[0-9]+(B|kB|KB|MB|GB|KiB|MiB|GiB)?$"
        case .rate: #"^[0-9]{1,9}(\.[0-9]{1,9})?/(s|min|h)$"#
        case .base: #"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@]+(/[^?#]*)?$"#
        case .liveURL: #"^([Ww][Ss]|[Hh][Tt][Tt][Pp])[Ss]?://[^/?#@]+(/[^?#]*)?$"#
        case .webURL: #"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@]+(/[^?#]*)?$"#
        case .proxy: #"^(none|[Hh][Tt][Tt][Pp]://[^/?#@]+/?)$"#
        case .endpoint: #"^([Hh][Tt][Tt][Pp][Ss]://|[Hh][Tt][Tt][Pp]://(127\.|localhost|\[::1\]))[^#]*$"#
        case .scope: #"^[\x21\x23-\x5B\x5D-\x7E]+$"#
        case .entity: "^[A-Za-z_][A-Za-z0-9_-]*$"
        case .path, .fixedPath: "^(?!//)(?!.*://)[^?#]+$"
        case .selector: "."
        case .secret: "^secret:[A-Za-z_][A-Za-z0-9_]*$"
        case .proof: "^(ask|secret:[A-Za-z_][A-Za-z0-9_]*)$"
        case .headerName, .ownHeader: #"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"#
        case .mediaType: #"^[A-Za-z0-9!#$%&'*+.^_`|~-]+/[A-Za-z0-9!#$%&'*+.^_`|~-]+(;[\x20-\x7E]*)?$"#
        case .headerValue: #"^(?!secret:)[\t\x20-\x7E]*$"#
        default: nil
        }
    }

    private func described(_ schema: Value.Members) -> Value.Members {
        var schema = schema
        if let pattern { schema["pattern"] = .string(pattern) }
        if expectation != "a single text" { schema["description"] = .string(expectation) }
        return schema
    }

    /// Numbers and truth values count as their text.
    private func scalar(_ mayBeNull: Bool, _ bounds: Value.Members = [:]) -> Value.Members {
        typed(["string", "number", "boolean"], mayBeNull, bounds)
    }

    /// - Parameter bounds: what else the schema says, behind the types.
    private func typed(_ names: [String], _ mayBeNull: Bool, _ bounds: Value.Members = [:]) -> Value.Members {
        var schema: Value.Members = ["type": RouteSchemaWriter.type(names, mayBeNull)]
        for bound in bounds { schema[bound.name] = bound.value }
        return schema
    }
}
