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
        _ = try await first.trial(of: ["token": "t0"]).keep { _ in }
        for number in 1...3 { try await first.receive(answer(signed(first), "t\(number)")) }
        #expect(try await shown(first) == "Bearer t3")
        #expect(try await shown(authenticator(storage)) == "Bearer t3")
        #expect(first.usedSecrets.map(\.value).contains("t3"))
    }

    @Test("of answers to requests that were signed with one token, the last to come counts")
    func parallel() async throws {
        let storage = MemoryTokenStorage()
        let authenticator = authenticator(storage)
        _ = try await authenticator.trial(of: ["token": "t0"]).keep { _ in }
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
        _ = try await first.trial(of: ["token": "ann-0"]).keep { _ in }
        let request = try await signed(first)
        try await first.receive(answer(request, "ann-1"))
        // Somebody else signs in, in another process.
        _ = try await second.trial(of: ["token": "bob-0"]).keep { _ in }
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
        _ = try await first.trial(of: ["token": "t0"]).keep { _ in }
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
        _ = try await authenticator.trial(of: ["token": "t0"]).keep { _ in }
        try await authenticator.receive(answer(signed(authenticator), next, status: status))
        #expect(try await shown(authenticator) == "Bearer t0")
    }

    @Test("the token stands in a header, a cookie or the body")
    func places() async throws {
        let path = try JSONPath("$.auth.next")
        let places: [SessionSettings.Source] = [.header("X-Next"), .cookie("sid"), .body(path)]
        for place in places {
            let authenticator = authenticator(MemoryTokenStorage(), place)
            _ = try await authenticator.trial(of: ["token": "t0"]).keep { _ in }
            try await authenticator.receive(
                SignedAnswer(
                    request: signed(authenticator), status: 409,
                    headers: ["X-Next": "t1", "Set-Cookie": "sid=t1; Path=/"],
                    body: Array(#"{"auth":{"next":"t1"}}"#.utf8)))
            #expect(try await shown(authenticator) == "Bearer t1", "\(place)")
        }
    }

    @Test(
        "a cookie that the server takes away is no token (RFC 6265 §5.3)",
        arguments: [
            ("sid=t1", "t1"), ("other=x", "t0"), ("sid=deleted; Max-Age=0", "t0"), ("sid=d; path=/; max-age=-1", "t0"),
            ("sid=d; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "t0"),
            ("sid=d; expires=Thu, 01-Jan-1970 00:00:01 GMT", "t0"),
            ("sid=t1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "t1"), ("sid=t1; Max-Age=soon", "t1"),
            ("sid=t1; Expires=Fri, 31 Dec 2999 23:59:59 GMT", "t1")
        ])
    func cookies(_ cookie: String, _ token: String) async throws {
        let authenticator = authenticator(MemoryTokenStorage(), .cookie("sid"))
        _ = try await authenticator.trial(of: ["token": "t0"]).keep { _ in }
        try await authenticator.receive(
            SignedAnswer(request: signed(authenticator), status: 200, headers: ["Set-Cookie": cookie], body: []))
        #expect(try await shown(authenticator) == "Bearer \(token)")
    }

    @Test("of the tokens that were replaced the last ones are known, and secrets of the route file for good")
    func usedSecrets() async throws {
        let authenticator = authenticator(MemoryTokenStorage())
        _ = try await authenticator.trial(of: ["token": "t0"]).keep { _ in }
        for number in 1...200 { try await authenticator.receive(answer(signed(authenticator), "t\(number)")) }
        let known = Set(authenticator.usedSecrets.map(\.value))
        #expect(known.isSuperset(of: ["t200", "t199", "t180"]) && known.count <= 128, "\(known.count)")
        let used = UsedSecrets()
        used.insert(lasting: "password")
        for number in 0..<200 {
            used.insert("client")
            used.insert("t\(number)")
        }
        #expect(Set(used.all.map(\.value)).isSuperset(of: ["password", "client", "t199"]))
    }

    /// Keeps nothing, or cannot be read, as long as it is told to.
    private actor FullStorage: TokenStorage {
        nonisolated let name = "the full storage"
        var bytes: [UInt8]?
        var isFull = false
        var isLocked = false

        func fill(_ isFull: Bool) { self.isFull = isFull }
        func lockUp(_ isLocked: Bool) { self.isLocked = isLocked }
        func load() throws -> [UInt8]? {
            if isLocked { throw StoreError(code: .inputOutput, message: "locked") }
            return bytes
        }
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
        _ = try await authenticator.trial(of: ["token": "t0"]).keep { _ in }
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

    @Test(
        "a token that came while the storage could not be read is saved before the next request; a logout goes before",
        arguments: [false, true])
    func unreadableStorage(isLoggedOut: Bool) async throws {
        let storage = FullStorage()
        let authenticator = authenticator(storage)
        _ = try await authenticator.trial(of: ["token": "t0"]).keep { _ in }
        let request = try await signed(authenticator)
        await storage.lockUp(true)
        for next in ["t1", "t2"] {
            await #expect(throws: SyncError.self) { try await authenticator.receive(answer(request, next)) }
        }
        await #expect(throws: SyncError.self) { _ = try await signed(authenticator) }
        await storage.lockUp(false)
        guard isLoggedOut else {
            #expect(try await shown(authenticator) == "Bearer t2")
            #expect(try await shown(self.authenticator(storage)) == "Bearer t2")
            // What was signed with the token before is known still.
            try await authenticator.receive(answer(request, "t3"))
            #expect(try await shown(authenticator) == "Bearer t3")
            return
        }
        await storage.remove()
        try await authenticator.receive(answer(request, "t3"))
        await #expect(throws: SyncError.self) { _ = try await signed(authenticator) }
        #expect(await storage.bytes == nil)
    }

    @Test("all who wait for what is kept share one reading")
    func sharedReading() async throws {
        let kept = SavedTokens(purpose: "p", access: "t0", obtained: Timestamp(milliseconds: 0))
        let storage = GatedStorage(kept.bytes)
        let keeper = TokenKeeper(storage: storage, purpose: "p", environment: ManualClock().environment())
        try await withThrowingTaskGroup(of: String?.self) { group in
            group.addTask { try await keeper.present()?.access }
            try await storage.begun.pass()
            for _ in 0..<8 { group.addTask { try await keeper.present()?.access } }
            // Whoever asks later gets what was read then.
            for _ in 0..<100 { await Task.yield() }
            storage.gate.open()
            for try await access in group { #expect(access == "t0") }
        }
        #expect(await storage.loads == 1)
    }

    /// Is read when its gate opens.
    private actor GatedStorage: TokenStorage {
        nonisolated let name = "the gated storage"
        nonisolated let (begun, gate) = (Gate(), Gate())
        private let bytes: [UInt8]
        private(set) var loads = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func load() async throws -> [UInt8]? {
            loads += 1
            begun.open()
            try await gate.pass()
            return bytes
        }
        func save(_ bytes: [UInt8]) {}
        func remove() {}
        func lock() -> HeldLock { HeldLock {} }
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
