internal import Atmosphere

extension SourceState {
    /// The answer to a request at the endpoints for authorization, devices and revocation; nil for any other request.
    mutating func authorizationAnswer(_ request: SourceRequest, origin: String) -> SourceAnswer? {
        guard let oauth = rules.oauth else { return nil }
        do throws(GrantRefusal) {
            switch (request.method, request.path) {
            case ("GET", oauth.authorizePath ?? ""): return try authorize(request, oauth, origin: origin)
            case ("POST", oauth.devicePath ?? ""): return try deviceCodes(request, oauth, origin: origin)
            case ("GET", oauth.devicePath.map { $0 + "/verify" } ?? ""): return approve(request)
            case ("POST", oauth.revokePath ?? ""): return try revoke(request, oauth)
            default: return nil
            }
        } catch {
            return error.answer
        }
    }

    // MARK: Authorization code

    /// Lets whoever comes in at once (RFC 6749 §4.1.2).
    private mutating func authorize(
        _ request: SourceRequest, _ oauth: RESTSource.OAuth, origin: String
    ) throws(GrantRefusal) -> SourceAnswer {
        guard request.query("client_id") == oauth.clientID else {
            throw GrantRefusal(status: 401, error: "invalid_client", description: "The client is not known.")
        }
        guard let redirect = request.query("redirect_uri"), RequestOrigin(redirect).isLoopback,
            RequestOrigin(redirect).scheme == "http", !redirect.contains("#")
        else {
            throw GrantRefusal(error: "invalid_request", description: "redirect_uri must lead to this machine.")
        }
        var parameters: [(String, String)] = []
        if oauth.denies {
            parameters = [("error", "access_denied"), ("error_description", "The user said no.")]
        } else if request.query("response_type") != "code" {
            parameters = [("error", "unsupported_response_type")]
        } else if let challenge = request.query("code_challenge"), challenge.utf8.count == 43,
            request.query("code_challenge_method") == "S256"
        {
            let code = newToken()
            grants.codes[code] = SourceGrants.Code(
                redirectURI: redirect, challenge: challenge, end: now + 60_000_000)
            parameters = [("code", code)]
        } else {
            parameters = [("error", "invalid_request"), ("error_description", "PKCE with S256 is required.")]
        }
        if let state = request.query("state") { parameters.append(("state", state)) }
        parameters.append(("iss", oauth.issuer ?? origin))
        let query = parameters.map { "\($0.0)=\(PercentEncoding.query($0.1))" }.joined(separator: "&")
        return SourceAnswer(
            302, headers: ["Location": "\(redirect)\(redirect.contains("?") ? "&" : "?")\(query)"])
    }

    /// A code is good once, for the redirect URI that it was given for and the verifier behind its challenge (RFC 7636
    /// §4.6).
    mutating func redeem(_ form: SourceRequest) throws(GrantRefusal) {
        guard let text = form.query("code"), let code = grants.codes.removeValue(forKey: text), now < code.end,
            form.query("redirect_uri") == code.redirectURI
        else {
            throw GrantRefusal(
                error: "invalid_grant", description: "The code is unknown, was used, or is for another redirect_uri.")
        }
        guard let verifier = form.query("code_verifier"), Self.challenge(of: verifier) == code.challenge else {
            throw GrantRefusal(error: "invalid_grant", description: "The code_verifier does not fit.")
        }
    }

    /// S256 of RFC 7636 §4.2.
    static func challenge(of verifier: String) -> String {
        let hash = Base64.encode(SHA256Digest.bytes(of: verifier))
        return String(hash.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }.filter { $0 != "=" })
    }

    // MARK: Device code (RFC 8628)

    private mutating func deviceCodes(
        _ request: SourceRequest, _ oauth: RESTSource.OAuth, origin: String
    ) throws(GrantRefusal) -> SourceAnswer {
        try requireClient(request.form, request, oauth)
        let code = newToken()
        var random = SourceRandom(state: rules.randomSeed &* 17 &+ grants.count)
        let letters = random.uuid().uppercased().filter { $0.isLetter || $0.isNumber }
        let userCode = "\(letters.prefix(4))-\(letters.dropFirst(4).prefix(4))"
        let seconds = oauth.deviceLifetime.components.seconds
        grants.devices[code] = SourceGrants.Device(
            userCode: userCode, end: now + seconds * 1_000_000, interval: Int64(oauth.interval / .microseconds(1)))
        let page = "\(origin)\(oauth.devicePath ?? "")/verify"
        return SourceAnswer(
            200,
            json: [
                "device_code": .string(code), "user_code": .string(userCode), "verification_uri": .string(page),
                "verification_uri_complete": .string("\(page)?user_code=\(userCode)"),
                "expires_in": .number(JSONNumber(Int(seconds))),
                "interval": .number(JSONNumber(Int(oauth.interval.components.seconds)))
            ], headers: ["Cache-Control": "no-store"])
    }

    private mutating func approve(_ request: SourceRequest) -> SourceAnswer {
        guard let code = request.query("user_code"),
            let device = grants.devices.first(where: { $0.value.userCode == code && now < $0.value.end })?.key
        else { return SourceAnswer(404, headers: ["Content-Type": "text/plain"], body: Array("Unknown code.\n".utf8)) }
        grants.devices[device]?.isApproved = true
        return SourceAnswer(200, headers: ["Content-Type": "text/plain"], body: Array("Approved.\n".utf8))
    }

    /// RFC 8628 §3.5.
    mutating func askForDevice(_ form: SourceRequest, _ oauth: RESTSource.OAuth) throws(GrantRefusal) {
        guard let code = form.query("device_code"), var device = grants.devices[code] else {
            throw GrantRefusal(error: "invalid_grant", description: "The device_code is unknown, or was used.")
        }
        guard now < device.end else {
            grants.devices[code] = nil
            throw GrantRefusal(error: "expired_token", description: "The device_code has expired.")
        }
        if oauth.denies { throw GrantRefusal(error: "access_denied", description: "The user said no.") }
        defer { if grants.devices[code] != nil { grants.devices[code] = device } }
        if let last = device.last, now - last < device.interval {
            device.interval += 5_000_000
            device.last = now
            throw GrantRefusal(error: "slow_down", description: "Ask less often.")
        }
        device.last = now
        guard device.isApproved else {
            throw GrantRefusal(error: "authorization_pending", description: "The user has not answered yet.")
        }
        grants.devices[code] = nil
    }

    // MARK: Revocation (RFC 7009)

    private mutating func revoke(
        _ request: SourceRequest, _ oauth: RESTSource.OAuth
    ) throws(GrantRefusal) -> SourceAnswer {
        let form = request.form
        try requireClient(form, request, oauth)
        // A token that is not known is as good as revoked.
        guard let token = form.query("token") else {
            throw GrantRefusal(error: "invalid_request", description: "token is missing.")
        }
        let family = grants.families[token]
        grants.refreshTokens = (grants.refreshTokens ?? Set(oauth.refreshTokens)).filter {
            $0 != token && (family == nil || grants.families[$0] != family)
        }
        grants.ends = grants.ends.filter { $0.key != token && (family == nil || grants.families[$0.key] != family) }
        return SourceAnswer(200)
    }
}
