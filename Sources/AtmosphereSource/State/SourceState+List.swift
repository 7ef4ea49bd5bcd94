internal import Atmosphere

extension SourceState {
    mutating func list(
        _ match: SourceRoutes.Match, _ request: SourceRequest, origin: String
    ) throws(SourceRefusal) -> SourceAnswer {
        let resource = match.resource
        let request = try withParameters(request, resource)
        let isOfDeleted = if case .tombstones = match.target { true } else { false }
        let selection = Selection(
            parents: try parents(of: match), since: try since(request, resource),
            kind: isOfDeleted ? .deleted : listsDeleted(request, resource) ? .all : .present,
            filters: filters(match, request), request: request)
        let table = tables[resource.name] ?? SourceTable(resource)
        let page = try self.page(of: table, selection, request, resource)

        var answer: SourceAnswer
        let items = Value.array(
            page.rows.map { isOfDeleted ? tombstone($0, resource) : item($0, resource, resource.list.shape) })
        // Where every body has a root, a list that is alone in its envelope is the root.
        let isBare = resource.namesRoots && resource.xml.item == nil && !says(page, resource)
        let flag = page.hasMore != resource.moreSaysEnd
        if let path = resource.items, !path.steps.isEmpty, !isBare {
            var body = Value.object([:])
            if let total = page.total, case .body(let path) = total.place {
                body = body.setting(.number(JSONNumber(total.value)), at: path)
            }
            if case .body(let path)? = resource.more { body = body.setting(.bool(flag), at: path) }
            if let next = page.next, case .body(let path) = next.place {
                let value = next.isEnd ? Value.null : .string(next.isLink ? link(request, next, origin) : next.text)
                if !(next.isEnd && !next.isLink) { body = body.setting(value, at: path) }
            }
            if case .body(let path)? = resource.since?.origin {
                body = body.setting(.string(SourceTime.text(microseconds: cursorNow())), at: path)
            }
            answer = SourceAnswer(200, api.style.list(body.setting(items, at: path), resource), .list)
        } else {
            answer = SourceAnswer(200, items, .list)
        }
        if let total = page.total, case .header(let name) = total.place { answer.headers[name] = String(total.value) }
        if case .header(let name)? = resource.more { answer.headers[name] = String(flag) }
        if let next = page.next, case .header(let name) = next.place, !next.isEnd {
            let link = link(request, next, origin)
            answer.headers[name] = next.isLink ? (name == "Link" ? "<\(link)>; rel=\"next\"" : link) : next.text
        }
        if case .header(let name)? = resource.since?.origin {
            answer.headers[name] = SourceTime.text(microseconds: cursorNow())
        }
        return answer
    }

    /// A list that is asked for with a body has there what others have in the query.
    private func withParameters(
        _ request: SourceRequest, _ resource: Resource
    ) throws(SourceRefusal) -> SourceRequest {
        guard !resource.list.set.isEmpty, request.method == resource.list.method else { return request }
        let limits = JSONLimits(depth: 100, bytes: rules.maximumBodyBytes)
        guard let body = try? Value(json: request.body, limits: limits), body.has(.object(resource.list.set)) else {
            throw .general(status: 400, "The body does not ask for this list.")
        }
        var names = [resource.since?.parameter, resource.lookup?.parameter].compactMap(\.self)
        switch resource.paging {
        case .none: break
        case .number(let parameter, _, let size, _): names += [parameter] + [size?.parameter].compactMap(\.self)
        case .offset(let parameter, let size, _): names += [parameter, size.parameter]
        case .bodyLink(_, let size, _), .headerLink(_, let size, _): names += [size?.parameter].compactMap(\.self)
        case .token(_, let parameter, let size, _): names += [parameter] + [size?.parameter].compactMap(\.self)
        }
        var request = request
        for name in names {
            guard let text = (try? JSONPath(name)).flatMap({ $0.first(in: body)?.scalarText }) else { continue }
            request.query.append(NamedText(name: name, value: text))
        }
        return request
    }

