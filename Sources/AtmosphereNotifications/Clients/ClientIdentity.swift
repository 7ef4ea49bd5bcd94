/// Who a client is, and what it may listen to.
public struct ClientIdentity: Sendable, Hashable {
    /// What is addressed to this user is delivered to this client.
    public var user: String
    /// The rooms that the client may join: names, `name/*` for all below one, or `*` for all.
    public var rooms: [String]
    /// When the credentials end, in seconds since 1970; nil for never.
    public var expiry: Double?

    public init(user: String, rooms: [String] = [], expiry: Double? = nil) {
        self.user = user
        self.rooms = rooms
        self.expiry = expiry
    }

    /// Whether the client may join a room.
    public func mayJoin(_ room: String) -> Bool {
        rooms.contains { pattern in
            if pattern == "*" || pattern == room { return true }
            return pattern.hasSuffix("/*") && room.hasPrefix(pattern.dropLast(1)) && room.count >= pattern.count
        }
    }
}

/// Says who a client is, from what it sends when it connects.
public protocol ClientAuthorizer: Sendable {
    /// - Returns: nil where the credentials are wrong or have ended. Nothing of them may come into a log.
    func identity(of token: String) async -> ClientIdentity?
}
