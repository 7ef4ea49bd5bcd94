internal import AtmosphereExchange
internal import Foundation

/// An absolute http or https URL, as Foundation reads it.
struct HTTPURL: Sendable {
    let url: URL
    /// Scheme, host and port, in lowercase: what a redirect must not leave (RFC 6454 §4).
    let origin: String
    let path: String

    /// For messages: no query, no user, no fragment.
    var display: String { origin + path }

    /// - Throws: ``TransportError`` `invalidRequest`.
    init(_ text: String) throws(TransportError) {
        func refused(_ reason: String) -> TransportError {
            TransportError(
                code: .invalidRequest, message: "\(URLText.display(text).prefix(200)): \(reason)",
                mayHaveArrived: false)
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw refused("the URL holds a space, a control or a non-ASCII character; percent-encode it")
        }
        guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host?.lowercased(), !host.isEmpty
        else { throw refused("not an absolute http or https URL; write https://host/path") }
        guard parts.user == nil, parts.password == nil else {
            throw refused("the URL holds a user name or password; declare them under auth instead")
        }
        // A fragment never leaves the client (RFC 9110 §7.1).
        parts.fragment = nil
        guard let url = parts.url else { throw refused("not an absolute http or https URL; write https://host/path") }
        self.url = url
        let usual = ["http": 80, "https": 443][scheme]
        origin = "\(scheme)://\(host)" + (parts.port.flatMap { $0 == usual ? nil : ":\($0)" } ?? "")
        path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    }

    /// The URL that a `Location` header names, seen from here (RFC 3986 §5); nil where it is not usable.
    func resolving(_ location: String) -> HTTPURL? {
        guard let target = URL(string: location, relativeTo: url)?.absoluteURL else { return nil }
        return try? HTTPURL(target.absoluteString)
    }
}
