#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    /// `FIELD=VALUE`, or `FIELD:=JSON` for a value of any type.
    struct FieldArgument: Sendable, Equatable {
        var name: String
        var content: Content

        enum Content: Sendable, Equatable {
            /// Becomes what the route file says the field is; a string where it says nothing.
            case text(String)
            case value(Value)
        }

        /// - Throws: `ValidationError` with the reason.
        init(_ argument: String) throws {
            guard let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")), equals > argument.startIndex else {
                throw ValidationError(
                    "write FIELD=VALUE, or FIELD:=JSON for numbers, true, false, null and nested values")
            }
            let text = String(argument[argument.utf8.index(after: equals)...])
            let before = argument.utf8.index(before: equals)
            guard argument.utf8[before] == UInt8(ascii: ":") else {
                name = String(argument[..<equals])
                content = .text(text)
                return
            }
            guard before > argument.startIndex else { throw ValidationError("a field needs a name before “:=”") }
            name = String(argument[..<before])
            do {
                content = .value(try Value(json: Array(text.utf8)))
            } catch {
                throw ValidationError(
                    "what stands behind “:=” is not JSON: \(error); for a string write \(name)=\(text)")
            }
        }

        var isText: Bool { if case .text = content { true } else { false } }

        /// The value as the record holds it, before it is checked against the declared type.
        func value(as type: FieldType?) -> Value {
            switch content {
            case .value(let value): return value
            case .text(let text):
                guard let type, type.accepts(text: text) else { return .string(text) }
                switch type {
                case .integer, .float: return JSONNumber(text).map(Value.number) ?? .string(text)
                case .boolean: return Bool(text).map(Value.bool) ?? .string(text)
                case .json: return (try? Value(json: Array(text.utf8))) ?? .string(text)
                case .seconds, .milliseconds, .microseconds:
                    if let number = JSONNumber(text) { return .number(number) }
                    return Instant(text).map(type.value) ?? .string(text)
                // Most servers write these as strings; see ``ShownForms``.
                case .string, .decimal, .instant, .date: return .string(text)
                }
            }
        }
    }

    extension Sequence<FieldArgument> {
        /// Names and values by the types of a resource; of a name given twice the last counts.
        ///
        /// - Throws: ``CommandFailure`` where a value is none of the declared type.
        func members(of resource: Resource, _ forms: ShownForms) throws -> Value.Members {
            var members = Value.Members()
            for field in self {
                let type = resource.fields.types[field.name]
                // Any value is JSON, and not any text.
                if case .text(let text) = field.content, type == .json, !FieldType.json.accepts(text: text) {
                    throw FieldType.json.refusal(of: text, for: field.name)
                }
                members[field.name] = forms.value(of: field)
            }
            try members.check(against: resource)
            return members
        }
    }

    extension Value.Members {
        /// As the synchronizer takes changes.
        var changes: [(name: String, value: Value?)] { map { ($0.name, $0.value) } }
    }
#endif
