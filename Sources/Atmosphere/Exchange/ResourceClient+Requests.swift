extension ResourceClient {
    // MARK: Lists

    /// The first page of a list.
    ///
    /// - Parameter cursor: what to ask for changes since; nil for everything.
    func firstPage(of resource: Resource, at place: ObjectPlace, cursor: String?) throws -> RequestTarget {
        var target = RequestTarget(path: try place.filled(resource.list.path, for: resource))
        target.append(resource.list.query)
        if let since = resource.since, let cursor {
            target.append(since.query)
            target.set(since.parameter, since.value(from: cursor))
        }
        switch resource.paging {
        case .none: break
        case .number(let parameter, let first, let size, _):
            target.set(parameter, String(first))
            if let size { target.set(size.parameter, String(size.value)) }
        case .offset(let parameter, let size, _):
            target.set(parameter, "0")
            target.set(size.parameter, String(size.value))
        case .bodyLink(_, let size), .token(_, _, let size):
            if let size { target.set(size.parameter, String(size.value)) }
        }
        return target
    }

    func listRequest(_ resource: Resource, _ target: RequestTarget) throws -> Request {
        try request(resource.list.method, target, resource)
    }

    /// A list filtered by the lookup field; every page is not needed, for the field is unique.
    func lookUpRequest(_ resource: Resource, at place: ObjectPlace, value: String) throws -> Request {
        guard let lookup = resource.lookup else { return try readRequest(resource, at: place) }
        var target = RequestTarget(path: try place.filled(resource.list.path, for: resource))
        target.append(resource.list.query)
        target.set(lookup.parameter, value)
        return try request(resource.list.method, target, resource)
    }

    // MARK: Single objects

    func readRequest(_ resource: Resource, at place: ObjectPlace) throws -> Request {
        var target = RequestTarget(path: try place.filled(resource.read.path, for: resource))
        target.append(resource.read.query)
        return try request(resource.read.method, target, resource)
    }

    /// The request that sends one change.
    func writeRequest(
        _ verb: Planner.Verb, _ resource: Resource, at place: ObjectPlace, record: ObjectRecord?, meta: MetaObject
    ) throws -> Request {
        let operation = resource.operation(verb)
        var target = RequestTarget(path: try place.filled(operation.path, for: resource))
        target.append(operation.query)
        var request = try request(operation.method, target, resource)
        if let record, operation.body != .none {
            let planner = Planner(resource)
            let never = resource.neverSent.union(resource.parentFields(in: operation.path))
            var members = record.members
            if verb == .update, operation.body == .changed, let base = meta.confirmed?.base {
                var changed = Value.Members()
                for name in planner.changedMembers(base: base, record: record) {
                    changed[name] = members[name] ?? .null
                }
                members = changed
            }
            for name in never { members[name] = nil }
            var body = Value.object(members)
            if let root = resource.writeRoot { body = .object([root: body]) }
            request.body = .bytes(body.json())
            request.headers["Content-Type"] = "application/json"
        }
        switch verb {
        case .create:
            if let header = operation.idempotencyHeader, let key = meta.outgoing?.idempotencyKey {
                request.headers[header] = key
                request.mayRepeat = true
            }
        case .update, .delete:
            if case .ifMatch = resource.version, let version = meta.confirmed?.version, !version.hasPrefix("W/") {
                request.headers["If-Match"] = version
            }
        }
        return request
    }

    /// A request of a declared action: arguments go where the action says.
    func actionRequest(
        _ action: Action, _ resource: Resource, at place: ObjectPlace, arguments: Value.Members
    ) throws -> Request {
        var target = RequestTarget(path: try place.filled(action.path, for: resource))
        var body = Value.Members()
        for argument in arguments {
            if action.query.contains(argument.name) {
                target.set(argument.name, argument.value.text)
            } else {
                body[argument.name] = argument.value
            }
        }
        var request = try request(action.method, target, resource)
        request.mayRepeat = action.mayRepeat
        if !body.isEmpty {
            request.body = .bytes(Value.object(body).json())
            request.headers["Content-Type"] = "application/json"
        }
        return request
    }

    /// A request as the application writes it; `path` is relative to the base and already encoded.
    func rawRequest(method: String, path: String, body: Value?) throws -> Request {
        let target = try RequestTarget(
            link: path.hasPrefix("/") ? String(path.dropFirst()) : path, base: routeFile.base,
            current: RequestTarget(path: ""))
        var request = Request(method: method, url: target.url(base: routeFile.base))
        request.headers["Accept"] = "application/json"
        if let body {
            request.body = .bytes(body.json())
            request.headers["Content-Type"] = "application/json"
        }
        return request
    }

    private func request(_ method: String, _ target: RequestTarget, _ resource: Resource) throws -> Request {
        var request = Request(method: method, url: target.url(base: routeFile.base))
        request.headers["Accept"] = try extractor(for: resource).accept
        return request
    }
}

extension Resource {
    func operation(_ verb: Planner.Verb) -> Operation {
        switch verb {
        case .create: create
        case .update: update
        case .delete: delete
        }
    }

    /// Members that only say what the path says already.
    func parentFields(in path: PathTemplate) -> Set<String> {
        let named = path.parentEntities
        return Set(parents.filter { named.contains($0.entity) }.map(\.field))
    }
}

extension Since {
    /// The cursor as it is sent: the server's own lexeme, or an instant moved back by the overlap.
    func value(from cursor: String) -> String {
        guard overlap > .zero, let instant = Instant(cursor) else { return cursor }
        return instant.moved(by: .zero - overlap).description
    }
}
