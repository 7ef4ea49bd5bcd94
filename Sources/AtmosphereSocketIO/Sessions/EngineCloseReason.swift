/// Why an Engine.IO session is over.
public struct EngineCloseReason: Sendable, Hashable, CustomStringConvertible {
    public let description: String
    /// What the peer did wrong, where that is the reason.
    public var error: SocketIOError?

    init(_ description: String, _ error: SocketIOError? = nil) {
        self.description = description
        self.error = error
    }

    /// This side closed it.
    public static let forced = EngineCloseReason("forced close")
    /// The peer closed it.
    public static let transportClose = EngineCloseReason("transport close")
    /// A connection or a request broke.
    public static let transportError = EngineCloseReason("transport error")
    /// The peer did not answer a ping, or sent none.
    public static let pingTimeout = EngineCloseReason("ping timeout")
    /// More waits to be sent than the limit.
    public static let overflow = EngineCloseReason("buffer overflow")

    /// The peer broke the protocol.
    public static func invalid(_ error: SocketIOError) -> EngineCloseReason { EngineCloseReason("parse error", error) }

    public static func == (left: EngineCloseReason, right: EngineCloseReason) -> Bool {
        left.description == right.description
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
