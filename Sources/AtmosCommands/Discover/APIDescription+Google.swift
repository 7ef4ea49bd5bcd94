#if Command
    internal import Atmosphere

    extension APIDescription {
        /// Whether the document is one of Google's.
        static func isGoogle(_ document: Value) -> Bool {
            document.members?["kind"] == "discovery#restDescription" || document.members?["discoveryVersion"] != nil
        }

        /// Reads a Google discovery document.
        ///
        /// - SeeAlso: <https://developers.google.com/discovery/v1/reference/apis>
        init(google document: Value) {
            let root = document.members ?? [:]
            let described = DescribedDocument(document, budget)
            title = [root["title"], root["name"]].compactMap { $0?.string }.first { !$0.isEmpty } ?? "this API"
            let url = (root["rootUrl"]?.string ?? "") + (root["servicePath"]?.string ?? "")
            operations = []
            family = .google
            if !url.isEmpty { take(base: url) }
            readMethods(root, in: described)
            let scopes = root["auth"]?.members?["oauth2"]?.members?["scopes"]?.members?.names ?? []
            if !scopes.isEmpty {
                // Those that suffice for writing come first; the endpoints are Google's for all its APIs.
                // https://developers.google.com/identity/protocols/oauth2/native-app
                let writing = scopes.filter { !$0.hasSuffix("readonly") }
                signIn = [
                    SignIn(
                        setting: [
                            "oauth2": [
                                "grant": "authorization_code",
                                "authorize": "https://accounts.google.com/o/oauth2/v2/auth",
                                "token": "https://oauth2.googleapis.com/token",
                                "revoke": "https://oauth2.googleapis.com/revoke",
                                "client": ["id": "secret:CLIENT_ID", "secret": "secret:CLIENT_SECRET"],
                                "scopes": .array((writing.isEmpty ? scopes : writing).prefix(1).map(Value.string)),
                                "parameters": ["access_type": "offline", "prompt": "consent"]
                            ]
                        ],
                        remark: "Once, before anything else: atmos login, with a client of your own (Google Cloud "
                            + "console, type “Desktop app”). Scopes: " + scopes.joined(separator: ", "))
                ]
            }
            errors = ["messages": ["$.error.errors[0].message", "$.error.message"]]
        }

        private mutating func readMethods(_ node: Value.Members, in document: DescribedDocument) {
            for method in node["methods"]?.members ?? [:] {
                guard let members = method.value.members,
                    let text = members["flatPath"]?.string ?? members["path"]?.string, let path = APIPath(text)
                else {
                    remarks.append("The method \(method.name) has a path that this reader leaves out.")
                    continue
                }
                var operation = Operation(method: members["httpMethod"]?.string ?? "GET", path: path)
                for parameter in members["parameters"]?.members ?? [:]
                where parameter.value.members?["location"] == "query" {
                    operation.query.append((parameter.name, APISchema(parameter.value, in: document)))
                }
                operation.request = APISchema(members["request"], in: document)
                operation.response = APISchema(members["response"], in: document)
                operations.append(operation)
            }
            for resource in node["resources"]?.members ?? [:] {
                if let members = resource.value.members { readMethods(members, in: document) }
            }
        }
    }
#endif
