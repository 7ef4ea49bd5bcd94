internal import AtmosphereExchange

/// To whom something is addressed. Names are equal that are the same in UTF-8.
public enum Audience: Sendable, Hashable, CustomStringConvertible {
    /// Every client of one user, by the name that its credentials give.
    case user(String)
    /// A topic: `tasks`, `tasks/7`, or a word of the application's own.
    case room(String)

    public var description: String {
        switch self {
        case .user(let name): "user:\(name)"
        case .room(let name): "room:\(name)"
        }
    }
}

// As Redis and Socket.IO tell names apart; `String` also takes canonically equivalent ones for equal.
extension Audience {
    public static func == (left: Audience, right: Audience) -> Bool {
        switch (left, right) {
        case (.user(let left), .user(let right)), (.room(let left), .room(let right)): left.hasSameBytes(as: right)
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .user(let name):
            hasher.combine(0)
            name.hashBytes(into: &hasher)
        case .room(let name):
            hasher.combine(1)
            name.hashBytes(into: &hasher)
        }
    }
}
