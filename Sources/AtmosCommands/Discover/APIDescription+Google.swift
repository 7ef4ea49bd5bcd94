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
            title = root["title"]?.string ?? root["name"]?.string ?? "this API"
            let url = (root["rootUrl"]?.string ?? "") + (root["servicePath"]?.string ?? "")
            base = url.hasPrefix("http") ? URLText.trimmed(url) : nil
            operations = []
            readMethods(root, in: document)
            let scopes = root["auth"]?.members?["oauth2"]?.members?["scopes"]?.members?.names ?? []
            if !scopes.isEmpty {
                signIn = [
                    SignIn(
                        setting: ["bearer": "secret:API_TOKEN"],
                        remark: "This takes an access token that you have from elsewhere; auth.oauth2 and atmos "
                            + "login get one. Scopes: "
                            + scopes.joined(separator: ", "))
                ]
            }
            errors = ["messages": ["$.error.errors[0].message", "$.error.message"]]
        }

        private mutating func readMethods(_ node: Value.Members, in document: Value) {
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
