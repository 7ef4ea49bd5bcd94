internal import Atmosphere

extension SourceState {
    /// An action that the API's family gives no meaning sets its arguments as members, and answers the object; one that
    /// names no object does nothing.
    mutating func perform(
        _ action: Action, _ match: SourceRoutes.Match, _ request: SourceRequest
    ) throws(SourceRefusal) -> SourceAnswer {
        if let answer = try api.style.perform(action, match, request, &self) { return answer }
        let resource = match.resource
        guard !match.fields.isEmpty else {
            _ = try parents(of: match)
            return SourceAnswer(204)
        }
        let row = try self.row(match)
        if action.method == "GET" { return objectAnswer(200, row, resource) }
        try checkLease(on: row, request, resource)
        var members = request.body.isEmpty ? Value.Members() : try body(of: request, resource)
        for parameter in request.query where action.query.contains(parameter.name) {
            members[parameter.name] = .string(parameter.value)
        }
        var changed = row
        var view = resource.view(row.members)
        for member in members where !resource.isID(member.name) { view[member.name] = member.value }
        changed.members = resource.members(view, over: row.members)
        touch(&changed, resource)
        try api.codings.check(item(changed, resource), resource, status: api.invalidStatus)
        tables[resource.name]?.put(changed)
        return objectAnswer(200, changed, resource)
    }

    /// A new version and modification time.
    mutating func touch(_ row: inout SourceTable.Row, _ resource: Resource) {
        row.modified = tick()
        row.version += 1
        let id = resource.id.first(in: .object(row.members)) ?? .string(row.key)
        row.stamp(resource, id: id, parents: [], isNew: false)
    }
}