    // MARK: Which objects

    private struct Selection {
        enum Kind { case present, deleted, all }

        var parents: [String?]
        var since: (time: Int64, isExclusive: Bool)?
        var kind: Kind
        var filters: [(path: JSONPath, text: String)]
        var request: SourceRequest
    }

    private func isSelected(_ row: SourceTable.Row, _ selection: Selection, _ resource: Resource) -> Bool {
        if selection.kind != .deleted, let isListed = api.style.isListed(row, selection.request, resource) {
            guard isListed else { return false }
        } else {
            guard selection.kind == .all || row.isDeleted == (selection.kind == .deleted) else { return false }
            if let since = selection.since {
                guard since.isExclusive ? row.modified > since.time : row.modified >= since.time else { return false }
            }
        }
        for filter in selection.filters where filter.path.first(in: .object(row.members))?.scalarText != filter.text {
            return false
        }
        return !isElsewhere(row, selection.parents, resource)
    }

    /// The fields that have to have a value: the one that creates are looked up by, and those that a view names.
    private func filters(_ match: SourceRoutes.Match, _ request: SourceRequest) -> [(path: JSONPath, text: String)] {
        let resource = match.resource
        var filters: [(path: JSONPath, text: String)] = []
        func add(_ field: String, _ text: String?) {
            guard let text, knows(field, resource) else { return }
            filters.append((resource.mapping.path(of: field), text))
        }
        if let lookup = resource.lookup,
            let text = lookup.parameter.flatMap({ request.query($0) }).flatMap(lookup.text(in:))
        {
            filters.append((resource.mapping.path(of: lookup.field), text))
        }
        for name in Set(resource.views.flatMap { $0.query.map(\.name) }) { add(name, request.query(name)) }
        for (name, value) in match.fields { add(name, value) }
        return filters
    }

    /// Declared, or in any object.
    private func knows(_ field: String, _ resource: Resource) -> Bool {
        if resource.fields.types[field] != nil || resource.references.contains(where: { $0.field == field }) {
            return true
        }
        let path = resource.mapping.path(of: field)
        return tables[resource.name]?.rows.contains { path.first(in: .object($0.members)) != nil } ?? false
    }

    /// The envelope of a list holds more than its items.
    private func says(_ page: ListPage, _ resource: Resource) -> Bool {
        if case .body? = page.total?.place { return true }
        if case .body? = page.next?.place { return true }
        if case .body? = resource.more { return true }
        if case .body? = resource.since?.origin { return true }
        return false
    }

    /// A field's own value excludes what has it; a time of whole seconds must not.
    private func since(
        _ request: SourceRequest, _ resource: Resource
    ) throws(SourceRefusal) -> (time: Int64, isExclusive: Bool)? {
        guard let since = resource.since, let text = request.query(since.parameter) else { return nil }
        // One parameter may hold either expression.
        let lookup = resource.lookup.flatMap { $0.parameter == since.parameter ? $0 : nil }
        guard lookup?.text(in: text) == nil else { return nil }
        guard let time = since.microseconds(in: text) else {
            throw .fields(
                status: api.invalidStatus, [(since.parameter, "Enter an ISO 8601 instant with a time zone.")])
        }
        if case .field = since.origin { return (time, true) }
        return (time, false)
    }

    /// Tombstones stand in incremental lists; where the route file asks for them by extra parameters, only with those.
    private func listsDeleted(_ request: SourceRequest, _ resource: Resource) -> Bool {
        guard resource.deletes.field != nil else { return false }
        // Nothing but the list could tell of them.
        guard let since = resource.since else { return !resource.deletes.byAbsence }
        guard !since.query.isEmpty else { return request.query(since.parameter) != nil }
        return since.query.allSatisfy { request.query($0.name) == $0.value }
    }

    // MARK: Pages

