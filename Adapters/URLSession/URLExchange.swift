internal import AtmosphereExchange
internal import Dispatch
internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// One request on its way, shared by the caller's task and the session's thread.
final class URLExchange: Sendable {
    struct Head: Sendable {
        var status: Int
        var headers: HeaderFields
    }

    private struct State {
        var task: URLSessionTask?
        var upload: Upload?
        var timer: Deadline?
        var head: Head?
        var chunks: [[UInt8]] = []
        var receivedBytes = 0
        /// Set once; chunks that arrived before are still given, but where the exchange failed.
        var end: Result<Void, any Error>?
        var headWaiter: CheckedContinuation<Head, any Error>?
        var chunkWaiter: CheckedContinuation<[UInt8]?, any Error>?
    }

    let request: Request
    let url: HTTPURL
    private let deadline: ContinuousClock.Instant
    private let timeout: Duration
    private let state = Mutex(State())

    init(_ request: Request, _ url: HTTPURL, deadline: ContinuousClock.Instant, timeout: Duration) {
        self.request = request
        self.url = url
        self.deadline = deadline
        self.timeout = timeout
    }

    var secondsLeft: Double { max(0, (deadline - .now) / .seconds(1)) }

    func begin(_ task: URLSessionTask, keeping upload: Upload) {
        let timer = Deadline(after: secondsLeft) { [weak self] in self?.expire() }
        state.withLock {
            $0.task = task
            $0.upload = upload
            $0.timer = timer
        }
    }

    // MARK: The session's side

    /// A second telling of the same answer changes nothing.
    func arrived(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return }
        var headers = HeaderFields()
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers.append(name, value) }
        }
        headers.fields.sort { $0.name < $1.name }
        let codings = (headers["Content-Encoding"] ?? "").split { ", \t".contains($0) }.filter {
            $0.lowercased() != "identity"
        }
        let asksForPlain = request.headers["Accept-Encoding"]?.lowercased() == "identity"
        guard codings.count <= (asksForPlain ? 0 : 1) else {
            return finish(.failure(error(.invalidResponse, Self.coded(codings.count, asksForPlain))))
        }
        // The session has decoded the body already.
        if !codings.isEmpty {
            headers["Content-Encoding"] = nil
            headers["Content-Length"] = nil
        }
        let head = Head(status: response.statusCode, headers: headers)
        let waiter = state.withLock { state in
            if state.head != nil || state.end != nil { return nil as CheckedContinuation<Head, any Error>? }
            state.head = head
            defer { state.headWaiter = nil }
            return state.headWaiter
        }
        waiter?.resume(returning: head)
    }

    /// The session decodes whatever comes, and does not tell whether a coded body came to its end.
    private static func coded(_ count: Int, _ asksForPlain: Bool) -> String {
        asksForPlain
            ? "the response body is coded although it was asked for as it is (Accept-Encoding: identity); let the server "
                + "send it without Content-Encoding"
            : "the response body is coded \(count) times (Content-Encoding), and no more than one coding is undone; let the "
                + "server code it once"
    }

    func received(_ bytes: [UInt8]) {
        let limit = max(0, request.maximumResponseBytes)
        var isTooLarge = false
        let waiter: CheckedContinuation<[UInt8]?, any Error>? = state.withLock { state in
            guard state.end == nil, !bytes.isEmpty else { return nil }
            state.receivedBytes += bytes.count
            guard state.receivedBytes <= limit else {
                isTooLarge = true
                return nil
            }
            guard let waiter = state.chunkWaiter else {
                state.chunks.append(bytes)
                return nil
            }
            state.chunkWaiter = nil
            return waiter
        }
        waiter?.resume(returning: bytes)
        guard isTooLarge else { return }
        finish(
            .failure(
                error(
                    .bodyTooLarge,
                    "the response body is larger than \(limit) bytes; ask for smaller pages or raise limits.body")))
    }

    func completed(_ failure: (any Error)?) {
        if let failure { return finish(.failure(URLFailure(failure, hasHead: hasHead).error(for: self))) }
        let (hasHead, missing) = state.withLock { ($0.head != nil, Self.missingBytes($0, request)) }
        if !hasHead {
            finish(.failure(error(.invalidResponse, "the answer is not HTTP; check the port")))
        } else if missing > 0 {
            finish(.failure(error(.connectionLost, "the connection ended in the middle of the answer")))
        } else {
            finish(.success(()))
        }
    }

    /// Some sessions take the end of the connection for the end of the body, whatever its length was said to be.
    private static func missingBytes(_ state: State, _ request: Request) -> Int {
        guard let head = state.head, request.method != "HEAD", head.status != 204, head.status != 304,
            !RequestRules.isRedirect(head.status), let length = head.headers["Content-Length"].flatMap(Int.init),
            length > 0
        else { return 0 }
        return length - state.receivedBytes
    }

    private func expire() {
        let seconds = timeout / .seconds(1)
        finish(
            .failure(error(.timeout, "no whole answer within \(seconds) s; try later or raise \(request.timeoutKey)")))
    }

    func error(_ code: TransportError.Code, _ reason: String, mayHaveArrived: Bool = true) -> TransportError {
        TransportError(
            code: code, message: "\(request.method) \(url.display): \(reason)", mayHaveArrived: mayHaveArrived)
    }

    private var hasHead: Bool { state.withLock { $0.head != nil } }

    /// Ends the exchange; what happened first counts.
    func finish(_ result: Result<Void, any Error>) {
        let (task, head, chunk) = state.withLock { state in
            guard state.end == nil else {
                return (
                    nil as URLSessionTask?, nil as CheckedContinuation<Head, any Error>?,
                    nil as CheckedContinuation<[UInt8]?, any Error>?
                )
            }
            state.end = result
            if case .failure = result { state.chunks = [] }
            state.timer?.cancel()
            state.timer = nil
            state.upload = nil
            defer { (state.headWaiter, state.chunkWaiter, state.task) = (nil, nil, nil) }
            return (state.task, state.headWaiter, state.chunkWaiter)
        }
        switch result {
        case .success: chunk?.resume(returning: nil)
        case .failure(let error):
            head?.resume(throwing: error)
            chunk?.resume(throwing: error)
            // Last, for Foundation on Linux waits here while bytes arrive faster than it reads.
            task?.cancel()
        }
    }

    // MARK: The caller's side

    func head() async throws -> Head {
        try await withCheckedThrowingContinuation { continuation in
            let result: Result<Head, any Error>? = state.withLock { state in
                if let head = state.head { return .success(head) }
                if case .failure(let error)? = state.end { return .failure(error) }
                state.headWaiter = continuation
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }

    func next() async throws -> [UInt8]? {
        try await withCheckedThrowingContinuation { continuation in
            let result: Result<[UInt8]?, any Error>? = state.withLock { state in
                if !state.chunks.isEmpty { return .success(state.chunks.removeFirst()) }
                switch state.end {
                case .success?: return .success(nil)
                case .failure(let error)?: return .failure(error)
                case nil:
                    state.chunkWaiter = continuation
                    return nil
                }
            }
            if let result { continuation.resume(with: result) }
        }
    }
}

/// Calls back once after some time, unless it is cancelled before.
///
/// A dispatch source may be used from any thread; Dispatch on Linux does not say so to the compiler.
private struct Deadline: @unchecked Sendable {
    private let source = DispatchSource.makeTimerSource()

    init(after seconds: Double, _ expire: @escaping @Sendable () -> Void) {
        source.schedule(deadline: .now() + seconds)
        source.setEventHandler { expire() }
        source.resume()
    }

    func cancel() { source.cancel() }
}

/// The caller's hold on an exchange: dropped before the end, it ends the exchange.
final class URLExchangeTicket: Sendable {
    private let exchange: URLExchange

    init(_ exchange: URLExchange) { self.exchange = exchange }

    deinit { exchange.finish(.failure(CancellationError())) }

    func head() async throws -> URLExchange.Head { try await cancellable { try await exchange.head() } }

    func next() async throws -> [UInt8]? { try await cancellable { try await exchange.next() } }

    private func cancellable<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try await withTaskCancellationHandler {
            try await body()
        } onCancel: {
            exchange.finish(.failure(CancellationError()))
        }
    }
}

