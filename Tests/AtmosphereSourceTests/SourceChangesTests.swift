import Atmosphere
import AtmosphereTesting
import Synchronization
import Testing

@testable import AtmosphereSource

@Suite("What a source tells of its changes")
struct SourceChangesTests {
    private final class Told: Sendable {
        let changes = Mutex<[RESTSource.Change]>([])

        /// What was told since the last time.
        func take() -> [RESTSource.Change] {
            changes.withLock { changes in
                defer { changes = [] }
                return changes
            }
        }
    }

    private func source(_ told: Told) throws -> RESTSource {
        var options = RESTSource.Options(seed: 2)
        options.onChange = { change in told.changes.withLock { $0.append(change) } }
        return try RESTSource(SampleAPI.django(), options: options)
    }

    private func uri(_ entity: String, _ id: String) -> ObjectURI { ObjectURI(entity: entity, id: id) }

    @Test("each object that has changed is told as a read shows it, with what it stands below")
    func changes() throws {
        let told = Told()
        let source = try source(told)
        #expect(told.take().isEmpty)
        let album = try source.add("albums", ["title": "A"])
        let picture = try source.add("pictures", ["title": "P", "album": .number(JSONNumber(Int(album) ?? 0))])
        let added = told.take()
        #expect(added.map(\.uri) == [uri("albums", album), uri("pictures", picture)])
        #expect(added.last?.parents == [uri("albums", album)])
        #expect(added.last?.record == source.objects("pictures").last)
        try source.edit("pictures", picture, ["title": "Q"])
        #expect(told.take().map { $0.record?.members["title"] } == ["Q"])
        try source.remove("albums", album)
        let removed = told.take()
        #expect(Set(removed.map(\.uri)) == [uri("albums", album), uri("pictures", picture)])
        #expect(removed.allSatisfy { $0.record == nil })
        #expect(throws: RESTSourceError.self) { try source.edit("pictures", picture, ["title": "R"]) }
        #expect(told.take().isEmpty)
    }

