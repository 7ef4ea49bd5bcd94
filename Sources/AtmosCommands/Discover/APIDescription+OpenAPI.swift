#if Command
    internal import Atmosphere

    extension APIDescription {
        /// Reads an OpenAPI document of version 3.
        ///
        /// - Parameter url: where it was read; servers can be relative to it.
        /// - Throws: ``CommandFailure`` where it is something else.
        init(openAPI document: Value, url: String?) throws {
            guard let root = document.members, let version = root["openapi"]?.string, version.hasPrefix("3."),
                let paths = root["paths"]?.members
            else {
                let isOld = document.members?["swagger"] != nil
                throw CommandFailure.usage(
                    isOld
                        ? "the document is Swagger 2; convert it to OpenAPI 3 first, which its own tools do"
                        : "the document is neither OpenAPI 3 nor a Google discovery document")
            }
            title = root["info"]?.members?["title"]?.string ?? "this API"
            operations = []
            for (name, item) in paths.map({ ($0.name, $0.value) }) {
                guard let members = item.members else { continue }
                guard let path = APIPath(name) else {
                    remarks.append("\(name) has places inside a segment, which this reader leaves out.")
                    continue
                }
                for method in ["get", "post", "put", "patch", "delete"] {
                    guard let operation = members[method]?.members else { continue }
                    let shared = members["parameters"]?.array ?? []
                    operations.append(Operation(method, path, operation, shared, in: document))
                }
            }
            readServers(root, url: url)
            readSignIn(root, paths)
            if root["components"]?.members?["schemas"]?.members?["HTTPValidationError"] != nil {
                // What FastAPI answers to a request that does not fit.
                errors = ["messages": ["$.detail[0].msg", "$.detail"]]
            }
        }

        private mutating func readServers(_ root: Value.Members, url: String?) {
            let servers = (root["servers"]?.array ?? []).compactMap { server -> String? in
                guard var text = server.members?["url"]?.string else { return nil }
                for variable in server.members?["variables"]?.members ?? [:] {
                    let value = variable.value.members?["default"]?.string ?? ""
                    text = text.replacing("{\(variable.name)}", with: value)
                }
                return text
            }
            let origin = url.flatMap(URLText.origin)
            let first = servers.first ?? "/"
            if first.contains("://") {
                base = URLText.trimmed(first)
                let others = servers.dropFirst()
                if !others.isEmpty {
                    remarks.append("The document names other servers, too: \(others.joined(separator: ", ")).")
                }
            } else if let origin {
                base = URLText.trimmed(origin + (first.hasPrefix("/") ? first : "/\(first)"))
            }
        }

        // MARK: Sign in

        private mutating func readSignIn(_ root: Value.Members, _ paths: Value.Members) {
            let schemes = root["components"]?.members?["securitySchemes"]?.members ?? [:]
            let own = paths.compactMap { $0.value.members?["get"]?.members?["security"]?.array }
            let wanted = (root["security"]?.array ?? []) + own.flatMap { $0 }
            guard !wanted.isEmpty else { return }
            isOpen = wanted.contains { $0.members?.isEmpty == true }
            var seen: Set<String> = []
            for name in wanted.flatMap({ $0.members?.names ?? [] }) where seen.insert(name).inserted {
                guard let scheme = schemes[name]?.members else { continue }
                if let signIn = Self.signIn(name, scheme) {
                    self.signIn.append(signIn)
                } else {
                    remarks.append("The way to sign in called “\(name)” is none that a route file has yet.")
                }
            }
        }

        private static func signIn(_ name: String, _ scheme: Value.Members) -> SignIn? {
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
            case ("oauth2", _, _), ("openIdConnect", _, _):
                return SignIn(
                    setting: ["bearer": secret],
                    remark: "The document asks for OAuth 2. This takes an access token that you have from elsewhere; "
                        + "auth.oauth2 and atmos login get one.")
            default: return nil
            }
        }
    }

    extension APIDescription.Operation {
        fileprivate init(
            _ method: String, _ path: APIPath, _ operation: Value.Members, _ shared: [Value], in document: Value
        ) {
            self.method = method.uppercased()
            self.path = path
            for value in (operation["parameters"]?.array ?? []) + shared {
                guard let parameter = Self.resolved(value, document), let name = parameter["name"]?.string else {
                    continue
                }
                switch parameter["in"]?.string {
                case "query": query.append((name, APISchema(parameter["schema"], in: document)))
                case "header": headers.append(name)
                default: break
                }
            }
            request = Self.body(Self.resolved(operation["requestBody"], document), in: document)
            let responses = operation["responses"]?.members ?? [:]
            let success = ["200", "201", "2XX", "default"].compactMap { responses[$0] }.first
            let answer = Self.resolved(success, document)
            response = Self.body(answer, in: document)
            responseHeaders = answer?["headers"]?.members?.names ?? []
        }

        private static func resolved(_ value: Value?, _ document: Value) -> Value.Members? {
            guard let reference = value?.members?["$ref"]?.string else { return value?.members }
            let steps = reference.split(separator: "/").dropFirst()
            return steps.reduce(Optional(document)) { $0?.members?[String($1)] }?.members
        }

        /// The schema of the JSON body.
        private static func body(_ holder: Value.Members?, in document: Value) -> APISchema? {
            let content = holder?["content"]?.members ?? [:]
            let json =
                content.first { $0.name.hasPrefix("application/json") } ?? content.first { $0.name.hasSuffix("+json") }
            return APISchema((json ?? content.first { $0.name == "*/*" })?.value.members?["schema"], in: document)
        }
    }

    /// Parts of URLs.
    enum URLText {
        /// `https://host:port`; nil for anything but an absolute URL.
        static func origin(_ url: String) -> String? {
            guard let match = url.firstMatch(of: #/^https?://[^/?#]+/#) else { return nil }
            return String(match.output)
        }

        static func trimmed(_ url: String) -> String {
            var url = url
            while url.hasSuffix("/") { url.removeLast() }
            return url
        }
    }
#endif
