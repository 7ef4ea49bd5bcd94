/// One of the two transports of Engine.IO.
public struct EngineTransport: Sendable, Hashable, CustomStringConvertible {
    /// The word in the `transport` query parameter and in the handshake's `upgrades`.
    public let description: String

    public static let polling = EngineTransport(description: "polling")
    public static let webSocket = EngineTransport(description: "websocket")
}