    private struct ListPage {
        var rows: [SourceTable.Row]
        var total: (place: Paging.Place, value: Int)?
        /// Nil also where the last object itself says how the list goes on.
        var next: Next?
        var hasMore = false
    }

    private struct Next {
        var place: Paging.Place
        var isLink: Bool
        /// The token; the value of the parameter `cursor` in a link.
        var text: String
        var isEnd: Bool
    }

    private func page(
        of table: SourceTable, _ selection: Selection, _ request: SourceRequest, _ resource: Resource
    ) throws(SourceRefusal) -> ListPage {
        let isAscending = resource.since?.isAscending ?? false
        /// Sorted by their place: the modification time where the route file says so, else the order of creation.
        func selected(after place: Int64 = 0, atMost count: Int = .max) -> [SourceTable.Row] {
            guard isAscending else {
                let rows = table.rows(after: Int(place)).lazy.filter { isSelected($0, selection, resource) }
                return Array(rows.prefix(count))
            }
            let rows = table.rows.filter { $0.modified > place && isSelected($0, selection, resource) }
            return Array(rows.sorted { $0.modified < $1.modified }.prefix(count))
        }
        /// Behind the last object of the page before: an object that vanishes moves no other.
        func keyset(
            _ text: String?, size: Int, _ place: Paging.Place, isLink: Bool
        ) throws(SourceRefusal) -> ListPage {
            let tokens = isLink ? nil : resource.tokensInItems(place)
            guard let after = text.map({ position(of: $0, at: tokens) }) ?? 0, after >= 0, after < 1 << 62 else {
                throw .general(status: 404, "Invalid cursor.")
            }
            var rows = selected(after: after, atMost: size + 1)
            let isEnd = rows.count <= size
            if !isEnd { rows.removeLast() }
            guard tokens == nil else { return ListPage(rows: rows, hasMore: !isEnd) }
            let last = rows.last.map { String(rank(of: $0)) } ?? ""
            let next = Next(place: place, isLink: isLink, text: last, isEnd: isEnd)
            return ListPage(rows: rows, next: next, hasMore: !isEnd)
        }
        func rank(of row: SourceTable.Row) -> Int64 { isAscending ? row.modified : Int64(row.ordinal) }
        /// Where a token leads to: it is a place itself, or what the last object of the page before has at a path.
        func position(of token: String, at path: JSONPath?) -> Int64? {
            guard let path else { return Int64(token) }
            let row =
                path == resource.id && !resource.isUniquePerParent
                ? table.any(token)
                : table.rows.last { row in
                    path.first(in: .object(row.members))?.scalarText == token
                        && !isElsewhere(row, selection.parents, resource)
                }
            return row.map(rank)
        }
        func count(_ total: Paging.Total?, of items: Int, size: Int) -> (place: Paging.Place, value: Int)? {
            switch total {
            case .items(let place): (place, items)
            case .pages(let place): (place, max(1, (items + size - 1) / size))
            case nil: nil
            }
        }

        switch resource.paging {
        case .none:
            return ListPage(rows: selected())
        case .number(let parameter, let first, let sizing, let total):
            let size = try size(request, sizing, resource)
            let text = request.query(parameter)
            let past = SourceRefusal.general(status: resource.endStatuses.first ?? 404, "Invalid page.")
            guard let number = text.map({ Int($0) }) ?? first, number >= first, number - first < 1 << 32 else {
                throw past
            }
            let all = selected()
            let rows = all.dropFirst((number - first) * size).prefix(size)
            if rows.isEmpty, number > first, !resource.endStatuses.isEmpty { throw past }
            return ListPage(
                rows: Array(rows), total: count(total, of: all.count, size: size),
                hasMore: all.count > (number - first + 1) * size)
        case .offset(let parameter, let sizing, let total):
            let size = try size(request, sizing, resource)
            let offset = max(0, request.query(parameter).flatMap { Int($0) } ?? 0)
            let all = selected()
            let rest = all.dropFirst(offset)
            return ListPage(
                rows: Array(rest.prefix(size)), total: count(total, of: all.count, size: size),
                hasMore: rest.count > size)
        case .bodyLink(let next, let sizing, _):
            let size = try size(request, sizing, resource)
            return try keyset(request.query(Self.linkParameter), size: size, .body(next), isLink: true)
        case .headerLink(let name, let sizing, _):
            let size = try size(request, sizing, resource)
            return try keyset(request.query(Self.linkParameter), size: size, .header(name), isLink: true)
        case .token(let next, let parameter, let sizing, _):
            let size = try size(request, sizing, resource)
            return try keyset(request.query(parameter), size: size, next, isLink: false)
        }
    }

