/// Hands out the present tokens and renews them: one renewal at a time in this process, and among all that share the
/// storage.
///
/// A renewal is not ended by the cancellation of whoever asked for it: the server may have replaced the refresh token by
/// then, and the new one has to be saved. It ends with its request, which has a timeout. Who is cancelled waits for it no
/// longer.
///
/// For an authenticator that signs with a token which it fetches: ask ``tokens(refused:renew:)`` in `authorize`, and again with
/// the token that was refused in `answer`. New tokens are saved before they are used, so that none is spent twice after a
/// crash (RFC 9700 §4.14.2); a sign-in that the server refused is not tried again for five minutes, by no process.
public actor TokenKeeper {
    /// Gets new tokens from the server; gets those that are kept, usable or not, such as for their refresh token.
    ///
    /// It throws ``SyncError`` `signInNeeded` where only a person can go on. With the server's status in ``SyncError/failure``
    /// that is remembered for the other processes too; without one, only here.
    public typealias Renew = @Sendable (_ kept: SavedTokens?) async throws -> SavedTokens

    /// How long nobody tries again after a refusal that only a person can repair, because servers lock accounts.
    private static let refusalHolds = Duration.seconds(300)

    private let storage: any TokenStorage
    private let purpose: String
    private let environment: SyncEnvironment
    private var state = State.unread
    private var renewing: Task<SavedTokens, any Error>?
    private var reading: Task<SavedTokens?, any Error>?
    /// Takes what the last answer has brought.
    private var taking: Task<Void, any Error>?
    /// Access tokens that answers have given one after another, the newest last.
    private var lineage: [String] = []
    private var lastRenewal = Renewal.usual

    private enum State: Equatable {
        case unread
        /// What the storage held at this time.
        case kept(SavedTokens?, at: Timestamp)
        /// Obtained and not saved: not used before they are.
        case unsaved(SavedTokens, over: SavedTokens?)

        /// What is kept, as far as it is known here.
        var kept: SavedTokens? {
            switch self {
            case .unread: nil
            case .kept(let tokens, _), .unsaved(_, over: let tokens): tokens
            }
        }
    }

    private enum Renewal {
        case usual
        /// Only a person can repair it: it is not tried again with what was kept then.
        case refused(SyncError, with: SavedTokens?, until: Timestamp)
        /// It took the place of a refused token: where these are refused as well, others would fare no better.
        case replaced(by: SavedTokens)
    }

    /// What the storage holds.
    private struct Reading {
        /// nil where there are none, or some for another purpose.
        var tokens: SavedTokens?
        /// What any process was refused.
        var refusal: SavedTokens.Refusal?
        var isForeign = false
    }

    /// A keeper of the tokens for one purpose; reads nothing yet.
    ///
    /// - Parameters:
    ///   - storage: shared by all that use the same tokens; nothing else may be kept in it.
    ///   - purpose: what the tokens may be sent to, such as the kind of sign-in, the API's base and the account's name; no
    ///     secret. What is kept for another purpose counts as nothing, and is replaced by the next renewal.
    ///   - environment: its clock tells when a token ends.
    public init(storage: any TokenStorage, purpose: String, environment: SyncEnvironment = .live) {
        self.storage = storage
        self.purpose = purpose
        self.environment = environment
    }

    /// Tokens that may be sent now: those that are kept, as long as they are good, else new ones. All who ask meanwhile get
    /// the same.
    ///
    /// - Parameters:
    ///   - refused: an access token that the server did not accept: tokens with another one are taken for better.
    ///   - renew: called where there are none that may be sent, once for all who wait, while no other process renews.
    /// - Throws: ``SyncError`` `signInNeeded` where only a person can go on, `unreachable` where trying again later may
    ///   help; `CancellationError` as soon as the caller is cancelled, while the renewal goes on for the others.
    public func tokens(refused: String? = nil, renew: @escaping Renew) async throws -> SavedTokens {
        while let renewing {
            let tokens = try await renewing.valueUnlessCancelled()
            if tokens.access != refused { return tokens }
            // What came of it was refused since; whoever noticed first has begun the next one.
        }
        if case .kept(let tokens?, _) = state, isUsable(tokens, refused) { return tokens }
        try Task.checkCancellation()
        let task = Task {
            // Before its outcome is known to anybody: nobody waits for one that has ended.
            defer { self.renewing = nil }
            return try await self.renewed(refused: refused, renew)
        }
        renewing = task
        return try await task.valueUnlessCancelled()
    }

    /// What is kept, usable or not; nil where nothing is, or something for another purpose. Asks no server.
    ///
    /// - Throws: ``SyncError`` `signInNeeded` where the storage cannot be read, or holds what this version cannot.
    public func kept() async throws -> SavedTokens? { try await read().tokens }

    private func read() async throws -> Reading {
        let bytes = try await attempt("cannot be read") { try await $0.load() }
        guard let bytes, !bytes.isEmpty else { return Reading() }
        guard var tokens = SavedTokens(bytes) else {
            // Taken for nothing, the refresh token that these came from would be sent a second time, which ends the whole
            // sign-in (RFC 9700 §4.14.2).
            throw SyncError(
                code: .signInNeeded,
                message: "\(storage.name) holds no tokens that this version can read; put back a copy, or forget them: "
                    + "atmos logout")
        }
        guard tokens.purpose == purpose else { return Reading(isForeign: true) }
        let refusal = tokens.refusal
        tokens.refusal = nil
        // A refusal alone is kept without a token.
        return Reading(tokens: tokens.access.isEmpty ? nil : tokens, refusal: refusal)
    }

    /// How long what was read counts as kept: a program that reads it may take a while.
    private static let readingHolds = Duration.seconds(5)

    /// What is used now: what is kept, read anew behind a while, as another process may have signed in anew, or out. nil where
    /// nothing is. Renews nothing.
    package func present() async throws -> SavedTokens? {
        if case .kept(let tokens?, let time) = state, let age = time.age(at: environment.now()), age < Self.readingHolds
        {
            return tokens
        }
        return try await reread()
    }

    /// What is kept now, also where another process has replaced what this one has used; it is used from here on. All who
    /// ask meanwhile wait for one reading.
    package func reread() async throws -> SavedTokens? {
        if let reading { return try await reading.valueUnlessCancelled() }
        try Task.checkCancellation()
        let task = Task {
            defer { self.reading = nil }
            return try await self.readAnew()
        }
        reading = task
        return try await task.valueUnlessCancelled()
    }

    private func readAnew() async throws -> SavedTokens? {
        let before = state
        if case .unsaved = before {
            let lock = try await lock()
            defer { lock.release() }
            return try await settle().tokens
        }
        let stored = try await kept()
        // An answer may have brought the next one while this one was read.
        if state == before { state = .kept(stored, at: environment.now()) }
        return state.kept
    }

    /// What is kept, after what could not be saved before is saved. Whoever has signed in meanwhile, or out, in another
    /// process goes before. Called under the lock.
    private func settle() async throws -> Reading {
        let reading = try await read()
        guard case .unsaved(let tokens, let replaced) = state, replaced?.access == reading.tokens?.access else {
            state = .kept(reading.tokens, at: environment.now())
            return reading
        }
        try await save(tokens, over: reading.tokens)
        return Reading(tokens: tokens)
    }

    /// How many replaced tokens are known: requests that are on the wire at the same time are signed with one of them.
    private static let rememberedTokens = 64

    /// Takes the token that an answer has brought in the place of the one that its request was signed with, and saves it
    /// before it is used. What the cancelled have begun goes on.
    ///
    /// Of several answers to requests that were signed with one token, the last to come counts. Nothing is taken where
    /// what is kept does not go back to `old`: somebody has signed in anew or out meanwhile, here or in another process, or
    /// that has a newer token already; what is kept is used then.
    ///
    /// - Parameters:
    ///   - old: the access token that the request was signed with.
    ///   - access: the one that the answer has brought; the same again changes nothing.
    ///   - lifetime: nil where only the server's refusal tells.
    /// - Throws: ``SyncError`` `signInNeeded` where the storage fails, and the token is saved before the next one is asked for;
    ///   `unreachable` where another process has it. `CancellationError`.
    public func replace(_ old: String, by access: String, lifetime: Duration? = nil) async throws {
        guard !access.isEmpty, access != old, access != state.kept?.access else { return }
        LastingWork.begin()
        let before = taking
        let task = Task {
            defer { LastingWork.end() }
            _ = await before?.result
            try await self.follow(old, access, lifetime)
        }
        taking = task
        try await task.valueUnlessCancelled()
    }

    private func follow(_ old: String, _ access: String, _ lifetime: Duration?) async throws {
        do {
            let lock = try await lock()
            defer { lock.release() }
            guard let stored = try await settle().tokens, goesBack(stored, to: old) else { return }
            try await save(successor(of: stored, access, lifetime), over: stored)
        } catch {
            // Saved before the next request is signed.
            if let held = state.kept, goesBack(held, to: old) {
                state = .unsaved(successor(of: held, access, lifetime), over: held)
            }
            throw error
        }
    }

    private func goesBack(_ tokens: SavedTokens, to old: String) -> Bool {
        guard let place = lineage.lastIndex(of: tokens.access) else { return tokens.access == old }
        return lineage[...place].contains(old)
    }

    private func successor(of tokens: SavedTokens, _ access: String, _ lifetime: Duration?) -> SavedTokens {
        let earlier = lineage.lastIndex(of: tokens.access).map { Array(lineage[..<$0]) } ?? []
        lineage = (earlier + [tokens.access, access]).suffix(Self.rememberedTokens)
        var next = tokens
        next.access = access
        next.obtained = environment.now()
        next.expires = lifetime.map { next.obtained.advanced(by: $0) }
        return next
    }

    /// What is kept, for giving it back; or why it cannot be read, which keeps nobody from forgetting it.
    package func leftover() async -> (tokens: SavedTokens?, problem: String?) {
        do {
            return (try await kept(), nil)
        } catch {
            return (nil, (error as? SyncError)?.message ?? "\(error)")
        }
    }

    /// Replaces whatever is kept by what a person has just signed in for; forgets that an earlier sign-in was refused.
    ///
    /// - Throws: what `make` throws, and ``SyncError`` `signInNeeded` where the storage fails, `unreachable` where another
    ///   process has it; `CancellationError`. What was kept stays then.
    @discardableResult
    public func replace(by make: @Sendable (_ kept: SavedTokens?) async throws -> SavedTokens) async throws
        -> SavedTokens
    {
        let lock = try await lock()
        defer { lock.release() }
        return try await saved(over: try await kept(), make)
    }

    /// Replaces whatever is kept by what a person has just taken the trouble to sign in for: it waits until no other
    /// process has the storage, however long that takes.
    ///
    /// - Parameter tell: called where it has taken half a minute, with the storage that is waited for and what to do.
    /// - Throws: as ``replace(by:)``, but for `unreachable` of its own.
    @discardableResult
    public func replace(
        telling tell: @escaping @Sendable (_ message: String) async throws -> Void,
        by make: @Sendable (_ kept: SavedTokens?) async throws -> SavedTokens
    ) async throws -> SavedTokens {
        let lock = try await lock(telling: tell)
        defer { lock.release() }
        return try await saved(over: try await kept(), make)
    }

    /// Gets new tokens where they can be saved, and saves them.
    private func saved(
        over stored: SavedTokens?, _ make: (_ kept: SavedTokens?) async throws -> SavedTokens
    ) async throws -> SavedTokens {
        try await attempt("cannot be written") { try await $0.prepare() }
        let tokens: SavedTokens
        do {
            tokens = try await make(stored)
        } catch {
            // Where it fails, some blanks stay.
            try? await storage.withdraw()
            throw error
        }
        try await save(tokens, over: stored)
        return tokens
    }

    /// Makes sure that new tokens can be saved, before a person takes the trouble to get some.
    ///
    /// - Throws: ``SyncError`` as ``replace(by:)``.
    package func checkStorage() async throws {
        let lock = try await lock()
        defer { lock.release() }
        try await attempt("cannot be written") { try await $0.prepare() }
        try? await storage.withdraw()
    }

    /// Forgets all tokens; that there are none is no error.
    ///
    /// - Throws: ``SyncError`` `signInNeeded` where the storage fails, `unreachable` where another process has it;
    ///   `CancellationError`.
    public func remove() async throws {
        let lock = try await lock()
        defer { lock.release() }
        (state, lastRenewal) = (.kept(nil, at: environment.now()), .usual)
        try await attempt("cannot be removed") { try await $0.remove() }
    }

    private func isUsable(_ tokens: SavedTokens, _ refused: String?) -> Bool {
        tokens.access != refused && tokens.isGood(at: environment.now())
    }

    private func renewed(refused: String?, _ renew: Renew) async throws -> SavedTokens {
        if let tokens = try await readAnew(), isUsable(tokens, refused) { return tokens }
        let lock = try await lock()
        defer { lock.release() }
        // Another process may have been faster.
        let reading = try await settle()
        if let tokens = reading.tokens, isUsable(tokens, refused) { return tokens }
        let now = environment.now()
        switch lastRenewal {
        case .refused(let error, reading.tokens, let until) where until.isAwaited(at: now, atMost: Self.refusalHolds):
            throw error
        case .replaced(let tokens)
        where tokens.access == refused
            && tokens.obtained.advanced(by: .seconds(10)).isAwaited(at: now, atMost: .seconds(10)):
            throw SyncError(
                code: .signInNeeded,
                message: "the server refuses the token that was given a moment ago; check whether “auth” asks for what "
                    + "the API wants (scopes, audience), and sign in again")
        case .usual, .refused, .replaced: break
        }
        if let refusal = reading.refusal, refusal.holds(at: now) { throw refusal.error }
        LastingWork.begin()
        defer { LastingWork.end() }
        let tokens = try await saved(over: reading.tokens) { kept in
            do {
                return try await renew(kept)
            } catch let error as SyncError where error.code == .signInNeeded {
                throw await remembered(error, reading, now)
            }
        }
        if refused != nil { lastRenewal = .replaced(by: tokens) }
        return tokens
    }

    /// For the other processes; where it cannot be kept, each of them is refused once.
    private func remembered(_ error: SyncError, _ reading: Reading, _ now: Timestamp) async -> SyncError {
        var error = error
        let end = now.advanced(by: Self.refusalHolds)
        // Where the server was not asked there is nothing that others must know.
        if error.failure?.status != nil {
            let refusal = SavedTokens.Refusal(message: error.message, start: now, end: end)
            error = refusal.error
            var tokens = reading.tokens ?? SavedTokens(purpose: purpose, access: "", obtained: now)
            tokens.refusal = refusal
            if !reading.isForeign { try? await storage.save(tokens.bytes) }
        }
        lastRenewal = .refused(error, with: reading.tokens, until: end)
        return error
    }

    private func lock() async throws -> HeldLock { try await attempt("cannot be locked") { try await $0.lock() } }

    /// Waits for as long as it takes.
    private func lock(
        telling tell: @escaping @Sendable (_ message: String) async throws -> Void
    ) async throws -> HeldLock {
        var isTold = false
        while true {
            do {
                return try await attempt("cannot be locked") { try await $0.lock(within: .seconds(30)) }
            } catch let error as SyncError where error.code == .unreachable {
                if !isTold {
                    isTold = true
                    try await tell(
                        "another process has \(storage.name): it signs in, or asks somebody for a passphrase; what you "
                            + "signed in for is kept as soon as it has ended")
                }
                try await environment.sleep(environment.now().advanced(by: .seconds(1)))
            }
        }
    }

    /// - Parameter stored: what is kept, which they take the place of.
    private func save(_ tokens: SavedTokens, over stored: SavedTokens?) async throws {
        state = .unsaved(tokens, over: stored)
        try await attempt("cannot be saved, and are not used before they are") { try await $0.save(tokens.bytes) }
        (state, lastRenewal) = (.kept(tokens, at: environment.now()), .usual)
    }

    /// Has the storage do something; only a person can repair what fails there.
    private func attempt<Result>(
        _ failure: String, _ work: (any TokenStorage) async throws -> Result
    ) async throws -> Result {
        do {
            return try await work(storage)
        } catch let error where error is CancellationError || (error as? SyncError)?.code == .unreachable {
            throw error
        } catch {
            throw SyncError(code: .signInNeeded, message: "\(storage.name) \(failure): \(error)", cause: error)
        }
    }
}
