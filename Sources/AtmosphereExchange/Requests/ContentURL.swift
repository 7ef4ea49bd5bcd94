/// Where content goes to or comes from: a URL that the server names, which may lead to a server of its own.
///
/// Only https counts, and whatever has the base's own origin; a server on this machine may name others on it. Credentials
/// go along under the base and to the origins that the route file lists, and nowhere else: what leads elsewhere is signed by
/// itself, where it has to be.
package struct ContentURL: Sendable, Hashable {
    package let text: String
    /// Credentials are added.
    let isSigned: Bool
    /// It is the API's: its headers, its pauses and its error rules hold.
    package let isUnderBase: Bool

    /// - Parameters:
    ///   - link: absolute, or relative to `current`.
    ///   - base: the route file's.
    ///   - origins: URLs of servers that credentials go to as well.
    /// - Throws: ``SyncError`` `unexpectedAnswer`, with the URL as far as its path.
    package init(_ link: String, relativeTo current: String, base: String, origins: [String]) throws(SyncError) {
        guard let text = Self.resolved(link, against: current).map(Self.withoutDots) else {
            throw Self.refused(link, "is no URL of http or https")
        }
        let origin = RequestOrigin(text)
        let own = RequestOrigin(base)
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains("\\") else {
            throw Self.refused(text, "holds characters that no URL may hold")
        }
        let authority = text.dropFirst(origin.scheme.count + 3).prefix { !"/?#".contains($0) }
        guard !origin.host.isEmpty, !authority.contains("@")
        else { throw Self.refused(text, "has no host, or a name or a password in front of it") }
        guard origin.scheme == "https" || origin == own || origin.isLoopback && own.isLoopback else {
            throw Self.refused(text, "is not https, and content is sent and fetched by nothing else")
        }
        let path = text.prefix { $0 != "?" && $0 != "#" }
        let root = own.scheme + base.dropFirst(own.scheme.count) + "/"
        let isBelow = path.hasPrefix(root) && RequestTarget.dots(inPath: path, [".."]) == nil
        self.text = String(text.prefix { $0 != "#" })
        isUnderBase = origin == own && isBelow
        isSigned = isUnderBase || origins.contains { RequestOrigin($0) == origin }
    }

    /// As a message may show it: the query may be a signature.
    package var display: String { Self.display(text) }

    private static func display(_ text: String) -> String { String(text.prefix { $0 != "?" && $0 != "#" }.prefix(200)) }

    private static func refused(_ link: String, _ reason: String) -> SyncError {
        SyncError(
            code: .unexpectedAnswer,
            message: "the server names \(display(link)) as the place of the content, which \(reason); nothing was sent "
                + "there"
        )
    }

    /// RFC 3986 §5.2 as far as servers need it, apart from dots; nil for another scheme than http and https.
    private static func resolved(_ link: String, against current: String) -> String? {
        if RequestTarget.isAbsolute(link) {
            let text = link.hasPrefix("//") ? "\(RequestOrigin(current).scheme):\(link)" : link
            let scheme = RequestOrigin(text).scheme
            // In lower case, so that the same origin begins alike.
            return ["http", "https"].contains(scheme) ? scheme + text.dropFirst(scheme.count) : nil
        }
        guard !link.isEmpty, !link.prefix(while: { $0 != "/" && $0 != "?" }).contains(":") else { return nil }
        let behind = RequestOrigin(current).scheme.count + 3
        let authorityEnd =
            current.dropFirst(behind).firstIndex { "/?#".contains($0) } ?? current.endIndex
        if link.hasPrefix("/") { return String(current[..<authorityEnd]) + link }
        let path = String(current.prefix { $0 != "?" && $0 != "#" })
        if link.hasPrefix("?") { return path + link }
        guard let slash = path.lastIndex(of: "/"), slash >= authorityEnd else { return "\(path)/\(link)" }
        return String(path[...slash]) + link
    }

    /// A URL without the segments of dots in its path (RFC 3986 §5.2.4), which is what a server would make of it. Encoded
    /// dots stay: a link that has them leads nowhere under the base.
    private static func withoutDots(_ url: String) -> String {
        let slash = UInt8(ascii: "/")
        let authority = url.dropFirst(RequestOrigin(url).scheme.count + 3).prefix { !"/?#".contains($0) }
        let rest = url[authority.endIndex...]
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        let segments = Array(path.utf8).split(separator: slash, omittingEmptySubsequences: false)
        var kept: [ArraySlice<UInt8>] = []
        for (index, segment) in segments.enumerated() {
            let isUp = segment.elementsEqual("..".utf8)
            guard isUp || segment.elementsEqual(".".utf8) else {
                kept.append(segment)
                continue
            }
            // The first is the empty one in front of the path.
            if isUp, kept.count > 1 { kept.removeLast() }
            if index == segments.count - 1 { kept.append([]) }
        }
        let plain = String(decoding: Array(kept.joined(separator: [slash])), as: UTF8.self)
        return "\(url[..<authority.endIndex])\(plain)\(rest[path.endIndex...])"
    }
}
