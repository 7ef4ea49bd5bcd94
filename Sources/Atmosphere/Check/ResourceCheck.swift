/// The check of one resource.
struct ResourceCheck {
    let client: ResourceClient
    let resource: Resource
    let sequence: Int64
    var report: CheckReport.Resource
    /// The status of the last write that was refused.
    var refusedStatus: Int?

    init(client: ResourceClient, resource: Resource, sequence: Int64) {
        self.client = client
        self.resource = resource
        self.sequence = sequence
        report = CheckReport.Resource(
            entity: resource.name, create: CheckReport.CreateSafety(resource), version: resource.version)
        report.isWritable = resource.update.isOffered || resource.delete.isOffered
        report.isLeased = resource.lease?.mode == .enforced
    }

    /// - Returns: the place of the first object on the page; nil where there is none.
    /// - Throws: ``TransportError``, ``SyncError`` `signInNeeded` or `unreachable`.
    mutating func run(_ places: [String: ObjectPlace]) async throws -> ObjectPlace? {
        remarkOnUnseenUpdates()
        guard resource.list.isOffered else {
            report.notes.append("it has no list")
            return nil
        }
        var place = ObjectPlace()
        if let parent = resource.list.parentEntities.last {
            guard let above = places[parent] else {
                report.notes.append("it is listed below \(parent), which has no object to try with")
                return nil
            }
            place.parents = above.parents
        }
        guard let page = try await list(place) else { return nil }
        try await checkTombstones(beside: page, at: place)
        guard let item = page.items.first(where: { !$0.isDeleted }) else {
            remarkOnNothing(in: page)
            return nil
        }
        var object = place
        object.id = resource.ownID(in: ObjectURI(entity: resource.name, id: item.id.objectID.text))
        object.record = page.record(item)
        try await read(item, at: object)
        try await lookUp(item, page, at: object)
        object.parents[resource.name] = .init(
            id: ObjectID(object.id ?? "", item.id.objectID.wireType), record: object.record, .here, of: resource)
        return object
    }

    /// The first page shows no object that is there.
    private mutating func remarkOnNothing(in page: Page) {
        var mark = DoubtfulMark()
        mark.look(at: page, of: resource)
        if let doubt = mark.warning(of: resource) {
            report.problems.append("deletes: \(doubt)")
        } else if page.items.isEmpty {
            report.notes.append("its list is empty, so no object could be tried")
        } else {
            report.notes.append("the first page of its list shows deleted objects only, so none could be tried")
        }
    }

    // MARK: The list

    private mutating func list(_ place: ObjectPlace) async throws -> Page? {
        do {
            let target = try client.firstPage(of: resource, at: place, cursor: nil)
            let request = try client.listRequest(resource, target, at: place)
            guard let reply = try judged(try await answer(toList: request), request, "list") else { return nil }
            let page = try client.page(
                in: reply, client.selectors(for: resource, at: place, isList: true), of: resource)
            report.listed = page.items.count
            let summary = try client.summary(of: reply, page: page, resource, target: target)
            report.total = summary.total
            report.hasCountedPages = summary.next.map(resource.mayCount)
            report.hasMore =
                summary.next != nil || summary.pages.map { $0 > 1 } ?? false
                || summary.total.map { $0 > Int64(page.items.count) } ?? false
            try await checkNextPage(page, after: target, at: place)
            try await checkFirstPage(page, reply, target, at: place)
            checkSince(page, reply)
            checkNames(page, reply)
            checkCut(page, reply)
            try await checkListTag(request, reply)
            checkSize(page)
            try await checkFilter(page, reply, at: place)
            if let path = resource.version.path { checkVersion(page, path) }
            return page
        } catch let error as ExtractionError {
            report.problems.append("list: \(error.message)")
        } catch let error as SyncError where error.code == .invalidRecord || error.code == .unexpectedAnswer {
            report.problems.append("list: \(error.message)")
        }
        return nil
    }

    /// A list behind a redirect costs two requests, and a write to such a path is not sent on.
    private mutating func answer(toList request: Request) async throws -> ResourceClient.Reply {
        var direct = request
        direct.followsRedirects = false
        let reply = try await client.exchange(direct, resource: resource)
        guard RequestRules.isRedirect(reply.status), let link = reply.headers["Location"] else { return reply }
        let leadsTo = link.prefix { $0 != "?" && $0 != "#" }.prefix(200)
        report.notes.append(
            "list.path: the server redirects \(resource.list.method) \(resource.list.path) to \(leadsTo) with status "
                + "\(reply.status); write that path, for a write that is redirected is not sent on")
        return try await client.exchange(request, resource: resource)
    }

    private mutating func checkSince(_ page: Page, _ reply: ResourceClient.Reply) {
        guard let origin = resource.since?.origin else { return }
        switch origin {
        case .field(let path):
            guard page.items.contains(where: { $0.cursor == nil }) else { return }
            report.problems.append("since.from.field: not every object has \(path)")
        case .responseDate, .header, .body:
            guard client.cursor(from: reply, page: page, of: resource) == nil else { return }
            guard resource.since?.takesLastPage != true || !report.hasMore else {
                report.notes.append(
                    "since.from: it is on the last page of several, and only the first was read, so it was not tried")
                return
            }
            report.problems.append("since.from: the first page does not have it, so every pull asks for everything")
        }
    }

