/// Several writes in one request, and the answer to each.
extension ResourceClient {
    /// A write that travels with others.
    package struct BatchPart: Sendable {
        package var batch: Batch
        /// Where the request goes; only parts with the same one go together.
        package var target: RequestTarget
        package var item: Value.Members
        /// Where the item's number goes.
        package var key: [String]?
        /// What the list would be asked with for changes since the last pull; nil where the body does not say it.
        package var since: String?
        /// May be sent again without harm.
        package var mayRepeat: Bool

        package func goesWith(_ other: BatchPart) -> Bool {
            batch == other.batch && target == other.target && since == other.since
        }

        /// The item with its number in the request, from 1.
        package func numbered(_ number: Int) -> Value.Members {
            var item = item
            if let key { item.put(.string(String(number)), at: key) }
            return item
        }
    }

    /// One change as it is sent.
    package struct Write: Sendable {
        package var request: Request
        /// nil where the request is the write's own.
        package var part: BatchPart?
        /// The members of the body, before any root or coding; nil where there is none.
        package var members: Value.Members?
    }

    /// A change that is sent alone: a request of its own, or a batch of one.
    ///
    /// - Parameter lease: the token of the object's edit lease.
    /// - Throws: ``SyncError`` `invalidRecord`.
    package func write(
        _ verb: Verb, _ resource: Resource, at place: ObjectPlace, record: ObjectRecord?, meta: MetaObject,
        lease: String? = nil
    ) throws -> Write {
        var members: Value.Members?
        guard let part = try batchPart(verb, resource, at: place, record: record, meta: meta) else {
            let request = try writeRequest(
                verb, resource, at: place, record: record, meta: meta, lease: lease
            ) { members = $0 }
            return Write(request: request, members: members)
        }
        members = try body(of: verb, resource, in: part.batch.path, record: record ?? place.record, meta: meta)
        return Write(request: try batchRequest([part], resource), part: part, members: members)
    }

    /// What the answer to a change that was sent alone says of it.
    ///
    /// - Throws: ``SyncError`` `unreachable` where it says nothing: the change may have happened.
    package func answer(to write: Write, in reply: Reply) throws -> Reply {
        guard let part = write.part, reply.isSuccess, !isWebPage(reply) else { return reply }
        guard let own = results(in: reply, for: [part]).first ?? nil else {
            throw SyncError(
                code: .unreachable, message: "\(write.request.method) \(part.target.path): \(Self.noResult)")
        }
        return own
    }

    package static let noResult =
        "the answer to the batch has no result that is known to be this one’s; compare batch.results with what it says"

    /// - Returns: nil where the verb is not sent in batches.
    /// - Throws: ``SyncError`` `invalidRecord` where the record does not hold what a path or the item needs.
    package func batchPart(
        _ verb: Verb, _ resource: Resource, at place: ObjectPlace, record: ObjectRecord?, meta: MetaObject
    ) throws -> BatchPart? {
        guard let batch = resource.batch(for: verb), let spec = batch.item(verb) else { return nil }
        var target = RequestTarget(path: try place.filled(batch.path, for: resource))
        target.append(batch.query)
        var item = spec.set
        if var body = try body(of: verb, resource, in: batch.path, record: record ?? place.record, meta: meta) {
            // The item says it already.
            if spec.version != nil, case .body(let path, _) = resource.version, let name = path.singleMember {
                body[name] = nil
            }
            item.put(resource.writeRoot.map { .object([$0: .object(body)]) } ?? .object(body), at: spec.body)
        }
        if let path = spec.id, let id = place.id { item.put(ObjectID(id, meta.id.wireType).value, at: path) }
        if let path = spec.version, let version = try token(of: meta, resource) { item.put(version, at: path) }
        for path in spec.idempotency {
            // What somebody gave a new object to be known by is its key.
            if verb == .create, item.value(at: path)?.isNull == false { continue }
            if let key = meta.outgoing?.idempotencyKey { item.put(.string(key), at: path) }
        }
        if let path = spec.path {
            let operation = resource.operation(verb)
            let single = try writeTarget(operation, resource, at: place, meta)
            item.put(.string("/" + single.text), at: path)
        }
        let part = BatchPart(
            batch: batch, target: target, item: item, key: spec.key, since: since(in: batch, at: place, of: resource),
            mayRepeat: !spec.idempotency.isEmpty)
        let numbered = Value.object(part.numbered(1))
        for sent in batch.keys where sent.first(in: numbered).map({ $0.isNull }) ?? true {
            throw SyncError(
                code: .invalidRecord,
                message: "the \(verb.word) has nothing at \(sent) in its batch, by which its result would be known")
        }
        return part
    }

