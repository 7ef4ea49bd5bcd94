import Atmosphere
import AtmospherePlain
import AtmosphereTesting
import Synchronization
import Testing

@Suite("an application's edits in its own model layer, by the rules of every edit")
struct PairedStoreEditTests {
    private let task = ObjectURI(entity: "tasks", id: "1")
    private let models = MemoryModels()

    /// Lists, and tasks that refer to them; both are known by number.
    private final class Server: Sendable {
        let log = Mutex<[String]>([])
        let task = Mutex<Value.Members>(["id": 1, "title": "Milk", "note": "", "list": .null, "rev": 1])

        func answer(_ request: Request) -> Response {
            var body = ""
            if case .bytes(let bytes) = request.body { body = " " + String(decoding: bytes, as: UTF8.self) }
            let path = request.url.dropFirst("https://api.test".count)
            if request.method != "GET" { log.withLock { $0.append("\(request.method) \(path)\(body)") } }
            let text =
                switch (request.method, path) {
                case ("POST", _): #"{"id":7,"title":"Home"}"#
                case ("GET", "/lists"): "[]"
                case (_, "/tasks"): "[\(ObjectRecord(task.withLock { $0 }).description)]"
                default: ObjectRecord(task.withLock { $0 }).description
                }
            return Response(
                status: 200, headers: ["Content-Type": "application/json"], body: ResponseBody(Array(text.utf8)))
        }
    }

    private let server = Server()

    private func open(
        update: String = #"{ "method": "PATCH", "body": "changed" }"#, lists: String = "{}", gate: Gate? = nil
    ) async throws -> (Synchronizer, PairedStore) {
        let text = """
            { "atmosphere": 1, "base": "https://api.test", "style": "plain",
              "resources": {
                "lists": \(lists),
                "tasks": { "references": { "list": "lists" }, "readonly": ["rev"],
                           "conflict": { "clash": "ask" }, "update": \(update) } } }
            """
        let routeFile = try RouteFile.load(bytes: Array(text.utf8), source: "api.json", adapters: [.plain])
        let store = try await PairedStore(models, beside: MemoryStore())
        let server = server
        let client = try await Synchronizer(
            routeFile: routeFile, store: store,
            transport: ScriptedTransport { request in
                let answer = server.answer(request)
                if request.method != "GET" { try await gate?.pass() }
                return answer
            },
            style: PlainStyle())
        try await client.pull()
        return (client, store)
    }

    private func set(_ name: String, _ value: Value) throws {
        let record = try #require(models[task])
        models[task] = record.replacing(member: name, with: value)
    }

    @Test("a reference to a new object waits for it, and goes out with the identifier that the server gives")
    func reference() async throws {
        let (client, store) = try await open()
        let list = try await client.save(["title": "Home"], as: "lists")
        try set("list", .string(list.id))
        #expect(try await store.collectEdits(of: [task]) == [task])
        #expect(try await client.object(at: task)?.meta.waitsFor == [list])
        try await client.push()
        let sent = server.log.withLock { $0 }
        #expect(sent == [#"POST /lists {"title":"Home"}"#, #"PATCH /tasks/1 {"list":7}"#])
        // The model layer names it as the server does.
        #expect(models[task]?["list"] == 7)
        #expect(models[ObjectURI(entity: "lists", id: "7")] != nil)
        #expect(try await store.collectEdits(of: [task]) == [])
        try await client.close()
    }

    @Test("a reference by the identifier that an object had before becomes the one that it has")
    func formerIdentifier() async throws {
        let (client, store) = try await open()
        let list = try await client.save(["title": "Home"], as: "lists")
        try await client.push()
        try set("list", .string(list.id))
        #expect(try await store.collectEdits(of: [task]) == [task])
        #expect(models[task]?["list"] == 7)
        #expect(try await client.object(at: task)?.meta.waitsFor == [])
        try await client.push()
        #expect(server.log.withLock { $0.last } == #"PATCH /tasks/1 {"list":7}"#)
        try await client.close()
    }

    @Test("an edit of what is in conflict decides it, as a save does")
    func conflict() async throws {
        let (client, store) = try await open()
        try await client.edit(task, setting: ["title": "Oat milk"])
        server.task.withLock { ($0["title"], $0["rev"]) = ("Soy milk", 2) }
        try await client.pull()
        guard case .conflicted? = try await client.object(at: task)?.status else {
            Issue.record("there is no conflict")
            return
        }
        // What both sides say now is no conflict.
        try set("title", "Soy milk")
        #expect(try await store.collectEdits(of: [task]) == [task])
        #expect(try await client.object(at: task)?.meta.isChanged == false)
        try await client.close()
    }

    @Test("what the server alone decides is put back into the model layer")
    func readonly() async throws {
        let (client, store) = try await open()
        try set("rev", 9)
        #expect(try await store.collectEdits(of: [task]) == [])
        #expect(models[task]?["rev"] == 1)
        try set("rev", 9)
        try set("title", "Bread")
        #expect(try await store.collectEdits(of: [task]) == [task])
        #expect(models[task]?["rev"] == 1)
        #expect(models[task]?["title"] == "Bread")
        try await client.close()
    }

    @Test("an edit that could never be sent stops no pull, is among what was refused, and can be taken back")
    func refused() async throws {
        let (client, _) = try await open(update: "null")
        try set("title", "Bread")
        server.task.withLock { ($0["note"], $0["rev"]) = ("new", 2) }
        try await client.pull()
        let meta = try #require(try await client.object(at: task)?.meta)
        guard case .rejected = meta.outgoing?.phase else {
            Issue.record("\(meta)")
            return
        }
        #expect(meta.outgoing?.lastError?.message.contains("offers no update") == true)
        #expect(models[task]?["title"] == "Bread")
        #expect(models[task]?["note"] == "new")
        try set("title", "Milk")
        try await client.pull()
        #expect(try await client.pending().isEmpty)
        try await client.push()
        #expect(server.log.withLock { $0 }.isEmpty)
        try await client.close()
    }

    @Test(
        "an edit that could never be sent, made while the object is on the wire, is refused when the answer has come",
        arguments: [false, true])
    func refusedOnTheWire(_ isCollected: Bool) async throws {
        let gate = Gate()
        let (client, store) = try await open(lists: #"{ "update": null }"#, gate: gate)
        let list = try await client.save(["title": "Home"], as: "lists")
        async let push = client.push()
        await gate.waitForArrivals()
        models[list] = try #require(models[list]).replacing(member: "title", with: "Away")
        if isCollected { #expect(try await store.collectEdits(of: [list]) == []) }
        gate.open()
        #expect(try await push.created == 1)

        let new = ObjectURI(entity: "lists", id: "7")
        #expect(models[list] == nil && models[new]?["title"] == "Away")
        let object = try #require(try await client.object(at: new))
        guard case .rejected = object.meta.outgoing?.phase else {
            Issue.record("\(object)")
            return
        }
        #expect(object.record?["title"] == "Away" && object.meta.confirmed?.base["title"] == "Home")
        #expect(object.meta.outgoing?.lastError?.message.contains("offers no update") == true)
        // It stays so until the application takes it back.
        try await client.push()
        #expect(server.log.withLock { $0 } == [#"POST /lists {"title":"Home"}"#])
        models[new] = try #require(models[new]).replacing(member: "title", with: "Home")
        #expect(try await store.collectEdits(of: [new]) == [new])
        try await client.push()
        #expect(try await client.pending().isEmpty)
        #expect(server.log.withLock { $0.count } == 1)
        try await client.close()
    }
}
