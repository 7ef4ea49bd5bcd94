/// The body of a polling request or response: packets with a record separator between them (github.com/socketio/
/// engine.io-protocol, “Packet encoding”).
public enum EnginePayload {
    /// U+001E.
    public static let separator: UInt8 = 0x1E

    /// The packets as text, bytes in Base64; empty for no packet. Checks no limit.
    public static func encode(_ packets: some Collection<EnginePacket>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(packets.reduce(0) { $0 + $1.payloadCount + 1 })
        var isFirst = true
        for packet in packets {
            if !isFirst { text.append(separator) }
            isFirst = false
            packet.append(to: &text)
        }
        return text
    }

    /// The packets of a body, in their order.
    ///
    /// - Throws: ``SocketIOError`` `tooLarge`, `tooManyPackets`, `invalidUTF8`, `invalidBase64` and what
    ///   ``EnginePacket`` throws; an empty body is `emptyPacket`. Nothing is decoded of a body that is too long.
    public static func decode(_ text: [UInt8], limits: EngineLimits = .default) throws(SocketIOError) -> [EnginePacket]
    {
        guard text.count <= limits.payloadBytes else {
            throw SocketIOError(.tooLarge, "a payload is longer than \(limits.payloadBytes) bytes")
        }
        guard UTF8Check.isValid(text) else { throw SocketIOError(.invalidUTF8, "a payload is not UTF-8") }
        var packets: [EnginePacket] = []
        var start = 0
        while true {
            var end = start
            while end < text.count, text[end] != separator { end += 1 }
            guard packets.count < limits.packetsPerPayload else {
                throw SocketIOError(.tooManyPackets, "a payload has more than \(limits.packetsPerPayload) packets")
            }
            packets.append(try packet(text[start..<end]))
            if end == text.count { return packets }
            start = end + 1
        }
    }

    private static func packet(_ text: ArraySlice<UInt8>) throws(SocketIOError) -> EnginePacket {
        guard text.first == UInt8(ascii: "b") else { return try EnginePacket(text: text) }
        guard let bytes = Base64.decode(text.dropFirst()) else {
            throw SocketIOError(.invalidBase64, "a binary packet is not base64 with padding")
        }
        return .message(.binary(bytes))
    }
}
