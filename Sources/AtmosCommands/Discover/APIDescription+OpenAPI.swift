#if Command
    internal import Atmosphere

    extension APIDescription {
        /// Reads an OpenAPI document of version 3.
        ///
        /// - Parameter url: where it was read; servers can be relative to it.
        /// - Throws: ``CommandFailure`` where it is something else.
        init(openAPI document: Value, url: String?) throws {
            guard let root = document.members, let version = root["openapi"]?.text, version.hasPrefix("3"),
                let paths = root["paths"]?.members
            else {
                throw CommandFailure.usage(
                    "the document is neither OpenAPI 3 or Swagger 2 with “paths” nor a Google discovery document")
            }
            title = root["info"]?.members?["title"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? "this API"
            operations = []
            let described = DescribedDocument(document, budget)
            let security = root["security"]?.array ?? []
            for (name, item) in paths.map({ ($0.name, $0.value) }) {
                guard let members = item.members else { continue }
                guard let path = APIPath(name) else {
                    remarks.append("\(name) has places inside a segment, which this reader leaves out.")
                    continue
                }
                for method in ["get", "post", "put", "patch", "delete"] {
                    // A server may say itself what is no list of objects, whatever it looks like.
                    guard let operation = members[method]?.members, operation["x-atmos-discover"] != false else {
                        continue
                    }
                    let shared = members["parameters"]?.array ?? []
                    var read = Operation(method, path, operation, shared, in: described)
                    read.security = (operation["security"]?.array ?? security).compactMap(\.members)
                    operations.append(read)
                }
            }
            readServers(root, url: url)
            schemes = root["components"]?.members?["securitySchemes"]?.members ?? [:]
            schemeBase = url ?? base
            if root["components"]?.members?["schemas"]?.members?["HTTPValidationError"] != nil {
                // What FastAPI answers to a request that does not fit.
                errors = [
                    "fields": "$.detail", "field": "loc[1]", "message": "msg",
                    "messages": ["$.detail[0].msg", "$.detail"]
                ]
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
            // Relative to where the document stands (OpenAPI 3.1 §4.8.5).
            let absolute = servers.map { server -> String in
                server.contains("://") ? server : url.flatMap { URLText.resolved(server, against: $0) } ?? server
            }
            if servers.isEmpty {
                if let origin = url.flatMap(URLText.origin) { take(base: origin) }
            } else if url != nil || servers.contains(where: { $0.contains("://") }) {
                let taken = absolute.firstIndex { take(base: $0) }
                let others = absolute.indices.filter { $0 != taken }.map { absolute[$0] }
                if taken != nil, !others.isEmpty {
                    remarks.append("The document names other servers, too: \(others.joined(separator: ", ")).")
                }
            }
        }
    }

    extension APIDescription.Operation {
        fileprivate init(
            _ method: String, _ path: APIPath, _ operation: Value.Members, _ shared: [Value],
            in document: DescribedDocument
        ) {
            self.method = method.uppercased()
            self.path = path
            for value in (operation["parameters"]?.array ?? []) + shared {
                guard let parameter = document.resolved(value), let name = parameter["name"]?.string else {
                    continue
                }
                switch parameter["in"]?.string {
                case "query": query.append((name, APISchema(parameter["schema"], in: document)))
                case "header": headers.append(name)
                default: break
                }
            }
            (requestType, request) = Self.body(document.resolved(operation["requestBody"]), in: document)
            let responses = operation["responses"]?.members ?? [:]
            let success = ["200", "201", "2XX", "default"].compactMap { responses[$0] }.first
            let answer = document.resolved(success)
            (responseType, response) = Self.body(answer, in: document)
            // What is read here is JSON.
            if responseType.map({ !$0.isJSONType }) == true { response = nil }
            responseHeaders = answer?["headers"]?.members?.names ?? []
        }

        /// The body as JSON, or else as a form, or as whatever it can be.
        private static func body(
            _ holder: Value.Members?, in document: DescribedDocument
        ) -> (type: String?, schema: APISchema?) {
            let content = holder?["content"]?.members ?? [:]
            let usual = ["application/json", "+json", "*/*", "application/x-www-form-urlencoded"]
            let chosen = usual.lazy.compactMap { usual in
                content.first { usual.hasPrefix("+") ? $0.name.hasSuffix(usual) : $0.name.hasPrefix(usual) }
            }.first
            guard let found = chosen ?? content.first else { return (nil, nil) }
            return (found.name, APISchema(found.value.members?["schema"], in: document))
        }
    }

    extension String {
        /// Whether a media type is JSON, or can be.
        var isJSONType: Bool {
            utf8.allSatisfy { (0x20...0x7E).contains($0) }
                && (hasPrefix("application/json") || hasSuffix("+json") || hasPrefix("*/*"))
        }
    }
#endif
