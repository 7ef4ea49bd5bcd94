/// What an answer to the request for a list says of there being more than it holds, wherever the route file looks for that:
/// told by the names that APIs use.
package struct MoreHint: Sendable, Hashable {
    /// What says it, for a message: `“total”, which is 55`.
    package var text: String
    /// Nothing else is meant by it. A mere cursor is given by some servers also where nothing follows.
    package var isSure: Bool

    /// - Parameters:
    ///   - status: of the answer.
    ///   - around: what stands around the items.
    ///   - count: how many items the answer holds.
    ///   - inside: members that lead to the items.
    ///   - ignoring: top-level members that the route file uses for something else.
    package static func find(
        _ headers: HeaderFields, status: Int = 200, around members: Value.Members, count: Int, inside: [String] = [],
        ignoring: Set<String> = []
    ) -> MoreHint? {
        let containers = Self.containers.union(inside.map(plain))
        let own = members.filter { !ignoring.contains($0.name) }
        if LinkHeader.namesNext(headers.values(of: "Link")) { return .init(text: "a header Link", isSure: true) }
        return inRange(headers["Content-Range"], status: status)
            ?? headers.fields.lazy.compactMap { inHeader($0, count: count) }.first
            ?? found(in: Value.Members(own), count: count, containers, depth: 0)
    }

    /// Of a part of the list (RFC 9110 §14.4, §15.3.7): `0-9/25`, `items 0-9/25`. Where a part does not say of how many, others
    /// may follow.
    private static func inRange(_ header: String?, status: Int) -> MoreHint? {
        guard let header, let isLess = isPart(header) else {
            return status == 206 ? .init(text: "status 206, Partial Content", isSure: true) : nil
        }
        return isLess ? .init(text: "a header Content-Range, which is \(header)", isSure: true) : nil
    }

    /// Whether a range is less than the whole; nil where it does not say.
    private static func isPart(_ range: String) -> Bool? {
        let sides = (range.split(separator: " ").last ?? "").split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2, let total = Int64(sides[1]), total >= 0 else { return nil }
        // Of none, or of a place behind the end.
        if sides[0] == "*" { return total > 0 }
        let ends = sides[0].split(separator: "-").compactMap { Int64($0) }
        guard ends.count == 2, ends[0] <= ends[1] else { return nil }
        return ends[0] > 0 || ends[1] < total - 1
    }

    private static func inHeader(_ field: NamedText, count: Int) -> MoreHint? {
        let name = field.name.lowercased()
        guard name.hasPrefix("x-"), !field.value.isEmpty else { return nil }
        let words = Set(name.split(separator: "-"))
        if name.hasPrefix("x-next") { return .init(text: "a header \(field.name)", isSure: false) }
        let others: Set<Substring> = [
            "ratelimit", "rate", "limit", "time", "runtime", "cost", "request", "retry", "query"
        ]
        guard words.isDisjoint(with: others), let number = Int64(field.value)
        else { return nil }
        let isPages = words.contains("pages") || words.contains("totalpages") || name.hasSuffix("page-count")
        let isTotal = words.contains("total") || name.hasSuffix("total-count") || name == "x-count"
        guard isPages ? number > 1 : isTotal && number > Int64(count) else { return nil }
        return .init(text: "a header \(field.name), which is \(number)", isSure: true)
    }

    private static func found(
        in members: Value.Members, count: Int, _ containers: Set<String>, depth: Int
    ) -> MoreHint? {
        var unsure: MoreHint?
        for member in members {
            guard let hint = hint(member, count: count, containers, depth: depth) else { continue }
            if hint.isSure { return hint }
            unsure = unsure ?? hint
        }
        return unsure
    }

    private static func hint(
        _ member: Value.Member, count: Int, _ containers: Set<String>, depth: Int
    ) -> MoreHint? {
        let name = plain(member.name)
        switch member.value {
        case .number(let number): return hint(number, member.name, plain: name, count: count)
        case .bool(true): return flags.contains(name) ? .init(text: member.name.quoted, isSure: true) : nil
        case .string(let text):
            guard !text.isEmpty else { return nil }
            if Int64(text) != nil {
                return JSONNumber(text).flatMap { hint($0, member.name, plain: name, count: count) }
            }
            // A number is where this page begins; a text is where the next one does.
            if leadsOn(name) || name == "offset" { return .init(text: member.name.quoted, isSure: true) }
            return cursors.contains(name) ? .init(text: member.name.quoted, isSure: false) : nil
        case .object(let inner):
            if name == "next", !inner.isEmpty { return .init(text: member.name.quoted, isSure: true) }
            guard depth < 3, containers.contains(name) else { return nil }
            return found(in: inner, count: count, containers, depth: depth + 1)
        case .bool(false):
            return endFlags.contains(name)
                ? .init(text: "\(member.name.quoted), which is false", isSure: true) : nil
        case .null, .array: return nil
        }
    }

    /// Of a number, also one that is written as a text.
    private static func hint(_ number: JSONNumber, _ member: String, plain name: String, count: Int) -> MoreHint? {
        guard let whole = number.int64 else { return nil }
        let isMore =
            totals.contains(name) && whole > Int64(count) || pages.contains(name) && whole > 1
            || nextNumbers.contains(name) && whole > 0
        return isMore ? .init(text: "\(member.quoted), which is \(whole)", isSure: true) : nil
    }

    /// A name without what only its notation brings: `@odata.nextLink` is `nextlink`.
    private static func plain(_ name: String) -> String {
        (name.split(separator: ".").last ?? "").lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// Whether a text of this name is where the next page begins. One for the next pull is given at the end, too.
    private static func leadsOn(_ name: String) -> Bool {
        guard name.hasPrefix("next"), !name.contains("sync"), !name.contains("delta") else { return false }
        let rest = name.dropFirst(4)
        return rest.isEmpty || endings.contains { rest.hasSuffix($0) }
    }

    private static let endings = ["url", "uri", "link", "href", "page", "id", "token", "cursor", "marker"]

    private static let totals: Set = [
        "total", "totalcount", "totalitems", "totalresults", "totalrecords", "totalrows", "totalobjects",
        "totalentries", "totalelements", "totalhits", "totalsize", "count", "itemcount", "recordcount", "resultcount",
        "numfound", "numresults"
    ]
    private static let pages: Set = ["totalpages", "pagecount", "pages", "lastpage", "numpages"]
    private static let nextNumbers: Set = ["nextpage", "nextoffset", "nextstart"]
    private static let flags: Set = ["hasmore", "more", "hasnext", "hasnextpage", "moreresults", "istruncated"]
    private static let endFlags: Set = ["last", "islast", "lastpage", "islastpage", "final", "isfinal"]
    private static let cursors: Set = [
        "cursor", "endcursor", "pagetoken", "paginationtoken", "continuationtoken", "continuation", "after", "bookmark",
        "marker", "scrollid"
    ]
    private static let containers: Set = [
        "meta", "metadata", "paging", "pagination", "pageinfo", "page", "pages", "links", "info", "responsemetadata",
        "cursors", "listinfo"
    ]
}

extension MoreHint {
    /// What stands around the items of a JSON body: its members without arrays, which one pass finds and nobody decodes; nil
    /// for a body that is no object.
    ///
    /// - Parameter most: how many members are looked at.
    package static func around(_ body: [UInt8], most: Int = JSONLimits.default.values) -> Value.Members? {
        JSONExtractor.withoutMark(body).withUnsafeBufferPointer { bytes in
            let text = JSONScanner(bytes)
            let start = text.whitespaceEnd(0)
            guard text.byte(at: start) == UInt8(ascii: "{") else { return nil }
            var left = most
            return try? members(of: text, at: start, depth: 0, &left).members
        }
    }

    private static func members(
        of text: JSONScanner, at start: Int, depth: Int, _ left: inout Int
    ) throws -> (members: Value.Members, end: Int?) {
        var found: [Value.Member] = []
        let end = try text.readMembers(start) { name, _, value in
            guard left > 0 else { return nil }
            left -= 1
            let key = JSONText.decode(text.slice(name))
            switch text.byte(at: value) {
            case UInt8(ascii: "["): return try text.valueEnd(value, depth: depth)
            case UInt8(ascii: "{") where depth < 3:
                let (inner, end) = try members(of: text, at: value, depth: depth + 1, &left)
                found.append(.init(name: key, value: .object(inner)))
                return end
            case UInt8(ascii: "{"): return try text.valueEnd(value, depth: depth)
            default:
                let end = try text.valueEnd(value, depth: depth)
                found.append(.init(name: key, value: try Value(json: text, value..<end)))
                return end
            }
        }
        return (Value.Members(found), end)
    }
}
