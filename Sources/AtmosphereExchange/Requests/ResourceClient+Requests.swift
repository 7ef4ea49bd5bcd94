extension ResourceClient {
    // MARK: Lists

    /// The first page of a list.
    ///
    /// - Parameter cursor: what to ask for changes since; nil for everything.
    package func firstPage(of resource: Resource, at place: ObjectPlace, cursor: String?) throws -> RequestTarget {
        var target = try listTarget(of: resource, at: place)
        if let since = resource.since, let cursor, let link = try followed(cursor, since, resource, after: target) {
            return link
        }
        if let since = resource.since, let cursor {
            target.append(since.query)
            target.put(since.parameter, .string(since.value(from: cursor)))
        } else if let since = resource.since {
            target.append(since.fullQuery)
        }
        beginPages(of: resource, &target)
        return target
    }

    /// What makes a list the one that it is: a cursor of another one means nothing for it.
    package func listSignature(of resource: Resource, at place: ObjectPlace) throws -> String {
        let first = try firstPage(of: resource, at: place, cursor: nil)
        let since = resource.since.map { " \($0.parameter)" } ?? ""
        let body = resource.list.bodyBesideQuery.map { "\n\(String(decoding: Value.object($0).json(), as: UTF8.self))" }
        let headers = try headersSignature(of: resource, at: place)
        return "\(resource.list.method) \(first.stored)\(since)\(body ?? "")\(headers)"
    }

    /// A digest of the headers that the route file declares for a list; nothing where there are none. What asks (`User-Agent`) is
    /// no part of what is asked for.
    private func headersSignature(of resource: Resource, at place: ObjectPlace) throws -> String {
        let own = try resource.list.headers.map { try place.filled($0, "header", for: resource) }
        // Those of the operation go before all others.
        let declared = Dictionary(
            (own + resource.headers).map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        let lines = declared.filter { $0.key != "user-agent" }.map { "\($0.key): \($0.value)" }.sorted()
        guard !lines.isEmpty else { return "" }
        var digest = SHA256Digest()
        digest.update(Array(lines.joined(separator: "\n").utf8))
        return "\n\(digest.finish())"
    }

    /// A cursor that is a link to what has changed since: it is followed as it is, for it says everything.
    ///
    /// - Returns: nil for a cursor that is no link of this API.
    /// - Throws: ``SyncError`` `unexpectedAnswer` where it leads to another list, or has no such parameter.
    private func followed(
        _ cursor: String, _ since: Since, _ resource: Resource, after list: RequestTarget
    ) throws -> RequestTarget? {
        guard RequestTarget.isAbsolute(cursor), let link = try? next(cursor, after: list) else { return nil }
        if link.isSameList(as: list), link.parameter(since.parameter) != nil { return link }
        let names = link.query.map(\.name.quoted).joined(separator: ", ")
        throw SyncError(
            code: .unexpectedAnswer,
            message:
                "the list of \(resource.name) gave a link to its changes, and “since.send: \(since.parameter)” is no "
                + "parameter of it, or “list.path” is not its path: it leads to \(told(link.path)) with "
                + "\(names.isEmpty ? "no parameter" : told(names))")
    }

    private func listTarget(of resource: Resource, at place: ObjectPlace) throws -> RequestTarget {
        var target = RequestTarget(path: try place.filled(resource.list.path, for: resource))
        target.body = resource.list.bodyOfParameters
        target.append(try resource.list.query.map { try place.filled($0, "query", for: resource) })
        return target
    }

    private func beginPages(of resource: Resource, _ target: inout RequestTarget) {
        switch resource.paging {
        case .none: break
        case .number(let parameter, let first, let size, _):
            target.put(parameter, .number(JSONNumber(first)))
            if let size { target.put(size.parameter, .number(JSONNumber(size.value))) }
        case .offset(let parameter, let size, _):
            target.put(parameter, 0)
            target.put(size.parameter, .number(JSONNumber(size.value)))
        case .bodyLink(_, let size, _), .headerLink(_, let size, _), .token(_, _, let size, _):
            if let size { target.put(size.parameter, .number(JSONNumber(size.value))) }
        }
    }

    /// The first page of a view.
    package func firstPage(of resource: Resource, in call: ViewCall, at place: ObjectPlace) throws -> RequestTarget {
        var place = place
        let members = call.parameters.map { Value.Member(name: $0.key, value: .string($0.value)) }
        place.record = resource.mapping.record(Value.Members(members), over: nil)
        place.id = call.parameters["id"]
        let path = call.view.path ?? resource.list.path
        var target = RequestTarget(path: try place.filled(path, for: resource))
        target.body = resource.list.bodyOfParameters
        target.append(try resource.list.query.map { try place.filled($0, "query", for: resource) })
        target.append(
            call.view.query.map { NamedText(name: $0.name, value: View.filled($0.value, call.parameters)) })
        beginPages(of: resource, &target)
        return target
    }

    /// - Parameters:
    ///   - tag: the entity tag that the same list had before; nil to ask whatever has changed.
    ///   - place: the list's, for the headers.
    package func listRequest(
        _ resource: Resource, _ target: RequestTarget, at place: ObjectPlace, tag: String? = nil
    ) throws -> Request {
        var request = try request(resource.list.method, target, resource)
        // A list changes nothing, whatever its method.
        request.mayRepeat = true
        request.isRead = true
        if let body = target.body ?? resource.list.bodyBesideQuery {
            try write(.object(body), root: nil, resource, into: &request)
        }
        try set(resource.list.headers, resource, at: place, in: &request)
        if let tag { request.headers["If-None-Match"] = tag }
        return request
    }

    /// A list filtered by the lookup field; every page is not needed, for the field is unique.
    ///
    /// What it finds decides whether a create is sent again, so it is asked as who sent that.
    package func lookUpRequest(_ resource: Resource, at place: ObjectPlace) throws -> Read {
        var read = try unsignedLookUp(resource, at: place)
        read.request.isRead = false
        return read
    }

    private func unsignedLookUp(_ resource: Resource, at place: ObjectPlace) throws -> Read {
        guard let lookup = resource.lookup, let parameter = lookup.parameter, !resource.looksUpByID else {
            return try readRequest(resource, at: place)
        }
        guard let text = place.record.flatMap({ resource.lookupValue(of: $0) }) else {
            throw SyncError(
                code: .wrongState,
                message: "what was sent has no \(lookup.field.quoted), by which it could be looked up; adopt, resend "
                    + "or discard it")
        }
        let value = lookup.prefix + lookup.quotes.around(text) + lookup.suffix
        if let path = lookup.path {
            var target = RequestTarget(path: try place.filled(path, for: resource))
            target.set(parameter, value)
            var request = try request("GET", target, resource)
            request.mayRepeat = true
            try set(resource.list.headers, resource, at: place, in: &request)
            return Read(request: request)
        }
        var target = try listTarget(of: resource, at: place)
        target.query.removeAll { lookup.without.contains($0.name) }
        target.put(parameter, .string(value))
        return Read(request: try listRequest(resource, target, at: place))
    }

    // MARK: Single objects

    /// - Throws: ``SyncError`` `wrongState` where the API reads no single objects: a request to anywhere else would be
    ///   answered with 404, which says that an object is gone.
    package func readRequest(_ resource: Resource, at place: ObjectPlace) throws -> Read {
        if let part = try batchRead(resource, at: place) {
            var request = try batchRequest([part], resource)
            request.isRead = true
            return Read(request: request, part: part)
        }
        guard resource.read.isOffered else {
            throw SyncError(
                code: .wrongState,
                message: "the API reads no single \(resource.name) (read: null in the route file); pull them instead")
        }
        var target = RequestTarget(path: try place.filled(resource.read.path, for: resource))
        target.append(try resource.read.query.map { try place.filled($0, "query", for: resource) })
        var request = try request(resource.read.method, target, resource)
        request.isRead = true
        try set(resource.read.headers, resource, at: place, in: &request)
        return Read(request: request, list: (resource.read.item ?? resource.item).flatMap { Self.list(around: $0) })
    }

    /// The request that sends one change.
    ///
    /// - Parameters:
    ///   - lease: the token of the object's edit lease.
    ///   - carries: gets the members of the body, before any root or coding.
    package func writeRequest(
        _ verb: Verb, _ resource: Resource, at place: ObjectPlace, record: ObjectRecord?, meta: MetaObject,
        lease: String? = nil, carries: ((Value.Members) -> Void)? = nil
    ) throws -> Request {
        var request = try unleasedRequest(verb, resource, at: place, record: record, meta: meta, carries: carries)
        if let lease, let header = resource.lease?.token?.header { request.headers[header] = lease }
        return request
    }

    private func unleasedRequest(
        _ verb: Verb, _ resource: Resource, at place: ObjectPlace, record: ObjectRecord?, meta: MetaObject,
        carries: ((Value.Members) -> Void)?
    ) throws -> Request {
        if case .action(let name) = verb {
            guard let action = resource.actions.first(where: { $0.name == name }) else {
                throw SyncError(code: .unknownName, message: "\(resource.name) has no action “\(name)” any more")
            }
            return try actionRequest(
                action, resource, at: place, arguments: action.arguments(of: record, resource.mapping), carries: carries
            )
        }
        let operation = resource.operation(verb)
        let target = try writeTarget(
            operation, resource, at: place, meta, says: verb == .update && !operation.sendsBody ? record : nil)
        var request = try request(operation.method, target, resource)
        if let body = try body(of: verb, resource, in: operation.path, record: record ?? place.record, meta: meta) {
            try write(.object(body), root: resource.writeRoot, resource, into: &request)
            carries?(body)
        }
        try set(operation.headers, resource, at: place, in: &request, version: try resource.sentVersion(of: meta))
        switch verb {
        case .create:
            // HTTP calls it safe, and each one makes an object all the same.
            if operation.method == "GET" { request.mayRepeat = false }
            if operation.isConditional { request.headers["If-None-Match"] = "*" }
            if let header = operation.idempotencyHeader, let key = meta.outgoing?.idempotencyKey {
                request.headers[header] = key
                request.mayRepeat = true
            }
        case .update, .delete, .action, .upload:
            if case .ifMatch = resource.version, resource.matchable(meta.confirmed?.version) != nil {
                request.headers["If-Match"] = try resource.sentVersion(of: meta)
            }
        }
        return request
    }

    /// Where a write goes.
    ///
    /// - Parameter said: what the query says of the object's members, for an update that has no body to say it; nil for what the
    ///   server last confirmed. The path is made of that in any case: the server knows the object by it.
    /// - Throws: ``SyncError`` `invalidRecord` where the path or the query needs what is not known.
    func writeTarget(
        _ operation: Operation, _ resource: Resource, at place: ObjectPlace, _ meta: MetaObject,
        says said: ObjectRecord? = nil
    ) throws -> RequestTarget {
        var target = RequestTarget(path: try place.filled(operation.path, for: resource))
        let version = try resource.sentVersion(of: meta)
        var place = place
        if let said { place.record = said }
        target.append(try operation.query.map { try place.filled($0, "query", for: resource, version: version) })
        return target
    }

    /// Headers of one operation, which go before all others.
    ///
    /// - Throws: ``SyncError`` `invalidRecord` where one needs what is not known.
    func set(
        _ headers: [NamedText], _ resource: Resource, at place: ObjectPlace, in request: inout Request,
        version: String? = nil
    ) throws {
        for header in headers {
            request.headers[header.name] = try place.filled(header, "header", for: resource, version: version).value
        }
    }

    /// The members that a write sends; nil where it has no body.
    ///
    /// - Parameter path: where they are sent; what it says of the parents is left out.
    /// - Throws: ``SyncError`` `invalidRecord` for an update that would erase what was not read.
    package func body(
        of verb: Verb, _ resource: Resource, in path: PathTemplate, record: ObjectRecord?, meta: MetaObject
    ) throws -> Value.Members? {
        let operation = resource.operation(verb)
        guard operation.sendsBody else { return nil }
        var members = Value.Members()
        if let record {
            let own = bodyNames(verb, resource, in: path, record: record, meta: meta)
            let written = try linked(verb == .create ? resource.unidentified(record) : record, resource)
            let others = operation.with.filter { !own.contains($0) }
            // Together, for they may share an object or a list.
            let names = own + others.filter { resource.mapping.value($0, in: written) != nil }
            if verb == .update, let confirmed = meta.confirmed {
                try resource.refuseStale(names, in: record, over: confirmed, of: meta.uri)
            }
            let held = resource.mapping.decoded(written)
            members =
                operation.body == .whole
                ? resource.mapping.wholeBody(
                    names, of: held, without: notCarried(verb, resource, in: path, record: record))
                : resource.mapping.body(names, of: held)
            if verb == .update, resource.updatesByMergePatch, let base = meta.confirmed?.base {
                let before = resource.mapping.decoded(try linked(base, resource))
                members.removeByNull(since: resource.mapping.body(names, of: before))
            }
            // The identifier goes also where the record does not hold it.
            if let id = resource.idField, others.contains(id), !names.contains(id) {
                members[id] = routeFile.wireID(of: meta.uri, meta.id.wireType).value
            }
        }
        if verb == .update { try resource.refuseErasing(members, of: meta.uri, [meta.confirmed?.base, record]) }
        if case .body(let path, _) = resource.version, verb != .create, let base = meta.confirmed?.base,
            let token = path.first(in: .object(base.members)), let names = path.memberNames
        {
            // What stands beside it would be erased without it.
            if operation.body == .whole, names.count > 1, members[names[0]] == nil {
                members[names[0]] = base[names[0]]
            }
            members.put(try resource.advanced(token, of: meta.uri), at: names)
        }
        members.overlay(operation.set)
        return members
    }

    /// The members whose values make the body of a write, apart from those that the operation adds.
    private func bodyNames(
        _ verb: Verb, _ resource: Resource, in path: PathTemplate, record: ObjectRecord, meta: MetaObject
    ) -> [String] {
        let operation = resource.operation(verb)
        guard operation.body != .none else { return [] }
        var names = resource.mapping.members(of: record).names
        if verb == .update, operation.body == .changed, let base = meta.confirmed?.base {
            names = ThreeWayMerge(resource).changedMembers(of: resource, base: base, record: record)
        }
        let never = notCarried(verb, resource, in: path, record: record)
        return names.filter { !never.contains($0) }
    }

    /// The members that the body of a write does not carry for the object's sake.
    private func notCarried(
        _ verb: Verb, _ resource: Resource, in path: PathTemplate, record: ObjectRecord
    ) -> MemberNames {
        var never = resource.neverSent.union(resource.parentFields(in: path))
        // It goes back with each update, and is the server's to give.
        if verb == .update, let field = resource.versionField, resource.version.path?.singleMember != nil {
            never.remove(field)
        }
        // One that is made anew has none of the old one's.
        if verb == .create, let path = resource.version.path, let field = resource.mapping.name(at: path) {
            never.insert(field)
        }
        // Nor what says only that the old one was not deleted.
        if verb == .create, let path = resource.deletes.field, resource.deletes.equals ?? true == true,
            let field = resource.mapping.name(at: path), resource.mapping.members(of: record)[field] != true
        {
            never.insert(field)
        }
        return never.union(resource.operation(verb).without)
    }

    /// The members of a record that a write sends in any form.
    package func sentFields(
        _ verb: Verb, _ resource: Resource, in path: PathTemplate, record: ObjectRecord, meta: MetaObject
    ) -> [String] {
        let names = bodyNames(verb, resource, in: path, record: record, meta: meta)
        let others = resource.operation(verb).with.filter { !names.contains($0) }
        let held = resource.mapping.decoded(record)
        return (names + others).filter { !resource.mapping.body([$0], of: held).isEmpty }
    }

    /// Writes a body in the resource's coding.
    package func write(_ body: Value, root: String?, _ resource: Resource, into request: inout Request) throws {
        guard let writer = writers[resource.coding] else {
            throw SyncError(
                code: .unknownName, message: "no adapter writes the coding “\(resource.coding)” of \(resource.name)")
        }
        var layout = BodyLayout(root: root)
        layout.types = resource.typesOfMembers
        layout.xml = resource.xml
        layout.xml.root = resource.xml.root ?? root ?? resource.name
        request.body = .bytes(try writer.body(of: body, layout))
        let isNamed = resource.coding == resource.format
        request.headers["Content-Type"] = (isNamed ? resource.mediaType : nil) ?? writer.contentType
    }

    /// A request of a declared action. Arguments that the path names fill it, those that the action declares for the
    /// query go there, all others into the body; into the query too where the method takes none. Where the action declares what
    /// goes into the body, a member that only calls it is not sent. A parent's identifier is left
    /// out where the path says the same; another one is where the object goes to.
    package func actionRequest(
        _ action: Action, _ resource: Resource, at place: ObjectPlace, arguments: Value.Members,
        carries: ((Value.Members) -> Void)? = nil
    ) throws -> Request {
        let inPath = action.path.ownFields
        var place = place
        var members = place.record.map(resource.mapping.members) ?? [:]
        for argument in arguments where inPath.contains(argument.name) { members[argument.name] = argument.value }
        place.record = resource.mapping.record(members, over: place.record)
        var target = RequestTarget(path: try place.filled(action.path, for: resource))
        let hasBody = !["GET", "DELETE"].contains(action.method)
        let said = resource.parents.filter { parent in
            guard let own = place.parents[parent.entity]?.id, action.path.parentEntities.contains(parent.entity),
                let value = arguments[parent.field]
            else { return false }
            return ObjectID(value)?.text.hasSameBytes(as: own.text) == true
        }
        let declared = MemberNames(said.map(\.field)).union(inPath)
        var body = Value.Members()
        for argument in arguments where !declared.contains(argument.name) {
            if action.query.contains(argument.name) || !hasBody && action.body == nil {
                guard !argument.value.isNull else { continue }
                target.set(argument.name, argument.value.text)
            } else if action.body?.contains(argument.name) ?? true {
                body[argument.name] = argument.value
            }
        }
        var request = try request(action.method, target, resource)
        request.mayRepeat = action.mayRepeat
        if !body.isEmpty {
            try write(.object(body), root: action.root, resource, into: &request)
            carries?(body)
        }
        return request
    }

    /// A request as the application writes it, and the resource one of whose paths it is for, whose headers, format and
    /// error rules hold for it.
    ///
    /// - Parameter path: relative to the base or a URL that begins with it, and encoded already.
    /// - Throws: ``SyncError`` `invalidPath`.
    package func rawRequest(method: String, path: String, body: Value?) throws -> (Request, Resource?) {
        let target = try target(ofPath: path)
        let resource = routeFile.resource(addressedBy: target.path)
        var request = Request(method: method, url: target.url(base: routeFile.base))
        let declared = routeFile.headers.first { $0.name.lowercased() == "accept" }?.value
        request.headers["Accept"] = try resource.map { try accept($0) } ?? declared ?? "application/json"
        if let body {
            // Who takes forms alone would refuse JSON; how other bodies look depends on what is asked.
            if let resource, resource.coding == "form", body.members != nil {
                try write(body, root: nil, resource, into: &request)
                return (request, resource)
            }
            request.body = .bytes(body.json())
            request.headers["Content-Type"] =
                resource.flatMap { $0.format == "json" ? $0.mediaType : nil } ?? "application/json"
        }
        return (request, resource)
    }

    private func target(ofPath path: String) throws -> RequestTarget {
        let base = routeFile.base
        var path = path[...]
        if path.hasPrefix(base + "/") {
            path = path.dropFirst(base.count + 1)
        } else if RequestTarget.isAbsolute(path) {
            throw SyncError(
                code: .invalidPath,
                message: "\(path.prefix { $0 != "?" }) is not under the base \(base), and no request goes anywhere "
                    + "else; write a path relative to the base")
        } else if path.hasPrefix("/") {
            path = path.dropFirst()
        }
        guard let target = RequestTarget.rebased(link: String(path), base: base, current: RequestTarget(path: ""))
        else {
            throw SyncError(
                code: .invalidPath,
                message: "the path \(path.prefix { $0 != "?" }) leads outside the base \(base); write a path under it")
        }
        return target
    }

    /// Where a link to the next page leads. Credentials that the server repeats from the query of the request stay out of
    /// it: they are added to each request and never stored.
    ///
    /// - Throws: ``SyncError`` `unexpectedAnswer`.
    package func next(_ link: String, after current: RequestTarget) throws -> RequestTarget {
        var target: RequestTarget
        do {
            target = try RequestTarget(link: link, base: routeFile.base, current: current)
        } catch let error as SyncError {
            throw told(error)
        }
        target.body = current.body
        let isCredential = credentialTest
        target.query.removeAll { isCredential($0.name, $0.value) }
        return target
    }

    /// A cursor without the credentials that the server repeats in it, where it is a link.
    func clean(cursor: String) -> String {
        let isCredential = credentialTest
        return RequestTarget.isAbsolute(cursor) ? RequestTarget.link(cursor, without: isCredential) : cursor
    }

    /// Whether a parameter shows the credential that each request carries, in its query or in a header: by its name, or by
    /// its value, where a server repeats a key under another name. A short key is a word that any parameter may have.
    private var credentialTest: (_ name: String, _ value: String) -> Bool {
        let names = [routeFile.auth, routeFile.key].compactMap { $0?.queryParameter }
        let used = (authenticator?.usedSecrets ?? []).map(\.value).filter { $0.utf8.count >= SecretForms.shortest }
        let keys = Set(used.map { ScalarText($0) })
        // What other authenticators have used can be the name of a person, by which lists are filtered.
        let isKeyAlone =
            switch routeFile.auth {
            case .keyInQuery, .keyInHeader, .bearer, .token: true
            case .asked(.basic): false
            case .asked: true
            default: false
            }
        return { name, value in
            // RFC 6750 §2.3 names the parameter of a token.
            names.contains(name) || (isKeyAlone || name == "access_token") && keys.contains(ScalarText(value))
        }
    }

    package func request(_ method: String, _ target: RequestTarget, _ resource: Resource) throws -> Request {
        var request = Request(method: method, url: target.url(base: routeFile.base))
        request.headers["Accept"] = try accept(resource)
        return request
    }

    private func accept(_ resource: Resource) throws -> String {
        let own = try extractor(for: resource).accept
        return resource.declaredAccept ?? resource.mediaType ?? own
    }

    /// Where a list stands of which the element at a path is the first, or the last; nil for a place in no such list.
    private static func list(around path: JSONPath) -> JSONPath? {
        guard let place = path.steps.lastIndex(where: { $0 == .index(0) || $0 == .index(-1) }) else { return nil }
        return JSONPath(Array(path.steps[..<place]))
    }
}