    private static let linkParameter = "cursor"

    private func size(
        _ request: SourceRequest, _ sizing: Paging.Size?, _ resource: Resource
    ) throws(SourceRefusal) -> Int {
        let (usual, most) = api.style.pageSize(resource) ?? (rules.pageSize, rules.maximumPageSize)
        guard let sizing, let text = request.query(sizing.parameter) else {
            return min(usual, most)
        }
        guard let size = Int(text), size > 0 else {
            throw .fields(status: api.invalidStatus, [(sizing.parameter, "A positive integer is required.")])
        }
        return min(size, most)
    }

    /// The request's own URL with another cursor: absolute, and with the query repeated.
    private func link(_ request: SourceRequest, _ next: Next, _ origin: String) -> String {
        let others = request.query.filter { $0.name != Self.linkParameter }
        let query = others + [NamedText(name: Self.linkParameter, value: next.text)]
        let text = query.map { "\(PercentEncoding.query($0.name))=\(PercentEncoding.query($0.value))" }
        return "\(origin)\(request.path)?\(text.joined(separator: "&"))"
    }
}

extension Resource {
    /// Where an object has what the next page is asked for with, if that stands in the last object of a page.
    fileprivate func tokensInItems(_ next: Paging.Place) -> JSONPath? {
        guard case .body(let path) = next else { return nil }
        let list = items?.steps ?? []
        guard path.steps.starts(with: list + [.index(-1)]) else { return nil }
        let steps = path.steps.dropFirst(list.count + 1)
        let root = readRoot.flatMap { namesRoots ? nil : JSONPath.Step.member($0) }
        return JSONPath(Array(root != nil && steps.first == root ? steps.dropFirst() : steps))
    }
}

extension Lookup {
    /// The value in a parameter as a client of the same route file writes it.
    fileprivate func text(in parameter: String) -> String? {
        quotes.bare(parameter, prefix, suffix).map { text in
            switch quotes {
            case .none: text
            case .single: text.replacing("''", with: "'")
            case .double: (try? Value(json: Array("\"\(text)\"".utf8)))?.string ?? text
            }
        }
    }
}

extension Since {
    /// The time in a parameter as a client of the same route file writes it; a number is seconds where nothing else is
    /// declared.
    fileprivate func microseconds(in text: String) -> Int64? {
        guard let bare = quotes.bare(text, prefix, suffix) else { return nil }
        guard let format else { return SourceTime.microseconds(bare) }
        return format.instant(written: bare).map { $0.seconds * 1_000_000 + Int64($0.nanoseconds) / 1000 }
    }
}

extension Since.Quotes {
    /// What stands between the quotes, behind a prefix and in front of a suffix; nil where these are not there.
    fileprivate func bare(_ text: String, _ prefix: String, _ suffix: String) -> String? {
        let quote =
            switch self {
            case .none: ""
            case .single: "'"
            case .double: "\""
            }
        let (front, back) = (prefix + quote, quote + suffix)
        guard text.count >= front.count + back.count, text.hasPrefix(front), text.hasSuffix(back) else { return nil }
        return String(text.dropFirst(front.count).dropLast(back.count))
    }
}
