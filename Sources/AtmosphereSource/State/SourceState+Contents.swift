internal import Atmosphere

extension SourceRoutes {
    /// What a request about the content of an attachment asks for.
    enum ContentVerb: Sendable {
        /// Where the content goes, or where it is.
        case askUpload, askDownload
        case upload, download
        /// An upload that goes on after a cut.
        case begin
    }
}

extension SourceState {
    /// Takes and gives the contents of attachments as the route file declares them: raw or as a part of a form, in one request
    /// or in two. A member shows a path under `/.contents/`, which gives the content.
    mutating func perform(
        _ verb: SourceRoutes.ContentVerb, of attachment: Attachment, _ match: SourceRoutes.Match,
        _ request: SourceRequest
    ) throws(SourceRefusal) -> SourceAnswer {
        switch verb {
        case .askUpload: return try place(for: attachment, match, request)
        case .upload: return try take(attachment, match, request)
        case .begin: return try begin(attachment, match, request)
        case .askDownload:
            guard case .ask(let ask)? = attachment.download?.place else { throw .unknownPath }
            let row = try self.row(naming(match, ask.query, request))
            let id = match.resource.id.first(in: .object(row.members)) ?? .null
            let held = number(attachment.name, of: row, match.resource)
            let address = held.map { Value.string(link($0)) } ?? .null
            return SourceAnswer(
                200, Value.object([:]).setting(id, at: match.resource.id).setting(address, at: ask.url))
        case .download:
            let row = try self.row(match)
            let held = number(attachment.name, of: row, match.resource)
            guard let content = held.flatMap({ contents[$0]?.content }) else { throw .notFound }
            return Self.answer(content, request)
        }
    }

    /// What the paths of contents begin with.
    var contentFolder: String { "\(api.basePath)/\(SourceContents.folder)/" }

    /// What is at a path under `/.contents/`; nil for all others.
    mutating func contentAnswer(
        _ request: SourceRequest, _ resource: inout Resource?
    ) throws(SourceRefusal) -> SourceAnswer? {
        guard request.path.hasPrefix(contentFolder) else { return nil }
        guard let number = Int(request.path.dropFirst(contentFolder.count).prefix { $0 != "/" }),
            var place = contents[number], let owner = api.resource(place.entity),
            let attachment = owner.attachments.first(where: { $0.name == place.attachment })
        else { throw .unknownPath }
        resource = owner
        if let answer = try resumedAnswer(request, number, attachment, owner) { return answer }
        if ["GET", "HEAD"].contains(request.method) {
            guard let content = place.content else { throw .notFound }
            return Self.answer(content, request)
        }
        guard let upload = attachment.upload, upload.ask != nil, request.method == upload.method else {
            throw .general(status: 405, "Method \"\(request.method)\" not allowed.", headers: ["Allow": "GET"])
        }
        let holder = try self.holder(of: place, request, owner)
        place.content = try content(of: request, upload)
        contents[number] = place
        guard let row = holder else {
            guard let path = upload.value else { return SourceAnswer(204) }
            return SourceAnswer(200, Value.object([:]).setting(contents.token(number), at: path))
        }
        _ = hold(number, attachment, in: row, owner)
        return SourceAnswer(204)
    }

    /// The object whose member is set when the content comes; nil where an update refers to the content. Somebody may have
    /// taken its lease since the place was asked for.
    private func holder(
        of place: SourceContents.Place, _ request: SourceRequest, _ resource: Resource
    ) throws(SourceRefusal) -> SourceTable.Row? {
        guard let key = place.key else { return nil }
        guard let row = tables[resource.name]?[key] else { throw .notFound }
        try checkLease(on: row, request, resource)
        return row
    }

    /// The members that refer to contents which are here show these from now on.
    func adopted(_ view: inout Value.Members, _ resource: Resource) -> [String: SourceContents.Holding] {
        var found: [String: SourceContents.Holding] = [:]
        guard !resource.attachments.isEmpty else { return found }
        for member in view {
            guard let attachment = resource.attachment(member.name), attachment.upload?.setsMember == true,
                let number = contents.number(in: member.value), contents[number]?.attachment == attachment.name
            else { continue }
            let shown = self.shown(number, attachment)
            view[member.name] = shown
            found[member.name] = .init(number: number, shown: shown)
        }
        return found
    }

    // MARK: Uploads

    private mutating func place(
        for attachment: Attachment, _ match: SourceRoutes.Match, _ request: SourceRequest
    ) throws(SourceRefusal) -> SourceAnswer {
        guard let upload = attachment.upload, let ask = upload.ask else { throw .unknownPath }
        var place = SourceContents.Place(entity: match.resource.name, attachment: attachment.name)
        if !upload.setsMember {
            let row = try self.row(naming(match, ask.query, request))
            try checkLease(on: row, request, match.resource)
            place.key = row.key
        }
        let number = contents.add(place)
        var answer = Value.object([:]).setting(.string(link(number)), at: ask.url)
        if let path = ask.headers { answer = answer.setting(.object([:]), at: path) }
        if let path = ask.value { answer = answer.setting(contents.token(number), at: path) }
        return SourceAnswer(200, answer)
    }

