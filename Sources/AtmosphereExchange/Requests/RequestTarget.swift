/// What stands behind the base URL: a path and a query, both percent-encoded; with the body, where a list is asked for
/// with one.
///
/// A target is what a pull remembers of a page, so that it never holds a host that could be followed elsewhere.
package struct RequestTarget: Sendable, Hashable {
    /// Without a leading slash.
    package var path: String
    /// Encoded `name=value` pairs in order.
    package var query: [Item]
    /// Holds the parameters of pages and of changes, at the places that they name; nil where those go into the query.
    package var body: Value.Members?

    package struct Item: Sendable, Hashable {
        package var name: String
        package var value: String

        package static func == (left: Item, right: Item) -> Bool {
            left.name.hasSameBytes(as: right.name) && left.value.hasSameBytes(as: right.value)
        }

        package func hash(into hasher: inout Hasher) {
            name.hashBytes(into: &hasher)
            value.hashBytes(into: &hasher)
        }
    }

    /// By bytes: a server can have two pages whose tokens are canonically equivalent.
    package static func == (left: RequestTarget, right: RequestTarget) -> Bool {
        left.path.hasSameBytes(as: right.path) && left.query == right.query && left.body == right.body
    }

    package func hash(into hasher: inout Hasher) {
        path.hashBytes(into: &hasher)
        hasher.combine(query)
        hasher.combine(body)
    }

    package init(path: String, query: [Item] = [], body: Value.Members? = nil) {
        self.path = path
        self.query = query
        self.body = body
    }

    /// Reads ``stored``.
    package init(stored: String) {
        let lines = stored.split(separator: "\n", maxSplits: 1)
        self.init(lines.count == 2 ? String(lines[0]) : stored)
        if lines.count == 2, let value = try? Value(json: Array(lines[1].utf8)) { body = value.members }
    }

    /// As a pull remembers it: the text, and the body on a second line.
    package var stored: String {
        body.map { "\(text)\n\(String(decoding: Value.object($0).json(), as: UTF8.self))" } ?? text
    }

    /// Reads the written form; names and values are decoded.
    package init(_ text: String) {
        let parts = text.divided(at: "?")
        path = parts.map { String($0.before) } ?? text
        query = parts.map { PercentEncoding.pairs(in: $0.after).map(Item.init) } ?? []
    }

    /// A new value for a parameter, in its place or at the end.
    package mutating func set(_ name: String, _ value: String) {
        let item = Item(name: name, value: value)
        guard let index = query.firstIndex(where: { $0.name == name }) else { return query.append(item) }
        query[index] = item
    }

    package mutating func append(_ texts: [NamedText]) {
        for text in texts { set(text.name, text.value) }
    }

    /// A parameter of pages or of changes: in the body where there is one, else in the query.
    package mutating func put(_ name: String, _ value: Value) {
        guard let body else { return set(name, value.text) }
        let put = (try? JSONPath(name)).flatMap { Value.object(body).putting(value, at: $0.steps[...]) }
        self.body = put?.members ?? body
    }

    /// What such a parameter says.
    package func parameter(_ name: String) -> String? {
        guard let body else { return query.first { $0.name == name }?.value }
        return (try? JSONPath(name)).flatMap { $0.first(in: .object(body)) }?.text
    }

    /// What a parameter of pages counts: pages, or the rows before one. nil where it says no number, or one that no list
    /// reaches: links and stored positions hold what a server wrote, and sums of two such numbers have to be numbers.
    package func count(_ name: String) -> Int? {
        parameter(name).flatMap { Int($0) }.flatMap { (0...Self.mostCounted).contains($0) ? $0 : nil }
    }

    /// Whole numbers up to here mean the same everywhere (RFC 7493 §2.2).
    package static let mostCounted = 1 << 53

    package func url(base: String) -> String { "\(base)/\(text)" }

    package var text: String {
        guard !query.isEmpty else { return path }
        let pairs = query.map { "\(PercentEncoding.query($0.name))=\(PercentEncoding.query($0.value))" }
        return "\(path)?\(pairs.joined(separator: "&"))"
    }

    /// Whether both are pages of one list, however each encodes its path.
    func isSameList(as other: RequestTarget) -> Bool {
        PercentEncoding.decode(path) == PercentEncoding.decode(other.path)
    }
}

