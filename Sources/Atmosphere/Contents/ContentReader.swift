/// Reads the content that a member of an object stands for, from the server or from what is kept of it.
struct ContentReader: Sendable {
    private let synchronizer: Synchronizer
    private let resource: Resource
    private let attachment: Attachment
    private let download: Attachment.Download
    private let member: String
    private let uri: ObjectURI
    /// Whose record names the content.
    private let record: @Sendable (LocalObject) -> ObjectRecord?

    private var routeFile: RouteFile { synchronizer.routeFile }
    private var store: any Store { synchronizer.store }
    private var client: ResourceClient { synchronizer.client }

    /// - Throws: ``SyncError`` `unknownName` where nothing says how the content is downloaded.
    init(
        _ synchronizer: Synchronizer, of member: String, _ attachment: Attachment, _ resource: Resource,
        at uri: ObjectURI, record: @escaping @Sendable (LocalObject) -> ObjectRecord? = \.record
    ) throws {
        self.record = record
        self.synchronizer = synchronizer
        self.resource = resource
        self.attachment = attachment
        download = try resource.download(of: attachment, member)
        self.member = member
        self.uri = uri
    }

    /// The server's content; without a network that of the last download.
    func content() async throws -> AttachedContent {
        do {
            return try await fetched()
        } catch let error as SyncError where error.code == .unreachable && !(error.cause is NotMadeYet) {
            guard let kept = try await kept() else { throw client.told(error) }
            synchronizer.note(uri, "no network; the content of “\(member)” is that of the last download")
            return kept
        } catch let error as SyncError {
            // The URLs and headers that it names are the server's.
            throw client.told(error)
        }
    }

    /// What was downloaded last; nil where nothing was, or the member said something else then.
    func kept() async throws -> AttachedContent? {
        guard let (cache, subject) = try await cachePlace() else { return nil }
        return await self.kept(in: cache, of: subject)?.content
    }

    /// What is kept, without a document that was taken for the content before its media type was declared.
    private func kept(in cache: ContentCache, of subject: ContentCache.Subject) async -> ContentCache.Kept? {
        guard let kept = await cache.content(of: subject), attachment.mayBeContent(kept.content.mediaType) else {
            return nil
        }
        return kept
    }

    private func fetched() async throws -> AttachedContent {
        // A URL from before an upload of this client leads to what was there then.
        if case .url = download.place, resource.read.isOffered, try await isStale() {
            try await synchronizer.refresh(uri)
        }
        let (first, mayBeOld) = try await link()
        switch try await follow(first) {
        case .content(let content): return content
        case .refused(let error, let status):
            guard mayBeOld, resource.read.isOffered, [401, 403, 404, 410].contains(status) else { throw error }
            try await synchronizer.refresh(uri)
            let second = try await link().link
            guard second != first, case .content(let content) = try await follow(second) else { throw error }
            return content
        }
    }

    /// Whether the server has set the member for content of this client, or may have, and has not shown it since.
    private func isStale() async throws -> Bool {
        try await store.read { try $0.existing(uri).1.meta.confirmed?.isStale(member) == true }
    }

    /// The server has accepted to make the content, so what was downloaded last is another.
    private struct NotMadeYet: Error {}

    private enum Fetched {
        case content(AttachedContent)
        case refused(SyncError, status: Int)
    }

    /// Where content is now.
    ///
    /// - Returns: a URL, and whether a newer one may be had by reading the object.
    private func link() async throws -> (link: String, mayBeOld: Bool) {
        switch download.place {
        case .path(let path):
            let target = try await store.read { snapshot in
                RequestTarget(path: try self.place(in: snapshot).place.filled(path, for: resource))
            }
            return (target.url(base: routeFile.base), false)
        case .ask(let ask):
            let link = try await answered(ask)
            return (link, false)
        case .url(let path):
            return try await store.read { snapshot -> (link: String, mayBeOld: Bool) in
                let (present, object) = try snapshot.existing(uri)
                let value = record(object).flatMap { resource.mapping.value(member, in: $0) } ?? .null
                guard let text = path.first(in: value)?.string, !text.isEmpty else {
                    throw SyncError(
                        code: .notFound,
                        message: value.isNull
                            ? "\(present) has no “\(member)”"
                            : "the “\(member)” of \(present) has no URL at \(path); synchronize first, or check "
                                + "attachments.\(attachment.name).download")
                }
                guard let place = download.fileName else { return (text, true) }
                return (text.replacing(place, with: PercentEncoding.segment(member)), true)
            }
        }
    }

