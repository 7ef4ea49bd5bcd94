import Atmosphere
import AtmosphereTesting
import Synchronization

/// One database of CloudKit Web Services with one zone, as Apple's reference describes it: `records/query`,
/// `records/modify`, `records/lookup` and `changes/zone`. Any key, type or value that the reference does not have is
/// refused with `BAD_REQUEST`, so that a client that guesses is found out.
final class CloudKitServer: Sendable {
    static let path = "/database/1/iCloud.com.example/development/private"
    static let base = "https://api.apple-cloudkit.example\(path)"

    fileprivate struct Record {
        var type: String
        var fields: Value.Members
        var tag: Int
        var isDeleted = false
    }

    struct State {
        fileprivate var records: [String: Record] = [:]
        /// The record that each change was made to, oldest first.
        var changes: [String] = []
        var requests: [String] = []
        /// Answers for the next records/modify, by record name, instead of doing it.
        var refusals: [String: String] = [:]
        /// How many seconds such an answer asks to wait.
        var retryAfter: Int?
        /// Records that lists answer with this error.
        var unreadable: [String: String] = [:]
        /// What the next changes/zone says of the zone instead of its changes.
        var zoneError: String?
        var assets = Assets()
    }

    let state = Mutex(State())
    private let zone: String
    private let pageSize: Int

    init(zone: String, pageSize: Int = 3) {
        self.zone = zone
        self.pageSize = pageSize
    }

    /// The last part of each path that was asked for, and what it carried.
    var requests: [String] { state.withLock { $0.requests } }

    /// Refuses the next write of a record.
    func refuse(_ name: String, _ code: String) { state.withLock { $0.refusals[name] = code } }

    /// Asks for a pause with the next refusals.
    func askToWait(_ seconds: Int?) { state.withLock { $0.retryAfter = seconds } }

    /// Has lists say an error in the place of a record, or the record again.
    func hide(_ name: String, _ code: String?) { state.withLock { $0.unreadable[name] = code } }

    /// Has the next list of changes say an error of the zone.
    func refuseZone(_ code: String) { state.withLock { $0.zoneError = code } }

    /// As another device would write it; nil deletes.
    func put(_ name: String, _ fields: Value.Members?, type: String = "Task") {
        state.withLock { state in
            let members = fields?.map { Value.Member(name: $0.name, value: ["value": $0.value]) }
            Self.store(name, members.map(Value.Members.init), type, in: &state)
        }
    }

    /// The values of the records that there are.
    var rows: [String: Value] {
        state.withLock { state in
            state.records.filter { !$0.value.isDeleted }.mapValues { record in
                .object(
                    Value.Members(
                        record.fields.map { .init(name: $0.name, value: $0.value.members?["value"] ?? .null) }))
            }
        }
    }

    var transport: ScriptedTransport {
        ScriptedTransport { request in
            if request.url.hasPrefix(Assets.host) { return try await self.content(request) }
            guard request.method == "POST", request.url.hasPrefix(Self.base + "/"),
                case .bytes(let bytes) = request.body,
                request.headers["Content-Type"] == "application/json", let body = try? Value(json: bytes).members
            else { return Self.refusal(400, "BAD_REQUEST", "not a POST of a JSON object below the database") }
            let endpoint = String(request.url.dropFirst(Self.base.count + 1))
            return self.state.withLock { state in
                state.requests.append("\(endpoint) \(String(decoding: bytes, as: UTF8.self))")
                do throws(Refusal) {
                    let answer =
                        switch endpoint {
                        case "records/query": try self.query(body, state)
                        case "records/modify": try self.modify(body, &state)
                        case "records/lookup": try self.lookUp(body, state)
                        case "changes/zone": try self.changes(body, &state)
                        case "assets/upload": try self.upload(body, &state)
                        default: throw Refusal(404, "NOT_FOUND", "no such endpoint: \(endpoint)")
                        }
                    return Self.response(200, .object(answer))
                } catch {
                    return Self.refusal(error.status, error.code, error.reason)
                }
            }
        }
    }

    struct Refusal: Error {
        var status: Int
        var code: String
        var reason: String

        init(_ reason: String) { self.init(400, "BAD_REQUEST", reason) }

        init(_ status: Int, _ code: String, _ reason: String) {
            self.status = status
            self.code = code
            self.reason = reason
        }
    }

    static func refusal(_ status: Int, _ code: String, _ reason: String) -> Response {
        response(status, ["uuid": "0-0", "serverErrorCode": .string(code), "reason": .string(reason)])
    }

    static func response(_ status: Int, _ body: Value) -> Response {
        Response(status: status, headers: ["Content-Type": "application/json"], body: ResponseBody(body.json()))
    }

    // MARK: What may be sent

