#if Command
    internal import Atmosphere
    internal import AtmosphereReports

    /// In which JSON type the server shows fields: what is given as text takes the same.
    struct ShownForms {
        private let resource: Resource
        private var shown: [String: Value] = [:]
        /// More records are not looked at where none of them shows the field.
        private static let sample = 1000

        /// Looks at the object itself, and where it shows nothing at others of its entity; what was only written here
        /// proves nothing.
        ///
        /// - Parameter uri: nil for a new object.
        init(
            _ fields: [FieldArgument], of resource: Resource, at uri: ObjectURI? = nil, in synchronizer: Synchronizer
        ) async throws {
            self.resource = resource
            let wanted = Set(fields.filter(\.isText).map(\.name))
                .filter { name in
                    let type = resource.fields.types[name] ?? .decimal
                    return type == .decimal || type.decimalsOfSecond != nil
                }
            guard !wanted.isEmpty else { return }
            let (mapping, entity) = (resource.mapping, resource.name)
            shown = try await synchronizer.store.read { snapshot in
                var shown: [String: Value] = [:]
                var missing = wanted
                func look(at record: ObjectRecord) {
                    // For many names a record is decoded once, and not searched for each.
                    let members = missing.count >= FieldNames.manyNames ? mapping.members(of: record) : nil
                    for name in missing {
                        let found = members == nil ? mapping.value(name, in: record) : members?[name]
                        guard let value = found, !value.isNull else { continue }
                        shown[name] = value
                    }
                    missing = missing.filter { shown[$0] == nil }
                }
                if let uri, let base = try snapshot.meta(at: snapshot.alias(of: uri) ?? uri)?.confirmed?.base {
                    look(at: base)
                }
                guard !missing.isEmpty else { return shown }
                try snapshot.records(matching: Query(entity, limit: Self.sample)) { uri, record in
                    if let meta = try snapshot.meta(at: uri), let base = meta.confirmed?.base {
                        look(at: meta.isChanged ? base : record)
                    }
                    return !missing.isEmpty
                }
                return shown
            }
        }

        /// The value of an argument as a record holds it: of the declared type, and where that leaves a choice, or the
        /// field refers to another object, as the server writes it.
        func value(of argument: FieldArgument) -> Value {
            let type = resource.fields.types[argument.name]
            if case .text(let text) = argument.content, case .number = shown[argument.name],
                type == .decimal || type == nil && isReference(argument.name), let number = JSONNumber(text)
            {
                return .number(number)
            }
            let value = argument.value(as: type)
            if case .string = shown[argument.name], type?.decimalsOfSecond != nil, case .number(let number) = value {
                return .string(number.lexeme)
            }
            return value
        }

        /// Texts for fields that the server shows as numbers or truth values, and that nothing is declared of.
        func complaints(_ arguments: [FieldArgument]) -> [String] {
            arguments.compactMap { argument in
                // Of one that cannot be set at all that is told instead.
                guard !resource.readonly.contains(argument.name), argument.name != resource.idField,
                    resource.fields.types[argument.name] == nil, !isReference(argument.name),
                    case .text(let text) = argument.content
                else { return nil }
                let type: FieldType
                switch shown[argument.name] {
                case .bool?: type = .boolean
                case .number(let number)?: type = number.int64 == nil ? .decimal : .integer
                default: return nil
                }
                let kind = type == .boolean ? type.expectation : "a number"
                let literal = type.accepts(text: text) ? text : "JSON"
                return
                    "\(argument.name.quoted) is \(kind) so far, and is sent as the text \(text.quoted) now; write "
                    + "\(argument.name):=\(literal), or declare types: { \(argument.name): \(type.rawValue) }"
            }
        }

        private func isReference(_ name: String) -> Bool { resource.references.contains { $0.field == name } }
    }
#endif