extension RequestTarget {
    /// A link from a server's answer, re-based: path and query under the base are kept, scheme, host and port ignored,
    /// so that a server behind a proxy may call itself what it likes and no credential follows a link elsewhere.
    ///
    /// - Parameter current: what a relative link is relative to.
    /// - Throws: ``SyncError`` `unexpectedAnswer` for a link outside the base path.
    package init(link: String, base: String, current: RequestTarget) throws {
        guard let target = Self.rebased(link: link, base: base, current: current) else {
            throw SyncError(
                code: .unexpectedAnswer,
                message: "the link to the next page leads outside the base \(base): "
                    + "\(link.prefix { $0 != "?" && $0 != "#" }.prefix(200)); set “base” so that it holds both paths")
        }
        self = target
    }

    /// As above; nil for a link outside the base path.
    package static func rebased(link: String, base: String, current: RequestTarget) -> RequestTarget? {
        let basePath = path(ofURL: base)
        let withoutFragment = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
        var absolute: String
        if isAbsolute(withoutFragment) {
            absolute = path(ofURL: String(withoutFragment))
        } else if withoutFragment.hasPrefix("/") {
            absolute = String(withoutFragment)
        } else if withoutFragment.hasPrefix("?") {
            absolute = "\(basePath)/\(current.path)\(withoutFragment)"
        } else {
            let folder = current.path.lastIndex(of: "/").map { current.path[...$0] } ?? ""
            absolute = "\(basePath)/\(folder)\(withoutFragment)"
        }
        guard absolute.hasPrefix(basePath + "/"), dots(inPath: absolute, [".."]) == nil else { return nil }
        absolute.removeFirst(basePath.count + 1)
        return RequestTarget(absolute)
    }

    /// A segment of dots that a server may resolve (RFC 3986 §5.2.4), in the path of a URL or a link. Many decode a path
    /// before they resolve it, so that `%2e%2e` and `..%2f` lead upwards as well; some take a backslash for a slash, and
    /// leave out what follows a semicolon.
    static func dots(inPath link: some StringProtocol, _ segments: [String] = [".", ".."]) -> String? {
        let path = PercentEncoding.bytes(of: link.prefix { $0 != "?" && $0 != "#" })
        let separators = Array("/\\".utf8)
        for segment in path.split(whereSeparator: { separators.contains($0) }) {
            let name = segment.prefix { $0 != UInt8(ascii: ";") }
            if let dots = segments.first(where: { name.elementsEqual($0.utf8) }) { return dots }
        }
        return nil
    }

    /// A link as it is written, without some of its parameters.
    ///
    /// - Parameter isLeftOut: called with the name and the value of each, decoded.
    static func link(_ link: String, without isLeftOut: (_ name: String, _ value: String) -> Bool) -> String {
        let (mark, hash) = (UInt8(ascii: "?"), UInt8(ascii: "#"))
        let head = link.utf8.prefix { $0 != mark && $0 != hash }
        let rest = link.utf8.dropFirst(head.count)
        guard rest.first == mark else { return link }
        let query = rest.dropFirst().prefix { $0 != hash }
        let all = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let kept = all.filter { pair in
            !PercentEncoding.pairs(in: String(decoding: pair, as: UTF8.self)).contains { isLeftOut($0.name, $0.value) }
        }
        guard kept.count < all.count else { return link }
        let text = String(decoding: Array(kept.joined(separator: [UInt8(ascii: "&")])), as: UTF8.self)
        let fragment = String(decoding: rest.dropFirst(query.count + 1), as: UTF8.self)
        return String(decoding: head, as: UTF8.self) + (text.isEmpty ? "" : "?\(text)") + fragment
    }

    /// Whether a link begins with a scheme and an authority, or with an authority alone (RFC 3986 §4.2); a URL inside its
    /// query makes no difference.
    package static func isAbsolute(_ link: some StringProtocol) -> Bool {
        if link.hasPrefix("//") { return true }
        let scheme = link.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        return scheme.first?.isLetter == true && link[scheme.endIndex...].hasPrefix("://")
    }

    /// The last segment of a link's path, decoded; nil where the link has none (a `Location` may hold anything).
    static func lastSegment(ofLink link: String) -> String? {
        let path = (isAbsolute(link) ? path(ofURL: link) : link).prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").last.map { PercentEncoding.decode(String($0)) }
    }

    /// Path and query of an absolute URL, the path without a trailing slash where nothing follows it.
    package static func path(ofURL url: String) -> String {
        var rest = url[...]
        if let scheme = firstRange(of: "://", in: rest) {
            rest = rest[scheme.upperBound...]
        } else if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
        }
        guard let start = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "" }
        return String(rest[start...])
    }

    /// The first place of a text; the standard library has none without Foundation.
    private static func firstRange(of text: String, in whole: Substring) -> Range<Substring.Index>? {
        var start = whole.startIndex
        while start < whole.endIndex {
            if whole[start...].hasPrefix(text) { return start..<whole.index(start, offsetBy: text.count) }
            start = whole.index(after: start)
        }
        return nil
    }
}
