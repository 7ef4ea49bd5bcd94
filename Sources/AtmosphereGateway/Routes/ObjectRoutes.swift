internal import Atmosphere
internal import AtmosphereReports

extension Route {
    /// Records and what is done to one of them.
    static let objectRoutes: [Route] = [
        Route(
            "GET", "/v1/objects/{entity}", "list", "List the local records of an entity.",
            parameters: [
                Parameter(
                    name: "where", schema: #"{"type":"string"}"#,
                    text:
                        "A condition FIELD=VALUE with =, !=, <, <=, >, >=, *= (contains), ~= (contains, in any case) or ^= (begins with); all must hold.",
                    isRepeated: true),
                Parameter(
                    name: "sort", schema: #"{"type":"string"}"#,
                    text: "Fields with commas between them, each descending with - in front."),
                Parameter(
                    name: "limit", schema: #"{"type":"integer","minimum":0,"maximum":1000,"default":100}"#,
                    text: "No more records than this; fewer where they are large."),
                Parameter(
                    name: "offset", schema: #"{"type":"integer","minimum":0,"default":0}"#,
                    text: "Pass over this many records first."),
                Parameter(
                    name: "view", schema: #"{"type":"string"}"#,
                    text: "Only a view that the route file declares, with its parameters as parameter.NAME."),
                Parameter(
                    name: "meta", schema: #"{"type":"boolean"}"#,
                    text: "Tell the address and the state of each record, too.")
            ],
            answer: "list", problems: [.unprocessableContent], run: { try await ObjectList($0).answer() }),
        Route(
            "POST", "/v1/objects/{entity}", "create", "Create an object locally, and mark it for the next push.",
            parameters: [now, idempotencyKey], body: "record", isBodyNeeded: true, answer: "record", status: .created,
            problems: [.conflict, .unprocessableContent], run: { try await ObjectWriting($0).create() }),
        Route(
            "GET", "/v1/objects/{entity}/{id}", "get",
            "Show one local record; an identifier that the object had before is followed.",
            parameters: [ifNoneMatch], answer: "record",
            run: { call in
                let object = try await call.object()
                return try call.answer(object)
            }),
        Route(
            "PATCH", "/v1/objects/{entity}/{id}", "edit",
            "Set fields of a local object, and mark it for the next push.",
            parameters: [
                now, ifMatch,
                Parameter(
                    name: "remove", schema: #"{"type":"string"}"#, text: "A field to remove.", isRepeated: true)
            ],
            body: "record", isBodyNeeded: true, answer: "record",
            problems: [.conflict, .preconditionFailed, .unprocessableContent],
            run: { try await ObjectWriting($0).edit() }),
        Route(
            "PUT", "/v1/objects/{entity}/{id}", "replace",
            "Replace the record of a local object, and mark it for the next push; readonly fields stay.",
            parameters: [ifMatch], body: "record", isBodyNeeded: true, answer: "record",
            problems: [.conflict, .preconditionFailed, .unprocessableContent],
            run: { try await ObjectWriting($0).replace() }),
        Route(
            "DELETE", "/v1/objects/{entity}/{id}", "delete",
            "Delete a local object, and mark that for the next push; one that the server never saw just vanishes.",
            parameters: [now, ifMatch], status: .noContent, problems: [.conflict, .preconditionFailed],
            run: { try await ObjectWriting($0).delete() }),
        Route(
            "GET", "/v1/objects/{entity}/{id}/state", "state",
            "Say how an object stands: what waits and why, and its sides where they differ.", answer: "state",
            run: { try await ObjectState($0).answer() }),
        Route(
            "GET", "/v1/objects/{entity}/{id}/log", "objectLog", "Show why an object was sent, merged or skipped.",
            parameters: [limit], answer: "log",
            run: { call in
                let uri = try call.uri()
                return try await SyncRouteAnswers(call).log(LogSubject(uri.description))
            }),
        Route(
            "POST", "/v1/objects/{entity}/{id}/refresh", "refresh",
            "Ask the server for one object, and merge what comes.", answer: "refreshed", problems: [.conflict],
            run: { call in
                let object = try await call.object()
                let uri = object.uri
                guard !object.meta.isLocalOnly else {
                    throw SyncError(code: .wrongState, message: "\(uri) is not on the server yet; push it first")
                }
                let record = try await call.synchronizer.refresh(uri)
                return GatewayAnswer(["uri": .string(uri.description), "record": .init(record)])
            }),
        Route(
            "POST", "/v1/objects/{entity}/{id}/actions/{action}", "act",
            "Call an action that the route file declares, at once; the body holds its arguments.",
            parameters: [ifMatch], body: "arguments",
            answer: "actionAnswer", problems: [.conflict, .preconditionFailed, .unprocessableContent],
            run: { call in
                let (object, condition) = try await call.target()
                let isConditional = call.request.headers["If-Match"] != nil
                let arguments = try await call.request.members(call.service.options)
                let answer = try await call.telling(of: object.uri.entity) {
                    try await call.synchronizer.request(
                        call.places["action"] ?? "", on: object.uri, arguments: arguments,
                        where: isConditional ? condition : nil)
                }
                return GatewayAnswer(["answer": answer ?? .null])
            }),
        Route(
            "POST", "/v1/actions/{entity}/{action}", "actOnAll",
            "Call an action that is for no single object, at once; the body holds its arguments.", body: "arguments",
            answer: "actionAnswer", problems: [.conflict, .unprocessableContent],
            run: { call in
                let resource = try call.resource()
                let arguments = try await call.request.members(call.service.options)
                let answer = try await call.telling(of: resource.name) {
                    try await call.synchronizer.request(
                        call.places["action"] ?? "", of: resource.name, arguments: arguments)
                }
                return GatewayAnswer(["answer": answer ?? .null])
            })
    ]

    static let now = Parameter(
        name: "now", schema: #"{"type":"boolean"}"#,
        text: "Send it at once, and wait for the server's answer; where that fails nothing of it is queued.")
    static let limit = Parameter(
        name: "limit", schema: #"{"type":"integer","minimum":0,"maximum":1000,"default":50}"#,
        text: "No more than so many, the newest.")
    private static let idempotencyKey = Parameter(
        name: "Idempotency-Key", place: "header", schema: #"{"type":"string","format":"uuid"}"#,
        text: "A UUID of the caller's own: the create happens once, however often it is sent with it.")
    static let ifMatch = Parameter(
        name: "If-Match", place: "header", schema: #"{"type":"string"}"#,
        text: "Only where the local record is still the one with this entity tag.")
    private static let ifNoneMatch = Parameter(
        name: "If-None-Match", place: "header", schema: #"{"type":"string"}"#,
        text: "Only where the local record is another than the one with this entity tag.")
}

extension GatewayCall {
    /// Waits for the server's answer, and says where that may have done what no answer tells of.
    ///
    /// - Parameter isDelete: a delete waits.
    func telling<Result>(
        of entity: String, isDelete: Bool = false, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as SyncError {
            throw error.telling(of: entity, isDelete: isDelete)
        }
    }

