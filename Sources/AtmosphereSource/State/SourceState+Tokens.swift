internal import Atmosphere

/// What a token endpoint has given out.
struct SourceGrants: Sendable {
    /// The end of each access token, in microseconds since 1970.
    var ends: [String: Int64] = [:]
    var refreshTokens: Set<String>?
    var count: UInt64 = 0
}

extension SourceState {
    /// The answer to a request at the token endpoint; nil for any other request.
    mutating func tokenAnswer(_ request: SourceRequest) -> SourceAnswer? {
        guard let oauth = rules.oauth, request.path == oauth.path, request.method == "POST" else { return nil }
        func refusal(_ status: Int, _ error: String, _ description: String) -> SourceAnswer {
            SourceAnswer(status, json: ["error": .string(error), "error_description": .string(description)])
        }
        // Forms write a space as `+`, as queries do.
        let form = SourceRequest(method: "GET", target: "/?" + String(decoding: request.body, as: UTF8.self))
        guard isClient(form, request, oauth) else {
            return refusal(401, "invalid_client", "The client is not known, or its secret is wrong.")
        }
        var answer: Value.Members = [:]
        switch form.query("grant_type") {
        case "client_credentials": break
        case "refresh_token":
            var tokens = grants.refreshTokens ?? Set(oauth.refreshTokens)
            guard let token = form.query("refresh_token"), tokens.contains(token) else {
                return refusal(400, "invalid_grant", "The refresh token has been expired or revoked.")
            }
            if oauth.rotates {
                let next = newToken()
                tokens.remove(token)
                tokens.insert(next)
                answer["refresh_token"] = .string(next)
            }
            grants.refreshTokens = tokens
        default: return refusal(400, "unsupported_grant_type", "Invalid grant_type.")
        }
        let access = newToken()
        let seconds = oauth.lifetime.components.seconds
        grants.ends[access] = now + seconds * 1_000_000
        answer["access_token"] = .string(access)
        answer["expires_in"] = .number(JSONNumber(Int(seconds)))
        if let scope = oauth.scope { answer["scope"] = .string(scope) }
        answer["token_type"] = "Bearer"
        return SourceAnswer(200, json: .object(answer), headers: ["Cache-Control": "no-store"])
    }

    /// The credentials stand in the form or, as RFC 6749 §2.3.1 prefers, in the header.
    private func isClient(_ form: SourceRequest, _ request: SourceRequest, _ oauth: RESTSource.OAuth) -> Bool {
        if form.query("client_id") == oauth.clientID, form.query("client_secret") == oauth.clientSecret { return true }
        let pair = "\(PercentEncoding.query(oauth.clientID)):\(PercentEncoding.query(oauth.clientSecret))"
        return request.headers["Authorization"] == "Basic \(SourceBase64.encode(pair))"
    }

    /// Whether a header shows an access token that is still good.
    func isGranted(_ authorization: String?) -> Bool {
        guard let authorization, authorization.hasPrefix("Bearer ") else { return false }
        return grants.ends[String(authorization.dropFirst("Bearer ".count))].map { now < $0 } ?? false
    }

    private mutating func newToken() -> String {
        grants.count += 1
        var random = SourceRandom(state: rules.randomSeed &* 31 &+ grants.count)
        return "tok-" + random.uuid()
    }
}
