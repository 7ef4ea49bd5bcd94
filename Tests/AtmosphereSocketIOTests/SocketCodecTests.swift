import Atmosphere
import AtmosphereSocketIO
import Testing

@Suite("The codec of Socket.IO")
struct SocketCodecTests {
    private func decode(_ messages: [EngineMessage], limits: SocketLimits = .default) throws -> SocketPacket? {
        var decoder = SocketDecoder(limits: limits)
        var packet: SocketPacket?
        for message in messages { packet = try decoder.decode(message) }
        return packet
    }

    private static let packets: [(String, SocketPacket)] = [
        ("0", SocketPacket(.connect(nil))),
        (
            #"0/admin,{"sid":"oSO0OpakMV_3jnilAAAA"}"#,
            SocketPacket(namespace: "/admin", .connect(["sid": "oSO0OpakMV_3jnilAAAA"]))
        ),
        ("0/admin,", SocketPacket(namespace: "/admin", .connect(nil))),
        (#"4{"message":"Not authorized"}"#, SocketPacket(.connectError(["message": "Not authorized"]))),
        (#"4"Unauthorized""#, SocketPacket(.connectError("Unauthorized"))),
        (#"2["foo"]"#, SocketPacket(.event(SocketEvent("foo"), nil))),
        (#"2/admin,["bar"]"#, SocketPacket(namespace: "/admin", .event(SocketEvent("bar"), nil))),
        (#"2[1,"a",{}]"#, SocketPacket(.event(SocketEvent(.number(JSONNumber(1)), ["a", .json([:])]), nil))),
        (#"212["foo"]"#, SocketPacket(.event(SocketEvent("foo"), 12))),
        (#"2["error"]"#, SocketPacket(.event(SocketEvent("error"), nil))),
        (#"3/admin,13["bar"]"#, SocketPacket(namespace: "/admin", .acknowledgement(["bar"], 13))),
        ("30[]", SocketPacket(.acknowledgement([], 0))),
        ("1", SocketPacket(.disconnect)), ("1/admin,", SocketPacket(namespace: "/admin", .disconnect)),
        ("29007199254740991[\"a\"]", SocketPacket(.event(SocketEvent("a"), 9_007_199_254_740_991)))
    ]

    @Test("the examples of the specification are read and written", arguments: packets)
    func examples(text: String, packet: SocketPacket) throws {
        let messages: [EngineMessage] = [.text(Array(text.utf8))]
        #expect(try decode(messages) == packet)
        #expect(try packet.messages() == messages)
    }

    @Test("attachments stand where their placeholders were")
    func binary() throws {
        let messages: [EngineMessage] = [
            #"52-/admin,7["baz",{"_placeholder":true,"num":0},{"a":[1,{"_placeholder":true,"num":1}]},null]"#,
            .binary([1, 2]), .binary([])
        ]
        let packet = SocketPacket(
            namespace: "/admin",
            .event(
                SocketEvent(
                    "baz",
                    [
                        .binary([1, 2]),
                        .object([.init(name: "a", argument: .array([1, .binary([])]))]), .json(.null)
                    ]), 7))
        #expect(try decode(messages) == packet)
        #expect(try packet.messages() == messages)
        let answer = SocketPacket(.acknowledgement(["bar", .binary([1, 2, 3, 4])], 15))
        #expect(try answer.messages() == [#"61-15["bar",{"_placeholder":true,"num":0}]"#, .binary([1, 2, 3, 4])])
    }

    @Test("attachments may be named in any order, and each comes to its place")
    func order() throws {
        let packet = try decode([
            #"52-["x",{"_placeholder":true,"num":1},{"num":0,"_placeholder":true}]"#, .binary([0]), .binary([1])
        ])
        #expect(packet == SocketPacket(.event(SocketEvent("x", [.binary([1]), .binary([0])]), nil)))
    }

    @Test("a packet that announces no attachments is complete, and the next one is read as any other")
    func noAttachments() throws {
        var decoder = SocketDecoder()
        #expect(try decoder.decode(#"50-["hello"]"#) == SocketPacket(.event(SocketEvent("hello"), nil)))
        #expect(!decoder.isUnfinished)
        #expect(try decoder.decode(#"2["next"]"#) == SocketPacket(.event(SocketEvent("next"), nil)))
    }

    @Test(
        "an object that looks like a placeholder is JSON in a packet without attachments, and cannot be sent with some")
    func lookalike() throws {
        let value: Value = ["_placeholder": true, "num": 0]
        let packet = SocketPacket(.event(SocketEvent("x", [.json(value)]), nil))
        #expect(try decode(packet.messages()) == packet)
        for argument in [
            SocketArgument.json([["a": value]]),
            .object([
                .init(name: "_placeholder", argument: .json(true)), .init(name: "num", argument: .binary([]))
            ])
        ] {
            let error = #expect(throws: SocketIOError.self) {
                try SocketPacket(.event(SocketEvent("x", [argument, .binary([1])]), nil)).messages()
            }
            #expect(error?.code == .invalidAttachments)
        }
    }

    @Test(
        "a malformed packet has its error",
        arguments: [
            ("", SocketIOError.Code.emptyPacket), ("7", .unknownPacketType), ("999", .unknownPacketType),
            ("abc", .unknownPacketType),
            (#"442["some","data""#, .invalidPayload), (#"0/admin,"invalid""#, .invalidPayload),
            ("0[]", .invalidPayload),
            ("1/admin,{}", .unexpectedPayload), (#"2/admin,"invalid"#, .invalidPayload),
            ("2/admin,{}", .invalidPayload),
            ("2", .invalidPayload), ("2[]", .invalidPayload), ("2{}", .invalidPayload),
            (#"2[{"toString":"foo"}]"#, .invalidEventName), (#"2[true,"foo"]"#, .invalidEventName),
            (#"2[null,"bar"]"#, .invalidEventName), (#"2["connect"]"#, .invalidEventName),
            (#"2["disconnect","123"]"#, .invalidEventName), (#"2["connect_error"]"#, .invalidEventName),
            (#"2["disconnecting"]"#, .invalidEventName), (#"2["newListener"]"#, .invalidEventName),
            (#"2["removeListener"]"#, .invalidEventName), (#"2["\u0063onnect"]"#, .invalidEventName),
            ("5", .invalidAttachments), ("51", .invalidAttachments), ("5a-", .invalidAttachments),
            ("51.23-", .invalidAttachments), ("5-[\"a\"]", .invalidAttachments), ("5-1-[\"a\"]", .invalidAttachments),
            ("59999999999999999999-[\"a\"]", .invalidAttachments), ("511-[\"a\"]", .tooManyAttachments),
            (#"50-["a",{"_placeholder":true,"num":0}]"#, .invalidAttachments),
            (#"2abc["message-with-ack",1]"#, .invalidPayload),
            (#"299999999999999999999["a"]"#, .invalidAcknowledgement),
            (#"29007199254740992["a"]"#, .invalidAcknowledgement), (#"3["a"]"#, .invalidAcknowledgement),
            ("01{}", .invalidAcknowledgement), ("112", .invalidAcknowledgement), ("3/admin,1{}", .invalidPayload),
            ("4", .invalidPayload), ("4[]", .invalidPayload), ("2-1[\"a\"]", .invalidPayload)
        ])
    func malformed(text: String, code: SocketIOError.Code) {
        let error = #expect(throws: SocketIOError.self) { try decode([.text(Array(text.utf8))]) }
        #expect(error?.code == code, "\(text)")
    }

    @Test(
        "attachments that do not fit their placeholders are refused",
        arguments: [
            #"51-["a",{"_placeholder":true,"num":1}]"#, #"51-["a",{"_placeholder":true,"num":-1}]"#,
            #"51-["a",{"_placeholder":true,"num":0.5}]"#, #"51-["a",{"_placeholder":true,"num":"0"}]"#,
            #"51-["a",{"_placeholder":true,"num":"splice"}]"#, #"51-["a",{"_placeholder":true}]"#,
            #"51-["a",{"_placeholder":true,"num":99999999999999999999999999}]"#, #"51-["a"]"#,
            #"51-["a",{"_placeholder":true,"num":0},{"_placeholder":true,"num":0}]"#,
            #"51-["a",{"_placeholder":"true","num":0}]"#
        ])
    func placeholders(text: String) {
        let error = #expect(throws: SocketIOError.self) { try decode([.text(Array(text.utf8)), .binary([1])]) }
        #expect(error?.code == .invalidAttachments)
    }

    @Test("text where an attachment must come, and an attachment that nobody announced, are refused")
    func sequence() {
        #expect(throws: SocketIOError.self) { try decode([#"51-["a",{"_placeholder":true,"num":0}]"#, #"2["b"]"#]) }
        #expect(throws: SocketIOError.self) { try decode([.binary([1])]) }
    }

    @Test("depth, size and length of a namespace are limited")
    func limits() {
        let limits = SocketLimits(attachments: 2, depth: 4, packetBytes: 60, namespaceBytes: 5)
        let cases: [([EngineMessage], SocketIOError.Code)] = [
            (["2[\"a\",[[[[1]]]]]"], .invalidPayload),
            ([.text(Array(repeating: UInt8(ascii: "2"), count: 61))], .tooLarge),
            (["1/abcde,"], .invalidNamespace), (["53-[\"a\"]"], .tooManyAttachments),
            ([#"51-["a",{"_placeholder":true,"num":0}]"#, .binary(Array(repeating: 0, count: 50))], .tooLarge)
        ]
        for (messages, code) in cases {
            let error = #expect(throws: SocketIOError.self) { try decode(messages, limits: limits) }
            #expect(error?.code == code)
        }
    }

    @Test("what no receiver could take is not sent")
    func unsendable() {
        let cases: [(SocketPacket, SocketIOError.Code)] = [
            (SocketPacket(namespace: "admin", .disconnect), .invalidNamespace),
            (SocketPacket(namespace: "/a,b", .disconnect), .invalidNamespace),
            (SocketPacket(.event(SocketEvent("disconnect"), nil)), .invalidEventName),
            (SocketPacket(.connectError(1)), .invalidPayload),
            (SocketPacket(.acknowledgement([], .max)), .invalidAcknowledgement),
            (SocketPacket(.acknowledgement(Array(repeating: .binary([]), count: 11), 1)), .tooManyAttachments)
        ]
        for (packet, code) in cases {
            let error = #expect(throws: SocketIOError.self) { try packet.messages() }
            #expect(error?.code == code)
        }
    }
}
