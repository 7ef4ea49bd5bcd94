public import AtmosphereExchange

/// One update or notification on its way to clients.
public struct PublishedEvent: Sendable, Hashable {
    /// What clients get as the event's name.
    public enum Kind: String, Sendable, Hashable {
        /// News of an object, which clients read as a `LiveUpdate`.
        case update
        /// Something for applications, which clients read as a `LiveNotification`.
        case notification
    }

    /// Says that two are the same: what is published twice with one id is delivered once.
    public var id: String
    /// What clients get as the event's name.
    public var kind: Kind
    /// Who gets it; a client that several of them mean gets it once.
    public var audiences: [Audience]
    /// The event's argument, with its `id`.
    public var data: Value

    /// An event for these audiences.
    ///
    /// - Parameter data: the event's argument, with its `id` in it.
    public init(id: String, kind: Kind, audiences: [Audience], data: Value) {
        self.id = id
        self.kind = kind
        self.audiences = audiences
        self.data = data
    }

    /// About the bytes of memory that it takes, found in one walk.
    var weight: Int {
        audiences.reduce(256 + id.utf8.count + Self.weight(data)) { sum, audience in
            switch audience {
            // Beside the name: its places in the log's table.
            case .user(let name), .room(let name): sum + 64 + name.utf8.count
            }
        }
    }

    private static func weight(_ value: Value) -> Int {
        let own = MemoryLayout<Value>.stride
        return switch value {
        case .null, .bool: own
        case .number(let number): own + number.description.utf8.count
        case .string(let text): own + 32 + text.utf8.count
        case .array(let values): values.reduce(own + 32) { $0 + weight($1) }
        case .object(let members): members.reduce(own + 64) { $0 + 48 + $1.name.utf8.count + weight($1.value) }
        }
    }
}
