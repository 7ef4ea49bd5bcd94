internal import Atmosphere

extension SourceState {
    /// A row as it stands in a list.
    func item(_ row: SourceTable.Row, _ resource: Resource) -> Value {
        var object = Value.object(row.members)
        if row.isDeleted, let field = resource.deletes.field {
            object = object.setting(resource.deletes.equals ?? deleteMark(row, resource), at: field)
        }
        object = api.style.shown(object, of: row, resource)
        guard let root = resource.readRoot else { return object }
        return .object([root: object])
    }

    func objectAnswer(_ status: Int, _ row: SourceTable.Row, _ resource: Resource) -> SourceAnswer {
        var answer = SourceAnswer(status, item(row, resource))
        if let name = resource.version.header { answer.headers[name] = row.versionText(resource) }
        return answer
    }

    private func deleteMark(_ row: SourceTable.Row, _ resource: Resource) -> Value {
        guard case .member(let name)? = resource.deletes.field?.steps.last,
            resource.fields.types[name] == .instant
        else { return true }
        return .string(SourceTime.text(microseconds: row.modified))
    }
}

extension SourceTable.Row {
    /// Sets what only the server sets: identifier, times, version, parents.
    mutating func stamp(_ resource: Resource, id: Value, parents: [(field: String, value: Value)], isNew: Bool) {
        var object = Value.object(members).setting(id, at: resource.id)
        for (field, value) in parents { object = object.setting(value, at: .member(field)) }
        let time = Value.string(SourceTime.text(microseconds: modified))
        if isNew {
            for name in ["created", "created_at"] where resource.readonly.contains(name) {
                object = object.setting(time, at: .member(name))
            }
        }
        for path in resource.timePaths { object = object.setting(time, at: path) }
        if let path = resource.version.field, !resource.timePaths.contains(path) {
            object = object.setting(resource.versionValue(version), at: path)
        }
        members = object.members ?? members
    }

    /// The token that `If-Match` is compared with.
    func versionText(_ resource: Resource) -> String? {
        if let path = resource.version.field { return path.first(in: .object(members))?.scalarText }
        return resource.version.header == nil ? nil : "\"\(version)\""
    }
}

extension Resource {
    /// Members that hold the time of the last change.
    var timePaths: [JSONPath] {
        var paths: [JSONPath] = []
        if case .field(let path)? = since?.origin { paths.append(path) }
        if let time = conflict.time { paths.append(.member(time)) }
        if let path = version.field, case .member(let name)? = path.steps.last, fields.types[name] == .instant {
            paths.append(path)
        }
        return paths
    }

    /// A number, or an entity tag in quotes where it goes into `If-Match` (RFC 9110 §8.8.3).
    func versionValue(_ version: Int64) -> Value {
        if case .ifMatch = self.version { return .string("\"\(version)\"") }
        if let path = self.version.field, case .member(let name)? = path.steps.last, fields.types[name] == .string {
            return .string(String(version))
        }
        return .number(JSONNumber(version))
    }

    /// Members whose values in a body are not taken over.
    func isServerSet(_ name: String) -> Bool {
        if readonly.contains(name) { return true }
        if id == .member(name) { return assigned == .server }
        return timePaths.contains(.member(name)) || version.field == .member(name) || deletes.field == .member(name)
    }
}

extension Version {
    var field: JSONPath? {
        switch self {
        case .ifMatch(.field(let path), _), .token(.field(let path), _), .body(let path, _): path
        default: nil
        }
    }

    var header: String? {
        switch self {
        case .ifMatch(.header(let name), _), .token(.header(let name), _): name
        default: nil
        }
    }

    /// Where the token stands in a write's body, if it is there.
    var sentInBody: JSONPath? {
        switch self {
        case .body(let path, _), .token(.field(let path), _): path
        case .none, .compare, .ifMatch, .token: nil
        }
    }
}
