internal import Atmosphere

extension SourceState {
    /// Answers each write of a batch as if it had come alone, in the words that the route file declares. One that is
    /// refused keeps back no other.
    mutating func perform(
        _ batch: Batch, _ match: SourceRoutes.Match, _ request: SourceRequest
    ) throws(SourceRefusal) -> SourceAnswer {
        let sent: Value
        do {
            sent = try Value(json: request.body, limits: JSONLimits(depth: 100, bytes: rules.maximumBodyBytes))
        } catch {
            throw .general(status: 400, "JSON parse error: \(error.message)")
        }
        guard let items = JSONPath(names: batch.items).first(in: sent)?.array else {
            throw .general(status: 400, "The batch has no list of items.")
        }
        guard items.count <= batch.size else {
            throw .general(status: 413, "A batch has \(batch.size) items at most.")
        }
        var list: [Value] = []
        var named = Value.Members()
        var ids = Value.Members()
        for item in items {
            let (result, id) = result(of: item, batch, match)
            list.append(result)
            if case .name(let sent) = batch.results.match, let name = sent.first(in: item) { named[name.text] = result }
            if let id, let name = batch.results.ids?.sent.first(in: item) { ids[name.text] = id }
        }
        var results = Value.array(list)
        if case .name = batch.results.match { results = .object(named) }
        var answer = Value.object([:]).setting(results, at: batch.results.path ?? JSONPath([]))
        if let names = batch.results.ids { answer = answer.setting(.object(ids), at: names.path) }
        return SourceAnswer(200, answer)
    }

    /// - Returns: what the answer says of the item, and the identifier of the object that it leaves.
    private mutating func result(
        of item: Value, _ batch: Batch, _ match: SourceRoutes.Match
    ) -> (Value, id: Value?) {
        let answer: SourceAnswer
        do throws(SourceRefusal) {
            answer = try write(item, batch, match)
        } catch {
            answer = words(error, match.resource)
        }
        let id = (200..<300).contains(answer.status) ? answer.value.flatMap { match.resource.id.first(in: $0) } : nil
        return (batch.results.result(answer, to: item, match.resource), id)
    }

    private mutating func write(
        _ item: Value, _ batch: Batch, _ match: SourceRoutes.Match
    ) throws(SourceRefusal) -> SourceAnswer {
        guard let (verb, spec) = batch.verb(of: item) else {
            throw .general(status: 400, "The batch has no such operation.")
        }
        let resource = match.resource
        let operation = resource.operation(verb)
        var request = SourceRequest(method: operation.method, target: "")
        var single = match
        single.target = .verb(verb)
        if let path = spec.path.flatMap({ JSONPath(names: $0).first(in: item)?.string }) {
            request = SourceRequest(method: operation.method, target: api.basePath + path)
            guard case .match(let found) = routes.find(request), found.resource.name == resource.name else {
                throw .unknownPath
            }
            single = found
        }
        if let id = spec.id.flatMap({ JSONPath(names: $0).first(in: item)?.scalarText }) { single.fields["id"] = id }
        var body = spec.body(of: item)
        if let token = spec.version.flatMap({ JSONPath(names: $0).first(in: item) }) {
            if case .ifMatch = resource.version { request.headers["If-Match"] = token.scalarText }
            if let path = resource.version.sentInBody { body = body.setting(token, at: path) }
        }
        if let key = spec.idempotency.first.flatMap({ JSONPath(names: $0).first(in: item)?.scalarText }) {
            request.headers[resource.idempotencyHeader ?? ""] = key
        }
        request.body = body.json()
        request.headers["Content-Type"] = "application/json"
        switch verb {
        case .create: return try create(single, request, origin: "")
        case .update: return try update(single, request, origin: "")
        case .delete: return try delete(single, request)
        case .read: return objectAnswer(200, try row(single), resource, resource.read)
        case .list: throw .unknownPath
        }
    }
}

extension Resource {
    /// The header of a key that every try of a create repeats; a batch has it in the item instead.
    var idempotencyHeader: String? {
        create.idempotencyHeader
            ?? (batches.contains { $0.create?.idempotency.isEmpty == false } ? "Idempotency-Key" : nil)
    }
}

extension Batch {
    /// What an item asks for: it has all that the operation's items have, and of several the most.
    fileprivate func verb(of item: Value) -> (SourceRoutes.Verb, Item)? {
        let known: [(SourceRoutes.Verb, Item?)] = [
            (.update, update), (.delete, delete), (.create, create), (.read, read)
        ]
        var best: (verb: SourceRoutes.Verb, item: Item, members: Int)?
        for (verb, spec) in known {
            guard let spec, item.has(.object(spec.set)) else { continue }
            let id = spec.id.map { JSONPath(names: $0).first(in: item) != nil }
            if id == false, verb != .create { continue }
            let members = spec.set.count + (id == true ? 1 : 0)
            if members > best?.members ?? -1 { best = (verb, spec, members) }
        }
        return best.map { ($0.verb, $0.item) }
    }
}

extension Batch.Item {
    /// The body that the write would have alone.
    fileprivate func body(of item: Value) -> Value {
        var rest = item
        for path in [id, version, key, path].compactMap({ $0 }) + idempotency { rest = rest.removing(path[...]) }
        for path in Value.object(set).leaves { rest = rest.removing(path[...]) }
        return JSONPath(names: body).first(in: rest) ?? .object([:])
    }
}

extension Batch.Results {
    fileprivate func result(_ answer: SourceAnswer, to item: Value, _ resource: Resource) -> Value {
        let value = answer.value ?? (answer.body.isEmpty ? nil : try? Value(json: answer.body)) ?? .null
        let isSuccess = (200..<300).contains(answer.status)
        var result = Value.object([:])
        let place = isSuccess ? body : error ?? body
        if let place {
            result = result.setting(value, at: place)
        } else if !value.isNull, !isSuccess || id == nil && ids == nil {
            result = value
        }
        if let status {
            if codes.isEmpty {
                result = result.setting(.number(JSONNumber(answer.status)), at: status)
            } else if let word = codes.filter({ $0.value == answer.status }).keys.min() {
                result = result.setting(.string(word), at: status)
            } else if !isSuccess, !status.steps.isEmpty {
                result = result.setting(.string("REFUSED"), at: status)
            }
        }
        if isSuccess, let id, let known = resource.id.first(in: value) { result = result.setting(known, at: id) }
        if isSuccess, let version {
            let token = resource.version.field?.first(in: value) ?? answer.headers["ETag"].map { .string($0) }
            if let token { result = result.setting(token, at: version) }
        }
        if case .key(let sent, let found) = match, let key = sent.first(in: item) {
            result = result.setting(key, at: found)
        }
        return result
    }
}

extension JSONPath {
    fileprivate init(names: [String]) { self.init(names.map { .member($0) }) }
}

extension Value {
    /// Whether all of another value is in this one.
    func has(_ other: Value) -> Bool {
        guard let wanted = other.members else { return self == other }
        guard let members else { return false }
        return wanted.allSatisfy { members[$0.name]?.has($0.value) ?? false }
    }

    /// The paths of everything that is not an object with members.
    fileprivate var leaves: [[String]] {
        guard let members, !members.isEmpty else { return [[]] }
        return members.flatMap { member in member.value.leaves.map { [member.name] + $0 } }
    }

    fileprivate func removing(_ path: ArraySlice<String>) -> Value {
        guard let name = path.first, var members, let inner = members[name] else { return self }
        if path.count == 1 { members[name] = nil } else { members[name] = inner.removing(path.dropFirst()) }
        return .object(members)
    }
}
