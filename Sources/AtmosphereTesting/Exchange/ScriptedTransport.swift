public import Atmosphere
import Synchronization

/// A transport without a network: it answers from a script and keeps what was sent.
///
/// ```swift
/// let transport = ScriptedTransport()
/// transport.expect("GET", "/tasks?page=1", .json(#"{"items": []}"#))
/// …
/// try transport.check()
/// ```
///
/// A request takes the first expectation, in the order of the script, that fits it and was not taken before; so requests
/// may come concurrently. One that fits none goes to `otherwise`, or throws ``TransportError`` `invalidRequest` and is
/// reported by ``check()``. Nothing is ever sent twice. Cancelling the calling task ends a held answer.
public final class ScriptedTransport: Transport {
    /// A request as the transport got it.
    public struct Recorded: Sendable {
        /// The request; a streamed body was read, so ``body`` is the one to look at.
        public var request: Request
        /// All bytes of the body, streamed or not.
        public var body: [UInt8]

        /// The body as UTF-8.
        public var text: String { String(decoding: body, as: UTF8.self) }
    }

    private struct Expectation {
        var method: String
        var target: String
        var answer: ScriptedAnswer

        func fits(_ request: Request) -> Bool {
            guard method == request.method else { return false }
            return target.hasPrefix("/") ? target == ScriptedTransport.target(of: request.url) : target == request.url
        }
    }

    private struct State {
        var expectations: [Expectation] = []
        var recorded: [Recorded] = []
        var unexpected: [String] = []
        var running = 0
        var mostAtOnce = 0
    }
    private let state = Mutex(State())
    private let otherwise: ScriptedAnswer?

    /// A transport with an empty script.
    ///
    /// - Parameter otherwise: answers what no expectation fits; nil makes that an error.
    public init(otherwise: ScriptedAnswer? = nil) {
        self.otherwise = otherwise
    }

    /// A transport that computes every answer.
    public convenience init(_ answer: @escaping @Sendable (Request) async throws -> Response) {
        self.init(otherwise: ScriptedAnswer(answer))
    }

    /// Adds to the script.
    ///
    /// - Parameter target: path and query, beginning with `/`, or the whole URL.
    public func expect(_ method: String, _ target: String, _ answer: ScriptedAnswer, times: Int = 1) {
        let expectation = Expectation(method: method, target: target, answer: answer)
        state.withLock { $0.expectations += Array(repeating: expectation, count: max(0, times)) }
    }

    /// Everything that was sent, in the order of arrival.
    public var requests: [Recorded] { state.withLock { $0.recorded } }

    /// The most requests that were under way at the same time.
    public var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }

    /// Expectations that nothing has taken yet: `GET /tasks`.
    public var remaining: [String] { state.withLock { $0.expectations.map { "\($0.method) \($0.target)" } } }

    /// Answers from the script; see ``ScriptedTransport``.
    ///
    /// - Throws: what the expectation says; ``TransportError`` `invalidRequest` for a request that nothing fits;
    ///   `CancellationError`.
    public func send(_ request: Request) async throws -> Response {
        try Task.checkCancellation()
        let body = try await request.body.whole()
        let expected: ScriptedAnswer? = state.withLock { state in
            state.recorded.append(Recorded(request: request, body: body))
            state.running += 1
            state.mostAtOnce = max(state.mostAtOnce, state.running)
            guard let index = state.expectations.firstIndex(where: { $0.fits(request) }) else {
                if otherwise == nil { state.unexpected.append("\(request.method) \(Self.target(of: request.url))") }
                return otherwise
            }
            return state.expectations.remove(at: index).answer
        }
        defer { state.withLock { $0.running -= 1 } }
        guard let expected else {
            throw TransportError(
                code: .invalidRequest,
                message: "the script has no answer for \(request.method) \(Self.target(of: request.url)); "
                    + "it still expects: \(remaining.joined(separator: ", "))", mayHaveArrived: false)
        }
        return try await expected.make(request)
    }

    /// Tells whether everything that was expected came, and nothing else.
    ///
    /// - Throws: ``ScriptError``, which lists what is missing and what was not expected.
    public func check() throws(ScriptError) {
        let error = state.withLock { state in
            ScriptError(
                missing: state.expectations.map { "\($0.method) \($0.target)" }, unexpected: state.unexpected)
        }
        if !error.missing.isEmpty || !error.unexpected.isEmpty { throw error }
    }

    /// Path and query of a URL.
    private static func target(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        guard let start = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
        return (rest[start] == "?" ? "/" : "") + rest[start...]
    }
}

/// How what was sent differs from a script.
public struct ScriptError: Error, Sendable, CustomStringConvertible {
    /// Expected and not sent.
    public var missing: [String]
    /// Sent and not expected.
    public var unexpected: [String]

    public var description: String {
        var parts: [String] = []
        if !missing.isEmpty { parts.append("never sent: " + missing.joined(separator: ", ")) }
        if !unexpected.isEmpty { parts.append("not expected: " + unexpected.joined(separator: ", ")) }
        return parts.joined(separator: "; ")
    }
}
