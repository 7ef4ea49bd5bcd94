public import AtmosphereExchange
internal import Synchronization

/// Asks an HTTP service who a client is, for keys that only it knows.
///
/// Sends `POST` with `{"token": …}` as JSON; the answer is 200 with `{"user": …, "rooms": […], "expires": …}` (seconds
/// since 1970; the last two may be missing), or 401, 403 or 404 for a key that is wrong. Everything else, and no answer
/// in time, lets nobody in, and is asked again when the client comes again. Answers are not kept: a key that was taken
/// back is wrong at the next connection.
public struct CallbackAuthorizer: ClientAuthorizer {
    private let url: String
    private let headers: HeaderFields
    private let transport: any Transport
    private let timeout: Duration
    private let gate: CallbackGate
    private let trouble: CallbackTrouble

    /// Asks the service at a URL about each client.
    ///
    /// - Parameters:
    ///   - url: `https`, or `http` on this machine.
    ///   - authorization: the value of the header `Authorization`, by which the service knows this server; nil for none.
    ///   - concurrent: the most requests at a time; clients beyond that wait, 4,096 of them at most, or
    ///     `waitingPerAddress` if that is more; addresses at which many wait give way to others.
    ///   - waitingPerAddress: the most clients of one address who wait. Behind a proxy all have its address: take as many
    ///     as may connect then.
    ///   - log: told why an answer cannot be used, once until there is another reason or an answer that can be; holds no token.
    public init(
        url: String, authorization: Secret? = nil, transport: any Transport, timeout: Duration = .seconds(5),
        concurrent: Int = 32, waitingPerAddress: Int = 1024, log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.url = url
        var headers: HeaderFields = ["Content-Type": "application/json", "Accept": "application/json"]
        if let authorization { headers["Authorization"] = authorization.value }
        self.headers = headers
        self.transport = transport
        self.timeout = timeout
        gate = CallbackGate(
            concurrent, limit: max(4096, waitingPerAddress), limitPerAddress: max(1, waitingPerAddress))
        trouble = CallbackTrouble(log)
    }

    /// Asks the service; nil where it refuses, cannot be reached or answers something else, and for tokens that are
    /// empty or longer than 16,384 bytes, which are not sent.
    public func identity(of token: String) async -> ClientIdentity? {
        (try? await identity(of: token, from: "")) ?? nil
    }

    /// Asks the service, when it is this client's turn: those of one address wait for one another, and the addresses take
    /// turns. Who has gone before is not asked for.
    ///
    /// - Throws: ``AuthorizerBusy`` where too many wait, the client has gone, or the service does not say who it is nor
    ///   that the key is wrong.
    public func identity(of token: String, from address: String) async throws -> ClientIdentity? {
        // Longer ones would only be sent on behalf of somebody.
        guard !token.isEmpty, token.utf8.count <= 16_384 else { return nil }
        guard await gate.enter(address) else { throw AuthorizerBusy() }
        // The service works on it even where the client has gone meanwhile: the place is taken until it has answered.
        let answer = await Task { await answered(token) }.value
        gate.leave()
        guard let answer else { throw AuthorizerBusy() }
        return answer.identity
    }

    /// - Returns: nil where the service has said nothing that can be used; why is in the log.
    private func answered(_ token: String) async -> Answer? {
        do {
            let answer = try await ask(token)
            trouble.end()
            return answer
        } catch {
            let reason =
                switch error {
                case let error as TransportError: error.message
                case let error as JSONError: "its answer is not JSON: \(error.message)"
                default: "\(error)"
                }
            let place = url.prefix { $0 != "?" }
            let told = redaction(token)(reason)
            trouble.tell("\(place): does not say who clients are, so that nobody is let in: \(told)")
            return nil
        }
    }

    /// Takes out of a text what the service was sent: where it redirects to, for one, is its own word.
    private func redaction(_ token: String) -> Redaction {
        let authorization = headers["Authorization"] ?? ""
        let proof = authorization.drop { $0 != " " }.dropFirst()
        return Redaction([token, authorization, String(proof)].map { Secret($0) })
    }

    /// What the service has said.
    private struct Answer {
        /// nil for a key that is wrong.
        var identity: ClientIdentity?
    }

    /// Why an answer cannot be used.
    private struct Unusable: Error, CustomStringConvertible {
        var description: String
    }

    /// - Throws: ``Unusable``; what the transport and the reader of JSON throw.
    private func ask(_ token: String) async throws -> Answer {
        let body: Value = ["token": .string(token)]
        let request = Request(
            method: "POST", url: url, headers: headers, body: .bytes(body.json()), mayRepeat: true, timeout: timeout,
            maximumResponseBytes: 256 << 10)
        let response = try await transport.send(request)
        if [401, 403, 404].contains(response.status) { return Answer() }
        guard response.status == 200 else {
            throw Unusable(description: "it answered \(response.status); 200, 401, 403 and 404 say something")
        }
        let bytes = try await response.body.collect(upTo: 256 << 10)
        guard let members = try Value(json: bytes, limits: JSONLimits(depth: 8, bytes: 256 << 10)).members,
            let user = members["user"]?.string
        else { throw Unusable(description: "its answer has no text “user”") }
        if let problem = ClientIdentity.problem(ofUser: user) {
            throw Unusable(description: "“user” of its answer \(problem)")
        }
        let rooms = members["rooms"]?.array?.compactMap(\.string) ?? []
        // An end that cannot be read must not become none.
        var expiry: Double?
        if let expires = members["expires"], !expires.isNull {
            // Of `1e400` no end could be made either.
            guard let seconds = expires.number?.double, seconds.isFinite else {
                throw Unusable(description: "“expires” of its answer is no number of seconds since 1970")
            }
            expiry = seconds
        }
        let identity = ClientIdentity(user: user, rooms: rooms, expiry: expiry)
        return Answer(identity: identity)
    }
}

/// What was said last of why answers cannot be used: many clients come to one service.
private final class CallbackTrouble: Sendable {
    private let log: @Sendable (String) -> Void
    private let told = Mutex<String?>(nil)

    init(_ log: @escaping @Sendable (String) -> Void) { self.log = log }

    func tell(_ message: String) {
        let isNew = told.withLock { told in
            defer { told = message }
            return told != message
        }
        if isNew { log(message) }
    }

    func end() { told.withLock { $0 = nil } }
}
