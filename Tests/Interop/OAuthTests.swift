#if Command
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereOAuth2
    import AtmospherePlain
    import AtmosphereYAML
    import Foundation
    import Synchronization
    import Testing

    @Suite(
        "OAuth 2.0 against Authlib", .enabled(if: OAuthServer.isAvailable, "there is no Python for Authlib"),
        .timeLimit(.minutes(5)))
    struct OAuthTests {
        /// A route file for the peer, and what signs its requests.
        private struct Setting {
            let synchronizer: Synchronizer
            let authenticator: any SignInAuthenticator
            let server: PeerServer
            let transport: CurlTransport
            let tokens = MemoryTokenStorage()

            init(_ server: PeerServer, grant: String, client: String) async throws {
                self.server = server
                transport = try CurlTransport()
                let text = """
                    atmosphere: 1
                    base: \(server.url)/api
                    store: memory
                    auth:
                      oauth2:
                        grant: \(grant)
                        token: \(server.url)/token
                        revoke: \(server.url)/revoke
                        client: \(client)
                      identity: { path: me, field: id }
                    resources:
                      notes:
                    """
                let adapters: [Adapter] = [.yaml, .oauth2, .curl, .memory, .plain]
                let file = try RouteFile.load(bytes: Array(text.utf8), source: "notes.yaml", adapters: adapters)
                let secrets = ["SECRET": "s3cret & more"]
                authenticator = try #require(
                    try adapters.authenticator(
                        for: file, secrets: SecretSource(environment: secrets), transport: transport, tokens: tokens)
                        as? any SignInAuthenticator)
                synchronizer = try await Synchronizer.open(
                    file, adapters: adapters, secrets: secrets, authenticator: authenticator)
            }

            /// `grant status` of each request at the token endpoint.
            func log() async throws -> [String] {
                let body = try await transport.send(Request(method: "GET", url: "\(server.url)/control/log")).body
                    .collect(upTo: 1 << 20)
                return try #require(try Value(json: body).array).map {
                    "\($0.members?["grant"]?.string ?? "") \($0.members?["status"]?.text ?? "")"
                }
            }

            func expire() async throws { try #require(try await server.send("POST", "control/expire") == 204) }
        }

        private static let codeGrant = """
            authorization_code
                authorize: ORIGIN/authorize
                issuer: ORIGIN
            """

        private func codeGrant(_ server: PeerServer) -> String {
            Self.codeGrant.replacingOccurrences(of: "ORIGIN", with: server.url)
        }

        @Test(
            "a person signs in by code with PKCE, tokens rotate, and what is given back is worth nothing",
            arguments: [
                #"{ id: public }"#, #"{ id: confidential, secret: "secret:SECRET" }"#,
                #"{ id: posting, secret: "secret:SECRET", authentication: body }"#
            ])
        func code(_ client: String) async throws {
            let server = try await OAuthServer.start()
            let setting = try await Setting(server, grant: codeGrant(server), client: client)
            let browser = setting.transport
            let visit = Mutex<Task<Int, any Error>?>(nil)
            let state = try await setting.authenticator.signIn { step in
                guard case .open(let url) = step else { return }
                // The browser: the server's redirect leads to a port of this machine.
                visit.withLock { task in
                    task = Task {
                        let answer = try await browser.send(browserRequest(url))
                        let location = try #require(answer.headers["Location"])
                        return try await browser.send(browserRequest(location)).status
                    }
                }
            }
            #expect(state.isSignedIn && state.canRenew)
            #expect(try await visit.withLock { $0 }?.value == 200)
            #expect(try await setting.synchronizer.pull().isComplete)
            try await setting.expire()
            let report = try await setting.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            #expect(try await setting.log() == ["authorization_code 200", "refresh_token 200"])
            #expect(try await setting.authenticator.signOut() == nil)
            #expect(try await !setting.authenticator.signInState().isSignedIn)
            let after = try await setting.synchronizer.pull()
            #expect(after.entities["notes"]?.problem?.contains("nobody is signed in") == true)
        }

        @Test("a device asks until the person has answered")
        func device() async throws {
            let server = try await OAuthServer.start()
            let setting = try await Setting(
                server, grant: "device_code\n    device: \(server.url)/device", client: "{ id: public }")
            let transport = setting.transport
            let visit = Mutex<Task<Int, any Error>?>(nil)
            let state = try await setting.authenticator.signIn { step in
                guard case .enter(_, _, let complete?, _) = step else { return }
                visit.withLock { $0 = Task { try await transport.send(browserRequest(complete)).status } }
            }
            #expect(state.isSignedIn)
            #expect(try await visit.withLock { $0 }?.value == 200)
            #expect(try await setting.synchronizer.pull().isComplete)
            #expect(try await setting.log().last == "urn:ietf:params:oauth:grant-type:device_code 200")
        }

        @Test("a program signs in for itself, and again when its token ends")
        func program() async throws {
            let server = try await OAuthServer.start()
            let setting = try await Setting(
                server, grant: "client_credentials", client: #"{ id: confidential, secret: "secret:SECRET" }"#)
            #expect(try await setting.synchronizer.pull().isComplete)
            try await setting.expire()
            #expect(try await setting.synchronizer.pull().isComplete)
            #expect(try await setting.log() == ["client_credentials 200", "client_credentials 200"])
        }

        @Test("a wrong secret is the client's fault, and said so")
        func wrongClient() async throws {
            let server = try await OAuthServer.start()
            let setting = try await Setting(
                server, grant: "client_credentials", client: #"{ id: nobody, secret: "secret:SECRET" }"#)
            let report = try await setting.synchronizer.pull()
            let problem = report.entities["notes"]?.problem ?? ""
            #expect(problem.contains("invalid_client") && problem.contains("check “auth.oauth2.client”"), "\(problem)")
        }
    }

    /// As a browser asks: the redirect is looked at, not followed.
    private func browserRequest(_ url: String) -> Request {
        var request = Request(method: "GET", url: url)
        request.followsRedirects = false
        return request
    }
#endif