    private mutating func take(
        _ attachment: Attachment, _ match: SourceRoutes.Match, _ request: SourceRequest
    ) throws(SourceRefusal) -> SourceAnswer {
        guard let upload = attachment.upload else { throw .unknownPath }
        let resource = match.resource
        var place = SourceContents.Place(entity: resource.name, attachment: attachment.name)
        if let path = upload.value {
            place.content = try content(of: request, upload)
            let number = contents.add(place)
            return SourceAnswer(201, Value.object([:]).setting(contents.token(number), at: path))
        }
        let row = try self.row(naming(match, upload.query, request))
        try checkLease(on: row, request, resource)
        place.content = try content(of: request, upload)
        let number = contents.add(place)
        let changed = hold(number, attachment, in: row, resource)
        return objectAnswer(200, changed, resource)
    }

    // MARK: Uploads that go on after a cut (tus 1.0.0, https://tus.io/protocols/resumable-upload)

    private static let tus: HeaderFields = ["Tus-Resumable": "1.0.0"]

    private func checkTus(_ request: SourceRequest) throws(SourceRefusal) {
        guard request.headers["Tus-Resumable"] == "1.0.0" else {
            throw .general(status: 412, "Tus-Resumable must be 1.0.0.", headers: ["Tus-Version": "1.0.0"])
        }
    }

    private mutating func begin(
        _ attachment: Attachment, _ match: SourceRoutes.Match, _ request: SourceRequest
    ) throws(SourceRefusal) -> SourceAnswer {
        try checkTus(request)
        guard let upload = attachment.upload,
            let length = request.headers["Upload-Length"].flatMap({ $0.isDigits ? Int($0) : nil })
        else { throw .general(status: 400, "Upload-Length is missing.") }
        guard length <= rules.maximumBodyBytes else {
            throw .general(status: 413, "The content has more than \(rules.maximumBodyBytes) bytes.")
        }
        var place = SourceContents.Place(entity: match.resource.name, attachment: attachment.name)
        if !upload.setsMember {
            let row = try self.row(naming(match, upload.query, request))
            try checkLease(on: row, request, match.resource)
            place.key = row.key
        }
        let told = Self.metadata(request.headers["Upload-Metadata"] ?? "")
        let content = SourceContents.Content(
            bytes: [], mediaType: Self.sendable(told["filetype"] ?? ""), fileName: told["filename"] ?? "")
        place.beginning = .init(content: content, length: length)
        let number = contents.add(place)
        if length == 0 { try finish(number, attachment, match.resource) }
        var answer = SourceAnswer(201, headers: Self.tus)
        answer.headers["Location"] = "\(api.basePath)/\(SourceContents.folder)/\(number)"
        return answer
    }

    /// How much of an upload is here, or what comes behind that; nil for other requests.
    private mutating func resumedAnswer(
        _ request: SourceRequest, _ number: Int, _ attachment: Attachment, _ resource: Resource
    ) throws(SourceRefusal) -> SourceAnswer? {
        guard attachment.upload?.resumable != nil, request.method != "GET", var place = contents[number] else {
            return nil
        }
        try checkTus(request)
        let length = place.beginning?.length ?? place.content?.bytes.count ?? 0
        var count = place.beginning?.content.bytes.count ?? length
        var answer = SourceAnswer(request.method == "HEAD" ? 200 : 204, headers: Self.tus)
        switch request.method {
        case "HEAD":
            answer.headers["Upload-Length"] = String(length)
            answer.headers["Cache-Control"] = "no-store"
        case "PATCH":
            guard request.headers["Content-Type"] == "application/offset+octet-stream" else {
                throw .general(status: 415, "The content must come as application/offset+octet-stream.")
            }
            guard request.headers["Upload-Offset"] == String(count), request.body.count <= length - count else {
                throw .general(status: 409, "\(count) of \(length) bytes are here.")
            }
            _ = try holder(of: place, request, resource)
            place.beginning?.content.bytes += request.body
            count += request.body.count
            contents[number] = place
            if count == length { try finish(number, attachment, resource) }
        default: throw .general(status: 405, "Method \"\(request.method)\" not allowed.", headers: ["Allow": "PATCH"])
        }
        answer.headers["Upload-Offset"] = String(count)
        return answer
    }

    /// All of it has come.
    private mutating func finish(
        _ number: Int, _ attachment: Attachment, _ resource: Resource
    ) throws(SourceRefusal) {
        guard var place = contents[number], let beginning = place.beginning else { return }
        (place.content, place.beginning) = (beginning.content, nil)
        contents[number] = place
        guard let key = place.key else { return }
        guard let row = tables[resource.name]?[key] else { throw .notFound }
        _ = hold(number, attachment, in: row, resource)
    }

