internal import Atmosphere

/// Who may ask: only this machine's own programs and pages, and only with a token.
struct Access: Sendable {
    /// Who has asked.
    enum Caller: Hashable, Sendable {
        /// A program, by the token of the gateway.
        case program
        /// A browser that was let in by the link.
        case browser
    }

    private let token: GatewayToken
    private let once: OneTimeToken
    /// What the browser gets in the place of the token, which it does not tell. It is worth as long as the token: a page that
    /// goes on by itself while the gateway starts anew comes back with it.
    private let session: GatewayToken
    private let hosts: Set<String>
    private let scheme: String
    private let origins: Set<String>
    private let isReadOnly: Bool
    private let cookieName: String

    /// - Parameter port: the one that was bound.
    init(_ options: Gateway.Options, port: Int, token: GatewayToken, once: OneTimeToken) {
        self.token = token
        self.once = once
        session = token.derived(for: "cookie")
        scheme = options.isTLS ? "https" : "http"
        let names = options.hostNames
        var hosts = Set(names.map { "\($0):\(port)" })
        if port == (options.isTLS ? 443 : 80) { hosts.formUnion(names) }
        self.hosts = hosts
        origins = Set(options.origins)
        isReadOnly = options.isReadOnly
        // Cookies know no ports.
        cookieName = "atmos_\(port)"
    }

    // MARK: Where a request comes from

    /// Refuses names that lead here and are not ours (DNS rebinding), and foreign pages.
    ///
    /// - Returns: the origin of a page that may read the answer; nil for the gateway's own and for programs.
    func checkOrigin(_ request: GatewayRequest) throws(Problem) -> String? {
        let named = request.headers.values(of: "Host")
        guard named.count == 1, let host = named.first?.lowercased(), hosts.contains(host) else {
            throw Problem(
                .misdirectedRequest, "foreignHost",
                "the gateway is not called so; use the address that it was started with, or name this one with --name")
        }
        let origins = request.headers.values(of: "Origin")
        guard origins.count <= 1 else { throw foreign() }
        if let origin = origins.first {
            if self.origins.contains(origin) { return origin }
            guard origin.lowercased() == "\(scheme)://\(host)" else { throw foreign() }
        }
        // A page of another port of this machine is of the same site.
        if let site = request.headers["Sec-Fetch-Site"], site != "same-origin", site != "none" {
            throw request.headers["Sec-Fetch-Mode"] == "navigate" ? followed() : foreign()
        }
        return nil
    }

    private func foreign() -> Problem {
        Problem(
            .forbidden, "foreignOrigin",
            "pages of other origins may not ask; list the origin with --allow-origin if it is yours")
    }

    /// Somebody has followed a link of another page: that page may have chosen where it leads.
    private func followed() -> Problem {
        Problem(
            .forbidden, "foreignOrigin",
            "another page has led here, and none may; to go here yourself, paste the address into the address bar")
    }

    /// What a browser asks before a page of a listed origin may ask (CORS, Fetch standard §3.2).
    func preflight(_ request: GatewayRequest, _ origin: String?) -> GatewayAnswer? {
        guard request.method == "OPTIONS", origin != nil, request.headers["Access-Control-Request-Method"] != nil else {
            return nil
        }
        return GatewayAnswer(
            .noContent,
            headers: [
                "Access-Control-Allow-Methods": isReadOnly ? "GET, HEAD" : "GET, HEAD, POST, PUT, PATCH, DELETE",
                "Access-Control-Allow-Headers":
                    "Authorization, Content-Type, Content-Disposition, Idempotency-Key, If-Match, If-None-Match, "
                    + "Last-Event-ID, Range",
                "Access-Control-Max-Age": "600"
            ])
    }

    // MARK: Who asks

    /// The answer to a link with the token: a cookie, and the page without the token in its address.
    ///
    /// - Returns: nil for a request that is not of a link.
    func enter(_ request: GatewayRequest, _ place: RequestPlace) throws(Problem) -> GatewayAnswer? {
        guard request.method == "GET", Pages.holds(place), Pages.path(place.segments) != nil,
            let given = place.query.first(where: { $0.name == "token" })?.value
        else { return nil }
        guard token.matches(given) || once.spend(given) else { throw unknown() }
        var answer = Pages.redirect(to: place.segments)
        let secure = scheme == "https" ? "; Secure" : ""
        answer.headers["Set-Cookie"] = "\(cookieName)=\(session.text); Path=/; HttpOnly; SameSite=Strict\(secure)"
        return answer
    }

    /// - Throws: ``Problem`` 401 without a token or a cookie that is right, 403 where the caller may not do it.
    func caller(of request: GatewayRequest, _ origin: String?) throws(Problem) -> Caller {
        let caller: Caller
        if let authorization = request.headers["Authorization"] {
            guard let given = Self.bearer(authorization), token.matches(given) else { throw unknown() }
            caller = .program
        } else {
            // Another service of this machine may have set a cookie of the same name.
            guard cookies(of: request).prefix(8).contains(where: session.matches) else { throw unknown() }
            caller = .browser
        }
        guard request.isSafe || !isReadOnly else {
            throw Problem.readOnly()
        }
        // A browser says where a request that changes something comes from, and what says nothing is none of ours.
        let isTold = request.headers["Origin"] != nil || request.headers["Sec-Fetch-Site"] != nil
        guard caller == .program || request.isSafe || isTold else {
            throw Problem(
                .forbidden, "foreignOrigin",
                "a request with the cookie must say its Origin; programs use Authorization: Bearer TOKEN")
        }
        return caller
    }

    /// Whether a program's token is the gateway's.
    func opens(_ given: String) -> Bool { token.matches(given) }

    private func unknown() -> Problem {
        var problem = Problem(
            .unauthorized, "signInNeeded",
            "the gateway needs its token: open the link that it printed, or send Authorization: Bearer TOKEN")
        problem.headers = ["WWW-Authenticate": "Bearer realm=\"atmos gateway\""]
        problem.closes = true
        return problem
    }

    private static func bearer(_ authorization: String) -> String? {
        guard let (scheme, rest) = authorization.divided(at: " "), scheme.lowercased() == "bearer" else { return nil }
        return String(rest.drop { $0 == " " })
    }

    private func cookies(of request: GatewayRequest) -> [String] {
        request.headers.values(of: "Cookie").flatMap { header in
            header.utf8.split(separator: UInt8(ascii: ";")).compactMap { pair -> String? in
                let text = String(Substring(pair)).drop { $0 == " " }
                guard let (name, value) = String(text).divided(at: "="), name == cookieName else { return nil }
                return String(value)
            }
        }
    }
}

/// Names of hosts, as a `Host` header and an origin write them.
enum HostName {
    /// In lower case; an IPv6 address in brackets.
    static func written(_ host: String) -> String {
        let lowered = host.lowercased()
        return lowered.contains(":") && !lowered.hasPrefix("[") ? "[\(lowered)]" : lowered
    }

    /// Every address of this machine.
    static func isAnywhere(_ host: String) -> Bool { ["0.0.0.0", "::", "[::]"].contains(host) }

    static func isLoopback(_ host: String) -> Bool { RequestOrigin("http://\(written(host))").isLoopback }

    /// Whether an origin is written as browsers write it (RFC 6454 §6.1).
    static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
        let host = text.dropFirst(scheme.count)
        return !host.isEmpty && !host.hasSuffix(scheme == "https://" ? ":443" : ":80")
            && host.allSatisfy { $0.isASCII && !$0.isUppercase && !"/?#@* ".contains($0) }
    }
}
