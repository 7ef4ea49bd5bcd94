#if Command
    internal import Atmosphere

    extension APIDescription {
        /// Reads the ways to sign in that an OpenAPI document asks for.
        ///
        /// - Parameter url: where the document was read; endpoints can be relative to it.
        /// - SeeAlso: <https://spec.openapis.org/oas/v3.1.0#security-scheme-object>
        mutating func readSignIn(_ root: Value.Members, _ paths: Value.Members, url: String?) {
            let schemes = root["components"]?.members?["securitySchemes"]?.members ?? [:]
            let operations = paths.flatMap { path in
                ["get", "post", "put", "patch", "delete"].compactMap { path.value.members?[$0]?.members }
            }
            let own = operations.compactMap { $0["security"]?.array }
            let wanted = ((root["security"]?.array ?? []) + own.flatMap { $0 }).compactMap(\.members)
            guard !wanted.isEmpty else { return }
            isOpen = wanted.contains(where: \.isEmpty)
            var seen: Set<String> = []
            for name in wanted.flatMap(\.names) where seen.insert(name).inserted {
                guard let scheme = schemes[name]?.members else { continue }
                var scopes: [String] = []
                for scope in wanted.flatMap({ $0[name]?.array ?? [] }).compactMap(\.string)
                where !scopes.contains(scope) {
                    scopes.append(scope)
                }
                if let signIn = Self.signIn(scheme, scopes, base: url ?? base) {
                    self.signIn.append(signIn)
                } else {
                    remarks.append("The way to sign in called “\(name)” is none that a route file has yet.")
                }
            }
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
                    let prefix = scheme["description"]?.string?.firstMatch(of: #/"(\w+)"/#)?.output.1
                    return SignIn(
                        setting: prefix.map { ["token": secret, "scheme": .string(String($0))] } ?? ["token": secret],
                        remark: "The key goes into Authorization; the word before it is the document’s, or “Token”.")
                }
                return SignIn(setting: ["key": ["header": .string(header), "value": secret]])
            case ("apiKey", _, "query"):
                return SignIn(setting: ["key": ["query": .string(scheme["name"]?.string ?? ""), "value": secret]])
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

        /// The flow that suits a command best: a person at a browser, another device, then no person at all.
        private static func oauth2(_ flows: Value.Members, _ scopes: [String], base: String?) -> SignIn {
            func endpoint(_ flow: Value.Members, _ name: String) -> Value? {
                guard let text = flow[name]?.string, let url = URLText.resolved(text, against: base) else { return nil }
                let origin = RequestOrigin(url)
                return origin.scheme == "https" || origin.isLoopback ? .string(url) : nil
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
                let asked = scopes.isEmpty ? offered : scopes
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
#endif
