import AtmosphereTesting
import Synchronization

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

/// A server of lists and tasks in memory, behind a scripted transport: ids of its own, a unique `uuid`, a `rev` that
/// every change raises, pages of two, deletes without a trace. It knows an `Idempotency-Key` again if told to.
final class TinyServer: Sendable {
    struct Row { var members: Value.Members }

    struct State {
        var rows: [String: [Int: Value.Members]] = ["lists": [:], "tasks": [:]]
        var nextID = 1
        var revision = 0
        var log: [String] = []
        var knowsKeys = false
        /// What creates with an idempotency key were answered with.
        var answered: [String: Value.Members] = [:]
        /// The next requests meet these, in order.
        var faults: [Fault] = []
        var isOffline = false
        /// An update that changes nothing leaves the version as it is.
        var takesNoNotice = false
        /// Who `GET me/` says is signed in.
        var user = "ann"
        /// The members that a list shows; nil for all.
        var listed: Set<String>?
        /// What stands before the number of a page, so that it is a token like any other.
        var pagePrefix = ""
    }

    /// What happens to one request: nil lets it through.
    struct Fault: Sendable {
        var applies: @Sendable (Request) -> Bool
        /// Whether the server does its work first.
        var processes: Bool
        var outcome: @Sendable () throws -> Response?
    }

    let state = Mutex(State())

    var log: [String] { state.withLock { $0.log } }
    func rows(_ entity: String) -> [Value.Members] {
        state.withLock { $0.rows[entity, default: [:]].sorted { $0.key < $1.key }.map(\.value) }
    }

    func knowKeys() { state.withLock { $0.knowsKeys = true } }
    func clearLog() { state.withLock { $0.log = [] } }
    func signIn(_ user: String) { state.withLock { $0.user = user } }
    func list(only members: Set<String>) { state.withLock { $0.listed = members } }
    func namePages(with prefix: String) { state.withLock { $0.pagePrefix = prefix } }
    func goOffline(_ flag: Bool) { state.withLock { $0.isOffline = flag } }
    func forgetFaults() { state.withLock { $0.faults = [] } }
    func fail(_ fault: Fault) { state.withLock { $0.faults.append(fault) } }

    @discardableResult
    func insert(_ entity: String, _ members: Value.Members) -> Int {
        state.withLock { $0.insert(entity, members) }
    }

    /// Something before the server has answered.
    func noteRefused(_ request: Request) { state.withLock { $0.log.append("refused \(request.method)") } }

    func edit(_ entity: String, _ id: Int, _ changes: Value.Members) {
        state.withLock { state in
            state.revision += 1
            for change in changes { state.rows[entity]?[id]?[change.name] = change.value }
            state.rows[entity]?[id]?["rev"] = .number(JSONNumber(state.revision))
        }
    }

    /// The next request of a method reaches the server, or not, and its answer is lost.
    func loseAnswer(to method: String, processes: Bool = true) {
        fail(
            Fault(
                applies: { $0.method == method }, processes: processes,
                outcome: { throw TransportError(code: .timeout, message: "no answer", mayHaveArrived: true) }))
    }

    /// The next request of a method is done, and answered with this body; nil for none.
    func answer(_ method: String, with body: String?, status: Int = 200, processes: Bool = true) {
        let response = Response(
            status: status, headers: ["Content-Type": body?.hasPrefix("<") == true ? "text/html" : "application/json"],
            body: ResponseBody(Array((body ?? "").utf8)))
        fail(Fault(applies: { $0.method == method }, processes: processes, outcome: { response }))
    }

    /// The next identifier, which may have been given before.
    func countFrom(_ id: Int) { state.withLock { $0.nextID = id } }

    /// Something else than a request puts an object there.
    func put(_ entity: String, _ id: Int, _ given: Value.Members) {
        state.withLock { state in
            state.revision += 1
            var members = given
            members["id"] = .number(JSONNumber(id))
            members["rev"] = .number(JSONNumber(state.revision))
            state.rows[entity, default: [:]][id] = members
        }
    }

    func remove(_ entity: String, _ id: Int) { state.withLock { $0.rows[entity]?[id] = nil } }

    var transport: ScriptedTransport {
        ScriptedTransport { request in try self.answer(request) }
    }

    private func answer(_ request: Request) throws -> Response {
        try state.withLock { state in
            let target = String(request.url.dropFirst("https://tiny.example/api/".count))
            var body = ""
            if case .bytes(let bytes) = request.body { body = " " + String(decoding: bytes, as: UTF8.self) }
            state.log.append("\(request.method) \(target)\(body)")
            if state.isOffline {
                throw TransportError(code: .cannotConnect, message: "no route to tiny.example", mayHaveArrived: false)
            }
            if let index = state.faults.firstIndex(where: { $0.applies(request) }) {
                let fault = state.faults.remove(at: index)
                if fault.processes { _ = state.handle(request, target) }
                if let response = try fault.outcome() { return response }
            }
            return state.handle(request, target)
        }
    }
}

