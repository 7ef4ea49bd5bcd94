public import Atmosphere

extension ServerModel {
    /// What all paths are relative to.
    static let base = "https://api.example.com/v1"

    /// The route file that says what this server does.
    ///
    /// - Throws: ``RouteFileError`` where the switches make no route file; none that the simulation draws does.
    public func routeFile() throws -> RouteFile {
        var document: Value.Members = [
            "atmosphere": 1, "name": "simulation", "style": "simulated", "base": .string(Self.base),
            "store": "memory", "transport": ["kind": "simulated", "timeout": "20s"],
            "limits": ["concurrent": .number(JSONNumber(concurrent)), "attempts": 3],
            "resources": ["lists": .object(resource("lists")), "tasks": .object(resource("tasks"))]
        ]
        if hasIdentity { document["auth"] = ["bearer": "secret:TOKEN", "identity": ["path": "me", "field": "id"]] }
        return try RouteFile.load(
            bytes: Value.object(document).json(), source: "simulation.json",
            adapters: [.style(SimulatedStyle())])
    }

    private func resource(_ entity: String) -> Value.Members {
        let path = entity == "tasks" && isNested ? "lists/{lists.id}/tasks" : entity
        let one = "\(path)/{id}"
        var create: Value.Members = ["path": .string(path)]
        let createsAlone = batches == .none || !batchVerbs.contains("create")
        if creates == .key, createsAlone { create["idempotency-header"] = "Idempotency-Key" }
        if creates == .clientID, !patches, createsAlone {
            create = ["method": "PUT", "path": .string(one), "conditional": true]
        }
        var list: Value.Members = ["path": .string(path)]
        var update: Value.Members = [
            "method": patches ? "PATCH" : "PUT", "path": .string(one), "body": patches ? "changed" : "whole"
        ]
        if listsPart { list["shape"] = "partial" }
        if answersPart { update["shape"] = "partial" }
        if answersNothing || answersPart { create["shape"] = "partial" }
        var members: Value.Members = [
            "list": .object(list), "read": ["path": .string(one)], "create": .object(create),
            "update": .object(update),
            "delete": ["path": .string(one)],
            "id": ["field": "id", "assigned": creates == .clientID ? "client" : "server"],
            "merge": ["tags": "set"],
            "types": [
                "updated": "instant", "id": creates != .clientID && identifiers == .number ? "integer" : "string"
            ],
            "errors": ["fields": "$.errors", "messages": ["$.error"]],
            "conflict": [
                "clash": .string(clash.rawValue), "deleted-there": .string(deletedThere.rawValue),
                "deleted-here": .string(deletedHere.rawValue)
            ]
        ]
        switch family {
        case .plain: members["items"] = "$.data"
        case .rails:
            members["items"] = "$.data"
            members["root"] = .string(entity == "lists" ? "list" : "task")
        case .django: members["items"] = "$.results"
        case .googleTasks: members["items"] = ["path": "$.items", "optional": true]
        }
        if hasNoRead { members["read"] = .null }
        members["pages"] = pagesSetting
        if let since = sinceSetting { members["since"] = since }
        if listsDeleted {
            let path = entity == "tasks" && isPerParent ? "lists/{lists.id}/deleted-tasks" : "deleted-\(entity)"
            members["deletes"] = [
                "absent": .bool(entity == "tasks" && isNested),
                "list": [
                    "path": .string(path), "items": "$.deleted",
                    "pages": [
                        "kind": "number", "parameter": "page",
                        "size": ["parameter": "size", "value": .number(JSONNumber(SimulatedServer.deletedPerPage))]
                    ],
                    "since": [
                        "send": "since", "from": ["field": "at"], "overlap": .string("\(clockLag)ms"),
                        "full-every": "never"
                    ]
                ]
            ]
        } else if deletion == .tombstone {
            members["deletes"] = ["field": "deleted", "equals": true, "absent": .bool(since != .none || isNested)]
        } else {
            members["deletes"] = "absent"
        }
        let readonly: [Value] = ["updated", "etag", "deleted"] + (version == .lock ? [] : ["lock"])
        members["readonly"] = .array(readonly)
        switch version {
        case .none: members["version"] = "none"
        case .compare: members["version"] = "compare"
        case .header: members["version"] = ["header": "ETag", "send": "if-match"]
        case .field: members["version"] = ["field": "etag", "send": "if-match"]
        case .lock:
            members["version"] =
                isLive ? ["field": "lock", "send": "body", "order": "ascending"] : ["field": "lock", "send": "body"]
        }
        if creates == .lookup {
            members["lookup"] = ["field": "token", "query": "token"]
            if isUnique { members["duplicate"] = ["status": 422, "field": "token"] }
        }
        addExtras(entity, one, to: &members)
        if entity == "tasks" {
            members["references"] = ["list_id": "lists"]
            if isNested { members["parent"] = ["lists": "list_id"] }
            if isPerParent { members["ids"] = "per-parent" }
        }
        return members
    }