    /// The object at its present address, and what it must be: still the record that the caller has seen, now and once more in
    /// the transaction of the write, or in its turn and before the server is asked.
    ///
    /// - Throws: ``SyncError`` `notFound`; ``Problem`` 412 where it is another.
    func target() async throws -> (object: LocalObject, condition: @Sendable (LocalObject) throws -> Void) {
        let object = try await object()
        guard let wanted = request.headers["If-Match"] else { return (object, { _ in }) }
        let condition: @Sendable (LocalObject) throws -> Void = { object in
            guard let record = object.record, EntityTag(record).matches(wanted) else {
                throw Problem(
                    .preconditionFailed, "changed", "\(object.uri) is another by now; read it again, then edit it")
            }
        }
        try condition(object)
        return (object, condition)
    }

    /// One record, with its tag and its present address.
    func answer(_ object: LocalObject, _ status: Status = .ok) throws -> GatewayAnswer {
        guard let record = object.record else {
            throw SyncError(
                code: .notFound, message: "\(object.uri) was deleted here; discard the delete to have it back")
        }
        let tag = EntityTag(record)
        if status == .ok, request.isSafe, tag.matches(request.headers["If-None-Match"]) {
            return GatewayAnswer(.notModified, headers: ["ETag": tag.text])
        }
        var answer = GatewayAnswer(
            status, json: record.bytes,
            headers: ["ETag": tag.text, "Content-Location": GatewayService.path(of: object.uri)])
        if status != .ok { answer.headers["Location"] = GatewayService.path(of: object.uri) }
        return answer
    }
}

/// A strong entity tag of a record (RFC 9110 §8.8.3): its bytes' digest.
struct EntityTag {
    let text: String

    init(_ record: ObjectRecord) {
        var digest = SHA256Digest()
        digest.update(record.bytes)
        text = "\"\(digest.finish().prefix(32))\""
    }

    /// Whether a list of tags has this one; nil has none.
    func matches(_ list: String?) -> Bool {
        guard let list else { return false }
        let tags = list.utf8.split(separator: UInt8(ascii: ",")).map { tag in
            String(Substring(tag)).filter { $0 != " " && $0 != "\t" }
        }
        return tags.contains { $0 == "*" || $0 == text || $0 == "W/\(text)" }
    }
}

/// The answer to a list.
private struct ObjectList {
    private static let mostBytes = 8 << 20
    private let call: GatewayCall
    private let resource: Resource
    private let limit: Int
    private let offset: Int
    private let tellsMeta: Bool

