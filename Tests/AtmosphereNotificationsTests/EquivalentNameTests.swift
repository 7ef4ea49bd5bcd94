#if Notifications
    import Atmosphere
    @testable import AtmosphereNotifications
    import AtmosphereSocketIO
    import Testing

    /// Names that `String` takes for equal and that differ in their bytes.
    @Suite("Canonically equivalent names")
    struct EquivalentNameTests {
        private static let composed = "caf\u{E9}"
        private static let decomposed = "cafe\u{301}"

        private func event(_ id: String, _ audience: Audience) -> PublishedEvent {
            PublishedEvent(id: id, kind: .update, audiences: [audience], data: [:])
        }

        @Test("two users and two rooms have such names")
        func audiences() {
            #expect(Audience.user(Self.composed) != .user(Self.decomposed))
            #expect(Audience.room(Self.composed) != .room(Self.decomposed))
            #expect(Audience.user("a") != .room("a") && Audience.room("a") == .room("a"))
            #expect(Set<Audience>([.user("K"), .user("\u{212A}"), .user("K")]).count == 2)
        }

        @Test("nobody gets what another user has missed")
        func replay() async {
            let broker = MemoryBroker(epoch: "e") { .zero }
            let start = await broker.latest()
            _ = await broker.publish([event("a", .user(Self.composed)), event("b", .user(Self.decomposed))])
            guard case .events(let missed) = await broker.replay([.user(Self.decomposed)], after: start) else {
                Issue.record("a gap")
                return
            }
            #expect(missed.map(\.event.id) == ["b"])
        }

        @Test("two events have such identifiers")
        func identifiers() async {
            let broker = MemoryBroker(epoch: "e") { .zero }
            let answers = await broker.publish([
                event(Self.composed, .user("ann")), event(Self.decomposed, .user("ann")),
                event(Self.decomposed, .user("ann"))
            ])
            #expect(answers.map(\.isDuplicate) == [false, false, true])
        }

        @Test("a pattern lets nobody into a room with such a name")
        func patterns() {
            let identity = ClientIdentity(user: "ann", rooms: [Self.composed, "\(Self.composed)/*"])
            #expect(identity.mayJoin(Self.composed) && !identity.mayJoin(Self.decomposed))
            #expect(identity.mayJoin("\(Self.composed)/7") && !identity.mayJoin("\(Self.decomposed)/7"))
            #expect(identity.mayJoin("\(Self.composed)/\u{301}7"))
            #expect(!ClientIdentity(user: "ann", rooms: ["tasks/*\u{301}"]).mayJoin("tasks/7"))
        }

        @Test("each user has places and a budget of its own")
        func shares() async {
            let places = UserPlaces(limit: 1, waitLimit: 0, sleep: { _ in })
            for user in [Self.composed, Self.decomposed] { #expect(await places.take(user)) }
            places.give(Self.decomposed)
            #expect(await !places.take(Self.composed))
            let budget = AcknowledgementBudget(limit: 250, limitPerUser: 100)
            for user in [Self.composed, Self.decomposed] { #expect(budget.take(100, for: user)) }
        }

        @Test("a secret that is only equivalent is nobody's")
        func secrets() {
            let memory = RoomMemory(time: .seconds(120)) { .zero }
            _ = memory.arrive("K", "ann", [Self.composed, Self.decomposed], owner: "1", nil)
            #expect(memory.record("\u{212A}") == nil)
            #expect(memory.record("K")?.rooms.count == 2)
        }

        @Test("a name that begins with a combining mark goes through the envelope and an emitter")
        func marks() throws {
            let sent = PublishedEvent(
                id: "1", kind: .update, audiences: [.user("\u{301}ann"), .room("\u{301}")], data: [:])
            #expect(EventEnvelope.decode(EventEnvelope.encode(sent))?.audiences == sent.audiences)
            let message = RedisEmitter.pythonSocketIO().read(
                channel: "socketio",
                Value.object([
                    "method": "emit", "event": "update", "data": [1], "namespace": "/", "room": "user:\u{301}ann"
                ]).json())
            let event = SocketEvent("update", [.json(1)])
            #expect(message == .event(PassingEvent(event: event, audiences: [.user("\u{301}ann")])))
        }

        @Test("an Idempotency-Key is the id in its bytes")
        func keys() throws {
            let reader = EventReader(newIdentifier: { "new" })
            let body: Value.Members = ["id": .string(Self.composed), "to": ["ann"], "data": 1]
            #expect(throws: Problem.self) { try reader.event(.notification, body, key: Self.decomposed) }
            #expect(try reader.event(.notification, body, key: Self.composed).id == Self.composed)
        }
    }
#endif
