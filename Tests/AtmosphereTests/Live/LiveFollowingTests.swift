import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("Following live updates")
struct LiveFollowingTests {
    @Test("the first connection and each gap cause one pull, a resumed connection none")
    func gaps() async throws {
        let world = try await TinyWorld.ordered()
        for (continuity, expected) in [(MessageEvent.Continuity.new, 1), (.gap, 1), (.resumed, 0)] {
            let pulls = Mutex(0)
            try await world.synchronizer.follow(
                ScriptedMessages { $0(.connected(continuity)) },
                catchUp: {
                    pulls.withLock { $0 += 1 }
                    return true
                })
            #expect(pulls.withLock { $0 } == expected, "\(continuity)")
        }
    }

    @Test("gaps that are told while it catches up cause one more pull, however many they are")
    func gapsTogether() async throws {
        let world = try await TinyWorld.ordered()
        let pulls = Mutex(0)
        let gate = Gate()
        let synchronizer = world.synchronizer
        try await synchronizer.follow(
            ScriptedMessages { receive in
                receive(.connected(.new))
                await gate.waitForArrivals()
                for _ in 0..<5 { receive(.connected(.gap)) }
                await synchronizer.allTaken(receive)
                gate.open()
            },
            catchUp: {
                pulls.withLock { $0 += 1 }
                try await gate.pass()
                return true
            })
        #expect(pulls.withLock { $0 } == 2)
    }

    @Test("catching up is tried again until the server is there")
    func offline() async throws {
        let world = try await TinyWorld.ordered()
        let tries = Mutex(0)
        try await world.synchronizer.follow(
            ScriptedMessages { $0(.connected(.gap)) },
            catchUp: {
                tries.withLock {
                    $0 += 1
                    return $0 == 3
                }
            })
        #expect(tries.withLock { $0 } == 3)
    }

    @Test("an identifier with a slash is one identifier, and leads to no other object")
    func slash() async throws {
        let world = try await TinyWorld.ordered()
        try await world.follow(LiveUpdate(uri: ObjectURI(entity: "tasks", id: "a/1"), content: .changed))
        #expect(world.server.log.first == "GET tasks/a%2F1/")
    }

    @Test("a GET that fails becomes a pull")
    func failingGET() async throws {
        let world = try await TinyWorld.ordered()
        world.server.insert("tasks", ["title": "new"])
        world.server.fail(
            .init(applies: { $0.url.hasSuffix("tasks/1/") }, processes: false) {
                throw TransportError(code: .cannotConnect, message: "away", mayHaveArrived: false)
            })
        try await world.follow(.task(1, .changed))
        #expect(try await world.task(1)?["title"] == "new")
        #expect(world.server.log.contains("GET tasks/"))
    }

