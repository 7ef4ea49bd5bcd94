#if Command
    internal import Atmosphere

    extension APIDescription {
        /// Whether the document is the index of a WordPress site, or of one of its namespaces.
        static func isWordPress(_ document: Value) -> Bool {
            guard let routes = document.members?["routes"]?.members, !routes.isEmpty else { return false }
            return routes.allSatisfy { $0.name.hasPrefix("/") && $0.value.members?["endpoints"] != nil }
        }

        /// Reads the index of a WordPress site: routes with their methods, and the arguments of these with types. What an
        /// answer holds it does not say; a list is what takes `per_page` and has a route for one of its objects below it.
        ///
        /// - Parameter url: where it was read.
        /// - SeeAlso: <https://developer.wordpress.org/rest-api/extending-the-rest-api/routes-and-endpoints/>
        init(wordPress document: Value, url: String?) {
            let root = document.members ?? [:]
            title = root["name"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? "this site"
            operations = []
            family = .wordPress
            let routes = root["routes"]?.members ?? [:]
            readBase(root, routes, url: url)
            var endpoints: [WordPressEndpoint] = []
            var odd = 0
            for route in routes {
                guard let path = APIPath(Self.template(route.name)) else {
                    odd += 1
                    continue
                }
                for endpoint in route.value.members?["endpoints"]?.array ?? [] {
                    guard let members = endpoint.members else { continue }
                    endpoints.append(WordPressEndpoint(path: path, members))
                }
            }
            if odd > 0 { remarks.append("\(odd) routes have patterns inside a segment, which this reader leaves out.") }
            let items = WordPressItems(endpoints)
            let described = DescribedDocument(document, budget)
            operations = endpoints.flatMap { $0.operations(items, in: described) }
            remarks.append(
                "The index of a WordPress site says what can be sent, not what is answered: members of answers alone are "
                    + "unknown here.")
            signIn = [
                SignIn(
                    setting: ["basic": ["username": "secret:API_USER", "password": "secret:API_PASSWORD"]],
                    remark: "A user’s name and an application password, which the user’s profile makes.")
            ]
            readsOpenly = true
            errors = ["messages": ["$.message"], "fields": "$.data.params"]
        }

        private mutating func readBase(_ root: Value.Members, _ routes: Value.Members, url: String?) {
            // Where the index was read is sure; what it says of itself is not.
            if let url, let range = url.firstRange(of: "/wp-json") {
                take(base: String(url[..<range.upperBound]))
                return
            }
            for route in routes {
                let link = route.value.members?["_links"]?.members?["self"]
                guard let href = link?.string ?? link?.array?.first?.members?["href"]?.string,
                    href.hasSuffix(route.name),
                    take(base: String(href.dropLast(route.name.count)))
                else { continue }
                return
            }
        }

        /// `/wp/v2/posts/(?P<id>[\d]+)` as `/wp/v2/posts/{id}`.
        private static func template(_ route: String) -> String {
            var text = ""
            var rest = Substring(route)
            while let start = rest.firstRange(of: "(?P<") {
                text += rest[..<start.lowerBound]
                rest = rest[start.upperBound...]
                guard let close = rest.firstIndex(of: ">") else { return text + "{}" }
                text += "{\(rest[..<close])}"
                rest = rest[rest.index(after: close)...]
                var depth = 1
                var isEscaped = false
                while depth > 0, let character = rest.popFirst() {
                    if isEscaped {
                        isEscaped = false
                    } else if character == "\\" {
                        isEscaped = true
                    } else if character == "(" {
                        depth += 1
                    } else if character == ")" {
                        depth -= 1
                    }
                }
            }
            return text + rest
        }
    }

    /// Methods of a route with what they take.
    private struct WordPressEndpoint {
        let path: APIPath
        let methods: [String]
        let arguments: Value.Members

        init(path: APIPath, _ members: Value.Members) {
            self.path = path
            methods = members["methods"]?.array?.compactMap(\.string) ?? []
            arguments = members["args"]?.members ?? [:]
        }

        /// Whether it lists objects.
        var isList: Bool { methods.contains("GET") && arguments["per_page"] != nil && path.segments.last?.place == nil }

        func operations(_ items: WordPressItems, in document: DescribedDocument) -> [APIDescription.Operation] {
            methods.filter { ["GET", "POST", "PUT", "PATCH", "DELETE"].contains($0) }.map { method in
                var operation = APIDescription.Operation(method: method, path: path)
                let schema: Value = ["type": "object", "properties": .object(WordPressItems.properties(arguments))]
                if ["POST", "PUT", "PATCH"].contains(method) {
                    operation.request = APISchema(schema, in: document)
                    operation.requestType = "application/json"
                    return operation
                }
                operation.query = arguments.map { ($0.name, APISchema($0.value, in: document)) }
                guard method == "GET" else { return operation }
                if isList, let item = items.schema(below: path) {
                    let list: Value = ["type": "array", "items": item]
                    operation.response = APISchema(list, in: document)
                    operation.responseHeaders = ["X-WP-Total", "X-WP-TotalPages", "Link"]
                    operation.pastTheEnd = 400
                } else if path.segments.last?.place != nil,
                    let item = items.schema(below: APIPath(segments: path.segments.dropLast()))
                {
                    operation.response = APISchema(item, in: document)
                }
                return operation
            }
        }
    }

    /// What the objects of each list are made of, as far as their routes take it.
    private struct WordPressItems {
        private var schemas: [[APIPath.Segment]: Value.Members] = [:]
        private var lists: Set<[APIPath.Segment]> = []
        private var changing: Set<[APIPath.Segment]> = []

        init(_ endpoints: [WordPressEndpoint]) {
            for endpoint in endpoints {
                if endpoint.isList {
                    lists.insert(endpoint.path.segments)
                    if endpoint.arguments["modified_after"] != nil { changing.insert(endpoint.path.segments) }
                }
                let isOne = endpoint.path.segments.last?.place != nil
                let list = isOne ? Array(endpoint.path.segments.dropLast()) : endpoint.path.segments
                if let place = endpoint.path.segments.last?.place {
                    let type = endpoint.arguments[place]?.members?["type"] ?? "integer"
                    add([.init(name: place, value: ["type": type, "readOnly": true])], to: list)
                }
                guard endpoint.methods.contains(where: { ["POST", "PUT", "PATCH"].contains($0) }) else { continue }
                add(Array(Self.properties(endpoint.arguments)), to: list)
            }
        }

        private mutating func add(_ members: [Value.Member], to list: [APIPath.Segment]) {
            schemas[list] = Value.Members(Array(schemas[list] ?? [:]) + members)
        }

        func schema(below list: APIPath) -> Value? {
            guard lists.contains(list.segments), var members = schemas[list.segments] else { return nil }
            if changing.contains(list.segments) { members["modified"] = ["type": "string", "readOnly": true] }
            return ["type": "object", "properties": .object(members)]
        }

        /// Times have no zone there, so they are no instants.
        static func properties(_ arguments: Value.Members) -> Value.Members {
            Value.Members(
                unique: arguments.compactMap { argument in
                    // What says how to answer or to delete is no member.
                    guard !["context", "force", "_fields"].contains(argument.name), var schema = argument.value.members
                    else { return nil }
                    schema["format"] = nil
                    schema["required"] = nil
                    return .init(name: argument.name, value: .object(schema))
                })
        }
    }
#endif
