/// Who a client was and what it listened to.
public struct RememberedClient: Sendable, Hashable {
    /// Who the client is to ``ClientAuthorizer``.
    public var user: String
    /// The rooms that it has joined.
    public var rooms: [String]
    /// The connection that tells this, a word without spaces.
    public var owner: String
    /// How many connections have had the secret, with this one: what a later one tells is younger.
    public var sequence: UInt64

    /// What a connection tells of its client.
    ///
    /// - Parameter owner: tells this connection from every other that has the same secret; without spaces.
    public init(user: String, rooms: [String], owner: String, sequence: UInt64 = 1) {
        self.user = user
        self.rooms = rooms
        self.owner = owner
        self.sequence = sequence
    }
}

/// A client's record in the hands of a new connection.
public struct ClientClaim: Sendable, Hashable {
    /// What the connection before it has told last.
    public var client: RememberedClient
    /// The new connection's.
    public var sequence: UInt64

    /// A record, and the number of the connection that takes it over.
    public init(client: RememberedClient, sequence: UInt64) {
        self.client = client
        self.sequence = sequence
    }
}

/// When a client is remembered.
public enum ClientMoment: Sendable, Hashable {
    /// It has connected: from now on the record is this connection's.
    case arrived
    /// It listens to other rooms.
    case changed
    /// It is gone: the record is kept for the two minutes in which clients come back.
    case left
}
