/// What every transport refuses alike. Before it sends anything: a method or a header that cannot stand in a message, headers
/// that frame it (`Content-Length`), a body that the method cannot have; the URL is the transport's own to read. Of what comes
/// back: redirects that would lose a write, or credentials.
public enum RequestRules {
    /// Refuses what must not be put on the wire.
    ///
    /// - Parameter display: the URL as a message may show it: without its query.
    /// - Throws: ``TransportError`` `invalidRequest`, which names the header but never quotes a value.
    public static func check(_ request: Request, display: String) throws(TransportError) {
        for field in request.headers.fields {
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(isTokenByte) else {
                throw refused(display, "a header name is empty or holds a character that no name may hold")
            }
            guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw refused(
                    display, "the value of the header \(field.name) holds a line break or a control character")
            }
            guard !ownHeaders.contains(field.name.lowercased()) else {
                throw refused(display, "the header \(field.name) belongs to the transport; leave it out")
            }
        }
        guard !request.method.isEmpty, request.method.utf8.allSatisfy(isTokenByte), request.method != "CONNECT" else {
            throw refused(display, "the method is not one that can be sent; use GET, POST, PUT, PATCH or DELETE")
        }
        if request.method == "HEAD" {
            guard case .none = request.body else {
                throw refused(display, "a HEAD request carries no body; leave it out")
            }
        }
        if case .stream(let length?, _) = request.body, length < 0 {
            throw refused(display, "the length of the request body is negative; give nil where it is not known")
        }
    }

    private static func refused(_ display: String, _ reason: String) -> TransportError {
        TransportError(code: .invalidRequest, message: "\(display): \(reason)", mayHaveArrived: false)
    }

    /// Headers that frame the message or belong to the connection (RFC 9110 §7.6.1, RFC 9112 §6).
    private static let ownHeaders: Set<String> = [
        "connection", "content-length", "expect", "keep-alive", "proxy-authorization", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade"
    ]

    /// `tchar` of RFC 9110 §5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    // MARK: Proxies

    /// Lets no answer of a proxy pass for one of the server, which has not seen the request then (RFC 9110 §15.5.8).
    ///
    /// - Parameter display: method and URL as a message may show them.
    /// - Throws: ``TransportError`` `cannotConnect`.
    package static func checkProxy(_ status: Int, display: String) throws(TransportError) {
        guard status == 407 else { return }
        throw TransportError(
            code: .cannotConnect,
            message: "\(display): the proxy on the way does not accept its credentials (407); correct the user and the "
                + "password where the proxy is set: https_proxy, http_proxy, all_proxy, or the settings of the system",
            mayHaveArrived: false)
    }

    // MARK: Redirects

    /// Redirects followed in a row.
    package static let redirectLimit = 10

    /// Scheme, host and port in lowercase (RFC 6454 §4), and the path.
    public typealias Place = (origin: String, path: String)

    /// Whether a status with a `Location` sends the request elsewhere (RFC 9110 §15.4).
    public static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// Lets a redirect be followed only within the origin, and only where method and body stay what they are: the
    /// caller would otherwise lose a write, or its credentials.
    ///
    /// - Parameter display: method and URL as a message may show them.
    /// - Throws: ``TransportError`` `redirect`, which names the new place.
    public static func checkRedirect(
        _ status: Int, _ method: String, from: Place, to target: Place, followed: Int, display: String
    ) throws(TransportError) {
        guard target.origin == from.origin else {
            throw refusedRedirect(
                display,
                "the server redirects from \(from.origin) to \(target.origin); requests and credentials stay with the "
                    + "origin they are declared for: write the new address into the route file's base")
        }
        guard status == 307 || status == 308 || method == "GET" || method == "HEAD" else {
            let isSlash = target.path == from.path + "/" || target.path + "/" == from.path
            let remedy =
                if target.path == from.path + "/" {
                    "put the trailing slash into the route file"
                } else if target.path + "/" == from.path {
                    "take the trailing slash out of the route file"
                } else {
                    "write the new path into the route file"
                }
            var error = refusedRedirect(
                display,
                "the server redirects \(method) \(from.path) to \(target.path) with status \(status), which would lose "
                    + "the method and the body; \(remedy)")
            error.redirection = .init(status: status, path: target.path)
            // A path that only lacks its slash was not there to do anything (RFC 9110 §15.4.2); others may come after the deed.
            error.mayHaveArrived = status != 301 || !isSlash
            throw error
        }
        guard followed < redirectLimit else {
            throw refusedRedirect(
                display, "more than \(redirectLimit) redirects, the last one to \(target.path); check the path")
        }
    }

    /// The error for a redirect that is not followed.
    public static func refusedRedirect(_ display: String, _ reason: String) -> TransportError {
        TransportError(code: .redirect, message: "\(display): \(reason)", mayHaveArrived: true)
    }
}
