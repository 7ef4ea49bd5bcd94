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
    private var held: SavedTokens?
    /// When ``held`` was last what is kept.
    private var checked: Timestamp?
    /// Obtained and not saved: not used before they are.
    private var unsaved: SavedTokens?
    private var running: Task<SavedTokens, any Error>?
    /// Takes what the last answer has brought.
    private var taking: Task<Void, any Error>?
    /// The last renewal that only a person can repair, and what was kept then: it is not tried again with the
    /// same as long as ``refusalHolds`` says.
    private var refusal: (kept: SavedTokens?, error: SyncError, until: Timestamp)?
    /// What another process was refused, as it stood beside the tokens when they were last read.
    private var keptRefusal: SavedTokens.Refusal?
    /// The tokens that were last read are for something else.
    private var isForeign = false
    /// The tokens that answers have replaced, the newest last, and what is kept since.
    private var lineage: (replaced: [String], present: String)?
    /// The token that took the place of a refused one: refused as well, another would fare no better.
    private var replacement: SavedTokens?

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
        while let running {
            let tokens = try await running.valueUnlessCancelled()
            if tokens.access != refused { return tokens }
            // What came of it was refused since; whoever noticed first has begun the next one.
        }
        if unsaved == nil, let held, isUsable(held, refused) { return held }
        try Task.checkCancellation()
        let task = Task {
            // Before its outcome is known to anybody: nobody waits for one that has ended.
            defer { self.running = nil }
            return try await self.renewed(refused: refused, renew)
        }
        running = task
        return try await task.valueUnlessCancelled()
    }

    /// What is kept, usable or not; nil where nothing is, or something for another purpose. Asks no server.
    ///
    /// - Throws: ``SyncError`` `signInNeeded` where the storage cannot be read, or holds what this version cannot.
    public func kept() async throws -> SavedTokens? {
        (keptRefusal, isForeign) = (nil, false)
        let bytes: [UInt8]?
        do {
            bytes = try await storage.load()
        } catch {
            throw failure("cannot be read", error)
        }
        guard let bytes, !bytes.isEmpty else { return nil }
        guard var tokens = SavedTokens(bytes) else {
            // Taken for nothing, the refresh token that these came from would be sent a second time, which ends the whole
            // sign-in (RFC 9700 §4.14.2).
            throw SyncError(
                code: .signInNeeded,
                message: "\(storage.name) holds no tokens that this version can read; put back a copy, or forget them: "
                    + "atmos logout")
        }
        guard tokens.purpose == purpose else {
            isForeign = true
            return nil
        }
        keptRefusal = tokens.refusal
        tokens.refusal = nil
        // A refusal alone is kept without a token.
        return tokens.access.isEmpty ? nil : tokens
    }

    /// How long what was read counts as kept: a program that reads it may take a while.
    private static let readingHolds = Duration.seconds(5)

    /// What is used now: what is kept, read anew behind a while, as another process may have signed in anew, or out. nil where
    /// nothing is. Renews nothing.
    package func present() async throws -> SavedTokens? {
        if unsaved == nil, let held, let age = checked?.age(at: environment.now()), age < Self.readingHolds {
            return held
        }
        return try await reread()
    }

    /// What is kept now, also where another process has replaced what this one has used; it is used from here on.
    package func reread() async throws -> SavedTokens? {
        if unsaved != nil {
            let lock = try await lock()
            defer { lock.release() }
            try await saveAgain()
        }
        let before = held
        let stored = try await kept()
        // An answer may have brought the next one while this one was read.
        if held == before, unsaved == nil { (held, checked) = (stored, environment.now()) }
        return held
    }

    /// Saves what could not be saved before. Whoever has signed in meanwhile, or out, in another process goes before.
    private func saveAgain() async throws {
        guard unsaved != nil else { return }
        let stored = try await kept()
        if let unsaved, stored?.access == held?.access { try await save(unsaved, over: stored) }
        unsaved = nil
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
        guard !access.isEmpty, access != old, access != held?.access else { return }
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
        let lock: HeldLock
        do {
            lock = try await self.lock()
        } catch {
            // Saved before the next request is signed.
            if let held, held.access == old { unsaved = successor(of: held, access, lifetime) }
            throw error
        }
        defer { lock.release() }
        guard let stored = try await kept() else {
            held = nil
            return
        }
        var replaced: [String] = []
        if let lineage, lineage.present == stored.access { replaced = lineage.replaced }
        guard stored.access == old || replaced.contains(old) else {
            held = stored
            return
        }
        try await save(successor(of: stored, access, lifetime), over: stored)
        replaced.append(stored.access)
        lineage = (Array(replaced.suffix(Self.rememberedTokens)), access)
    }

    private func successor(of tokens: SavedTokens, _ access: String, _ lifetime: Duration?) -> SavedTokens {
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
        try await replace(in: try await lock(), by: make)
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
        try await replace(in: try await lock(telling: tell), by: make)
    }

    private func replace(
        in lock: HeldLock, by make: @Sendable (_ kept: SavedTokens?) async throws -> SavedTokens
    ) async throws -> SavedTokens {
        defer { lock.release() }
        try await prepare()
        do {
            let stored = try await kept()
            let tokens = try await make(stored)
            try await save(tokens, over: stored)
            return tokens
        } catch {
            await withdraw()
            throw error
        }
    }

    /// Makes sure that new tokens can be saved, before a person takes the trouble to get some.
    ///
    /// - Throws: ``SyncError`` as ``replace(by:)``.
    package func checkStorage() async throws {
        let lock = try await lock()
        defer { lock.release() }
        try await prepare()
        await withdraw()
    }

    /// Forgets all tokens; that there are none is no error.
    ///
    /// - Throws: ``SyncError`` `signInNeeded` where the storage fails, `unreachable` where another process has it;
    ///   `CancellationError`.
    public func remove() async throws {
        let lock = try await lock()
        defer { lock.release() }
        (held, unsaved, refusal) = (nil, nil, nil)
        do {
            try await storage.remove()
        } catch {
            throw failure("cannot be removed", error)
        }
    }

    private func isUsable(_ tokens: SavedTokens, _ refused: String?) -> Bool {
        tokens.access != refused && tokens.isGood(at: environment.now())
    }

    private func renewed(refused: String?, _ renew: Renew) async throws -> SavedTokens {
        if unsaved == nil, let tokens = try await kept(), isUsable(tokens, refused) {
            held = tokens
            return tokens
        }
        let lock = try await lock()
        defer { lock.release() }
        try await saveAgain()
        // Another process may have been faster.
        let kept = try await kept()
        held = kept
        if let kept, isUsable(kept, refused) { return kept }
        let now = environment.now()
        if let refusal, refusal.kept == kept, refusal.until.isAwaited(at: now, atMost: Self.refusalHolds) {
            throw refusal.error
        }
        if let keptRefusal, keptRefusal.holds(at: now) { throw Self.error(for: keptRefusal) }
        if let refused, let replacement, replacement.access == refused,
            let age = replacement.obtained.age(at: now), age < .seconds(10)
        {
            throw SyncError(
                code: .signInNeeded,
                message: "the server refuses the token that was given a moment ago; check whether “auth” asks for what "
                    + "the API wants (scopes, audience), and sign in again")
        }
        try await prepare()
        LastingWork.begin()
        defer { LastingWork.end() }
        do {
            let tokens = try await renew(kept)
            try await save(tokens, over: kept)
            if refused != nil { replacement = tokens }
            return tokens
        } catch {
            await withdraw()
            guard unsaved == nil, let error = error as? SyncError, error.code == .signInNeeded else { throw error }
            let until = now.advanced(by: Self.refusalHolds)
            refusal = (kept, error, until)
            // Where the server was not asked there is nothing that others must know.
            guard error.failure?.status != nil else { throw error }
            let refused = SavedTokens.Refusal(message: error.message, start: now, end: until)
            refusal?.error = Self.error(for: refused)
            await remember(refused, beside: kept)
            throw Self.error(for: refused)
        }
    }

    /// For the other processes; where it cannot be kept, each of them is refused once.
    private func remember(_ refusal: SavedTokens.Refusal, beside kept: SavedTokens?) async {
        guard !isForeign else { return }
        var tokens = kept ?? SavedTokens(purpose: purpose, access: "", obtained: refusal.start)
        tokens.refusal = refusal
        try? await storage.save(tokens.bytes)
    }

    private func lock(within patience: Duration? = nil) async throws -> HeldLock {
        do {
            guard let patience else { return try await storage.lock() }
            return try await storage.lock(within: patience)
        } catch let error where error is CancellationError || (error as? SyncError)?.code == .unreachable {
            throw error
        } catch {
            throw failure("cannot be locked", error)
        }
    }

    /// Waits for as long as it takes.
    private func lock(
        telling tell: @escaping @Sendable (_ message: String) async throws -> Void
    ) async throws -> HeldLock {
        var isTold = false
        while true {
            do {
                return try await lock(within: .seconds(30))
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

    private func prepare() async throws {
        do {
            try await storage.prepare()
        } catch {
            throw failure("cannot be written", error)
        }
    }

    /// Where it fails, some blanks stay.
    private func withdraw() async {
        if unsaved == nil { try? await storage.withdraw() }
    }

    /// - Parameter stored: what is kept, which they take the place of.
    private func save(_ tokens: SavedTokens, over stored: SavedTokens?) async throws {
        (held, unsaved) = (stored, tokens)
        do {
            try await storage.save(tokens.bytes)
        } catch {
            throw failure("cannot be saved, and are not used before they are", error)
        }
        (held, checked, unsaved, refusal) = (tokens, environment.now(), nil, nil)
    }

    private func failure(_ what: String, _ error: any Error) -> SyncError {
        SyncError(code: .signInNeeded, message: "\(storage.name) \(what): \(error)", cause: error)
    }

    /// What a refusal means for who wants to send something now.
    private static func error(for refusal: SavedTokens.Refusal) -> SyncError {
        let end = refusal.end.secondAbove
        return SyncError(
            code: .signInNeeded,
            message: "\(refusal.message); nothing is tried again before \(end), because servers lock accounts; when it "
                + "is mended, try at once: atmos login")
    }
}