    private func addExtras(_ entity: String, _ one: String, to members: inout Value.Members) {
        if placing != .none {
            members["actions"] = [
                "place": [
                    "when": ["slot"], "post": .string("\(one)/place"), "repeat": .string(placing.rawValue)
                ]
            ]
        }
        if leases != .none {
            members["lease"] = [
                "acquire": ["post": .string("\(one)/lock")], "release": ["delete": .string("\(one)/lock")],
                "ttl": .string("\(SimulatedServer.leaseSeconds)s"), "every": "15s",
                "token": ["body": "token", "send": "Lease-Token"], "mode": .string(leases.rawValue)
            ]
        }
        guard batches != .none else { return }
        var batch: Value.Members = [
            "post": .string("\(entity == "tasks" && isNested ? "lists/{lists.id}/tasks" : entity)/batch"),
            "size": .number(JSONNumber(batchSize)), "items": "items"
        ]
        for verb in batchVerbs {
            var item: Value.Members = ["set": ["op": .string(verb)]]
            if verb != "delete" { item["body"] = "body" }
            if verb != "create" {
                item["id"] = "id"
                if version == .header || version == .field { item["version"] = "version" }
            } else {
                if creates == .clientID { item["id"] = "id" }
                if creates == .key { item["idempotency"] = "key" }
            }
            if batches == .key { item["key"] = "nr" }
            batch[verb] = .object(item)
        }
        var results: Value.Members = ["path": "results", "status": "status", "body": "body", "id": "id"]
        if batches == .key { results["match"] = ["sent": "nr", "found": "nr"] }
        if version == .header { results["version"] = "etag" }
        batch["results"] = .object(results)
        members["batch"] = .object(batch)
    }

    private var pagesSetting: Value {
        let size: Value = ["parameter": "size", "value": .number(JSONNumber(pageSize))]
        switch pages {
        case .none: return "none"
        case .number: return ["kind": "number", "parameter": "page", "size": size]
        case .total:
            return ["kind": "number", "parameter": "page", "size": size, "total": ["header": "X-Total-Count"]]
        case .offset:
            return withTotal(["kind": "offset", "parameter": "offset", "size": size], ["header": "X-Total-Count"])
        case .bodyLink: return withTotal(["kind": "link-body", "next": "$.next", "size": size], "$.count")
        case .headerLink: return withTotal(["kind": "link-header", "size": size], ["header": "X-Total-Count"])
        case .token:
            return withTotal(
                ["kind": "token", "next": "$.nextPageToken", "parameter": "token_after", "size": size], "$.count")
        }
    }

    private func withTotal(_ setting: Value.Members, _ total: Value) -> Value {
        var setting = setting
        if tellsTotal { setting["total"] = total }
        return .object(setting)
    }

    private var sinceSetting: Value? {
        guard since != .none else { return nil }
        var setting: Value.Members = ["send": "since", "from": ["field": "updated"]]
        if since == .responseDate { setting["from"] = "response-date" }
        if since == .ascending { setting["order"] = "cursor-ascending" }
        // No more than the server needs, so that nothing hides what is missed.
        let own = since == .exclusive ? (wholeSeconds ? 1000 : 1) : 0
        setting["overlap"] = .string("\(own + clockLag)ms")
        // What moves is noticed, or there is no other way than to list everything every so often.
        setting["full-every"] = listsSafely || showsMoves ? "never" : "10m"
        return .object(setting)
    }
}

/// Nothing that a route file does not say itself.
struct SimulatedStyle: RoutingStyle {
    var name: String { "simulated" }
    var document: String {
        """
        {
            "list": { "path": "/{path}" }, "read": { "path": "/{path}/{id}" }, "create": { "path": "/{path}" },
            "update": { "method": "PUT", "path": "/{path}/{id}" }, "delete": { "path": "/{path}/{id}" },
            "pages": "none", "version": "compare"
        }
        """
    }
}
