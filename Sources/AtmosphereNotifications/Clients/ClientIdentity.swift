/// Who a client is, and what it may listen to.
public struct ClientIdentity: Sendable, Hashable {
    /// What is addressed to this user is delivered to this client.
    public var user: String
    /// The rooms that the client may join: names, `name/*` for all below one, or `*` for all.
    public var rooms: [String]
    /// When the credentials end, in seconds since 1970; nil for never.
    public var expiry: Double?

    /// By default a user who may join no room and whose credentials do not end.
    public init(user: String, rooms: [String] = [], expiry: Double? = nil) {
        self.user = user
        self.rooms = rooms
        self.expiry = expiry
    }

    /// The longest name of a room, in bytes of UTF-8.
    public static let roomBytes = 256

    /// Whether the client may join a room; nobody may join one whose name is empty or longer than ``roomBytes``, for
    /// nothing is ever published there.
    public func mayJoin(_ room: String) -> Bool {
        guard !room.isEmpty, room.utf8.count <= Self.roomBytes else { return false }
        return rooms.contains { pattern in
            if pattern == "*" || pattern == room { return true }
            return pattern.hasSuffix("/*") && room.hasPrefix(pattern.dropLast(1)) && room.count >= pattern.count
        }
    }
}

/// Too many ask who they are at once.
public struct AuthorizerBusy: Error, Sendable {
    /// For an authorizer of one's own: the client is asked to come again later.
    public init() {}
}

/// Says who a client is, from what it sends when it connects. For publishers it is asked on the threads that serve
/// clients: it may wait, but not block.
public protocol ClientAuthorizer: Sendable {
    /// Who has these credentials.
    ///
    /// - Returns: nil where the credentials are wrong or have ended. Nothing of them may come into a log.
    func identity(of token: String) async -> ClientIdentity?

    /// Who has these credentials, for a client at an address, or in a network of IPv6 with 64 bits, which one peer has as
    /// a whole; asks ``identity(of:)`` alone by default. The task is
    /// cancelled when the client has gone: nobody needs the answer then.
    ///
    /// - Throws: ``AuthorizerBusy`` where that cannot be said now. The client's connection ends, so that it comes again.
    func identity(of token: String, from address: String) async throws -> ClientIdentity?

    /// Whether credentials that are right may become wrong before they end; the server keeps them then as long as the
    /// client stays, for `NotificationServer.checkClients()`. False by default.
    var takesBack: Bool { get }
}

extension ClientAuthorizer {
    /// Whoever has the credentials, wherever the client is.
    public func identity(of token: String, from address: String) async throws -> ClientIdentity? {
        await identity(of: token)
    }

    /// False: credentials that are right stay so until they end.
    public var takesBack: Bool { false }
}
