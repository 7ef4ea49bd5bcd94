package import Atmosphere

/// A REST API in memory: requests in, answers out, nothing else. Time comes with each call.
package struct SourceState: Sendable {
    let api: SourceAPI
    let rules: SourceRules
    let routes: SourceRoutes
    var tables: [String: SourceTable]
    /// The last modification time that was given out, in microseconds; times only grow, whatever the clock says.
    private var lastTick: Int64 = 0
    /// Microseconds since 1970, for the request that is being answered.
    var now: Int64 = 0
    /// Objects are being generated.
    var isSeeding = false
    /// The edit leases that were given, by object; some have run out.
    var leases: [ObjectURI: SourceLease] = [:]
    /// What was uploaded.
    var contents = SourceContents()
    /// What the token endpoint has given out.
    var grants = SourceGrants()

    package init(_ api: SourceAPI, rules: SourceRules = SourceRules()) {
        self.api = api
        self.rules = rules
        routes = SourceRoutes(api)
        tables = Dictionary(uniqueKeysWithValues: api.resources.map { ($0.name, SourceTable($0)) })
        seed()
    }

    /// Answers a request.
    ///
    /// - Parameter origin: `http://127.0.0.1:8080`, for links in the answer.
    package mutating func answer(_ request: SourceRequest, at time: Timestamp, origin: String = "") -> SourceAnswer {
        setTime(time)
        // Without a resource the first one's shape speaks for the API.
        var resource = api.resources.first
        var answer: SourceAnswer
        do throws(SourceRefusal) {
            answer = try self.answer(request, origin: origin, &resource)
        } catch {
            answer = words(error, resource)
        }
        api.codings.write(&answer, resource)
        answer.headers["Date"] = SourceTime.httpDate(microseconds: now)
        if ["GET", "HEAD"].contains(request.method), answer.status == 200 { answer.compare(with: request) }
        if request.method == "HEAD" { answer.omitsBody = true }
        return answer
    }

    /// A refusal as the API says it.
    func words(_ refusal: SourceRefusal, _ resource: Resource? = nil) -> SourceAnswer {
        let resource = resource ?? api.resources.first
        var answer = api.style.answer(refusal) ?? (resource?.errors ?? ErrorRules()).answer(refusal)
        api.codings.write(&answer, resource)
        return answer
    }

    private mutating func answer(
        _ request: SourceRequest, origin: String, _ resource: inout Resource?
    ) throws(SourceRefusal) -> SourceAnswer {
        if let token = tokenAnswer(request) { return token }
        if let answer = authorizationAnswer(request, origin: origin) { return answer }
        if let answer = sessionAnswer(request) { return answer }
        try authenticate(request)
        guard request.body.count <= rules.maximumBodyBytes else {
            throw .general(status: 413, "The body has more than \(rules.maximumBodyBytes) bytes.")
        }
        if let identity = identityAnswer(request) {
            if case .match(let match) = routes.find(request) { resource = match.resource } else { resource = nil }
            return identity
        }
        if let content = try contentAnswer(request, &resource) { return content }
        switch routes.find(request) {
        case .nothing: throw .unknownPath
        case .otherMethods(let methods):
            throw .general(
                status: 405, "Method \"\(request.method)\" not allowed.",
                headers: ["Allow": methods.joined(separator: ", ")])
        case .match(var match):
            resource = match.resource
            api.style.resolve(&match, self)
            try api.style.check(match, request, self)
            return try answer(match, request, origin: origin)
        }
    }

    private mutating func answer(
        _ match: SourceRoutes.Match, _ request: SourceRequest, origin: String
    ) throws(SourceRefusal) -> SourceAnswer {
        switch match.target {
        case .verb(.list), .tombstones: try list(match, request, origin: origin)
        case .verb(.read):
            objectAnswer(
                200, try row(match, showsDeleted: api.style.showsDeleted), match.resource, match.resource.read)
        case .verb(.create): try create(match, request, origin: origin)
        case .verb(.update): try update(match, request, origin: origin)
        case .verb(.delete): try delete(match, request)
        case .action(let action): try perform(action, match, request)
        case .batch(let batch): try perform(batch, match, request)
        case .lease(let lease, let verb): try perform(verb, of: lease, match, request)
        case .content(let attachment, let verb): try perform(verb, of: attachment, match, request)
        }
    }

    private func identityAnswer(_ request: SourceRequest) -> SourceAnswer? {
        guard let identity = api.identity, ["GET", "HEAD"].contains(request.method) else { return nil }
        let path = identity.path.hasPrefix("/") ? identity.path : "/" + identity.path
        guard request.path == api.basePath + path else { return nil }
        return SourceAnswer(200, Value.object([:]).setting(.string(rules.user), at: identity.field))
    }

    // MARK: Time

    /// The time of what comes now, and of its changes (``changes()``).
    mutating func setTime(_ time: Timestamp) {
        now = time.milliseconds * 1000
        for resource in api.resources { tables[resource.name]?.forgetChanges() }
    }

    /// A modification time that no other change has.
    mutating func tick() -> Int64 {
        lastTick = max(now, lastTick + 1)
        return lastTick
    }

    /// A time that every later change is behind.
    mutating func cursorNow() -> Int64 { tick() }

    // MARK: Objects

    func row(_ match: SourceRoutes.Match, showsDeleted: Bool = false) throws(SourceRefusal) -> SourceTable.Row {
        let (resource, parents) = (match.resource, try self.parents(of: match))
        guard let id = match.fields["id"] ?? match.fields.first?.value else { throw .notFound }
        let key = resource.key(id: id, parents: parents)
        guard let row = tables[resource.name]?.any(key), !isElsewhere(row, parents, resource) else { throw .notFound }
        if row.isDeleted, !showsDeleted {
            throw .general(status: rules.deletedStatus, rules.deletedStatus == 410 ? "Gone." : "Not found.")
        }
        return row
    }

    /// The identifiers in the path of a resource's declared parents, by their place; nil where the path has none.
    ///
    /// - Throws: 404 where a parent does not exist.
    func parents(of match: SourceRoutes.Match) throws(SourceRefusal) -> [String?] {
        var found: [String?] = []
        for reference in match.resource.parents {
            guard let (field, value) = match.parents[reference.entity] else {
                found.append(nil)
                continue
            }
            guard let resource = api.resource(reference.entity), let table = tables[reference.entity] else {
                found.append(value)
                continue
            }
            let isID = field == "id" || resource.id == resource.mapping.path(of: field)
            let parent =
                isID
                ? table[resource.key(id: value, parents: Array(found.prefix(resource.parents.count)))]
                : table.rows.first { !$0.isDeleted && resource.value(field, in: $0.members)?.scalarText == value }
            guard let parent else { throw .notFound }
            found.append(resource.id.first(in: .object(parent.members))?.scalarText ?? value)
        }
        return found
    }

    /// The row is not below the parents that the path names.
    func isElsewhere(_ row: SourceTable.Row, _ parents: [String?], _ resource: Resource) -> Bool {
        zip(row.parents, parents).contains { $1 != nil && $0 != $1 }
    }
}

extension Resource {
    /// What a row is filed under: the identifier, or as ``ObjectURI`` writes one that is unique per parent.
    func key(id: String, parents: [String?]) -> String {
        guard isUniquePerParent else { return id }
        return ObjectURI(entity: name, segments: parents.map { $0 ?? "" } + [id]).id
    }
}
