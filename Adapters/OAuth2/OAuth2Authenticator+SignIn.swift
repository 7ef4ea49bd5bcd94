#if OAuth2
    public import AtmosphereExchange

    extension OAuth2Authenticator {
        /// Signs in as the declared grant says: a person in a browser or with another device, or a request alone, where
        /// `show` is not called.
        ///
        /// - Throws: ``SyncError`` `signInNeeded` where the server or the person refused or the time is over,
        ///   `unreachable`; `CancellationError`.
        public func signIn(
            _ show: @escaping @Sendable (SignInStep) async throws -> Void
        ) async throws -> SignInState {
            let tokens: SavedTokens
            switch settings.grant {
            case .authorizationCode: tokens = try await signInByCode(show)
            case .deviceCode: tokens = try await signInByDevice(show)
            case .clientCredentials, .refreshToken:
                tokens = try await keeper.replace { try await self.renew($0) }
            }
            return SignInState(tokens, canRenew: tokens.refresh != nil || !settings.grant.needsPerson)
        }

        // MARK: Authorization code (RFC 6749 §4.1, RFC 7636, RFC 8252 §7.3)

        private func signInByCode(
            _ show: @escaping @Sendable (SignInStep) async throws -> Void
        ) async throws -> SavedTokens {
            guard let authorize = settings.authorize else {
                throw failure("“auth.oauth2.authorize” is missing; add the authorization endpoint")
            }
            // 32 bytes as RFC 7636 §4.1 recommends.
            let verifier = Base64URL.encode(randomBytes(32))
            let challenge = Base64URL.encode(SHA256Digest.bytes(of: verifier))
            let state = Base64URL.encode(randomBytes(24))
            endpoint.used.insert(verifier)
            let clientID = try endpoint.clientID()
            let deadline = environment.now().advanced(by: signInTimeout)
            let answer = try await withThrowingTaskGroup(of: RedirectAnswer?.self) { group -> RedirectAnswer in
                group.addTask { [self] in
                    try await receiver.receive(state: state) { redirectURI in
                        var query =
                            [
                                ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI),
                                ("state", state), ("code_challenge", challenge), ("code_challenge_method", "S256")
                            ] + endpoint.scope
                        query += settings.parameters.map { ($0.name, $0.value) }
                        let mark = authorize.contains("?") ? "&" : "?"
                        try await show(.open(url: "\(authorize)\(mark)\(TokenEndpoint.encode(query))"))
                    }
                }
                group.addTask { [environment] in
                    try await environment.sleep(deadline)
                    return nil
                }
                defer { group.cancelAll() }
                guard let answer = try await group.next() ?? nil else {
                    throw failure(
                        "nobody signed in within \(signInTimeout.components.seconds) seconds; run atmos login again")
                }
                return answer
            }
            let code = try code(in: answer.parameters, authorize: authorize)
            endpoint.used.insert(code)
            return try await keeper.replace(telling: { try await show(.wait(message: $0)) }) { [self] _ in
                try await request([
                    ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", answer.redirectURI),
                    ("code_verifier", verifier)
                ])
            }
        }

        /// What the browser brought; `state` has been compared.
        private func code(in parameters: [NamedText], authorize: String) throws -> String {
            func value(_ name: String) throws -> String? {
                let values = parameters.filter { $0.name == name }.map(\.value)
                // RFC 6749 §3.1: a parameter must not stand twice.
                guard values.count <= 1 else {
                    throw failure("the answer has \(name) twice; sign in again (atmos login)")
                }
                return values.first
            }
            try checkIssuer(try value("iss"), authorize: authorize)
            if let error = try value("error") {
                let code = TokenAnswer.isPrintable(error, limit: 100) ? error : "an error"
                let description = try value("error_description").flatMap {
                    TokenAnswer.isPrintable($0, limit: 200) ? ": \($0)" : nil
                }
                throw failure("\(code)\(description ?? ""); sign in again (atmos login)")
            }
            guard let code = try value("code"), TokenAnswer.isPrintable(code, limit: 8 << 10) else {
                throw failure("the answer has no code; check “auth.oauth2.authorize”")
            }
            return code
        }

        /// An answer of another server must not lead us to give its code to ours (RFC 9207 §2.4, RFC 9700 §4.4).
        private func checkIssuer(_ issuer: String?, authorize: String) throws {
            if let expected = settings.issuer {
                guard issuer == expected else {
                    throw failure(
                        "the answer \(issuer == nil ? "does not name its issuer" : "comes from another issuer than") "
                            + "“auth.oauth2.issuer” says; the code was not used")
                }
            } else if let issuer, RequestOrigin(issuer) != RequestOrigin(authorize) {
                throw failure(
                    "the answer comes from the issuer \(RequestOrigin(issuer)), and “authorize” is at "
                        + "\(RequestOrigin(authorize)); if both are the same server, declare “auth.oauth2.issuer”")
            }
        }

        // MARK: Device code (RFC 8628)

        private func signInByDevice(
            _ show: @escaping @Sendable (SignInStep) async throws -> Void
        ) async throws -> SavedTokens {
            guard let url = settings.device else {
                throw failure("“auth.oauth2.device” is missing; add the device authorization endpoint")
            }
            try await keeper.checkStorage()
            let reply = try await endpoint.send(
                url, endpoint.scope + settings.parameters.map { ($0.name, $0.value) })
            guard endpoint.isAnswer(reply, with: "device_code") else { throw endpoint.refusal(reply, url) }
            let grant = try DeviceAnswer(reply.body, from: RequestOrigin(url).host)
            endpoint.used.insert(grant.deviceCode)
            let end = environment.now().advanced(by: grant.lifetime)
            try await show(
                .enter(code: grant.userCode, url: grant.url, complete: grant.completeURL, until: end))
            let tokens = try await poll(grant, until: end)
            return try await keeper.replace(telling: { try await show(.wait(message: $0)) }) { _ in tokens }
        }

        private func poll(_ grant: DeviceAnswer, until end: Timestamp) async throws -> SavedTokens {
            var interval = grant.interval
            let form = [
                ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", grant.deviceCode)
            ]
            while true {
                let next = environment.now().advanced(by: interval)
                guard next < end else { throw expired }
                try await environment.sleep(next)
                let reply: Request.SmallReply
                do {
                    reply = try await endpoint.send(settings.token, form)
                } catch let error as SyncError where error.code == .unreachable {
                    interval = Self.longer(interval)
                    continue
                }
                if endpoint.isAnswer(reply, with: "access_token") { return try tokens(in: reply) }
                switch endpoint.errorCode(reply) {
                case "authorization_pending": continue
                case "slow_down": interval += .seconds(5)
                case "expired_token": throw expired
                default:
                    // A server that is busy knows the code still, which the person may be entering.
                    let refusal = endpoint.refusal(reply, settings.token)
                    guard refusal.code == .unreachable else { throw refusal }
                    let pause = ServerPatience.retryAfter(reply.headers, now: environment.now())
                    interval = max(Self.longer(interval), pause ?? .zero)
                }
            }
        }

        /// RFC 8628 §3.5 asks for an exponential pause; what the server has asked for is the least.
        private static func longer(_ interval: Duration) -> Duration { max(interval, min(interval * 2, .seconds(60))) }

        private var expired: SyncError {
            failure("the code was not entered in time; run atmos login again")
        }

        private func failure(_ reason: String) -> SyncError {
            SyncError(code: .signInNeeded, message: "sign-in at \(endpoint.name): \(reason)")
        }
    }

    /// A device authorization answer (RFC 8628 §3.2).
    struct DeviceAnswer: Sendable, Equatable {
        var deviceCode: String
        var userCode: String
        var url: String
        var completeURL: String?
        var lifetime: Duration
        var interval: Duration

        /// - Throws: ``SyncError`` `signInNeeded`, which never quotes the answer.
        init(_ body: [UInt8], from server: String) throws {
            func unusable(_ reason: String) -> SyncError { TokenEndpoint.unusable("device", server, reason) }
            let members = try TokenEndpoint.members(body, "device", server)
            func text(_ name: String, limit: Int) -> String? {
                members[name]?.string.flatMap { TokenAnswer.isPrintable($0, limit: limit) ? $0 : nil }
            }
            guard let deviceCode = text("device_code", limit: 8 << 10) else { throw unusable("it has no device_code") }
            guard let userCode = text("user_code", limit: 100) else { throw unusable("it has no user_code") }
            // Some servers, older than the RFC, say verification_url.
            guard let url = text("verification_uri", limit: 2000) ?? text("verification_url", limit: 2000),
                ["https", "http"].contains(RequestOrigin(url).scheme), !url.contains(" ")
            else { throw unusable("it has no verification_uri") }
            guard let seconds = TokenAnswer.number(members["expires_in"])?.double, seconds > 0 else {
                throw unusable("it has no expires_in")
            }
            self.deviceCode = deviceCode
            self.userCode = userCode
            self.url = url
            completeURL = text("verification_uri_complete", limit: 4000).flatMap {
                ["https", "http"].contains(RequestOrigin($0).scheme) && !$0.contains(" ") ? $0 : nil
            }
            lifetime = .seconds(min(seconds, 86_400))
            let pause = TokenAnswer.number(members["interval"])?.double ?? 5
            // Nobody could enter the code where it ends before the first question; five seconds are the rule (§3.2).
            interval = .seconds(min(max(pause < seconds ? pause : 5, 1), 300))
        }
    }
#endif
