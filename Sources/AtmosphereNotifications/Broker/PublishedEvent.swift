public import Atmosphere

/// One update or notification on its way to clients.
public struct PublishedEvent: Sendable, Hashable {
    /// What clients get as the event's name.
    public enum Kind: String, Sendable, Hashable {
        case update
        case notification
    }

    /// Says that two are the same: what is published twice with one id is delivered once.
    public var id: String
    public var kind: Kind
    public var audiences: [Audience]
    /// The event's argument, with its `id`.
    public var data: Value

    public init(id: String, kind: Kind, audiences: [Audience], data: Value) {
        self.id = id
        self.kind = kind
        self.audiences = audiences
        self.data = data
    }
}