    init(_ call: GatewayCall) throws {
        self.call = call
        resource = try call.resource()
        limit = try call.count("limit", upTo: 1_000) ?? 100
        offset = try call.count("offset", upTo: Int(Int32.max)) ?? 0
        tellsMeta = try call.flag("meta")
    }

    func answer() async throws -> GatewayAnswer {
        if let view = call.text("view") { return try await answer(view: view) }
        let wanted = try call.texts("where").map { text in
            guard let argument = ConditionArgument(parsing: text) else {
                throw UsageError.usage(
                    "where=\(text): write FIELD=VALUE, with =, !=, <, <=, >, >=, *=, ~= or ^=")
            }
            return argument
        }
        let conditions = try wanted.map { try $0.condition(resource, option: "where=") }
        let order = try order()
        let query = try call.synchronizer.compiled(
            Query(resource.name, where: conditions, order: order, limit: limit, offset: offset))
        try await check(wanted.map(\.field) + order.map(\.field))
        let (limit, mapping, tellsMeta, entity) = (limit, resource.mapping, tellsMeta, resource.name)
        let page = try await call.synchronizer.store.read { snapshot in
            var page = Page()
            if limit > 0 {
                try snapshot.records(matching: query) { uri, record in
                    try page.append(mapping.view(record), tellsMeta ? (uri: uri, meta: snapshot.meta(at: uri)) : nil)
                    return page.bytes.count < Self.mostBytes
                }
            }
            page.total =
                query.filter.isEverything
                ? try snapshot.counts()[entity]?.objects ?? 0 : try snapshot.count(matching: query)
            return page
        }
        return answer(page)
    }

    /// - Throws: ``UsageError`` for a field that no record has and the route file does not name, as the command does.
    private func check(_ fields: [String]) async throws {
        let unknown = try await FieldNames(resource).complaints(fields, in: call.synchronizer, isThorough: true)
        guard unknown.isEmpty else { throw UsageError.usage(unknown.joined(separator: "\n")) }
    }

    /// The members of a view, which is as small as what the server was asked for.
    private func answer(view: String) async throws -> GatewayAnswer {
        guard call.text("where") == nil, call.text("sort") == nil else {
            throw UsageError.usage("view=\(view): a view takes neither where nor sort")
        }
        var parameters: [String: String] = [:]
        for (name, value) in call.query {
            if let name = name.rest(after: "parameter.") { parameters[String(name)] = value }
        }
        let all = try await call.synchronizer.records(in: view, of: resource.name, parameters: parameters)
        let shown = Array(all.dropFirst(offset).prefix(limit))
        let tellsMeta = tellsMeta
        let metas = try await call.synchronizer.store.read { snapshot in
            tellsMeta ? try shown.map { try snapshot.meta(at: $0.uri) } : []
        }
        var page = Page()
        for (index, each) in shown.enumerated() {
            page.append(each.record, tellsMeta ? (uri: each.uri, meta: metas[index]) : nil)
            if page.bytes.count >= Self.mostBytes { break }
        }
        page.total = all.count
        return answer(page)
    }

    private func order() throws -> [Query.Order] {
        guard let sort = call.text("sort") else { return [] }
        let fields = sort.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        return try fields.map { field in
            let text = String(Substring(field))
            let name = text.rest(after: "-").map(String.init) ?? text
            guard !name.isEmpty, fields.count <= 8 else {
                throw UsageError.usage("sort=\(sort): write FIELD or -FIELD, up to eight with commas between them")
            }
            return Query.Order(name, ascending: text.utf8.first != UInt8(ascii: "-"))
        }
    }

    private func answer(_ page: Page) -> GatewayAnswer {
        var bytes = Array("{\"items\":[".utf8) + page.bytes
        bytes += "],\"total\":\(page.total),\"offset\":\(offset),\"limit\":\(limit)".utf8
        if tellsMeta { bytes += Array(",\"objects\":".utf8) + Value.array(page.objects).json() }
        bytes.append(UInt8(ascii: "}"))
        return GatewayAnswer(json: bytes)
    }

    private struct Page: Sendable {
        var bytes: [UInt8] = []
        var objects: [Value] = []
        var total = 0

        mutating func append(_ record: ObjectRecord, _ meta: (uri: ObjectURI, meta: MetaObject?)?) {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
            bytes += record.bytes
            guard let meta else { return }
            let state = meta.meta.flatMap { each in each.outgoing.map { $0.mark(of: each) } } ?? "synchronized"
            objects.append(["uri": .string(meta.uri.description), "id": .string(meta.uri.id), "state": .string(state)])
        }
    }
}

/// Creates, edits and deletes.
private struct ObjectWriting {
    private let call: GatewayCall
    private let resource: Resource
    private let isNow: Bool

