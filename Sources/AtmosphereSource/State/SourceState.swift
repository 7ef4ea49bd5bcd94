package import Atmosphere

/// A REST API in memory: requests in, answers out, nothing else. Time comes with each call.
package struct SourceState: Sendable {
    let api: SourceAPI
    let rules: SourceRules
    private let routes: SourceRoutes
    var tables: [String: SourceTable]
    /// The last modification time that was given out, in microseconds; times only grow, whatever the clock says.
    private var lastTick: Int64 = 0
    /// Microseconds since 1970, for the request that is being answered.
    var now: Int64 = 0

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
        var errors = api.resources.first?.errors ?? ErrorRules()
        var answer: SourceAnswer
        do throws(SourceRefusal) {
            try authenticate(request)
            guard request.body.count <= rules.maximumBodyBytes else {
                throw SourceRefusal.general(
                    status: 413, "The body has more than \(rules.maximumBodyBytes) bytes.")
            }
            if let identity = try identityAnswer(request) {
                answer = identity
            } else {
                switch routes.find(request) {
                case .nothing: throw SourceRefusal.notFound
                case .otherMethods(let methods):
                    throw SourceRefusal.general(
                        status: 405, "Method \"\(request.method)\" not allowed.",
                        headers: ["Allow": methods.joined(separator: ", ")])
                case .match(let match):
                    errors = match.resource.errors
                    answer = try self.answer(match, request, origin: origin)
                }
            }
        } catch {
            answer = errors.answer(error)
        }
        answer.headers["Date"] = SourceTime.httpDate(microseconds: now)
        return answer
    }

    private mutating func answer(
        _ match: SourceRoutes.Match, _ request: SourceRequest, origin: String
    ) throws(SourceRefusal) -> SourceAnswer {
        switch match.verb {
        case .list: try list(match, request, origin: origin)
        case .read: objectAnswer(200, try row(match), match.resource)
        case .create: try create(match, request)
        case .update: try update(match, request)
        case .delete: try delete(match, request)
        }
    }

    private func identityAnswer(_ request: SourceRequest) throws(SourceRefusal) -> SourceAnswer? {
        guard let identity = api.identity, request.method == "GET" else { return nil }
        let path = identity.path.hasPrefix("/") ? identity.path : "/" + identity.path
        guard request.path == api.basePath + path else { return nil }
        return SourceAnswer(200, Value.object([:]).setting(.string(rules.user), at: identity.field))
    }

    // MARK: Time

    mutating func setTime(_ time: Timestamp) { now = time.milliseconds * 1000 }

    /// A modification time that no other change has.
    mutating func tick() -> Int64 {
        lastTick = max(now, lastTick + 1)
        return lastTick
    }

    /// A time that every later change is behind.
    mutating func cursorNow() -> Int64 { tick() }

    // MARK: Objects

    func row(_ match: SourceRoutes.Match) throws(SourceRefusal) -> SourceTable.Row {
        let (resource, parents) = (match.resource, try self.parents(of: match))
        guard let id = match.fields["id"] ?? match.fields.first?.value else { throw .notFound }
        let key = resource.key(id: id, parents: parents)
        guard let row = tables[resource.name]?.any(key), !isElsewhere(row, parents, resource) else { throw .notFound }
        if row.isDeleted {
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
            let isID = field == "id" || resource.id == .member(field)
            let parent =
                isID
                ? table[resource.key(id: value, parents: Array(found.prefix(resource.parents.count)))]
                : table.rows.first { !$0.isDeleted && $0.members[field]?.scalarText == value }
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