extension TinyServer.State {
    mutating func insert(_ entity: String, _ given: Value.Members) -> Int {
        let id = nextID
        nextID += 1
        revision += 1
        var members = given
        members["id"] = .number(JSONNumber(id))
        members["rev"] = .number(JSONNumber(revision))
        rows[entity, default: [:]][id] = members
        return id
    }

    mutating func handle(_ request: Request, _ text: String) -> Response {
        let target = RequestTarget(text)
        var parts = target.path.split(separator: "/").map(String.init)
        var body: Value.Members = [:]
        if case .bytes(let bytes) = request.body { body = (try? Value(json: bytes).members) ?? [:] }
        // lists/1/tasks/2/ is tasks/2/, if that is of the list.
        var parent: Value?
        if parts.count > 2, parts[2] == "tasks", let id = Int(parts[1]) {
            guard rows["lists"]?[id] != nil else { return json(404, ["detail": "Not found."]) }
            parent = .number(JSONNumber(id))
            if request.method == "POST" { body["list"] = parent }
            parts.removeFirst(2)
        }
        let entity = parts[0]
        if entity == "me" { return json(200, user.isEmpty ? [:] : ["name": .string(user)]) }
        if parts.count == 1 {
            if request.method == "POST" { return create(entity, body, key: request.headers["Idempotency-Key"]) }
            return list(entity, of: parent, target)
        }
        if parts[1] == "batch" { return batch(entity, body) }
        guard let id = Int(parts[1]), let row = rows[entity]?[id], parent == nil || row["list"] == parent else {
            return json(404, ["detail": "Not found."])
        }
        if parts.count == 3, parts[2] == "move" { return move(entity, id, row, target) }
        if parts.count == 3, parts[2] == "clear" { return clear(id) }
        switch request.method {
        case "GET": return json(200, row)
        case "DELETE":
            rows[entity]?[id] = nil
            return Response(status: 204)
        default:
            if let refusal = refusal(body) { return refusal }
            var changed = row
            for member in body { changed[member.name] = member.value }
            if takesNoNotice, changed == row { return json(200, row) }
            revision += 1
            changed["rev"] = .number(JSONNumber(revision))
            rows[entity]?[id] = changed
            return json(200, changed)
        }
    }

    /// Hides what is done in a list.
    private mutating func clear(_ list: Int) -> Response {
        for (id, row) in rows["tasks", default: [:]]
        where row["list"] == .number(JSONNumber(list)) && row["done"] == true {
            revision += 1
            rows["tasks"]?[id]?["hidden"] = true
            rows["tasks"]?[id]?["rev"] = .number(JSONNumber(revision))
        }
        return Response(status: 204)
    }

    /// Sets `parent` from the query; `behind` is only noted in the log.
    private mutating func move(_ entity: String, _ id: Int, _ row: Value.Members, _ target: RequestTarget) -> Response {
        revision += 1
        var moved = row
        let parent = target.query.first { $0.name == "parent" }.flatMap { Int($0.value) }
        moved["parent"] = parent.map { .number(JSONNumber($0)) } ?? .null
        moved["rev"] = .number(JSONNumber(revision))
        rows[entity]?[id] = moved
        return json(200, moved)
    }

    private mutating func create(_ entity: String, _ body: Value.Members, key: String?) -> Response {
        if knowsKeys, let key, let known = answered[key] { return json(201, known) }
        if let refusal = refusal(body) { return refusal }
        if let uuid = body["uuid"], rows[entity, default: [:]].values.contains(where: { $0["uuid"] == uuid }) {
            return json(400, ["uuid": ["already exists."]])
        }
        if entity == "tasks", let list = body["list"]?.number?.int64, rows["lists"]?[Int(list)] == nil {
            return json(400, ["list": ["object does not exist."]])
        }
        let row = rows[entity]![insert(entity, body)]!
        if let key { answered[key] = row }
        return json(201, row)
    }

    private func refusal(_ body: Value.Members) -> Response? {
        guard body["title"]?.string == "bad" else { return nil }
        return json(400, ["title": ["May not be bad."], "non_field_errors": ["No."]])
    }

    private func list(_ entity: String, of parent: Value?, _ target: RequestTarget) -> Response {
        func parameter(_ name: String) -> String? { target.query.first { $0.name == name }?.value }
        var all = rows[entity, default: [:]].sorted { $0.key < $1.key }.map(\.value)
        if let parent { all.removeAll { $0["list"] != parent } }
        if let uuid = parameter("uuid") { all.removeAll { $0["uuid"]?.string != uuid } }
        if let since = parameter("since").flatMap({ Int64($0) }) {
            all.removeAll { ($0["rev"]?.number?.int64 ?? 0) <= since }
        }
        let page = parameter("page").flatMap { Int($0.dropFirst(pagePrefix.count)) } ?? 1
        let start = max(0, page - 1) * 2
        var slice = Array(all.dropFirst(start).prefix(2))
        if let listed {
            for index in slice.indices {
                for member in slice[index] where !listed.contains(member.name) { slice[index][member.name] = nil }
            }
        }
        var next = target
        next.set("page", pagePrefix + String(page + 1))
        return json(
            200,
            [
                "count": .number(JSONNumber(all.count)),
                "next": start + 2 < all.count ? .string("https://inside:8000/api/\(next.text)") : .null,
                "results": .array(slice.map(Value.object))
            ])
    }

