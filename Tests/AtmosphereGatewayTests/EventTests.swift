#if Gateway && Source && Curl && YAML
    import Atmosphere
    import Foundation
    import Testing

    @testable import AtmosphereGateway

    @Suite("Events of the gateway", .timeLimit(.minutes(5))) struct EventTests {
        /// One event as it was written.
        private struct Read: Equatable {
            var name: String
            var id: String
            var data: Value
        }

        private func read(_ bytes: [UInt8]?) -> [Read] {
            String(decoding: bytes ?? [], as: UTF8.self).components(separatedBy: "\n\n").compactMap { block in
                var read = Read(name: "", id: "", data: .null)
                for line in block.split(separator: "\n") {
                    if let rest = String(line).rest(after: "event: ") { read.name = String(rest) }
                    if let rest = String(line).rest(after: "id: ") { read.id = String(rest) }
                    if let rest = String(line).rest(after: "data: ") {
                        read.data = (try? Value(json: Array(rest.utf8))) ?? .null
                    }
                }
                return read.name.isEmpty ? nil : read
            }
        }

        private func hub(events: Int = 100, bytes: Int = 10_000, most: Int = 10, perCaller: Int = 10) -> EventHub {
            EventHub(run: "run", most: most, perCaller: perCaller, events: events, bytes: bytes)
        }

        @Test("a reader begins where it comes, and goes on behind what it has seen")
        func resuming() async throws {
            let hub = hub()
            hub.publish("changed", of: "tasks", ["n": 1])
            let first = try hub.subscribe(.program, after: nil, entities: [])
            #expect(read(await first.next()) == [Read(name: "ready", id: "run-1", data: [:])])
            hub.publish("changed", of: "tasks", ["n": 2])
            hub.publish("status", ["n": 3])
            let events = read(await first.next())
            #expect(events.map(\.id) == ["run-2", "run-3"] && events.map(\.name) == ["changed", "status"])
            let second = try hub.subscribe(.program, after: "run-1", entities: [])
            #expect(read(await second.next()) == events)
            let third = try hub.subscribe(.program, after: "run-3", entities: [])
            hub.publish("changed", of: "tasks", ["n": 4])
            #expect(read(await third.next()).map(\.id) == ["run-4"])
        }

        @Test(
            "where what was missed is not known, the reader is told to read again",
            arguments: ["other-1", "run-9", "run--1", "run-x", "run", "", "run-99999999999999999999"])
        func reset(_ after: String) async throws {
            let hub = hub()
            hub.publish("changed", of: "tasks", [:])
            let reader = try hub.subscribe(.program, after: after, entities: [])
            let events = read(await reader.next())
            #expect(events.map(\.name) == ["reset"] && events.first?.id == "run-1", "\(after)")
        }

        @Test("what is held is bounded in number and in bytes; an older event means to read again")
        func bounds() async throws {
            for hub in [hub(events: 3), hub(bytes: 30)] {
                for number in 0..<1_000 {
                    hub.publish("changed", of: "tasks", ["n": .init(integerLiteral: number % 10)])
                }
                let old = try hub.subscribe(.program, after: "run-990", entities: [])
                #expect(read(await old.next()).map(\.name) == ["reset"])
                let near = try hub.subscribe(.program, after: "run-998", entities: [])
                #expect(read(await near.next()).map(\.id) == ["run-999", "run-1000"])
            }
        }

        @Test("a reader that does not keep up is sent away; the others are not held up")
        func slow() async throws {
            let hub = hub(events: 10)
            let slow = try hub.subscribe(.program, after: nil, entities: [])
            #expect(await slow.next() != nil)
            let quick = try hub.subscribe(.program, after: nil, entities: [])
            #expect(await quick.next() != nil)
            for _ in 0..<11 {
                hub.publish("changed", of: "tasks", [:])
                #expect(await quick.next() != nil)
            }
            #expect(await slow.next() == nil)
            // One that does not even take what it was handed.
            let (closings, closing) = AsyncStream<Void>.makeStream()
            quick.onOverdue { closing.yield() }
            for _ in 0..<3 { hub.tick() }
            var iterator = closings.makeAsyncIterator()
            let isClosed: Void? = await iterator.next()
            #expect(isClosed != nil)
        }

        @Test("only the entities that were asked for; what concerns all comes all the same")
        func entities() async throws {
            let hub = hub()
            let reader = try hub.subscribe(.program, after: nil, entities: ["lists"])
            _ = await reader.next()
            hub.publish("changed", of: "tasks", [:])
            hub.publish("changed", of: "lists", [:])
            hub.publish("status", [:])
            #expect(read(await reader.next()).map(\.id) == ["run-2", "run-3"])
        }

        @Test("a beat says that the gateway is there; the end ends all readers")
        func beats() async throws {
            let hub = hub()
            let reader = try hub.subscribe(.program, after: nil, entities: [])
            _ = await reader.next()
            hub.tick()
            #expect(await reader.next() == Array(":\n\n".utf8))
            hub.finish()
            #expect(await reader.next() == nil)
            let late = try hub.subscribe(.program, after: nil, entities: [])
            #expect(await late.next() == nil)
        }

        @Test("so many readers and no more, of one caller and in all; one that has gone makes room")
        func limits() async throws {
            let hub = hub(most: 3, perCaller: 2)
            var readers = [try hub.subscribe(.program, after: nil, entities: [])]
            readers.append(try hub.subscribe(.program, after: nil, entities: []))
            #expect(throws: Problem.self) { try hub.subscribe(.program, after: nil, entities: []) }
            readers.append(try hub.subscribe(.browser, after: nil, entities: []))
            #expect(throws: Problem.self) { try hub.subscribe(.browser, after: nil, entities: []) }
            #expect(hub.readers == 3)
            readers.removeFirst()
            #expect(hub.readers == 2)
            readers.append(try hub.subscribe(.browser, after: nil, entities: []))
            readers.first?.end()
            #expect(hub.readers == 2)
            withExtendedLifetime(readers) {}
        }

        @Test("edits here and pulls show as changes, with what they were")
        func feed() async throws {
            try await Bench.serving(pulled: false) { bench in
                let commits = bench.synchronizer.store.commits()
                let work = Task { try await bench.gateway.work(bench.service, commits) }
                defer { work.cancel() }
                let reader = try bench.service.hub.subscribe(.program, after: nil, entities: [])
                // Numbers and changes come side by side, in either order.
                var seen: [(name: String, data: Value.Members)] = []
                func first(_ name: String, _ isMeant: (Value.Members) -> Bool) async -> Value.Members? {
                    while true {
                        if let found = seen.first(where: { $0.name == name && isMeant($0.data) }) { return found.data }
                        guard let bytes = await reader.next() else { return nil }
                        seen += read(bytes).compactMap { event in event.data.members.map { (event.name, $0) } }
                    }
                }
                _ = try await bench.ask("POST", "/v1/pull")
                let pulled = await first("changed") { $0["entity"] == "tasks" }
                #expect(pulled?["origin"] == "pull")
                _ = try await bench.ask("PATCH", "/v1/objects/tasks/1", ["title": "x"])
                let edited = await first("changed") { $0["origin"] == "application" }
                #expect(edited?["ids"] == ["1"] && edited?["entity"] == "tasks")
                let status = await first("status") {
                    $0["entities"]?.members?["tasks"]?.members?["changed"] == 1
                }
                #expect(status?["paused"] == false && status?["offline"] == false)
                #expect(status?["pausedUntil"]?.isNull == true)
                _ = try await bench.ask("PUT", "/v1/network", ["offline": true])
                #expect(await first("status") { $0["offline"] == true }?["paused"] == true)
                _ = try await bench.ask("POST", "/v1/pull")
                #expect(try await bench.ask("GET", "/v1/status")["unreachable"]?.string != nil)
                _ = try await bench.ask("PUT", "/v1/network", ["offline": false])
                #expect(try await bench.ask("GET", "/v1/status")["unreachable"]?.isNull == true)
            }
        }

        /// Brings one notification, and no more.
        private struct Notifying: MessageClient {
            func run(_ receive: @escaping @Sendable (MessageEvent) -> Void) async throws {
                receive(.connected)
                receive(.notification(["id": "n1", "data": ["about": "page"]]))
            }

            func listen(to rooms: [String]) {}
        }

        @Test("what a notification server tells the user beside the objects is told as it came")
        func notification() async throws {
            try await Bench.serving(pulled: false) { bench in
                let commits = bench.synchronizer.store.commits()
                let reader = try bench.service.hub.subscribe(.program, after: nil, entities: [])
                let work = Task { try await bench.gateway.work(bench.service, commits) }
                defer { work.cancel() }
                func first(_ name: String) async -> Read? {
                    while let bytes = await reader.next() {
                        if let found = read(bytes).first(where: { $0.name == name }) { return found }
                    }
                    return nil
                }
                #expect(await first("status") != nil)
                let follow = Task { try await bench.synchronizer.follow(Notifying(), catchUp: { true }) }
                defer { follow.cancel() }
                #expect(await first("notification")?.data == ["id": "n1", "data": ["about": "page"]])
            }
        }

        @Test("too many streams are refused with 429")
        func refused() async throws {
            var options = Gateway.Options()
            options.eventStreams = 1
            try await Bench.serving(options, pulled: false) { bench in
                let held = try bench.service.hub.subscribe(.browser, after: nil, entities: [])
                let answer = try await bench.ask("GET", "/v1/events")
                #expect(answer.status == 429 && answer.headers["Retry-After"] != nil, "\(answer)")
                held.end()
                let stream = try await bench.ask("GET", "/v1/events?entity=tasks")
                #expect(stream.status == 200 && stream.headers["Content-Type"] == "text/event-stream")
                #expect(try await bench.ask("GET", "/v1/events?entity=nothing").status == 404)
                let again = try await bench.ask("GET", "/v1/events", headers: ["Last-Event-ID": "old-1"])
                #expect(read(again.bytes).map(\.name) == ["reset"])
            }
        }
    }
#endif
