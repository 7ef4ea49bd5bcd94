/// Signs requests and reacts to a challenge.
///
/// The resource client calls it for requests to the origins that the credentials are declared for, and for no other.
/// Everything that it throws leaves the request unsent, and the change that it carries kept.
///
/// To write one, see the guide <doc:WritingAnAuthenticator> and run `AuthenticatorSuite` of AtmosphereTesting.
public protocol Authenticator: Sendable {
    /// Adds what proves who we are.
    ///
    /// Called for each request, and by several tasks at once. A caller that is cancelled must not have to wait for what is
    /// fetched for all.
    ///
    /// - Throws: ``SyncError`` `signInNeeded` where there is nothing to sign with and only a person can change that,
    ///   `unreachable` where trying again later may help. An error that is not of this package is taken for `unreachable`.
    func authorize(_ request: inout Request) async throws

    /// Called after a 401, or another answer that the route file's error rules call `unauthorized`, once for a request.
    /// A refresh happens here: once for all requests that wait, and not for one that was signed before the last refresh.
    ///
    /// - Throws: as ``authorize(_:)``.
    func answer(_ challenge: Challenge) async throws -> ChallengeAnswer

    /// Called with each answer to a request that was signed, a refusal too, before anything else is made of it; not with those
    /// of the servers that the route file names beside the API's (`attachments.….origins`). Some servers give the next token
    /// with every answer. Several tasks call it at once; a 401 is shown here first, and then to ``answer(_:)``.
    ///
    /// The answer stands whatever becomes of its token, so an error is a line in the log and no more; throw again in
    /// ``authorize(_:)`` what keeps requests from being signed. A task that was cancelled must not lose a token here that the
    /// server takes for the present one: ``TokenKeeper/replace(_:by:lifetime:)`` sees to that.
    ///
    /// - Throws: as ``authorize(_:)``.
    func receive(_ answer: SignedAnswer) async throws

    /// Every secret that requests were signed with so far, in each form in which it was sent. A server can repeat what it
    /// was sent; none of these is ever shown, logged or stored with what the server says.
    var usedSecrets: [Secret] { get }
}

extension Authenticator {
    /// Nothing: right for credentials that no answer changes.
    public func receive(_ answer: SignedAnswer) async throws {}

    /// None: right for an authenticator that signs with nothing secret.
    public var usedSecrets: [Secret] { [] }
}

/// An answer to a request that an authenticator has signed.
public struct SignedAnswer: Sendable {
    /// The request as it was sent.
    public var request: Request
    /// The HTTP status.
    public var status: Int
    /// In the order of the answer.
    public var headers: HeaderFields
    /// The whole body, of `limits.body` at the most; nil for the answer to a download, which nobody holds in memory.
    public var body: [UInt8]?

    /// An answer as it came.
    public init(request: Request, status: Int, headers: HeaderFields = [:], body: [UInt8]? = nil) {
        self.request = request
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A 401 (RFC 9110 §11.3).
public struct Challenge: Sendable {
    /// The request as it was sent.
    public var request: Request
    /// The values of `WWW-Authenticate`.
    public var schemes: [String]

    /// A challenge to a request, with the schemes that the answer names.
    package init(request: Request, schemes: [String]) {
        self.request = request
        self.schemes = schemes
    }
}

/// What to do after a 401.
public enum ChallengeAnswer: Sendable {
    /// There are new credentials: authorize and send again, once.
    case retry
    /// Only a person can go on; the origin pauses and everything is kept.
    case signInAgain
}
