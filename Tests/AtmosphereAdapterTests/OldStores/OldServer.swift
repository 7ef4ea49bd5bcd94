import Atmosphere
import AtmosphereTesting
import Foundation
import Synchronization

/// The server of the stores in `Fixtures/Stores-41bb2bf`, in memory: what `server.py` beside them is, begun with what that one
/// had when the stores were closed.
final class OldServer: Sendable {
    fileprivate struct State {
        var nextID: Int
        var revision: Int
        var rows: [String: [Int: Value.Members]] = [:]
        /// By `ENTITY/ID/MEMBER`, in the order in which they came.
        var contents: [String: [String]] = [:]
        var writes: [String]
        var requests: [String] = []
    }

    fileprivate static let base = "http://127.0.0.1:8741/api/"
    fileprivate static let page = 2

    private let state: Mutex<State>

    init(_ saved: Value.Members) {
        var state = State(
            nextID: Self.integer(saved["nextID"]), revision: Self.integer(saved["rev"]),
            writes: saved["writes"]?.array?.compactMap(\.string) ?? [])
        for entity in saved["rows"]?.members ?? [:] {
            let rows = entity.value.array?.compactMap(\.members) ?? []
            state.rows[entity.name] = Dictionary(uniqueKeysWithValues: rows.map { (Self.integer($0["id"]), $0) })
        }
        for content in saved["contents"]?.members ?? [:] {
            state.contents[content.name] = content.value.array?.compactMap(\.string) ?? []
        }
        self.state = Mutex(state)
    }

    /// Every write that was done, those that are saved first: `PATCH tasks/4 {"note": "mine"}`.
    var writes: [String] { state.withLock { $0.writes } }

    /// Every request since the last ``forgetRequests()``: `GET tasks?uuid=…`.
    var requests: [String] { state.withLock { $0.requests } }

    func forgetRequests() { state.withLock { $0.requests = [] } }

    var entities: [String] { state.withLock { $0.rows.keys.sorted() } }

    /// What is there and not marked as deleted, by identifier.
    func rows(_ entity: String) -> [Value.Members] {
        state.withLock { state in
            state.rows[entity, default: [:]].sorted { $0.key < $1.key }.map(\.value)
                .filter { $0["deleted"] != true }
        }
    }

    /// What was uploaded into a member and is there, in its order.
    func contents(_ place: String) -> [String] { state.withLock { $0.contents[place] ?? [] } }

    var transport: ScriptedTransport {
        ScriptedTransport { request in
            let body = try await request.body.whole()
            return self.state.withLock { $0.answer(request, body) }
        }
    }

    private static func integer(_ value: Value?) -> Int { value?.number?.int64.map { Int($0) } ?? 0 }
}

extension OldServer.State {
    fileprivate mutating func answer(_ request: Request, _ body: [UInt8]) -> Response {
        let target = String(request.url.dropFirst(OldServer.base.count))
        requests.append("\(request.method) \(target)")
        guard request.url.hasPrefix(OldServer.base), let parts = URLComponents(string: target) else {
            return Self.json(404, ["message": "no such list"])
        }
        let path = parts.path.split(separator: "/").map(String.init)
        guard let entity = path.first, let known = rows[entity] else {
            return Self.json(404, ["message": "no such list"])
        }
        let members = (try? Value(json: body))?.members ?? [:]
        if path.count == 1 {
            if request.method == "POST" { return create(entity, members) }
            return list(entity, parts.queryItems ?? [])
        }
        guard let id = Int(path[1]), let row = known[id], request.method == "GET" || row["deleted"] != true else {
            return Self.json(404, ["message": "no such object"])
        }
        if path.count == 3 {
            return attach("\(entity)/\(id)", path[2], request.method, String(decoding: body, as: UTF8.self))
        }
        if request.method == "GET" { return Self.json(200, row) }
        if let tag = request.headers["If-Match"], tag != row["rev"]?.text {
            return Self.json(412, ["message": "it was changed"])
        }
        if request.method == "DELETE" {
            if row["title"]?.string?.hasPrefix("kept") == true { return Self.json(403, ["message": "It is kept."]) }
            writes.append("DELETE \(entity)/\(id)")
            if entity == "events" { change(entity, id, ["deleted": true]) } else { rows[entity]?[id] = nil }
            return Response(status: 204)
        }
        if let refusal = Self.refusal(of: members) { return refusal }
        writes.append("PATCH \(entity)/\(id) \(Self.text(members))")
        return Self.json(200, change(entity, id, members))
    }

