import Atmosphere
import AtmospherePlain
import AtmosphereTesting
import Testing

@Suite("Tokens that answers bring") struct AnsweredTokenTests {
    private static let base = "https://api.example.com/v1"

    private func authenticator(
        _ storage: any TokenStorage, _ renewed: SessionSettings.Source? = .header("X-Next")
    ) -> AskedAuthenticator {
        AskedAuthenticator(
            settings: .bearer, base: Self.base, secrets: SecretSource(environment: [:]), storage: storage,
            renewed: renewed)
    }

    private func signed(_ authenticator: some Authenticator) async throws -> Request {
        var request = Request(method: "GET", url: Self.base + "/tasks")
        try await authenticator.authorize(&request)
        return request
    }

    private func shown(_ authenticator: some Authenticator) async throws -> String? {
        try await signed(authenticator).headers["Authorization"]
    }

    private func answer(_ request: Request, _ next: String, status: Int = 200) -> SignedAnswer {
        SignedAnswer(request: request, status: status, headers: ["X-Next": next], body: [])
    }

    @Test("the next process goes on with the last token, and it is no secret that is shown")
    func saved() async throws {
        let storage = MemoryTokenStorage()
        let first = authenticator(storage)
        _ = try await first.trial(of: ["token": "t0"]).keep()
        for number in 1...3 { try await first.receive(answer(signed(first), "t\(number)")) }
        #expect(try await shown(first) == "Bearer t3")
        #expect(try await shown(authenticator(storage)) == "Bearer t3")
        #expect(first.usedSecrets.map(\.value).contains("t3"))
    }

    @Test("of answers to requests that were signed with one token, the last to come counts")
    func parallel() async throws {
        let storage = MemoryTokenStorage()
        let authenticator = authenticator(storage)
        _ = try await authenticator.trial(of: ["token": "t0"]).keep()
        let request = try await signed(authenticator)
        for next in ["t1", "t2"] { try await authenticator.receive(answer(request, next)) }
        try await authenticator.receive(answer(signed(authenticator), "t3"))
        try await authenticator.receive(answer(request, "t4"))
        #expect(try await shown(authenticator) == "Bearer t4")
    }

    @Test("an answer of an earlier sign-in, or behind a logout, changes nothing")
    func late() async throws {
        let storage = MemoryTokenStorage()
        let (first, second) = (authenticator(storage), authenticator(storage))
        _ = try await first.trial(of: ["token": "ann-0"]).keep()
        let request = try await signed(first)
        try await first.receive(answer(request, "ann-1"))
        // Somebody else signs in, in another process.
        _ = try await second.trial(of: ["token": "bob-0"]).keep()
        try await first.receive(answer(request, "ann-2"))
        #expect(try await shown(first) == "Bearer bob-0")
        #expect(try await shown(second) == "Bearer bob-0")
        _ = try await second.signOut()
        try await first.receive(answer(request, "ann-3"))
        #expect(try await first.signInState().isSignedIn == false)
        await #expect(throws: SyncError.self) { _ = try await signed(first) }
    }

    @Test("a process whose token another one has replaced hears of the new one")
    func otherProcess() async throws {
        let storage = MemoryTokenStorage()
        let (first, second) = (authenticator(storage), authenticator(storage))
        _ = try await first.trial(of: ["token": "t0"]).keep()
        let (here, there) = (try await signed(first), try await signed(second))
        try await second.receive(answer(there, "t1"))
        guard case .retry = try await first.answer(Challenge(request: here, schemes: [])) else {
            Issue.record("the token of the other process is not used")
            return
        }
        #expect(try await shown(first) == "Bearer t1")
    }

    @Test(
        "what cannot be sent, nothing, and what a 401 says, is no token",
        arguments: [("", 200), ("t\r\nX: y", 200), ("deleted", 401)])
    func unusable(_ next: String, _ status: Int) async throws {
        let authenticator = authenticator(MemoryTokenStorage())
        _ = try await authenticator.trial(of: ["token": "t0"]).keep()
        try await authenticator.receive(answer(signed(authenticator), next, status: status))
        #expect(try await shown(authenticator) == "Bearer t0")
    }

