#if Command
    import Atmosphere
    import AtmosphereNotifications
    import AtmosphereSocketIO
    import AtmosphereSocketIOClient
    import Synchronization
    import Testing

    /// The server with a broker that does as a test says.
    @Suite("What a broker may do to clients", .serialized, .timeLimit(.minutes(5)))
    struct BrokerTests {
        /// Answers what was missed when it is told to, and publishes nothing by itself.
        private final class ScriptedBroker: Broker {
            private let receivers = Mutex<[@Sendable (BrokerSignal) -> Void]>([])
            private let asked = AsyncStream<CheckedContinuation<Replay, Never>>.makeStream()

            func publish(_ events: [PublishedEvent]) async throws -> [Publication] { [] }

            func subscribe(_ receive: @escaping @Sendable (BrokerSignal) -> Void) {
                receivers.withLock { $0.append(receive) }
            }

            func replay(_ audiences: Set<Audience>, after offset: Offset) async throws -> Replay {
                await withCheckedContinuation { asked.continuation.yield($0) }
            }

            func latest() async throws -> Offset { Offset(epoch: "old", number: 0) }

            func status() async -> BrokerStatus { BrokerStatus(name: "scripted", isHealthy: true) }

            func send(_ signal: BrokerSignal) {
                for receive in receivers.withLock({ $0 }) { receive(signal) }
            }

            /// The next question of what was missed.
            func question() async throws -> CheckedContinuation<Replay, Never> {
                var iterator = asked.stream.makeAsyncIterator()
                guard let question = await iterator.next() else { throw CancellationError() }
                return question
            }
        }

        private func delivery(_ epoch: String, _ number: UInt64, to user: String = "ann") -> Delivery {
            let id = "\(epoch)-\(number)"
            return Delivery(
                event: PublishedEvent(
                    id: id, kind: .notification, audiences: [.user(user)], data: ["id": .string(id), "data": 1]),
                offset: Offset(epoch: epoch, number: number))
        }

        private func serving(
            _ body: (String, ScriptedBroker, SocketIOClient, inout Signals) async throws -> Void
        ) async throws {
            let keys = KeyRing(
                try KeyFile("ann-0123456789abcdef ann\nbob-0123456789abcdef bob\n", name: "keys"))
            let broker = ScriptedBroker()
            let server = NotificationServer(clients: keys, publishers: keys, broker: broker)
            let port = try await server.start()
            let result: Swift.Result<Void, any Error>
            do {
                try await withSocketIOClient(
                    quickOptions("http://127.0.0.1:\(port)"), auth: ["token": "ann-0123456789abcdef"]
                ) { client, signals in try await body("http://127.0.0.1:\(port)", broker, client, &signals) }
                result = .success(())
            } catch { result = .failure(error) }
            try await server.shutDown(grace: .zero)
            try result.get()
        }

        /// Behind everything that the client has asked for.
        private func settle(_ client: SocketIOClient, _ signals: inout Signals) async throws {
            let number = try client.emit(SocketEvent("subscribe", [.json([])]), isAcknowledged: true)
            _ = try await signals.acknowledgement(of: number)
        }

        private func offset(_ arguments: [SocketArgument]) -> String? { arguments.last?.json?.string }

        @Test("what was asked for before a loss means nothing after it, and keeps nothing that is new from coming")
        func lossBesideReplay() async throws {
            try await serving { _, broker, client, signals in
                #expect(offset(try await signals.event("ready")) == "old-0")
                let question = try await broker.question()
                broker.send(.event(delivery("old", 5001)))
                broker.send(.lost(Offset(epoch: "new", number: 0)))
                #expect(offset(try await signals.event("resync")) == "new-0")
                question.resume(returning: .events([delivery("old", 5000)]))
                try await settle(client, &signals)
                broker.send(.event(delivery("new", 1)))
                #expect(offset(try await signals.event("notification")) == "new-1")
            }
        }

        @Test("who falls behind while what it missed is fetched gets that first, and is told to pull then")
        func behindBesideReplay() async throws {
            try await serving { url, broker, _, signals in
                _ = try await signals.event("ready")
                let question = try await broker.question()
                try await withSocketIOClient(quickOptions(url), auth: ["token": "bob-0123456789abcdef"]) {
                    _, others in
                    try await broker.question().resume(returning: .events([delivery("old", 1, to: "bob")]))
                    _ = try await others.event("notification")
                    broker.send(.passing(PassingEvent(event: SocketEvent("hello"), audiences: nil)))
                    broker.send(.event(delivery("old", 8)))
                    // What is for another client comes behind all that was before it.
                    broker.send(.passing(PassingEvent(event: SocketEvent("behind"), audiences: [.user("bob")])))
                    _ = try await others.event("behind")
                }
                question.resume(returning: .events([delivery("old", 6), delivery("old", 7)]))
                for number in 6...8 { #expect(offset(try await signals.event("notification")) == "old-\(number)") }
                #expect(offset(try await signals.event("resync")) == "old-8")
                broker.send(.event(delivery("old", 9)))
                #expect(offset(try await signals.event("notification")) == "old-9")
            }
        }
    }
#endif
