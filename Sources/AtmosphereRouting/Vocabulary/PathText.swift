/// What a base URL and a path under it may look like.
package enum PathText {
    /// Without a leading slash: `/tasks` and `tasks` mean the same.
    static func normalized(_ text: String) -> String { String(text.drop { $0 == "/" }) }

    package static func complaint(_ text: String, at name: String, mayHavePlaces: Bool) -> String? {
        guard !text.isEmpty else { return "\(name) must not be empty; / is the base itself" }
        guard !text.contains("://"), !text.hasPrefix("//") else {
            return "\(name) must be a path under “base”, not a URL; remove the scheme and the host"
        }
        let template: PathTemplate
        do {
            template = try PathTemplate(text)
        } catch {
            return "\(name): \(error)"
        }
        var literal = ""
        for part in template.parts {
            if case .literal(let text) = part {
                literal += text
            } else if mayHavePlaces {
                // A place is never empty, so any letter stands for it.
                literal += "x"
            } else {
                return "\(name) cannot have places such as {id}; write the path out"
            }
        }
        if literal.contains("?") { return "\(name) must not hold a query; put it into “query”" }
        if literal.contains("#") { return "\(name) must not hold “#”; remove the fragment" }
        if let scalar = literal.unicodeScalars.first(where: { !isAllowed($0) }) {
            return "\(name) holds \(String(scalar).quoted), which must be percent-encoded: "
                + PercentEncoding.segment(String(scalar))
        }
        return climbs(literal)
            ? "\(name) must not hold “.” or “..” as a segment; write the path from “base” downwards" : nil
    }

    /// An absolute URL of one of these schemes, without name, password, query and fragment.
    static func urlComplaint(_ text: String, at name: String, schemes: [String], mayHavePath: Bool = true) -> String? {
        let lowered = text.lowercased()
        guard let scheme = schemes.first(where: { lowered.hasPrefix($0 + "://") }) else {
            return "\(name) must be an absolute URL such as \(schemes[0])://HOST:PORT; it may begin with: "
                + schemes.map { $0 + "://" }.joined(separator: ", ")
        }
        // The text is not repeated from here on: it may hold a password.
        let rest = text.unicodeScalars.dropFirst(scheme.count + 3)
        let authority = Substring(rest.prefix { !"/?#".unicodeScalars.contains($0) })
        let path = Substring(rest.dropFirst(authority.unicodeScalars.count))
        guard !authority.contains("@") else { return "\(name) must not hold a name or a password" }
        guard !path.contains("?"), !path.contains("#") else { return "\(name) must not hold a query or a fragment" }
        guard isHost(authority) else { return "\(name) has no valid host: write \(scheme)://HOST:PORT" }
        guard path.unicodeScalars.allSatisfy(isAllowed), !climbs(path) else {
            return "the path of \(name) holds a character that must be percent-encoded, or a “..” segment"
        }
        return mayHavePath || path.isEmpty || path == "/" ? nil : "\(name) must not hold a path"
    }

    package static func baseComplaint(_ text: String) -> String? {
        let lowered = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: { lowered.hasPrefix($0) }) else {
            return "“base” must be an absolute URL such as https://api.example.com/v1"
        }
        // The text is not repeated from here on: it may hold a password.
        let rest = text.unicodeScalars.dropFirst(scheme.count)
        let authority = Substring(rest.prefix { !"/?#".unicodeScalars.contains($0) })
        let path = Substring(rest.dropFirst(authority.unicodeScalars.count))
        guard !authority.contains("@") else {
            return "“base” must not hold a name or a password; use “auth” instead"
        }
        guard !path.contains("?"), !path.contains("#") else {
            return "“base” must not hold a query or a fragment; put parameters into “query”"
        }
        guard isHost(authority) else {
            return "“base” has no valid host: write https://HOST or https://HOST:PORT"
        }
        guard path.unicodeScalars.allSatisfy(isAllowed), !climbs(path) else {
            return "the path of “base” holds a character that must be percent-encoded, or a “..” segment"
        }
        return nil
    }

    /// A URL that secrets are sent to. The text is not repeated: it may hold one.
    package static func endpointComplaint(_ text: String, at name: String) -> String? {
        let query = text.firstIndex(of: "?").map { text[$0...] } ?? ""
        guard !query.contains("#"), query.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) }) else {
            return "\(name) must not hold a fragment, and its query must be percent-encoded"
        }
        if let complaint = baseComplaint(String(text.prefix { $0 != "?" })) {
            return complaint.contains("name or a password")
                ? "\(name) must not hold a name or a password"
                : "\(name) must be an absolute URL, such as https://login.example.com/token"
        }
        return plainTextComplaint(text).map { "\(name) \($0): secrets must not be sent in the clear (RFC 9700 §2.6)" }
    }

    /// Why a URL is no place for secrets; nil where it is https or stays on this machine.
    static func plainTextComplaint(_ url: String) -> String? {
        guard RequestOrigin(url).isReadableOnTheWay else { return nil }
        return "must begin with https:// (http:// is for this machine alone)"
    }

    /// A name, an IPv4 address or an IPv6 address in brackets, and perhaps a port.
    private static func isHost(_ text: Substring) -> Bool {
        var host = text
        if let colon = text.lastIndex(of: ":"), text.last != "]" {
            let port = text[text.index(after: colon)...]
            guard port.isDigits, UInt16(port) != nil else { return false }
            host = text[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            let address = host.dropFirst().dropLast()
            return !address.isEmpty && address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        return host.consists(ofAlphanumericsAnd: "._~-")
    }

    /// Characters of a path as RFC 3986 §3.3 has them, and the percent sign.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            && (UInt8(scalar.value).isASCIIAlphanumeric || "-._~!$&'()*+,;=:@%/".unicodeScalars.contains(scalar))
    }

    /// Dot segments would be resolved by clients and proxies (RFC 3986 §5.2.4), even when they are encoded.
    private static func climbs(_ path: some StringProtocol) -> Bool {
        path.split(separator: "/").contains { [".", ".."].contains(PercentEncoding.decode(String($0))) }
    }
}
