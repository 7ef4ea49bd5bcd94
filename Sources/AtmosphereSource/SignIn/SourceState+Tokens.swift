internal import Atmosphere

/// What an authorization server has given out.
struct SourceGrants: Sendable {
    /// The end of each access token, in microseconds since 1970.
    var ends: [String: Int64] = [:]
    /// nil before the first use: those of the options.
    var refreshTokens: Set<String>?
    /// Tokens that go back to one sign-in share its number.
    var families: [String: Int] = [:]
    /// Refresh tokens that were used.
    var spent: Set<String> = []
    var codes: [String: Code] = [:]
    var devices: [String: Device] = [:]
    var sessions: Set<String> = []
    var count: UInt64 = 0

    /// An authorization code that waits to be redeemed.
    struct Code: Sendable {
        var redirectURI: String
        var challenge: String
        var end: Int64
    }

    /// A device that waits for its person.
    struct Device: Sendable {
        var userCode: String
        var end: Int64
        var interval: Int64
        var last: Int64?
        var isApproved = false
    }
}

/// An error of RFC 6749 §5.2.
struct GrantRefusal: Error {
    var status = 400
    var error: String
    var description: String

    var answer: SourceAnswer {
        SourceAnswer(
            status, json: ["error": .string(error), "error_description": .string(description)],
            headers: ["Cache-Control": "no-store"])
    }
}

extension SourceState {
    /// The answer to a request at the token endpoint; nil for any other request.
    mutating func tokenAnswer(_ request: SourceRequest) -> SourceAnswer? {
        guard let oauth = rules.oauth, request.path == oauth.path, request.method == "POST" else { return nil }
        let form = request.form
        do throws(GrantRefusal) {
            try requireClient(form, request, oauth)
            var answer: Value.Members = [:]
            var family: Int?
            switch form.query("grant_type") {
            case "client_credentials":
                guard !oauth.clientSecret.isEmpty else {
                    throw GrantRefusal(error: "unauthorized_client", description: "A public client cannot do this.")
                }
            case "refresh_token": family = try refresh(form, oauth, &answer)
            case "authorization_code" where oauth.authorizePath != nil:
                try redeem(form)
                family = begin(&answer)
            case "urn:ietf:params:oauth:grant-type:device_code" where oauth.devicePath != nil:
                try askForDevice(form, oauth)
                family = begin(&answer)
            default: throw GrantRefusal(error: "unsupported_grant_type", description: "Invalid grant_type.")
            }
            return grant(answer, family, oauth)
        } catch {
            return error.answer
        }
    }

    private mutating func grant(_ members: Value.Members, _ family: Int?, _ oauth: RESTSource.OAuth) -> SourceAnswer {
        var answer = members
        let access = newToken()
        let seconds = oauth.lifetime.components.seconds
        grants.ends[access] = now + seconds * 1_000_000
        grants.families[access] = family
        answer["access_token"] = .string(access)
        answer["expires_in"] = .number(JSONNumber(Int(seconds)))
        if let scope = oauth.scope { answer["scope"] = .string(scope) }
        answer["token_type"] = "Bearer"
        return SourceAnswer(200, json: .object(answer), headers: ["Cache-Control": "no-store"])
    }

    private mutating func refresh(
        _ form: SourceRequest, _ oauth: RESTSource.OAuth, _ answer: inout Value.Members
    ) throws(GrantRefusal) -> Int? {
        var tokens = grants.refreshTokens ?? Set(oauth.refreshTokens)
        defer { grants.refreshTokens = tokens }
        guard let token = form.query("refresh_token"), tokens.contains(token) else {
            if let token = form.query("refresh_token"), grants.spent.contains(token) {
                // Somebody has a copy: nobody can tell who, so nobody goes on.
                let family = grants.families[token]
                tokens = tokens.filter { grants.families[$0] != family || family == nil }
                grants.ends = grants.ends.filter { grants.families[$0.key] != family || family == nil }
            }
            throw GrantRefusal(
                error: "invalid_grant", description: "The refresh token has been expired or revoked.")
        }
        let family = grants.families[token] ?? newFamily()
        grants.families[token] = family
        if oauth.rotates {
            let next = newToken()
            tokens.remove(token)
            tokens.insert(next)
            grants.spent.insert(token)
            grants.families[next] = family
            answer["refresh_token"] = .string(next)
        }
        return family
    }

    /// The first refresh token of a sign-in.
    private mutating func begin(_ answer: inout Value.Members) -> Int {
        let token = newToken()
        let family = newFamily()
        grants.families[token] = family
        grants.refreshTokens = (grants.refreshTokens ?? Set(rules.oauth?.refreshTokens ?? [])).union([token])
        answer["refresh_token"] = .string(token)
        return family
    }

    private mutating func newFamily() -> Int {
        grants.count += 1
        return Int(grants.count)
    }

    /// The credentials stand in the form or, as RFC 6749 §2.3.1 prefers, in the header.
    func requireClient(
        _ form: SourceRequest, _ request: SourceRequest, _ oauth: RESTSource.OAuth
    ) throws(GrantRefusal) {
        let isNamed = form.query("client_id") == oauth.clientID
        if isNamed, oauth.clientSecret.isEmpty || form.query("client_secret") == oauth.clientSecret { return }
        let pair = "\(PercentEncoding.query(oauth.clientID)):\(PercentEncoding.query(oauth.clientSecret))"
        guard request.headers["Authorization"] == "Basic \(SourceBase64.encode(pair))" else {
            throw GrantRefusal(
                status: 401, error: "invalid_client", description: "The client is not known, or its secret is wrong.")
        }
    }

    /// Whether a header shows an access token that is still good.
    func isGranted(_ authorization: String?) -> Bool {
        guard let authorization, authorization.hasPrefix("Bearer ") else { return false }
        return grants.ends[String(authorization.dropFirst("Bearer ".count))].map { now < $0 } ?? false
    }

    mutating func newToken() -> String {
        grants.count += 1
        var random = SourceRandom(state: rules.randomSeed &* 31 &+ grants.count)
        return "tok-" + random.uuid()
    }
}

extension SourceRequest {
    /// The parameters of a form in the body, where queries have theirs: forms write a space as `+`, as queries do.
    var form: SourceRequest { SourceRequest(method: "GET", target: "/?" + String(decoding: body, as: UTF8.self)) }
}
