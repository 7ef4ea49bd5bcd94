internal import Synchronization

/// Signs with what a person has typed once, which is kept where tokens are (`ask` in the route file).
///
/// No request gets it: it stays until somebody signs in anew, or out, or an answer brings the next one.
package struct AskedAuthenticator: AskingAuthenticator {
    private let settings: AskedSettings
    fileprivate let base: String
    private let secrets: SecretSource
    private let environment: SyncEnvironment
    private let keeper: TokenKeeper
    private let renewed: SessionSettings.Source?
    fileprivate let used = UsedSecrets()

    /// An authenticator that throws as long as nobody has signed in.
    ///
    /// - Parameters:
    ///   - base: no other origin gets what was typed.
    ///   - secrets: where a user name is looked up that the route file names as a secret.
    ///   - renewed: where an answer has the next token; nil where none has one.
    package init(
        settings: AskedSettings, base: String, secrets: SecretSource, storage: any TokenStorage,
        renewed: SessionSettings.Source? = nil, environment: SyncEnvironment = .live
    ) {
        self.settings = settings
        self.renewed = renewed
        self.base = base
        self.secrets = secrets
        self.environment = environment
        keeper = TokenKeeper(storage: storage, purpose: Self.purpose(settings, base), environment: environment)
    }

    package var usedSecrets: [Secret] { used.all }

    /// Adds what is kept.
    ///
    /// - Throws: ``SyncError`` `signInNeeded` where nothing is, where it cannot be read, and for a request to another origin.
    package func authorize(_ request: inout Request) async throws {
        try request.checkOrigin(base)
        guard let tokens = try ofUser(try await keeper.present()) else {
            throw SyncError(
                code: .signInNeeded, message: "nobody is signed in at \(base); run atmos login, or sign in")
        }
        carrier.put(tokens.access, into: &request, used)
    }

    /// Another process may have signed in anew meanwhile; nothing else is new.
    package func answer(_ challenge: Challenge) async throws -> ChallengeAnswer {
        guard let tokens = try ofUser(try await keeper.reread()), !carrier.holds(tokens.access, challenge.request)
        else {
            return .signInAgain
        }
        return .retry
    }

    /// Keeps the next token, where the answer has one.
    ///
    /// - Throws: as ``TokenKeeper/replace(_:by:lifetime:)``.
    package func receive(_ answer: SignedAnswer) async throws {
        guard let next = next(in: answer), let old = carrier.credential(in: answer.request) else { return }
        used.insert(next)
        try await keeper.replace(old, by: next)
    }

    /// What an answer brings that can be sent.
    fileprivate func next(in answer: SignedAnswer) -> String? {
        guard let next = renewed?.token(in: answer, at: environment.now()), complaint(about: next, questions[0]) == nil
        else { return nil }
        return next
    }

    // MARK: Signing in

    package var questions: [SignInQuestion] {
        switch settings {
        case .basic(nil): [.init(name: "username", isSecret: false), .init(name: "password", isSecret: true)]
        case .basic: [.init(name: "password", isSecret: true)]
        case .bearer, .token: [.init(name: "token", isSecret: true)]
        case .keyInHeader, .keyInQuery: [.init(name: "key", isSecret: true)]
        }
    }

    package func trial(of answers: [String: String]) throws -> SignInTrial {
        let typed = try credential(from: answers)
        let signing = TypedAuthenticator(typed, by: self)
        return SignInTrial(authenticator: signing) { tell in
            let tokens = SavedTokens(
                purpose: Self.purpose(settings, base), access: signing.credential, obtained: environment.now())
            return SignInState(try await keeper.replace(telling: tell) { _ in tokens }, canRenew: false)
        }
    }

    /// Only what a person types is of use here.
    package func signIn(
        _ show: @escaping @Sendable (SignInStep) async throws -> Void
    ) async throws -> SignInState {
        let names = questions.map(\.name).joined(separator: " and ")
        throw SyncError(
            code: .signInNeeded,
            message: "a person has to type \(names): run atmos login, or call signIn(answers:)")
    }

    package func signOut() async throws -> String? {
        try await keeper.remove()
        return nil
    }

    package func signInState() async throws -> SignInState {
        guard let tokens = try ofUser(try await keeper.kept()) else { return SignInState(isSignedIn: false) }
        return SignInState(tokens, canRenew: false)
    }

    // MARK: What was typed

    fileprivate var carrier: CredentialCarrier {
        switch settings {
        case .basic: .basic
        case .bearer: .authorization(scheme: "Bearer")
        case .token(let scheme): .authorization(scheme: scheme)
        case .keyInHeader(let name): .header(name)
        case .keyInQuery(let name): .query(name)
        }
    }

    /// What is kept for another API, another user or another way to sign in counts as nothing; ``ofUser(_:)`` tells
    /// a user name that is a secret.
    private static func purpose(_ settings: AskedSettings, _ base: String) -> String {
        switch settings {
        case .basic(.literal(let name)?): "basic \(base) \(name)"
        case .basic: "basic \(base)"
        case .bearer: "bearer \(base)"
        case .token: "token \(base)"
        case .keyInHeader, .keyInQuery: "key \(base)"
        }
    }

    /// A password is of no use with another user name than it was typed for.
    ///
    /// - Throws: ``SyncError`` `signInNeeded` where the user name is a secret that is not set.
    private func ofUser(_ tokens: SavedTokens?) throws -> SavedTokens? {
        guard case .basic(.secret(let name)?) = settings, let tokens else { return tokens }
        return tokens.access.hasPrefix("\(try user(name)):") ? tokens : nil
    }

    private func user(_ name: SecretName) throws -> String {
        let user: String
        do {
            user = try secrets.secret(name).value
        } catch {
            throw SyncError(code: .signInNeeded, message: "\(error)", cause: error)
        }
        used.insert(lasting: user)
        try CredentialCarrier.checkUserName(user)
        return user
    }

    /// - Throws: ``SyncError`` `signInNeeded`, which repeats nothing of what was typed.
    private func credential(from answers: [String: String]) throws -> String {
        for question in questions {
            guard let complaint = complaint(about: answers[question.name] ?? "", question) else { continue }
            throw SyncError(
                code: .signInNeeded, message: "the \(question.name) \(complaint); sign in again (atmos login)")
        }
        guard case .basic(let username) = settings else { return answers[questions[0].name] ?? "" }
        let password = answers["password"] ?? ""
        switch username {
        case nil: return "\(answers["username"] ?? ""):\(password)"
        case .literal(let name)?: return "\(name):\(password)"
        case .secret(let name)?: return "\(try user(name)):\(password)"
        }
    }

    /// Why a text cannot be sent; nil where it can.
    private func complaint(about text: String, _ question: SignInQuestion) -> String? {
        if text.isEmpty { return "is empty" }
        if text.utf8.count > 16 << 10 { return "is longer than 16 KiB" }
        if question.name == "username", text.contains(":") {
            return "holds a colon, which Basic cannot send (RFC 7617)"
        }
        let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        guard isPlain else { return "holds a control character" }
        // Base64 and percent-encoding carry any text, a header only ASCII (RFC 9110 §5.5).
        switch carrier {
        case .basic, .query: return nil
        case .authorization, .header:
            return text.utf8.allSatisfy { $0 < 0x7F } ? nil : "holds a character that is not ASCII"
        }
    }
}

/// Signs with what was typed and is not kept yet, or with what the last answer has brought in its place.
private final class TypedAuthenticator: Authenticator {
    private let asking: AskedAuthenticator
    private let present: Mutex<String>

    init(_ typed: String, by asking: AskedAuthenticator) {
        self.asking = asking
        present = Mutex(typed)
    }

    var credential: String { present.withLock { $0 } }

    var usedSecrets: [Secret] { asking.usedSecrets }

    func authorize(_ request: inout Request) async throws {
        try request.checkOrigin(asking.base)
        asking.carrier.put(credential, into: &request, asking.used)
    }

    /// Whoever typed it has to type it again.
    func answer(_ challenge: Challenge) async throws -> ChallengeAnswer { .signInAgain }

    func receive(_ answer: SignedAnswer) async throws {
        guard let next = asking.next(in: answer) else { return }
        asking.used.insert(next)
        present.withLock { $0 = next }
    }
}
