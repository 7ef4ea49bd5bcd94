import Atmosphere
import AtmospherePlain
import AtmosphereTesting
import Synchronization
import Testing

@Suite("What a person types once") struct AskedAuthenticatorTests {
    private static let base = "https://api.example.com/v1"

    private func authenticator(
        _ settings: AskedSettings, _ storage: any TokenStorage = MemoryTokenStorage()
    ) -> AskedAuthenticator {
        AskedAuthenticator(
            settings: settings, base: Self.base, secrets: SecretSource(environment: ["U": "grace"]), storage: storage)
    }

    private func signed(_ authenticator: some Authenticator) async throws -> Request {
        var request = Request(method: "GET", url: Self.base + "/tasks?page=1")
        try await authenticator.authorize(&request)
        return request
    }

    @Test(
        "goes where the route file says",
        arguments: [
            (AskedSettings.basic(username: nil), ["username": "ada", "password": "a:b é"], "Basic YWRhOmE6YiDDqQ=="),
            (.basic(username: .literal("ada")), ["password": "p"], "Basic YWRhOnA="),
            (.basic(username: .secret(SecretName("U"))), ["password": "p"], "Basic Z3JhY2U6cA=="),
            (.bearer, ["token": "t1"], "Bearer t1"), (.token(scheme: "Token"), ["token": "t1"], "Token t1"),
            (.keyInHeader(name: "X-Key"), ["key": "k1"], "k1"), (.keyInQuery(name: "key"), ["key": "k & 1"], "")
        ])
    func places(_ settings: AskedSettings, _ answers: [String: String], _ shown: String) async throws {
        let storage = MemoryTokenStorage()
        let authenticator = authenticator(settings, storage)
        #expect(Set(authenticator.questions.map(\.name)) == Set(answers.keys))
        let trial = try authenticator.trial(of: answers)
        let tried = try await signed(trial.authenticator)
        #expect(await storage.load() == nil, "nothing is kept before the server has seen it")
        #expect(try await trial.keep { _ in }.isSignedIn)
        let kept = try await signed(authenticator)
        let later = try await signed(self.authenticator(settings, storage))
        for request in [tried, kept, later] {
            #expect((request.headers["Authorization"] ?? request.headers["X-Key"] ?? "") == shown)
            #expect(request.url.hasSuffix(shown.isEmpty ? "?page=1&key=k%20%26%201" : "?page=1"), "\(request.url)")
        }
        #expect(!authenticator.usedSecrets.isEmpty)
    }

    @Test("another process that has signed in anew is heard of after a refusal; nothing else is new")
    func anew() async throws {
        let storage = MemoryTokenStorage()
        let (first, second) = (authenticator(.bearer, storage), authenticator(.bearer, storage))
        _ = try await first.trial(of: ["token": "old"]).keep { _ in }
        let request = try await signed(first)
        guard case .signInAgain = try await first.answer(Challenge(request: request, schemes: [])) else {
            Issue.record("what was refused is tried again")
            return
        }
        _ = try await second.trial(of: ["token": "new"]).keep { _ in }
        guard case .retry = try await first.answer(Challenge(request: request, schemes: [])) else {
            Issue.record("the new token is not used")
            return
        }
        #expect(try await signed(first).headers["Authorization"] == "Bearer new")
        #expect(try await first.signOut() == nil)
        #expect(try await first.signInState().isSignedIn == false)
        let error = await #expect(throws: SyncError.self) { _ = try await signed(first) }
        #expect(error?.code == .signInNeeded && error?.message.contains("run atmos login") == true)
    }

