/// To whom something is addressed.
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
