@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

extension TinyServer.State {
    /// `{"items": [{"op": "create", "key": "1", "task": {…}}, {"op": "delete", "id": 7}]}` →
    /// `{"results": [{"key": "1", "status": 201, "body": {…}}, {"status": 204}]}`
    mutating func batch(_ entity: String, _ body: Value.Members) -> Response {
        var results: [Value] = []
        for item in body["items"]?.array ?? [] {
            let (status, answer) = write(entity, item.members ?? [:])
            var result: Value.Members = ["status": .number(JSONNumber(status))]
            if let key = item.members?["key"] { result["key"] = key }
            if let answer { result["body"] = .object(answer) }
            results.append(.object(result))
        }
        return json(200, ["results": .array(results)])
    }

    private mutating func write(_ entity: String, _ item: Value.Members) -> (Int, Value.Members?) {
        let task = item["task"]?.members ?? [:]
        if task["title"]?.string == "bad" { return (400, ["title": ["May not be bad."]]) }
        if item["op"] == "create" {
            if let uuid = task["uuid"], rows[entity, default: [:]].values.contains(where: { $0["uuid"] == uuid }) {
                return (400, ["uuid": ["already exists."]])
            }
            return (201, rows[entity]![insert(entity, task)]!)
        }
        guard let id = item["id"]?.number?.int64.map({ Int($0) }), let row = rows[entity]?[id] else {
            return (404, ["detail": "Not found."])
        }
        if let rev = item["rev"], rev != row["rev"] { return (409, ["detail": "Conflict."]) }
        if item["op"] == "delete" {
            rows[entity]?[id] = nil
            return (204, nil)
        }
        revision += 1
        var changed = row
        for member in task { changed[member.name] = member.value }
        changed["rev"] = .number(JSONNumber(revision))
        rows[entity]?[id] = changed
        return (200, changed)
    }
}

extension Batch {
    /// How the tiny server takes several tasks.
    static func tiny(size: Int = 100, _ change: (inout Batch) -> Void = { _ in }) -> Batch {
        func item(_ op: Value) -> Item {
            var item = Item()
            item.set = ["op": op]
            item.body = ["task"]
            return item
        }
        var batch = Batch(method: "POST", path: PathTemplate(parts: [.literal("tasks/batch")]))
        batch.size = size
        batch.items = ["items"]
        batch.create = item("create")
        batch.update = item("update")
        batch.update?.id = ["id"]
        batch.delete = item("delete")
        batch.delete?.id = ["id"]
        batch.results[0].path = .member("results")
        batch.results[0].status = .found(.member("status"))
        batch.results[0].body = .member("body")
        change(&batch)
        return batch
    }

    /// The same with a number in each item, by which its result is known.
    static func tinyKeyed(size: Int = 100) -> Batch {
        tiny(size: size) { batch in
            batch.create?.key = ["key"]
            batch.update?.key = ["key"]
            batch.delete?.key = ["key"]
            batch.results[0].match = .key(sent: .member("key"), found: .member("key"))
        }
    }
}
