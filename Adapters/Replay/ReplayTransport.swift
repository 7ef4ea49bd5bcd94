public import AtmosphereExchange
internal import Synchronization

/// Answers from a cassette that ``RecordingTransport`` (`atmos record`) has written; nothing goes to a network.
///
/// Each recorded exchange answers once, in the order of the recording among those that fit the request. A request that
/// none fits throws ``TransportError`` `notRecorded`, which says in what the nearest exchange that is left differs.
///
/// `TransportSuite` cannot be run on it: its checks are about connections, and there are none.
public final class ReplayTransport: Transport {
    /// Which request an exchange fits.
    public struct Matching: Sendable, Hashable {
        let isStrict: Bool

        /// Method, origin, path, query in any order, the recorded headers (`Accept`, `Content-Type`, conditions) and the
        /// body must be the same; JSON bodies by their meaning.
        public static let strict = Matching(isStrict: true)
        /// Method, path and query in any order must be the same. A GET or HEAD for which nothing is left gets the last
        /// answer again.
        public static let lenient = Matching(isStrict: false)
    }

    private struct State {
        var isUsed: [Bool]
    }

    private let cassette: Cassette
    private let matching: Matching
    private let redaction: CassetteRedaction
    private let path: String
    private let state: Mutex<State>

    /// Reads a cassette.
    ///
    /// - Parameter redaction: the same as was recorded with; what it leaves out is not compared.
    /// - Throws: ``TransportError`` `invalidRequest` that names the file and the line, where it is no cassette.
    public init(
        path: String, matching: Matching = .strict, redaction: CassetteRedaction = CassetteRedaction()
    ) throws(TransportError) {
        let cassette = try Cassette(path: path)
        self.cassette = cassette
        self.matching = matching
        self.redaction = redaction
        self.path = path
        state = Mutex(State(isUsed: Array(repeating: false, count: cassette.exchanges.count)))
    }

    /// What a person should know of the cassette: that its last line was cut off, and is left out.
    public var notes: [String] {
        cassette.cutLine.map { ["\(path):\($0): the recording ended within this line, which is left out"] } ?? []
    }

    /// Exchanges that nothing has asked for: `GET https://example.com/tasks (line 2)`.
    public var remaining: [String] {
        let isUsed = state.withLock { $0.isUsed }
        return zip(cassette.exchanges, isUsed).filter { !$1 }.map { recorded, _ in
            "\(recorded.exchange.method) \(SentURL(recorded.exchange.url).display) (line \(recorded.line))"
        }
    }

    /// Answers as was recorded. Each exchange answers once; under lenient matching the last that fits a GET or HEAD
    /// answers again.
    ///
    /// - Throws: ``TransportError`` `notRecorded`, or the failure that was recorded.
    public func send(_ request: Request) async throws -> Response {
        try Task.checkCancellation()
        let body = try await request.body.whole()
        let plain = CassetteBody(body).without(SecretTexts(redaction.secrets(in: request)))
        let sent = SentRequest(
            method: request.method, url: SentURL(request.url), headers: redaction.requestHeaders(request.headers),
            bodies: [plain, plain.without(redaction, mediaType: request.headers["Content-Type"])])
        let exchange = try take(sent)
        switch exchange.answer {
        case .failure(let code, let mayHaveArrived):
            throw TransportError(
                code: .init(code), message: "\(request.method) \(sent.url.display): \(code), as it was recorded",
                mayHaveArrived: mayHaveArrived)
        case .response(let status, let headers, let body):
            let bytes = request.method == "HEAD" ? [] : body.data
            guard bytes.count <= request.maximumResponseBytes else {
                throw TransportError(
                    code: .bodyTooLarge,
                    message: "\(request.method) \(sent.url.display): the recorded body is larger than "
                        + "\(request.maximumResponseBytes) bytes; raise limits.body", mayHaveArrived: true)
            }
            return Response(status: status, headers: headers, body: ResponseBody(bytes))
        }
    }

    private func take(_ sent: SentRequest) throws(TransportError) -> Cassette.Exchange {
        let fitting = cassette.exchanges.indices.filter {
            sent.differences(from: cassette.exchanges[$0].exchange, matching).isEmpty
        }
        let index: Int? = state.withLock { state in
            guard let next = fitting.first(where: { !state.isUsed[$0] }) else { return nil }
            state.isUsed[next] = true
            return next
        }
        if let index { return cassette.exchanges[index].exchange }
        if !matching.isStrict, ["GET", "HEAD"].contains(sent.method), let last = fitting.last {
            return cassette.exchanges[last].exchange
        }
        throw TransportError(
            code: .notRecorded, message: "\(sent.method) \(sent.url.display): \(reason(sent, fitting))",
            mayHaveArrived: false)
    }

    private func reason(_ sent: SentRequest, _ fitting: [Int]) -> String {
        if !fitting.isEmpty {
            return "every exchange of \(path) that fits has answered already; record again, or match leniently"
        }
        let isUsed = state.withLock { $0.isUsed }
        let left = cassette.exchanges.indices.filter { !isUsed[$0] }
        let ranked = left.map { index in
            let differences = sent.differences(from: cassette.exchanges[index].exchange, matching)
            return (index: index, differences: differences, rank: differences.reduce(0) { $0 + $1.weight })
        }
        guard let nearest = ranked.min(by: { ($0.rank, $0.index) < ($1.rank, $1.index) }) else {
            return "nothing is left in \(path); record again"
        }
        return
            "nothing in \(path) fits; the nearest exchange, line \(cassette.exchanges[nearest.index].line), differs: "
            + nearest.differences.map(\.text).joined(separator: "; ")
    }
}
