/// Tokens that the application supplies, from wherever it has them.
///
/// ```swift
/// let account = ClosureAuthenticator {
///     .bearer(try await session.accessToken())
/// } renew: {
///     try await session.refresh()  // false where the user has to sign in
/// }
/// let api = try await Synchronizer.open("tasks.yaml", adapters: adapters, authenticator: account)
/// ```
///
/// `renew` is called once for all requests that the server refused meanwhile, never twice at the same time, and not for a
/// request that was signed before the last renewal.
public final class ClosureAuthenticator: Authenticator {
    /// What a request is signed with.
    public struct Credentials: Sendable {
        /// Headers that are set.
        package var headers: HeaderFields
        /// The secret parts, so that they can be kept out of messages where a server repeats them.
        package var secrets: [Secret]

        /// Headers of the application's own; name in `secrets` each part of them that no message may show.
        public init(headers: HeaderFields, secrets: [Secret]) {
            self.headers = headers
            self.secrets = secrets
        }

        /// `Authorization: Bearer TOKEN` (RFC 6750).
        public static func bearer(_ token: String) -> Credentials {
            Credentials(headers: ["Authorization": "Bearer \(token)"], secrets: [Secret(token)])
        }

        /// `NAME: VALUE`.
        public static func header(_ name: String, _ value: String) -> Credentials {
            Credentials(headers: [name: value], secrets: [Secret(value)])
        }
    }

    private let credentials: @Sendable () async throws -> Credentials
    private let renewals: Renewals
    private let used = UsedSecrets()

    /// An authenticator for tokens that the application has.
    ///
    /// - Parameters:
    ///   - credentials: called for each request; should answer from memory. Throws ``SyncError`` `signInNeeded` where only
    ///     a person can go on.
    ///   - renew: called after a 401; returns whether there are new credentials. nil where there never are.
    public init(
        _ credentials: @escaping @Sendable () async throws -> Credentials,
        renew: (@Sendable () async throws -> Bool)? = nil
    ) {
        self.credentials = credentials
        renewals = Renewals(renew)
    }

    /// Every secret that a request was signed with since this was made.
    public var usedSecrets: [Secret] { used.all }

    /// Sets the headers of the present credentials, over those of the request.
    ///
    /// - Throws: ``SyncError`` as the closure throws it; for any other error `unreachable`, such as for a network that
    ///   fails: what waits is tried again, and nobody is asked to sign in. Of such an error the message says the kind
    ///   alone, for its text may hold anything; throw a ``SyncError`` `unreachable` to say more.
    public func authorize(_ request: inout Request) async throws {
        let credentials: Credentials
        do { credentials = try await self.credentials() } catch { throw meaning(error) }
        for secret in credentials.secrets { used.insert(secret.value) }
        for header in credentials.headers.fields { request.headers[header.name] = header.value }
    }

    /// Has the credentials renewed once for all requests that were refused with the old ones.
    ///
    /// - Returns: `.retry` where there are new ones, or were already; else `.signInAgain`.
    /// - Throws: ``SyncError`` as a closure throws it, `unreachable` for any other error of one; `CancellationError` as soon
    ///   as the caller is cancelled, while the renewal goes on for the others.
    public func answer(_ challenge: Challenge) async throws -> ChallengeAnswer {
        let isRenewed: Bool
        do {
            isRenewed = try await renewals.next {
                // Signed before the last renewal: the new credentials have not been refused yet.
                var again = challenge.request
                try await self.authorize(&again)
                return again.headers != challenge.request.headers
            }
        } catch {
            throw meaning(error)
        }
        return isRenewed ? .retry : .signInAgain
    }

    private func meaning(_ error: any Error) -> any Error {
        error is CancellationError ? error : SyncError.credentials(error, Redaction(used.all))
    }

    /// One renewal at a time; who comes meanwhile gets its outcome.
    private actor Renewals {
        private let renew: (@Sendable () async throws -> Bool)?
        private var running: Task<Bool, any Error>?

        init(_ renew: (@Sendable () async throws -> Bool)?) { self.renew = renew }

        func next(unless isRenewed: @escaping @Sendable () async throws -> Bool) async throws -> Bool {
            if let running { return try await running.valueUnlessCancelled() }
            let renew = renew
            let task = Task {
                // Before its outcome is known to anybody: nobody waits for one that has ended.
                defer { self.running = nil }
                if try await isRenewed() { return true }
                LastingWork.begin()
                defer { LastingWork.end() }
                return try await renew?() ?? false
            }
            running = task
            return try await task.valueUnlessCancelled()
        }
    }
}
