extension ResourceClient {
    // MARK: Pages

    package func selectors(for resource: Resource, at place: ObjectPlace, isList: Bool) -> Selectors {
        var selectors = Selectors(id: resource.id)
        selectors.isList = isList
        selectors.items = isList ? resource.items : resource.item
        selectors.areItemsOptional = isList && resource.areItemsOptional
        selectors.itemRoot = resource.readRoot
        selectors.version = resource.version.path
        selectors.deleted = resource.deletes.field
        selectors.deletedEquals = resource.deletes.equals
        selectors.lookup = resource.lookup.map { resource.mapping.path(of: $0.field) }
        selectors.types = resource.typesOfMembers
        selectors.readsAttributes = resource.xml.hasAttributes
        selectors.lists = resource.xml.lists
        selectors.links = links(of: resource)
        selectors.limits = routeFile.limits.json
        for parent in resource.parents {
            // Only a member of its own can be added; what is read from inside another alone stands in every body.
            let paths = resource.mapping.paths(of: parent.field)
            guard let id = place.parents[parent.entity]?.id, let member = paths.last?.singleMember else { continue }
            selectors.additions.append(.init(name: member, value: id.value, others: Array(paths.dropLast())))
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
        selectors.total = resource.paging.totalInBody
        selectors.next = resource.paging.nextInBody
        if case .body(let path)? = resource.more { selectors.more = path }
        return selectors
    }

    /// For the answer to a look-up, which may have its objects elsewhere than the list has them.
    package func lookUpSelectors(for resource: Resource, at place: ObjectPlace) -> Selectors {
        var selectors = selectors(for: resource, at: place, isList: true)
        if let items = resource.lookup?.items { selectors.items = items }
        return selectors
    }

    /// What the first page says the cursor will be, apart from fields of its items.
    package func cursor(from reply: Reply, page: Page, of resource: Resource) -> String? {
        switch resource.since?.origin {
        case .responseDate: reply.headers["Date"].flatMap(HTTPDate.parse).map(\.description)
        case .header(let name): reply.headers[name].map { clean(cursor: $0) }
        case .body: page.cursor.map { clean(cursor: $0) }
        case .field, nil: nil
        }
    }

    // MARK: Single objects

    /// What a successful answer says of the object; nil where it says nothing that can be used.
    ///
    /// - Parameter operation: what was sent; nil for a request of the application's own.
    package func representation(
        in reply: Reply, of resource: Resource, at place: ObjectPlace, operation: Operation? = nil, sequence: Int64
    ) -> Representation? {
        let header = reply.headers["ETag"]
        var found = Representation(record: nil, id: nil, version: nil, sequence: sequence)
        found.isPartial = operation?.shape == .partial
        var selectors = selectors(for: resource, at: place, isList: false)
        if let item = operation?.item { selectors.items = item }
        if reply.part != nil { selectors.items = nil }
        if let path = operation?.id, reply.part == nil {
            // Only acknowledged: whatever else the answer says is about something else.
            found.id = answeredID(in: reply, path, selectors, of: resource) ?? located(reply, selectors, of: resource)
            return found.id == nil ? nil : found
        }
        if !reply.body.isEmpty, let extractor = extractors[resource.format],
            let page = try? extractor.page(in: reply.body, selectors), let item = page.items.first
        {
            found.record = item.isDeleted ? nil : page.record(item)
            found.isDeleted = item.isDeleted
            found.id = item.id.objectID
            found.version = item.version.map { page.text($0) }
        } else if reply.part?.id != nil || reply.part?.version != nil {
            // Only acknowledged.
        } else if let id = located(reply, selectors, of: resource) {
            found.id = id
        } else {
            return nil
        }
        if let name = resource.version.headerName { found.version = reply.headers[name] ?? header }
        if let id = reply.part?.id { found.id = ObjectID((selectors.idPrefix ?? "") + id.text, id.wireType) }
        found.version = reply.part?.version ?? found.version
        return found
    }

    /// What a message shows of an object of which it has all members, as the answer to a read would have it without anything
    /// around the object; nil where it shows no identifier.
    package func representation(
        ofWhole members: Value.Members, of resource: Resource, at place: ObjectPlace, sequence: Int64
    ) -> Representation? {
        var selectors = selectors(for: resource, at: place, isList: false)
        selectors.items = nil
        selectors.itemRoot = nil
        guard let page = try? JSONExtractor().page(in: Value.object(members).json(), selectors),
            let item = page.items.first
        else { return nil }
        return Representation(
            record: item.isDeleted ? nil : page.record(item), id: item.id.objectID,
            version: item.version.map { page.text($0) }, sequence: sequence, isDeleted: item.isDeleted)
    }

    /// What a refused result of a batch shows of the object as the server has it; nil where it shows nothing that can be
    /// used.
    package func theirs(
        in reply: Reply, of resource: Resource, at place: ObjectPlace, sequence: Int64
    ) -> Representation? {
        guard let theirs = reply.part?.theirs else { return nil }
        var shown = reply
        shown.body = theirs
        let found = representation(in: shown, of: resource, at: place, operation: resource.read, sequence: sequence)
        return found?.isTelling == true ? found : nil
    }

    /// What the answer to the read of an object says of it.
    package func finding(in reply: Reply, of resource: Resource, at place: ObjectPlace, sequence: Int64) -> Finding {
        guard reply.isSuccess else {
            let (failure, treatment) = failure(in: reply, of: resource)
            guard treatment == .gone else { return .untold(failure, treatment) }
            return .none(failure, isCertain: saysGone(reply, of: resource))
        }
        let found = representation(
            in: reply, of: resource, at: place, operation: resource.read, sequence: sequence)
        guard let found, found.isTelling else { return .unreadable }
        return .shown(found)
    }

    /// The identifier that a `Location` ends with.
    private func located(_ reply: Reply, _ selectors: Selectors, of resource: Resource) -> ObjectID? {
        guard let location = reply.headers["Location"], RequestTarget.lastSegment(ofLink: location) != nil else {
            return nil
        }
        let last = routeFile.link(at: resource.id, of: resource.idField, resource).identifier(inText: location)
        let type = resource.idField.flatMap { resource.fields.types[$0] }
        return ObjectID((selectors.idPrefix ?? "") + last, type == .integer ? .number : .string)
    }

    /// The identifier where the route file says that this answer has it: inside the object, or its root, or the body.
    private func answeredID(
        in reply: Reply, _ path: JSONPath, _ selectors: Selectors, of resource: Resource
    ) -> ObjectID? {
        guard !reply.body.isEmpty,
            let body = try? extractors[resource.format]?.value(
                in: reply.body, limits: routeFile.limits.json, readsAttributes: resource.xml.hasAttributes)
        else { return nil }
        let place = selectors.items.map { $0.first(in: body) } ?? body
        let inner = resource.readRoot.flatMap { place?.members?[$0] }
        guard let value = [inner, place].compactMap({ $0.flatMap { path.first(in: $0) } }).first,
            let id = identifier(in: value, of: resource)
        else { return nil }
        guard let prefix = selectors.idPrefix else { return id }
        return ObjectID(prefix + PercentEncoding.segment(id.text), id.wireType)
    }

    /// The identifier that a record of the server's shows of its object, without those of its parents; nil where it shows none.
    package func identifier(in record: ObjectRecord, of resource: Resource) -> ObjectID? {
        resource.id.first(in: .object(record.members)).flatMap { identifier(in: $0, of: resource) }
    }

    private func identifier(in shown: Value, of resource: Resource) -> ObjectID? {
        var value = shown
        if resource.isIDLink || resource.idField.map({ resource.links[$0] != nil }) == true {
            value = routeFile.link(at: resource.id, of: resource.idField, resource).identifier(in: value)
        }
        guard var id = ObjectID(value), !id.text.isEmpty else { return nil }
        // What writes no types has only texts.
        if resource.format == "xml", resource.idField.flatMap({ resource.fields.types[$0] }) == .integer {
            id.wireType = .number
        }
        return id
    }

    /// Whether a body can be read to its end in the resource's format, whatever it holds: one that was cut on the way, or
    /// comes from something in front of the API, says nothing.
    package func isWhole(_ reply: Reply, of resource: Resource) -> Bool {
        guard !isWebPage(reply) else { return false }
        return (try? extractors[resource.format]?.value(in: reply.body, limits: routeFile.limits.json)) != nil
    }

    /// What may mend an answer in which the object is not where the route file says; empty where nothing is known.
    package func remedy(forObjectIn reply: Reply, of resource: Resource) -> String {
        let body = try? extractors[resource.format]?.value(in: reply.body, limits: routeFile.limits.json)
        guard let members = body?.members else { return "" }
        if let inner = members.first(where: { $0.value.members != nil && resource.id.first(in: $0.value) != nil }) {
            return "; the object stands at “\(inner.name)” there: write item: \(JSONPath.member(inner.name))"
        }
        let names = members.names.prefix(8).map(\.quoted).joined(separator: ", ")
        return "; there is \(names.isEmpty ? "nothing" : names): “item” says where the object stands, “id” where its "
            + "identifier does"
    }

    /// Whether a success is a page for a person: a login form, a proxy's greeting. It says nothing of what was asked.
    package func isWebPage(_ reply: Reply) -> Bool {
        guard reply.isSuccess, !reply.body.isEmpty else { return false }
        let type = reply.headers["Content-Type"]?.lowercased() ?? ""
        if type.hasPrefix("text/html") || type.hasPrefix("application/xhtml") { return true }
        let start = String(decoding: reply.body.drop { $0 <= UInt8(ascii: " ") }.prefix(15), as: UTF8.self).lowercased()
        return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
    }

    package static let webPageMessage =
        "the answer is a web page, as of a login form or a proxy, and not the API's; sign in there, or check the base"

    // MARK: Refusals

    /// Whether a success is an error all the same: a rule that names its status fits. A body is read for such a rule only.
    ///
    /// - Parameter underLease: it answers a write that goes under the edit lease of its object, where there is one; its body can
    ///   say that this is not held any more.
    package func isRefused(_ reply: Reply, of resource: Resource?, underLease: Bool = false) -> Bool {
        guard (200..<300).contains(reply.status) else { return false }
        let signs = underLease ? resource?.lease?.signs ?? [] : []
        let rules = ((resource?.errors ?? routeFile.errors).rules + signs).filter { $0.statuses.contains(reply.status) }
        guard !rules.isEmpty else { return false }
        return StatusMeaning(reply, body: errorBody(in: reply, of: resource), rules: rules).rule != nil
    }

    /// Where the body of a success says that it is an error, by the rule that fits it, and the scalar that stands there where a
    /// message may repeat it; nil for another answer.
    package func sign(in reply: Reply, of resource: Resource) -> (path: JSONPath, value: Value?)? {
        let body = errorBody(in: reply, of: resource)
        guard reply.isRefused, let path = StatusMeaning(reply, body: body, rules: resource.errors.rules).rule?.path
        else {
            return nil
        }
        let value = body.flatMap { path.first(in: $0.value) }
        switch value {
        case .number?, .bool?: return (path, value)
        case .string(let text)? where text.utf8.count <= 100 && !holdsSecret(text): return (path, value)
        default: return (path, nil)
        }
    }

    /// Whether an empty list stands at a path of a body.
    package func isEmpty(_ list: JSONPath, in reply: Reply, of resource: Resource?) -> Bool {
        guard
            let body = try? extractors[resource?.format ?? "json"]?.value(
                in: reply.body, limits: routeFile.limits.json)
        else { return false }
        return list.first(in: body)?.array?.isEmpty == true
    }

    /// Whether a refusal says by itself that the object is gone, and not only that nothing is at the address: a status that
    /// says so (``StatusMeaning/saysGone(_:)``), an error rule of the route file, or one result of several.
    package func saysGone(_ reply: Reply, of resource: Resource?) -> Bool {
        StatusMeaning.saysGone(reply.status) || reply.part != nil || isRuledGone(reply, of: resource)
    }

    /// Whether an error rule of the route file says that what was refused is gone.
    package func isRuledGone(_ reply: Reply, of resource: Resource?) -> Bool {
        let rules = (resource?.errors ?? routeFile.errors).rules
        guard !rules.isEmpty else { return false }
        return StatusMeaning(reply, body: errorBody(in: reply, of: resource), rules: rules).rule?.treatment == .gone
    }

    /// Whether an answer is one that any of these rules is about.
    func isAnswered(_ reply: Reply, by rules: [ErrorRules.Rule], of resource: Resource) -> Bool {
        guard rules.contains(where: { $0.statuses.contains(reply.status) }) else { return false }
        return StatusMeaning(reply, body: errorBody(in: reply, of: resource), rules: rules).rule != nil
    }

    /// Errors come in other formats than objects where something in front of the API writes them.
    private func errorBody(in reply: Reply, of resource: Resource?) -> ErrorBody? {
        let type = reply.headers["Content-Type"]?.lowercased() ?? ""
        let isXML = type.contains("xml") && !type.contains("xhtml")
        let readsAttributes = (resource?.errors ?? routeFile.errors).nameAttributes
        for format in [resource?.format ?? "json", "json"] + (isXML ? ["xml"] : []) {
            guard
                let value = try? extractors[format]?.value(
                    in: reply.body, limits: routeFile.limits.json, readsAttributes: readsAttributes)
            else { continue }
            return ErrorBody(value: value, format: format)
        }
        return nil
    }

    /// What the answer means (``StatusMeaning``) and what its body says (``ErrorBody``), by the route file's error rules.
    package func failure(in reply: Reply, of resource: Resource?) -> (MetaObject.Failure, ErrorRules.Treatment) {
        let declared = resource?.errors ?? routeFile.errors
        let rules = declared.isDeclared ? declared : .unknownAPI
        let body = errorBody(in: reply, of: resource)
        var failure = MetaObject.Failure(status: reply.status, message: "")
        if reply.holdsNone { return (.init(status: 404, message: "the server has no such object"), .gone) }
        if let body {
            let mapping = resource?.mapping ?? FieldMapping()
            for (field, message) in body.fieldMessages(rules) {
                if let field = field.flatMap({ Self.name(of: $0, mapping, root: resource?.writeRoot) }) {
                    failure.fields.append(.init(field: field, message: message))
                } else {
                    failure.message += failure.message.isEmpty ? message : "; \(message)"
                }
            }
            if failure.message.isEmpty { failure.message = body.message(rules) }
        } else if reply.headers["Content-Type"]?.hasPrefix("text/plain") == true {
            let line = reply.body.prefix { $0 != UInt8(ascii: "\n") }
            failure.message = String(decoding: line, as: UTF8.self)
        }
        if failure.message.isEmpty {
            failure.message =
                failure.fields.isEmpty
                ? "the server answered \(reply.status) \(StatusMeaning.phrase(of: reply.status))"
                : failure.fields.map { "\($0.field): \($0.message)" }.joined(separator: "; ")
        }
        // Whatever a server says enters here, so nothing that is shown or stored of it holds a secret.
        failure = Redaction(authenticator?.usedSecrets ?? [])(failure, upTo: 1000)
        return (failure, StatusMeaning(reply, body: body, rules: declared.rules).treatment)
    }

    /// The field that an error names: by itself, or by a pointer into the body that was sent (RFC 6901); nil for the whole.
    private static func name(of field: String, _ mapping: FieldMapping, root: String?) -> String? {
        if field.hasPrefix("/") { return mapping.name(forPointer: field, root: root) }
        return field.isEmpty ? nil : mapping.name(forWritten: field)
    }
}
