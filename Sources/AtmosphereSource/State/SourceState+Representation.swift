internal import Atmosphere

extension SourceState {
    /// A row as it stands in a list, or in another answer: with its root where the format has none of its own.
    func item(_ row: SourceTable.Row, _ resource: Resource, _ shape: Operation.Shape = .whole) -> Value {
        let object = object(row, resource, shape)
        guard let root = resource.readRoot, !resource.namesRoots else { return object }
        return .object([root: object])
    }

    /// A row as the API shows it, without anything around it.
    func object(_ row: SourceTable.Row, _ resource: Resource, _ shape: Operation.Shape) -> Value {
        var object = Value.object(row.members)
        if row.isDeleted, let field = resource.deletes.field {
            object = object.setting(resource.deletes.equals ?? deleteMark(row, resource), at: field)
        }
        for field in resource.mapping.fields where !field.beside.isEmpty {
            guard let value = FieldMapping.value(field.read.steps[...], in: object), !value.isNull,
                field.read.memberNames != nil
            else { continue }
            for member in field.beside {
                let path = field.read.steps.dropLast() + [.member(member.name)]
                object = object.setting(member.value, at: JSONPath(Array(path)))
            }
        }
        object = api.style.shown(object, of: row, resource)
        return shape == .partial ? resource.summary(of: object) : object
    }

    /// What the list of what was deleted says of a row: its identifier, and when that was.
    ///
    /// - Parameter list: see ``Resource/tombstones``.
    func tombstone(_ row: SourceTable.Row, _ list: Resource) -> Value {
        let own = api.resource(list.name)?.id ?? list.id
        let id = own.first(in: .object(row.members)) ?? .string(row.key)
        var item = Value.object([:]).setting(id, at: list.id)
        if case .field(let path)? = list.since?.origin {
            item = item.setting(list.time(row.modified, at: path), at: path)
        }
        return item
    }

    /// - Parameter operation: what was asked for, which may have a place and a shape of its own.
    func objectAnswer(
        _ status: Int, _ row: SourceTable.Row, _ resource: Resource, _ operation: Operation? = nil
    ) -> SourceAnswer {
        var object = item(row, resource, operation?.shape ?? .whole)
        if let path = operation?.id {
            // No object, only where it is.
            let id = resource.id.first(in: .object(row.members)) ?? .null
            object = path.steps.isEmpty ? id : Value.object([:]).setting(id, at: path)
        }
        var answer: SourceAnswer
        if let path = operation?.item ?? resource.item, !path.steps.isEmpty {
            answer = SourceAnswer(status, Value.object([:]).setting(object, at: path))
        } else {
            answer = SourceAnswer(status, object, .object)
        }
        if let name = resource.version.header { answer.headers[name] = row.versionText(resource) }
        return answer
    }

    private func deleteMark(_ row: SourceTable.Row, _ resource: Resource) -> Value {
        guard let path = resource.deletes.field, resource.type(at: path)?.isMoment == true else { return true }
        return resource.time(row.modified, at: path)
    }
}

extension SourceTable.Row {
    /// Sets what only the server sets: identifier, times, version, parents.
    mutating func stamp(_ resource: Resource, id: Value, parents: [(field: String, value: Value)], isNew: Bool) {
        var object = Value.object(members).setting(id, at: resource.id)
        for (field, value) in parents { object = object.setting(value, at: resource.mapping.path(of: field)) }
        if isNew {
            for name in ["created", "created_at"] where resource.readonly.contains(name) {
                let path = resource.mapping.path(of: name)
                object = object.setting(resource.time(modified, at: path), at: path)
            }
        }
        for path in resource.timePaths { object = object.setting(resource.time(modified, at: path), at: path) }
        if let path = resource.version.field, !resource.timePaths.contains(path) {
            object = object.setting(resource.versionValue(version), at: path)
        }
        members = object.members ?? members
    }

    /// The token that `If-Match` is compared with.
    func versionText(_ resource: Resource) -> String? {
        if let path = resource.version.field { return path.first(in: .object(members))?.scalarText }
        guard resource.version.header != nil else { return nil }
        return resource.versionQuotes == .add ? "\(version)" : "\"\(version)\""
    }
}

extension Resource {
    /// A time of the server's clock as the member at a place writes it.
    func time(_ microseconds: Int64, at path: JSONPath) -> Value {
        guard let type = type(at: path), type.decimalsOfSecond != nil else {
            return .string(SourceTime.text(microseconds: microseconds))
        }
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return type.value(of: Instant(seconds: seconds, nanoseconds: Int32(rest) * 1000))
    }

    /// Members that hold the time of the last change.
    var timePaths: [JSONPath] {
        var paths: [JSONPath] = []
        if case .field(let path)? = since?.origin { paths.append(path) }
        if let time = conflict.time { paths.append(mapping.path(of: time)) }
        if let path = version.field, type(at: path)?.isMoment == true { paths.append(path) }
        return paths
    }

    /// A number, or an entity tag in quotes where it goes into `If-Match` (RFC 9110 §8.8.3).
    func versionValue(_ version: Int64) -> Value {
        if case .ifMatch = self.version { return .string(versionQuotes == .add ? "\(version)" : "\"\(version)\"") }
        if let path = self.version.field, type(at: path) == .string { return .string(String(version)) }
        return .number(JSONNumber(version))
    }

    /// Fields whose values in a body are not taken over.
    func isServerSet(_ name: String) -> Bool {
        if readonly.contains(name) { return true }
        let path = mapping.path(of: name)
        if id == path { return assigned == .server }
        return timePaths.contains(path) || version.field == path || deletes.field == path && !isDeletedByValue
    }

    /// A member that says other things as well tells of a delete, such as a status; a client may set it.
    var isDeletedByValue: Bool { deletes.equals.map { $0 != true } ?? false }

    /// What a partial answer holds: whatever tells objects and their versions apart.
    func summary(of object: Value) -> Value {
        var paths = [id] + timePaths + [version.field, deletes.field].compactMap(\.self)
        paths += (parents.map(\.field) + [lookup?.field].compactMap(\.self)).map(mapping.path(of:))
        var summary = Value.object([:])
        for path in paths {
            if let value = path.first(in: object) { summary = summary.setting(value, at: path) }
        }
        return summary
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
