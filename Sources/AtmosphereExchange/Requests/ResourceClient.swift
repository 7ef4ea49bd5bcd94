/// Turns (entity, verb, record) into requests through the routes, and responses into records.
package struct ResourceClient: Sendable {
    package let routeFile: RouteFile
    package let transport: any Transport
    package private(set) var authenticator: (any Authenticator)?
    package let extractors: [String: any ResponseExtractor]
    package let writers: [String: any BodyWriter]
    package let style: any RoutingStyle
    package let gate: OriginGate
    package let environment: SyncEnvironment
    /// Takes lines for the log: what happens inside an exchange, such as an answer after which the request is sent again.
    package var note: @Sendable (String) -> Void
    /// What the origin asked other processes for; nil where nobody shares the store.
    package var pauses: SharedPauses?

    /// - Parameters:
    ///   - extractors: beside that of JSON, which is always there; of several for one format the last counts.
    ///   - writers: beside those of JSON and forms; likewise.
    package init(
        routeFile: RouteFile, transport: any Transport, authenticator: (any Authenticator)?,
        extractors: [any ResponseExtractor], writers: [any BodyWriter], style: any RoutingStyle,
        environment: SyncEnvironment, note: @escaping @Sendable (String) -> Void, pauses: SharedPauses? = nil
    ) {
        self.routeFile = routeFile
        self.transport = transport
        self.authenticator = authenticator
        let extractors: [any ResponseExtractor] = [JSONExtractor()] + extractors
        let writers: [any BodyWriter] = [JSONBodyWriter(), FormBodyWriter()] + writers
        self.extractors = Dictionary(extractors.map { ($0.format, $0) }, uniquingKeysWith: { _, last in last })
        self.writers = Dictionary(writers.map { ($0.coding, $0) }, uniquingKeysWith: { _, last in last })
        self.style = style
        gate = OriginGate(limits: routeFile.limits, environment: environment)
        self.environment = environment
        self.note = note
        self.pauses = pauses
    }

    /// A whole answer.
    package struct Reply: Sendable {
        package var status: Int
        package var headers: HeaderFields
        package var body: [UInt8]
        /// The method of the request; nil for one result of several.
        package var method: String?
        /// Set where this is one result of several that came in one answer; the body is then the object, or the error.
        package var part: Part?
        /// An error rule of the route file, or of its leases, names this success: the body says that it is none.
        package var isRefused = false
        /// A read was answered with an empty list where its first element would be the object.
        var holdsNone = false
        /// The write was answered with 303, and this is what its `Location` has shown.
        package var isSeenElsewhere = false
        /// Another try of the exchange was answered with 503, so that this one may not have been the first to do anything.
        package var followsUnavailable = false

        package var isSuccess: Bool { (200..<300).contains(status) && !isRefused && !holdsNone }

        /// A server that keeps contents beside the API may take later what it has refused so.
        package var isPassing: Bool { [408, 423, 429].contains(status) || status >= 500 }
    }

    /// The same client for exchanges whose story is an object's, or a list's.
    package func telling(_ note: @escaping @Sendable (String) -> Void) -> ResourceClient {
        var client = self
        client.note = note
        return client
    }

    /// The same client for requests that somebody else signs.
    package func signing(with authenticator: any Authenticator) -> ResourceClient {
        var client = self
        client.authenticator = authenticator
        return client
    }

    /// How a request takes its turn at the origin.
    package struct Turn: Sendable {
        /// It goes before those that wait for a place already.
        var isNext: Bool
        /// Whether a request that had to wait may still go; the argument says whether the server has asked for the wait. nil where
        /// nothing that it was made of can change.
        var isCurrent: (@Sendable (_ afterPause: Bool) async throws -> Bool)?

        package init(
            isNext: Bool = false, isCurrent: (@Sendable (_ afterPause: Bool) async throws -> Bool)? = nil
        ) {
            self.isNext = isNext
            self.isCurrent = isCurrent
        }
    }

    /// Sends one request through the gate, signs it, answers one challenge, and waits where the server asks for it.
    ///
    /// - Throws: ``TransportError``; ``SyncError`` `signInNeeded`, or `unreachable` where the server asks for a longer wait
    ///   than ``patience``; `CancellationError`. A status is no error here.
    package func exchange(_ request: Request, resource: Resource?, turn: Turn = Turn()) async throws -> Reply {
        do {
            return try await exchangeMarked(request, resource: resource, turn: turn)
        } catch is CancelledBeforeSending {
            throw CancellationError()
        }
    }

    /// A request that reads one object, or looks for one.
    package struct Read: Sendable {
        package var request: Request
        /// Set where it goes through an endpoint for several.
        package var part: BatchPart?
        /// Where the answer has a list of which the object is an element; an empty one says that there is no such object.
        package var list: JSONPath?

        package init(request: Request, part: BatchPart? = nil, list: JSONPath? = nil) {
            self.request = request
            self.part = part
            self.list = list
        }
    }

    /// As ``exchange(_:resource:)``. The answer of an endpoint for several is what it says of the one object.
    ///
    /// - Throws: as there, and ``SyncError`` `unreachable` where that is nothing.
    package func exchange(_ read: Read, resource: Resource?, turn: Turn = Turn()) async throws -> Reply {
        try one(try await exchange(read.request, resource: resource, turn: turn), of: read, resource)
    }

    /// As ``exchangeMarked(_:resource:)``.
    package func exchangeMarked(_ read: Read, resource: Resource?, turn: Turn = Turn()) async throws -> Reply {
        try one(try await exchangeMarked(read.request, resource: resource, turn: turn), of: read, resource)
    }

    private func one(_ reply: Reply, of read: Read, _ resource: Resource?) throws -> Reply {
        guard reply.isSuccess, !isWebPage(reply) else { return reply }
        guard let part = read.part else {
            var reply = reply
            if let list = read.list { reply.holdsNone = isEmpty(list, in: reply, of: resource) }
            return reply
        }
        guard let own = results(in: reply, for: [part]).first ?? nil else {
            throw SyncError(
                code: .unreachable, message: "\(read.request.method) \(part.target.path): \(Self.noResult)")
        }
        return own
    }

    /// The request was cancelled before its first byte left.
    package struct CancelledBeforeSending: Error {}

    /// As ``exchange(_:resource:)``, for a caller who must know whether a cancelled request may have arrived.
    ///
    /// - Throws: as above, ``CancelledBeforeSending``, and ``SyncError`` with ``Overtaken`` where it may not go any more.
    package func exchangeMarked(_ request: Request, resource: Resource?, turn: Turn = Turn()) async throws -> Reply {
        var request = request
        for header in resource?.headers ?? routeFile.headers where request.headers[header.name] == nil {
            request.headers.append(header.name, header.value)
        }
        style.rewrite(&request)
        request.maximumResponseBytes = routeFile.limits.body
        request.timeout = request.timeout ?? routeFile.transport.timeout
        let begun = environment.now()
        var hasRefreshed = false
        var hasPaused = false
        var deadline: Timestamp?
        var tries = 0
        var last: Reply?
        if let pauses { try await gate.look(in: pauses) }
        while true {
            let followsUnavailable = last?.status == 503 || last?.followsUnavailable == true
            var reply: Reply
            let treatment: ErrorRules.Treatment?
            do {
                if try await waitForPause(request, until: deadline, last, resource) { hasPaused = true }
                var signed = request
                try await sign(&signed)
                let (ready, number, afterPause) = (signed, tries + 1, hasPaused)
                let answered = try await gate.pass(isNext: turn.isNext) {
                    if let isCurrent = turn.isCurrent, environment.now() != begun, try await !isCurrent(afterPause) {
                        throw Self.overtaken
                    }
                    return try await send(ready, resource, number: number)
                }
                // A pause can begin while the request waits for its turn.
                guard let answered else { continue }
                reply = answered
                reply.isRefused = isRefused(reply, of: resource)
                reply.followsUnavailable = followsUnavailable
                tries += 1
                treatment = reply.isSuccess ? nil : failure(in: reply, of: resource).1
                if reply.status == 401 || treatment == .unauthorized, let authenticator, !hasRefreshed {
                    hasRefreshed = true
                    let challenge = Challenge(request: signed, schemes: reply.headers.values(of: "WWW-Authenticate"))
                    if try await answer(challenge, authenticator) == .retry {
                        note("answered \(reply.status); signed anew")
                        continue
                    }
                }
            } catch  where followsUnavailable && request.method != "GET" {
                throw Self.afterUnavailable(error)
            }
            await pause(asked: reply, treatment)
            // Only a 429 says that nothing was done; after a 503 the request may have been.
            guard treatment == .wait, reply.status != 503 || request.mayRepeat else { return reply }
            note("answered \(reply.status), which asks to wait")
            guard tries < Self.mostTries else {
                throw askedToWait(request, until: await gate.presentPause, reply, resource)
            }
            last = reply
            deadline = deadline ?? environment.now().advanced(by: Self.patience)
        }
    }

    /// - Throws: ``SyncError`` `signInNeeded` or `unreachable`, and ``CancelledBeforeSending``: the request was not sent.
    package func sign(_ request: inout Request) async throws {
        do {
            try await authenticator?.authorize(&request)
        } catch is CancellationError {
            throw CancelledBeforeSending()
        } catch {
            throw credentialError(error)
        }
    }

    /// Shows the authenticator an answer to what it has signed. The answer stands, whatever it makes of that. Another server
    /// that content goes to has no say about the API's tokens.
    ///
    /// - Parameter body: nil where it is not in memory.
    func receive(_ response: Response, _ body: [UInt8]?, to signed: Request) async {
        guard let authenticator, RequestOrigin(signed.url) == RequestOrigin(routeFile.base) else { return }
        do {
            try await authenticator.receive(
                SignedAnswer(request: signed, status: response.status, headers: response.headers, body: body))
        } catch is CancellationError {
            // What it has begun goes on.
        } catch {
            note("what signs requests cannot use an answer: \(credentialError(error).message)")
        }
    }

    package func answer(_ challenge: Challenge, _ authenticator: any Authenticator) async throws -> ChallengeAnswer {
        do {
            return try await authenticator.answer(challenge)
        } catch is CancellationError {
            // What was answered by 401 has done nothing.
            throw CancelledBeforeSending()
        } catch {
            throw credentialError(error)
        }
    }

    /// An authenticator of the application may throw anything; what is being sent must not be left half done by that.
    private func credentialError(_ error: any Error) -> SyncError {
        .credentials(error, Redaction(authenticator?.usedSecrets ?? []))
    }

    /// How long one exchange waits in all where the server asks for it (429, 503, `Backoff`). A longer wait is left to a
    /// later call, so that no caller hangs.
    package static let patience = Duration.seconds(30)
    private static let mostTries = 6

    /// - Returns: whether there was a pause.
    @discardableResult
    func waitForPause(
        _ request: Request, until deadline: Timestamp?, _ last: Reply?, _ resource: Resource?
    ) async throws -> Bool {
        var hasPaused = false
        while let pause = await gate.presentPause, pause.end > environment.now() {
            let now = environment.now()
            guard pause.end <= deadline ?? now.advanced(by: Self.patience) else {
                throw askedToWait(request, until: pause, last, resource)
            }
            if now.duration(to: pause.end) > .seconds(2) {
                note("the server asks to wait; going on at \(Self.text(pause.end))")
            }
            do {
                try await environment.sleep(pause.end)
            } catch is CancellationError {
                throw CancelledBeforeSending()
            }
            hasPaused = true
        }
        return hasPaused
    }

    /// Why an exchange ended without an answer: the server asks for a longer wait than ``patience``.
    package struct AskedToWait: Error {
        /// There was a 503, which says nothing of what was done.
        package var mayHaveArrived: Bool
    }

    /// Why no request is made of an update: it would carry members as they were before content of this client went into them.
    package struct NotShownSince: Error {}

    /// Why an exchange does not tell what became of a write: a try of it was answered with 503, which may have been done,
    /// and another ended otherwise.
    package struct FollowsUnavailable: Error {
        package var cause: (any Error)?

        package init(cause: (any Error)? = nil) { self.cause = cause }
    }

    /// Why a request was not sent: while it waited for its turn, what it was made of has changed, or may have.
    package struct Overtaken: Error {
        package init() {}
    }

    private static let overtaken = SyncError(
        code: .wrongState, message: "what it was made of may have changed while it waited to be sent",
        cause: Overtaken())

    /// Why a refusal does not tell what became of a create: it carried an idempotency key and was answered with 409, as by a
    /// server that is still at a first try, which something between may have sent.
    package struct UnderWay: Error {
        package init() {}
    }

    /// Why nothing was done: the read before a write failed, and the write was not sent then.
    package struct WriteNotSent: Error {
        package var cause: (any Error)?

        package init(cause: (any Error)?) { self.cause = cause }
    }

    /// What ends an exchange of which a try was answered with 503 says of that try nothing.
    private static func afterUnavailable(_ error: any Error) -> any Error {
        switch error {
        case var error as TransportError:
            error.mayHaveArrived = true
            return error
        case var error as SyncError:
            error.cause = FollowsUnavailable(cause: error.cause)
            return error
        case is CancelledBeforeSending: return CancellationError()
        default: return error
        }
    }

    private func askedToWait(
        _ request: Request, until pause: OriginPause?, _ reply: Reply?, _ resource: Resource?
    ) -> SyncError {
        let remark = pause?.isCut == true ? " (it asks for longer than an hour, of which an hour counts)" : ""
        return SyncError(
            code: .unreachable,
            message: "\(request.method) \(told(URLText.display(request.url))): the server asks to wait until "
                + "\(Self.text(pause?.end ?? environment.now()))\(remark); try again then",
            failure: reply.map { failure(in: $0, of: resource).0 },
            cause: AskedToWait(mayHaveArrived: reply?.status == 503 || reply?.followsUnavailable == true))
    }

    /// RFC 3339 in UTC, to the second above.
    private static func text(_ time: Timestamp) -> String {
        time.secondAbove.description
    }

    /// - Parameter number: which try of the exchange this is, from 1.
    private func send(_ request: Request, _ resource: Resource?, number: Int) async throws -> Reply {
        if number > 1 { note("\(request.method) again, try \(number)") }
        do {
            let response = try await transport.send(request)
            let rules = (resource?.errors ?? routeFile.errors).rules
            if !rules.contains(where: { $0.statuses.contains(response.status) }) {
                let display = "\(request.method) \(URLText.display(request.url))"
                try RequestRules.checkProxy(response.status, display: display)
            }
            if response.timesSent > 1 {
                note(
                    "the connection ended without an answer, and \(request.method) was sent again: "
                        + "\(response.timesSent) times in all")
            }
            let body = try await response.body.collect(upTo: request.maximumResponseBytes)
            await receive(response, body, to: request)
            return Reply(
                status: response.status, headers: response.headers, body: body, method: request.method)
        } catch let error as TransportError {
            guard let made = try await shown(after: error, of: request, resource) else { throw told(error) }
            return made
        }
    }

    /// What a create has made that is answered with 303: its `Location` shows it (RFC 9110 §15.4.4), and it is asked for at
    /// once.
    ///
    /// - Returns: nil where that is no place at which the resource's objects are read, or shows none: it may be a login form.
    private func shown(
        after error: TransportError, of request: Request, _ resource: Resource?
    ) async throws -> Reply? {
        guard let redirection = error.redirection, redirection.status == 303, let resource, resource.read.isOffered,
            request.method == resource.create.method, request.method != resource.update.method,
            !resource.read.path.parts.allSatisfy({ if case .literal = $0 { true } else { false } }),
            let target = RequestTarget.rebased(
                link: redirection.path, base: routeFile.base, current: RequestTarget(path: "")),
            resource.read.path.fixedSegments(matching: target.path) != nil
        else { return nil }
        var read = try self.request(resource.read.method, target, resource)
        for header in resource.headers where read.headers[header.name] == nil {
            read.headers.append(header.name, header.value)
        }
        style.rewrite(&read)
        read.maximumResponseBytes = routeFile.limits.body
        read.timeout = read.timeout ?? routeFile.transport.timeout
        try await sign(&read)
        guard let response = try? await transport.send(read),
            let body = try? await response.body.collect(upTo: read.maximumResponseBytes)
        else { return nil }
        await receive(response, body, to: read)
        guard (200..<300).contains(response.status) else { return nil }
        var reply = Reply(status: response.status, headers: response.headers, body: body, method: request.method)
        reply.isSeenElsewhere = true
        return isWebPage(reply) ? nil : reply
    }

    /// Pauses the origin as long as an answer asks for, by any of its headers, or by a status that means to wait.
    package func pause(asked reply: Reply, _ treatment: ErrorRules.Treatment?) async {
        let patience = ServerPatience(limits: routeFile.limits, now: environment.now())
        let isCut = patience.asksForLonger(reply.headers)
        if let pause = patience.pause(onAny: reply.headers) {
            let pause = await gate.pause(until: pause, isCut: isCut)
            await pauses?.save(pause)
        }
        if treatment == .wait || reply.status == 429 || reply.status == 503 {
            let pause = await gate.pause(until: patience.retryAfter(reply.headers), isCut: isCut)
            await pauses?.save(pause)
        } else {
            await gate.goOn()
        }
    }

    /// Pauses the origin as long as any result of a batch asks for; each of them was looked at by itself.
    package func pause(asked results: [Reply?], _ resource: Resource) async {
        let waiting = results.compactMap(\.self).filter { !$0.isSuccess && failure(in: $0, of: resource).1 == .wait }
        guard !waiting.isEmpty else { return }
        let patience = ServerPatience(limits: routeFile.limits, now: environment.now())
        let pause = await gate.pause(
            until: waiting.compactMap { patience.retryAfter($0.headers) }.max(),
            isCut: waiting.contains { patience.asksForLonger($0.headers) })
        await pauses?.save(pause)
    }

    /// Why nobody is signed in: what was asked for, what the server said, and what to mend.
    package func signInMessage(_ failure: MetaObject.Failure, _ what: String) -> String {
        let status = failure.status.map { " (\($0))" } ?? ""
        return "\(what): \(failure.message)\(status); \(routeFile.signInRemedy)"
    }

    package func extractor(for resource: Resource) throws -> any ResponseExtractor {
        guard let extractor = extractors[resource.format] else {
            throw SyncError(
                code: .unknownName,
                message: "no adapter reads the format “\(resource.format)” of \(resource.name)")
        }
        guard let authenticator else { return extractor }
        return DiscreetExtractor(own: extractor, authenticator: authenticator)
    }
}