    func only(_ names: [String], in members: Value.Members, _ place: String) throws(Refusal) {
        for name in members.names where !names.contains(name) { throw Refusal("\(place) has no key \(name)") }
    }

    func checkZone(_ value: Value?) throws(Refusal) {
        guard let members = value?.members else { throw Refusal("zoneID is missing") }
        try only(["zoneName", "ownerRecordName"], in: members, "zoneID")
        guard members["zoneName"]?.string == zone else {
            throw Refusal(404, "ZONE_NOT_FOUND", "no such zone")
        }
    }

    func text(_ name: String, _ members: Value.Members, _ place: String) throws(Refusal) -> String {
        guard let text = members[name]?.string, !text.isEmpty else { throw Refusal("\(place) needs \(name)") }
        return text
    }

    // MARK: Endpoints

    private func query(_ body: Value.Members, _ state: State) throws(Refusal) -> Value.Members {
        try only(["zoneID", "resultsLimit", "query", "continuationMarker"], in: body, "records/query")
        try checkZone(body["zoneID"])
        guard let query = body["query"]?.members else { throw Refusal("records/query needs query") }
        try only(["recordType", "filterBy", "sortBy"], in: query, "query")
        let type = try text("recordType", query, "query")
        guard let limit = body["resultsLimit"]?.number?.int64, (1...200).contains(limit) else {
            throw Refusal("resultsLimit must be a number up to 200")
        }
        let names = state.records.filter { !$0.value.isDeleted && $0.value.type == type }.keys.sorted()
        let marker = body["continuationMarker"]?.string
        let start = marker.flatMap { marker in names.firstIndex { $0 > marker.dropFirst(2) } } ?? 0
        let size = min(Int(limit), pageSize)
        let page = names.dropFirst(marker != nil && start == 0 ? names.count : start).prefix(size)
        var answer: Value.Members = ["records": .array(page.map { listed($0, state) })]
        if let last = page.last, last != names.last { answer["continuationMarker"] = .string("m:\(last)") }
        return answer
    }

    private func changes(_ body: Value.Members, _ state: inout State) throws(Refusal) -> Value.Members {
        try only(["zones", "resultsLimit"], in: body, "changes/zone")
        guard let zones = body["zones"]?.array, zones.count == 1, let asked = zones[0].members else {
            throw Refusal("changes/zone needs zones")
        }
        try only(
            ["zoneID", "syncToken", "resultsLimit", "desiredRecordTypes", "desiredKeys", "reverse"], in: asked, "a zone"
        )
        try checkZone(asked["zoneID"])
        if let code = state.zoneError.take() {
            // Zone Fetch Error Dictionary
            return [
                "zones": [
                    [
                        "zoneID": ["zoneName": .string(zone)], "serverErrorCode": .string(code),
                        "reason": "the zone cannot be read"
                    ]
                ]
            ]
        }
        var start = 0
        if let token = asked["syncToken"] {
            guard let number = token.string?.split(separator: ":").last.flatMap({ Int($0) }),
                token.string?.hasPrefix("t:") == true, number <= state.changes.count
            else { throw Refusal("the sync token is none of this zone's") }
            start = number
        }
        let end = min(start + pageSize, state.changes.count)
        let types = asked["desiredRecordTypes"]?.array?.compactMap(\.string)
        var seen: Set<String> = []
        // What changed again later stands there only.
        let names = state.changes[start..<end].enumerated().filter { index, name in
            !state.changes[(start + index + 1)...].contains(name) && seen.insert(name).inserted
        }.map(\.element)
        let wanted = names.filter { name in types?.contains(state.records[name]?.type ?? "") ?? true }
        return [
            "zones": [
                [
                    "zoneID": ["zoneName": .string(zone)], "moreComing": .bool(end < state.changes.count),
                    "syncToken": .string("t:\(end)"), "records": .array(wanted.map { listed($0, state) })
                ]
            ]
        ]
    }

    private func lookUp(_ body: Value.Members, _ state: State) throws(Refusal) -> Value.Members {
        try only(["records", "zoneID", "desiredKeys"], in: body, "records/lookup")
        try checkZone(body["zoneID"])
        var results: [Value] = []
        for each in body["records"]?.array ?? [] {
            guard let members = each.members else { throw Refusal("a record is a dictionary") }
            try only(["recordName", "desiredKeys"], in: members, "a record to look up")
            let name = try text("recordName", members, "a record to look up")
            let isThere = state.records[name].map { !$0.isDeleted } ?? false
            results.append(isThere ? shown(name, state) : failed(name, "NOT_FOUND", "record not found"))
        }
        return ["records": .array(results)]
    }

