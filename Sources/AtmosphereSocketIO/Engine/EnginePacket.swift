/// A packet of Engine.IO v4 (github.com/socketio/engine.io-protocol, “Protocol”).
public enum EnginePacket: Sendable, Hashable {
    /// The handshake as JSON; see ``EngineHandshake``.
    case open([UInt8])
    /// The sender ends the session.
    case close
    /// Empty for a heartbeat, `probe` for an upgrade.
    case ping([UInt8])
    /// The answer to a ping, with what that carried.
    case pong([UInt8])
    /// Something for the layer above.
    case message(EngineMessage)
    /// The client goes over to the WebSocket that it has probed.
    case upgrade
    /// Ends a poll that nothing else can answer.
    case noop

    static let probe = Array("probe".utf8)
}

extension EnginePacket {
    /// The one WebSocket frame that carries this packet: a message of bytes stands there as it is, everything else is
    /// text that begins with the packet's type.
    public var frame: EngineMessage {
        if case .message(.binary(let bytes)) = self { return .binary(bytes) }
        var text: [UInt8] = []
        append(to: &text)
        return .text(text)
    }

    /// The packet's text in a polling payload.
    public func append(to text: inout [UInt8]) {
        switch self {
        case .open(let json): append("0", json, to: &text)
        case .close: text.append(UInt8(ascii: "1"))
        case .ping(let data): append("2", data, to: &text)
        case .pong(let data): append("3", data, to: &text)
        case .message(.text(let data)): append("4", data, to: &text)
        case .message(.binary(let data)):
            text.append(UInt8(ascii: "b"))
            Base64.append(data, to: &text)
        case .upgrade: text.append(UInt8(ascii: "5"))
        case .noop: text.append(UInt8(ascii: "6"))
        }
    }

    private func append(_ type: Unicode.Scalar, _ data: [UInt8], to text: inout [UInt8]) {
        text.reserveCapacity(text.count + 1 + data.count)
        text.append(UInt8(ascii: type))
        text.append(contentsOf: data)
    }

    /// How many bytes ``append(to:)`` writes.
    public var payloadCount: Int {
        switch self {
        case .open(let data), .ping(let data), .pong(let data), .message(.text(let data)): 1 + data.count
        case .message(.binary(let data)): 1 + Base64.encodedCount(data.count)
        case .close, .upgrade, .noop: 1
        }
    }
}

extension EnginePacket {
    /// Reads the one packet of a WebSocket frame.
    ///
    /// - Throws: ``SocketIOError`` `emptyPacket`, `unknownPacketType`, `unexpectedPayload` and `invalidUTF8`.
    public init(frame: EngineMessage) throws(SocketIOError) {
        switch frame {
        case .binary(let bytes): self = .message(.binary(bytes))
        case .text(let bytes):
            guard UTF8Check.isValid(bytes) else { throw SocketIOError(.invalidUTF8, "a text frame is not UTF-8") }
            try self.init(text: bytes[...])
        }
    }

    /// Reads a packet from text that was checked to be UTF-8.
    init(text: ArraySlice<UInt8>) throws(SocketIOError) {
        guard let type = text.first else { throw SocketIOError(.emptyPacket, "a packet has no type") }
        let data = text.dropFirst()
        switch type {
        case UInt8(ascii: "0"): self = .open(Array(data))
        case UInt8(ascii: "1"): self = .close
        case UInt8(ascii: "2"): self = .ping(Array(data))
        case UInt8(ascii: "3"): self = .pong(Array(data))
        case UInt8(ascii: "4"): self = .message(.text(Array(data)))
        case UInt8(ascii: "5"): self = .upgrade
        case UInt8(ascii: "6"): self = .noop
        default:
            throw SocketIOError(.unknownPacketType, "a packet's type is none of 0 to 6")
        }
        switch self {
        case .close, .upgrade, .noop:
            guard data.isEmpty else {
                throw SocketIOError(.unexpectedPayload, "a close, upgrade or noop packet carries data")
            }
        default: break
        }
    }
}
