/// Sends content by tus 1.0.0 (https://tus.io/protocols/resumable-upload): it goes on where a cut has ended it.
struct ResumableUpload: Sendable {
    let client: ResourceClient
    let sending: AttachmentWriter.Sending
    /// As the progress counts it.
    let content: AttachmentContent
    let destination: AttachmentWriter.Destination
    let lease: (header: String, token: String)?
    /// Told where the server takes the content, before the first byte goes.
    let keep: @Sendable (String) async throws -> Void
    /// - Throws: ``TransportError`` where a cut has ended it.
    let send: @Sendable (Request, ContentURL) async throws -> ResourceClient.Reply

    /// How often one call goes on behind a cut; the next push goes on further.
    private static let mostCuts = 32

    private typealias Reply = ResourceClient.Reply

    /// What the server says of content that was begun.
    private enum Known {
        case at(Int64, Reply)
        /// It has nothing there any more.
        case gone
        case failed(Reply)
    }

    /// Where the content goes, and how much of it is there.
    private struct Place {
        var url: ContentURL
        var offset: Int64 = 0
        /// What the server said of it last; nil where it was not asked.
        var reply: Reply?
    }

    /// - Parameter begun: where an earlier call has begun; nil for none.
    /// - Returns: the answer to the last byte, or a refusal, and the URL that has the content, or has refused it.
    /// - Throws: ``SyncError``; ``TransportError`` for a cut behind which nothing more has arrived, and for an upload that the
    ///   server holds locked; what reading the content throws; `CancellationError`.
    func perform(begun: String?) async throws -> (ResourceClient.Reply, ContentURL) {
        let (reply, url) = try await transfer(begun: begun)
        // What the server lets go meanwhile is begun anew, once; `ask` names one place alone.
        guard reply.status == 404 || reply.status == 410, url != destination.url else { return (reply, url) }
        return try await transfer(begun: nil)
    }

    private func transfer(begun: String?) async throws -> (Reply, ContentURL) {
        var place: Place
        switch try await self.place(begun: begun) {
        case .success(let found): place = found
        case .failure(let refused): return (refused.reply, refused.url)
        }
        // Each piece carries all the rest, so the time bounds their number.
        let deadline = client.environment.now().advanced(by: sending.attachment.timeout)
        var cuts = 0
        while cuts <= Self.mostCuts {
            if let reply = place.reply, place.offset == content.length { return (reply, place.url) }
            let before = place.offset
            /// nil where the server has taken a piece.
            let stop: TransportError?
            do {
                let reply = try await send(part(of: place), place.url)
                let told = Self.offset(in: reply)
                let isLocked = reply.status == Self.locked
                guard reply.isSuccess || reply.status == 409 || isLocked else { return (reply, place.url) }
                if reply.isSuccess, told == content.length { return (reply, place.url) }
                if reply.isSuccess, let told, told > before, told < content.length {
                    (place.offset, place.reply) = (told, reply)
                    stop = nil
                } else if isLocked {
                    stop = Self.stillLocked(place.url)
                } else {
                    stop = TransportError(
                        code: .invalidResponse,
                        message: "\(place.url.display): the server takes nothing of the content behind byte \(before)",
                        mayHaveArrived: true)
                }
            } catch let error as TransportError where error.mayHaveArrived {
                stop = error
            }
            guard let stop else {
                guard client.environment.now() < deadline else { throw tooSlow(place) }
                continue
            }
            let known: Known
            do {
                known = try await self.known(at: place.url)
            } catch is CancellationError {
                throw CancellationError()
            } catch is ResourceClient.CancelledBeforeSending {
                // Something of the content was sent before.
                throw CancellationError()
            } catch {
                throw stop
            }
            guard case .at(let now, let reply) = known, now > before else { throw stop }
            (place.offset, place.reply) = (now, reply)
            cuts += 1
        }
        throw TransportError(
            code: .connectionLost,
            message: "\(place.url.display): the upload was cut \(cuts) times, the last time behind byte "
                + "\(place.offset); the next push goes on there",
            mayHaveArrived: true)
    }