    private mutating func create(_ entity: String, _ members: Value.Members) -> Response {
        if let refusal = Self.refusal(of: members) { return refusal }
        if let uuid = members["uuid"], rows[entity, default: [:]].values.contains(where: { $0["uuid"] == uuid }) {
            return Self.json(409, ["message": "Not taken.", "errors": ["uuid": ["Stands there already."]]])
        }
        if entity == "tasks", let project = members["project"], project != .null,
            rows["projects", default: [:]].values.allSatisfy({ $0["id"] != project })
        {
            return Self.json(422, ["message": "Not taken.", "errors": ["project": ["No such project."]]])
        }
        writes.append("POST \(entity) \(Self.text(members))")
        let id = nextID
        nextID += 1
        rows[entity, default: [:]][id] = members
        return Self.json(201, change(entity, id, ["id": .number(JSONNumber(id))]))
    }

    private mutating func attach(_ object: String, _ member: String, _ method: String, _ text: String) -> Response {
        writes.append("\(method) \(object)/\(member) \(text)")
        let place = "\(object)/\(member)"
        contents[place] = method == "PUT" ? [text] : contents[place, default: []] + [text]
        let parts = object.split(separator: "/").map(String.init)
        change(parts[0], Int(parts[1]) ?? 0, [member: .string(contents[place, default: []].joined(separator: ", "))])
        return Self.json(200, [:])
    }

    @discardableResult
    private mutating func change(_ entity: String, _ id: Int, _ members: Value.Members) -> Value.Members {
        revision += 1
        var row = rows[entity]?[id] ?? [:]
        for member in members { row[member.name] = member.value }
        row["rev"] = .number(JSONNumber(revision))
        rows[entity]?[id] = row
        return row
    }

    private func list(_ entity: String, _ query: [URLQueryItem]) -> Response {
        func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
        func number(_ row: Value.Members, _ member: String) -> Int64 { row[member]?.number?.int64 ?? 0 }
        var place = "id"
        var found = Array(rows[entity, default: [:]].values)
        if let uuid = parameter("uuid") { found.removeAll { $0["uuid"]?.string != uuid } }
        if let since = parameter("since").flatMap({ Int64($0) }) {
            place = "rev"
            found.removeAll { number($0, "rev") <= since }
        }
        found.sort { number($0, place) < number($1, place) }
        if let last = parameter("page").flatMap({ Int64($0.dropFirst("behind-".count)) }) {
            found.removeAll { number($0, place) <= last }
        }
        let page = found.prefix(OldServer.page)
        let next = found.count > page.count ? page.last.map { "behind-\(number($0, place))" } : nil
        return Self.json(
            200, ["results": .array(page.map(Value.object)), "next": next.map(Value.string) ?? .null])
    }

    private static func refusal(of members: Value.Members) -> Response? {
        guard members["title"] == "bad" else { return nil }
        return json(422, ["message": "Not taken.", "errors": ["title": ["May not be bad."]]])
    }

    /// As `server.py` writes it down: by name.
    private static func text(_ members: Value.Members) -> String {
        let parts = members.sorted { $0.name < $1.name }.map { member in
            "\"\(member.name)\": " + String(decoding: member.value.json(), as: UTF8.self)
        }
        return "{" + parts.joined(separator: ", ") + "}"
    }

    private static func json(_ status: Int, _ members: Value.Members) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json"],
            body: ResponseBody(Value.object(members).json()))
    }
}
