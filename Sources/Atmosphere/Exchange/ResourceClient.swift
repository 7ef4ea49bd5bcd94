/// Turns (entity, verb, record) into requests through the routes, and responses into records.
struct ResourceClient: Sendable {
    let routeFile: RouteFile
    let transport: any Transport
    let authenticator: (any Authenticator)?
    let extractors: [String: any ResponseExtractor]
    let style: any RoutingStyle
    let gate: OriginGate
    let environment: SyncEnvironment

    /// A whole answer.
    struct Reply: Sendable {
        var status: Int
        var headers: HeaderFields
        var body: [UInt8]

        var isSuccess: Bool { (200..<300).contains(status) }
    }

    /// Sends one request through the gate, signs it, and answers one challenge.
    ///
    /// - Throws: ``TransportError``, ``SyncError`` `signInNeeded`, `CancellationError`. A status is no error here.
    func exchange(_ request: Request, resource: Resource?) async throws -> Reply {
        var request = request
        for header in resource?.headers ?? [] where request.headers[header.name] == nil {
            request.headers.append(header.name, header.value)
        }
        style.rewrite(&request)
        request.maximumResponseBytes = routeFile.limits.body
        request.timeout = request.timeout ?? routeFile.transport.timeout
        var hasRefreshed = false
        while true {
            var signed = request
            try await authenticator?.authorize(&signed)
            let reply = try await send(signed)
            if reply.status == 401, let authenticator, !hasRefreshed {
                hasRefreshed = true
                let challenge = Challenge(request: signed, schemes: reply.headers.values(of: "WWW-Authenticate"))
                if try await authenticator.answer(challenge) == .retry { continue }
            }
            return reply
        }
    }

    private func send(_ request: Request) async throws -> Reply {
        let reply = try await gate.pass { () -> Reply in
            let response = try await transport.send(request)
            let body = try await response.body.collect(upTo: request.maximumResponseBytes)
            return Reply(status: response.status, headers: response.headers, body: body)
        }
        if let pause = pause(asked: reply) { await gate.pause(until: pause) }
        return reply
    }

    /// `Retry-After` (RFC 9110 §10.2.3) on 429 and 503, two seconds where it is missing; `Backoff` in seconds on any
    /// answer. An hour at most.
    private func pause(asked reply: Reply) -> Timestamp? {
        let now = environment.now()
        if let seconds = reply.headers["Backoff"].flatMap({ Int64($0) }), seconds > 0 {
            return now.advanced(by: .seconds(min(seconds, 3600)))
        }
        guard reply.status == 429 || reply.status == 503 else { return nil }
        guard let text = reply.headers["Retry-After"] else { return now.advanced(by: .seconds(2)) }
        if let seconds = Int64(text) { return now.advanced(by: .seconds(min(max(seconds, 0), 3600))) }
        return HTTPDate.parse(text).map { min($0.timestamp, now.advanced(by: .seconds(3600))) }
    }

    func extractor(for resource: Resource) throws -> any ResponseExtractor {
        guard let extractor = extractors[resource.format] else {
            throw SyncError(
                code: .unknownName,
                message: "no adapter reads the format “\(resource.format)” of \(resource.name)")
        }
        return extractor
    }
}
