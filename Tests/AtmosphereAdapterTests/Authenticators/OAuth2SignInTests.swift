#if OAuth2
    import Atmosphere
    import AtmosphereTesting
    import Foundation
    import Synchronization
    import Testing

    @testable import AtmosphereOAuth2

    /// Says what a browser would bring.
    private struct ScriptedReceiver: RedirectReceiver {
        let parameters: @Sendable (_ state: String) -> [NamedText]

        func receive(
            state: String, onReady: (_ redirectURI: String) async throws -> Void
        ) async throws -> RedirectAnswer {
            try await onReady("http://127.0.0.1:9/")
            return RedirectAnswer(redirectURI: "http://127.0.0.1:9/", parameters: parameters(state))
        }
    }

    /// Nobody comes.
    private struct SilentReceiver: RedirectReceiver {
        func receive(
            state: String, onReady: (_ redirectURI: String) async throws -> Void
        ) async throws -> RedirectAnswer {
            try await onReady("http://127.0.0.1:9/")
            try await Gate().pass()
            throw CancellationError()
        }
    }

    /// Time that stands while somebody sleeps, until the task is cancelled.
    private let patient = SyncEnvironment(
        now: { Timestamp(milliseconds: 0) }, sleep: { _ in try await Gate().pass() }, makeUUID: { "uuid" },
        random: { 0 })

    @Suite("OAuth 2.0: signing in", .timeLimit(.minutes(5))) struct OAuth2SignInTests {
        private let answer = ScriptedAnswer.json(
            #"{"access_token":"access","token_type":"Bearer","expires_in":60,"refresh_token":"refresh","scope":"a"}"#)

        private func authenticator(
            _ transport: any Transport, _ receiver: any RedirectReceiver,
            _ change: (inout OAuth2Settings) -> Void = { _ in }
        ) -> OAuth2Authenticator {
            OAuth2Authenticator(
                settings: OAuth2Sample.settings(.authorizationCode, change), base: OAuth2Sample.base,
                secrets: SecretSource(environment: ["S": "s"]), transport: transport, storage: MemoryTokenStorage(),
                environment: patient, receiver: receiver, randomBytes: { [UInt8](repeating: 7, count: $0) })
        }

        @Test("the URL asks for a code with PKCE, and the code is redeemed with the verifier")
        func code() async throws {
            let transport = ScriptedTransport(otherwise: answer)
            let receiver = ScriptedReceiver { _ in
                [.init(name: "code", value: "c0de"), .init(name: "iss", value: "https://login.example.com")]
            }
            let authenticator = authenticator(transport, receiver) { settings in
                settings.scopes = ["a", "b"]
                settings.parameters = [NamedText(name: "prompt", value: "consent")]
            }
            let url = Mutex("")
            let state = try await authenticator.signIn { step in
                if case .open(let text) = step { url.withLock { $0 = text } }
            }
            #expect(
                state
                    == SignInState(
                        isSignedIn: true, expires: Timestamp(milliseconds: 60_000), canRenew: true, scope: "a"))
            // The challenge of 32 sevens: printf of the verifier | openssl dgst -sha256 -binary | basenc --base64url
            #expect(
                url.withLock { $0 }
                    == "https://login.example.com/authorize?response_type=code&client_id=app&redirect_uri=http%3A%2F%2F127.0.0.1"
                    + "%3A9%2F&state=BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH&code_challenge=3Ev4DHdHPRMPoN6GukAY_pi7IUAF5qWJHRK6kURvnoE"
                    + "&code_challenge_method=S256&scope=a%20b&prompt=consent")
            #expect(
                transport.requests.map(\.text) == [
                    "grant_type=authorization_code&code=c0de&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2F"
                        + "&code_verifier=BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc"
                ])
            #expect(try await OAuth2Sample.signed(authenticator) == "Bearer access")
        }

        @Test(
            "an answer that does not belong here is not used",
            arguments: [
                (["error": "access_denied"], nil, "access_denied"), ([:], nil, "has no code"),
                (["code": "c", "iss": "https://evil.example"], nil, "comes from the issuer https://evil.example:443"),
                (["code": "c"], "https://login.example.com", "does not name its issuer"),
                (["code": "c", "iss": "https://evil.example"], "https://login.example.com", "comes from another issuer")
            ] as [([String: String], String?, String)])
        func refused(_ parameters: [String: String], _ issuer: String?, _ reason: String) async throws {
            let transport = ScriptedTransport()
            let authenticator = authenticator(
                transport, ScriptedReceiver { _ in parameters.map { .init(name: $0.key, value: $0.value) } }
            ) { $0.issuer = issuer }
            let error = try await OAuth2Sample.code { _ = try await authenticator.signIn { _ in } }
            #expect(error?.code == .signInNeeded && error?.message.contains(reason) == true, "\(error?.message ?? "")")
            try transport.check()
        }

        @Test("a parameter that stands twice is refused")
        func twice() async throws {
            let authenticator = authenticator(
                ScriptedTransport(),
                ScriptedReceiver { _ in [.init(name: "code", value: "a"), .init(name: "code", value: "b")] })
            let error = try await OAuth2Sample.code { _ = try await authenticator.signIn { _ in } }
            #expect(error?.message.contains("has code twice") == true)
        }

        @Test("nobody comes: it says so in the end")
        func timeout() async throws {
            let authenticator = OAuth2Authenticator(
                settings: OAuth2Sample.settings(.authorizationCode), base: OAuth2Sample.base,
                secrets: SecretSource(environment: ["S": "s"]), transport: ScriptedTransport(),
                storage: MemoryTokenStorage(), environment: LeapingClock().environment, receiver: SilentReceiver())
            let error = try await OAuth2Sample.code { _ = try await authenticator.signIn { _ in } }
            #expect(error?.message.contains("nobody signed in within 300 seconds") == true)
        }

        @Test("cancelling ends the waiting, also on the real port")
        func cancellation() async throws {
            let authenticator = authenticator(ScriptedTransport(), LoopbackReceiver())
            let gate = Gate()
            let task = Task { try await authenticator.signIn { _ in gate.open() } }
            try await gate.pass()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }

        // MARK: The loopback port

        private func get(_ url: String) throws -> (status: Int, page: String) {
            let text = try Self.exchange(url, request: nil)
            let head = text.split(separator: " ", maxSplits: 2)
            return (head.count > 1 ? Int(head[1]) ?? 0 : 0, text)
        }

        /// One exchange over a socket of its own, with or without what a browser would send.
        private static func exchange(_ url: String, request: String?) throws -> String {
            let parts = url.dropFirst("http://127.0.0.1:".count).split(
                separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            let connection = try LoopbackConnection(port: try #require(Int(parts[0])))
            connection.send(request ?? "GET /\(parts[1]) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            return connection.rest()
        }

        @Test("one answer with the right state is taken; everything else is turned away and ends nothing")
        func loopback() async throws {
            var redirect = OAuth2Redirect()
            redirect.path = "/callback"
            let receiver = LoopbackReceiver(at: redirect)
            let pages = Mutex<[Int]>([])
            let (uris, ready) = AsyncStream<String>.makeStream()
            async let received = receiver.receive(state: "right") { ready.yield($0) }
            var iterator = uris.makeAsyncIterator()
            let uri = try #require(await iterator.next())
            try await BlockingCall.run {
                // A browser connects ahead and says nothing; it must not hold up the others.
                let port = uri.dropFirst("http://127.0.0.1:".count).prefix { $0 != "/" }
                let silent = try LoopbackConnection(port: Int(port) ?? 0)
                for bad in ["?state=wrong&code=x", "?code=x", "?state=right&state=right&code=x"] {
                    pages.withLock { pages in pages.append((try? self.get(uri + bad).status) ?? -1) }
                }
                let icon = uri.replacing("/callback", with: "/favicon.ico?state=right")
                pages.withLock { $0.append((try? self.get(icon).status) ?? -1) }
                // Neither another method nor something endless.
                #expect(try Self.exchange(uri, request: "POST /callback?state=right HTTP/1.1\r\n\r\n") == "")
                #expect(try Self.exchange(uri, request: String(repeating: "x", count: 20_000)) == "")
                let good = try self.get(uri + "?state=right&code=a%2Bb+c&error_description=%3Cscript%3E")
                #expect(good.status == 200 && good.page.contains("<h1>Back to the program</h1>"))
                #expect(!good.page.contains("script>") && good.page.contains("Cache-Control: no-store"))
                _ = silent
            }
            let result = try await received
            #expect(pages.withLock { $0 } == [400, 400, 400, 404])
            #expect(result.redirectURI == uri && uri.hasPrefix("http://127.0.0.1:") && uri.hasSuffix("/callback"))
            #expect(result.parameters.first { $0.name == "code" }?.value == "a+b c")
            #expect(throws: (any Error).self) { try self.get(uri) }
        }

        @Test("a port that is taken is said")
        func taken() async throws {
            let listener = try LoopbackListener(port: 0)
            let error = #expect(throws: SyncError.self) { try LoopbackListener(port: listener.port) }
            #expect(error?.message.contains("127.0.0.1:\(listener.port)") == true)
        }

        // MARK: Devices

        @Test(
            "a device asks at the server's pace, slower when told, until the person has answered, whatever the status of errors",
            arguments: [400, 200])
        func device(_ status: Int) async throws {
            let clock = LeapingClock()
            let transport = ScriptedTransport()
            transport.expect(
                "POST", "/device",
                .json(
                    #"{"device_code":"d","user_code":"AB-CD","verification_uri":"https://login.example.com/v","#
                        + #""verification_uri_complete":"javascript:alert(1)","expires_in":300,"interval":2}"#))
            for error in ["authorization_pending", "slow_down", "authorization_pending"] {
                transport.expect("POST", "/token", .json(#"{"error":"\#(error)"}"#, status: status))
            }
            transport.expect("POST", "/token", .lose())
            transport.expect("POST", "/token", answer)
            let authenticator = OAuth2Sample.authenticator(OAuth2Sample.settings(.deviceCode), transport, clock: clock)
            let steps = Mutex<[SignInStep]>([])
            let state = try await authenticator.signIn { step in steps.withLock { $0.append(step) } }
            #expect(state.isSignedIn && state.canRenew)
            #expect(
                steps.withLock { $0 } == [
                    .enter(
                        code: "AB-CD", url: "https://login.example.com/v", complete: nil,
                        until: Timestamp(milliseconds: 1_700_000_300_000))
                ])
            #expect(clock.pauses == [2, 2, 7, 7, 14].map { .seconds($0) })
            #expect(
                transport.requests.last?.text
                    == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=d")
            try transport.check()
        }

        @Test("a server that is busy ends no sign-in: the pauses grow, and are never less than it asked")
        func busyServer() async throws {
            let clock = LeapingClock()
            let transport = ScriptedTransport()
            transport.expect(
                "POST", "/device",
                .json(
                    #"{"device_code":"d","user_code":"A","verification_uri":"https://login.example.com/v","#
                        + #""expires_in":900,"interval":65}"#))
            transport.expect("POST", "/token", .json(#"{"error":"slow_down"}"#, status: 400))
            transport.expect("POST", "/token", .lose())
            transport.expect("POST", "/token", .json(#"{"error":"temporarily_unavailable"}"#, status: 503))
            transport.expect("POST", "/token", .json("{}", status: 429, headers: ["Retry-After": "100"]))
            transport.expect("POST", "/token", answer)
            let authenticator = OAuth2Sample.authenticator(OAuth2Sample.settings(.deviceCode), transport, clock: clock)
            #expect(try await authenticator.signIn { _ in }.isSignedIn)
            #expect(clock.pauses == [65, 70, 70, 70, 100].map { .seconds($0) })
            try transport.check()
        }

        @Test(
            "a pause that outlasts the code is not meant, and no pause is longer than five minutes",
            arguments: [("600", "1e18", 5), ("300", "300", 5), ("86400", "3000", 300)])
        func devicePause(_ lifetime: String, _ interval: String, _ expected: Int) async throws {
            let clock = LeapingClock()
            let transport = ScriptedTransport()
            transport.expect(
                "POST", "/device",
                .json(
                    #"{"device_code":"d","user_code":"A","verification_uri":"https://login.example.com/v","#
                        + #""expires_in":\#(lifetime),"interval":\#(interval)}"#))
            transport.expect("POST", "/token", answer)
            let authenticator = OAuth2Sample.authenticator(OAuth2Sample.settings(.deviceCode), transport, clock: clock)
            #expect(try await authenticator.signIn { _ in }.isSignedIn)
            #expect(clock.pauses == [.seconds(expected)])
            try transport.check()
        }

        @Test("a device is not shown a code where its tokens could not be saved")
        func deviceStorage() async throws {
            let transport = ScriptedTransport()
            let authenticator = OAuth2Sample.authenticator(
                OAuth2Sample.settings(.deviceCode), transport, storage: TokenFile(path: "/nonexistent-folder/tokens"))
            let error = try await OAuth2Sample.code { _ = try await authenticator.signIn { _ in } }
            #expect(error?.message.contains("does the folder /nonexistent-folder exist?") == true)
            #expect(transport.requests.isEmpty)
        }

        @Test("a server that offers no device codes says so, with 200 as well")
        func deviceRefused() async throws {
            let transport = ScriptedTransport(otherwise: .json(#"{"error":"device_flow_disabled"}"#))
            let authenticator = OAuth2Sample.authenticator(OAuth2Sample.settings(.deviceCode), transport)
            let error = try await OAuth2Sample.code { _ = try await authenticator.signIn { _ in } }
            #expect(error?.code == .signInNeeded)
            #expect(error?.message.contains("answered 200 device_flow_disabled") == true, "\(error?.message ?? "")")
        }

        @Test("what a person has signed in for waits for tokens that another process has, and it is told which")
        func heldStorage() async throws {
            let folder = try TemporaryFolder()
            let file = TokenFile(path: folder.file("tokens"))
            let transport = ScriptedTransport()
            transport.expect(
                "POST", "/device",
                .json(
                    #"{"device_code":"d","user_code":"A","verification_uri":"https://x.example/v","expires_in":"60","interval":"7"}"#
                ))
            transport.expect("POST", "/token", answer)
            let clock = LeapingClock()
            let authenticator = OAuth2Sample.authenticator(
                OAuth2Sample.settings(.deviceCode), transport, storage: ImpatientTokenFile(file), clock: clock)
            let other = Mutex<HeldLock?>(nil)
            let messages = Mutex<[String]>([])
            let state = try await authenticator.signIn { step in
                switch step {
                case .open: break
                case .enter:
                    let lock = try await file.lock()
                    other.withLock { $0 = lock }
                case .wait(let message):
                    messages.withLock { $0.append(message) }
                    other.withLock { $0 }?.release()
                }
            }
            #expect(state.isSignedIn)
            #expect(clock.pauses.first == .seconds(7), "numbers may be texts")
            #expect(
                messages.withLock { $0 } == [
                    "another process has the tokens file \(file.path): it signs in, or asks somebody for a passphrase; what "
                        + "you signed in for is kept as soon as it has ended"
                ])
            #expect(String(decoding: try await file.load() ?? [], as: UTF8.self).contains(#""access":"access""#))
            try transport.check()
        }

        @Test("who is cancelled while another process has the tokens is not kept waiting")
        func heldStorageCancelled() async throws {
            let folder = try TemporaryFolder()
            let file = TokenFile(path: folder.file("tokens"))
            let lock = try await file.lock()
            let keeper = TokenKeeper(storage: ImpatientTokenFile(file), purpose: "p", environment: patient)
            let told = Gate()
            let task = Task {
                try await keeper.replace(telling: { _ in told.open() }) { _ in
                    SavedTokens(purpose: "p", access: "a", obtained: Timestamp(milliseconds: 0))
                }
            }
            try await told.pass()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(folder.names == ["tokens.lock"])
            lock.release()
        }

        @Test("a code that nobody enters ends; a refusal is told")
        func deviceEnds() async throws {
            for (code, status, reason) in [
                ("authorization_pending", 400, "not entered in time"), ("expired_token", 400, "not entered in time"),
                ("expired_token", 200, "not entered in time"), ("access_denied", 200, "the permission was refused"),
                ("access_denied", 400, "the permission was refused")
            ] {
                let transport = ScriptedTransport(otherwise: .json(#"{"error":"\#(code)"}"#, status: status))
                transport.expect(
                    "POST", "/device",
                    .json(
                        #"{"device_code":"d","user_code":"A","verification_uri":"https://x.example/v","expires_in":60}"#
                    ))
                let authenticator = OAuth2Sample.authenticator(OAuth2Sample.settings(.deviceCode), transport)
                let error = try await OAuth2Sample.code { _ = try await authenticator.signIn { _ in } }
                #expect(error?.code == .signInNeeded && error?.message.contains(reason) == true, "\(code)")
                #expect(transport.requests.count <= 13)
            }
        }

        @Test(
            "an answer of the device endpoint that is not one is refused",
            arguments: [
                "", "[]", #"{"user_code":"A"}"#, #"{"device_code":"d","user_code":"A\u001b[2J"}"#,
                #"{"device_code":"d","user_code":"A","verification_uri":"javascript:x","expires_in":1}"#,
                #"{"device_code":"d","user_code":"A","verification_uri":"https://x.example"}"#
            ])
        func deviceAnswers(_ text: String) {
            let error = #expect(throws: SyncError.self) { try DeviceAnswer(Array(text.utf8), from: "x.example") }
            #expect(error?.message.contains("cannot be used") == true)
        }
    }
#endif
