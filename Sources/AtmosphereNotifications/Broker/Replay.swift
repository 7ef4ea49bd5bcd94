/// What was missed.
public enum Replay: Sendable, Hashable {
    /// All of it, in order.
    case events([Delivery])
    /// More than the broker remembers: the client must fetch from its source.
    case gap
}
