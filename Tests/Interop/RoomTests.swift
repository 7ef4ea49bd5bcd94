#if Command
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereNotifications
    import AtmosphereSocketIO
    import Foundation
    import Testing

    @testable import AtmosphereSocketIOClient

    @Suite("What a client tells the server of its rooms")
    struct RoomSessionTests {
        private func answer(_ joined: [String], _ refused: [String] = []) -> Value {
            ["joined": .array(joined.map { .string($0) }), "refused": .array(refused.map { .string($0) })]
        }

        @Test("a change goes alone, and what comes meanwhile together behind it")
        func oneAtATime() {
            var rooms = RoomSession(own: ["own"])
            #expect(rooms.asked() == ["own"])
            #expect(rooms.next() == nil)
            #expect(rooms.connected(isRecovered: false) == .init())
            #expect(rooms.next() == nil)
            rooms.want(["a"])
            #expect(rooms.next() == .join(["a"]))
            rooms.want(["b", "c", "own"])
            #expect(rooms.next() == nil)
            #expect(rooms.answered(answer(["a"])).isGap == false)
            #expect(rooms.next() == .leave(["a"]))
            #expect(rooms.answered(answer([])) == .init())
            #expect(rooms.next() == .join(["b", "c"]))
            #expect(rooms.answered(answer(["b"], ["c"])) == .init(joined: ["b"], refused: ["c"], isGap: true))
            #expect(rooms.next() == nil)
        }

        @Test("a client that comes back says what it joined and left meanwhile; what it joined was missed")
        func comingBack() {
            var rooms = RoomSession(own: [])
            rooms.want(["a", "b"])
            #expect(rooms.asked() == ["a", "b"])
            _ = rooms.connected(isRecovered: false)
            #expect(rooms.ready(answer(["a", "b"])) == .init(joined: ["a", "b"]))
            rooms.lost()
            #expect(rooms.asked() == ["a", "b"])
            #expect(rooms.connected(isRecovered: true) == .init(joined: ["a", "b"]))
            rooms.lost()
            rooms.want(["b", "c"])
            #expect(rooms.asked() == ["b", "c"])
            #expect(rooms.connected(isRecovered: true) == .init(joined: ["b"], isGap: true))
            #expect(rooms.next() == .leave(["a"]))
            // The answer is lost with the connection: the server may not have heard.
            rooms.lost()
            #expect(rooms.asked() == ["b", "c"])
            _ = rooms.connected(isRecovered: true)
            #expect(rooms.next() == .leave(["a"]))
        }

        @Test("a server that has forgotten the client is asked, and what it says twice is told once")
        func forgotten() {
            var rooms = RoomSession(own: ["a"])
            _ = rooms.asked()
            _ = rooms.connected(isRecovered: false)
            _ = rooms.ready(answer(["a"]))
            rooms.lost()
            _ = rooms.asked()
            #expect(rooms.connected(isRecovered: false) == .init())
            #expect(rooms.next() == .join(["a"]))
            #expect(rooms.ready(answer([], ["a", "never asked for"])) == .init(refused: ["a"]))
            #expect(rooms.answered(answer([], ["a"])) == .init())
        }

        @Test("a server that takes no change now is told with the next one, and not again at once")
        func notNow() {
            var rooms = RoomSession(own: [])
            _ = rooms.asked()
            _ = rooms.connected(isRecovered: false)
            rooms.want(["a"])
            #expect(rooms.next() == .join(["a"]))
            #expect(rooms.answered(["error": "too many"]) == .init())
            #expect(rooms.next() == nil)
            rooms.want(["a"])
            #expect(rooms.next() == .join(["a"]))
            // It says nothing of the rooms.
            #expect(rooms.answered(nil) == .init())
            #expect(rooms.next() == nil)
            rooms.lost()
            #expect(rooms.asked() == ["a"])
            #expect(rooms.connected(isRecovered: true).isGap)
            rooms.lost()
            rooms.want([])
            _ = rooms.asked()
            _ = rooms.connected(isRecovered: false)
            rooms.want(["a", "b"])
            #expect(rooms.next() == .join(["a", "b"]))
            #expect(rooms.answered(nil) == .init(isGap: false))
        }
    }

    @Suite(
        "Rooms of a notification server", .serialized, .timeLimit(.minutes(10)),
        .enabled(if: SocketIOPeer.isAvailable, "no Python with venv here"))
    struct RoomTests {
        private func publish(_ id: String, to room: String, by serve: MessageClientTests.Serve) async throws {
            try await serve.publish(
                "update", ["to": ["rooms": [.string(room)]], "uri": ["entity": "tasks", "id": .string(id)]])
        }

        @Test(
            "what is joined and left over a connection counts at once, and again after the server was killed",
            arguments: SocketIOClientTests.ways)
        func joining(transports: [EngineTransport]) async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let serve = try await MessageClientTests.Serve(in: folder)
            let client = try SocketIOMessageClient(
                quickOptions(serve.url, transports), key: { Secret(MessageClientTests.ann) })
            client.listen(to: ["tasks/1"])
            let (stream, continuation) = AsyncStream<MessageEvent>.makeStream()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { continuation.finish() }
                    try await client.run { continuation.yield($0) }
                }
                defer { group.cancelAll() }
                var messages = Messages(stream)
                #expect(try await messages.next() == .connected(.new))
                #expect(try await messages.next() == .joined(["tasks/1"]))
                client.listen(to: ["tasks/2", "secret/1"])
                #expect(try await messages.next() == .joined(["tasks/2"]))
                #expect(try await messages.next() == .refused(.rooms(["secret/1"])))
                #expect(try await messages.next() == .connected(.gap))
                try await publish("left", to: "tasks/1", by: serve)
                try await publish("here", to: "tasks/2", by: serve)
                let first = try await updated(&messages)
                #expect(first == "here")
                await serve.process.end(SIGKILL)
                let again = try await MessageClientTests.Serve(in: folder, port: serve.port)
                #expect(try await messages.news() == .connected(.gap))
                #expect(try await messages.next() == .joined(["tasks/2"]))
                #expect(try await messages.next() == .refused(.rooms(["secret/1"])))
                try await publish("left", to: "tasks/1", by: again)
                try await publish("here again", to: "tasks/2", by: again)
                let second = try await updated(&messages)
                #expect(second == "here again")
                await again.process.end(SIGKILL)
            }
        }

        @Test("what is saved on a source is told to those in the rooms, and no request waits for a server that is away")
        func source() async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let serve = try await MessageClientTests.Serve(in: folder)
            let file = folder.appendingPathComponent("atmosphere.yaml")
            try "atmosphere: 1\nstyle: plain\nbase: http://127.0.0.1:1/api\nresources: { tasks: {} }\n".write(
                to: file, atomically: true, encoding: .utf8)
            let source = try LinePeer(
                AtmosCommand.binary,
                [
                    "source", "-c", file.path, "--port", "0", "--notify", serve.url, "--notify-key",
                    "secret:PUBLISHER_KEY", "--notify-to", "ann"
                ], environment: ["PUBLISHER_KEY": MessageClientTests.publisher])
            let base = try await source.line("http")
            func create(_ title: String) async throws {
                var request = Request(method: "POST", url: "\(base)/tasks")
                request.headers["Content-Type"] = "application/json"
                request.body = .bytes(Value.object(["title": .string(title)]).json())
                let response = try await CurlTransport().send(request)
                #expect(response.status == 201)
            }
            try await withMessageClient(quickOptions(serve.url), key: MessageClientTests.ann) { messages in
                #expect(try await messages.next() == .connected(.new))
                try await create("Milk")
                guard case .update(let update) = try await messages.next().content,
                    case .whole(let members) = update.content
                else {
                    Issue.record("the create was not told as a whole object")
                    return
                }
                #expect(update.uri == ObjectURI(entity: "tasks", id: "1") && members["title"] == "Milk")
                await serve.process.end(SIGKILL)
                try await create("Bread")
            }
            await source.end(SIGTERM)
        }

        /// The object of the next update.
        private func updated(_ messages: inout Messages) async throws -> String? {
            if case .update(let update) = try await messages.next().content { update.uri.id } else { nil }
        }
    }
#endif
