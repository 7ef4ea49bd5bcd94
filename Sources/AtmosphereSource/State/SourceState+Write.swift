internal import Atmosphere

extension SourceState {
    /// - Parameter origin: for `Location` (RFC 9110 §10.2.2).
    mutating func create(
        _ match: SourceRoutes.Match, _ request: SourceRequest, origin: String
    ) throws(SourceRefusal) -> SourceAnswer {
        let (row, status) = try created(match, request)
        var answer = objectAnswer(status, row, match.resource, match.resource.create)
        if status != 200 { answer.headers["Location"] = location(of: row, match.resource, origin) }
        return answer
    }

    private mutating func created(
        _ match: SourceRoutes.Match, _ request: SourceRequest
    ) throws(SourceRefusal) -> (SourceTable.Row, status: Int) {
        let resource = match.resource
        let parents = try self.parents(of: match)
        let sent = try body(of: request, resource)
        let idempotencyKey = resource.idempotencyHeader.flatMap { request.headers[$0] }
        if let idempotencyKey, let key = tables[resource.name]?.keyOfIdempotencyKey[ScalarText(idempotencyKey)],
            let row = tables[resource.name]?[key]
        {
            return (row, api.style.createdStatus)
        }
        if resource.assigned == .client {
            let known = resource.id.first(in: .object(resource.members(sent)))
            guard let id = match.fields["id"].map(Value.string) ?? known,
                let text = id.scalarText, !text.isEmpty
            else {
                throw .fields(status: api.invalidStatus, [(resource.idName, "This field is required.")])
            }
            if let row = tables[resource.name]?[resource.key(id: text, parents: parents)] {
                guard request.method == "PUT" else { throw duplicate(resource, field: resource.idName) }
                if request.headers["If-None-Match"] == "*" {
                    throw .general(status: 412, "Precondition failed.")
                }
                try checkPrecondition(request, row, resource)
                return (try change(row, sent, resource, replaces: true), 200)
            }
            let row = try add(sent, id: id, parents: parents, resource, idempotencyKey, request)
            return (row, api.style.createdStatus)
        }
        let row = try add(sent, id: nil, parents: parents, resource, idempotencyKey, request)
        return (row, api.style.createdStatus)
    }

    private func location(of row: SourceTable.Row, _ resource: Resource, _ origin: String) -> String? {
        guard resource.read.isOffered else { return nil }
        let path = resource.read.path.filled { part -> String? in
            switch part {
            case .literal(let text): text
            case .field("id"): resource.id.first(in: .object(row.members))?.scalarText
            case .field(let name): resource.value(name, in: row.members)?.scalarText
            case .parent(let entity, _):
                resource.parents.firstIndex { $0.entity == entity }.map { row.parents[$0] }
            }
        }
        return path.map { origin + api.basePath + ($0.hasPrefix("/") ? "" : "/") + $0 }
    }

    mutating func update(
        _ match: SourceRoutes.Match, _ request: SourceRequest, origin: String
    ) throws(SourceRefusal) -> SourceAnswer {
        let resource = match.resource
        if resource.assigned == .client, request.method == "PUT", let id = match.fields["id"],
            tables[resource.name]?[resource.key(id: id, parents: try parents(of: match))] == nil,
            resource.create.method == "PUT"
        {
            return try create(match, request, origin: origin)
        }
        let row = try self.row(match)
        try checkLease(on: row, request, resource)
        try checkPrecondition(request, row, resource)
        let sent = try body(of: request, resource)
        let trash = resource.fields(inBody: resource.delete.set)
        if !trash.isEmpty, trash.allSatisfy({ sent[$0.name] == $0.value }) {
            // A delete that is written as an update.
            return try delete(row, resource)
        }
        let replaces = request.method == "PUT" || (request.method == "POST" && resource.update.body == .whole)
        let changed = try change(row, sent, resource, replaces: replaces)
        guard let path = resource.deletes.field, resource.isDeletedByValue,
            path.first(in: .object(changed.members)) == resource.deletes.equals
        else { return objectAnswer(200, changed, resource, resource.update) }
        return try delete(changed, resource)
    }

    mutating func delete(_ match: SourceRoutes.Match, _ request: SourceRequest) throws(SourceRefusal) -> SourceAnswer {
        let row = try self.row(match)
        try checkLease(on: row, request, match.resource)
        try checkPrecondition(request, row, match.resource)
        return try delete(row, match.resource)
    }

