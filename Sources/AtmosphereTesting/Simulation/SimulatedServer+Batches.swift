internal import Atmosphere

extension SimulatedServer {
    /// Several writes, each with its own result; some of them fail, before or after they were done, and some results are
    /// missing, or stand in the place of others, which they say.
    func batch(_ entity: String, under list: String?, _ call: Call) -> Answer {
        guard let items = call.body?.members?["items"]?.array, !items.isEmpty else {
            return refusal(400, "a batch needs items")
        }
        guard items.count <= model.batchSize else {
            world.violated("a batch of \(items.count), and \(model.batchSize) may be sent")
            return refusal(400, "too many")
        }
        if !world.isCalm, items.count > 1, chaos.chance(8) {
            world.count("batches refused as a whole")
            return refusal(422, "all or nothing")
        }
        world.count("batches")
        var results: [Value] = []
        var (refused, telling) = (0, [Int]())
        for item in items {
            guard let item = item.members, let inner = single(item, entity, list, call) else {
                results.append(["status": 400])
                continue
            }
            let mishap = world.isCalm ? 99 : chaos.below(100)
            if mishap < 16 { world.count("batch items that went wrong") }
            var answer = mishap < 6 ? refusal([500, 429, 409, 503][mishap % 4], "fault") : done(inner, entity, list)
            if mishap >= 6, mishap < 12 { answer = refusal(500, "fault") }
            if mishap >= 12, mishap < 16, model.batches == .key { continue }
            if answer.status >= 400 { refused += 1 }
            if tells(answer, inner) { telling.append(results.count) }
            results.append(result(answer, item))
        }
        if model.mixesResults, !world.isCalm, telling.count > 1, chaos.chance(40) {
            results.swapAt(telling[0], telling[telling.count - 1])
            world.count("batch results in another order")
        }
        if !world.isCalm, !results.isEmpty, chaos.chance(model.leavesOutResults ? 50 : 5) {
            results.remove(at: chaos.below(results.count))
            world.count("batch results left out")
        }
        if model.batches == .key, results.count > 1, chaos.chance(30) { results.swapAt(0, results.count - 1) }
        return Answer(
            status: 200, body: Value.object(["results": .array(results)]).json(), refusedItems: refused)
    }

    /// An item as the request that it would be alone.
    private func single(_ item: Value.Members, _ entity: String, _ list: String?, _ call: Call) -> Call? {
        var inner = Call(method: "POST", path: call.path.dropLast(), query: [], headers: [:], body: item["body"])
        (inner.client, inner.sent, inner.isLeftBehind) = (call.client, call.sent, call.isLeftBehind)
        if let key = item["key"]?.text { inner.headers["Idempotency-Key"] = key }
        if let version = item["version"]?.text { inner.headers["If-Match"] = version }
        switch item["op"]?.text {
        case "create": inner.batchID = item["id"]?.text
        case "update": inner.method = "PATCH"
        case "delete": inner.method = "DELETE"
        default: return nil
        }
        if inner.method != "POST" {
            guard let id = item["id"]?.text else { return nil }
            inner.path.append(id)
        }
        return inner
    }

    private func done(_ inner: Call, _ entity: String, _ list: String?) -> Answer {
        if inner.method == "POST" { return create(entity, under: list, id: inner.batchID, inner) }
        return resource(entity, under: list, id: inner.path.last, inner)
    }

    /// Whether a result says of itself whose it is: by an identifier that the item has, or by a value that no other has.
    private func tells(_ answer: Answer, _ inner: Call) -> Bool {
        guard [200, 201].contains(answer.status), !answer.body.isEmpty else { return false }
        let isCreateTold = model.creates == .clientID || model.creates == .lookup && model.isUnique
        return inner.method == "PATCH" || inner.method == "POST" && isCreateTold
    }

    private func result(_ answer: Answer, _ item: Value.Members) -> Value {
        var result: Value.Members = ["status": .number(JSONNumber(answer.status))]
        if model.batches == .key { result["nr"] = item["nr"] }
        if !answer.body.isEmpty { result["body"] = try? Value(json: answer.body) }
        if let tag = answer.headers["ETag"] { result["etag"] = .string(tag) }
        if let id = answer.headers["Location"]?.split(separator: "/").last {
            result["id"] = identifier(PercentEncoding.decode(String(id)))
        }
        return .object(result)
    }
}
