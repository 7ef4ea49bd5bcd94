/// Credentials with what the route file says beside them: a key of the API's own that each request carries, and whether
/// requests that only read carry the credentials too (`auth.for: writes`).
struct AccompaniedAuthenticator<Other: Authenticator>: Authenticator {
    let key: StaticAuthenticator?
    let signsReads: Bool
    let other: Other

    var usedSecrets: [Secret] { (key?.usedSecrets ?? []) + other.usedSecrets }

    func authorize(_ request: inout Request) async throws {
        try await key?.authorize(&request)
        if signs(request) { try await other.authorize(&request) }
    }

    /// The key does not change.
    func answer(_ challenge: Challenge) async throws -> ChallengeAnswer {
        signs(challenge.request) ? try await other.answer(challenge) : .signInAgain
    }

    func receive(_ answer: SignedAnswer) async throws {
        if signs(answer.request) { try await other.receive(answer) }
    }

    private func signs(_ request: Request) -> Bool { signsReads || !request.isRead }
}

extension AccompaniedAuthenticator: SignInAuthenticator where Other: SignInAuthenticator {
    func signIn(_ show: @escaping @Sendable (SignInStep) async throws -> Void) async throws -> SignInState {
        try await other.signIn(show)
    }

    func signOut() async throws -> String? { try await other.signOut() }

    func signInState() async throws -> SignInState { try await other.signInState() }
}

extension AccompaniedAuthenticator: AskingAuthenticator where Other: AskingAuthenticator {
    var questions: [SignInQuestion] { other.questions }

    /// Signs reads too: they are what the server is asked by.
    func trial(of answers: [String: String]) throws -> SignInTrial {
        let trial = try other.trial(of: answers)
        return SignInTrial(authenticator: trial.authenticator.accompanied(by: key), keep: trial.keep)
    }
}

extension Authenticator {
    /// The same credentials beside a key, and for all requests or for writes alone; signs in as they do.
    func accompanied(by key: StaticAuthenticator?, signsReads: Bool = true) -> any Authenticator {
        AccompaniedAuthenticator(key: key, signsReads: signsReads, other: self)
    }
}
