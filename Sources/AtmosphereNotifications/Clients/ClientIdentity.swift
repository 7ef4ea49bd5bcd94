internal import AtmosphereExchange

/// Who a client is, and what it may listen to.
public struct ClientIdentity: Sendable, Hashable {
    /// What is addressed to this user is delivered to this client.
    public var user: String
    /// The rooms that the client may join: names, `name/*` for all below one, or `*` for all. Bytes are compared.
    public var rooms: [String]
    /// When the credentials end, in seconds since 1970; nil for never.
    public var expiry: Double?

    /// By default a user who may join no room and whose credentials do not end.
    public init(user: String, rooms: [String] = [], expiry: Double? = nil) {
        self.user = user
        self.rooms = rooms
        self.expiry = expiry
    }

    /// The longest name of a user, in bytes of UTF-8.
    public static let userBytes = 256

    /// Why nobody is let in as this user, as what is said of it; nil where somebody is.
    ///
    /// What nobody sees would make two users of one name, and steer the terminals that show it; U+FFFD stands where a
    /// character could not be read, and would make one user of two.
    package static func problem(ofUser user: String) -> String? {
        if user.isEmpty { return "is empty" }
        if user.utf8.count > userBytes { return "is longer than \(userBytes) bytes" }
        for scalar in user.unicodeScalars where scalar == "\u{FFFD}" || UnseenText.contains(scalar.value) {
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            return scalar == "\u{FFFD}"
                ? "has a character that could not be read (a single surrogate, or U+FFFD)"
                : "has a control character, or one that nobody sees (\(code))"
        }
        return nil
    }

    /// The longest name of a room, in bytes of UTF-8.
    public static let roomBytes = 256

    /// Whether the client may join a room; nobody may join one whose name is empty or longer than ``roomBytes``, for
    /// nothing is ever published there.
    public func mayJoin(_ room: String) -> Bool {
        guard !room.isEmpty, room.utf8.count <= Self.roomBytes else { return false }
        return rooms.contains { pattern in
            if pattern == "*" || pattern.hasSameBytes(as: room) { return true }
            // By bytes: a mark behind a slash makes one character of both.
            return pattern.utf8.suffix(2).elementsEqual("/*".utf8) && room.utf8.count >= pattern.utf8.count
                && room.utf8.starts(with: pattern.utf8.dropLast())
        }
    }
}

/// Too many ask who they are at once.
public struct AuthorizerBusy: Error, Sendable {
    /// For an authorizer of one's own: the client is asked to come again later.
    public init() {}
}

/// Credentials that are right, and of no use: whoever has them is refused, and told why.
public struct CredentialsRefused: Error, Sendable {
    /// What the client is told, as a part of a sentence: `the user of auth.token is empty`. Nothing of the credentials may
    /// be in it.
    public var reason: String

    /// For an authorizer of one's own.
    public init(reason: String) { self.reason = reason }
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
    ///   ``CredentialsRefused`` where the client is to be told why it is refused.
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
