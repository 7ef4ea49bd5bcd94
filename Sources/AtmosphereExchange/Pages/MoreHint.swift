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
    ///   - items: members that lead to the items, with the name of the list itself.
    ///   - ignoring: top-level members that the route file uses for something else.
    package static func find(
        _ headers: HeaderFields, status: Int = 200, around members: Value.Members, count: Int, items: [String] = [],
        ignoring: Set<String> = []
    ) -> MoreHint? {
        let own = members.filter { !ignoring.contains($0.name) }
        if LinkHeader.namesNext(headers.values(of: "Link")) { return .init(text: "a header Link", isSure: true) }
        return inRange(headers["Content-Range"], status: status)
            ?? headers.fields.lazy.compactMap { inHeader($0, count: count) }.first
            ?? found(in: Value.Members(own), count: count, items: items.map(plain), depth: 0)
    }

    /// What a list's first page says of there being a page before it, for a message; nil where it says nothing.
    ///
    /// - Parameters:
    ///   - around: what stands around the items.
    ///   - items: members that lead to the items, with the name of the list itself.
    package static func before(around members: Value.Members, items: [String] = []) -> String? {
        earlier(in: members, items: items.map(plain), depth: 0)
    }

    private static func earlier(in members: Value.Members, items: [String], depth: Int) -> String? {
        for member in members {
            let name = plain(member.name)
            if case .object(let inner) = member.value {
                guard isEntered(name, items: items, depth: depth) else { continue }
                if let hint = earlier(in: inner, items: items, depth: depth + 1) { return hint }
                continue
            }
            let flag = member.value.bool ?? member.value.string.flatMap { Bool($0.lowercased()) }
            if flag == false, firstFlags.contains(name) { return "\(member.name.quoted), which is false" }
            if flag == true, name.hasPrefix("hasprev") { return member.name.quoted }
        }
        return nil
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
        let words = field.name.lowercased().split(separator: "-").drop { $0 == "x" }
        let others: Set<Substring> = [
            "ratelimit", "rate", "limit", "time", "runtime", "cost", "request", "retry", "query"
        ]
        guard !field.value.isEmpty, others.isDisjoint(with: words) else { return nil }
        let name = words.joined()
        let text = "a header \(field.name)"
        guard let number = Int64(field.value) else {
            return leadsOn(name) ? .init(text: text, isSure: false) : nil
        }
        if leadsOn(name) { return number > 0 ? .init(text: text, isSure: false) : nil }
        // A vendor's name may stand before these.
        let isPages = Self.isPages(name) || words.contains("pages") || words.contains("totalpages")
        let isTotal = Self.isTotal(name) || words.contains("total")
        guard isPages ? number > 1 : isTotal && number > Int64(count) else { return nil }
        return .init(text: "\(text), which is \(number)", isSure: true)
    }

    private static func found(
        in members: Value.Members, count: Int, items: [String], depth: Int
    ) -> MoreHint? {
        var unsure: MoreHint?
        for member in members {
            guard let hint = hint(member, count: count, items: items, depth: depth) else { continue }
            if hint.isSure { return hint }
            unsure = unsure ?? hint
        }
        return unsure
    }

    private static func hint(
        _ member: Value.Member, count: Int, items: [String], depth: Int
    ) -> MoreHint? {
        let name = plain(member.name)
        switch member.value {
        case .number(let number): return hint(number, member.name, plain: name, count: count)
        case .bool(let flag): return hint(flag, member.name, plain: name)
        case .string(let text):
            guard !text.isEmpty else { return nil }
            // XML has all as texts.
            if Int64(text) != nil {
                return JSONNumber(text).flatMap { hint($0, member.name, plain: name, count: count) }
            }
            if let flag = Bool(text.lowercased()) { return hint(flag, member.name, plain: name) }
            // A number is where this page begins; a text is where the next one does.
            if leadsOn(name) || name == "offset" { return .init(text: member.name.quoted, isSure: true) }
            return cursors.contains(name) ? .init(text: member.name.quoted, isSure: false) : nil
        case .object(let inner):
            if leadsOn(name), inner.contains(where: { !$0.value.isNull && $0.value != "" }) {
                return .init(text: member.name.quoted, isSure: true)
            }
            // A total that says how exact it is, as search engines have it.
            if isTotal(name), let number = inner["value"]?.number {
                return hint(number, member.name, plain: name, count: count)
            }
            guard isEntered(name, items: items, depth: depth) else { return nil }
            return found(in: inner, count: count, items: items, depth: depth + 1)
        case .array(let elements):
            guard isLinks(name), name != items.last, elements.contains(where: isNextLink) else { return nil }
            return .init(text: "\(member.name.quoted) with a next one", isSure: true)
        case .null: return nil
        }
    }

    private static func hint(_ flag: Bool, _ member: String, plain name: String) -> MoreHint? {
        if flag { return saysMore(name) || leadsOn(name) ? .init(text: member.quoted, isSure: true) : nil }
        return endFlags.contains(name) ? .init(text: "\(member.quoted), which is false", isSure: true) : nil
    }

    /// Of a number, also one that is written as a text.
    private static func hint(_ number: JSONNumber, _ member: String, plain name: String, count: Int) -> MoreHint? {
        guard let whole = number.int64 else { return nil }
        let isMore =
            isPages(name) && whole > 1 || isTotal(name) && whole > Int64(count)
            || whole > 0 && (leadsOn(name) || saysMore(name))
        guard isMore else { return nil }
        // The next identifier may be one that no object has yet.
        return .init(text: "\(member.quoted), which is \(whole)", isSure: !name.hasSuffix("id"))
    }

    /// One of a list of links with relations, as OGC API (`rel`, `href`) and FHIR (`relation`, `url`) have it.
    private static func isNextLink(_ link: Value) -> Bool {
        guard let members = link.members else { return false }
        let relation = members["rel"]?.string ?? members["relation"]?.string
        let target = members["href"]?.string ?? members["url"]?.string ?? members["uri"]?.string
        return relation?.lowercased() == "next" && target?.isEmpty == false
    }

    // MARK: Names

    /// A name without what only its notation brings: `@odata.nextLink` is `nextlink`, `hydra:next` is `next`.
    private static func plain(_ name: String) -> String {
        (name.split { ".:".contains($0) }.last ?? "").lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// Whether what has this name is where the next page begins. One for the next pull is given at the end, too.
    private static func leadsOn(_ name: String) -> Bool {
        guard name.hasPrefix("next"), !name.contains("sync"), !name.contains("delta") else { return false }
        let rest = name.dropFirst(4)
        return rest.isEmpty || endings.contains { rest.hasSuffix($0) }
    }

    /// Whether the flag of this name says that there is more, where it is true.
    private static func saysMore(_ name: String) -> Bool {
        ["more", "hasmore", "ismore", "hasnext", "hasadditional"].contains { name.hasPrefix($0) }
            || name.hasSuffix("truncated")
    }

    /// Whether a name says nothing but how many objects there are in all: `totalItems`, `recordsTotal`, `numFound`.
    private static func isTotal(_ name: String) -> Bool {
        guard let found = words(name), let first = found.first else { return false }
        if !Set(found).isDisjoint(with: ["total", "count", "matched", "found"]) { return true }
        return found.count > 1 && (first == "num" || first == "number")
    }

    /// Whether a name says how many pages there are: `totalPages`, `page_count`, `lastPage`.
    private static func isPages(_ name: String) -> Bool {
        if name == "pages" || name == "lastpage" { return true }
        for end in ["pages", "page"] where name.hasSuffix(end) {
            let before = words(String(name.dropLast(end.count))) ?? []
            return !before.isEmpty && before.allSatisfy { counting.contains($0) }
        }
        return ["pagecount", "pagescount", "pagestotal", "totalpagecount"].contains(name)
    }

    /// The words that a name is made of; nil where it has another one than those of a number of objects.
    private static func words(_ name: String) -> [String]? {
        var rest = Substring(name)
        var found: [String] = []
        while !rest.isEmpty {
            guard let word = (counting + things).first(where: { rest.hasPrefix($0) }) else { return nil }
            found.append(word)
            rest = rest.dropFirst(word.count)
        }
        return found
    }

    private static func isLinks(_ name: String) -> Bool { name == "link" || name == "links" }

    private static func isEntered(_ name: String, items: [String], depth: Int) -> Bool {
        depth < 3 && (isContainer(name) || items.dropLast().contains(name))
    }

    /// Whether an object of this name says something of the list, and none of the objects.
    private static func isContainer(_ name: String) -> Bool {
        isLinks(name) || name.hasPrefix("pag") || name.contains("meta")
            || ["info", "listinfo", "cursors", "view", "additionaldata"].contains(name)
    }

    /// In each of these lists a word stands before another that it begins with.
    private static let counting = ["total", "count", "number", "num", "of"]
    private static let things = [
        "matched", "found", "pagination", "items", "item", "results", "result", "records", "record", "rows", "row",
        "objects", "object", "entries", "elements", "hits", "hit", "documents", "document", "docs", "size"
    ]
    private static let endings = [
        "url", "uri", "link", "href", "page", "id", "token", "cursor", "marker", "offset", "start"
    ]
    private static let firstFlags: Set = ["first", "isfirst", "firstpage", "isfirstpage"]
    private static let endFlags: Set = ["last", "islast", "lastpage", "islastpage", "final", "isfinal"]
    private static let cursors: Set = [
        "cursor", "endcursor", "pagetoken", "paginationtoken", "continuationtoken", "continuation", "after", "bookmark",
        "marker", "scrollid"
    ]
}

extension MoreHint {
    /// What stands around the items of a JSON body: its members without arrays, which one pass finds and nobody decodes, except
    /// lists of a few links; nil for a body that is no object.
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

    /// Values in a list of links.
    private static let mostOfLinks = 500

    private static func members(
        of text: JSONScanner, at start: Int, depth: Int, _ left: inout Int
    ) throws -> (members: Value.Members, end: Int?) {
        var found: [Value.Member] = []
        let end = try text.readMembers(start) { name, _, value in
            guard left > 0 else { return nil }
            left -= 1
            let key = JSONText.decode(text.slice(name))
            switch text.byte(at: value) {
            case UInt8(ascii: "["):
                let end = try text.valueEnd(value, depth: depth)
                guard isLinks(plain(key)), !text.hasMoreValues(than: mostOfLinks, in: value..<end) else { return end }
                found.append(.init(name: key, value: try Value(json: text, value..<end)))
                return end
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
