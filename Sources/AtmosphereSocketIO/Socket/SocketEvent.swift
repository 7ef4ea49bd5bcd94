public import AtmosphereModel

/// What is emitted: a name and arguments.
public struct SocketEvent: Sendable, Hashable {
    /// A text, or a number where a peer uses numbers.
    public enum Name: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// What nearly every event has.
        case text(String)
        /// Sent as a JSON number.
        case number(JSONNumber)

        /// A name that is a text.
        public init(stringLiteral text: String) { self = .text(text) }

        public var description: String {
            switch self {
            case .text(let text): text
            case .number(let number): number.lexeme
            }
        }
    }

    /// See ``reservedNames`` for those that cannot be sent.
    public var name: Name
    /// In their order; as many as packet limits allow.
    public var arguments: [SocketArgument]

    /// An event without arguments unless some are given.
    public init(_ name: Name, _ arguments: [SocketArgument] = []) {
        self.name = name
        self.arguments = arguments
    }

    /// Names that mean something to the implementations and therefore are no events (github.com/socketio/
    /// socket.io-parser, `RESERVED_EVENTS`). `error` is an event like any other.
    public static let reservedNames: Set<String> = [
        "connect", "connect_error", "disconnect", "disconnecting", "newListener", "removeListener"
    ]
}
