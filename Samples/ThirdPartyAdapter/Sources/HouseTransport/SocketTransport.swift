public import AtmosphereExchange
internal import Foundation

/// HTTP/1.1 over sockets of the system, without TLS, for a server on this machine or behind a proxy on it.
///
/// Every request has a connection of its own, so none is ever sent twice. Bodies stream both ways, and what nobody reads
/// stays with the server.
///
/// It uses nothing of Atmosphere that is not public.
public struct SocketTransport: Transport {
    private let timeout: Duration

    public init(settings: TransportSettings = TransportSettings()) { timeout = settings.timeout }

    /// Redirects are followed within the origin, as the protocol says; the timeout spans all of them.
    ///
    /// - Throws: ``TransportError``, or `CancellationError`.
    public func send(_ request: Request) async throws -> Response {
        try Task.checkCancellation()
        var place = try Place(request.url)
        // What no transport sends.
        try RequestRules.check(request, display: place.display)
        // It spans redirects and the body.
        let deadline = ContinuousClock.now + (request.timeout ?? timeout)
        var followed = 0
        while true {
            // It has a connection of its own, so the request is sent once.
            let exchange = Exchange(request, place, deadline: deadline)
            let head = try await exchange.head()
            guard request.followsRedirects, RequestRules.isRedirect(head.status),
                let location = head.headers["Location"]
            else {
                // Pulled: nothing is read before somebody asks. Dropped: the exchange closes its connection.
                return Response(
                    status: head.status, headers: head.headers, body: ResponseBody { try await exchange.next() })
            }
            let display = "\(request.method) \(place.display)"
            guard let target = place.resolving(location) else {
                throw RequestRules.refusedRedirect(display, "the server redirects to an address that is not usable")
            }
            try RequestRules.checkRedirect(
                head.status, request.method, from: (place.origin, place.path), to: (target.origin, target.path),
                followed: followed, display: display)
            place = target
            followed += 1
        }
    }
}

/// Where a request goes.
struct Place: Sendable {
    private let url: URL
    let host: String
    let port: Int
    let path: String
    /// Path and query, as they stand in a request.
    let target: String

    var authority: String { (host.contains(":") ? "[\(host)]" : host) + (port == 80 ? "" : ":\(port)") }
    var origin: String { "http://" + authority }
    /// For messages: no query.
    var display: String { origin + path }

    /// - Throws: ``TransportError`` `invalidRequest`.
    init(_ text: String) throws {
        func refused(_ reason: String) -> TransportError {
            let shown = text.prefix { $0 != "?" && $0 != "#" }.prefix(200)
            return TransportError(code: .invalidRequest, message: "\(shown): \(reason)", mayHaveArrived: false)
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw refused("the URL holds a space, a control or a non-ASCII character; percent-encode it")
        }
        guard let parts = URLComponents(string: text), let url = parts.url,
            parts.scheme?.lowercased() == "http", let host = parts.host, !host.isEmpty
        else { throw refused("this transport speaks plain http to an absolute URL only; for https choose another") }
        guard parts.user == nil, parts.password == nil else {
            throw refused("the URL holds a user name or password; declare them under auth instead")
        }
        self.url = url
        self.host = host.lowercased().trimmingCharacters(in: ["[", "]"])
        port = parts.port ?? 80
        path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        target = path + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    }

    /// What a `Location` names, seen from here; nil where it is not usable.
    func resolving(_ location: String) -> Place? {
        URL(string: location, relativeTo: url).flatMap { try? Place($0.absoluteString) }
    }
}

extension Adapter {
    /// `transport: socket`
    public static var socket: Adapter { .transport("socket") { SocketTransport(settings: $0) } }
}
