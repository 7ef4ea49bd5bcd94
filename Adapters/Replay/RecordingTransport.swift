public import AtmosphereExchange
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Writes every exchange of another transport into a cassette, without secrets, for ``ReplayTransport`` to give again.
///
/// A response body is read whole before it is handed on. What changes nothing here: requests, answers, errors and
/// cancellation; a cancelled exchange is not written. It passes `TransportSuite` with `streams` set to false.
///
/// Call ``finish()`` at the end: a credential that became known only after it had passed is taken out of the lines before
/// then.
public final class RecordingTransport: Transport {
    private let transport: any Transport
    private let redaction: CassetteRedaction
    private let writer: CassetteWriter
    private let declared: [String]
    /// What was found in exchanges.
    private let learned = Mutex<Set<ScalarText>>([])
    private let authenticators = Mutex<[any Authenticator]>([])

    /// Begins a cassette, and records what goes through the transport from now on.
    ///
    /// - Parameters:
    ///   - path: a file that does not exist yet; it is made readable by its owner only.
    ///   - secrets: texts that must not be written wherever they turn up, beside those that ``CassetteRedaction`` finds.
    /// - Throws: ``TransportError`` `invalidRequest` where the file exists already or cannot be made.
    public convenience init(
        _ transport: any Transport, to path: String, redaction: CassetteRedaction = CassetteRedaction(),
        secrets: [String] = []
    ) throws(TransportError) {
        self.init(transport, writer: try CassetteWriter(path), redaction: redaction, secrets: secrets)
    }

    package init(
        _ transport: any Transport, writer: CassetteWriter, redaction: CassetteRedaction, secrets: [String]
    ) {
        self.transport = transport
        self.writer = writer
        self.redaction = redaction
        declared = secrets
    }

    /// Leaves out what an authenticator says that it has used (``Authenticator/usedSecrets``), from now on and, when the
    /// recording is finished, from the beginning.
    public func leaveOut(secretsOf authenticator: any Authenticator) {
        authenticators.withLock { $0.append(authenticator) }
    }

    /// A transport that this one's requests to sign in go through, whatever their URLs: of these exchanges no text is
    /// written. For an authenticator that fetches credentials in a way of its own.
    public static func signingIn(over transport: any Transport) -> any Transport {
        SignInTransport(transport: transport)
    }

    /// Takes out of the whole cassette what has become known since its beginning. More can be recorded afterwards.
    ///
    /// - Throws: ``TransportError`` where the cassette cannot be read or written; it is as it was then.
    public func finish() async throws {
        let (texts, segments) = (known, redaction.declaredSegments)
        try await writer.rewrite { $0.without(texts, keeping: segments) }
    }

    /// Sends the request, reads the whole answer, and appends both to the cassette before it returns.
    ///
    /// - Throws: what the wrapped transport throws; ``TransportError`` where the cassette cannot be written.
    public func send(_ request: Request) async throws -> Response {
        var request = request
        let sent = try await request.body.whole()
        if case .stream = request.body { request.body = .bytes(sent) }
        let isSignIn = SignInTransport.isSigningIn || redaction.isSignIn(request, sent)
        learn(redaction.secrets(in: request))
        if isSignIn { learn(redaction.signInSecrets(in: sent, isForm: Self.isForm(request))) }
        do {
            var response = try await transport.send(request)
            let body = try await response.body.collect(upTo: request.maximumResponseBytes)
            learn(redaction.secrets(in: response.headers))
            if isSignIn {
                learn(redaction.signInSecrets(in: response.headers, body))
            } else if (200..<300).contains(response.status) {
                learn(redaction.issued(by: request, sent, body))
            }
            let headers =
                isSignIn ? redaction.signInHeaders(response.headers) : redaction.responseHeaders(response.headers)
            let stored =
                isSignIn
                ? redaction.signInBody(body, isForm: false)
                : CassetteBody(body).without(redaction, mediaType: response.headers["Content-Type"])
            try await write(
                request, sent, .response(status: response.status, headers: headers, body: stored), isSignIn)
            response.body = ResponseBody(body)
            return response
        } catch let error as TransportError {
            try await write(
                request, sent, .failure(code: "\(error.code)", mayHaveArrived: error.mayHaveArrived), isSignIn)
            throw error
        }
    }

    private func write(
        _ request: Request, _ body: [UInt8], _ answer: Cassette.Answer, _ isSignIn: Bool
    ) async throws {
        let url = isSignIn ? redaction.signInURL(request.url) : redaction.url(request.url)
        let stored =
            isSignIn
            ? redaction.signInBody(body, isForm: Self.isForm(request))
            : CassetteBody(body).without(redaction, mediaType: request.headers["Content-Type"])
        let exchange = Cassette.Exchange(
            method: request.method, url: url, headers: redaction.requestHeaders(request.headers), body: stored,
            answer: answer)
        try await writer.append(
            exchange.without(known, keeping: redaction.declaredSegments).line)
    }

    private func learn(_ found: [String]) { learned.withLock { $0.formUnion(found.map { ScalarText($0) }) } }

    static func isForm(_ request: Request) -> Bool { CassetteBody.isForm(request.headers["Content-Type"]) }

    private var known: SecretTexts {
        let used = authenticators.withLock { $0 }.flatMap(\.usedSecrets).map(\.value)
        return SecretTexts(learned.withLock { $0.map(\.text) }, declared: declared + used)
    }
}

/// Marks what goes through it as a sign-in, for a recording below it.
private struct SignInTransport: Transport {
    @TaskLocal static var isSigningIn = false

    let transport: any Transport

    func send(_ request: Request) async throws -> Response {
        try await Self.$isSigningIn.withValue(true) { try await transport.send(request) }
    }
}