    private struct Refused: Error {
        var reply: Reply
        var url: ContentURL
    }

    /// A server locks an upload for one request at a time (423), and may take a while to see that a connection was cut. At the
    /// upload's own address that says nothing of an edit lease.
    private static let locked = 423

    private static func stillLocked(_ url: ContentURL) -> TransportError {
        TransportError(
            code: .connectionLost,
            message: "\(url.display): the server holds the upload locked for a request before (423); try again later",
            mayHaveArrived: true)
    }

    private func tooSlow(_ place: Place) -> TransportError {
        TransportError(
            code: .timeout,
            message: "\(place.url.display): the server takes the content in pieces, and has come to byte "
                + "\(place.offset) within \(sending.attachment.timeoutKey); the next push goes on there",
            mayHaveArrived: true)
    }

    /// The place that was begun, or a new one.
    private func place(begun: String?) async throws -> Result<Place, Refused> {
        if let begun, let url = try? client.contentURL(begun, relativeTo: destination.url.text, sending.attachment) {
            switch try await known(at: url) {
            case .at(let offset, let reply): return .success(Place(url: url, offset: offset, reply: reply))
            case .failed(let reply): return .failure(Refused(reply: reply, url: url))
            case .gone: break
            }
        }
        // What was asked for is begun by that.
        guard sending.upload.ask == nil else { return .success(Place(url: destination.url)) }
        let request = try client.tusCreation(
            sending.attachment, sending.upload, content, to: destination.url, headers: headers(for: destination.url),
            destination.places)
        let reply = try await send(request, destination.url)
        guard reply.isSuccess else { return .failure(Refused(reply: reply, url: destination.url)) }
        let key = sending.key("resumable")
        guard let link = reply.headers["Location"], !link.isEmpty else {
            throw SyncError(
                code: .unexpectedAnswer,
                message: "\(destination.url.display): the server answers \(reply.status) without a Location, which "
                    + "says where a resumable upload goes (tus 1.0, Creation); check \(key)")
        }
        let url = try client.contentURL(link, relativeTo: destination.url.text, sending.attachment)
        // Begun anew where it was cut: the store keeps no secret.
        if !client.holdsSecret(url.text) { try await keep(url.text) }
        return .success(Place(url: url, reply: content.length == 0 ? reply : nil))
    }

    /// - Throws: ``TransportError`` where the upload is locked; as ``send``.
    private func known(at url: ContentURL) async throws -> Known {
        let reply = try await send(
            client.tusRequest("HEAD", to: url, sending.attachment, headers: headers(for: url)), url)
        if reply.status == Self.locked { throw Self.stillLocked(url) }
        guard reply.isSuccess else { return reply.status == 401 || reply.isPassing ? .failed(reply) : .gone }
        guard let offset = Self.offset(in: reply), offset <= content.length,
            reply.headers["Upload-Length"].map({ $0 == String(content.length) }) ?? true
        else { return .gone }
        return .at(offset, reply)
    }

    private func part(of place: Place) -> Request {
        var request = client.tusRequest(
            "PATCH", to: place.url, sending.attachment, headers: headers(for: place.url),
            body: content.rest(behind: place.offset))
        request.headers["Content-Type"] = "application/offset+octet-stream"
        request.headers["Upload-Offset"] = String(place.offset)
        return request
    }

    private func headers(for url: ContentURL) -> HeaderFields {
        var headers = url == destination.url ? destination.headers : HeaderFields()
        if url.isUnderBase, let lease { headers[lease.header] = lease.token }
        return headers
    }

    private static func offset(in reply: Reply) -> Int64? {
        reply.headers["Upload-Offset"].flatMap { $0.isDigits ? Int64($0) : nil }
    }
}
