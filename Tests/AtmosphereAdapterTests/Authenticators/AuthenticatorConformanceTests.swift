#if OAuth2
    import Atmosphere
    import AtmosphereOAuth2
    import AtmospherePlain
    import AtmosphereTesting
    import AtmosphereYAML
    import Foundation
    import Synchronization
    import Testing

    /// Every authenticator of this package, by the suite that every authenticator runs.
    enum TestedAuthenticator: String, CaseIterable, CustomTestStringConvertible {
        case basic, bearer, token, keyInHeader, keyInQuery, closure, signing, kept
        case askedBasic, askedUserPassword, askedBearer, askedToken, askedKeyInHeader, askedKeyInQuery
        case sessionInHeader, sessionInCookie, sessionInQuery
        case clientCredentials, refreshToken, authorizationCode, deviceCode

        var testDescription: String { rawValue }

        private static let base = "https://api.example.com/v1"

        private var auth: String? {
            switch self {
            case .basic: #"{"basic":{"username":"ada","password":"secret:S"}}"#
            case .bearer: #"{"bearer":"secret:S"}"#
            case .token: #"{"token":"secret:S"}"#
            case .keyInHeader: #"{"key":{"header":"X-Key","value":"secret:S"}}"#
            case .keyInQuery: #"{"key":{"query":"key","value":"secret:S"}}"#
            case .askedBasic: #"{"basic":"ask"}"#
            case .askedUserPassword: #"{"basic":{"username":"ada","password":"ask"}}"#
            case .askedBearer: #"{"bearer":"ask","renewed":{"header":"X-Next"}}"#
            case .askedToken: #"{"token":"ask"}"#
            case .askedKeyInHeader: #"{"key":{"header":"X-Key","value":"ask"}}"#
            case .askedKeyInQuery: #"{"key":{"query":"key","value":"ask"},"renewed":{"header":"X-Next"}}"#
            case .sessionInHeader: session(#""body":"$.data.token""#)
            case .sessionInCookie: session(#""cookie":"sid""#)
            case .sessionInQuery: session(#""header":"X-Token""#, #","send":{"query":"t"}"#)
            case .clientCredentials: oauth2("client_credentials")
            case .refreshToken: oauth2("refresh_token", #","refresh":"secret:R""#)
            case .authorizationCode: oauth2("authorization_code", #","authorize":"https://login.example.com/a""#)
            case .deviceCode: oauth2("device_code", #","device":"https://login.example.com/d""#)
            case .closure, .signing, .kept: nil
            }
        }

        private func session(_ token: String, _ more: String = "") -> String {
            #"{"session":{"post":"login","fields":{"user":"ada","password":"secret:S"},"token":{\#(token)}\#(more)},"#
                + #""renewed":{"header":"X-Next"}}"#
        }

        private func oauth2(_ grant: String, _ more: String = "") -> String {
            #"{"oauth2":{"grant":"\#(grant)","token":"https://login.example.com/token","#
                + #""client":{"id":"app","secret":"secret:S"}\#(more)}}"#
        }

        var suite: AuthenticatorSuite {
            let situations: Set<AuthenticatorSuite.Situation> =
                switch self {
                case .basic, .bearer, .token, .keyInHeader, .keyInQuery, .signing, .askedBasic, .askedUserPassword,
                    .askedBearer, .askedToken, .askedKeyInHeader, .askedKeyInQuery:
                    [.ready, .ended, .missing]
                case .closure: [.ready, .renewable, .ended, .missing, .unreachable, .stalled]
                case .sessionInHeader, .sessionInCookie, .sessionInQuery, .clientCredentials, .refreshToken,
                    .authorizationCode, .deviceCode, .kept:
                    Set(AuthenticatorSuite.Situation.allCases)
                }
            return AuthenticatorSuite(
                url: Self.base + "/tasks/1",
                foreignURL: self == .closure ? nil : "https://api.example.com.evil.example/v1/tasks/1",
                situations: situations, renewing: renewing
            ) { try await subject($0) }
        }

        /// The answer that brings the next token.
        private var renewing: (@Sendable (Request, Int) -> SignedAnswer)? {
            switch self {
            case .kept:
                return { request, number in
                    SignedAnswer(request: request, status: 200, headers: ["X-House-Token": "house-next-\(number)"])
                }
            case .askedBearer, .askedKeyInQuery, .sessionInHeader, .sessionInCookie, .sessionInQuery:
                return { request, number in
                    SignedAnswer(request: request, status: 200, headers: ["X-Next": "next-\(number)"])
                }
            default: return nil
            }
        }

        private func subject(_ situation: AuthenticatorSuite.Situation) async throws -> AuthenticatorSuite.Subject {
            switch self {
            case .closure: return closureSubject(situation)
            case .signing:
                return .init(
                    SigningAuthenticator(
                        base: Self.base, keyID: "k1", key: { situation == .missing ? nil : "s3cr3t-value" }),
                    secrets: { ["s3cr3t-value"] })
            case .kept: return keptSubject(situation)
            default: return try await routedSubject(situation)
            }
        }

        /// The guide's, with tokens that a ``TokenKeeper`` keeps.
        private func keptSubject(_ situation: AuthenticatorSuite.Situation) -> AuthenticatorSuite.Subject {
            let (counter, stall) = (Counter(), Gate())
            let storage = MemoryTokenStorage(
                situation == .ended
                    ? SavedTokens(
                        purpose: "house \(Self.base)", access: "house-token-0", obtained: SyncEnvironment.live.now()
                    ).bytes : nil)
            let authenticator = TokenAuthenticator(base: Self.base, tokens: storage) { purpose, _ in
                switch situation {
                case .ended, .missing:
                    throw SyncError(
                        code: .signInNeeded, message: "the key is not accepted; ask the house for another",
                        failure: situation == .ended ? .init(status: 401, message: "") : nil)
                case .unreachable:
                    throw SyncError(code: .unreachable, message: "the house does not answer")
                case .stalled: try await stall.pass()
                case .ready, .renewable: break
                }
                counter.add()
                return SavedTokens(
                    purpose: purpose, access: "house-token-\(counter.value)", obtained: SyncEnvironment.live.now())
            }
            return .init(
                authenticator, secrets: { (0...counter.value).map { "house-token-\($0)" } },
                renewals: { counter.value }, stall: stall)
        }

        private func closureSubject(_ situation: AuthenticatorSuite.Situation) -> AuthenticatorSuite.Subject {
            struct NoNetwork: Error {}
            let (counter, stall) = (Counter(), Gate())
            return .init(
                ClosureAuthenticator {
                    switch situation {
                    case .missing: throw SyncError(code: .signInNeeded, message: "nobody is signed in")
                    case .unreachable: throw NoNetwork()
                    case .stalled: try await stall.pass()
                    case .ready, .renewable, .ended: break
                    }
                    return .bearer("app-token-\(counter.value)")
                } renew: {
                    guard situation == .renewable else { return false }
                    counter.add()
                    return true
                }, secrets: { (0...counter.value).map { "app-token-\($0)" } }, renewals: { counter.value }, stall: stall
            )
        }

        private func routedSubject(
            _ situation: AuthenticatorSuite.Situation
        ) async throws -> AuthenticatorSuite.Subject {
            let text = #"{"atmosphere":1,"base":"\#(Self.base)","auth":\#(auth ?? ""),"resources":{"tasks":{}}}"#
            let file = try RouteFile.load(bytes: Array(text.utf8), source: "a.json", adapters: [.plain, .oauth2])
            let secrets = SecretSource(
                environment: situation == .missing ? [:] : ["S": "s3cr3t-value", "R": "first-refresh"])
            let stall = situation == .stalled ? Gate() : nil
            let server = FakeAuthorizationServer(
                isReachable: situation != .unreachable, refuses: situation == .ended, gate: stall)
            let storage = MemoryTokenStorage(try await kept(situation, file))
            let authenticator = try #require(
                try [Adapter.plain, .oauth2].authenticator(
                    for: file, secrets: secrets, transport: server.transport, tokens: storage))
            return .init(
                authenticator,
                secrets: { ["s3cr3t-value", "first-refresh", "kept-access"] + server.given },
                renewals: { server.count }, stall: stall)
        }

        /// What an earlier run had saved.
        private func kept(_ situation: AuthenticatorSuite.Situation, _ file: RouteFile) async throws -> [UInt8]? {
            let purpose: String
            switch file.auth {
            case .oauth2(let settings):
                guard situation != .missing else { return nil }
                // The token endpoint is asked at once where what is kept has ended, else after a refusal.
                purpose = "oauth2 https://api.example.com:443 \(settings.token) app"
            case .session(let settings):
                guard situation == .ended else { return nil }
                purpose = "session \(Self.base) \(settings.path)"
            case .asked(let asked):
                guard situation != .missing else { return nil }
                let storage = MemoryTokenStorage()
                let typed = AskedAuthenticator(
                    settings: asked, base: Self.base, secrets: SecretSource(environment: [:]), storage: storage)
                let answers = typed.questions.map { ($0.name, $0.isSecret ? "s3cr3t-value" : "ada") }
                _ = try await typed.trial(of: Dictionary(uniqueKeysWithValues: answers)).keep { _ in }
                return await storage.load()
            default: return nil
            }
            if situation == .ready, self == .clientCredentials { return nil }
            let hasEnded = [.unreachable, .stalled, .ready].contains(situation)
            let expires = hasEnded ? 1 : Int64.max / 2000
            let members: Value = [
                "atmosphere-tokens": 1, "for": .string(purpose), "access": "kept-access", "obtained": 0,
                "expires": .number(JSONNumber(expires)), "refresh": "first-refresh"
            ]
            return members.json()
        }

        var checkNames: [String] { suite.checks.map(\.name) }
    }

    final class Counter: Sendable {
        private let number = Mutex(0)
        var value: Int { number.withLock { $0 } }
        func add() { number.withLock { $0 += 1 } }
    }

    @Suite("every authenticator keeps every promise of its protocol")
    struct AuthenticatorConformanceTests {
        static let cases = TestedAuthenticator.allCases.flatMap { tested in tested.checkNames.map { (tested, $0) } }

        @Test("conforms", arguments: cases)
        func conforms(_ tested: TestedAuthenticator, _ name: String) async throws {
            let check = try #require(tested.suite.checks.first { $0.name == name })
            try await check.run()
        }

        @Test("the checks have names of their own", arguments: TestedAuthenticator.allCases)
        func names(_ tested: TestedAuthenticator) {
            #expect(Set(tested.checkNames).count == tested.checkNames.count)
            #expect(tested.checkNames.count >= 7)
        }

        @Test(
            "the guide shows the code that is tested here",
            arguments: ["supplied", "signing", "adapter", "tokens", "suite"])
        func guide(_ name: String) throws {
            let file = URL(filePath: #filePath)
            let example = try String(
                contentsOf: file.deletingLastPathComponent().appending(path: "SignedRequests.swift"), encoding: .utf8)
            let begin = try #require(example.range(of: "// begin \(name)\n"))
            let end = try #require(example.range(of: "// end \(name)\n"))
            let lines = example[begin.upperBound..<end.lowerBound].split(
                separator: "\n", omittingEmptySubsequences: false
            ).map { $0.hasPrefix("    ") ? String($0.dropFirst(4)) : String($0) }
            let text = lines.joined(separator: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
            let root = (0..<4).reduce(file) { url, _ in url.deletingLastPathComponent() }
            let guide = try String(
                contentsOf: root.appending(path: "Sources/Atmosphere/Atmosphere.docc/WritingAnAuthenticator.md"),
                encoding: .utf8)
            #expect(text.count > 200 && guide.contains("```swift\n\(text)\n```"))
        }

        @Test("of many whose token is refused, in two programs on one file, one fetches another for all")
        func shared() async throws {
            let folder = try TemporaryFolder()
            let (counter, base) = (Counter(), "https://api.example.com")
            let programs = (0..<2).map { _ in
                TokenAuthenticator(base: base, tokens: TokenFile(path: folder.file("tokens"))) { purpose, kept in
                    #expect(kept.map { $0.access == "token-1" } ?? (counter.value == 0))
                    counter.add()
                    return SavedTokens(
                        purpose: purpose, access: "token-\(counter.value)", obtained: SyncEnvironment.live.now())
                }
            }
            func sign(_ number: Int) async throws -> Request {
                var request = Request(method: "GET", url: base + "/tasks", mayRepeat: true)
                try await programs[number % 2].authorize(&request)
                return request
            }
            let first = try await sign(0)
            #expect(try await sign(1).headers["X-House-Token"] == "token-1")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let answer = try await programs[number % 2].answer(Challenge(request: first, schemes: []))
                        guard case .retry = answer else {
                            Issue.record("\(answer)")
                            return
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(counter.value == 2)
            #expect(try await sign(1).headers["X-House-Token"] == "token-2")
            let shown = SavedTokens(purpose: "p", access: "hidden", obtained: SyncEnvironment.live.now())
            #expect("\(shown)" == "tokens for p")
        }

        @Test("tokens that the application supplies: used, renewed once for all that were refused")
        func supplied() async throws {
            struct AppAccount: Account {
                let renewals = Counter()
                func accessToken() -> String { "app-\(renewals.value)" }
                func renew() -> Bool {
                    renewals.add()
                    return true
                }
            }
            let transport = ScriptedTransport { request in
                guard request.headers["Authorization"] == "Bearer app-1" else { return Response(status: 401) }
                return Response(status: 200, body: ResponseBody(Array("[]".utf8)))
            }
            let folder = try TemporaryFolder()
            let text =
                #"{"atmosphere":1,"base":"https://api.example.com","store":"memory","transport":"scripted","#
                + #""resources":{"lists":{},"tasks":{}}}"#
            try text.write(toFile: folder.file("tasks.json"), atomically: true, encoding: .utf8)
            let account = AppAccount()
            let api = try await openTasks(
                of: account, folder.file("tasks.json"), [.plain, .memory, .transport("scripted") { _ in transport }])
            #expect(try await api.pull().isComplete)
            try await api.close()
            #expect(account.renewals.value == 1)
        }

        @Test("an error that is not of this package asks nobody to sign in, and says that nothing was sent")
        func foreignErrors() async throws {
            let offline = ClosureAuthenticator { throw URLError(.notConnectedToInternet) }
            let text = #"{"atmosphere":1,"base":"https://api.example.com","resources":{"tasks":{}}}"#
            let file = try RouteFile.load(bytes: Array(text.utf8), source: "a.json", adapters: [.plain])
            for authenticator in [offline as any Authenticator, Thrower(), Thrower(isBare: true)] {
                let api = try await Synchronizer(
                    routeFile: file, store: MemoryStore(), transport: ScriptedTransport(), style: PlainStyle(),
                    authenticator: authenticator)
                let error = await #expect(throws: SyncError.self) {
                    try await api.saveNow(["title": "a"], as: "tasks")
                }
                #expect(error?.code == .unreachable && error?.mayHaveHappened == false, "\(error as Any)")
                try await api.save(["title": "b"], as: "tasks")
                let report = try await api.push()
                #expect(report.signInNeeded == nil && report.unreachable != nil, "\(report)")
                #expect(try await api.pending().count == 1)
                #expect(try await api.unknown().isEmpty)
                try await api.close()
            }
        }

        private enum AppError: Error {
            case offline
            case refused(url: String)
        }

        @Test("what an application's authenticator throws is told without secrets; of another's error the kind alone")
        func messages() async throws {
            let url = "https://id.example/token?refresh_token=s3cr3t-refresh"
            let address = try #require(URL(string: url))
            let thrown: [(any Error, SyncError.Code, String)] = [
                (
                    URLError(.notConnectedToInternet, userInfo: [NSURLErrorFailingURLErrorKey: address]),
                    .unreachable, "there are no credentials now: NSURLErrorDomain -1009"
                ),
                (AppError.offline, .unreachable, "there are no credentials now: AppError.offline"),
                (AppError.refused(url: url), .unreachable, "there are no credentials now: AppError.refused"),
                (
                    TransportError(code: .timeout, message: "POST \(url): no answer", mayHaveArrived: true),
                    .unreachable, "POST https://id.example/token?refresh_token=[secret]: no answer"
                ),
                (SyncError(code: .unreachable, message: "no answer to \(url)"), .unreachable, "token=[secret]"),
                (SyncError(code: .signInNeeded, message: "refused: \(url)"), .signInNeeded, "token=[secret]"),
                (SyncError(code: .refused, message: "refused: \(url)"), .signInNeeded, "token=[secret]")
            ]
            for (error, code, said) in thrown {
                let calls = Counter()
                let account = ClosureAuthenticator {
                    calls.add()
                    guard calls.value == 1 else { throw error }
                    return .bearer("s3cr3t-refresh")
                }
                var request = Request(method: "GET", url: "https://api.example.com/tasks")
                try await account.authorize(&request)
                let told = await #expect(throws: SyncError.self) {
                    var next = Request(method: "GET", url: "https://api.example.com/tasks")
                    try await account.authorize(&next)
                }
                #expect(told?.code == code)
                #expect(told?.message.contains(said) == true, "\(told?.message ?? "")")
                #expect(told?.message.contains("s3cr3t") == false && told?.mayHaveHappened == false)
            }
        }

        private struct Thrower: Authenticator {
            struct Odd: Error {}
            var isBare = false
            func authorize(_ request: inout Request) async throws {
                if isBare { throw Odd() }
                throw SyncError(code: .unreachable, message: "the house does not answer")
            }
            func answer(_ challenge: Challenge) async throws -> ChallengeAnswer { .signInAgain }
        }

        @Test("every example of auth in the guide to route files is one that loads")
        func examples() throws {
            let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            let guide = try String(
                contentsOf: root.appending(
                    path: "Sources/Atmosphere/Atmosphere.docc/TheRouteFile/RouteFileSigningIn.md"),
                encoding: .utf8)
            let examples = guide.components(separatedBy: "```yaml\n").dropFirst()
                .compactMap { $0.components(separatedBy: "```").first }.filter { $0.hasPrefix("auth:") }
            #expect(examples.count >= 6)
            let session = "  session: { post: login, fields: { user: ada }, token: { body: $.token } }"
            for example in examples {
                let text =
                    "atmosphere: 1\nbase: https://api.example.com\nresources: { tasks: }\n"
                    + example.replacingOccurrences(of: "  # and oauth2 or session", with: session)
                let file = try RouteFile.load(
                    bytes: Array(text.utf8), source: "guide.yaml", adapters: [.yaml, .plain, .oauth2])
                #expect(file.auth != .none)
            }
        }

        @Test("the signature of the example is what the guide says it is")
        func signature() async throws {
            let signer = SigningAuthenticator(
                base: "https://api.example.com", keyID: "k1", key: { "key" },
                now: { Date(timeIntervalSince1970: 1_700_000_000) })
            var request = Request(method: "GET", url: "https://api.example.com/tasks?page=2")
            try await signer.authorize(&request)
            // printf 'GET\n/tasks?page=2\n1700000000\nSHA256-OF-NOTHING' | openssl dgst -sha256 -hmac key -binary | base64
            #expect(request.headers["X-Signature"] == "k1:ROs3iIX9q1GVOLBl6WsyO3O/5toYcH9sExZaYtIzrCc=")
            #expect(request.headers["X-Time"] == "1700000000")
        }
    }
#endif