    @Test("a process that goes on hears of another's sign-in and logout without a refusal")
    func otherProcess() async throws {
        let (storage, clock) = (MemoryTokenStorage(), ManualClock())
        let first = AskedAuthenticator(
            settings: .bearer, base: Self.base, secrets: SecretSource(environment: [:]), storage: storage,
            environment: clock.environment())
        let second = authenticator(.bearer, storage)
        _ = try await first.trial(of: ["token": "old"]).keep { _ in }
        #expect(try await signed(first).headers["Authorization"] == "Bearer old")
        _ = try await second.trial(of: ["token": "new"]).keep { _ in }
        clock.advance(by: .seconds(60))
        #expect(try await signed(first).headers["Authorization"] == "Bearer new")
        _ = try await second.signOut()
        clock.advance(by: .seconds(60))
        let error = await #expect(throws: SyncError.self) { _ = try await signed(first) }
        #expect(error?.code == .signInNeeded && error?.message.contains("run atmos login") == true)
    }

    @Test("what is kept for another API, user or way to sign in counts as nothing")
    func purposes() async throws {
        let storage = MemoryTokenStorage()
        _ = try await authenticator(.basic(username: .literal("ada")), storage).trial(of: ["password": "p"]).keep { _ in
        }
        for other in [AskedSettings.bearer, .basic(username: .literal("bob")), .keyInHeader(name: "X-Key")] {
            #expect(try await authenticator(other, storage).signInState().isSignedIn == false)
        }
    }

    @Test("a password is of no use with another user name than it was typed for, which a secret holds")
    func otherUser() async throws {
        let storage = MemoryTokenStorage()
        func authenticator(_ user: String?) -> AskedAuthenticator {
            AskedAuthenticator(
                settings: .basic(username: .secret(SecretName("U"))), base: Self.base,
                secrets: SecretSource(environment: user.map { ["U": $0] } ?? [:]), storage: storage)
        }
        _ = try await authenticator("grace").trial(of: ["password": "p"]).keep { _ in }
        #expect(try await signed(authenticator("grace")).headers["Authorization"] == "Basic Z3JhY2U6cA==")
        for user in ["ada", "grac", nil] {
            let error = await #expect(throws: SyncError.self) { _ = try await signed(authenticator(user)) }
            #expect(error?.code == .signInNeeded)
        }
        #expect(try await authenticator("ada").signInState().isSignedIn == false)
        #expect(try await authenticator("grace").signInState().isSignedIn)
    }

    @Test("what the server has taken is kept when another process gives the place back, and the wait is told")
    func waiting() async throws {
        let storage = BusyStorage()
        let authenticator = AskedAuthenticator(
            settings: .bearer, base: Self.base, secrets: SecretSource(environment: [:]), storage: storage,
            environment: SyncEnvironment(
                now: { Timestamp(milliseconds: 0) }, sleep: { _ in await storage.giveBack() }, makeUUID: { "uuid" },
                random: { 0 }))
        let told = Mutex<[String]>([])
        let state = try await authenticator.trial(of: ["token": "t0"]).keep { text in told.withLock { $0.append(text) }
        }
        #expect(state.isSignedIn && told.withLock { $0.count } == 1)
        #expect(try await signed(authenticator).headers["Authorization"] == "Bearer t0")
    }

    /// Another process has it until it gives it back.
    private actor BusyStorage: TokenStorage {
        nonisolated let name = "the busy storage"
        private var bytes: [UInt8]?
        private var isBusy = true

        func giveBack() { isBusy = false }
        func load() -> [UInt8]? { bytes }
        func save(_ bytes: [UInt8]) { self.bytes = bytes }
        func remove() { bytes = nil }
        func lock() throws -> HeldLock {
            if isBusy { throw SyncError(code: .unreachable, message: "busy") }
            return HeldLock {}
        }
    }

    @Test("the name of a query parameter can hold any character")
    func queryName() async throws {
        let authenticator = authenticator(.keyInQuery(name: "a&b#"))
        let trial = try authenticator.trial(of: ["key": "k1"])
        let request = try await signed(trial.authenticator)
        #expect(request.url.hasSuffix("?page=1&a%26b%23=k1"), "\(request.url)")
    }

