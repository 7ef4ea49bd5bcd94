#if OAuth2
    import Atmosphere
    import AtmosphereTesting
    import Foundation
    import Synchronization
    import Testing

    @testable import AtmosphereOAuth2

    /// Time that moves when somebody sleeps.
    final class LeapingClock: Sendable {
        private let time = Mutex(Timestamp(milliseconds: 1_700_000_000_000))
        private let slept = Mutex<[Duration]>([])

        var environment: SyncEnvironment {
            SyncEnvironment(
                now: { self.time.withLock { $0 } },
                sleep: { until in
                    try Task.checkCancellation()
                    self.time.withLock { now in
                        self.slept.withLock { $0.append(now.duration(to: until)) }
                        now = max(now, until)
                    }
                }, makeUUID: { "uuid" }, random: { 0.5 })
        }

        var pauses: [Duration] { slept.withLock { $0 } }
        func advance(_ duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
    }

    /// A storage that says in which order it was used, and fails when told.
    actor WatchedStorage: TokenStorage {
        nonisolated var name: String { "the watched tokens" }
        private(set) var events: [String] = []
        private(set) var bytes: [UInt8]?
        var failures: Int

        init(_ bytes: [UInt8]? = nil, failures: Int = 0) {
            self.bytes = bytes
            self.failures = failures
        }

        func load() -> [UInt8]? { bytes }
        func prepare() { events.append("prepare") }
        func save(_ bytes: [UInt8]) throws {
            events.append("save")
            if failures > 0 {
                failures -= 1
                throw StoreError(code: .full, message: "no space")
            }
            self.bytes = bytes
        }
        func remove() { bytes = nil }
        func lock() -> HeldLock { HeldLock {} }
        func note(_ event: String) { events.append(event) }
    }

    enum OAuth2Sample {
        static let base = "https://api.example.com/v1"
        static let token = "https://login.example.com/token"

        static func settings(
            _ grant: OAuth2Settings.Grant, _ change: (inout OAuth2Settings) -> Void = { _ in }
        ) -> OAuth2Settings {
            var settings = OAuth2Settings(
                grant: grant, client: .init(id: .literal("app"), secret: SecretName("S")), token: token)
            settings.refresh = SecretName("R")
            settings.authorize = "https://login.example.com/authorize"
            settings.device = "https://login.example.com/device"
            change(&settings)
            return settings
        }

        static func authenticator(
            _ settings: OAuth2Settings, _ transport: any Transport, storage: any TokenStorage = MemoryTokenStorage(),
            clock: LeapingClock = LeapingClock(),
            secrets: [String: String] = ["S": "s3cr=t value", "R": "first-refresh"],
            base: String = OAuth2Sample.base, receiver: (any RedirectReceiver)? = nil
        ) -> OAuth2Authenticator {
            OAuth2Authenticator(
                settings: settings, base: base, secrets: SecretSource(environment: secrets), transport: transport,
                storage: storage, environment: clock.environment, receiver: receiver,
                randomBytes: { [UInt8](repeating: 7, count: $0) })
        }

        static func signed(_ authenticator: OAuth2Authenticator) async throws -> String? {
            var request = Request(method: "GET", url: base + "/tasks")
            try await authenticator.authorize(&request)
            return request.headers["Authorization"]
        }

        static func code(_ body: () async throws -> Void) async throws -> SyncError? {
            do {
                try await body()
                return nil
            } catch let error as SyncError {
                return error
            }
        }
    }

    @Suite("OAuth 2.0: the token endpoint") struct OAuth2TokenTests {
        @Test("the client shows its secret in the header, both parts coded, or in the body, or has none")
        func clientAuthentication() async throws {
            for (way, header, form) in [
                (
                    OAuth2Settings.Client.Authentication.basic, "Basic YXBwOnMzY3IlM0R0JTIwdmFsdWU=" as String?,
                    "grant_type=client_credentials&scope=a%20b&audience=x"
                ),
                (
                    .body, nil,
                    "grant_type=client_credentials&scope=a%20b&audience=x&client_id=app&client_secret=s3cr%3Dt%20value"
                )
            ] {
                let transport = ScriptedTransport(
                    otherwise: .json(#"{"access_token":"t","token_type":"Bearer","expires_in":10}"#))
                let settings = OAuth2Sample.settings(.clientCredentials) { settings in
                    settings.client.authentication = way
                    settings.scopes = ["a", "b"]
                    settings.parameters = [NamedText(name: "audience", value: "x")]
                }
                #expect(try await OAuth2Sample.signed(OAuth2Sample.authenticator(settings, transport)) == "Bearer t")
                let sent = try #require(transport.requests.first)
                #expect(sent.request.url == OAuth2Sample.token && sent.request.method == "POST")
                #expect(!sent.request.mayRepeat && !sent.request.followsRedirects)
                #expect(sent.request.maximumResponseBytes == 64 << 10)
                #expect(sent.request.headers["Authorization"] == header)
                #expect(sent.text == form)
            }
            let transport = ScriptedTransport(otherwise: .json(#"{"access_token":"t","token_type":"bearer"}"#))
            let settings = OAuth2Sample.settings(.refreshToken) { $0.client.secret = nil }
            _ = try await OAuth2Sample.signed(OAuth2Sample.authenticator(settings, transport))
            #expect(
                transport.requests.first?.text
                    == "grant_type=refresh_token&refresh_token=first-refresh&client_id=app")
        }

        @Test(
            "an answer that is not one is refused without being shown",
            arguments: [
                ("", "is not a JSON object"), ("[]", "is not a JSON object"), ("null", "is not a JSON object"),
                (#"{"token_type":"Bearer"}"#, "no access_token"), (#"{"error":7}"#, "no access_token"),
                (#"{"access_token":7,"token_type":"Bearer"}"#, "no access_token"),
                (#"{"access_token":"","token_type":"Bearer"}"#, "what no token may hold"),
                (#"{"access_token":"hid\r\nX: y","token_type":"Bearer"}"#, "what no token may hold"),
                (#"{"access_token":"hid"}"#, "token_type is not Bearer"),
                (#"{"access_token":"hid","token_type":"DPoP"}"#, "token_type is not Bearer"),
                (#"{"access_token":"hid","token_type":"Bearer","refresh_token":[1]}"#, "refresh_token holds"),
                (#"{"access_token":"hid","token_type":"Bearer","expires_in":"soon"}"#, "expires_in is not a number"),
                (#"{"access_token":"hid","token_type":"Bearer","expires_in":{}}"#, "expires_in is not a number"),
                (
                    #"{"access_token":"hid","token_type":"Bearer","x":"# + String(repeating: "[", count: 20)
                        + String(repeating: "]", count: 20) + "}", "is not a JSON object"
                )
            ])
        func unusable(_ answer: String, _ reason: String) async throws {
            let authenticator = OAuth2Sample.authenticator(
                OAuth2Sample.settings(.clientCredentials), ScriptedTransport(otherwise: .json(answer)))
            let error = try #require(try await OAuth2Sample.code { _ = try await OAuth2Sample.signed(authenticator) })
            #expect(error.code == .signInNeeded)
            #expect(error.message.contains(reason) && !error.message.contains("hid"), "\(error.message)")
        }

        @Test("an answer without end is cut, and is no reason to ask a person twice for nothing")
        func tooLong() async throws {
            let transport = ScriptedTransport(otherwise: .respond(body: [UInt8](repeating: 32, count: 70 << 10)))
            let authenticator = OAuth2Sample.authenticator(OAuth2Sample.settings(.clientCredentials), transport)
            let error = try #require(try await OAuth2Sample.code { _ = try await OAuth2Sample.signed(authenticator) })
            #expect(error.code == .signInNeeded)
            #expect(error.message.contains("larger than 64 KiB") && !error.message.contains("limits.body"))
        }

        @Test("times are read from numbers and texts; none, zero and less say nothing")
        func lifetimes() throws {
            func lifetime(_ text: String) throws -> Duration? {
                try TokenAnswer(
                    Array(#"{"access_token":"t","token_type":"bearer","expires_in":\#(text)}"#.utf8), from: "x"
                ).lifetime
            }
            #expect(try lifetime("3600") == .seconds(3600))
            #expect(try lifetime(#""3600""#) == .seconds(3600))
            #expect(try lifetime("1.5e2") == .seconds(150))
            #expect(try lifetime("1e300") == .seconds(315_360_000))
            for text in ["null", "0", "-5"] { #expect(try lifetime(text) == nil) }
        }

        @Test("a redirect of the token endpoint is not followed")
        func redirect() async throws {
            let transport = ScriptedTransport(
                otherwise: .respond(307, headers: ["Location": "https://evil.example/token"]))
            let authenticator = OAuth2Sample.authenticator(OAuth2Sample.settings(.clientCredentials), transport)
            let error = try #require(try await OAuth2Sample.code { _ = try await OAuth2Sample.signed(authenticator) })
            #expect(error.code == .signInNeeded && error.message.contains("redirect"))
            #expect(transport.requests.map(\.request.url) == [OAuth2Sample.token])
        }

        @Test(
            "a refusal says what to do, and what the server said without our secrets",
            arguments: [
                (400, "invalid_grant", SyncError.Code.signInNeeded, "get a new one and set it as secret:R"),
                (401, "invalid_client", .signInNeeded, "check “auth.oauth2.client”"),
                (400, "invalid_scope", .signInNeeded, "check “auth.oauth2.scopes”"),
                (429, "slow", .unreachable, "try again later"), (503, "", .unreachable, "try again later"),
                (404, "", .signInNeeded, "check the URLs"),
                // As GitHub answers.
                (200, "bad_refresh_token", .signInNeeded, "get a new one and set it as secret:R"),
                (200, "incorrect_client_credentials", .signInNeeded, "check “auth.oauth2.client”"),
                (200, "temporarily_unavailable", .unreachable, "try again later")
            ])
        func refusals(_ status: Int, _ error: String, _ code: SyncError.Code, _ remedy: String) async throws {
            let answer = #"{"error":"\#(error)","error_description":"bad first-refresh, s3cr=t value"}"#
            let transport = ScriptedTransport(otherwise: .json(answer, status: status))
            let authenticator = OAuth2Sample.authenticator(OAuth2Sample.settings(.refreshToken), transport)
            let thrown = try #require(try await OAuth2Sample.code { _ = try await OAuth2Sample.signed(authenticator) })
            #expect(thrown.code == code)
            #expect(thrown.message.contains(remedy) && thrown.message.contains("login.example.com answered \(status)"))
            #expect(thrown.message.contains("bad [secret], [secret]"), "\(thrown.message)")
            // Servers lock accounts: what was refused for good is not asked again at once.
            _ = try await OAuth2Sample.code { _ = try await OAuth2Sample.signed(authenticator) }
            #expect(transport.requests.count == (code == .signInNeeded ? 1 : 2))
        }

        @Test("a code of an error that repeats a secret is told without it")
        func secretCode() async throws {
            let transport = ScriptedTransport(otherwise: .json(#"{"error":"no first-refresh"}"#, status: 400))
            let authenticator = OAuth2Sample.authenticator(OAuth2Sample.settings(.refreshToken), transport)
            let thrown = try #require(try await OAuth2Sample.code { _ = try await OAuth2Sample.signed(authenticator) })
            #expect(thrown.message.contains("login.example.com answered 400 no [secret]"), "\(thrown.message)")
        }
    }

    @Suite("OAuth 2.0: keeping tokens") struct OAuth2KeepingTests {
        private func rotating(_ storage: WatchedStorage? = nil) -> ScriptedTransport {
            let count = Counter()
            return ScriptedTransport { _ in
                count.add()
                await storage?.note("answer \(count.value)")
                return try await ScriptedTransport(
                    otherwise: .json(
                        #"{"access_token":"access-\#(count.value)","token_type":"Bearer","expires_in":100,"#
                            + #""refresh_token":"refresh-\#(count.value)"}"#)
                ).send(Request(method: "GET", url: "x"))
            }
        }

        @Test("room is made before the old refresh token is spent; the new one is saved before anything is signed")
        func order() async throws {
            let storage = WatchedStorage()
            let authenticator = OAuth2Sample.authenticator(
                OAuth2Sample.settings(.refreshToken), rotating(storage), storage: storage)
            #expect(try await OAuth2Sample.signed(authenticator) == "Bearer access-1")
            #expect(await storage.events == ["prepare", "answer 1", "save"])
            #expect(String(decoding: await storage.bytes ?? [], as: UTF8.self).contains("refresh-1"))
        }

        @Test("tokens that cannot be saved are not used before they are, and not lost while the process runs")
        func unsaved() async throws {
            let storage = WatchedStorage(failures: 2)
            let transport = rotating()
            let authenticator = OAuth2Sample.authenticator(
                OAuth2Sample.settings(.refreshToken), transport, storage: storage)
            for _ in 1...2 {
                let error = try await OAuth2Sample.code { _ = try await OAuth2Sample.signed(authenticator) }
                #expect(error?.code == .signInNeeded && error?.message.contains("no space") == true)
            }
            #expect(try await OAuth2Sample.signed(authenticator) == "Bearer access-1")
            #expect(transport.requests.count == 1, "the answer was kept")
        }

        @Test("an access token is renewed before it ends, with the newest refresh token")
        func renewal() async throws {
            let clock = LeapingClock()
            let transport = rotating()
            let authenticator = OAuth2Sample.authenticator(
                OAuth2Sample.settings(.refreshToken), transport, clock: clock)
            #expect(try await OAuth2Sample.signed(authenticator) == "Bearer access-1")
            clock.advance(.seconds(89))
            #expect(try await OAuth2Sample.signed(authenticator) == "Bearer access-1")
            clock.advance(.seconds(2))
            #expect(try await OAuth2Sample.signed(authenticator) == "Bearer access-2")
            #expect(transport.requests.last?.text.contains("refresh_token=refresh-1") == true)
        }

        @Test("another secret begins anew; the same goes on with what was kept")
        func newSecret() async throws {
            let storage = MemoryTokenStorage()
            let clock = LeapingClock()
            let transport = rotating()
            for (secret, sent) in [("one", "one"), ("one", "refresh-1"), ("two", "two")] {
                let authenticator = OAuth2Sample.authenticator(
                    OAuth2Sample.settings(.refreshToken), transport, storage: storage, clock: clock,
                    secrets: ["S": "s", "R": secret])
                _ = try await OAuth2Sample.signed(authenticator)
                #expect(transport.requests.last?.text.contains("refresh_token=\(sent)") == true)
                clock.advance(.seconds(1000))
            }
        }

        @Test("another secret begins anew while the old token is good, once")
        func newSecretAtOnce() async throws {
            let storage = MemoryTokenStorage()
            let clock = LeapingClock()
            let transport = rotating()
            for (secret, access) in [
                ("one", "access-1"), ("one", "access-1"), ("two", "access-2"), ("two", "access-2")
            ] {
                let authenticator = OAuth2Sample.authenticator(
                    OAuth2Sample.settings(.refreshToken), transport, storage: storage, clock: clock,
                    secrets: ["S": "s", "R": secret])
                for _ in 1...2 { #expect(try await OAuth2Sample.signed(authenticator) == "Bearer \(access)") }
            }
            #expect(transport.requests.count == 2)
            #expect(transport.requests.last?.text.contains("refresh_token=two") == true)
        }

        @Test("tokens for another base, token endpoint or client are none")
        func purposes() async throws {
            let storage = MemoryTokenStorage()
            let transport = rotating()
            let settings = OAuth2Sample.settings(.clientCredentials)
            let first = OAuth2Sample.authenticator(settings, transport, storage: storage)
            _ = try await OAuth2Sample.signed(first)
            let byPerson = OAuth2Sample.settings(.authorizationCode)
            let same = OAuth2Sample.authenticator(byPerson, transport, storage: storage)
            #expect(try await same.signInState().isSignedIn)
            let others = [
                OAuth2Sample.authenticator(
                    byPerson, transport, storage: storage, base: "https://api.example.com:444/v1"),
                OAuth2Sample.authenticator(
                    OAuth2Sample.settings(.authorizationCode) { $0.token = "https://login.example.com/other" },
                    transport, storage: storage),
                OAuth2Sample.authenticator(
                    OAuth2Sample.settings(.authorizationCode) { $0.client.id = .literal("app2") }, transport,
                    storage: storage)
            ]
            for other in others {
                #expect(try await !other.signInState().isSignedIn)
                let error = try await OAuth2Sample.code {
                    var request = Request(method: "GET", url: "https://api.example.com:444/v1/x")
                    if other !== others[0] { request.url = "https://api.example.com/v1/x" }
                    try await other.authorize(&request)
                }
                #expect(error?.message.contains("atmos login") == true)
            }
        }

        @Test("a token that is refused as soon as it was given is not replaced for ever")
        func refusedAtOnce() async throws {
            let transport = rotating()
            let authenticator = OAuth2Sample.authenticator(OAuth2Sample.settings(.refreshToken), transport)
            func challenge() async throws -> ChallengeAnswer {
                var request = Request(method: "GET", url: OAuth2Sample.base + "/tasks")
                try await authenticator.authorize(&request)
                return try await authenticator.answer(Challenge(request: request, schemes: []))
            }
            #expect(try await challenge() == .retry)
            let error = try await OAuth2Sample.code { _ = try await challenge() }
            #expect(error?.message.contains("given a moment ago") == true)
            #expect(transport.requests.count == 2)
        }

        @Test("what is kept is damaged, or of another kind: no refresh token is spent a second time for it")
        func damaged() async throws {
            for text in ["{", "[]", #"{"atmosphere-tokens":2}"#, #"{"atmosphere-tokens":1,"for":"x"}"#] {
                let storage = MemoryTokenStorage(Array(text.utf8))
                let transport = rotating()
                let authenticator = OAuth2Sample.authenticator(
                    OAuth2Sample.settings(.refreshToken), transport, storage: storage)
                let error = try await OAuth2Sample.code {
                    var request = Request(method: "GET", url: OAuth2Sample.base + "/tasks")
                    try await authenticator.authorize(&request)
                }
                #expect(error?.message.contains("no tokens that this version can read") == true)
                #expect(transport.requests.isEmpty)
                #expect(try await authenticator.signOut() != nil)
                #expect(try await !authenticator.signInState().isSignedIn)
            }
        }
    }
#endif
