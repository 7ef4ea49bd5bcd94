extension Synchronizer {
    // MARK: Signing in

    /// Signs in anew, whatever is kept, and keeps what the server gives; ``run(_:)`` then starts a round.
    ///
    /// Needs a person for the OAuth 2.0 grants `authorization_code` and `device_code` only. Cancelling the task ends it, and
    /// what was kept stays.
    ///
    /// - Parameter show: tells the person what to do; may open a browser.
    /// - Throws: ``SyncError`` `signInNeeded` where the server or the person refused or the time is over, or where there are
    ///   ``signInQuestions``; `unreachable`, and `wrongState` where the route file declares nothing to sign in to.
    @discardableResult
    public func signIn(
        _ show: @escaping @Sendable (SignInStep) async throws -> Void = { _ in }
    ) async throws -> SignInState {
        let state = try await signInAuthenticator().signIn(show)
        try await Ownership(self).noteAuthor()
        requestSynchronization()
        return state
    }

    /// What a person types to sign in, in the order in which it is asked: where the route file's `auth` says `ask`. Empty where
    /// nothing is.
    public var signInQuestions: [SignInQuestion] {
        (client.authenticator as? any AskingAuthenticator)?.questions ?? []
    }

    /// Signs in with what a person has typed: asks the server whether it takes it, keeps it then where tokens are kept, and
    /// signs all requests with it from here on; ``run(_:)`` starts a round.
    ///
    /// The server is asked by the route file's `auth.identity`; without one by one read of the first list that stands below
    /// no other object. ``SignInState/verifiedBy`` says which request it was; where there is none to ask by, it is nil, and
    /// what was typed is kept as it is.
    ///
    /// - Parameters:
    ///   - answers: by the names of ``signInQuestions``.
    ///   - show: told where the server has taken it, and another process has the place where tokens are kept: it waits
    ///     for that.
    /// - Throws: ``SyncError``: `signInNeeded` or `refused` where the server does not take it, `unreachable` where it has not
    ///   said; what was kept before stays then. `signInNeeded` for an answer that is missing or cannot be sent, or cannot be
    ///   kept; `wrongState` where nothing is asked.
    @discardableResult
    public func signIn(
        answers: [String: String], _ show: @escaping @Sendable (SignInStep) async throws -> Void = { _ in }
    ) async throws -> SignInState {
        guard let authenticator = client.authenticator as? any AskingAuthenticator else {
            throw SyncError(
                code: .wrongState,
                message: "\(routeFile.source) asks for nothing that a person types; write ask in the place of "
                    + "secret:NAME, such as auth: { basic: ask }")
        }
        let trial = try authenticator.trial(of: answers)
        let proof = try await SignInProof(self, client.signing(with: trial.authenticator)).request()
        var state = try await trial.keep { try await show(.wait(message: $0)) }
        state.verifiedBy = proof
        try await Ownership(self).noteAuthor()
        requestSynchronization()
        return state
    }

    /// Gives the tokens back where the server takes them, and forgets them. The local copy stays as it is.
    ///
    /// - Returns: why the server could not be told; nil where it was, or where it takes nothing back. The tokens are
    ///   forgotten here in any case.
    /// - Throws: ``SyncError`` `wrongState` where the route file declares nothing to sign in to, `signInNeeded` where the
    ///   tokens cannot be removed.
    @discardableResult
    public func signOut() async throws -> String? {
        let told = try await signInAuthenticator().signOut()
        try await Ownership(self).forgetAuthor()
        return told
    }

    /// Whether somebody is signed in; asks no server. nil where there is nothing to sign in to: requests are not signed, or
    /// with what was set.
    ///
    /// - Throws: ``SyncError`` `signInNeeded` where what is kept cannot be read.
    public func signInState() async throws -> SignInState? {
        try await (client.authenticator as? any SignInAuthenticator)?.signInState()
    }

    private func signInAuthenticator() throws -> any SignInAuthenticator {
        if let authenticator = client.authenticator as? any SignInAuthenticator { return authenticator }
        throw SyncError(
            code: .wrongState,
            message: "\(routeFile.source) has no auth to sign in with; add auth.oauth2 or auth.session, or write ask "
                + "in the place of a secret")
    }

    /// What signs requests; nil where nothing does.
    package var authenticator: (any Authenticator)? { client.authenticator }
}
