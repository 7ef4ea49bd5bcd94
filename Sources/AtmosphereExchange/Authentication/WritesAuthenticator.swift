/// Lets requests that only read go as they are (`auth.for: writes`).
struct WritesAuthenticator<Other: Authenticator>: Authenticator {
    let other: Other

    var usedSecrets: [Secret] { other.usedSecrets }

    func authorize(_ request: inout Request) async throws {
        if !request.isRead { try await other.authorize(&request) }
    }

    func answer(_ challenge: Challenge) async throws -> ChallengeAnswer {
        if challenge.request.isRead { return .signInAgain }
        return try await other.answer(challenge)
    }

    func receive(_ answer: SignedAnswer) async throws {
        if !answer.request.isRead { try await other.receive(answer) }
    }
}

extension WritesAuthenticator: SignInAuthenticator where Other: SignInAuthenticator {
    func signIn(_ show: @escaping @Sendable (SignInStep) async throws -> Void) async throws -> SignInState {
        try await other.signIn(show)
    }

    func signOut() async throws -> String? { try await other.signOut() }

    func signInState() async throws -> SignInState { try await other.signInState() }
}

extension WritesAuthenticator: AskingAuthenticator where Other: AskingAuthenticator {
    var questions: [SignInQuestion] { other.questions }

    /// Signs reads too: they are what the server is asked by.
    func trial(of answers: [String: String]) throws -> SignInTrial { try other.trial(of: answers) }
}

/// An authenticator for writes alone; signs in as it does.
func forWrites(_ other: some Authenticator) -> any Authenticator { WritesAuthenticator(other: other) }
