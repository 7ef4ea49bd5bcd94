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
            title = root["info"]?.members?["title"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? "this API"
            operations = []
            let described = DescribedDocument(document)
            let security = root["security"]?.array ?? []
            for (name, item) in paths.map({ ($0.name, $0.value) }) {
                guard let members = item.members else { continue }
                guard let path = APIPath(name) else {
                    remarks.append("\(name) has places inside a segment, which this reader leaves out.")
                    continue
                }
                for method in ["get", "post", "put", "patch", "delete"] {
                    guard let operation = members[method]?.members else { continue }
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
        var isJSONType: Bool { hasPrefix("application/json") || hasSuffix("+json") || hasPrefix("*/*") }
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

        /// A reference as an absolute URL (RFC 3986 §5.2, without dot segments); nil where there is nothing to add it to.
        static func resolved(_ reference: String, against base: String?) -> String? {
            if origin(reference) != nil { return reference }
            guard let base, let origin = origin(base) else { return nil }
            if reference.hasPrefix("/") { return origin + reference }
            let path = base.dropFirst(origin.count).prefix { $0 != "?" && $0 != "#" }
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
            return origin + folder + (reference.hasPrefix("./") ? String(reference.dropFirst(2)) : reference)
        }
    }
#endif