    /// The object as requests name it.
    ///
    /// - Throws: ``SyncError`` `wrongState` where the server does not know it.
    private func place(in snapshot: any StoreSnapshot) throws -> (place: ObjectPlace, id: ObjectID?) {
        let (present, object) = try snapshot.existing(uri)
        guard !object.meta.isLocalOnly else {
            throw SyncError(
                code: .wrongState, message: "\(present) is not on the server yet, and neither is its content")
        }
        let place = try ObjectPlace(object, resource: resource, routeFile: routeFile, in: snapshot)
        return (place, place.id.map { ObjectID($0, object.meta.id.wireType) })
    }

    /// Asks the server where the content is.
    ///
    /// - Returns: a whole URL.
    private func answered(_ ask: Attachment.Ask) async throws -> String {
        let request = try await store.read { snapshot -> Request in
            let (place, id) = try self.place(in: snapshot)
            let places = AttachmentPlaces(place, of: resource, id: id, member: member, nil)
            var request = try client.askRequest(ask, resource, at: place, places)
            request.isRead = true
            return request
        }
        let what = "the content of “\(member)” of \(uri)"
        let reply = try await synchronizer.reply(to: request, resource, about: uri)
        guard reply.isSuccess else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            throw SyncError(refused: failure, treatment, what, remedy: routeFile.signInRemedy)
        }
        let answer = try synchronizer.body(of: reply, resource) ?? .null
        guard let link = ask.url.first(in: answer)?.string, !link.isEmpty else {
            throw SyncError(
                code: .notFound,
                message: "the server names no URL at \(ask.url) for \(what); there is none, or check "
                    + "attachments.\(attachment.name).download.ask.url")
        }
        return try client.contentURL(link, relativeTo: request.url, attachment).text
    }

    /// Where the content of a member is kept, and under what; nil where the store keeps none, or nobody knows what the member
    /// says.
    private func cachePlace() async throws -> (ContentCache, ContentCache.Subject)? {
        guard let folder = store.contentFolder, try await !isStale() else { return nil }
        return try await store.read { snapshot in
            let (present, object) = try snapshot.existing(uri)
            let value = record(object).flatMap { resource.mapping.value(member, in: $0) } ?? .null
            // A URL beside the identity may be a new one each time.
            let told = attachment.identity.flatMap { $0.first(in: value) } ?? value
            return (folder.cache, ContentCache.Subject(present, member, value: told))
        }
    }

    private func follow(_ link: String) async throws -> Fetched {
        let place = try await cachePlace()
        let first = try client.contentURL(link, relativeTo: routeFile.base + "/", attachment)
        var kept: ContentCache.Kept?
        var part: ContentCache.Part?
        if let (cache, subject) = place {
            kept = await self.kept(in: cache, of: subject)
            part = await cache.part(of: subject)
        }
        var url = first
        var redirects = 0
        while redirects <= RequestRules.redirectLimit {
            let conditions = Self.conditions(kept, part)
            switch try await client.open(url, attachment, resource, headers: conditions) {
            case .content(let response):
                if response.status == 202 {
                    throw SyncError(
                        code: .unreachable,
                        message:
                            "\(url.display): the server has accepted to make the content of “\(member)” of \(uri), and "
                            + "does not have it yet (202); ask for it again later",
                        cause: NotMadeYet())
                }
                let type = response.headers["Content-Type"]
                guard attachment.mayBeContent(type) else {
                    let (sent, declared) = (String((type ?? "").prefix(80)), attachment.contentType ?? "")
                    throw SyncError(
                        code: .unexpectedAnswer,
                        message: "\(url.display): the server sends \(sent.quoted) for the content of “\(member)” of "
                            + "\(uri), which is \(declared); where that document holds the URL of the content, write "
                            + "attachments.\(attachment.name).download: { ask: { get: PATH, url: SELECTOR } }, else "
                            + "correct “media-type” there")
                }
                var content = AttachedContent(
                    bytes: response.body, mediaType: type,
                    length: response.headers["Content-Length"].flatMap { $0.isDigits ? Int64($0) : nil })
                if response.status == 206, let begun = part, let (cache, subject) = place {
                    if let range = Self.rest(in: response, behind: begun) {
                        content.length = range.end
                        content.mediaType = begun.mediaType ?? content.mediaType
                        if let whole = await cache.continuing(begun, with: content, of: subject) {
                            synchronizer.note(uri, "“\(member)” goes on behind the first \(begun.count) bytes")
                            return .content(counted(whole))
                        }
                    }
                    // What does not fit what is here is fetched whole.
                    cache.removePart(of: subject)
                    (part, url) = (nil, first)
                    continue
                }
                if response.status == 206, !Self.isWhole(response) {
                    let range = String((response.headers["Content-Range"] ?? "").prefix(40))
                    throw SyncError(
                        code: .unexpectedAnswer,
                        message:
                            "\(url.display): the server sends a part (206, Content-Range: \(range.quoted)) although "
                            + "the whole content of “\(member)” of \(uri) was asked for; look at what answers "
                            + "there: the server, or a proxy in front of it")
                }
                if let coding = Self.coding(of: response) {
                    throw SyncError(
                        code: .unexpectedAnswer,
                        message: "\(url.display): the server sends the content of “\(member)” of \(uri) coded "
                            + "(Content-Encoding: \(String(coding.prefix(40)).quoted)) although it was asked for without; "
                            + "take the coding out of how the file is stored, or of the server's settings for it")
                }
                guard response.status == 200, let (cache, subject) = place else {
                    return .content(counted(content))
                }
                let keeping = await cache.keeping(content, of: subject, tag: response.headers["ETag"])
                return .content(counted(keeping))
            case .elsewhere(let next):
                redirects += 1
                url = try client.contentURL(next, relativeTo: url.text, attachment)
            case .refused(let reply):
                if reply.status == 304, let kept { return .content(kept.content) }
                if reply.status == 416, part != nil, let (cache, subject) = place {
                    cache.removePart(of: subject)
                    (part, url) = (nil, first)
                    continue
                }
                let what = "the content of “\(member)” of \(uri)"
                return .refused(client.refusal(of: reply, what, url, resource), status: reply.status)
            }
        }
        throw SyncError(
            code: .unexpectedAnswer,
            message: "more than \(RequestRules.redirectLimit) redirects, the last one to \(url.display)")
    }

    /// Shows in the status how far the content has come.
    private func counted(_ content: AttachedContent) -> AttachedContent {
        ContentProgress(.download, of: member, at: uri, length: content.length, in: synchronizer.activity)
            .counted(content)
    }

    /// Asks for what is not here.
    private static func conditions(_ kept: ContentCache.Kept?, _ part: ContentCache.Part?) -> HeaderFields {
        var conditions = HeaderFields()
        if let tag = kept?.tag { conditions["If-None-Match"] = tag }
        if let part {
            conditions["Range"] = "bytes=\(part.count)-"
            conditions["If-Range"] = part.tag
        }
        return conditions
    }

    /// What the bytes of an answer are coded with (RFC 9110 §8.4); nil where they are those of the content.
    private static func coding(of response: Response) -> String? {
        let codings = response.headers.values(of: "Content-Encoding").filter {
            !["", "identity"].contains($0.lowercased())
        }
        return codings.isEmpty ? nil : codings.joined(separator: ", ")
    }

    /// Whether the range of a partial answer is all there is (RFC 9110 §15.3.7).
    private static func isWhole(_ response: Response) -> Bool {
        response.headers["Content-Range"].flatMap(ContentRange.init)?.isRest(behind: 0) == true
    }

    /// The range of an answer that goes on behind what is here: of a content of the same length, for equal tags do not make two
    /// contents one.
    private static func rest(in response: Response, behind part: ContentCache.Part) -> ContentRange? {
        guard coding(of: response) == nil, response.headers["ETag"].map({ $0 == part.tag }) ?? true,
            let range = response.headers["Content-Range"].flatMap(ContentRange.init), range.isRest(behind: part.count),
            range.end == part.length
        else { return nil }
        return range
    }
}
