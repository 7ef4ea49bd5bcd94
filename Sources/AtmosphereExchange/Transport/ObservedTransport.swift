internal import Synchronization

/// A transport that tells how each exchange of another one went: for logs, metrics and traces.
///
/// ```swift
/// let metrics = TransportMetrics()
/// let transport = try CurlTransport().observed { print($0) }.measured(by: metrics)
/// ```
///
/// It changes nothing of requests, answers, errors and cancellation. Wrappers can be put around each other in any order.
package struct ObservedTransport: Transport {
    private let transport: any Transport
    private let uptime: @Sendable () -> Duration
    private let report: @Sendable (ExchangeReport) -> Void

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - uptime: a clock that never goes back; the system's by default.
    ///   - report: called once for each exchange, when the body has been read to its end or dropped, or when there is no
    ///     answer; from any task or thread, so it should not take long.
    package init(
        _ transport: any Transport, uptime: (@Sendable () -> Duration)? = nil,
        report: @escaping @Sendable (ExchangeReport) -> Void
    ) {
        self.transport = transport
        let start = ContinuousClock.now
        self.uptime = uptime ?? { start.duration(to: .now) }
        self.report = report
    }

    /// Sends through the wrapped transport, and reports when the exchange has ended.
    ///
    /// - Throws: what the wrapped transport throws, unchanged.
    package func send(_ request: Request) async throws -> Response {
        let meter = ExchangeMeter(request, uptime: uptime, report: report)
        do {
            var response = try await transport.send(request)
            meter.answered(response.status)
            let body = response.body
            response.body = ResponseBody {
                do {
                    let chunk = try await body.next()
                    if let chunk { meter.received(chunk.count) } else { meter.end(nil) }
                    return chunk
                } catch {
                    meter.end(error)
                    throw error
                }
            }
            return response
        } catch {
            meter.end(error)
            throw error
        }
    }
}

/// How one exchange went. Holds no query, header or body.
public struct ExchangeReport: Sendable, Hashable, CustomStringConvertible {
    /// How an exchange ended.
    public enum Outcome: Sendable, Hashable {
        /// The body was read to its end.
        case complete
        /// The caller read no further.
        case dropped
        /// The task was cancelled, before the header or while the body was read.
        case cancelled
        /// No answer, or not all of it. For an error that is no ``TransportError`` nobody knows what has arrived.
        case failed(TransportError.Code?, mayHaveArrived: Bool)
    }

    /// As the request has it: `GET`.
    public var method: String
    /// Without user, query and fragment.
    public var url: String
    /// nil where no header arrived.
    public var status: Int?
    /// Of the response body, as the transport gave it.
    public var bodyBytes: Int
    /// From the call to the header; nil where none arrived.
    public var timeToHeader: Duration?
    /// From the call to the end.
    public var duration: Duration
    /// How it ended.
    public var outcome: Outcome

    /// `GET https://example.com/tasks: 200, 326 bytes, 0.012 s`
    public var description: String {
        let answer = status.map { "\($0), \(bodyBytes) bytes" } ?? "no answer"
        let end =
            switch outcome {
            case .complete: ""
            case .dropped: ", not read to the end"
            case .cancelled: ", cancelled"
            case .failed(let code?, _): ", \(code)"
            case .failed(nil, _): ", failed"
            }
        let (seconds, attoseconds) = duration.components
        let thousandths = String(attoseconds / 1_000_000_000_000_000)
        let padding = String(repeating: "0", count: 3 - thousandths.count)
        return "\(method) \(url): \(answer)\(end), \(seconds).\(padding)\(thousandths) s"
    }
}

/// What has gone through a transport since it was made; several transports may share it.
public final class TransportMetrics: Sendable {
    /// Sums over all exchanges that have ended.
    public struct Counts: Sendable, Hashable {
        /// Those that have ended, in whatever way.
        public var exchanges = 0
        /// By the hundreds of the status: 2 for 200 to 299.
        public var answers: [Int: Int] = [:]
        /// Exchanges that ended with `CancellationError`.
        public var cancelled = 0
        /// By what went wrong; not counted here: errors that are no ``TransportError``.
        public var failures: [TransportError.Code: Int] = [:]
        /// Of response bodies, as far as they were read.
        public var bodyBytes = 0
        /// Of all exchanges added up; those that ran at once count each.
        public var totalDuration = Duration.zero
        /// Of the exchanges that have ended; zero before the first.
        public var longestDuration = Duration.zero

        /// Nothing counted yet.
        package init() {}
    }

    private let state = Mutex(Counts())

    /// Counts from zero.
    public init() {}

    /// At this moment; an exchange counts when it has ended.
    public var counts: Counts { state.withLock { $0 } }

    /// Counts one exchange that has ended.
    package func add(_ report: ExchangeReport) {
        state.withLock { counts in
            counts.exchanges += 1
            if let status = report.status { counts.answers[status / 100, default: 0] += 1 }
            switch report.outcome {
            case .cancelled: counts.cancelled += 1
            case .failed(let code?, _): counts.failures[code, default: 0] += 1
            case .failed, .complete, .dropped: break
            }
            counts.bodyBytes += report.bodyBytes
            counts.totalDuration += report.duration
            counts.longestDuration = max(counts.longestDuration, report.duration)
        }
    }
}

/// Collects one report, and gives it once: at the latest when the body that holds it is dropped.
private final class ExchangeMeter: Sendable {
    private struct State {
        var report: ExchangeReport
        var isGiven = false
    }

    private let state: Mutex<State>
    private let begun: Duration
    private let uptime: @Sendable () -> Duration
    private let give: @Sendable (ExchangeReport) -> Void

    init(
        _ request: Request, uptime: @escaping @Sendable () -> Duration,
        report: @escaping @Sendable (ExchangeReport) -> Void
    ) {
        begun = uptime()
        self.uptime = uptime
        give = report
        state = Mutex(
            State(
                report: ExchangeReport(
                    method: request.method, url: URLText.display(request.url), bodyBytes: 0, duration: .zero,
                    outcome: .dropped)))
    }

    deinit { end(.dropped) }

    func answered(_ status: Int) {
        let elapsed = uptime() - begun
        state.withLock {
            $0.report.status = status
            $0.report.timeToHeader = elapsed
        }
    }

    func received(_ count: Int) { state.withLock { $0.report.bodyBytes += count } }

    func end(_ error: (any Error)?) {
        switch error {
        case nil: end(.complete)
        case is CancellationError: end(.cancelled)
        case let error as TransportError: end(.failed(error.code, mayHaveArrived: error.mayHaveArrived))
        default: end(.failed(nil, mayHaveArrived: true))
        }
    }

    private func end(_ outcome: ExchangeReport.Outcome) {
        let elapsed = uptime() - begun
        let report: ExchangeReport? = state.withLock { state in
            if state.isGiven { return nil }
            state.isGiven = true
            state.report.outcome = outcome
            state.report.duration = elapsed
            return state.report
        }
        if let report { give(report) }
    }
}

/// URLs as texts.
package enum URLText {
    /// What a message or a log may show: no user, no query, no fragment.
    package static func display(_ url: String) -> String {
        let shown = url.prefix { $0 != "?" && $0 != "#" }
        guard let scheme = shown.firstRange(of: "://") else { return String(shown) }
        let rest = shown[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(shown) }
        return String(shown[..<scheme.upperBound] + rest[rest.index(after: at)...])
    }
}
