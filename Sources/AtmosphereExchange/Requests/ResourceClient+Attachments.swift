extension ResourceClient {
    /// A URL for content that a server names, or that the route file has.
    ///
    /// - Throws: ``SyncError`` `unexpectedAnswer` for one that nothing is sent to.
    package func contentURL(_ link: String, relativeTo current: String, _ attachment: Attachment) throws -> ContentURL {
        do {
            return try ContentURL(link, relativeTo: current, base: routeFile.base, origins: attachment.origins)
        } catch {
            throw told(error)
        }
    }

    // MARK: Uploads

    /// The request that asks where content goes or is. Asking twice makes two places, of which one stays empty.
    package func askRequest(
        _ ask: Attachment.Ask, _ resource: Resource, at place: ObjectPlace, _ places: AttachmentPlaces
    ) throws -> Request {
        var target = RequestTarget(path: try place.filled(ask.path, for: resource))
        for text in ask.query { target.set(text.name, try places.filled(text.value)) }
        var request = try request(ask.method, target, resource)
        request.mayRepeat = true
        if !ask.set.isEmpty {
            try write(try places.filled(.object(ask.set)), root: nil, resource, into: &request)
        }
        return request
    }

    /// Where content goes that nobody has to be asked about.
    package func contentTarget(
        _ upload: Attachment.Upload, _ resource: Resource, at place: ObjectPlace, _ places: AttachmentPlaces
    ) throws -> String {
        var target = RequestTarget(path: try upload.path.map { try place.filled($0, for: resource) } ?? "")
        for text in upload.query { target.set(text.name, try places.filled(text.value)) }
        return target.url(base: routeFile.base)
    }

    /// The request that carries the content.
    ///
    /// - Parameter headers: what the server wants to be sent with it.
    package func contentRequest(
        _ attachment: Attachment, _ upload: Attachment.Upload, _ content: AttachmentContent, to url: ContentURL,
        headers: HeaderFields
    ) -> Request {
        var content = content
        content.mediaType = upload.mediaType ?? content.mediaType
        let (body, type) = content.body(part: upload.part, boundary: "atmosphere-\(environment.makeUUID())")
        var request = Request(
            method: upload.method, url: url.text, headers: headers, body: body, timeout: attachment.timeout)
        request.timeoutKey = attachment.timeoutKey
        // The boundary belongs to the type of a form; elsewhere what the server asks for may be part of its signature.
        if upload.part != nil || request.headers["Content-Type"] == nil { request.headers["Content-Type"] = type }
        if request.headers["Accept"] == nil { request.headers["Accept"] = "*/*" }
        return request
    }

    /// A request of tus 1.0.0.
    package func tusRequest(
        _ method: String, to url: ContentURL, _ attachment: Attachment, headers: HeaderFields, body: RequestBody = .none
    ) -> Request {
        var request = Request(
            method: method, url: url.text, headers: headers, body: body, timeout: attachment.timeout)
        request.timeoutKey = attachment.timeoutKey
        request.headers["Tus-Resumable"] = "1.0.0"
        if request.headers["Accept"] == nil { request.headers["Accept"] = "*/*" }
        return request
    }

    /// The request that begins a resumable upload. Beginning twice makes two places, of which one stays empty.
    package func tusCreation(
        _ attachment: Attachment, _ upload: Attachment.Upload, _ content: AttachmentContent, to url: ContentURL,
        headers: HeaderFields, _ places: AttachmentPlaces
    ) throws -> Request {
        var request = tusRequest("POST", to: url, attachment, headers: headers, body: .bytes([]))
        request.mayRepeat = true
        request.headers["Upload-Length"] = String(content.length)
        let metadata = try upload.metadata.map { text in
            let value = Base64.encode(Array(try places.filled(text.value).utf8))
            return value.isEmpty ? text.name : "\(text.name) \(value)"
        }
        if !metadata.isEmpty { request.headers["Upload-Metadata"] = metadata.joined(separator: ",") }
        return request
    }

    /// Sends content, with credentials where they may go.
    ///
    /// - Throws: ``SyncError`` `unreachable`, `signInNeeded` or `unexpectedAnswer`; `CancellationError`. A status is no error
    ///   here.
    package func send(_ request: Request, to url: ContentURL, _ resource: Resource) async throws -> Reply {
        try await awaited { try await self.sendMarked(request, to: url, resource) }
    }

    /// As ``send(_:to:_:)``, for a caller who must know whether what failed may have arrived.
    ///
    /// - Throws: as ``exchangeMarked(_:resource:)``.
    package func sendMarked(
        _ request: Request, to url: ContentURL, _ resource: Resource, turn: Turn = Turn()
    ) async throws -> Reply {
        if url.isUnderBase {
            var reply = try await exchangeMarked(request, resource: resource, turn: turn)
            reply.isRefused = isRefused(reply, of: resource, underLease: true)
            return reply
        }
        var outside = request
        outside.followsRedirects = false
        outside.maximumResponseBytes = routeFile.limits.body
        outside.isOriginDeclared = url.isSigned
        if url.isSigned { try await sign(&outside) }
        let response = try await sendDiscreetly(outside)
        let body = try await response.body.collect(upTo: outside.maximumResponseBytes)
        if url.isSigned { await receive(response, body, to: outside) }
        return Reply(status: response.status, headers: response.headers, body: body)
    }

    // MARK: Downloads

    /// How a request for content was answered.
    package enum Opened: Sendable {
        case content(Response)
        /// A redirect, which may lead to another server.
        case elsewhere(String)
        case refused(Reply)
    }

    /// Asks for content, without a coding; its bytes are left on the wire.
    ///
    /// - Parameter headers: conditions of the request.
    /// - Throws: as ``send(_:to:_:)``.
    package func open(
        _ url: ContentURL, _ attachment: Attachment, _ resource: Resource, headers: HeaderFields = [:]
    ) async throws -> Opened {
        var request = Request(
            method: "GET", url: url.text, headers: ["Accept": "*/*"], timeout: attachment.timeout,
            maximumResponseBytes: .max)
        request.timeoutKey = attachment.timeoutKey
        for header in headers.fields { request.headers.append(header.name, header.value) }
        request.followsRedirects = false
        request.isRead = true
        request.isOriginDeclared = url.isSigned && !url.isUnderBase
        if url.isUnderBase {
            for header in resource.headers { request.headers.append(header.name, header.value) }
            style.rewrite(&request)
        }
        // Content has no limit, so nothing is decoded: some codings make a million bytes of one.
        request.headers["Accept-Encoding"] = "identity"
        let asked = request
        return try await awaited {
            var hasRefreshed = false
            while true {
                if url.isUnderBase { try await self.waitForPause(asked, until: nil, nil, resource) }
                var signed = asked
                if url.isSigned { try await self.sign(&signed) }
                let response = try await self.sendDiscreetly(signed)
                if url.isSigned { await self.receive(response, nil, to: signed) }
                if (200..<300).contains(response.status) { return .content(response) }
                if RequestRules.isRedirect(response.status), let link = response.headers["Location"] {
                    return .elsewhere(link)
                }
                let body = try await response.body.collect(upTo: self.routeFile.limits.body)
                let reply = Reply(status: response.status, headers: response.headers, body: body)
                if reply.status == 401, url.isSigned, let authenticator = self.authenticator, !hasRefreshed {
                    hasRefreshed = true
                    let challenge = Challenge(
                        request: signed, schemes: reply.headers.values(of: "WWW-Authenticate"))
                    if try await self.answer(challenge, authenticator) == .retry { continue }
                }
                if url.isUnderBase { await self.pause(asked: reply, self.failure(in: reply, of: resource).1) }
                return .refused(reply)
            }
        }
    }

    // MARK: Both

    /// What a refusal says. That of a server beside the base is no word about who is signed in to the API.
    ///
    /// - Parameter what: begins the message.
    package func refusal(of reply: Reply, _ what: String, _ url: ContentURL, _ resource: Resource) -> SyncError {
        if url.isUnderBase {
            let (failure, treatment) = self.failure(in: reply, of: resource)
            return SyncError(refused: failure, treatment, what, remedy: routeFile.signInRemedy)
        }
        let failure = self.failure(in: reply, of: nil).0
        return SyncError(
            code: reply.isPassing ? .unreachable : .refused, message: "\(what): \(url.display): \(failure.summary)",
            failure: failure)
    }

    /// For a caller who waits: errors of the transport are ``SyncError``, and it makes no difference whether a cancelled
    /// request may have arrived.
    package func awaited<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch is CancelledBeforeSending {
            throw CancellationError()
        } catch let error as TransportError {
            throw SyncError(
                code: error.isFinal ? .unexpectedAnswer : .unreachable, message: error.message, cause: error)
        }
    }
}
