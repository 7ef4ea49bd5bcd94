public import Atmosphere

/// What is emitted: a name and arguments.
public struct SocketEvent: Sendable, Hashable {
    /// A text, or a number where a peer uses numbers.
    public enum Name: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
        case text(String)
        case number(JSONNumber)

        public init(stringLiteral text: String) { self = .text(text) }

        public var description: String {
            switch self {
            case .text(let text): text
            case .number(let number): number.lexeme
            }
        }
    }

    public var name: Name
    public var arguments: [SocketArgument]

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
