/// An authenticator whose credentials are obtained by signing in: by a person, or by a request.
public protocol SignInAuthenticator: Authenticator {
    /// Signs in anew, whatever is kept, and keeps what the server gives.
    ///
    /// - Parameter show: tells the person what to do; may open a browser.
    /// - Throws: ``SyncError`` `signInNeeded` where the server or the person refused or the time is over, `unreachable`.
    ///   Cancelling ends it with `CancellationError`; what was kept stays.
    func signIn(_ show: @escaping @Sendable (SignInStep) async throws -> Void) async throws -> SignInState

    /// Gives the tokens back where the server takes them, and forgets them.
    ///
    /// - Returns: why the server could not be told; nil where it was, or where it takes nothing back. The tokens are
    ///   forgotten here in any case.
    func signOut() async throws -> String?

    /// What is kept here; asks no server.
    func signInState() async throws -> SignInState
}

/// An authenticator that wants to know what only a person can type.
package protocol AskingAuthenticator: SignInAuthenticator {
    /// What is asked for, in this order.
    var questions: [SignInQuestion] { get }

    /// Takes what was typed, by the names of the questions; keeps nothing yet.
    ///
    /// - Throws: ``SyncError`` `signInNeeded` for what cannot be sent.
    func trial(of answers: [String: String]) throws -> SignInTrial
}

/// What a person has typed, before the server has seen it.
package struct SignInTrial: Sendable {
    /// Signs with it.
    package var authenticator: any Authenticator
    /// Keeps it, in the place of whatever was kept, as ``TokenKeeper/replace(telling:by:)`` does.
    package var keep: @Sendable (_ tell: @escaping @Sendable (String) async throws -> Void) async throws -> SignInState
}

/// Something that a person types to sign in.
public struct SignInQuestion: Sendable, Hashable {
    /// `username`, `password`, `token` or `key`: the name that the answer goes by.
    public var name: String
    /// Nobody may see it while it is typed.
    public var isSecret: Bool

    package init(name: String, isSecret: Bool) {
        self.name = name
        self.isSecret = isSecret
    }
}

/// What a person has to do to sign in.
public enum SignInStep: Sendable, Hashable {
    /// Open this URL in a browser of this machine.
    case open(url: String)
    /// Open the page with any device and enter the code (RFC 8628 §3.3). `complete` holds the code already, for a QR code
    /// or a browser here.
    case enter(code: String, url: String, complete: String?, until: Timestamp)
    /// Nothing but to wait: the person has signed in, and another process has the place where tokens are kept. The message
    /// names both, and what to do where it takes too long.
    case wait(message: String)
}

/// Whether somebody is signed in.
public struct SignInState: Sendable, Hashable {
    /// There is a token that can be sent, or renewed without a person.
    public var isSignedIn: Bool
    /// The end of the present access token, where the server said.
    public var expires: Timestamp?
    /// It is renewed without a person.
    public var canRenew: Bool
    /// What was granted, where the server said.
    public var scope: String?
    /// The request that the server has just accepted with what a person has typed: `GET me, as “ada”`. nil where nothing
    /// was typed just now, or no request tells.
    public var verifiedBy: String?

    /// What an authenticator knows of what it keeps.
    public init(isSignedIn: Bool, expires: Timestamp? = nil, canRenew: Bool = false, scope: String? = nil) {
        self.isSignedIn = isSignedIn
        self.expires = expires
        self.canRenew = canRenew
        self.scope = scope
    }

    package init(_ tokens: SavedTokens, canRenew: Bool) {
        self.init(isSignedIn: true, expires: tokens.expires, canRenew: canRenew, scope: tokens.scope)
    }
}
