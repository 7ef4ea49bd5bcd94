import AtmosphereModel

/// What a server says in its open packet (github.com/socketio/engine.io-protocol, “Handshake”).
public struct EngineHandshake: Sendable, Hashable {
    /// The session's identifier. It is a secret: who knows it can take part in the session over HTTP.
    public var sid: String
    /// The transports that the client may upgrade to.
    public var upgrades: [String]
    /// How often the server sends a ping.
    public var pingInterval: Duration
    /// How long the server waits for the pong.
    public var pingTimeout: Duration
    /// The longest payload in bytes that the server takes; nil where it does not say.
    public var maxPayload: Int?

    /// What a server is to say in its open packet.
    public init(
        sid: String, upgrades: [String], pingInterval: Duration, pingTimeout: Duration, maxPayload: Int?
    ) {
        self.sid = sid
        self.upgrades = upgrades
        self.pingInterval = pingInterval
        self.pingTimeout = pingTimeout
        self.maxPayload = maxPayload
    }

    /// The JSON of the open packet, with times in milliseconds.
    public func json() -> [UInt8] {
        var members: Value.Members = [
            "sid": .string(sid),
            "upgrades": .array(upgrades.map { .string($0) }),
            "pingInterval": .number(JSONNumber(pingInterval.milliseconds)),
            "pingTimeout": .number(JSONNumber(pingTimeout.milliseconds))
        ]
        if let maxPayload { members["maxPayload"] = .number(JSONNumber(maxPayload)) }
        return Value.object(members).json()
    }

    /// Reads the JSON of an open packet, of at most 64 KiB.
    ///
    /// - Throws: ``SocketIOError`` `invalidHandshake`, naming the member.
    public init(json: [UInt8]) throws(SocketIOError) {
        guard let value = try? Value(json: json, limits: JSONLimits(depth: 8, bytes: 65_536)),
            let members = value.members
        else { throw SocketIOError(.invalidHandshake, "the handshake is not a JSON object") }
        guard let sid = members["sid"]?.string, !sid.isEmpty, sid.utf8.count <= 256 else {
            throw SocketIOError(.invalidHandshake, "the handshake's sid is missing or too long")
        }
        guard let upgrades = members["upgrades"]?.array, upgrades.count <= 16 else {
            throw SocketIOError(.invalidHandshake, "the handshake's upgrades are missing")
        }
        self.sid = sid
        self.upgrades = upgrades.compactMap(\.string)
        pingInterval = .milliseconds(try Self.positive(members, "pingInterval"))
        pingTimeout = .milliseconds(try Self.positive(members, "pingTimeout"))
        maxPayload = members["maxPayload"] == nil ? nil : Int(try Self.positive(members, "maxPayload"))
    }

    /// A day is as good as for ever, and no sum of two overflows.
    private static func positive(_ members: Value.Members, _ name: String) throws(SocketIOError) -> Int64 {
        guard let number = members[name]?.number?.int64, number > 0, number <= 1 << 40 else {
            throw SocketIOError(.invalidHandshake, "the handshake's \(name) is missing or out of range")
        }
        return number
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
