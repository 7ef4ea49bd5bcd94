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
        var places = batch.results.map { Place($0) }
        for item in items {
            let answer: SourceAnswer
            do throws(SourceRefusal) {
                answer = try write(item, batch, match)
            } catch {
                answer = words(error, match.resource)
            }
            let index = batch.place(for: answer)
            let theirs = batch.results[index].showsTheirs ? shown(item, batch, match) : nil
            places[index].add(answer, theirs: theirs, to: item, match.resource)
        }
        return SourceAnswer(200, places.reduce(Value.object([:])) { $1.put(into: $0) })
    }

    /// Whether all that a batch asks for is to be read.
    func reads(_ batch: Batch, _ request: SourceRequest) -> Bool {
        let limits = JSONLimits(depth: 100, bytes: rules.maximumBodyBytes)
        let sent = try? Value(json: request.body, limits: limits)
        let items = sent.flatMap { JSONPath(names: batch.items).first(in: $0)?.array } ?? []
        return !items.isEmpty && items.allSatisfy { batch.verb(of: $0)?.0 == .read }
    }

    /// A place of the answer, with the results that it has so far.
    private struct Place {
        let rules: Batch.Results
        private var list: [Value] = []
        private var named = Value.Members()
        private var ids = Value.Members()

        init(_ rules: Batch.Results) { self.rules = rules }

        /// - Parameter theirs: the object as it is, beside a refusal.
        mutating func add(_ answer: SourceAnswer, theirs: Value?, to item: Value, _ resource: Resource) {
            let result = rules.result(answer, theirs: theirs, to: item, resource)
            list.append(result)
            if case .name(let sent) = rules.match, let name = sent.first(in: item) { named[name.text] = result }
            guard (200..<300).contains(answer.status), let name = rules.ids?.sent.first(in: item),
                let id = answer.value.flatMap({ resource.id.first(in: $0) })
            else { return }
            ids[name.text] = id
        }

        func put(into answer: Value) -> Value {
            var results = Value.array(list)
            if case .name = rules.match { results = .object(named) }
            var answer = answer.setting(results, at: rules.path ?? JSONPath([]))
            if let names = rules.ids { answer = answer.setting(.object(ids), at: names.path) }
            return answer
        }
    }

    /// The object that an item is for, as it is; nil where there is none.
    private func shown(_ item: Value, _ batch: Batch, _ match: SourceRoutes.Match) -> Value? {
        guard let (verb, spec) = batch.verb(of: item), let alone = try? requestAlone(item, verb, spec, match),
            let row = try? self.row(alone.match)
        else { return nil }
        return objectAnswer(200, row, match.resource, match.resource.read).value
    }

    /// The request that an item would be alone, without its body.
    private func requestAlone(
        _ item: Value, _ verb: SourceRoutes.Verb, _ spec: Batch.Item, _ match: SourceRoutes.Match
    ) throws(SourceRefusal) -> (match: SourceRoutes.Match, request: SourceRequest) {
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
        return (single, request)
    }

    private mutating func write(
        _ item: Value, _ batch: Batch, _ match: SourceRoutes.Match
    ) throws(SourceRefusal) -> SourceAnswer {
        guard let (verb, spec) = batch.verb(of: item) else {
            throw .general(status: 400, "The batch has no such operation.")
        }
        let resource = match.resource
        var (single, request) = try requestAlone(item, verb, spec, match)
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
    /// The place of the answer that says what became of a write: that of its status, else the first that can say it.
    fileprivate func place(for answer: SourceAnswer) -> Int {
        let isSuccess = (200..<300).contains(answer.status)
        // Both say that the object is another version (RFC 9110 §15.5.10, §15.5.13).
        let meanings = answer.status == 409 || answer.status == 412 ? [409, 412] : [answer.status]
        return results.firstIndex { $0.status?.fixed.map(meanings.contains) ?? false }
            ?? results.firstIndex { $0.status?.fixed == nil }
            ?? results.firstIndex { ($0.status?.fixed).map { (200..<300).contains($0) == isSuccess } ?? false } ?? 0
    }

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
    fileprivate func result(
        _ answer: SourceAnswer, theirs: Value?, to item: Value, _ resource: Resource
    ) -> Value {
        let value = answer.value ?? (answer.body.isEmpty ? nil : try? Value(json: answer.body)) ?? .null
        let isSuccess = (200..<300).contains(answer.status)
        var result = Value.object([:])
        let place = isSuccess ? body : error ?? (showsTheirs ? nil : body)
        if let body, let theirs { result = result.setting(theirs, at: body) }
        if let place {
            result = result.setting(value, at: place)
        } else if theirs == nil, !value.isNull, !isSuccess || id == nil && ids == nil {
            result = value
        }
        if let status = status?.path {
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