    func json(_ status: Int, _ members: Value.Members) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json"],
            body: ResponseBody(Value.object(members).json()))
    }
}

/// A client of the tiny server: a synchronizer over a store in memory, with a clock that stands still.
struct TinyWorld: Sendable {
    let server: TinyServer
    let synchronizer: Synchronizer
    let store: any Store

    init(
        server: TinyServer = TinyServer(), store: any Store = MemoryStore(),
        identity: IdentityCheck? = nil, door: SignedDoor? = nil, start: Int64 = 1_700_000_000_000,
        _ change: (inout Resource) -> Void = { _ in }
    ) async throws {
        self.server = server
        self.store = store
        var routeFile = try Self.routeFile(change)
        routeFile.identity = identity
        synchronizer = try await Synchronizer(
            routeFile: routeFile, store: store,
            transport: door?.transport(before: server.transport) ?? server.transport, style: TinyStyle(),
            authenticator: door?.authenticator, environment: Self.environment(start: start))
    }

    var now: Timestamp { synchronizer.environment.now() }

    /// Lets the client's time go by.
    func pass(_ time: Duration) async throws { try await synchronizer.environment.sleep(now.advanced(by: time)) }

    /// A second synchronizer on the same store and server, which holds requests of one method after the server has done
    /// its work and before the answer is back.
    func holding(
        _ method: String, at gate: Gate, where applies: @escaping @Sendable (Request) -> Bool = { _ in true },
        under changed: RouteFile? = nil
    ) async throws -> Synchronizer {
        let server = server
        let slow = ScriptedTransport { request in
            let response = try await server.transport.send(request)
            if request.method == method, applies(request) { try await gate.pass() }
            return response
        }
        return try await Synchronizer(
            routeFile: changed ?? synchronizer.routeFile, store: store, transport: slow, style: TinyStyle(),
            environment: Self.environment())
    }

    /// A second synchronizer on the same store and server, under a changed route file.
    func under(_ change: (inout RouteFile) -> Void) async throws -> Synchronizer {
        var routeFile = synchronizer.routeFile
        change(&routeFile)
        return try await Synchronizer(
            routeFile: routeFile, store: store, transport: server.transport, style: TinyStyle(),
            environment: Self.environment())
    }

    struct TinyStyle: RoutingStyle {
        let name = "tiny"
        let document = "{}"
    }

    /// Time moves only when somebody sleeps; identifiers count up.
    static func environment(start: Int64 = 1_700_000_000_000) -> SyncEnvironment {
        let now = Mutex(start)
        let counter = Mutex(0)
        let box = Box(now: now, counter: counter)
        return SyncEnvironment(
            now: { Timestamp(milliseconds: box.now.withLock { $0 }) },
            sleep: { until in
                try Task.checkCancellation()
                box.now.withLock { $0 = max($0, until.milliseconds) }
            },
            makeUUID: {
                let count = box.counter.withLock {
                    $0 += 1
                    return $0
                }
                let digits = String(count)
                return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
            },
            random: { 0.5 })
    }

    private final class Box: Sendable {
        let now: Mutex<Int64>
        let counter: Mutex<Int>
        init(now: consuming Mutex<Int64>, counter: consuming Mutex<Int>) {
            self.now = now
            self.counter = counter
        }
    }

    static func routeFile(_ change: (inout Resource) -> Void = { _ in }) throws -> RouteFile {
        func resource(_ name: String) throws -> Resource {
            var create = Operation(method: "POST", path: try PathTemplate("\(name)/"))
            create.body = .whole
            var update = Operation(method: "PATCH", path: try PathTemplate("\(name)/{id}/"))
            update.body = .changed
            var resource = Resource(
                name: name, list: Operation(method: "GET", path: try PathTemplate("\(name)/")),
                read: Operation(method: "GET", path: try PathTemplate("\(name)/{id}/")), create: create, update: update,
                delete: Operation(method: "DELETE", path: try PathTemplate("\(name)/{id}/")))
            resource.items = .member("results")
            resource.paging = .bodyLink(next: .member("next"), size: nil)
            resource.readonly = ["rev"]
            resource.errors.general = ["non_field_errors"]
            resource.lookup = Lookup(field: "uuid", parameter: "uuid")
            resource.duplicate = Duplicate(statuses: [400], field: "uuid")
            var since = Since(parameter: "since", origin: .field(.member("rev")))
            since.overlap = .zero
            resource.since = since
            return resource
        }
        let lists = try resource("lists")
        var tasks = try resource("tasks")
        tasks.references = [Reference(entity: "lists", field: "list")]
        change(&tasks)
        return RouteFile(
            name: "tiny", source: "tiny.yaml", style: "tiny", base: "https://tiny.example/api", store: StoreSettings(),
            transport: TransportSettings(), auth: .none, identity: nil, secrets: SecretSettings(), limits: Limits(),
            resources: [lists, tasks], settings: [])
    }
}
