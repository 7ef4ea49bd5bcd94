#if Command
    internal import Atmosphere

    extension APIDescription {
        /// Chooses the ways to sign in that the requests of the resources ask for, the most frequent one first: what
        /// other requests ask for, such as one for the description itself, says nothing of them.
        ///
        /// - SeeAlso: <https://spec.openapis.org/oas/v3.1.0#security-scheme-object>
        mutating func chooseSignIn(for resources: [FoundResource]) {
            guard !schemes.isEmpty else { return }
            let used = resources.flatMap { found -> [Operation] in
                [found.list] + [found.read, found.create, found.update, found.delete].compactMap { $0 }
            }
            var wanted = used.flatMap(\.security)
            if wanted.allSatisfy(\.isEmpty) { wanted = operations.flatMap(\.security) }
            guard wanted.contains(where: { !$0.isEmpty }) else { return }
            isOpen = used.allSatisfy(\.isOpen)
            readsOpenly = !isOpen && resources.allSatisfy { $0.list.isOpen && $0.read?.isOpen != false }
            let known = Dictionary(
                schemes.map { (ScalarText($0.name), $0.value) }, uniquingKeysWith: { first, _ in first })
            for (name, scopes) in Self.names(in: wanted) {
                guard let scheme = known[ScalarText(name)]?.members else { continue }
                if let signIn = Self.signIn(scheme, scopes, base: schemeBase) {
                    self.signIn.append(signIn)
                } else {
                    asksOtherwise = true
                    remarks.append(Self.remark(name, scheme))
                }
            }
        }

        /// Takes the secrets that the person named in place of the usual names, for the ways to sign in that are
        /// described; what the person has comes first.
        mutating func take(own: [SignIn]) {
            let taken = own.filter { mine in signIn.contains { $0.isAnswered(by: mine) } }
            signIn = taken + signIn.filter { described in !taken.contains { described.isAnswered(by: $0) } }
        }

        /// The names of what requests ask for, the most frequent first, each with the scopes that are asked for.
        private static func names(in wanted: [Value.Members]) -> [(name: String, scopes: [String])] {
            var places: [ScalarText: Int] = [:]
            var found: [(name: String, count: Int, scopes: [String], seen: Set<ScalarText>)] = []
            for member in wanted.joined() {
                let place = places[ScalarText(member.name)] ?? found.count
                if place == found.count {
                    places[ScalarText(member.name)] = place
                    found.append((member.name, 0, [], []))
                }
                found[place].count += 1
                for scope in (member.value.array ?? []).compactMap(\.string)
                where found[place].seen.insert(ScalarText(scope)).inserted {
                    found[place].scopes.append(scope)
                }
            }
            return found.enumerated().sorted { left, right in
                left.element.count == right.element.count
                    ? left.offset < right.offset : left.element.count > right.element.count
            }.map { ($0.element.name, $0.element.scopes) }
        }

        private static func remark(_ name: String, _ scheme: Value.Members) -> String {
            guard scheme["type"]?.string == "apiKey", scheme["in"]?.string == "cookie" else {
                return "The way to sign in called “\(name)” is none that a route file has yet."
            }
            let cookie = scheme["name"]?.string ?? "session"
            return "It signs in with the cookie “\(cookie)”: auth.session gets it where a login gives it (token: { "
                + "cookie: \(cookie) }); the description does not say which path that is."
        }

        private static func signIn(_ scheme: Value.Members, _ scopes: [String], base: String?) -> SignIn? {
            let secret = Value.string("secret:API_TOKEN")
            switch (scheme["type"]?.string, scheme["scheme"]?.string?.lowercased(), scheme["in"]?.string) {
            case ("http", "basic", _):
                return SignIn(setting: ["basic": ["username": "secret:API_USER", "password": "secret:API_PASSWORD"]])
            case ("http", "bearer", _): return SignIn(setting: ["bearer": secret])
            case ("apiKey", _, "header"):
                let header = scheme["name"]?.string ?? ""
                guard header.lowercased() != "authorization" else {
                    let prefix = scheme["description"]?.string?.firstMatch(of: #/"([A-Za-z][A-Za-z0-9_\-]*)"/#)?.output
                        .1
                    return SignIn(
                        setting: prefix.map { ["token": secret, "scheme": .string(String($0))] } ?? ["token": secret],
                        remark: "The key goes into Authorization; the word before it is the document’s, or “Token”.")
                }
                guard isToken(header) else { return nil }
                return SignIn(setting: ["key": ["header": .string(header), "value": secret]])
            case ("apiKey", _, "query"):
                guard let name = scheme["name"]?.string, !name.isEmpty else { return nil }
                return SignIn(setting: ["key": ["query": .string(name), "value": secret]])
            case ("oauth2", _, _): return oauth2(scheme["flows"]?.members ?? [:], scopes, base: base)
            case ("openIdConnect", _, _):
                return SignIn(
                    setting: ["bearer": secret],
                    remark: "The document asks for OpenID Connect. This takes an access token that you have from "
                        + "elsewhere; with the endpoints that \(scheme["openIdConnectUrl"]?.string ?? "the provider") "
                        + "names, auth.oauth2 and atmos login get one.")
            default: return nil
            }
        }

        /// Whether a text can be the name of a header (RFC 9110 §5.6.2).
        private static func isToken(_ text: String) -> Bool {
            !text.isEmpty
                && text.unicodeScalars.allSatisfy {
                    ("!"..."~").contains($0) && !"\"(),/:;<=>?@[\\]{}".unicodeScalars.contains($0)
                }
        }

        /// The flow that suits a command best: a person at a browser, another device, then no person at all.
        private static func oauth2(_ flows: Value.Members, _ scopes: [String], base: String?) -> SignIn {
            func endpoint(_ flow: Value.Members, _ name: String) -> Value? {
                guard let text = flow[name]?.string, let url = URLText.resolved(text, against: base) else { return nil }
                // As the route file takes it: parsed, without a name or a password, and no place to read secrets on the way.
                return PathText.endpointComplaint(url, at: name) == nil ? .string(url) : nil
            }
            let publicClient: Value = ["id": "secret:CLIENT_ID"]
            let ownClient: Value = ["id": "secret:CLIENT_ID", "secret": "secret:CLIENT_SECRET"]
            for name in ["authorizationCode", "deviceAuthorization", "clientCredentials"] {
                guard let flow = flows[name]?.members, let token = endpoint(flow, "tokenUrl") else { continue }
                var setting: Value.Members
                switch name {
                case "authorizationCode":
                    guard let authorize = endpoint(flow, "authorizationUrl") else { continue }
                    setting = ["grant": "authorization_code", "authorize": authorize, "token": token]
                    setting["client"] = publicClient
                case "deviceAuthorization":
                    guard let device = endpoint(flow, "deviceAuthorizationUrl") else { continue }
                    setting = ["grant": "device_code", "device": device, "token": token, "client": publicClient]
                default: setting = ["grant": "client_credentials", "token": token, "client": ownClient]
                }
                let offered = flow["scopes"]?.members?.names ?? []
                // RFC 6749 §3.3: what is none is left out.
                let asked = (scopes.isEmpty ? offered : scopes).filter { scope in
                    !scope.isEmpty
                        && scope.unicodeScalars.allSatisfy { ("!"..."~").contains($0) && $0 != "\"" && $0 != "\\" }
                }
                if !asked.isEmpty { setting["scopes"] = .array(asked.map(Value.string)) }
                let isPublic = setting["client"] == publicClient
                return SignIn(
                    setting: ["oauth2": .object(setting)],
                    remark: (isPublic ? "Once, before anything else: atmos login. " : "")
                        + "CLIENT_ID is what the service gave this program when it was registered there"
                        + (isPublic ? "; if it gave a secret, too: client.secret." : ".")
                        + (asked.isEmpty ? "" : " Leave out the scopes that you do not need."))
            }
            let password = flows["password"]?.members.flatMap { endpoint($0, "tokenUrl") }?.string
            return SignIn(
                setting: ["bearer": "secret:API_TOKEN"],
                remark: "The document asks for OAuth 2. This takes an access token that you have from elsewhere; "
                    + (password.map { "auth.session gets one with a name and a password from \($0)." }
                        ?? "auth.oauth2 and atmos login get one."))
        }
    }

    extension APIDescription.SignIn {
        /// Whether another way sends the same header, with the same word before the secret where one is described.
        fileprivate func isAnswered(by other: Self) -> Bool {
            guard let place, let given = other.place else { return false }
            return place.header == given.header && (place.word == nil || place.word == given.word)
        }

        private var place: (header: String, word: String?)? {
            guard let members = setting.members else { return nil }
            if members["bearer"] != nil { return ("authorization", "bearer") }
            if members["token"] != nil { return ("authorization", members["scheme"]?.string?.lowercased()) }
            guard let header = members["key"]?.members?["header"]?.string else { return nil }
            return (header.lowercased(), "")
        }
    }
#endif
