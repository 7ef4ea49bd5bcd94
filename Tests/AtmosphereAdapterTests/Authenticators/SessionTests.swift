import Atmosphere
import AtmosphereTesting
import Synchronization
import Testing

/// Time that moves when a test says so.
private final class SteppedClock: Sendable {
    private let time = Mutex(Timestamp(milliseconds: 1_700_000_000_000))

    var environment: SyncEnvironment {
        SyncEnvironment(
            now: { self.time.withLock { $0 } }, sleep: { _ in }, makeUUID: { "uuid" }, random: { 0.5 })
    }

    func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}

@Suite("Login requests") struct SessionTests {
    private static let base = "https://api.example.com/v1"

    private func settings(
        _ token: SessionSettings.Source, _ send: SessionSettings.Carrier,
        _ change: (inout SessionSettings) -> Void = { _ in }
    ) -> SessionSettings {
        var settings = SessionSettings(
            path: "login",
            fields: [
                .init(name: "user", value: .literal("ada")), .init(name: "password", value: .secret(SecretName("P")))
            ], token: token, send: send)
        change(&settings)
        return settings
    }

    private func signed(_ settings: SessionSettings, _ transport: ScriptedTransport) async throws -> Request {
        let authenticator = SessionAuthenticator(
            settings: settings, base: Self.base, secrets: SecretSource(environment: ["P": "p & \"q\""]),
            transport: transport, storage: MemoryTokenStorage())
        var request = Request(method: "GET", url: Self.base + "/tasks?page=1", headers: ["Cookie": "theme=dark"])
        try await authenticator.authorize(&request)
        return request
    }

    @Test("fields as JSON, in a root, as a form, in the URL")
    func codings() async throws {
        for (coding, root, method, url, body) in [
            (SessionSettings.Coding.json, nil, "POST", "", #"{"user":"ada","password":"p & \"q\""}"#),
            (.json, "session", "PUT", "", #"{"session":{"user":"ada","password":"p & \"q\""}}"#),
            (.form, nil, "POST", "", "user=ada&password=p%20%26%20%22q%22"),
            (.form, "user", "POST", "", "user%5Buser%5D=ada&user%5Bpassword%5D=p%20%26%20%22q%22"),
            (.query, nil, "GET", "?user=ada&password=p%20%26%20%22q%22", "")
        ] as [(SessionSettings.Coding, String?, String, String, String)] {
            let transport = ScriptedTransport(otherwise: .json(#"{"token":"t"}"#))
            let request = try await signed(
                settings(.body(try JSONPath("$.token")), .header("Authorization", scheme: "Token")) { settings in
                    settings.coding = coding
                    settings.root = root
                    settings.method = method
                }, transport)
            #expect(request.headers["Authorization"] == "Token t")
            let sent = try #require(transport.requests.first)
            #expect(sent.request.method == method && sent.request.url == Self.base + "/login" + url)
            #expect(sent.text == body && !sent.request.mayRepeat && !sent.request.followsRedirects)
        }
    }

    @Test("a refused login is not tried again by another process for five minutes, but by a person at once")
    func refusedLogin() async throws {
        let storage = MemoryTokenStorage()
        let clock = SteppedClock()
        let transport = ScriptedTransport(otherwise: .json(#"{"error":"bad password"}"#, status: 401))
        func authenticator() -> SessionAuthenticator {
            SessionAuthenticator(
                settings: settings(.body(.member("token")), .header("Authorization", scheme: "Token")),
                base: Self.base, secrets: SecretSource(environment: ["P": "p"]), transport: transport,
                storage: storage, environment: clock.environment)
        }
        func sign(_ authenticator: SessionAuthenticator) async throws {
            var request = Request(method: "GET", url: Self.base + "/tasks")
            try await authenticator.authorize(&request)
        }
        for _ in 1...3 {
            let error = await #expect(throws: SyncError.self) { try await sign(authenticator()) }
            #expect(error?.message.contains("nothing is tried again before") == true)
            #expect(error?.message.contains("atmos login") == true)
        }
        #expect(transport.requests.count == 1)
        #expect(try await authenticator().signInState().isSignedIn == false)
        await #expect(throws: SyncError.self) { try await authenticator().signIn { _ in } }
        #expect(transport.requests.count == 2)
        clock.advance(by: .seconds(301))
        await #expect(throws: SyncError.self) { try await sign(authenticator()) }
        #expect(transport.requests.count == 3)
    }

    @Test("a login that is not answered names its request once")
    func unansweredLogin() async throws {
        let login = "POST \(Self.base)/login"
        for words in ["\(login): no whole answer within 2 s", "no whole answer within 2 s"] {
            let transport = ScriptedTransport(
                otherwise: .fail(TransportError(code: .timeout, message: words, mayHaveArrived: true)))
            let error = await #expect(throws: SyncError.self) {
                _ = try await signed(settings(.body(.member("token")), .cookie("t")), transport)
            }
            #expect(error?.code == .unreachable && error?.message == "\(login): no whole answer within 2 s")
        }
    }

    @Test("the token from body, header or cookie goes on as declared")
    func carriers() async throws {
        let answer = ScriptedAnswer.json(
            #"{"data":{"id":17}}"#,
            headers: HeaderFields([
                .init(name: "X-Token", value: "abc"), .init(name: "Set-Cookie", value: "other=1"),
                .init(name: "Set-Cookie", value: "sid = a=b; Path=/; HttpOnly")
            ]))
        let header = try await signed(
            settings(.header("x-token"), .header("X-Auth", scheme: nil)), ScriptedTransport(otherwise: answer))
        #expect(header.headers["X-Auth"] == "abc")
        let cookie = try await signed(
            settings(.cookie("sid"), .cookie("sid")), ScriptedTransport(otherwise: answer))
        #expect(cookie.headers["Cookie"] == "theme=dark; sid=a=b")
        let query = try await signed(
            settings(.body(try JSONPath("$.data.id")), .query("key")), ScriptedTransport(otherwise: answer))
        #expect(query.url == Self.base + "/tasks?page=1&key=17")
    }

    @Test(
        "an answer without a usable token says where it was looked for, and shows nothing of it",
        arguments: [
            #"{"token":""}"#, #"{"token":["t"]}"#, #"{"token":"a\r\nX: y"}"#, #"{"token":"a; X: y"}"#, "<html>", "[]",
            String(repeating: "[", count: 100)
        ])
    func unusable(_ body: String) async throws {
        do {
            _ = try await signed(
                settings(.body(try JSONPath("$.token")), .cookie("t")), ScriptedTransport(otherwise: .json(body)))
            Issue.record("signed")
        } catch let error as SyncError {
            #expect(error.code == .signInNeeded)
            #expect(error.message.contains("answered 200 without a usable token in $.token"))
            #expect(!error.message.contains("X: y") && !error.message.contains("html"))
        }
    }

    @Test("a redirect is not followed with a password")
    func redirect() async throws {
        let transport = ScriptedTransport(otherwise: .respond(302, headers: ["Location": "https://evil.example"]))
        await #expect(throws: SyncError.self) {
            _ = try await signed(settings(.cookie("sid"), .cookie("sid")), transport)
        }
        #expect(transport.requests.count == 1)
    }
}
