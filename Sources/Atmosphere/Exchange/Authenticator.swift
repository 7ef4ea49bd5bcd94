/// Signs requests and reacts to a challenge.
///
/// The resource client calls it for requests to the origins that the credentials are declared for, and for no other.
public protocol Authenticator: Sendable {
    /// Adds what proves who we are.
    ///
    /// - Throws: ``SyncError`` `signInNeeded` where there is nothing to sign with.
    func authorize(_ request: inout Request) async throws

    /// Called after a 401. A refresh happens here, once for all requests that wait.
    func answer(_ challenge: Challenge) async throws -> ChallengeAnswer

    /// Every secret that requests were signed with so far, in each form in which it was sent. A server can repeat what it
    /// was sent; none of these is ever shown, logged or stored with what the server says.
    var usedSecrets: [Secret] { get }
}

extension Authenticator {
    /// None: right for an authenticator that signs with nothing secret.
    public var usedSecrets: [Secret] { [] }
}

/// A 401 (RFC 9110 §11.3).
public struct Challenge: Sendable {
    /// The request as it was sent.
    public var request: Request
    /// The values of `WWW-Authenticate`.
    public var schemes: [String]

    public init(request: Request, schemes: [String]) {
        self.request = request
        self.schemes = schemes
    }
}

public enum ChallengeAnswer: Sendable {
    /// There are new credentials: authorize and send again, once.
    case retry
    /// Only a person can go on; the origin pauses and everything is kept.
    case signInAgain
}
