/// A room of the notification server that this program listens to: a topic beside what is addressed to the user.
public struct LiveRoom: Sendable, Hashable {
    /// What the server calls it.
    public var name: String
    /// Whether the server lets this program listen to it.
    public var state: State

    /// What the server has said of a room.
    public enum State: Sendable, Hashable {
        /// Nothing yet: there is no connection, or the answer is on its way. A server that does not answer leaves it so.
        case waiting
        /// What is told in the room arrives.
        case joined
        /// The key may not listen to it. The server is asked again with the next connection.
        case refused
    }

    /// A room, and what the server has said of it.
    package init(name: String, state: State) {
        self.name = name
        self.state = state
    }
}