/// Turns what the session says into what the caller can act on.
private struct URLFailure {
    let code: URLError.Code?
    let hasHead: Bool

    init(_ error: any Error, hasHead: Bool) {
        code = (error as? URLError)?.code
        self.hasHead = hasHead
    }

    func error(for exchange: URLExchange) -> TransportError {
        guard let code else { return lost(exchange) }
        return switch code {
        case .cannotFindHost, .dnsLookupFailed:
            exchange.error(
                .cannotConnect, "the name of the server does not resolve; check the address and the network",
                mayHaveArrived: false)
        case .cannotConnectToHost, .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff:
            exchange.error(
                .cannotConnect, "there is no connection to the server; check the address and the network",
                mayHaveArrived: false)
        case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid:
            exchange.error(.tls, Self.tls, mayHaveArrived: false)
        case .secureConnectionFailed, .clientCertificateRejected, .clientCertificateRequired:
            exchange.error(.tls, Self.tls)
        case .timedOut:
            exchange.error(.timeout, "given up, because nothing has moved for too long; try later")
        case .cannotParseResponse where !hasHead:
            exchange.error(.invalidResponse, "the answer is not HTTP; check the port")
        default: lost(exchange)
        }
    }

    private func lost(_ exchange: URLExchange) -> TransportError {
        exchange.error(
            .connectionLost,
            hasHead ? "the connection ended in the middle of the answer" : "the connection ended without an answer")
    }

    private static let tls =
        "TLS failed; the connection is not trusted: correct the server's certificate or this machine's certificate "
        + "authorities"
}