    /// What a batch says of the last pull, where it says anything.
    private func since(in batch: Batch, at place: ObjectPlace, of resource: Resource) -> String? {
        guard batch.since != nil, let since = resource.since else { return nil }
        return place.checkpoint.map { since.value(from: $0) }
    }

    /// A read that goes through an endpoint for several; nil where it is a request of its own.
    ///
    /// - Throws: ``SyncError`` `invalidRecord`, as for a write.
    func batchRead(_ resource: Resource, at place: ObjectPlace) throws -> BatchPart? {
        guard let batch = resource.readBatch, let spec = batch.read else { return nil }
        var target = RequestTarget(path: try place.filled(batch.path, for: resource))
        target.append(batch.query)
        var item = spec.set
        let type = resource.idField.flatMap { resource.fields.types[$0] }
        if let path = spec.id, let id = place.id {
            item.put(ObjectID(id, type == .integer ? .number : .string).value, at: path)
        }
        if let path = spec.path {
            var single = RequestTarget(path: try place.filled(resource.read.path, for: resource))
            single.append(try resource.read.query.map { try place.filled($0, "query", for: resource) })
            item.put(.string("/" + single.text), at: path)
        }
        return BatchPart(
            batch: batch, target: target, item: item, key: spec.key, since: since(in: batch, at: place, of: resource),
            mayRepeat: true)
    }

    /// The request that carries parts which go together; there is one at least.
    ///
    /// - Throws: ``SyncError`` where no adapter writes the coding.
    package func batchRequest(_ parts: [BatchPart], _ resource: Resource) throws -> Request {
        let batch = parts[0].batch
        var request = Request(method: batch.method, url: parts[0].target.url(base: routeFile.base))
        request.headers["Accept"] = try resource.declaredAccept ?? extractor(for: resource).accept
        request.mayRepeat = parts.allSatisfy(\.mayRepeat)
        let items = Value.array(parts.enumerated().map { .object($1.numbered($0 + 1)) })
        var body = items
        if !batch.items.isEmpty {
            var members = batch.set
            members.put(items, at: batch.items)
            if let path = batch.since, let since = parts[0].since { members.put(.string(since), at: path) }
            body = .object(members)
        }
        try write(body, root: nil, resource, into: &request)
        if let type = batch.mediaType {
            request.headers["Accept"] = type
            request.headers["Content-Type"] = type
        }
        return request
    }

    /// One answer for each part, in their order; nil where the server said nothing that is known to be about it.
    ///
    /// Results that are too few or too many say by their place nothing at all, and of two with the same key at one place
    /// none is believed. Of several places the first that has a result for a part counts.
    package func results(in reply: Reply, for parts: [BatchPart]) -> [Reply?] {
        let nothing = [Reply?](repeating: nil, count: parts.count)
        guard let places = parts.first?.batch.results,
            let body = try? JSONExtractor().value(in: reply.body, limits: routeFile.limits.json)
        else { return nothing }
        let items = parts.enumerated().map { Value.object($1.numbered($0 + 1)) }
        var replies = nothing
        for rules in places {
            replies = zip(replies, Self.replies(in: body, rules, to: items)).map { $0 ?? $1 }
        }
        for index in replies.indices { replies[index]?.followsUnavailable = reply.followsUnavailable }
        return replies
    }

