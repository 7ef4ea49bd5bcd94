/// What a token storage keeps: tokens, and what they are for.
public struct SavedTokens: Sendable, Equatable, CustomStringConvertible {
    /// What the tokens may be sent to: those of another API, token endpoint or client count as none.
    package var purpose: String
    /// The access token, or the session's: what requests are signed with. A secret.
    public var access: String
    /// When they were asked for.
    package var obtained: Timestamp
    /// nil where only the server's refusal tells.
    public var expires: Timestamp?
    /// A secret; RFC 6749 §1.5.
    public var refresh: String?
    /// What was granted, where the server says.
    public var scope: String?
    /// Marks the secret that the refresh tokens began with.
    package var origin: String?
    /// That a new sign-in was refused.
    package var refusal: Refusal?

    /// A refusal that only a person can mend: it is not tried again for a while, by nobody, because servers lock accounts.
    package struct Refusal: Sendable, Equatable {
        /// What was refused, and why; holds no secret.
        package var message: String
        package var start: Timestamp
        package var end: Timestamp

        /// Whether it holds still; after the clock was set back nobody can tell.
        package func holds(at now: Timestamp) -> Bool { start.age(at: now) != nil && now < end }

        /// For who wants to send something now.
        var error: SyncError {
            SyncError(
                code: .signInNeeded,
                message: "\(message); nothing is tried again before \(end.secondAbove), because servers lock accounts; "
                    + "when it is mended, try at once: atmos login")
        }
    }

    /// Tokens as they are to be kept.
    ///
    /// - Parameters:
    ///   - purpose: that of the ``TokenKeeper`` which keeps them; under another they would not be found again.
    ///   - obtained: when they were asked for, so that the way of the answer counts to their life.
    ///   - expires: nil where the server does not say.
    ///   - refresh: what gets the next ones; nil where they are got in another way.
    public init(
        purpose: String, access: String, obtained: Timestamp, expires: Timestamp? = nil, refresh: String? = nil
    ) {
        self.purpose = purpose
        self.access = access
        self.obtained = obtained
        self.expires = expires
        self.refresh = refresh
    }

    /// What they are for; shows no token.
    public var description: String { "tokens for \(purpose)" }

    /// Whether the access token can be sent: not about to end. The margin is half a minute, and less where tokens live
    /// for less than five.
    package func isGood(at now: Timestamp) -> Bool {
        guard let expires else { return true }
        let life = obtained.duration(to: expires)
        return now.advanced(by: min(.seconds(30), life / 10)) < expires
    }
}

extension SavedTokens {
    package init?(_ bytes: [UInt8]) {
        guard let members = try? Value(json: bytes, limits: JSONLimits(depth: 4, bytes: TokenFile.limit)).members,
            members["atmosphere-tokens"]?.number?.int64 == 1, let purpose = members["for"]?.string,
            let access = members["access"]?.string, let obtained = members["obtained"]?.number?.int64
        else { return nil }
        self.init(purpose: purpose, access: access, obtained: Timestamp(milliseconds: obtained))
        expires = members["expires"]?.number?.int64.map { Timestamp(milliseconds: $0) }
        refresh = members["refresh"]?.string
        scope = members["scope"]?.string
        origin = members["origin"]?.string
        if let refused = members["refused"]?.members, let message = refused["message"]?.string,
            let start = refused["start"]?.number?.int64, let end = refused["end"]?.number?.int64
        {
            refusal = Refusal(
                message: message, start: Timestamp(milliseconds: start), end: Timestamp(milliseconds: end))
        }
    }

    /// One line of JSON.
    package var bytes: [UInt8] {
        var members: Value.Members = [
            "atmosphere-tokens": 1, "for": .string(purpose), "access": .string(access),
            "obtained": .number(JSONNumber(obtained.milliseconds))
        ]
        if let expires { members["expires"] = .number(JSONNumber(expires.milliseconds)) }
        for (name, text) in [("refresh", refresh), ("scope", scope), ("origin", origin)] {
            if let text { members[name] = .string(text) }
        }
        if let refusal {
            members["refused"] = [
                "message": .string(refusal.message), "start": .number(JSONNumber(refusal.start.milliseconds)),
                "end": .number(JSONNumber(refusal.end.milliseconds))
            ]
        }
        return Value.object(members).json()
    }
}
