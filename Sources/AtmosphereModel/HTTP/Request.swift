/// One HTTP request.
public struct Request: Sendable {
    /// `GET`, `POST`, … in capitals.
    public var method: String
    /// The absolute URL, percent-encoded.
    public var url: String
    /// Sent as they are; the transport adds what HTTP needs, such as `Host` and `Content-Length`.
    public var headers: HeaderFields
    /// ``RequestBody/none`` by default.
    public var body: RequestBody
    /// Whether a transport may send it a second time without asking, for example when a reused connection closes
    /// without an answer. False for a create without an idempotency key: a transport that cannot prove that the peer
    /// has seen nothing must throw instead.
    public var mayRepeat: Bool
    /// Whether a transport may follow a redirect, as far as it ever does; true by default. Where it is false the redirect
    /// itself is the answer: a request that shows a secret to one URL must not show it to another.
    public var followsRedirects = true
    /// The route file declares that credentials go to this request's origin, which is another than the base's.
    package var isOriginDeclared = false
    /// It asks for a list, an object or content, and is no part of a write.
    package var isRead = false
    /// From the start to the last byte of the answer; nil for the transport's default.
    public var timeout: Duration?
    /// The key of the route file that gives the time, for messages.
    package var timeoutKey = "transport.timeout"
    /// A longer response body is an error, and what has arrived of it is dropped.
    public var maximumResponseBytes: Int

    /// A request; without a body, and followed to where it is redirected, as far as a transport does that.
    ///
    /// - Parameters:
    ///   - mayRepeat: nil for what HTTP says of the method: true for GET, HEAD, OPTIONS, PUT and DELETE (RFC 9110
    ///     §9.2.2).
    ///   - timeout: nil for the transport's default.
    ///   - maximumResponseBytes: 64 MiB by default.
    public init(
        method: String, url: String, headers: HeaderFields = [:], body: RequestBody = .none, mayRepeat: Bool? = nil,
        timeout: Duration? = nil, maximumResponseBytes: Int = 64 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.mayRepeat = mayRepeat ?? ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].contains(method)
        self.timeout = timeout
        self.maximumResponseBytes = maximumResponseBytes
    }
}

/// What a request carries.
public enum RequestBody: Sendable {
    /// No body at all.
    case none
    /// The whole body, in memory.
    case bytes([UInt8])
    /// Pulled chunk by chunk; `next` returns nil at the end. `start` begins again from the first byte, for a request
    /// that has to be sent twice (a redirect, a challenge). `length` in bytes, nil for chunked coding.
    case stream(length: Int64?, start: @Sendable () async throws -> @Sendable () async throws -> [UInt8]?)
}

extension RequestBody {
    /// All its bytes; a stream is read to its end, whatever its length.
    ///
    /// - Throws: what the stream throws.
    package func whole() async throws -> [UInt8] {
        switch self {
        case .none: return []
        case .bytes(let bytes): return bytes
        case .stream(_, let start):
            let next = try await start()
            var whole: [UInt8] = []
            while let chunk = try await next() { whole += chunk }
            return whole
        }
    }
}