    private mutating func checkVersion(_ page: Page, _ path: JSONPath) {
        checkWeakness(of: page.items.lazy.compactMap(\.version).first.map { page.text($0) })
        guard page.items.contains(where: { $0.version == nil }) else { return }
        report.problems.append("version.field: not every object has \(path)")
    }

    // MARK: One object

    private mutating func read(_ item: PageItem, at place: ObjectPlace) async throws {
        guard resource.read.isOffered else { return }
        report.isReadable = false
        do {
            let request = try client.readRequest(resource, at: place)
            guard let reply = try await exchange(request, "read") else { return }
            let found = client.representation(
                in: reply, of: resource, at: place, operation: resource.read, sequence: sequence)
            guard let found, found.record != nil, found.id?.text == item.id.objectID.text else {
                report.problems.append(
                    "read: the answer is not the object with the identifier \(item.id.objectID) at \(resource.id)"
                        + client.remedy(forObjectIn: reply, of: resource))
                return
            }
            report.isReadable = true
            checkWeakness(of: found.version)
            checkLeftOut(place.record, found)
            checkShownOtherwise(place.record, found)
            try await checkTag(request.request, reply)
            if resource.version.headerName != nil, found.version == nil {
                report.problems.append("version.header: the answer to a GET does not have it, so writes go unchecked")
            }
        } catch let error as SyncError where error.code == .invalidRecord {
            report.problems.append("read: \(error.message)")
        }
    }

    /// A server that does not know the parameter answers everything.
    private mutating func lookUp(_ item: PageItem, _ page: Page, at place: ObjectPlace) async throws {
        guard let lookup = resource.lookup, let parameter = lookup.parameter, !resource.looksUpByID else { return }
        let filters = lookup.filters(of: resource.list)
        if !filters.isEmpty {
            let sent = filters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            report.notes.append(
                "lookup: a lost create is looked up with \(sent), as the list is asked for; name under lookup.without what "
                    + "leaves objects out, or they would be created twice; write without: [] where none does")
        }
        let hasValue = place.record.flatMap { resource.lookupValue(of: $0) } != nil
        let seen = hasValue ? item.lookup.map { page.text($0) } : nil
        if seen == nil {
            report.notes.append(
                "lookup: no object has “\(lookup.field)” yet, so the look-up was tried with an invented value alone")
        }
        let value = seen ?? client.environment.makeUUID()
        var asked = place
        if seen == nil { asked.record = resource.mapping.record([lookup.field: .string(value)], over: place.record) }
        let known = report.problems.count
        do {
            let request = try client.lookUpRequest(resource, at: asked)
            if let reply = try await exchange(request, "lookup") {
                let found = try client.page(in: reply, client.lookUpSelectors(for: resource, at: place), of: resource)
                if found.items.contains(where: { $0.lookup.map { found.text($0) } != value }) {
                    report.problems.append(
                        "lookup.query: the server does not filter by “\(parameter)”, so a lost create is not "
                            + "found; leave it out, and a pull finds it")
                } else if seen != nil, found.items.isEmpty {
                    report.problems.append(
                        "lookup.query: filtered by “\(parameter)” the list does not show its object")
                }
            }
        } catch let error as ExtractionError {
            report.problems.append("lookup: \(error.message)")
        } catch let error as SyncError where error.code == .invalidRecord {
            report.problems.append("lookup: \(error.message)")
        }
        if report.problems.count > known { refuteLookUp() }
    }

    /// What cannot be looked up waits for a person.
    mutating func refuteLookUp() {
        if case .lookup = report.create { report.create = .none }
    }

    /// - Returns: nil where the server refused, which is noted.
    mutating func exchange(_ request: Request, _ what: String) async throws -> ResourceClient.Reply? {
        try await exchange(.init(request: request), what)
    }

    mutating func exchange(_ read: ResourceClient.Read, _ what: String) async throws -> ResourceClient.Reply? {
        try judged(try await client.exchange(read, resource: resource), read.request, what)
    }

    mutating func judged(
        _ reply: ResourceClient.Reply, _ request: Request, _ what: String
    ) throws -> ResourceClient.Reply? {
        if reply.isSuccess { return reply }
        let (failure, treatment) = client.failure(in: reply, of: resource)
        let url = client.told(URLText.display(request.url))
        switch treatment {
        case .unauthorized, .wait, .retry:
            throw SyncError(
                refused: failure, treatment, "\(request.method) \(url)", remedy: client.routeFile.signInRemedy)
        case .reject, .conflict, .gone:
            report.problems.append("\(what): \(request.method) \(url): \(failure.summary) (\(reply.status))")
            return nil
        }
    }
}
