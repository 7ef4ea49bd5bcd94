#if Command
    internal import ArgumentParser
    internal import Atmosphere

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
            guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else {
                throw ValidationError(
                    "write FIELD=VALUE, or FIELD:=JSON for numbers, true, false, null and nested values")
            }
            let text = String(argument[argument.index(after: equals)...])
            let before = argument.index(before: equals)
            guard argument[before] == ":" else {
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

        /// The value as the record holds it.
        ///
        /// - Throws: ``CommandFailure`` where the text does not read as the declared type.
        func value(as type: FieldType?) throws -> Value {
            switch content {
            case .value(let value): return value
            case .text(let text):
                switch type {
                case .integer:
                    if let number = JSONNumber(text), number.int64 != nil { return .number(number) }
                    throw refusal(text, "an integer")
                case .float:
                    if let number = JSONNumber(text) { return .number(number) }
                    throw refusal(text, "a number")
                case .boolean:
                    if let flag = Bool(text) { return .bool(flag) }
                    throw refusal(text, "true or false")
                case .json:
                    if let value = try? Value(json: Array(text.utf8)) { return value }
                    throw refusal(text, "JSON")
                // Servers write these as strings.
                case .string, .decimal, .instant, .date, nil: return .string(text)
                }
            }
        }

        private func refusal(_ text: String, _ what: String) -> CommandFailure {
            .usage(
                "\(name)=\(text): the route file declares “\(name)” as \(what); for another value write \(name):=JSON")
        }
    }

    extension Sequence<FieldArgument> {
        /// Names and values by the types of a resource; of a name given twice the last counts.
        ///
        /// - Throws: ``CommandFailure``.
        func members(of resource: Resource?) throws -> Value.Members {
            var members = Value.Members()
            for field in self { members[field.name] = try field.value(as: resource?.fields.types[field.name]) }
            return members
        }
    }

    extension Value.Members {
        /// As the synchronizer takes changes.
        var changes: [(name: String, value: Value?)] { map { ($0.name, $0.value) } }
    }
#endif
