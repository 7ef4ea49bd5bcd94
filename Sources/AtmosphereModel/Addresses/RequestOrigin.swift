/// Scheme, host and port of a URL (RFC 6454 §4), in lower case.
package struct RequestOrigin: Sendable, Hashable, CustomStringConvertible {
    package let scheme: String
    /// IPv6 addresses in brackets.
    package let host: String
    package let port: Int

    /// Reads an absolute URL; of another text, parts are empty.
    package init(_ url: String) {
        let lowered = url.lowercased()
        guard let mark = lowered.firstRange(of: "://") else {
            (scheme, host, port) = ("", "", 0)
            return
        }
        scheme = String(lowered[..<mark.lowerBound])
        var authority = lowered[mark.upperBound...].prefix { !"/?#\\".contains($0) }
        // What stands before it is no host, though it may look like one.
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        let fallback = scheme == "https" ? 443 : 80
        if let colon = authority.lastIndex(of: ":"), authority.last != "]" {
            host = String(authority[..<colon])
            port = Int(authority[authority.index(after: colon)...]) ?? fallback
        } else {
            host = String(authority)
            port = fallback
        }
    }

    /// An address that no packet leaves this machine for.
    package var isLoopback: Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// What goes there is neither encrypted nor kept on this machine.
    package var isReadableOnTheWay: Bool { ["http", "ws"].contains(scheme) && !isLoopback }

    package var description: String { "\(scheme)://\(host):\(port)" }
}
