internal import Atmosphere
internal import AtmosphereReports

extension Route {
    /// What members stand for.
    static let contentRoutes: [Route] = [
        {
            var route = Route(
                "GET", "/v1/objects/{entity}/{id}/contents/{member}", "content",
                "Download the content that a member stands for, or a range of it; what waits to be uploaded is given from here.",
                parameters: [
                    Parameter(
                        name: "side", schema: #"{"type":"string","enum":["mine","theirs"],"default":"mine"}"#,
                        text: "theirs is what the server has, also where another content waits to be uploaded."),
                    Parameter(
                        name: "Range", place: "header", schema: #"{"type":"string"}"#,
                        text: "One range: bytes=0-99. With If-Range the whole content comes.")
                ],
                problems: [.rangeNotSatisfiable, .conflict, .unprocessableContent, .badGateway, .serviceUnavailable],
                run: { try await ContentRoute($0).download() })
            route.isContent = true
            return route
        }(),
        {
            var route = Route(
                "PUT", "/v1/objects/{entity}/{id}/contents/{member}", "attach",
                "Attach the body to a member; the next push uploads it.",
                parameters: [
                    now, ifMatch,
                    Parameter(
                        name: "name", schema: #"{"type":"string"}"#,
                        text: "What the server may call the file; the member's name without it.")
                ],
                answer: "address", problems: [.conflict, .preconditionFailed, .unprocessableContent],
                run: { try await ContentRoute($0).attach() })
            route.isContent = true
            return route
        }(),
        Route(
            "DELETE", "/v1/objects/{entity}/{id}/contents/{member}", "discardContent",
            "Drop one file that waits to be uploaded into a member: a refused one, else the latest.",
            parameters: [ifMatch], answer: "discarded", problems: [.conflict, .preconditionFailed],
            run: { try await ContentRoute($0).discard() })
    ]
}

private struct ContentRoute {
    private let call: GatewayCall
    private let member: String

    private var synchronizer: Synchronizer { call.synchronizer }

    init(_ call: GatewayCall) {
        self.call = call
        member = call.places["member"] ?? ""
    }

    func download() async throws -> GatewayAnswer {
        let uri = try await call.object().uri
        let content = try await content(at: uri)
        var headers: HeaderFields = [
            "Content-Type": Self.mediaType(content.mediaType),
            // What a server has stored is shown as a picture at the most, and never as a page.
            "Content-Disposition": "attachment",
            "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'"
        ]
        guard let length = content.length else {
            return GatewayAnswer(.ok, headers: headers, body: .stream(length: nil, content.bytes))
        }
        headers["Accept-Ranges"] = "bytes"
        // A content has no validator here, so none that a reader has can be the same (RFC 9110 §13.1.5).
        let range = call.request.headers["If-Range"] == nil ? call.request.headers["Range"] : nil
        switch ByteRange.reading(range, of: length) {
        case .whole: return GatewayAnswer(.ok, headers: headers, body: .stream(length: length, content.bytes))
        case .none:
            var problem = Problem(
                .rangeNotSatisfiable, "range", "the content has \(length) bytes, and none of them is in the range")
            problem.headers = ["Content-Range": "bytes */\(length)"]
            throw problem
        case .part(let range):
            headers["Content-Range"] = "bytes \(range.first)-\(range.last)/\(length)"
            return GatewayAnswer(
                .partialContent, headers: headers,
                body: .stream(length: range.length, range.part(of: content.bytes)))
        }
    }

    /// - Throws: ``Problem`` 403 with --read-only for a content that is not here: to fetch it is to ask the API.
    private func content(at uri: ObjectURI) async throws -> AttachedContent {
        let side = call.text("side") ?? "mine"
        guard side == "mine" || side == "theirs" else { throw UsageError.usage("side=\(side): write mine or theirs") }
        if !call.service.options.isReadOnly {
            return side == "mine"
                ? try await synchronizer.content(of: member, at: uri)
                : try await synchronizer.serverContent(of: member, at: uri)
        }
        if side == "mine", let here = try await synchronizer.contentHere(of: member, at: uri) { return here }
        throw Problem.readOnly("the content of “\(member)” of \(uri) is not here, and would be fetched from the API")
    }

    func attach() async throws -> GatewayAnswer {
        let isNow = try call.flag("now")
        let (object, condition) = try await call.target()
        let resource = try call.resource()
        guard resource.attachment(member)?.upload != nil else {
            throw SyncError(
                code: .unknownName,
                message: "nothing says how content gets into the “\(member)” of \(resource.name); add "
                    + "attachments.\(member).upload to the route file")
        }
        let spooled = try SpooledContent()
        let length = try await spooled.take(call.request, upTo: call.service.options.contentBytes)
        let name = call.text("name").flatMap { $0.slashedParts.last.map(String.init) } ?? member
        guard name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw Problem(.unprocessableContent, "usage", "name: a name of a file has no control characters")
        }
        guard name.utf8.count <= 255 else {
            throw Problem(
                .unprocessableContent, "usage",
                "name: a name of a file has 255 bytes at the most, and this one has \(name.utf8.count); give a shorter one"
            )
        }
        let content = spooled.content(
            length: length, fileName: name, mediaType: Self.mediaType(call.request.headers["Content-Type"]))
        let present =
            isNow
            ? try await call.telling(of: resource.name) {
                try await synchronizer.attachNow(content, as: member, to: object.uri, where: condition)
            } : try await synchronizer.attach(content, as: member, to: object.uri, where: condition)
        return GatewayAnswer(["uri": .string(present.description)])
    }

    func discard() async throws -> GatewayAnswer {
        let (object, condition) = try await call.target()
        guard let upload = object.meta.firstToDrop(from: member) else {
            throw SyncError(code: .wrongState, message: "\(object.uri) has no content that waits for “\(member)”")
        }
        try await synchronizer.discard(upload, of: object.uri, where: condition)
        return GatewayAnswer([
            "uri": .string(object.uri.description), "mayBeDone": .bool(object.meta.mayBeDone(upload)),
            "dropped": .array([upload.place])
        ])
    }

    /// What can stand in a header; anything else is bytes.
    private static func mediaType(_ text: String?) -> String {
        guard let text, !text.isEmpty, text.utf8.count <= 200, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
            return "application/octet-stream"
        }
        return text
    }
}