    private var synchronizer: Synchronizer { call.synchronizer }

    init(_ call: GatewayCall) throws {
        self.call = call
        resource = try call.resource()
        isNow = try call.flag("now")
    }

    func create() async throws -> GatewayAnswer {
        let members = try await members()
        let key = try key()
        let uri: ObjectURI
        if isNow {
            guard key == nil else {
                throw UsageError.usage("Idempotency-Key: a create that is sent at once (now=true) takes none")
            }
            do {
                uri = try await synchronizer.saveNow(members, as: resource.name)
            } catch let error as SyncError {
                throw error.telling(ofNew: resource.name)
            }
        } else if let key {
            uri = try await synchronizer.save(members, as: resource.name, once: key)
        } else {
            uri = try await synchronizer.save(members, as: resource.name)
        }
        guard let object = try await synchronizer.object(at: uri) else {
            throw SyncError(code: .notFound, message: "\(uri) was created, and is not here any more")
        }
        // A server can accept a create and not say as which object.
        let isInDoubt = if case .unknown = object.status { true } else { false }
        return try call.answer(object, isNow && isInDoubt ? .accepted : .created)
    }

    func edit() async throws -> GatewayAnswer {
        let removed = call.texts("remove")
        let members = try await members()
        var changes = members.map { (name: $0.name, value: Value?.some($0.value)) }
        for name in removed { changes.append((name: name, value: nil)) }
        let (object, condition) = try await call.target()
        if isNow {
            let present = try await call.telling(of: resource.name) {
                try await synchronizer.editNow(object.uri, setting: changes, where: condition)
            }
            return try await shown(present)
        }
        try await synchronizer.edit(object.uri, setting: changes, where: condition)
        return try await shown(object.uri)
    }

    func replace() async throws -> GatewayAnswer {
        let members = try await members()
        let (object, condition) = try await call.target()
        try await synchronizer.save(ObjectRecord(members), at: object.uri, where: condition)
        return try await shown(object.uri)
    }

    func delete() async throws -> GatewayAnswer {
        let (object, condition) = try await call.target()
        try await call.telling(of: resource.name, isDelete: true) {
            if isNow {
                try await synchronizer.deleteNow(object.uri, where: condition)
            } else {
                try await synchronizer.delete(object.uri, where: condition)
            }
        }
        return GatewayAnswer(.noContent)
    }

    private func shown(_ uri: ObjectURI) async throws -> GatewayAnswer {
        guard let object = try await synchronizer.object(at: uri) else {
            throw SyncError(code: .notFound, message: "there is no \(uri) here any more")
        }
        return try call.answer(object)
    }

    private func members() async throws -> Value.Members {
        guard let value = try await call.request.json(call.service.options), let members = value.members else {
            throw Problem(
                .unprocessableContent, "unexpectedType", "the body must be one JSON object: {\"FIELD\": VALUE, …}")
        }
        try members.check(against: resource, isJSON: true)
        return members
    }

    /// - Throws: ``Problem`` 422 for a key that is no UUID.
    private func key() throws(Problem) -> String? {
        guard let text = call.request.headers["Idempotency-Key"] else { return nil }
        let bare = text.filter { $0 != "\"" }.lowercased()
        guard ObjectID(bare).isUUID else {
            throw Problem(.unprocessableContent, "usage", "Idempotency-Key: write a UUID")
        }
        return bare
    }
}

/// How one object stands.
private struct ObjectState {
    private let call: GatewayCall

    init(_ call: GatewayCall) throws { self.call = call }

    func answer() async throws -> GatewayAnswer {
        let object = try await call.object()
        let (meta, outgoing) = (object.meta, object.meta.outgoing)
        let stored = try await call.synchronizer.store.read { try $0.object(at: object.uri) }
        var held: [ObjectURI: MetaObject] = [:]
        if let stored, stored.meta.isChanged { held = try await call.synchronizer.heldChanges(of: stored) }
        let reason = stored.flatMap {
            PendingReason($0, in: call.synchronizer, held: held, namesCommands: false)?.reason
        }
        let former = try await call.synchronizer.store.read { try $0.formerURIs(of: object.uri) }
        var members: Value.Members = [
            "uri": .string(object.uri.description),
            "state": .string(outgoing?.mark(of: meta) ?? "synchronized"), "reason": .init(reason),
            "record": .init(object.record), "base": .init(meta.confirmed?.base),
            "edited": .init(object.editedMembers), "waitsFor": .init(meta.waitsFor.map(\.description)),
            "uploads": meta.uploadsJSON, "former": .init(former.map(\.description))
        ]
        members["decision"] = try await call.decision(on: object)?.json ?? .null
        members["refusal"] = outgoing?.refusal?.json(of: object.uri) ?? .null
        return GatewayAnswer(.object(members))
    }
}
