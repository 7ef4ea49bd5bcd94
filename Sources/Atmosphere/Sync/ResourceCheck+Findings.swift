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

    /// Whether the server shows versions, and saves an answer that has not changed (RFC 9110 §13.1.2).
    mutating func checkTag(_ request: Request, _ reply: ResourceClient.Reply) async throws {
        guard let tag = reply.headers["ETag"] else {
            report.findings.append(.init("etag", false, "no ETag comes with an object"))
            return
        }
        let kind = tag.hasPrefix("W/") ? "a weak ETag, which If-Match cannot use," : "an ETag"
        report.findings.append(.init("etag", true, "\(kind) comes with an object"))
        var conditional = request
        conditional.headers["If-None-Match"] = tag
        let answer = try await client.exchange(conditional, resource: resource)
        report.findings.append(
            answer.status == 304
                ? .init("not-modified", true, "If-None-Match is answered with 304")
                : .init("not-modified", false, "If-None-Match is answered with \(answer.status), not 304"))
    }

    /// Whether the list honours the parameter for changes: nothing has changed since a time far ahead.
    mutating func checkFilter(_ page: Page, _ reply: ResourceClient.Reply, at place: ObjectPlace) async throws {
        guard let since = resource.since, !page.items.isEmpty else { return }
        let newest = page.items.compactMap { $0.cursor.map { page.text($0) } }.max()
        guard let seen = newest ?? client.cursor(from: reply, page: page, of: resource),
            let ahead = Self.farAhead(of: seen)
        else {
            report.notes.append("since: no time ahead could be made from what the server shows, so it was not tried")
            return
        }
        let target = try client.firstPage(of: resource, at: place, cursor: ahead)
        let answer = try await client.exchange(try client.listRequest(resource, target), resource: resource)
        guard answer.isSuccess else {
            report.notes.append("since: the server answered \(answer.status) to a time far ahead, so it was not tried")
            return
        }
        let found = try client.extractor(for: resource)
            .page(in: answer.body, client.selectors(for: resource, at: place, isList: true))
        let live = found.items.filter { !$0.isDeleted }.count
        if live == 0 {
            report.findings.append(.init("since", true, "“\(since.parameter)” filters"))
        } else {
            report.findings.append(.init("since", false, "“\(since.parameter)” does not filter"))
            report.problems.append(
                "since.send: the server lists \(live) objects as changed after \(ahead): it does not filter by "
                    + "“\(since.parameter)”, so every pull asks for everything")
        }
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

extension Paging {
    /// How many objects a page is asked to hold.
    var size: Size? {
        switch self {
        case .none: nil
        case .number(_, _, let size, _), .bodyLink(_, let size), .headerLink(_, let size), .token(_, _, let size): size
        case .offset(_, let size, _): size
        }
    }
}
