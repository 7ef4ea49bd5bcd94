/// One of the two transports of Engine.IO.
public struct EngineTransport: Sendable, Hashable, CustomStringConvertible {
    /// The word in the `transport` query parameter and in the handshake's `upgrades`.
    public let description: String

    /// HTTP long-polling: GET for what comes, POST for what goes.
    public static let polling = EngineTransport(description: "polling")
    /// A WebSocket (RFC 6455).
    public static let webSocket = EngineTransport(description: "websocket")
}
