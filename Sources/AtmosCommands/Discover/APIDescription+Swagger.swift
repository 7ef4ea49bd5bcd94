#if Command
    internal import Atmosphere

    extension APIDescription {
        /// Whether the document is one of Swagger 2, which became OpenAPI.
        static func isSwagger(_ document: Value) -> Bool { document.members?["swagger"]?.text.hasPrefix("2") == true }

        /// Reads a document of Swagger 2 (OpenAPI 2.0).
        ///
        /// - Parameter url: where it was read; host and scheme are those of the document where it names none.
        /// - SeeAlso: <https://spec.openapis.org/oas/v2.0.html>
        init(swagger document: Value, url: String?) {
            let root = document.members ?? [:]
            let described = DescribedDocument(document, budget)
            title = root["info"]?.members?["title"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? "this API"
            operations = []
            readHost(root, url: url)
            let security = root["security"]?.array ?? []
            for path in root["paths"]?.members ?? [:] {
                guard let members = path.value.members else { continue }
                guard let place = APIPath(path.name) else {
                    remarks.append("\(path.name) has places inside a segment, which this reader leaves out.")
                    continue
                }
                for method in ["get", "post", "put", "patch", "delete"] {
                    guard let operation = members[method]?.members else { continue }
                    var read = Operation(method: method.uppercased(), path: place)
                    let shared = members["parameters"]?.array ?? []
                    read.readSwagger(operation, shared: shared, root, in: described)
                    read.security = (operation["security"]?.array ?? security).compactMap(\.members)
                    operations.append(read)
                }
            }
            let definitions = root["securityDefinitions"]?.members ?? [:]
            schemes = Value.Members(
                unique: definitions.map { .init(name: $0.name, value: Self.scheme($0.value.members ?? [:])) })
            schemeBase = base ?? url
        }

        private mutating func readHost(_ root: Value.Members, url: String?) {
            let origin = url.flatMap(URLText.origin)
            let schemes = root["schemes"]?.array?.compactMap(\.string) ?? []
            let own = origin?.hasPrefix("https:") == false ? "http" : "https"
            // The document's own way to be reached, where it is one of those; else the safe one.
            let scheme =
                schemes.contains(own) || schemes.isEmpty ? own : schemes.contains("https") ? "https" : schemes[0]
            let path = root["basePath"]?.string ?? "/"
            let host = root["host"]?.string.map { "\(scheme)://\($0)" } ?? origin
            if let host { take(base: host + (path.hasPrefix("/") ? path : "/\(path)")) }
        }

        /// A way to sign in as OpenAPI 3 writes it.
        private static func scheme(_ old: Value.Members) -> Value {
            switch old["type"]?.string {
            case "basic": return ["type": "http", "scheme": "basic"]
            case "oauth2":
                let names = ["accessCode": "authorizationCode", "application": "clientCredentials"]
                let flow = old["flow"]?.string ?? ""
                return ["type": "oauth2", "flows": .object([names[flow] ?? flow: .object(old)])]
            default: return .object(old)
            }
        }
    }

    extension APIDescription.Operation {
        fileprivate mutating func readSwagger(
            _ operation: Value.Members, shared: [Value], _ root: Value.Members, in document: DescribedDocument
        ) {
            let consumes = Self.types("consumes", operation, root)
            var form: [Value.Member] = []
            for value in (operation["parameters"]?.array ?? []) + shared {
                guard let parameter = document.resolved(value), let name = parameter["name"]?.string else { continue }
                switch parameter["in"]?.string {
                case "query": query.append((name, APISchema(.object(parameter), in: document)))
                case "header": headers.append(name)
                case "body":
                    request = APISchema(parameter["schema"], in: document)
                    requestType = consumes.first(where: \.isJSONType) ?? consumes.first ?? "application/json"
                case "formData": form.append(.init(name: name, value: .object(parameter)))
                default: break
                }
            }
            if !form.isEmpty {
                let schema: Value = ["type": "object", "properties": .object(Value.Members(form))]
                request = APISchema(schema, in: document)
                requestType = consumes.first { !$0.isJSONType } ?? "application/x-www-form-urlencoded"
            }
            let responses = operation["responses"]?.members ?? [:]
            let answer = document.resolved(["200", "201", "default"].compactMap { responses[$0] }.first)
            responseHeaders = answer?["headers"]?.members?.names ?? []
            guard let schema = answer?["schema"] else { return }
            let produces = Self.types("produces", operation, root)
            responseType = produces.first(where: \.isJSONType) ?? produces.first ?? "application/json"
            if responseType?.isJSONType == true { response = APISchema(schema, in: document) }
        }

        private static func types(_ name: String, _ operation: Value.Members, _ root: Value.Members) -> [String] {
            (operation[name] ?? root[name])?.array?.compactMap(\.string) ?? []
        }
    }
#endif