    private func modify(_ body: Value.Members, _ state: inout State) throws(Refusal) -> Value.Members {
        try only(["operations", "zoneID", "atomic", "desiredKeys"], in: body, "records/modify")
        try checkZone(body["zoneID"])
        guard body["atomic"] == false, let operations = body["operations"]?.array, operations.count <= 200 else {
            throw Refusal("records/modify needs up to 200 operations, here without atomic")
        }
        var results: [Value] = []
        for operation in operations {
            guard let members = operation.members, let record = members["record"]?.members else {
                throw Refusal("an operation needs a record")
            }
            try only(["operationType", "record", "desiredKeys"], in: members, "an operation")
            try only(["recordType", "recordName", "recordChangeTag", "fields"], in: record, "a record")
            results.append(try perform(text("operationType", members, "an operation"), record, &state))
        }
        return ["records": .array(results.reversed())]
    }

    private func perform(
        _ kind: String, _ record: Value.Members, _ state: inout State
    ) throws(Refusal) -> Value {
        let name = try text("recordName", record, "a record")
        if let code = state.refusals.removeValue(forKey: name) {
            guard let pause = state.retryAfter, var answer = failed(name, code, "refused once").members else {
                return failed(name, code, "refused once")
            }
            answer["retryAfter"] = Value(integerLiteral: pause)
            return .object(answer)
        }
        let known = state.records[name].flatMap { $0.isDeleted ? nil : $0 }
        let fields = record["fields"]?.members ?? [:]
        for field in fields {
            guard let value = field.value.members, value["value"] != nil else {
                return failed(name, "BAD_REQUEST", "the field \(field.name) is no dictionary with a value")
            }
            try only(["value", "type"], in: value, "the field \(field.name)")
            if let asset = value["value"]?.members, !state.assets.isUploaded(asset, to: name, field.name) {
                return failed(name, "BAD_REQUEST", "the field \(field.name) holds no asset that was uploaded for it")
            }
        }
        if fields["title"]?.members?["value"] == "" { return failed(name, "BAD_REQUEST", "title must not be empty") }
        switch kind {
        case "create":
            guard known == nil else { return failed(name, "EXISTS", "record to insert already exists") }
            Self.store(name, fields, try text("recordType", record, "a record"), in: &state)
        case "update", "delete":
            guard let known else { return failed(name, "NOT_FOUND", "record not found") }
            guard try text("recordChangeTag", record, "a record") == String(known.tag, radix: 36) else {
                return failed(name, "CONFLICT", "oplock failure")
            }
            guard kind == "update" else {
                Self.store(name, nil, known.type, in: &state)
                return ["recordName": .string(name), "deleted": true]
            }
            var merged = known.fields
            for field in fields {
                let isGone = field.value.members?["value"]?.isNull == true
                merged[field.name] = isGone ? Optional.none : field.value
            }
            Self.store(name, merged, known.type, in: &state)
        default: throw Refusal("there is no operation \(kind)")
        }
        return shown(name, state)
    }

    // MARK: Records

    private static func store(_ name: String, _ fields: Value.Members?, _ type: String, in state: inout State) {
        state.changes.append(name)
        state.records[name] = Record(
            type: type, fields: fields ?? [:], tag: state.changes.count, isDeleted: fields == nil)
    }

    private func shown(_ name: String, _ state: State) -> Value {
        guard let record = state.records[name] else { return ["recordName": .string(name)] }
        guard !record.isDeleted else {
            return ["recordName": .string(name), "recordType": .string(record.type), "deleted": true]
        }
        // The type of a value is always told.
        let fields = record.fields.map { field -> Value.Member in
            var value = field.value.members ?? [:]
            if let asset = value["value"]?.members {
                value["value"] = .object(state.assets.shown(asset, number: state.requests.count))
                value["type"] = "ASSETID"
            } else {
                value["type"] = value["value"]?.number == nil ? "STRING" : "INT64"
            }
            return .init(name: field.name, value: .object(value))
        }
        return [
            "recordName": .string(name), "recordType": .string(record.type), "fields": .object(Value.Members(fields)),
            "pluginFields": [:], "recordChangeTag": .string(String(record.tag, radix: 36)),
            "created": ["timestamp": 1_704_096_000_000, "userRecordName": "_u", "deviceID": "2"],
            "modified": ["timestamp": 1_704_096_000_001, "userRecordName": "_u", "deviceID": "2"], "deleted": false
        ]
    }

    /// A record in a list, or why it is not there (Record Fetch Error Dictionary).
    private func listed(_ name: String, _ state: State) -> Value {
        state.unreadable[name].map { failed(name, $0, "try later") } ?? shown(name, state)
    }

    private func failed(_ name: String, _ code: String, _ reason: String) -> Value {
        ["recordName": .string(name), "serverErrorCode": .string(code), "reason": .string(reason)]
    }
}
