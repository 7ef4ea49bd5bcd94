public import AtmosphereExchange
internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Sends requests with Foundation's URLSession: no other library, and on Apple's systems the system's own proxies,
/// certificates and connections.
///
/// There are no cookies, no cache and no stored credentials. TLS certificates are verified as the system does. A request
/// whose ``Request/mayRepeat`` is false gets a session, and with it a connection, of its own: a session may send a
/// request again when a connection that it used before closes without an answer.
///
/// - Warning: Outside Apple's systems Foundation ends the whole process at a chunk that has an extension
///   (RFC 9112 §7.1.1), or fields behind the last one, and may do so at an answer that is not HTTP. It also goes on
///   receiving into memory what nobody wants any more, for as long as a server sends faster than this machine reads.
///   Use it there only with servers that you know, and `CurlTransport` otherwise; route files cannot choose it there.
///
/// Where it differs from the curl transport, because URLSession leaves no choice:
/// - a body is received as fast as it comes, up to the request's limit, and waits in memory for its reader;
/// - a body in gzip or deflate that ends too early is taken for a whole one where its length is right, and its sum is not
///   looked at: JSON that is cut is noticed by what reads it, and contents are asked for with `Accept-Encoding: identity`;
/// - ``TransportSettings/connectTimeout`` is not used; only the timeout of the whole exchange is;
/// - header fields arrive without their order, those of one name as one field;
/// - a request body without a `Content-Type` may be called a form;
/// - a request body that is streamed goes through a temporary file, which only its owner may read.
public final class URLSessionTransport: Transport {
    private let timeout: Duration
    private let shared: URLExchanges

    /// A transport with a session of its own, which ends with it.
    ///
    /// - Parameter settings: only ``TransportSettings/timeout`` of them is used.
    public init(settings: TransportSettings = TransportSettings()) {
        timeout = settings.timeout
        shared = URLExchanges()
    }

    deinit { shared.end() }

    /// Returns when the header of the final answer has arrived.
    ///
    /// Redirects are followed within the origin: up to ten, for GET and HEAD, and for every method where the status is
    /// 307 or 308. The timeout spans all of them.
    ///
    /// - Throws: ``TransportError``, or `CancellationError`. ``TransportError/mayHaveArrived`` is false where the name
    ///   did not resolve, nobody listened, or the certificate was refused.
    public func send(_ request: Request) async throws -> Response {
        try Task.checkCancellation()
        let timeout = request.timeout ?? timeout
        let deadline = ContinuousClock.now + timeout
        var url = try HTTPURL(request.url)
        try RequestRules.check(request, display: url.display)
        let upload = try await Upload(request.body)
        var followed = 0
        while true {
            let exchanges = request.mayRepeat ? shared : URLExchanges()
            let exchange = URLExchange(request, url, deadline: deadline, timeout: timeout)
            exchanges.start(exchange, upload)
            if !request.mayRepeat { exchanges.end() }
            let ticket = URLExchangeTicket(exchange)
            let head = try await ticket.head()
            guard request.followsRedirects, RequestRules.isRedirect(head.status),
                let location = head.headers["Location"]
            else {
                return Response(
                    status: head.status, headers: head.headers, body: ResponseBody { try await ticket.next() })
            }
            let display = "\(request.method) \(url.display)"
            guard let target = url.resolving(location) else {
                throw RequestRules.refusedRedirect(display, "the server redirects to an address that is not usable")
            }
            try RequestRules.checkRedirect(
                head.status, request.method, from: (url.origin, url.path), to: (target.origin, target.path),
                followed: followed, display: display)
            url = target
            followed += 1
        }
    }
}

extension Adapter {
    /// Offers `URLSessionTransport` under `transport: urlsession` on Apple's systems. Elsewhere a route file that says
    /// so is refused, because Foundation there ends the process at answers that are allowed: a chunk with an extension
    /// (RFC 9112 §7.1.1), or fields behind the last one.
    public static var urlSession: Adapter {
        let adapter = Adapter.transport("urlsession") { URLSessionTransport(settings: $0) }
        #if canImport(Darwin)
            return adapter
        #else
            return adapter.refused(
                "Foundation ends the process there at some answers in chunks; write transport: curl")
        #endif
    }
}