    private mutating func delete(
        _ row: SourceTable.Row, _ resource: Resource
    ) throws(SourceRefusal) -> SourceAnswer {
        try api.style.willDelete(row, resource, &self)
        remove(resource.name, row.key)
        return SourceAnswer(204)
    }

    // MARK: Rows

    mutating func add(
        _ sent: Value.Members, id: Value?, parents: [String?], _ resource: Resource, _ idempotencyKey: String? = nil,
        _ request: SourceRequest? = nil
    ) throws(SourceRefusal) -> SourceTable.Row {
        let key = try insert(
            sent, id: id, parents: parents, resource, idempotencyKey, isRequested: request != nil)
        try api.style.didCreate(key, resource, request, &self)
        guard let row = tables[resource.name]?[key] else { throw .notFound }
        return row
    }

    private mutating func insert(
        _ sent: Value.Members, id: Value?, parents: [String?], _ resource: Resource, _ idempotencyKey: String?,
        isRequested: Bool
    ) throws(SourceRefusal) -> String {
        let taken = try api.style.accepted(sent, over: nil, resource, at: now)
        var view = Value.Members(taken.filter { !resource.isServerSet($0.name) })
        let resolved = try resolve(parents, &view, resource)
        try validate(view, resource, replaces: true, key: nil)
        let contents = adopted(&view, resource)
        let members = resource.members(view)
        guard var table = tables[resource.name] else { throw .notFound }
        tables[resource.name] = nil
        defer { tables[resource.name] = table }
        let ordinal = table.nextOrdinal()
        let id =
            id ?? rules.makeID?(resource.name, ordinal) ?? api.style.makeID(resource, ordinal)
            ?? SourceRules.number(resource, ordinal: ordinal)
        let key = resource.key(id: id.scalarText ?? String(ordinal), parents: resolved.map(\.text))
        // The identifier stands first, as servers write it.
        var ordered = Value.object([:]).setting(id, at: resource.id).members ?? [:]
        for member in members where ordered[member.name] == nil { ordered[member.name] = member.value }
        var row = SourceTable.Row(
            key: key, parents: resolved.map(\.text), members: ordered, modified: tick(), ordinal: ordinal)
        row.contents = contents
        if isRequested { row.sent = Self.content(of: sent, parents: row.parents, resource) }
        row.stamp(resource, id: id, parents: resolved.map { ($0.field, $0.value) }, isNew: true)
        try api.codings.check(item(row, resource), resource, status: api.invalidStatus)
        table.put(row)
        if let idempotencyKey { table.keyOfIdempotencyKey[ScalarText(idempotencyKey)] = key }
        return key
    }

    private mutating func change(
        _ row: SourceTable.Row, _ sent: Value.Members, _ resource: Resource, replaces: Bool
    ) throws(SourceRefusal) -> SourceTable.Row {
        var isIgnored = false
        if case .token(.field(let path), _) = resource.version {
            isIgnored = resource.readonly.contains(path.firstMember ?? "")
        }
        if let path = resource.version.sentInBody,
            let known = path.first(in: .object(resource.members(sent)))?.scalarText, !isIgnored,
            known != row.versionText(resource)
        {
            throw .general(status: 409, "Conflict")
        }
        let changed = try self.changed(row, by: sent, resource, replaces: replaces)
        tables[resource.name]?.put(changed)
        api.style.didChange(changed, resource, &self)
        return changed
    }

    /// The row with members merged, or replaced but for what only the server sets.
    mutating func changed(
        _ row: SourceTable.Row, by sent: Value.Members, _ resource: Resource, replaces: Bool
    ) throws(SourceRefusal) -> SourceTable.Row {
        let sent = try api.style.accepted(sent, over: row, resource, at: now)
            .filter { !resource.isServerSet($0.name) }
        var row = row
        let id = resource.id.first(in: .object(row.members)) ?? .string(row.key)
        var view = resource.view(row.members)
        if replaces {
            view = Value.Members(
                view.filter {
                    resource.isServerSet($0.name) || resource.isID($0.name) || resource.isParent($0.name)
                })
        }
        for member in sent where !resource.isID(member.name) { view[member.name] = member.value }
        // A changed parent moves the object; where identifiers are unique per parent, that is another object.
        let fixed: [String?] = resource.isUniquePerParent ? row.parents : row.parents.map { _ in nil }
        let resolved = try resolve(fixed, &view, resource)
        try validate(view, resource, replaces: replaces, key: row.key)
        row.contents.merge(adopted(&view, resource)) { _, new in new }
        row.members = resource.members(view, over: row.members)
        row.parents = resolved.map(\.text)
        row.modified = tick()
        row.version += 1
        row.stamp(resource, id: id, parents: resolved.map { ($0.field, $0.value) }, isNew: false)
        try api.codings.check(item(row, resource), resource, status: api.invalidStatus)
        return row
    }

