import AtmosphereSocketIO
import Testing

@Suite("The codec of Engine.IO")
struct EngineCodecTests {
    private static let packets: [(String, EnginePacket)] = [
        ("1", .close), ("2", .ping([])), ("2probe", .ping(Array("probe".utf8))), ("3probe", .pong(Array("probe".utf8))),
        ("4hello", .message("hello")), ("4", .message("")), ("4€", .message("€")), ("5", .upgrade), ("6", .noop),
        ("0{}", .open(Array("{}".utf8)))
    ]

    @Test("every packet type is read from its frame and written back", arguments: packets)
    func frames(text: String, packet: EnginePacket) throws {
        let frame = EngineMessage.text(Array(text.utf8))
        #expect(try EnginePacket(frame: frame) == packet)
        #expect(packet.frame == frame)
        #expect(packet.payloadCount == text.utf8.count)
    }

    @Test("bytes stand in a WebSocket frame as they are")
    func binaryFrame() throws {
        let bytes: [UInt8] = [0, 1, 255]
        #expect(try EnginePacket(frame: .binary(bytes)) == .message(.binary(bytes)))
        #expect(EnginePacket.message(.binary(bytes)).frame == .binary(bytes))
    }

    @Test("the payload of the specification is read and written")
    func payload() throws {
        let text = Array("4hello\u{1e}2\u{1e}4world\u{1e}bAQIDBA==".utf8)
        let packets: [EnginePacket] = [
            .message("hello"), .ping([]), .message("world"), .message(.binary([1, 2, 3, 4]))
        ]
        #expect(try EnginePayload.decode(text) == packets)
        #expect(EnginePayload.encode(packets) == text)
        #expect(packets.reduce(packets.count - 1) { $0 + $1.payloadCount } == text.count)
    }

    @Test("bytes of each length go through base64", arguments: 0..<70)
    func base64(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
        let packet = EnginePacket.message(.binary(bytes))
        #expect(try EnginePayload.decode(EnginePayload.encode([packet])) == [packet])
    }

    @Test(
        "a malformed payload has its error",
        arguments: [
            ("", SocketIOError.Code.emptyPacket), ("4a\u{1e}", .emptyPacket), ("\u{1e}4a", .emptyPacket),
            ("abc", .unknownPacketType), ("7", .unknownPacketType), ("/", .unknownPacketType),
            ("1x", .unexpectedPayload),
            ("5x", .unexpectedPayload), ("6x", .unexpectedPayload), ("bAQI", .invalidBase64), ("bA===", .invalidBase64),
            ("bAQIDBA=", .invalidBase64), ("b====", .invalidBase64), ("bAQ==AQ==", .invalidBase64),
            ("bAR==", .invalidBase64), ("bAQJ=", .invalidBase64), ("bA-_=", .invalidBase64), ("bA Q=", .invalidBase64)
        ])
    func malformed(text: String, code: SocketIOError.Code) {
        let error = #expect(throws: SocketIOError.self) { try EnginePayload.decode(Array(text.utf8)) }
        #expect(error?.code == code)
    }

    @Test("what is not UTF-8 is refused", arguments: [[0x34, 0xFF], [0x34, 0xC0, 0x80], [0x34, 0xED, 0xA0, 0x80]])
    func notUTF8(bytes: [UInt8]) {
        let payload = #expect(throws: SocketIOError.self) { try EnginePayload.decode(bytes) }
        let frame = #expect(throws: SocketIOError.self) { try EnginePacket(frame: .text(bytes)) }
        #expect(payload?.code == .invalidUTF8 && frame?.code == .invalidUTF8)
    }

    @Test("a payload beyond the limits is refused")
    func limits() {
        let limits = EngineLimits(payloadBytes: 10, packetsPerPayload: 3)
        let long = #expect(throws: SocketIOError.self) {
            try EnginePayload.decode(Array("4hello world".utf8), limits: limits)
        }
        #expect(long?.code == .tooLarge)
        let many = #expect(throws: SocketIOError.self) {
            try EnginePayload.decode(Array("6\u{1e}6\u{1e}6\u{1e}6".utf8), limits: limits)
        }
        #expect(many?.code == .tooManyPackets)
    }

    @Test("the handshake of the specification is read and written")
    func handshake() throws {
        let text =
            #"{"sid":"lv_VI97HAXpY6yYWAAAC","upgrades":["websocket"],"pingInterval":25000,"pingTimeout":20000,"#
            + #""maxPayload":1000000}"#
        let handshake = try EngineHandshake(json: Array(text.utf8))
        #expect(handshake.pingInterval == .seconds(25) && handshake.pingTimeout == .seconds(20))
        #expect(String(decoding: handshake.json(), as: UTF8.self) == text)
    }

    @Test(
        "a handshake without its members, or with values out of range, is refused",
        arguments: [
            "", "[]", "{}", #"{"sid":"","upgrades":[],"pingInterval":1,"pingTimeout":1}"#,
            #"{"sid":"a","pingInterval":1,"pingTimeout":1}"#,
            #"{"sid":"a","upgrades":[],"pingInterval":0,"pingTimeout":1}"#,
            #"{"sid":"a","upgrades":[],"pingInterval":1,"pingTimeout":1e300}"#,
            #"{"sid":"a","upgrades":[],"pingInterval":1,"pingTimeout":1,"maxPayload":-1}"#
        ])
    func brokenHandshake(text: String) {
        let error = #expect(throws: SocketIOError.self) { try EngineHandshake(json: Array(text.utf8)) }
        #expect(error?.code == .invalidHandshake)
    }

    @Test(
        "the query of a request is checked, and a parameter that is there twice is refused",
        arguments: [
            ("EIO=4&transport=polling", nil), ("transport=websocket&EIO=4&sid=abc&t=x", nil),
            ("transport=polling", EngineRefusal.unsupportedVersion), ("EIO=abc&transport=polling", .unsupportedVersion),
            ("EIO=3&transport=polling", .unsupportedVersion), ("EIO=4", .unknownTransport),
            ("EIO=4&transport=constructor", .unknownTransport), ("EIO=4&transport=polling&EIO=4", .badRequest),
            ("EIO=4&transport=polling&sid=a&sid=b", .badRequest), ("", .unknownTransport)
        ] as [(String, EngineRefusal?)])
    func query(text: String, refusal: EngineRefusal?) {
        guard let refusal else {
            #expect(throws: Never.self) { try EngineQuery(text[...]) }
            return
        }
        #expect(throws: refusal) { try EngineQuery(text[...]) }
    }
}
