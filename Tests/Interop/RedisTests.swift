#if Command
    import Atmosphere
    import AtmosphereNotifications
    import AtmosphereSocketIO
    import Foundation
    import Synchronization
    import Testing

    @Suite(
        "Servers that share a Redis", .serialized, .timeLimit(.minutes(10)),
        .enabled(if: RedisServer.isAvailable, "no redis-server here"))
    struct RedisTests {
        final class Heard: Sendable {
            let signals = Mutex<[BrokerSignal]>([])
            private let (news, new) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

            func add(_ signal: BrokerSignal) {
                signals.withLock { $0.append(signal) }
                wake()
            }

            func wake() { new.yield() }

            /// Returns when there is more than at the last time; for one who waits.
            func more() async {
                var iterator = news.makeAsyncIterator()
                _ = await iterator.next()
            }
        }

        /// One server's broker, with everything that it told.
        final class Node: Sendable {
            let broker: RedisBroker
            private let heard: Heard
            private let reading: Task<Void, Never>

            init(
                _ address: RedisAddress, window: ReplayWindow = ReplayWindow(), emitters: [RedisEmitter] = [],
                patience: Duration = .seconds(60), authorities: String? = nil
            ) async throws {
                var options = RedisBroker.Options(address)
                options.window = window
                options.emitters = emitters
                options.patience = patience
                options.authorities = authorities
                let start = ContinuousClock.now
                let heard = Heard()
                let broker = try RedisBroker(
                    options, clock: { start.duration(to: .now) },
                    newIdentifier: { String(UInt64.random(in: .min ... .max), radix: 36) }, log: { _ in heard.wake() })
                self.broker = broker
                self.heard = heard
                broker.subscribe { heard.add($0) }
                reading = Task { await broker.run() }
            }

            convenience init(_ redis: RedisServer, window: ReplayWindow = ReplayWindow()) async throws {
                try await self.init(RedisAddress(redis.url), window: window)
            }

            /// Waits until the signals are as they should be; the suite's time limit ends it where they never are.
            func until(_ what: Comment, _ condition: ([BrokerSignal]) -> Bool) async throws {
                while !condition(heard.signals.withLock { $0 }) {
                    try #require(!Task.isCancelled, "\(what): \(heard.signals.withLock { Array($0.suffix(5)) })")
                    await heard.more()
                }
            }

            /// Waits for what the broker logs when it is connected and listens.
            func untilReady() async throws {
                while await !broker.status().isHealthy {
                    try #require(!Task.isCancelled, "no connection")
                    await heard.more()
                }
            }

            var ids: [String] { heard.signals.withLock { RedisTests.ids($0) } }

            func end() async {
                reading.cancel()
                await reading.value
            }
        }

        private static func ids(_ signals: [BrokerSignal]) -> [String] {
            signals.compactMap { if case .event(let delivery) = $0 { delivery.event.id } else { nil } }
        }

        private static func losses(_ signals: [BrokerSignal]) -> Int {
            signals.count { if case .lost = $0 { true } else { false } }
        }

        private func event(_ id: String, _ audience: Audience = .user("ann")) -> PublishedEvent {
            PublishedEvent(id: id, kind: .update, audiences: [audience], data: ["id": .string(id), "text": "€"])
        }

        private func ids(_ replay: Replay) -> [String]? {
            if case .events(let deliveries) = replay { deliveries.map(\.event.id) } else { nil }
        }

        private func serving<Result>(
            _ options: [String], _ count: Int, _ body: (RedisServer, [Node]) async throws -> Result
        ) async throws -> Result {
            let redis = try RedisServer(options)
            try await redis.start()
            var nodes: [Node] = []
            for _ in 0..<count { nodes.append(try await Node(redis)) }
            for node in nodes { try await node.untilReady() }
            let result: Swift.Result<Result, any Error>
            do { result = .success(try await body(redis, nodes)) } catch { result = .failure(error) }
            for node in nodes { await node.end() }
            redis.crash()
            return try result.get()
        }

        @Test("what is published on any of three servers reaches all, once and in one order")
        func order() async throws {
            try await serving(RedisServer.forgetful, 3) { _, nodes in
                try await withThrowingTaskGroup { group in
                    for (index, node) in nodes.enumerated() {
                        group.addTask {
                            for number in 0..<50 {
                                let id = "\(index)-\(number)"
                                let publications = try await node.broker.publish([self.event(id)])
                                #expect(publications.map(\.isDuplicate) == [false])
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                for node in nodes { try await node.until("all 150") { Self.ids($0).count == 150 } }
                #expect(Set(nodes[0].ids).count == 150)
                #expect(nodes[1].ids == nodes[0].ids && nodes[2].ids == nodes[0].ids)
            }
        }

        @Test("an id is published once, whichever server it is sent to, and what was missed comes from any")
        func idempotence() async throws {
            try await serving(RedisServer.forgetful, 2) { _, nodes in
                let start = try await nodes[0].broker.latest()
                let first = try await nodes[0].broker.publish([event("a"), event("b", .room("r"))])
                let again = try await nodes[1].broker.publish([event("b", .room("r")), event("c")])
                #expect(first.map(\.isDuplicate) == [false, false] && again.map(\.isDuplicate) == [true, false])
                #expect(again[0].offset == first[1].offset)
                // The second server waits until it has read as far as the offset says.
                #expect(ids(try await nodes[1].broker.replay([.user("ann")], after: start)) != nil)
                try await nodes[1].until("three") { Self.ids($0) == ["a", "b", "c"] }
                #expect(ids(try await nodes[1].broker.replay([.user("ann")], after: start)) == ["a", "c"])
                #expect(ids(try await nodes[1].broker.replay([.room("r")], after: first[0].offset)) == ["b"])
                let twice = try await nodes[0].broker.publish([event("d"), event("d")])
                #expect(twice.map(\.isDuplicate) == [false, true] && twice[0].offset == twice[1].offset)
                #expect(try await nodes[1].broker.recall("other") == nil)
            }
        }

        @Test("what an old connection still says of a client that is back elsewhere changes nothing")
        func owners() async throws {
            try await serving(RedisServer.forgetful, 2) { redis, nodes in
                func client(_ owner: String, _ rooms: [String]) -> RememberedClient {
                    RememberedClient(user: "ann", rooms: rooms, owner: owner)
                }
                // Behind it all that this server has said before is there.
                func settle(_ node: Node, _ mark: String) async throws {
                    node.broker.remember(client(mark, []), pid: mark, .arrived)
                    while try await nodes[0].broker.recall(mark) == nil { await Task.yield() }
                }
                nodes[0].broker.remember(client("old", ["r"]), pid: "secret", .arrived)
                try await settle(nodes[0], "m1")
                #expect(try await nodes[1].broker.recall("secret") == client("old", ["r"]))
                nodes[1].broker.remember(client("new", ["r"]), pid: "secret", .arrived)
                nodes[1].broker.remember(client("new", ["r", "s"]), pid: "secret", .changed)
                try await settle(nodes[1], "m2")
                nodes[0].broker.remember(client("old", []), pid: "secret", .changed)
                nodes[0].broker.remember(client("old", ["r"]), pid: "secret", .left)
                try await settle(nodes[0], "m3")
                #expect(try await nodes[0].broker.recall("secret") == client("new", ["r", "s"]))
                let control = try await RedisConnection.connect(to: RedisAddress(redis.url), tls: nil)
                defer { control.close() }
                func lifetime() async throws -> Int64 {
                    guard case .integer(let time) = try await control.send(["PTTL", "{atmosphere}:pid:secret"]) else {
                        return 0
                    }
                    return Int64(time)
                }
                #expect(try await lifetime() > 3_600_000)
                nodes[1].broker.remember(client("new", ["r", "s"]), pid: "secret", .left)
                try await settle(nodes[1], "m4")
                #expect(try await nodes[0].broker.recall("secret") == client("new", ["r", "s"]))
                #expect(try await lifetime() <= 120_000)
            }
        }

        @Test("while Redis is away what clients listen to is kept here, asking it fails, and then it is told")
        func rememberedLater() async throws {
            try await serving(RedisServer.durable, 2) { redis, nodes in
                func client(_ rooms: [String]) -> RememberedClient {
                    RememberedClient(user: "ann", rooms: rooms, owner: "c", sequence: 3)
                }
                nodes[0].broker.remember(client(["a"]), pid: "p", .arrived)
                await withCheckedContinuation { done in nodes[0].broker.whenRemembered("p") { done.resume() } }
                #expect(try await nodes[1].broker.recall("p") == client(["a"]))
                redis.crash()
                nodes[0].broker.remember(client(["a", "b"]), pid: "p", .changed)
                await #expect(throws: RedisFailure.self) { try await nodes[1].broker.recall("p") }
                let told = Mutex(false)
                async let kept: Void = withCheckedContinuation { done in
                    nodes[0].broker.whenRemembered("p") {
                        told.withLock { $0 = true }
                        done.resume()
                    }
                }
                #expect(!told.withLock { $0 })
                try await redis.start()
                await kept
                #expect(try await nodes[1].broker.recall("p") == client(["a", "b"]))
                // What is to be forgotten, and what an older connection says.
                let old = RememberedClient(user: "ann", rooms: [], owner: "old", sequence: 2)
                nodes[1].broker.remember(old, pid: "p", .arrived)
                await withCheckedContinuation { done in nodes[1].broker.whenRemembered("p") { done.resume() } }
                #expect(try await nodes[1].broker.recall("p") == client(["a", "b"]))
            }
        }

        @Test("connections that bring one secret at once have numbers of their own, whatever was not written yet")
        func claims() async throws {
            try await serving(RedisServer.forgetful, 3) { redis, nodes in
                func client(_ owner: String, _ rooms: [String], _ sequence: UInt64) -> RememberedClient {
                    RememberedClient(user: "ann", rooms: rooms, owner: owner, sequence: sequence)
                }
                func settle(_ node: Node, _ pid: String) async {
                    await withCheckedContinuation { done in node.broker.whenRemembered(pid) { done.resume() } }
                }
                let broker = nodes[0].broker
                #expect(try await broker.claim("p", for: "ann", owner: "x", known: nil) == nil)
                broker.remember(client("first", ["a"], 1), pid: "p", .arrived)
                await settle(nodes[0], "p")
                let numbers = try await withThrowingTaskGroup(of: UInt64?.self) { group in
                    for (index, node) in nodes.enumerated() {
                        for turn in 0..<10 {
                            group.addTask {
                                let claim = try await node.broker.claim(
                                    "p", for: "ann", owner: "\(index)-\(turn)", known: nil)
                                return claim?.client.rooms == ["a"] ? claim?.sequence : nil
                            }
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(Set(numbers) == Set(2...31))
                // The first one has lost it, also where that is written only now; who has the last number keeps it.
                let last = try #require(try await nodes[1].broker.claim("p", for: "ann", owner: "last", known: nil))
                #expect(last.sequence == 32)
                nodes[1].broker.remember(client("last", ["a", "b"], 32), pid: "p", .arrived)
                await settle(nodes[1], "p")
                nodes[2].broker.remember(client("late", ["c"], 31), pid: "p", .arrived)
                nodes[2].broker.remember(client("late", ["c"], 31), pid: "p", .left)
                await settle(nodes[2], "p")
                #expect(try await broker.recall("p") == client("last", ["a", "b"], 32))
                // What a server knows itself may be younger; another user's record is none.
                let own = client("own", ["d"], 40)
                let claim = try await broker.claim("p", for: "ann", owner: "next", known: own)
                #expect(claim == ClientClaim(client: own, sequence: 41))
                #expect(try await broker.recall("p") == client("next", ["d"], 41))
                #expect(try await broker.claim("p", for: "eve", owner: "eve", known: nil) == nil)
                #expect(try await broker.recall("p") == client("next", ["d"], 41))
                // What is not written yet is known by its server alone.
                let fresh = client("fresh", ["e"], 1)
                let early = try await broker.claim("q", for: "ann", owner: "second", known: fresh)
                #expect(early == ClientClaim(client: fresh, sequence: 2))
                let other = try await nodes[1].broker.claim("q", for: "ann", owner: "third", known: nil)
                #expect(other == ClientClaim(client: client("second", ["e"], 2), sequence: 3))
            }
        }

        @Test("what Redis refuses of one client, or breaks the connection for, keeps no other client's from being kept")
        func refusedRecords() async throws {
            let options = RedisServer.forgetful + ["--proto-max-bulk-len", "1mb"]
            try await serving(options, 1) { redis, nodes in
                func client(_ name: String, _ rooms: [String]) -> RememberedClient {
                    RememberedClient(user: "ann", rooms: rooms, owner: name)
                }
                let broker = nodes[0].broker
                let control = try await RedisConnection.connect(to: RedisAddress(redis.url), tls: nil)
                defer { control.close() }
                _ = try await control.send(["RPUSH", "{atmosphere}:pid:list", "no record"])
                // What is asked for shares its connection with what ends it.
                func recall(_ pid: String) async throws -> RememberedClient? {
                    while true {
                        do { return try await broker.recall(pid) } catch let failure as RedisFailure {
                            guard !failure.isRefusal, !Task.isCancelled else { throw failure }
                        }
                    }
                }
                let long = String(repeating: "x", count: 3 << 20)
                for number in 0..<300 {
                    broker.remember(client("\(number)", ["r"]), pid: "p\(number)", .arrived)
                    if number == 100 { broker.remember(client("list", ["r"]), pid: "list", .arrived) }
                    if number == 50 || number == 200 {
                        broker.remember(client("long", [long]), pid: "long\(number)", .arrived)
                    }
                }
                for number in 0..<300 {
                    await withCheckedContinuation { done in broker.whenRemembered("p\(number)") { done.resume() } }
                    #expect(try await recall("p\(number)") == client("\(number)", ["r"]))
                }
                // What comes later is not kept waiting either, and what was refused is tried again.
                broker.remember(client("after", ["s"]), pid: "after", .arrived)
                await withCheckedContinuation { done in broker.whenRemembered("after") { done.resume() } }
                _ = try await control.send(["DEL", "{atmosphere}:pid:list"])
                await withCheckedContinuation { done in broker.whenRemembered("list") { done.resume() } }
                #expect(try await recall("list") == client("list", ["r"]))
            }
        }

        @Test("a password that Redis quotes in its error is not told")
        func quotedPassword() async throws {
            let redis = try RedisServer(RedisServer.forgetful + ["--rename-command", "AUTH", ""])
            try await redis.start()
            defer { redis.crash() }
            var address = try RedisAddress(redis.url)
            address.password = "sesame"
            do {
                _ = try await RedisConnection.connect(to: address, tls: nil)
                Issue.record("it needs no password")
            } catch {
                #expect(error.description == "Redis refuses AUTH: ERR")
            }
        }

        @Test("Redis keeps no more bytes than the window, and what is beyond them is a gap")
        func windowBytes() async throws {
            let redis = try RedisServer(RedisServer.forgetful)
            try await redis.start()
            defer { redis.crash() }
            let node = try await Node(redis, window: ReplayWindow(bytes: 100_000))
            try await node.untilReady()
            let start = try await node.broker.latest()
            let text = Value.string(String(repeating: "x", count: 10_000))
            for number in 0..<40 {
                _ = try await node.broker.publish([
                    PublishedEvent(id: "\(number)", kind: .update, audiences: [.user("ann")], data: ["text": text])
                ])
                try await node.until("\(number)") { Self.ids($0).count == number + 1 }
            }
            #expect(try await node.broker.replay([.user("ann")], after: start) == .gap)
            let control = try await RedisConnection.connect(to: RedisAddress(redis.url), tls: nil)
            #expect(try await control.send(["XLEN", "{atmosphere}:log"]) == .integer(9))
            control.close()
            // Another server reads the same, and nobody has lost anything within the window.
            let late = try await Node(redis, window: ReplayWindow(bytes: 200_000))
            try await late.untilReady()
            let latest = try await node.broker.latest()
            let recent = Offset(epoch: latest.epoch, number: latest.number - 9)
            #expect(ids(try await late.broker.replay([.user("ann")], after: recent))?.count == 9)
            #expect(await node.broker.status().losses == 0)
            await late.end()
            await node.end()
        }

        @Test("a Redis that writes everything down may be killed: nothing is lost, and publishers only wait")
        func durableRestart() async throws {
            try await serving(RedisServer.durable, 2) { redis, nodes in
                let start = try await nodes[0].broker.latest()
                _ = try await nodes[0].broker.publish([event("a")])
                try await nodes[1].until("before") { Self.ids($0) == ["a"] }
                redis.crash()
                async let waiting = nodes[1].broker.publish([event("b")])
                try await redis.start()
                #expect(try await waiting.map(\.isDuplicate) == [false])
                for node in nodes {
                    try await node.until("after") { Self.ids($0) == ["a", "b"] }
                    #expect(ids(try await node.broker.replay([.user("ann")], after: start)) == ["a", "b"])
                    #expect(await node.broker.status().losses == 0)
                }
                // A server that starts only now knows it all, too.
                let late = try await Node(redis)
                try await late.untilReady()
                #expect(ids(try await late.broker.replay([.user("ann")], after: start)) == ["a", "b"])
                #expect(try await late.broker.publish([event("a")]).map(\.isDuplicate) == [true])
                await late.end()
            }
        }

        @Test("a Redis that forgot, by restart or FLUSHALL, makes every server tell its clients to pull")
        func forgotten() async throws {
            try await serving(RedisServer.forgetful, 2) { redis, nodes in
                let start = try await nodes[0].broker.latest()
                _ = try await nodes[0].broker.publish([event("a")])
                for node in nodes { try await node.until("before") { Self.ids($0) == ["a"] } }
                redis.crash()
                try await redis.start()
                for node in nodes {
                    try await node.until("restart") { Self.losses($0) == 2 }
                    #expect(try await node.broker.replay([.user("ann")], after: start) == .gap)
                }
                _ = try await nodes[1].broker.publish([event("b")])
                for node in nodes { try await node.until("goes on") { Self.ids($0) == ["a", "b"] } }
                let control = try await RedisConnection.connect(to: RedisAddress(redis.url), tls: nil)
                _ = try await control.send(["FLUSHALL"])
                for node in nodes { try await node.until("FLUSHALL") { Self.losses($0) == 3 } }
                _ = try await nodes[0].broker.publish([event("c")])
                for node in nodes { try await node.until("goes on") { Self.ids($0) == ["a", "b", "c"] } }
                #expect(try await nodes[0].broker.replay([.user("ann")], after: start) == .gap)
                control.close()
            }
        }

        @Test("a server whose connection is cut goes on where it was; entries that are gone, or no events, are noticed")
        func cut() async throws {
            try await serving(RedisServer.forgetful, 2) { redis, nodes in
                let control = try await RedisConnection.connect(to: RedisAddress(redis.url), tls: nil)
                for number in 0..<10 {
                    _ = try await nodes[0].broker.publish([event("\(number)")])
                    _ = try await control.send(["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"])
                }
                let expected = (0..<10).map { "\($0)" }
                for node in nodes { try await node.until("ten") { Self.ids($0) == expected } }
                // The first reading counts as one: nobody knew what was before.
                for node in nodes { try await node.until("no loss") { Self.losses($0) == 1 } }
                let log = "{atmosphere}:log"
                _ = try await control.send(["XADD", log, "*", "x", "y"])
                _ = try await nodes[0].broker.publish([event("after")])
                for node in nodes { try await node.until("after") { Self.ids($0).last == "after" } }
                #expect(await nodes[0].broker.status().refusals == 1)
                // A number that no entry has.
                _ = try await control.send(["HINCRBY", "{atmosphere}:state", "n", "1"])
                _ = try await nodes[0].broker.publish([event("behind the hole")])
                for node in nodes {
                    try await node.until("hole") { Self.losses($0) == 2 && Self.ids($0).last == "behind the hole" }
                }
                control.close()
            }
        }

        @Test("beyond the window clients are told to pull, and Redis keeps little more than it")
        func window() async throws {
            let redis = try RedisServer(RedisServer.forgetful)
            try await redis.start()
            defer { redis.crash() }
            let node = try await Node(redis, window: ReplayWindow(events: 50))
            try await node.untilReady()
            let start = try await node.broker.latest()
            for round in 0..<10 {
                _ = try await node.broker.publish((0..<50).map { event("\(round) \($0)") })
                // A server that reads more slowly than Redis forgets would lose some.
                try await node.until("round \(round)") { Self.ids($0).count == (round + 1) * 50 }
            }
            #expect(try await node.broker.replay([.user("ann")], after: start) == .gap)
            let control = try await RedisConnection.connect(to: RedisAddress(redis.url), tls: nil)
            guard case .integer(let count) = try await control.send(["XLEN", "{atmosphere}:log"]) else {
                Issue.record("no length")
                return
            }
            #expect((50...250).contains(count))
            let late = try await Node(redis, window: ReplayWindow(events: 50))
            try await late.untilReady()
            let latest = try await node.broker.latest()
            #expect(try await late.broker.latest() == latest)
            let recent = Offset(epoch: latest.epoch, number: latest.number - 50)
            #expect(ids(try await late.broker.replay([.user("ann")], after: recent))?.count == 50)
            #expect(try await late.broker.replay([.user("ann")], after: start) == .gap)
            control.close()
            await late.end()
            await node.end()
        }

        @Test("events of emitters pass to all servers")
        func emitters() async throws {
            let redis = try RedisServer(RedisServer.forgetful)
            try await redis.start()
            defer { redis.crash() }
            let node = try await Node(
                RedisAddress(redis.url), emitters: [.socketIO(), .pythonSocketIO(channel: "py")])
            try await node.until("subscribed") { signals in signals.count { $0 == .passingLost } == 2 }
            let control = try await RedisConnection.connect(to: RedisAddress(redis.url), tls: nil)
            // ["emitter", {type: 2, data: ["hi", 1], nsp: "/"}, {rooms: ["r"], flags: {}, except: []}]
            let message: [UInt8] = [
                0x93, 0xA7, 0x65, 0x6D, 0x69, 0x74, 0x74, 0x65, 0x72, 0x83, 0xA4, 0x74, 0x79, 0x70, 0x65, 0x02,
                0xA4, 0x64, 0x61, 0x74, 0x61, 0x92, 0xA2, 0x68, 0x69, 0x01, 0xA3, 0x6E, 0x73, 0x70, 0xA1, 0x2F,
                0x83, 0xA5, 0x72, 0x6F, 0x6F, 0x6D, 0x73, 0x91, 0xA1, 0x72, 0xA5, 0x66, 0x6C, 0x61, 0x67, 0x73,
                0x80, 0xA6, 0x65, 0x78, 0x63, 0x65, 0x70, 0x74, 0x90
            ]
            _ = try await control.send([Array("PUBLISH".utf8), Array("socket.io#/#r#".utf8), message])
            _ = try await control.send(["PUBLISH", "py", #"{"method":"emit","event":"ho","data":[],"room":null}"#])
            _ = try await control.send(["PUBLISH", "py", "garbage"])
            _ = try await control.send(["PUBLISH", "py", #"{"method":"emit","event":"end","data":[],"room":null}"#])
            let expected: [BrokerSignal] = [
                .passing(PassingEvent(event: SocketEvent("hi", [1]), audiences: [.room("r")])),
                .passing(PassingEvent(event: SocketEvent("ho"), audiences: nil)),
                .passing(PassingEvent(event: SocketEvent("end"), audiences: nil))
            ]
            try await node.until("three") { signals in
                signals.filter { if case .passing = $0 { true } else { false } } == expected
            }
            #expect(await node.broker.status().refusals == 1)
            control.close()
            await node.end()
        }

        @Test("TLS and passwords: a wrong password or an unknown authority gives no connection")
        func security() async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let certificate = folder.appendingPathComponent("certificate.pem").path
            let key = folder.appendingPathComponent("key.pem").path
            try await onOwnThread {
                let openssl = Process()
                openssl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
                openssl.arguments = [
                    "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate
                ]
                openssl.standardError = Pipe()
                try openssl.start()
                openssl.waitUntilExit()
                try #require(openssl.terminationStatus == 0, "openssl makes no certificate")
            }
            let redis = try RedisServer(
                RedisServer.forgetful + [
                    "--port", "0", "--tls-port", "PORT", "--tls-cert-file", certificate, "--tls-key-file", key,
                    "--tls-auth-clients", "no", "--requirepass", "a long password", "--user",
                    "node", "on", ">another", "~{atmosphere}:*", "+@all"
                ])
            try await redis.start()
            defer { redis.crash() }
            var address = RedisAddress(host: "127.0.0.1", port: redis.port, password: "a long password", usesTLS: true)
            let node = try await Node(address, authorities: certificate)
            try await node.untilReady()
            _ = try await node.broker.publish([event("a")])
            try await node.until("a") { Self.ids($0) == ["a"] }
            await node.end()
            address.user = "node"
            address.password = "another"
            let user = try await Node(address, authorities: certificate)
            try await user.untilReady()
            await user.end()
            address.password = "wrong"
            let wrong = try await Node(address, patience: .zero, authorities: certificate)
            await #expect(throws: RedisFailure.self) { try await wrong.broker.publish([event("b")]) }
            await wrong.end()
            address.password = "another"
            let unknown = try await Node(address, patience: .zero)
            await #expect(throws: RedisFailure.self) { try await unknown.broker.publish([event("b")]) }
            #expect(await !unknown.broker.status().isHealthy)
            await unknown.end()
        }
    }
#endif