    /// Deletes an object and, as databases do, what is below it.
    mutating func remove(_ entity: String, _ key: String) {
        guard let row = tables[entity]?[key], let resource = api.resource(entity) else { return }
        let id = resource.id.first(in: .object(row.members))?.scalarText ?? key
        let modified = tick()
        tables[entity]?.delete(key, modified: modified)
        leases[ObjectURI(entity: entity, id: key)] = nil
        for child in api.resources {
            guard let place = child.parents.firstIndex(where: { $0.entity == entity }) else { continue }
            let below = tables[child.name]?.rows.filter { below in
                !below.isDeleted && below.parents[place] == id
                    && (!resource.isUniquePerParent || below.parents[..<place].elementsEqual(row.parents.prefix(place)))
            }
            for row in below ?? [] { remove(child.name, row.key) }
        }
    }

    // MARK: Checks

    private func checkPrecondition(
        _ request: SourceRequest, _ row: SourceTable.Row, _ resource: Resource
    ) throws(SourceRefusal) {
        guard let condition = request.headers["If-Match"], case .ifMatch = resource.version,
            let token = row.versionText(resource)
        else { return }
        func bare(_ text: some StringProtocol) -> String { String(text.filter { $0 != "\"" && $0 != " " }) }
        let isMet = condition == "*" || condition.split(separator: ",").contains { bare($0) == bare(token) }
        guard isMet else { throw .general(status: 412, "Precondition failed.") }
    }

    /// The parents' identifiers: from the path, else from the member that shows them.
    private func resolve(
        _ path: [String?], _ members: inout Value.Members, _ resource: Resource
    ) throws(SourceRefusal) -> [(field: String, text: String, value: Value)] {
        var resolved: [(field: String, text: String, value: Value)] = []
        for (reference, named) in zip(resource.parents, path) {
            guard let text = named ?? members[reference.field]?.scalarText else {
                throw .fields(status: api.invalidStatus, [(reference.field, "This field is required.")])
            }
            guard let parent = api.resource(reference.entity) else {
                resolved.append((reference.field, text, .string(text)))
                continue
            }
            let key = parent.key(id: text, parents: Array(resolved.prefix(parent.parents.count)).map(\.text))
            guard let row = tables[reference.entity]?[key] else { throw unknown(reference, text) }
            resolved.append((reference.field, text, parent.id.first(in: .object(row.members)) ?? .string(text)))
        }
        return resolved
    }

    private func validate(
        _ members: Value.Members, _ resource: Resource, replaces: Bool, key: String?
    ) throws(SourceRefusal) {
        try api.style.validate(members, resource, invalidStatus: api.invalidStatus)
        for reference in resource.references where !resource.parents.contains(reference) {
            guard let text = members[reference.field]?.scalarText, let other = api.resource(reference.entity),
                !other.isUniquePerParent
            else { continue }
            if tables[reference.entity]?[text] == nil { throw unknown(reference, text) }
        }
        if let field = resource.lookup?.field, let text = members[field]?.scalarText,
            let other = tables[resource.name]?.key(lookup: text), other != key
        {
            throw duplicate(resource, field: field)
        }
    }

    private func unknown(_ reference: Reference, _ text: String) -> SourceRefusal {
        .fields(
            status: api.invalidStatus, [(reference.field, "Invalid pk \"\(text)\" - object does not exist.")])
    }

    private func duplicate(_ resource: Resource, field: String) -> SourceRefusal {
        let status = resource.duplicate?.statuses.first ?? api.invalidStatus
        let message = "\(resource.name) with this \(field) already exists."
        guard let duplicate = resource.duplicate, duplicate.field == nil else {
            return .fields(status: status, [(resource.duplicate?.field ?? field, message)])
        }
        return .general(status: status, message)
    }
}

extension Resource {
    /// The identifier's field, for messages.
    var idName: String { mapping.name(at: id) ?? id.firstMember ?? "id" }

    /// The field is the identifier, or holds it.
    func isID(_ name: String) -> Bool {
        let path = mapping.path(of: name)
        return path == id || path.steps.count == 1 && path.firstMember == id.firstMember
    }

    func isParent(_ name: String) -> Bool { parents.contains { $0.field == name } }
}
