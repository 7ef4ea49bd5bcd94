/// A key of the API's own beside other credentials: each request carries both.
struct KeyedAuthenticator<Other: Authenticator>: Authenticator {
    let key: StaticAuthenticator
    let other: Other

    var usedSecrets: [Secret] { key.usedSecrets + other.usedSecrets }

    func authorize(_ request: inout Request) async throws {
        try await key.authorize(&request)
        try await other.authorize(&request)
    }

    /// The key does not change.
    func answer(_ challenge: Challenge) async throws -> ChallengeAnswer { try await other.answer(challenge) }

    func receive(_ answer: SignedAnswer) async throws { try await other.receive(answer) }
}

extension KeyedAuthenticator: SignInAuthenticator where Other: SignInAuthenticator {
    func signIn(_ show: @escaping @Sendable (SignInStep) async throws -> Void) async throws -> SignInState {
        try await other.signIn(show)
    }

    func signOut() async throws -> String? { try await other.signOut() }

    func signInState() async throws -> SignInState { try await other.signInState() }
}

extension KeyedAuthenticator: AskingAuthenticator where Other: AskingAuthenticator {
    var questions: [SignInQuestion] { other.questions }

    func trial(of answers: [String: String]) throws -> SignInTrial {
        let trial = try other.trial(of: answers)
        return SignInTrial(authenticator: keyed(trial.authenticator, with: key), keep: trial.keep)
    }
}

/// An authenticator with a key beside it; signs in as it does.
func keyed(_ other: some Authenticator, with key: StaticAuthenticator) -> any Authenticator {
    KeyedAuthenticator(key: key, other: other)
}

/// Puts the key on requests that fetch credentials from the API's own origin, such as a login; others go as they are.
struct KeyedTransport: Transport {
    let key: StaticAuthenticator
    let base: String
    let transport: any Transport

    func send(_ request: Request) async throws -> Response {
        guard RequestOrigin(request.url) == RequestOrigin(base) else { return try await transport.send(request) }
        var request = request
        try await key.authorize(&request)
        return try await transport.send(request)
    }
}
