internal import Atmosphere

extension SourceState {
    /// The fields that a request's body sets, under the names that the route file gives them.
    func body(of request: SourceRequest, _ resource: Resource) throws(SourceRefusal) -> Value.Members {
        let coding = api.codings.coding(of: request, resource)
        let value = try api.codings.value(in: request.body, coding: coding, limit: rules.maximumBodyBytes)
        guard var members = value.members else {
            throw .general(status: 400, "Invalid data. Expected an object.")
        }
        if let root = resource.writeRoot, let inner = members[root]?.members { members = inner }
        let fields = resource.fields(inBody: members)
        guard coding != "json" else { return fields }
        let knowsNull = coding == "xml" && resource.xml.writesTypes
        return Value.Members(
            fields.map { .init(name: $0.name, value: typed($0.value, of: $0.name, resource, knowsNull: knowsNull)) })
    }

    /// A value of a coding that has texts only, as the declared type or the object referred to has it.
    ///
    /// - Parameter knowsNull: else null and empty are written alike.
    private func typed(_ value: Value, of name: String, _ resource: Resource, knowsNull: Bool) -> Value {
        if let reference = resource.references.first(where: { $0.field == name }), let text = value.scalarText,
            let other = api.resource(reference.entity), let row = tables[reference.entity]?[text]
        {
            return other.id.first(in: .object(row.members)) ?? value
        }
        let type = resource.fields.types[name]
        if !knowsNull, value.isNull || value == "" {
            switch type {
            case .string: return ""
            case .json: return .array([])
            case nil: return value
            default: return .null
            }
        }
        guard let text = value.string else { return value }
        switch type {
        case .integer, .float, .seconds, .milliseconds, .microseconds:
            return JSONNumber(text).map(Value.number) ?? value
        case .boolean: return ["true": true, "1": true, "on": true, "false": false, "0": false][text] ?? value
        default: return value
        }
    }
}

extension Resource {
    /// The fields that a body sets: the opposite of what ``FieldMapping/body(_:of:)`` writes.
    func fields(inBody body: Value.Members) -> Value.Members {
        guard !mapping.fields.isEmpty || mapping.others != nil else { return body }
        var fields = Value.Members()
        var known: Set<String> = []
        for field in mapping.fields {
            guard let root = (field.write ?? field.read).firstMember else { continue }
            known.insert(root)
            guard let whole = body[root] else { continue }
            if let value = FieldMapping.value((field.write ?? field.read).steps.dropFirst(), in: whole) {
                fields[field.name] = value
            } else if field.write == nil {
                // The whole member came, without this in it.
                fields[field.name] = .null
            }
        }
        if let place = mapping.others?.write ?? mapping.others?.read {
            if let root = place.before.first { known.insert(root) }
            let around =
                FieldMapping.value(place.before.map(JSONPath.Step.member)[...], in: .object(body))?.members ?? [:]
            for member in around where fields[member.name] == nil {
                fields[member.name] = FieldMapping.value(place.after.map(JSONPath.Step.member)[...], in: member.value)
            }
        }
        // A field's own name, where the field is written elsewhere, is nothing that the server knows.
        for member in body where !known.contains(member.name) && !mapping.hides(member.name) {
            if mapping.path(of: member.name) == .member(member.name) { fields[member.name] = member.value }
        }
        return fields
    }

    /// The fields of a row.
    func view(_ members: Value.Members) -> Value.Members {
        mapping.isIdentity ? members : mapping.members(of: ObjectRecord(members))
    }

    /// A row's members for its fields; what no field shows is kept.
    func members(_ view: Value.Members, over members: Value.Members? = nil) -> Value.Members {
        mapping.isIdentity ? view : mapping.record(view, over: members.map { ObjectRecord($0) }).members
    }

    /// One field of a row.
    func value(_ field: String, in members: Value.Members) -> Value? {
        mapping.isIdentity ? members[field] : mapping.path(of: field).first(in: .object(members))
    }

    /// The declared type of what stands at a path.
    func type(at path: JSONPath) -> FieldType? { mapping.name(at: path).flatMap { fields.types[$0] } }
}
