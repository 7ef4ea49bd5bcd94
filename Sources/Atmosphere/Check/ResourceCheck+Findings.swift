/// What a server does beyond what the route file needs: found out by reading.
extension ResourceCheck {
    /// Whether the server cuts pages.
    mutating func checkSize(_ page: Page) {
        if resource.list.isConditional, report.hasMore {
            report.notes.append("list.conditional: the list has several pages, so no tag is kept")
        }
        guard let asked = resource.paging.size?.value, report.hasMore, !page.items.isEmpty else { return }
        let listed = page.items.count
        if listed < asked {
            report.findings.append(
                .init("page-size", false, "pages hold \(listed), although “pages.size” asks for \(asked)"))
        } else if listed > asked {
            report.findings.append(
                .init(
                    "page-size", false, "pages hold \(listed): the server ignores “pages.size”, which asks for \(asked)"
                ))
        } else {
            report.findings.append(.init("page-size", true, "pages hold \(asked), as “pages.size” asks"))
        }
    }

    /// Where no total says whether more follows, the second page does; and whether the server knows the parameter.
    mutating func checkNextPage(_ page: Page, after target: RequestTarget, at place: ObjectPlace) async throws {
        let second: (parameter: String, number: Int)
        switch resource.paging {
        case .number(let parameter, let first, _, nil): second = (parameter, first + 1)
        case .offset(let parameter, _, nil): second = (parameter, page.items.count)
        case .none, .number, .offset, .bodyLink, .headerLink, .token: return
        }
        guard !page.items.isEmpty, page.items.count >= resource.paging.size?.value ?? 1 else { return }
        var next = target
        next.put(second.parameter, .number(JSONNumber(second.number)))
        let request = try client.listRequest(resource, next, at: place)
        let reply = try await client.exchange(request, resource: resource)
        guard reply.isSuccess else {
            guard !resource.endStatuses.contains(reply.status) else { return }
            let known = report.problems.count
            _ = try judged(reply, request, "pages")
            guard report.problems.count > known else { return }
            report.problems[known] +=
                "; where that is the end of the list, write pages: { end-status: [\(reply.status)] }"
            return
        }
        let found = try client.page(
            in: reply, client.selectors(for: resource, at: place, isList: true), of: resource)
        guard found.items.map(\.id.objectID) != page.items.map(\.id.objectID) else {
            report.problems.append(
                "pages.parameter: the second page shows what the first one does: the server does not know "
                    + "“\(second.parameter)”, so nothing behind the first page is pulled")
            return
        }
        report.hasMore = !found.items.isEmpty
    }

    /// Whether a page comes before the declared first one: a server may count them from 0. Where there is one page, and it has
    /// rows, none is missing.
    mutating func checkFirstPage(
        _ page: Page, _ reply: ResourceClient.Reply, _ target: RequestTarget, at place: ObjectPlace
    ) async throws {
        guard case .number(let parameter, let first, _, _) = resource.paging, first > 0,
            report.hasMore || page.items.isEmpty || client.earlierHint(in: reply, of: resource) != nil
        else { return }
        var before = target
        before.put(parameter, .number(JSONNumber(first - 1)))
        let answer = try await client.exchange(client.listRequest(resource, before, at: place), resource: resource)
        guard answer.isSuccess else { return }
        let selectors = client.selectors(for: resource, at: place, isList: true)
        // Servers that count from 1 refuse such a page, show none of their rows on it, or their first ones.
        guard let found = try? client.page(in: answer, selectors, of: resource), !found.items.isEmpty,
            Set(found.items.map(\.id)).isDisjoint(with: page.items.map(\.id))
        else { return }
        report.problems.append(
            "pages.first: page \(first - 1) has other objects than page \(first), and is never asked for; write first: "
                + "\(first - 1)")
    }

    /// The list of what was deleted can be read as declared.
    ///
    /// - Parameter page: the first of what is there.
    mutating func checkTombstones(beside page: Page, at place: ObjectPlace) async throws {
        guard let list = resource.tombstones else { return }
        do {
            let target = try client.firstPage(of: list, at: place, cursor: nil)
            let request = try client.listRequest(list, target, at: place)
            let reply = try await client.exchange(request, resource: list)
            guard let reply = try judged(reply, request, "deletes.list") else { return }
            let deleted = try client.page(in: reply, client.selectors(for: list, at: place, isList: true), of: list)
            if let reason = deleted.skippedReason { report.problems.append("deletes.list: \(reason)") }
            if case .field(let path)? = list.since?.origin, deleted.items.contains(where: { $0.cursor == nil }) {
                report.problems.append("deletes.list.since.from.field: not every item has \(path)")
            }
            let present = Set(page.items.filter { !$0.isDeleted }.map(\.id))
            if let both = deleted.items.first(where: { present.contains($0.id) }) {
                report.notes.append(
                    "deletes.list: \(resource.name)/\(both.id.objectID.text) is listed as deleted and as present: compare "
                        + "“deletes.list.path” and “id”; where it was made anew under its identifier, all is well")
            }
        } catch let error as ExtractionError {
            report.problems.append("deletes.list: \(error.message)")
        } catch let error as SyncError where error.code == .invalidRecord || error.code == .unexpectedAnswer {
            report.problems.append("deletes.list: \(error.message)")
        }
    }

    /// Nothing tells whether an update was done whose answer does not show the object.
    mutating func remarkOnUnseenUpdates() {
        guard resource.update.isOffered, !resource.read.isOffered,
            !resource.errors.rules.contains(where: { $0.statuses.contains { (200..<300).contains($0) } })
        else { return }
        report.notes.append(
            "update: single objects cannot be read, so an update whose answer does not show the object counts as done by "
                + "its status alone; where errors are answered with 200, name them in errors.rules")
    }