    @Test("a request tells what it has done, and one that only reads tells nothing")
    func requests() throws {
        let told = Told()
        let source = try source(told)
        func send(_ method: String, _ target: String, _ body: String = "") {
            let headers: HeaderFields = body.isEmpty ? [:] : ["Content-Type": "application/json"]
            let request = SourceRequest(method: method, target: target, headers: headers, body: Array(body.utf8))
            _ = source.answer(request, nil, origin: "http://127.0.0.1:1")
        }
        send("GET", "/api/albums/")
        #expect(told.take().isEmpty)
        send("POST", "/api/albums/", #"{"title":"A"}"#)
        #expect(told.take().map(\.uri) == [uri("albums", "3")])
        send("PATCH", "/api/albums/3/", #"{"title":""}"#)
        #expect(told.take().isEmpty)
        send("DELETE", "/api/albums/3/")
        #expect(told.take().map(\.record) == [nil])
    }

    // MARK: The queue

    private func event(_ number: Int, bytes: Int = 0) -> PublishQueue.Event {
        let text = String(repeating: "x", count: bytes)
        return PublishQueue.Event(["id": .number(JSONNumber(number)), "attributes": ["text": .string(text)]])
    }

    private func ids(_ batch: [PublishQueue.Event]?) -> [Int64] {
        batch?.compactMap { $0.members["id"]?.number?.int64 } ?? []
    }

    @Test("what is on its way is sent again before anything else, and the rest follows in order")
    func order() {
        var queue = PublishQueue()
        #expect(queue.next() == nil)
        queue.put(event(1))
        let first = queue.next()
        for number in 2...150 { queue.put(event(number)) }
        #expect(queue.next() == first)
        #expect(queue.published() == 0)
        #expect(ids(queue.next()) == (2...101).map { Int64($0) })
        _ = queue.published()
        #expect(ids(queue.next()) == (102...150).map { Int64($0) })
        _ = queue.published()
        #expect(queue.next() == nil)
    }

    @Test("where there is no room the oldest give way, and are counted once")
    func room() {
        var queue = PublishQueue()
        for number in 1...PublishQueue.countLimit + 3 { queue.put(event(number)) }
        #expect(ids(queue.next()).first == 4)
        #expect(queue.published() == 3)
        _ = queue.next()
        #expect(queue.published() == 0)
        var other = PublishQueue(byteLimit: 10_000)
        for number in 1...3 { other.put(event(number, bytes: 5_000)) }
        #expect(ids(other.next()) == [3])
    }

    @Test("of several that are refused each is sent alone; one is told without its members, and then given up")
    func refusal() {
        var queue = PublishQueue()
        for number in 1...3 { queue.put(event(number)) }
        _ = queue.next()
        #expect(queue.refused() == nil)
        #expect(ids(queue.next()) == [1])
        _ = queue.published()
        #expect(ids(queue.next()) == [2])
        #expect(queue.refused() == nil)
        #expect(queue.next() == [PublishQueue.Event(["id": 2])])
        #expect(queue.refused() == PublishQueue.Event(["id": 2]))
        #expect(ids(queue.next()) == [3])
    }

    // MARK: The publisher

    @Test("what has changed while the server is away is published when it is back, in order; why is told once")
    func away() async throws {
        let tries = Mutex(0)
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let transport = ScriptedTransport { request in
            let count = tries.withLock { count in
                count += 1
                return count
            }
            guard count > 3 else {
                throw TransportError(code: .cannotConnect, message: "nobody is there", mayHaveArrived: false)
            }
            #expect(request.url == "http://h/events" && request.headers["Authorization"] == "Bearer key")
            arrival.yield()
            return Response(status: 200)
        }
        let told = Mutex<[String]>([])
        var options = ChangePublisher.Options(url: "http://h", key: Secret("key"))
        options.users = ["ann"]
        options.makeID = { "e" }
        options.sleep = { _ in }
        let publisher = ChangePublisher(options, transport: transport) { text in told.withLock { $0.append(text) } }
        var settings = RESTSource.Options()
        settings.onChange = { publisher.publish($0) }
        let source = try RESTSource(SampleAPI.django(), options: settings)
        let album = try source.add("albums", ["title": "A"])
        try source.edit("albums", album, ["title": "B"])
        try source.remove("albums", album)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await publisher.run() }
            for await _ in arrivals { break }
            group.cancelAll()
        }
        let body = try Value(json: transport.requests.last?.body ?? [])
        let events = body.members?["events"]?.array?.compactMap(\.members) ?? []
        #expect(events.count == 3)
        #expect(events.map { $0["attributes"]?.members?["title"] } == ["A", "B", nil])
        #expect(events.map { $0["deleted"] } == [nil, nil, true])
        #expect(events.map { $0["whole"] } == [true, true, nil])
        let to: Value = ["users": ["ann"], "rooms": ["albums", .string("albums/\(album)")]]
        #expect(events.allSatisfy { $0["to"] == to && $0["type"] == "update" && $0["id"] == "e" })
        #expect(
            told.withLock { $0 } == ["changes wait to be published: nobody is there", "changes are published again"])
    }

    @Test("a refusal that repeats the key is told without it", arguments: [400, 401])
    func repeatedKey(status: Int) async throws {
        let key = "key-of-the-publisher-4711"
        let transport = ScriptedTransport { _ in
            Response(status: status, body: ResponseBody(Array(#"{"detail":"bad key \#(key)"}"#.utf8)))
        }
        let (tellings, telling) = AsyncStream<String>.makeStream()
        var options = ChangePublisher.Options(url: "http://h", key: Secret(key))
        options.sleep = { _ in throw CancellationError() }
        let publisher = ChangePublisher(options, transport: transport) { telling.yield($0) }
        var settings = RESTSource.Options()
        settings.onChange = { publisher.publish($0) }
        try RESTSource(SampleAPI.django(), options: settings).add("albums", ["title": "A"])
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await publisher.run() }
            for await told in tellings {
                #expect(told.contains("the notification server answered \(status): bad key [secret]"))
                break
            }
            group.cancelAll()
        }
    }
}
