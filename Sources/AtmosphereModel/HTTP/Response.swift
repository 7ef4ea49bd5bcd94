import Synchronization

/// The answer to one request.
public struct Response: Sendable {
    /// The HTTP status; no status is an error to a transport.
    public var status: Int
    /// In the order of the answer.
    public var headers: HeaderFields
    /// Read once, chunk by chunk, or with ``ResponseBody/collect(upTo:)``.
    public var body: ResponseBody
    /// How often the transport has sent the request for it: more than once where a connection that was used before ended
    /// without an answer, and ``Request/mayRepeat`` allowed it. A transport that cannot tell says 1.
    public var timesSent = 1

    /// An answer; without a body where none is given.
    public init(status: Int, headers: HeaderFields = [:], body: ResponseBody = ResponseBody([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A response body that arrives in chunks; it can be read once.
///
/// Reading pulls: a transport stops receiving while nobody reads. Dropping it, or cancelling the task that reads,
/// ends the exchange.
public struct ResponseBody: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// A chunk, as it arrived.
    public typealias Element = [UInt8]

    package let pull: @Sendable () async throws -> [UInt8]?

    /// `next` gives the chunks in order and nil at the end.
    public init(next: @escaping @Sendable () async throws -> [UInt8]?) {
        pull = next
    }

    /// A body that is already here, given as one chunk.
    public init(_ bytes: [UInt8]) {
        let once = OneChunk(bytes)
        pull = { once.take() }
    }

    /// The next chunk as it arrived; nil at the end.
    ///
    /// - Throws: ``TransportError``; `CancellationError`.
    public func next() async throws -> [UInt8]? { try await pull() }

    /// The body itself: what one reader has read no other gets.
    public func makeAsyncIterator() -> ResponseBody { self }

    /// The whole body in memory.
    ///
    /// - Throws: ``TransportError`` `bodyTooLarge` as soon as more than `limit` bytes have arrived, or what the
    ///   transport throws.
    public func collect(upTo limit: Int) async throws -> [UInt8] {
        var whole: [UInt8] = []
        while let chunk = try await pull() {
            guard whole.count + chunk.count <= limit else {
                throw TransportError(
                    code: .bodyTooLarge, message: "the response body is larger than \(limit) bytes",
                    mayHaveArrived: true)
            }
            if whole.isEmpty { whole = chunk } else { whole += chunk }
        }
        return whole
    }
}

private final class OneChunk: Sendable {
    let bytes: Mutex<[UInt8]?>
    init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes.isEmpty ? nil : bytes) }
    func take() -> [UInt8]? {
        bytes.withLock { chunk in
            defer { chunk = nil }
            return chunk
        }
    }
}