    @Test("one warning for an unknown entity, and none of its updates is kept")
    func unknownEntity() async throws {
        let lines = Mutex<[String]>([])
        let world = try await TinyWorld.ordered()
        let synchronizer = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store, transport: world.server.transport,
            style: TinyWorld.TinyStyle(), environment: TinyWorld.environment(),
            log: { entry in lines.withLock { $0.append(entry.message) } })
        try await synchronizer.follow(
            ScriptedMessages { receive in
                for id in 0..<5 {
                    receive(.update(.init(uri: ObjectURI(entity: "secrets", id: String(id)), content: .changed)))
                }
            })
        #expect(lines.withLock { $0.filter { $0.contains("“secrets”") } }.count == 1)
        #expect(world.server.log.isEmpty)
    }

    @Test("what comes twice under one id is taken once, updates and notifications alike")
    func twice() async throws {
        let world = try await TinyWorld.ordered()
        world.server.insert("tasks", ["title": "one"])
        let stream = world.synchronizer.notifications()
        try await world.synchronizer.follow(
            ScriptedMessages { receive in
                for _ in 0..<3 {
                    var update = LiveUpdate.task(1, .changed)
                    update.id = "u"
                    receive(.update(update))
                    receive(.notification(LiveNotification(id: "n", data: "hello")))
                }
                receive(.notification(LiveNotification(id: "last", data: nil)))
            })
        #expect(world.server.log == ["GET tasks/1/"])
        var seen: [LiveNotification] = []
        for await notification in stream {
            seen.append(notification)
            if notification.id == "last" { break }
        }
        #expect(seen.map(\.id) == ["n", "last"])
    }

    @Test("the status follows the connection, and is off before and after")
    func status() async throws {
        let world = try await TinyWorld.ordered()
        let seen = Mutex<[LiveStatus]>([])
        let synchronizer = world.synchronizer
        #expect(synchronizer.liveStatus == .off)
        let statuses = synchronizer.liveStatuses()
        try await synchronizer.follow(
            ScriptedMessages { receive in
                receive(.disconnected(reason: "away"))
                receive(.disconnected(reason: "still away"))
                receive(.connected(.new))
            }, catchUp: { true })
        #expect(synchronizer.liveStatus == .off)
        for await status in statuses {
            seen.withLock { $0.append(status) }
            if status == .off { break }
        }
        let now = Timestamp(milliseconds: 1_700_000_000_000)
        #expect(
            seen.withLock { $0 } == [
                .connecting, .disconnected(since: now, reason: "away"), .disconnected(since: now, reason: "still away"),
                .connected(since: now), .off
            ])
    }

    @Test("a flood of updates ends in one pull, and nothing of it is kept")
    func flood() async throws {
        var machine = LiveMachine(entities: ["tasks"], concurrent: 4)
        _ = machine.step(.start)
        var pulls = 0
        var open: Set<ObjectURI> = []
        for id in 0..<(LiveMachine.queueLimit * 5) {
            for effect in machine.step(.received(.update(.task(id, .changed)))) {
                switch effect {
                case .catchUp: pulls += 1
                case .decide(let update): open.insert(update.uri)
                default: break
                }
            }
        }
        #expect(pulls == 1)
        #expect(open.count <= LiveMachine.queueLimit)
    }

    @Test("two updates whose own identifiers are canonically equivalent are two")
    func equivalentIdentifiers() {
        var machine = LiveMachine(entities: ["tasks"], concurrent: 4)
        for id in ["caf\u{E9}", "cafe\u{301}"] {
            let notification = LiveNotification(id: id, data: 1)
            let event = MessageEvent.notification(notification)
            #expect(machine.step(.received(event)) == [.tell(event)])
            #expect(machine.step(.told) == [.receive])
            // The second time the next is waited for at once.
            #expect(machine.step(.received(event)) == [.receive])
        }
    }

    @Test("events that nobody takes are forgotten for a gap, notifications as far as there is room")
    func fullQueue() async {
        let queue = EventQueue(limit: 8)
        queue.put(.notification(LiveNotification(id: "kept", data: 1)))
        for id in 0..<8 { queue.put(.update(.task(id, .changed))) }
        queue.finish()
        var seen: [MessageEvent] = []
        while let event = await queue.next() { seen.append(event) }
        #expect(seen.prefix(2) == [.connected(.gap), .notification(LiveNotification(id: "kept", data: 1))])
        #expect(seen.count <= 8)
    }

    /// What is left when eight updates come behind these events.
    private func left(of events: [MessageEvent]) async -> [MessageEvent] {
        let queue = EventQueue(limit: 8)
        for event in events { queue.put(event) }
        for id in 0..<8 { queue.put(.update(.task(id, .changed))) }
        queue.finish()
        var seen: [MessageEvent] = []
        while let event = await queue.next() {
            if case .update = event.content { continue }
            seen.append(event)
        }
        return seen
    }

    @Test("what was said last of the connection and of each room stays where updates are forgotten")
    func fullQueueOfRooms() async {
        #expect(
            await left(of: [.roomsJoined(["a", "b"]), .roomsRefused(["b"])])
                == [.gap, .roomsJoined(["a"]), .roomsRefused(["b"])])
        let lost = MessageEvent.disconnected(reason: "lost")
        #expect(await left(of: [.connected, .roomsJoined(["a"]), lost]) == [.gap, lost])
        #expect(
            await left(of: [.roomsJoined(["a"]), lost, .resumed, .roomsRefused(["a"])])
                == [.gap, lost, .resumed, .roomsRefused(["a"])])
    }

    @Test("cancelling ends it, whatever it waits for")
    func cancelled() async throws {
        let world = try await TinyWorld.ordered()
        let gate = Gate()
        let synchronizer = world.synchronizer
        let task = Task { try await synchronizer.follow(ScriptedMessages { _ in try await gate.pass() }) }
        await gate.waitForArrivals()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(synchronizer.liveStatus == .off)
    }

    @Test("a route file without “live” says so")
    func noClient() async throws {
        let world = try await TinyWorld.ordered()
        await #expect { try await world.synchronizer.follow() } throws: { error in
            (error as? SyncError)?.message.contains("live: { url: … }") == true
        }
    }

    // MARK: Reading

    @Test(
        "an update without a clear object is refused",
        arguments: [
            "1", "{}", #"{"uri":{"entity":"t"}}"#, #"{"uri":{"entity":"","id":"1"}}"#,
            #"{"uri":{"entity":"t","id":""}}"#, #"{"uri":{"entity":"t","id":null}}"#
        ])
    func unclear(text: String) throws {
        let value = try Value(json: Array(text.utf8))
        #expect(throws: LiveMessageError.self) { try LiveUpdate(value) }
    }

    @Test(
        "of a clear object whatever cannot be used says that it has changed, and no version",
        arguments: [
            #""attributes":[]"#, #""attributes":null"#, #""patch":1"#, #""patch":[1]"#, #""edits":[]"#,
            #""edits":{"x":1}"#, #""edits":{"x":[{"at":-1}]}"#, #""edits":{"x":[{"at":1e300}]}"#,
            #""edits":{"x":[{"at":2147483648,"delete":1}]}"#, #""edits":{"x":[{"at":0,"insert":1}]}"#,
            #""deleted":"true""#, #""deleted":true,"attributes":{}"#, #""attributes":{},"patch":{}"#
        ])
    func unusable(said: String) async throws {
        let text = #"{"uri":{"entity":"tasks","id":1},"version":"1","next":"1",\#(said)}"#
        let update = try LiveUpdate(Value(json: Array(text.utf8)))
        guard case .unusable = update.content else {
            Issue.record("\(update.content)")
            return
        }
        #expect(update.version == nil && update.next == nil)
        let world = try await TinyWorld.ordered()
        world.server.insert("tasks", ["title": "old"])
        try await world.synchronizer.pull()
        world.server.edit("tasks", 1, ["title": "new"])
        world.server.clearLog()
        try await world.follow(update)
        #expect(world.server.log == ["GET tasks/1/"])
        #expect(try await world.task(1)?["title"] == "new")
    }

    @Test("identifiers of objects without end are refused, and versions and edits without end cannot be used")
    func tooLong() throws {
        let long = String(repeating: "9", count: 3000)
        let uri: Value = ["entity": "tasks", "id": .string(long)]
        #expect(throws: LiveMessageError.self) { try LiveUpdate(["uri": uri]) }
        let task: Value = ["entity": "tasks", "id": 1]
        let edits = Value.array(Array(repeating: ["at": 0], count: LiveUpdate.editLimit + 1))
        for said: Value.Members in [["version": .string(long)], ["version": []], ["edits": ["x": edits]]] {
            var members = said
            members["uri"] = task
            guard case .unusable = try LiveUpdate(.object(members)).content else {
                Issue.record("\(said.count) members of an update without end can be used")
                return
            }
        }
    }

    @Test("a message whose own identifier is a number has it, and one with none that can be used counts without it")
    func ownIdentifier() throws {
        let uri: Value = ["entity": "tasks", "id": 7]
        let long = String(repeating: "9", count: 300)
        for (id, read) in [(7, "7"), ("a", "a"), ("", nil), ([], nil), (.string(long), nil)] as [(Value, String?)] {
            var update = LiveUpdate.task(7, .attributes(["title": "new"]), version: "2")
            update.id = read
            #expect(
                try LiveUpdate(["id": id, "uri": uri, "attributes": ["title": "new"], "version": "2"]) == update)
            #expect(try LiveNotification(["id": id, "data": 1]) == LiveNotification(id: read, data: 1))
        }
    }

    @Test("what a client hands on is an event, or cannot be used")
    func handedOn() {
        #expect(MessageEvent.update(["uri": ["entity": "tasks", "id": 7]]) == .update(.task(7, .changed)))
        #expect(MessageEvent.update(["uri": 1]) == .unusable(reason: "an update's uri has an entity and an id"))
        #expect(MessageEvent.notification(["data": "hello"]) == .notification(LiveNotification(data: "hello")))
        #expect(MessageEvent.notification("hello") == .unusable(reason: "a notification is an object with data"))
    }

    @Test("every form of an update is read")
    func forms() throws {
        let uri: Value = ["entity": "tasks", "id": 7]
        #expect(try LiveUpdate(["uri": uri]) == .task(7, .changed))
        #expect(try LiveUpdate(["uri": uri, "version": 1.asValue]) == .task(7, .changed, version: "1"))
        #expect(try LiveUpdate(["uri": uri, "deleted": true]) == .task(7, .deleted))
        #expect(try LiveUpdate(["uri": uri, "deleted": false]) == .task(7, .changed))
        let edits: Value = ["text": [["at": 1, "delete": 2, "insert": "x"], ["at": 0]]]
        let read = try LiveUpdate(["uri": uri, "edits": edits, "version": "a", "next": "b"])
        #expect(
            read
                == .task(
                    7, .edits([.init(member: "text", edits: [.init(at: 1, delete: 2, insert: "x"), .init(at: 0)])]),
                    version: "a", next: "b"))
    }
}

extension Int {
    fileprivate var asValue: Value { .init(integerLiteral: self) }
}
