public import Atmosphere
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Writes every exchange of another transport into a cassette, without secrets, for ``ReplayTransport`` to give again.
///
/// A response body is read whole before it is handed on. What changes nothing here: requests, answers, errors and
/// cancellation; a cancelled exchange is not written. It passes `TransportSuite` with `streams` set to false.
public final class RecordingTransport: Transport {
    private let transport: any Transport
    private let redaction: CassetteRedaction
    private let writer: CassetteWriter
    private let secrets = Mutex<Set<String>>([])

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
        self.secrets.withLock { $0.formUnion(secrets) }
    }

    /// Sends the request, reads the whole answer, and appends both to the cassette before it returns.
    ///
    /// - Throws: what the wrapped transport throws; ``TransportError`` where the cassette cannot be written.
    public func send(_ request: Request) async throws -> Response {
        var request = request
        let sent = try await Self.bytes(of: request.body)
        if case .stream = request.body { request.body = .bytes(sent) }
        let isSignIn = redaction.isSignIn(request.url)
        learn(redaction.secrets(in: request))
        if isSignIn { learn(redaction.signInSecrets(in: sent, isForm: Self.isForm(request))) }
        do {
            var response = try await transport.send(request)
            let body = try await response.body.collect(upTo: request.maximumResponseBytes)
            learn(redaction.secrets(in: response.headers))
            if isSignIn { learn(redaction.signInSecrets(in: response.headers, body)) }
            let headers =
                isSignIn ? redaction.signInHeaders(response.headers) : redaction.responseHeaders(response.headers)
            let stored =
                isSignIn
                ? redaction.signInBody(body, isForm: false) : CassetteBody(body).without(redaction, isForm: false)
            try await write(
                request, sent,
                .response(status: response.status, headers: clean(headers), body: stored.without(known)))
            response.body = ResponseBody(body)
            return response
        } catch let error as TransportError {
            try await write(request, sent, .failure(code: "\(error.code)", mayHaveArrived: error.mayHaveArrived))
            throw error
        }
    }

    private func write(_ request: Request, _ body: [UInt8], _ answer: Cassette.Answer) async throws {
        let isForm = Self.isForm(request)
        let isSignIn = redaction.isSignIn(request.url)
        let url = isSignIn ? redaction.signInURL(request.url) : redaction.url(request.url)
        let stored =
            isSignIn
            ? redaction.signInBody(body, isForm: isForm) : CassetteBody(body).without(redaction, isForm: isForm)
        let exchange = Cassette.Exchange(
            method: request.method, url: SecretTexts(known).removed(from: url),
            headers: clean(redaction.requestHeaders(request.headers)), body: stored.without(known), answer: answer)
        try await writer.append(exchange.line)
    }

    private func learn(_ found: [String]) { secrets.withLock { $0.formUnion(found) } }

    static func isForm(_ request: Request) -> Bool {
        request.headers["Content-Type"]?.hasPrefix("application/x-www-form-urlencoded") == true
    }

    private var known: [String] { secrets.withLock { Array($0) } }

    private func clean(_ headers: HeaderFields) -> HeaderFields {
        let texts = SecretTexts(known)
        return HeaderFields(headers.fields.map { .init(name: $0.name, value: texts.removed(from: $0.value)) })
    }

    static func bytes(of body: RequestBody) async throws -> [UInt8] {
        switch body {
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

/// Appends lines to a cassette, on a thread of its own.
///
/// A queue may be used from any thread, which Dispatch on Linux does not say to the compiler; the handle is used on it only.
package final class CassetteWriter: @unchecked Sendable {
    private let queue = DispatchQueue(label: "Atmosphere.CassetteWriter")
    private let handle: FileHandle
    private let path: String

    /// - Throws: ``TransportError`` `invalidRequest`.
    package init(_ path: String) throws(TransportError) {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw Cassette.unusable(path, "the file is there already; remove it or name another one")
        }
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data(Cassette.header), attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw Cassette.unusable(path, "the file cannot be made; does its folder exist?") }
        _ = try? handle.seekToEnd()
        self.handle = handle
        self.path = path
    }

    func append(_ line: [UInt8]) async throws {
        let (handle, path) = (handle, path)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async {
                do {
                    try handle.write(contentsOf: Data(line))
                    continuation.resume()
                } catch {
                    continuation.resume(
                        throwing: TransportError(
                            code: .invalidRequest, message: "\(path): the exchange cannot be written (\(error))",
                            mayHaveArrived: true))
                }
            }
        }
    }
}
