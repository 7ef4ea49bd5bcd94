extension Synchronizer {
    // MARK: Signing in

    /// Signs in anew, whatever is kept, and keeps what the server gives; ``run(_:)`` then starts a round.
    ///
    /// Needs a person for the OAuth 2.0 grants `authorization_code` and `device_code` only. Cancelling the task ends it, and
    /// what was kept stays.
    ///
    /// - Parameter show: tells the person what to do; may open a browser.
    /// - Throws: ``SyncError`` `signInNeeded` where the server or the person refused or the time is over, `unreachable`, and
    ///   `wrongState` where the route file declares nothing to sign in to.
    @discardableResult
    public func signIn(
        _ show: @escaping @Sendable (SignInStep) async throws -> Void = { _ in }
    ) async throws -> SignInState {
        let state = try await signInAuthenticator().signIn(show)
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
    public func signOut() async throws -> String? { try await signInAuthenticator().signOut() }

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
            message: "\(routeFile.source) has no auth to sign in with; add auth.oauth2 or auth.session")
    }
}
