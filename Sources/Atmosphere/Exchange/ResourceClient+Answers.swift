extension ResourceClient {
    // MARK: Pages

    func selectors(for resource: Resource, at place: ObjectPlace, isList: Bool) -> Selectors {
        var selectors = Selectors(id: resource.id)
        selectors.isList = isList
        selectors.items = isList ? resource.items : nil
        selectors.itemRoot = resource.readRoot
        if case .ifMatch(.field(let path), _) = resource.version { selectors.version = path }
        if case .token(.field(let path), _) = resource.version { selectors.version = path }
        selectors.deleted = resource.deletes.field
        selectors.deletedEquals = resource.deletes.equals
        selectors.lookup = resource.lookup.map { .member($0.field) }
        selectors.types = resource.fields.types
        selectors.limits = routeFile.limits.json
        for parent in resource.parents {
            guard let id = place.parents[parent.entity]?.id else { continue }
            selectors.additions.append(.init(name: parent.field, value: id.value))
        }
        if resource.isUniquePerParent {
            let ids = resource.parents.compactMap { place.parents[$0.entity]?.id.text }
            selectors.idPrefix = ids.map { PercentEncoding.segment($0) + "/" }.joined()
        }
        guard isList else { return selectors }
        switch resource.since?.origin {
        case .field(let path): selectors.cursor = path
        case .body(let path): selectors.pageCursor = path
        case .responseDate, .header, nil: break
        }
        switch resource.paging {
        case .none: break
        case .number(_, _, _, let total), .offset(_, _, let total): selectors.total = total
        case .bodyLink(let next, _), .token(let next, _, _): selectors.next = next
        }
        return selectors
    }

    /// What the first page says the cursor will be, apart from fields of its items.
    func cursor(from reply: Reply, page: Page, of resource: Resource) -> String? {
        switch resource.since?.origin {
        case .responseDate: reply.headers["Date"].flatMap(HTTPDate.parse).map(\.description)
        case .header(let name): reply.headers[name]
        case .body: page.cursor
        case .field, nil: nil
        }
    }

    // MARK: Single objects

    /// What a successful answer says of the object; nil where it says nothing that can be used.
    func representation(
        in reply: Reply, of resource: Resource, at place: ObjectPlace, sequence: Int64
    ) -> Planner.Representation? {
        let header = reply.headers["ETag"]
        var found = Planner.Representation(record: nil, id: nil, version: nil, sequence: sequence)
        let selectors = selectors(for: resource, at: place, isList: false)
        if !reply.body.isEmpty, let extractor = extractors[resource.format],
            let page = try? extractor.page(in: reply.body, selectors), let item = page.items.first
        {
            found.record = page.record(item)
            found.id = item.id.objectID
            found.version = item.version.map { page.text($0) }
        } else if let location = reply.headers["Location"],
            let last = location.split(separator: "?")[0].split(separator: "/").last
        {
            found.id = ObjectID((selectors.idPrefix ?? "") + PercentEncoding.decode(String(last)))
        } else {
            return nil
        }
        switch resource.version {
        case .ifMatch(.header(let name), _), .token(.header(let name), _): found.version = reply.headers[name] ?? header
        default: break
        }
        return found
    }

    // MARK: Refusals

    /// What a status means and what the body says, by the route file's error rules.
    func failure(in reply: Reply, of resource: Resource?) -> (MetaObject.Failure, ErrorRules.Treatment) {
        let rules = resource?.errors ?? ErrorRules()
        let body = try? resource.flatMap { extractors[$0.format] }?
            .value(in: reply.body, limits: routeFile.limits.json)
        var failure = MetaObject.Failure(status: reply.status, message: "")
        if let body {
            let fields = (rules.fields.map { $0.first(in: body) } ?? body)?.members
            for member in fields ?? [:] {
                for message in Self.messages(member.value) {
                    if rules.general.contains(member.name) {
                        if failure.message.isEmpty { failure.message = message }
                    } else {
                        failure.fields.append(.init(field: member.name, message: message))
                    }
                }
            }
            if failure.message.isEmpty {
                failure.message =
                    rules.messages.lazy.compactMap { $0.first(in: body) }
                    .compactMap { Self.messages($0).first }.first ?? ""
            }
        }
        if failure.message.isEmpty {
            failure.message =
                failure.fields.isEmpty
                ? "the server answered \(reply.status) \(Self.reason(reply.status))"
                : failure.fields.map { "\($0.field): \($0.message)" }.joined(separator: "; ")
        }
        failure.message = String(failure.message.prefix(1000))
        let rule = rules.rules.first { rule in
            guard rule.statuses.isEmpty || rule.statuses.contains(reply.status) else { return false }
            guard let path = rule.path else { return true }
            guard let value = body.flatMap({ path.first(in: $0) }) else { return false }
            return rule.values.isEmpty || rule.values.contains(value)
        }
        return (failure, rule?.treatment ?? Self.treatment(of: reply.status))
    }

    /// What a status means where the route file says nothing (RFC 9110 §15, RFC 6585).
    static func treatment(of status: Int) -> ErrorRules.Treatment {
        switch status {
        case 401: .unauthorized
        case 404, 410: .gone
        case 409, 412: .conflict
        case 429, 503: .wait
        case 408, 425, 500...599: .retry
        default: .reject
        }
    }

    /// The texts of a message, a list of messages or an object that holds some.
    private static func messages(_ value: Value) -> [String] {
        switch value {
        case .string(let text): text.isEmpty ? [] : [text]
        case .array(let elements): elements.flatMap(messages)
        case .object(let members):
            (members["message"] ?? members["title"]).map(messages) ?? members.flatMap { messages($0.value) }
        case .number(let number): [number.lexeme]
        case .null, .bool: []
        }
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 300..<400: "(a redirect)"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 410: "Gone"
        case 412: "Precondition Failed"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: ""
        }
    }
}