    /// Whether the server shows versions, and saves an answer that has not changed (RFC 9110 §13.1.2).
    mutating func checkTag(_ request: Request, _ reply: ResourceClient.Reply) async throws {
        guard let tag = reply.headers["ETag"] else {
            report.findings.append(.init("etag", false, "no ETag comes with an object"))
            return
        }
        let weak = resource.sendsWeakVersions ? "a weak ETag" : "a weak ETag, which If-Match cannot use,"
        let kind = tag.hasPrefix("W/") ? weak : "an ETag"
        report.findings.append(.init("etag", true, "\(kind) comes with an object"))
        var conditional = request
        conditional.headers["If-None-Match"] = tag
        let answer = try await client.exchange(conditional, resource: resource)
        report.findings.append(
            answer.status == 304
                ? .init("not-modified", true, "If-None-Match is answered with 304")
                : .init("not-modified", false, "If-None-Match is answered with \(answer.status), not 304"))
    }

    /// A version that `If-Match` does not carry keeps nobody from overwriting anything.
    mutating func checkWeakness(of version: String?) {
        guard case .ifMatch = report.version, let version, resource.matchable(version) == nil else { return }
        report.version = resource.read.isOffered ? .compare : .none
        report.notes.append(
            "version: the server gives weak entity tags (W/\"…\"), which never match in If-Match (RFC 9110 §13.1.1), so none "
                + "is sent\(resource.read.isOffered ? ", and each write is read and merged first" : ""); for a server that "
                + "compares them all the same, as those of OData do, write weak: send")
    }

    /// Whether the list honours the parameter for changes: nothing has changed since a time far ahead.
    mutating func checkFilter(_ page: Page, _ reply: ResourceClient.Reply, at place: ObjectPlace) async throws {
        guard let since = resource.since, !page.items.isEmpty else { return }
        let newest = page.items.compactMap { $0.cursor.map { page.text($0) } }
            .max { CursorOrder.isHigher($1, than: $0, in: since) }
        guard let seen = newest ?? client.cursor(from: reply, page: page, of: resource),
            let ahead = Self.farAhead(of: seen)
        else {
            report.notes.append("since: no time ahead could be made from what the server shows, so it was not tried")
            return
        }
        let target = try client.firstPage(of: resource, at: place, cursor: ahead)
        let asked = try client.listRequest(resource, target, at: place)
        let answer = try await client.exchange(asked, resource: resource)
        guard answer.isSuccess else {
            report.notes.append("since: the server answered \(answer.status) to a time far ahead, so it was not tried")
            try await checkRecent(page, reply, since, at: place)
            return
        }
        let found = try client.page(
            in: answer, client.selectors(for: resource, at: place, isList: true), of: resource)
        let live = found.items.filter { !$0.isDeleted }.count
        if live == 0 {
            report.findings.append(.init("since", true, "“\(since.parameter)” filters"))
            try await checkRecent(page, reply, since, at: place)
        } else {
            report.findings.append(.init("since", false, "“\(since.parameter)” does not filter"))
            report.problems.append(
                "since.send: the server lists \(live) objects as changed after \(ahead): it does not filter by "
                    + "“\(since.parameter)”, so every pull asks for everything")
        }
    }

    /// Whether an object that has just been listed is listed as changed since shortly before its time, too: a server that
    /// reads times in another zone than it writes them leaves changes out. What a server refuses here, it refuses each pull.
    private mutating func checkRecent(
        _ page: Page, _ reply: ResourceClient.Reply, _ since: Since, at place: ObjectPlace
    ) async throws {
        let newest = page.items.filter { !$0.isDeleted }
            .compactMap { item in item.cursor.map { (item: item, text: page.text($0)) } }
            .max { CursorOrder.isHigher($1.text, than: $0.text, in: since) }
        guard let newest else { return }
        let target = try client.firstPage(of: resource, at: place, cursor: newest.text)
        let answer = try await client.exchange(client.listRequest(resource, target, at: place), resource: resource)
        guard answer.isSuccess else {
            let (failure, treatment) = client.failure(in: answer, of: resource)
            guard treatment == .reject else { return }
            report.problems.append(
                "since: \(resource.list.method) \(client.told(target.text)): \(failure.message) (\(answer.status))")
            return
        }
        let found = try client.page(
            in: answer, client.selectors(for: resource, at: place, isList: true), of: resource)
        // Only a time is moved back; one that is a few minutes old may be held back, and the object may be on another page.
        guard since.overlap > .zero,
            let time = since.start(of: newest.text),
            let now = reply.headers["Date"].flatMap(HTTPDate.parse), time.moved(by: .seconds(600)) < now,
            !found.items.contains(where: { $0.id.objectID == newest.item.id.objectID }),
            found.items.count < page.items.count
        else { return }
        let uri = ObjectURI(entity: resource.name, id: newest.item.id.objectID.text)
        report.problems.append(
            "since: \(uri) has changed at \(newest.text), and the server does not list it as changed since "
                + "\(since.value(from: newest.text)), so a pull would leave changes out; where it reads times in another zone "
                + "than it writes them, name a member in that zone under since.from, or write the zone with since.format"
        )
    }

    /// The same text a thousand years later; nil where it does not begin with a year and is no number of this age.
    static func farAhead(of text: String) -> String? {
        let year = text.prefix(4)
        if year.count == 4, year.isDigits, text.dropFirst(4).first == "-" { return "2999" + text.dropFirst(4) }
        // Seconds, milliseconds or microseconds since 1970: the first digit stands for decades.
        if text.isDigits, [10, 13, 16].contains(text.count) { return "9" + text.dropFirst() }
        return nil
    }
}
