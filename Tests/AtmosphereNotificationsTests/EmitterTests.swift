#if Notifications
    import Atmosphere
    @testable import AtmosphereNotifications
    import AtmosphereSocketIO
    import Foundation
    import Testing

    @Suite("Messages of Socket.IO emitters")
    struct EmitterTests {
        /// `["emitter", {type: 2, data: …, nsp: "/"}, {rooms: …, flags: …, except: …}]`, put together by hand from the
        /// specification of MessagePack; the members stand in the order in which the reference emitter has them.
        private func message(
            _ data: [UInt8], rooms: [UInt8] = [0x90], flags: [UInt8] = [0x80], except: [UInt8] = [0x90],
            type: UInt8 = 2,
            namespace: String = "/"
        ) -> [UInt8] {
            [0x93] + text("emitter") + [0x83] + text("type") + [type] + text("data") + data + text("nsp")
                + text(namespace)
                + [0x83] + text("rooms") + rooms + text("flags") + flags + text("except") + except
        }

        private func text(_ text: String) -> [UInt8] { [0xA0 | UInt8(text.utf8.count)] + text.utf8 }

        private func read(_ payload: [UInt8], channel: String = "socket.io#/#") -> RedisEmitter.Message? {
            RedisEmitter.socketIO().read(channel: channel, payload)
        }

        @Test("an update for one room is 70 bytes, and goes to the user whom the room is named after")
        func oneRoom() {
            let payload = message(
                [0x92] + text("update") + [0x81] + text("id") + [0x01], rooms: [0x91] + text("user:a"))
            #expect(payload.count == 70)
            let event = SocketEvent("update", [.json(["id": 1])])
            #expect(
                read(payload, channel: "socket.io#/#user:a#")
                    == .event(PassingEvent(event: event, audiences: [.user("a")])))
            #expect(read(payload, channel: "other#/#user:a#") == nil)
        }

        @Test("names that are too long to be listened to are left out, and the others are not taken for everyone")
        func longNames() throws {
            func audiences(_ rooms: [String]) throws -> [Audience]? {
                let body: Value = [
                    "method": "emit", "event": "e", "data": [], "room": .array(rooms.map { .string($0) })
                ]
                guard case .event(let event) = RedisEmitter.pythonSocketIO().read(channel: "socketio", body.json())
                else { throw CancellationError() }
                return event.audiences
            }
            let longest = String(repeating: "x", count: 256)
            #expect(try audiences([longest, "user:" + longest]) == [.room(longest), .user(longest)])
            #expect(try audiences([longest + "x", "user:" + longest + "x", "r"]) == [.room("r")])
            #expect(try audiences([longest + "x"]) == [])
        }

        @Test("what passed for so many names that it would take memory is held to have been for everyone")
        func marks() {
            var passed = PassedEvents()
            passed.last = Offset(epoch: "e", number: 5)
            let long = String(repeating: "x", count: 1000)
            for number in 0..<10_000 { passed.note([.room("\(number)\(long)")]) }
            #expect(!passed.mayHaveBeenMissed(by: [.user("ann")], after: 5))
            for number in 0..<10_000 { passed.note([.room("\(number)\(long)")]) }
            #expect(!passed.mayHaveBeenMissed(by: [.user("ann")], after: 5), "the same names take nothing more")
            for number in 10_000..<20_000 { passed.note([.room("\(number)\(long)")]) }
            #expect(passed.mayHaveBeenMissed(by: [.user("ann")], after: 5))
        }

        @Test("numbers, texts, undefined and dates are what JSON has for them; rooms and exceptions are kept")
        func values() {
            let numbers: [UInt8] =
                [
                    0x9B, 0x01, 0xFF, 0xD0, 0xDF, 0xD1, 0xFF, 0x38, 0xD2, 0xFF, 0xFF, 0x63, 0xC0, 0xCE, 0xB2, 0xD0,
                    0x5E, 0x00
                ]
                + [0xCB, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0, 0xC3, 0xC0, 0xD4, 0x00, 0x00]
                + [0xD7, 0x00, 0x00, 0x00, 0x01, 0x8B, 0xCF, 0xE5, 0x68, 0x7B]
            let payload = message(
                [0x93] + text("news") + text("ü") + numbers, rooms: [0x92] + text("a") + text("user:b"),
                flags: [0x81] + text("volatile") + [0xC3], except: [0x91] + text("c"))
            let values: Value = [
                1, -1, -33, -200, -40000, 3_000_000_000, .number(JSONNumber("1.5") ?? JSONNumber(0)), true, nil, nil,
                "2023-11-14T22:13:20.123Z"
            ]
            let event = SocketEvent("news", ["ü", .json(values)])
            #expect(
                read(payload)
                    == .event(PassingEvent(event: event, audiences: [.room("a"), .user("b")], exceptions: [.room("c")]))
            )
        }

        @Test("bytes become attachments, and no room means everyone")
        func binary() {
            let payload = message(
                [0x93] + text("bytes") + [0xC4, 3, 1, 2, 3] + [0x81] + text("a") + [0x92, 0xC4, 0, 0x07])
            let event = SocketEvent(
                "bytes",
                [.binary([1, 2, 3]), .object([.init(name: "a", argument: .array([.binary([]), .json(7)]))])])
            #expect(read(payload) == .event(PassingEvent(event: event, audiences: nil)))
        }

        @Test("what is for others is left, and what cannot be read is said to be so")
        func others() {
            #expect(read(message([0x91] + text("a"), namespace: "/admin")) == .elsewhere)
            #expect(read(message([0x91] + text("a"), type: 3)) == .elsewhere)
            for bad in [
                [], [0xC1], [0x93], message([0x91, 0x01]), message([0x90]), message([0x91] + text("connect")),
                message([0x91] + text("a"), rooms: [0x01]), message([0x91] + text("a")) + [0xC0],
                message([0x92] + text("a") + [0xC7, 1, 5, 0])
            ] as [[UInt8]] { #expect(read(bad) == .unreadable) }
        }

        @Test(
            "lengths beyond the bytes, depth and odd kinds are refused, and nothing is reserved for them",
            arguments: [
                [0xDD, 0xFF, 0xFF, 0xFF, 0xFF], [0xDF, 0xFF, 0xFF, 0xFF, 0xFF], [0xC6, 0xFF, 0xFF, 0xFF, 0xFF],
                [0xDB, 0xFF, 0xFF, 0xFF, 0xFF, 0x61], [0xA1, 0xFF], [0x81, 0x01, 0x01], [0xC9, 0, 0, 0, 1, 1, 1],
                [UInt8](repeating: 0x91, count: 100_000), [0xD8, 0] + [UInt8](repeating: 0, count: 16), [0xCB, 0x00]
            ] as [[UInt8]])
        func hostile(bytes: [UInt8]) {
            #expect(throws: MessagePack.Failure.self) { try MessagePack.decode(bytes) }
        }

        @Test("numbers that JSON cannot say become null, and none is too large")
        func odd() throws {
            let cases: [([UInt8], Value)] = [
                ([0x7F], 127), ([0xE0], -32),
                ([0xCB, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0], nil), ([0xCB, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0], nil),
                (
                    [0xCF] + [UInt8](repeating: 0xFF, count: 8),
                    .number(JSONNumber("18446744073709551615") ?? JSONNumber(0))
                ),
                ([0xD3, 0x80, 0, 0, 0, 0, 0, 0, 0], .number(JSONNumber("-9223372036854775808") ?? JSONNumber(0))),
                ([0xD7, 0, 0x80, 0, 0, 0, 0, 0, 0, 0], nil),
                ([0xCA, 0x3F, 0, 0, 0], .number(JSONNumber("0.5") ?? JSONNumber(0))),
                ([0xD7, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], "1969-12-31T23:59:59.999Z")
            ]
            for (bytes, value) in cases { #expect(try MessagePack.decode(bytes) == .json(value)) }
        }

        @Test("damaged messages are read or refused, in bounded time")
        func fuzz() {
            let seeds = [
                message([0x92] + text("update") + [0x82] + text("id") + [0x01] + text("b") + [0xC4, 1, 9]),
                message([0x93] + text("a") + [0xCB, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0, 0x92, 0xD4, 0, 0, 0xC0])
            ]
            var generator = SeededGenerator(seed: 7)
            var readable = 0
            let rounds = ProcessInfo.processInfo.environment["ATMOSPHERE_FUZZ"].flatMap { Int($0) } ?? 60_000
            for round in 0..<rounds {
                var bytes = seeds[round % seeds.count]
                for _ in 0..<Int.random(in: 1...5, using: &generator) {
                    let index = Int.random(in: 0..<bytes.count, using: &generator)
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                    case 1 where bytes.count > 1: bytes.remove(at: index)
                    case 2: bytes.insert(UInt8.random(in: 0x80...0xDF, using: &generator), at: index)
                    default: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
                    }
                }
                if case .event(let passing) = read(bytes) {
                    readable += 1
                    // What was read can be sent.
                    #expect(throws: Never.self) { try SocketPacket(.event(passing.event, nil)).messages() }
                }
            }
            #expect(readable > 100)
        }

        @Test("python-socketio's JSON is understood, with arguments, attachments and rooms")
        func python() {
            let emitter = RedisEmitter.pythonSocketIO()
            func read(_ json: String) -> RedisEmitter.Message? { emitter.read(channel: "socketio", Array(json.utf8)) }
            let plain =
                #"{"method":"emit","event":"update","data":[{"a":1},2],"binary":false,"namespace":"/","room":"user:ann","skip_sid":null,"callback":null,"host_id":"x"}"#
            let event = SocketEvent("update", [.json(["a": 1]), 2])
            #expect(read(plain) == .event(PassingEvent(event: event, audiences: [.user("ann")])))
            let binary =
                #"{"method":"emit","event":"b","data":[[{"_placeholder":true,"num":0},1],"AQID"],"binary":true,"namespace":"/","room":["r","s"]}"#
            #expect(
                read(binary)
                    == .event(
                        PassingEvent(
                            event: SocketEvent("b", [.binary([1, 2, 3]), 1]), audiences: [.room("r"), .room("s")])))
            for skipped in [#""s1""#, #"["s1"]"#] {
                #expect(
                    read(#"{"method":"emit","event":"e","data":[],"room":"r","skip_sid":\#(skipped)}"#)
                        == .event(
                            PassingEvent(
                                event: SocketEvent("e", []), audiences: [.room("r")], exceptions: [.room("s1")])))
            }
            #expect(read(#"{"method":"emit","event":"e","data":[],"namespace":"/x"}"#) == .elsewhere)
            #expect(read(#"{"method":"disconnect","sid":"1"}"#) == .elsewhere)
            for bad in [
                "", "(dp0\n.", #"{"method":"emit","event":"e"}"#, #"{"method":"emit","event":"disconnect","data":[]}"#,
                #"{"method":"emit","event":"e","binary":true,"data":[[],"AQID"]}"#,
                #"{"method":"emit","event":"e","data":[],"room":7}"#,
                #"{"method":"emit","event":"e","data":[],"skip_sid":7}"#
            ] { #expect(read(bad) == .unreadable, "\(bad)") }
        }
    }
#endif