    /// `filename bXkgY2F0LnBuZw==,filetype aW1hZ2UvcG5n`; what is no text is left out.
    private static func metadata(_ header: String) -> [String: String] {
        var found: [String: String] = [:]
        for pair in header.split(separator: ",") {
            let words = pair.split(separator: " ")
            guard words.count == 2, let bytes = Base64.decode(words[1]),
                let text = String(validating: bytes, as: UTF8.self)
            else { continue }
            found[String(words[0])] = text
        }
        return found
    }

    private func content(
        of request: SourceRequest, _ upload: Attachment.Upload
    ) throws(SourceRefusal) -> SourceContents.Content {
        let type = request.headers["Content-Type"] ?? ""
        guard let name = upload.part else {
            return .init(bytes: request.body, mediaType: Self.sendable(type))
        }
        let parts = try SourceMultipart.parts(in: request.body, type: type)
        guard let part = parts.first(where: { $0.name.hasSameBytes(as: name) }) else {
            throw .fields(status: api.invalidStatus, [(name, "No file was submitted.")])
        }
        return .init(bytes: part.bytes, mediaType: Self.sendable(part.mediaType), fileName: part.fileName)
    }

    /// A media type that a header can hold.
    private static func sendable(_ type: String) -> String {
        let isSendable = !type.isEmpty && type.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isSendable ? type : "application/octet-stream"
    }

    /// The content is that of the row's member from now on.
    private mutating func hold(
        _ number: Int, _ attachment: Attachment, in row: SourceTable.Row, _ resource: Resource
    ) -> SourceTable.Row {
        var row = row
        let shown = self.shown(number, attachment)
        var view = resource.view(row.members)
        view[attachment.name] = shown
        row.members = resource.members(view, over: row.members)
        row.contents[attachment.name] = .init(number: number, shown: shown)
        touch(&row, resource)
        tables[resource.name]?.put(row)
        api.style.didChange(row, resource, &self)
        return row
    }

    // MARK: Downloads

    /// A member's content; nil where it has none, or was edited since.
    private func number(_ name: String, of row: SourceTable.Row, _ resource: Resource) -> Int? {
        guard let holding = row.contents[name], resource.value(name, in: row.members) == holding.shown else {
            return nil
        }
        return holding.number
    }

    /// What a member shows for its content.
    private func shown(_ number: Int, _ attachment: Attachment) -> Value {
        let link = Value.string(link(number))
        guard case .url(let path)? = attachment.download?.place, !path.steps.isEmpty else { return link }
        let shown = Value.object([:]).setting(link, at: path)
        guard let identity = attachment.identity, !identity.steps.isEmpty, identity != path else { return shown }
        return shown.setting(contents.token(number), at: identity)
    }

    /// Relative to the server, with the name of the file where there is one.
    private func link(_ number: Int) -> String {
        let name = contents[number]?.content?.fileName ?? ""
        let path = "\(api.basePath)/\(SourceContents.folder)/\(number)"
        // A client would take the dots for a step up (RFC 3986 §5.2.4).
        let segment = [".", ".."].contains(name) ? "_" : PercentEncoding.segment(name)
        return name.isEmpty ? path : "\(path)/\(segment)"
    }

    /// The content, or the part of it that was asked for (RFC 9110 §14.2).
    private static func answer(_ content: SourceContents.Content, _ request: SourceRequest) -> SourceAnswer {
        let tag = "\"\(SourceAnswer.digest(of: content.bytes))\""
        let count = content.bytes.count
        let headers: HeaderFields = ["Content-Type": content.mediaType, "ETag": tag, "Accept-Ranges": "bytes"]
        var answer = SourceAnswer(200, headers: headers, body: content.bytes)
        guard request.method == "GET", request.headers["If-Range"].map({ $0 == tag }) ?? true,
            let ends = request.headers["Range"].flatMap(range)
        else { return answer }
        guard ends.first < count else {
            answer = SourceAnswer(416)
            answer.headers["Content-Range"] = "bytes */\(count)"
            return answer
        }
        let last = min(ends.last ?? count - 1, count - 1)
        answer.status = 206
        answer.headers["Content-Range"] = "bytes \(ends.first)-\(last)/\(count)"
        answer.body = Array(content.bytes[ends.first...last])
        return answer
    }

    /// One range from a first byte on; nil for any other, which may be left unheeded.
    private static func range(_ header: String) -> (first: Int, last: Int?)? {
        guard header.hasPrefix("bytes=") else { return nil }
        let ends = header.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends[0].isDigits, let first = Int(ends[0]) else { return nil }
        if ends[1].isEmpty { return (first, nil) }
        guard ends[1].isDigits, let last = Int(ends[1]), last >= first else { return nil }
        return (first, last)
    }

    /// The object may stand in the query alone.
    private func naming(
        _ match: SourceRoutes.Match, _ query: [NamedText], _ request: SourceRequest
    ) -> SourceRoutes.Match {
        guard match.fields.isEmpty, let text = query.first(where: { $0.value == "{id}" }),
            let id = request.query(text.name)
        else { return match }
        var match = match
        match.fields["id"] = id
        return match
    }
}