    @Test(
        "what cannot be sent is not tried, and not repeated in the message",
        arguments: [
            (AskedSettings.basic(username: nil), ["username": "ada"], "the password is empty"),
            (.basic(username: nil), ["username": "a:da", "password": "p"], "the username holds a colon"),
            (.bearer, ["token": "hid\r\nX: y"], "the token holds a control character"),
            (.bearer, ["token": "hidé"], "the token holds a character that is not ASCII"),
            (
                .keyInQuery(name: "key"), ["key": String(repeating: "hid", count: 10_000)],
                "the key is longer than 16 KiB"
            )
        ])
    func unusable(_ settings: AskedSettings, _ answers: [String: String], _ message: String) throws {
        let error = #expect(throws: SyncError.self) { _ = try authenticator(settings).trial(of: answers) }
        let told = error?.message ?? ""
        #expect(told.hasPrefix(message) && told.hasSuffix("; sign in again (atmos login)"), "\(told)")
        #expect(!told.contains("hid") && error?.code == .signInNeeded)
    }

    @Test("a colon in a user name that a secret holds is refused before anything is sent")
    func colon() async throws {
        let secrets = SecretSource(environment: ["U": "a:da", "P": "p"])
        let asked = AskedAuthenticator(
            settings: .basic(username: .secret(SecretName("U"))), base: Self.base, secrets: secrets,
            storage: MemoryTokenStorage())
        let typed = #expect(throws: SyncError.self) { _ = try asked.trial(of: ["password": "p"]) }
        let text =
            #"{"atmosphere":1,"base":"\#(Self.base)","#
            + #""auth":{"basic":{"username":"secret:U","password":"secret:P"}},"resources":{"tasks":{}}}"#
        let file = try RouteFile.load(bytes: Array(text.utf8), source: "a.json", adapters: [.plain])
        let authenticator = try #require(
            try [Adapter.plain].authenticator(
                for: file, secrets: secrets, transport: ScriptedTransport(), tokens: MemoryTokenStorage()))
        let kept = await #expect(throws: SyncError.self) { _ = try await signed(authenticator) }
        for error in [typed, kept] {
            #expect(error?.code == .signInNeeded && error?.message.hasPrefix("the user name holds a colon") == true)
        }
    }

    @Test("with auth.for: writes a request that reads carries the key alone, and needs nobody who is signed in")
    func writes() async throws {
        let text =
            #"{"atmosphere":1,"base":"\#(Self.base)","auth":{"basic":"ask","for":"writes","#
            + #""key":{"header":"X-Key","value":"secret:K"}},"resources":{"tasks":{}}}"#
        let file = try RouteFile.load(bytes: Array(text.utf8), source: "a.json", adapters: [.plain])
        let authenticator = try #require(
            try [Adapter.plain].authenticator(
                for: file, secrets: SecretSource(environment: ["K": "k"]), transport: ScriptedTransport(),
                tokens: MemoryTokenStorage()))
        var read = Request(method: "GET", url: Self.base + "/tasks")
        read.isRead = true
        try await authenticator.authorize(&read)
        #expect(read.headers["X-Key"] == "k" && read.headers["Authorization"] == nil)
        guard case .signInAgain = try await authenticator.answer(Challenge(request: read, schemes: [])) else {
            Issue.record("a read that was refused is tried again")
            return
        }
        let error = await #expect(throws: SyncError.self) { _ = try await signed(authenticator) }
        #expect(error?.code == .signInNeeded)
        let asking = try #require(authenticator as? any AskingAuthenticator)
        #expect(asking.questions.map(\.name) == ["username", "password"])
        // The read that verifies what was typed is signed.
        let trial = try asking.trial(of: ["username": "ada", "password": "p"])
        try await trial.authenticator.authorize(&read)
        #expect(read.headers["X-Key"] == "k" && read.headers["Authorization"] == "Basic YWRhOnA=")
        #expect(try await trial.keep { _ in }.isSignedIn)
        #expect(try await signed(authenticator).headers["Authorization"] == "Basic YWRhOnA=")
    }
}