    @Test("the token stands in a header, a cookie or the body")
    func places() async throws {
        let path = try JSONPath("$.auth.next")
        let places: [SessionSettings.Source] = [.header("X-Next"), .cookie("sid"), .body(path)]
        for place in places {
            let authenticator = authenticator(MemoryTokenStorage(), place)
            _ = try await authenticator.trial(of: ["token": "t0"]).keep()
            try await authenticator.receive(
                SignedAnswer(
                    request: signed(authenticator), status: 409,
                    headers: ["X-Next": "t1", "Set-Cookie": "sid=t1; Path=/"],
                    body: Array(#"{"auth":{"next":"t1"}}"#.utf8)))
            #expect(try await shown(authenticator) == "Bearer t1", "\(place)")
        }
    }

    /// Keeps nothing as long as it is told to.
    private actor FullStorage: TokenStorage {
        nonisolated let name = "the full storage"
        var bytes: [UInt8]?
        var isFull = false

        func fill(_ isFull: Bool) { self.isFull = isFull }
        func load() -> [UInt8]? { bytes }
        func save(_ bytes: [UInt8]) throws {
            if isFull { throw StoreError(code: .inputOutput, message: "no space left") }
            self.bytes = bytes
        }
        func remove() { bytes = nil }
        func lock() -> HeldLock { HeldLock {} }
    }

    @Test("a token that cannot be saved is not used, and is saved before the next request")
    func fullStorage() async throws {
        let storage = FullStorage()
        let authenticator = authenticator(storage)
        _ = try await authenticator.trial(of: ["token": "t0"]).keep()
        let request = try await signed(authenticator)
        await storage.fill(true)
        await #expect(throws: SyncError.self) { try await authenticator.receive(answer(request, "t1")) }
        await #expect(throws: SyncError.self) { _ = try await signed(authenticator) }
        await storage.fill(false)
        #expect(try await shown(authenticator) == "Bearer t1")
        #expect(try await shown(self.authenticator(storage)) == "Bearer t1")
    }

    @Test("a replaced token is not sent before its successor is saved; a logout goes before", arguments: [false, true])
    func unsavedSuccessor(isLoggedOut: Bool) async throws {
        let storage = FullStorage()
        let keeper = TokenKeeper(storage: storage, purpose: "p")
        @Sendable func tokens(_ access: String) -> SavedTokens {
            SavedTokens(purpose: "p", access: access, obtained: Timestamp(milliseconds: 0))
        }
        try await keeper.replace { _ in tokens("t0") }
        await storage.fill(true)
        await #expect(throws: SyncError.self) { try await keeper.replace("t0", by: "t1") }
        await #expect(throws: SyncError.self) { _ = try await keeper.tokens { _ in tokens("new") } }
        await storage.fill(false)
        if isLoggedOut { await storage.remove() }
        let present = try await keeper.tokens { _ in tokens("new") }
        #expect(present.access == (isLoggedOut ? "new" : "t1"))
    }

    @Test("a server that takes each token once: a push and a pull go through, and what is kept is the last")
    func oneTokenForOneRequest() async throws {
        let door = TurnstileDoor()
        let storage = MemoryTokenStorage()
        let text =
            #"{"atmosphere":1,"base":"https://api.example.com","limits":{"concurrent":1},"#
            + #""auth":{"bearer":"ask","renewed":{"header":"X-Next"}},"resources":{"tasks":{}}}"#
        let file = try RouteFile.load(bytes: Array(text.utf8), source: "a.json", adapters: [.plain])
        let transport = door.transport
        let authenticator = try [Adapter.plain].authenticator(
            for: file, secrets: SecretSource(environment: [:]), transport: transport, tokens: storage)
        let api = try await Synchronizer(
            routeFile: file, store: MemoryStore(), transport: transport, style: PlainStyle(),
            authenticator: authenticator)
        #expect(try await api.signIn(answers: ["token": "pass-0"]).verifiedBy == "GET tasks")
        try await api.save(["title": "a"], as: "tasks")
        let push = try await api.push()
        #expect(push.created == 1 && push.signInNeeded == nil, "\(push)")
        #expect(try await api.pull().isComplete)
        #expect(door.refused == 0 && door.passed >= 3)
        try await api.close()
    }
}