    /// What one place of an answer says of each item.
    private static func replies(in body: Value, _ rules: Batch.Results, to items: [Value]) -> [Reply?] {
        let nothing = [Reply?](repeating: nil, count: items.count)
        guard let results = rules.path.map({ $0.first(in: body) }) ?? body else { return nothing }
        let replies: [Reply?]
        switch rules.match {
        case .position:
            guard let list = results.array, list.count == items.count else { return nothing }
            replies = list.map { Reply($0, rules) }
        case .key(let sent, let found):
            let named = (results.array ?? []).compactMap { result in
                found.first(in: result).flatMap { $0.isNull ? nil : ($0.text, result) }
            }
            replies = called(items.map { sent.first(in: $0)?.text }, named).map { $0.map { Reply($0, rules) } }
        case .name(let sent):
            let named = (results.members ?? [:]).map { ($0.name, $0.value) }
            replies = called(items.map { sent.first(in: $0)?.text }, named).map { $0.map { Reply($0, rules) } }
        }
        guard let ids = rules.ids, let names = ids.path.first(in: body)?.members else { return replies }
        return zip(replies, items).map { reply, item in
            guard var reply, let id = ids.sent.first(in: item).flatMap({ names[$0.text] }).flatMap({ ObjectID($0) })
            else { return reply }
            reply.part?.id = id
            return reply
        }
    }

    /// Whether a body that can be read has nothing where any results should stand: the server has taken the request, and
    /// does not say what has become of it.
    package func hasNoResults(_ reply: Reply, of batch: Batch) -> Bool {
        guard let body = try? JSONExtractor().value(in: reply.body, limits: routeFile.limits.json) else { return false }
        return batch.results.allSatisfy { rules in
            guard let results = rules.path.map({ $0.first(in: body) }) ?? body else { return true }
            if case .name = rules.match { return results.members == nil }
            return results.array == nil
        }
    }

    /// What is called by each key; of two that are called alike none is believed.
    private static func called(_ keys: [String?], _ named: [(String, Value)]) -> [Value?] {
        let byKey = Dictionary(grouping: named) { ScalarText($0.0) }
        return keys.map { key in
            guard let key, keys.count(where: { $0?.hasSameBytes(as: key) == true }) == 1,
                let own = byKey[ScalarText(key)], own.count == 1
            else { return Optional.none }
            return own[0].1
        }
    }

    /// The version that a write is made to, as the server wrote it.
    private func token(of meta: MetaObject, _ resource: Resource) throws -> Value? {
        guard let confirmed = meta.confirmed else { return nil }
        if resource.versionQuotes == .keep,
            let value = resource.version.path?.first(in: .object(confirmed.base.members)), !value.isNull
        {
            return try resource.advanced(value, of: meta.uri)
        }
        return try resource.sentVersion(of: meta).map { .string($0) }
    }
}

extension ResourceClient.Reply {
    /// What a result says beside its body.
    package struct Part: Sendable {
        package var id: ObjectID?
        package var version: String?
        /// The object as the server has it, beside a refusal; nil where the result does not show it.
        package var theirs: [UInt8]?
    }

    /// The answer to one write of a batch, as if it had been sent alone.
    package init(_ result: Value, _ rules: Batch.Results) {
        let error = Self.found(rules.error, in: result)
        let said = Self.found(rules.status?.path, in: result).map { Self.status($0.text, rules.codes) }
        let status = rules.status?.fixed ?? said ?? (error == nil ? 200 : 400)
        let inner = Self.found(rules.body, in: result)
        var body: Value?
        if rules.showsTheirs {
            body = error
        } else if !(200..<300).contains(status) {
            body = error ?? inner ?? result
        } else if rules.body != nil {
            body = inner
        } else if rules.id == nil, rules.ids == nil, result.members?.isEmpty == false {
            body = result
        }
        self.init(status: status, headers: [:], body: body?.json() ?? [])
        if let pause = Self.found(rules.retryAfter, in: result) { headers["Retry-After"] = pause.text }
        part = Part(
            id: rules.id?.first(in: result).flatMap { ObjectID($0) },
            version: Self.found(rules.version, in: result)?.text, theirs: rules.showsTheirs ? inner?.json() : nil)
    }

    /// What stands at a declared place of a result; nil where there is none, or null stands there.
    private static func found(_ path: JSONPath?, in result: Value) -> Value? {
        guard let value = path?.first(in: result), !value.isNull else { return Optional.none }
        return value
    }

    /// A status, a text that begins with one (`201 Created`), or a declared word; anything else is a refusal.
    private static func status(_ text: String, _ codes: [String: Int]) -> Int {
        if let code = codes[text] { return code }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        return Int(digits).flatMap { (100...599).contains($0) ? $0 : nil } ?? 400
    }
}
