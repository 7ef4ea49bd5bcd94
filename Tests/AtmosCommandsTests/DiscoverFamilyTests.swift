#if Command
    import Atmosphere
    import AtmosphereTesting
    import Foundation
    import Testing

    /// Descriptions in the forms that families of APIs publish, and what each becomes.
    @Suite("discover: families of APIs", .timeLimit(.minutes(5))) struct DiscoverFamilyTests {
        /// - Returns: the file that discover writes, which can be used as it is.
        private func found(_ document: String, _ more: String...) async throws -> String {
            let workspace = try Workspace()
            try workspace.write(document, to: "api.json")
            let run = try await workspace.start(["discover", "api.json", "-c", "found.yaml"] + more).end()
            #expect(run.status == 0, "\(run)")
            let validate = try await workspace.atmos("validate", "-c", "found.yaml")
            #expect(validate.status == 0, "\(validate)")
            return try workspace.read("found.yaml")
        }

        // MARK: Swagger 2

        private static let kinto = """
            {"swagger": "2.0", "info": {"title": "Kinto"}, "host": "kinto.example.com", "basePath": "/v1",
             "schemes": ["https"], "consumes": ["application/json"], "produces": ["application/json"],
             "securityDefinitions": {"basic": {"type": "basic"}}, "security": [{"basic": []}],
             "parameters": {"since": {"in": "query", "name": "_since", "type": "string"}},
             "responses": {"list": {"schema": {"$ref": "#/definitions/Buckets"}}},
             "definitions": {
               "Bucket": {"type": "object", "properties": {"id": {"type": "string"}, "last_modified": {"type": "integer"}}},
               "Buckets": {"type": "object", "properties": {"data": {"type": "array",
                 "items": {"$ref": "#/definitions/Bucket"}}}},
               "One": {"type": "object", "properties": {"data": {"$ref": "#/definitions/Bucket"},
                 "permissions": {"type": "object"}}},
               "Records": {"type": "object", "properties": {"data": {"type": "array", "items": {"type": "object"}}}}},
             "paths": {
               "/buckets": {"get": {"parameters": [{"$ref": "#/parameters/since"}],
                   "responses": {"200": {"$ref": "#/responses/list"}}},
                 "post": {"parameters": [{"in": "body", "name": "b", "schema": {"$ref": "#/definitions/One"}}],
                   "responses": {"201": {"schema": {"$ref": "#/definitions/One"}}}}},
               "/buckets/{bucket_id}": {"get": {"responses": {"200": {"schema": {"$ref": "#/definitions/One"}}}},
                 "patch": {"parameters": [{"in": "header", "name": "If-Match", "type": "string"},
                   {"in": "body", "name": "b", "schema": {"$ref": "#/definitions/One"}}], "responses": {"200": {}}}},
               "/buckets/{bucket_id}/records": {"get": {"responses": {"200": {"schema": {"$ref": "#/definitions/Records"}}}}},
               "/buckets/{bucket_id}/records/{id}": {"get": {"responses": {"200": {}}}}}}
            """

        @Test("a document of Swagger 2 is read: base, references, roots, parameters, parents and signing in")
        func swagger() async throws {
            let text = try await found(Self.kinto)
            for line in [
                "\nbase: https://kinto.example.com/v1\n", "auth: { basic: { username: \"secret:API_USER\"",
                "\n  buckets:\n", "    items: $.data\n", "    root: data\n",
                "    update: { method: PATCH, body: changed }\n", "    readonly: [last_modified]\n",
                "    # since: { send: _since, from: { field: last_modified } }\n",
                "    # If-Match: as declared, not tried;", "    version: { header: ETag, send: if-match }\n",
                "    path: \"buckets/{buckets.id}/records\"\n", "    parent: { buckets: bucket_id }\n",
                "# No member of these objects is declared; the identifier is taken to be “id”."
            ] { #expect(text.contains(line), "\(line) in \(text)") }
        }

        @Test("forms, flows and relative bases of Swagger 2 are OpenAPI’s under other names")
        func olderNames() async throws {
            let server = try FaultyServer { arrival in
                guard arrival.target == "/docs/swagger.json" else { return FaultyServer.answer("404 Not Found") }
                return FaultyServer.answer(
                    "200 OK", ["Content-Type: application/json"],
                    """
                    {"swagger": "2.0", "basePath": "/api", "security": [{"o": ["write"]}],
                     "securityDefinitions": {"o": {"type": "oauth2", "flow": "accessCode",
                       "authorizationUrl": "https://login.example.com/a", "tokenUrl": "https://login.example.com/t",
                       "scopes": {"write": ""}}},
                     "definitions": {"Note": {"properties": {"id": {"type": "integer"}, "text": {"type": "string"}}}},
                     "paths": {
                       "/notes": {"get": {"responses": {"200": {"schema": {"type": "array",
                           "items": {"$ref": "#/definitions/Note"}}}}},
                         "post": {"parameters": [{"in": "formData", "name": "text", "type": "string"}]}},
                       "/notes/{id}": {"get": {"responses": {"200": {"schema": {"$ref": "#/definitions/Note"}}}}}}}
                    """)
            }
            defer { server.stop() }
            let workspace = try Workspace()
            // Below the URL that is named.
            let run = try await workspace.atmos("discover", "\(server.url)/docs")
            #expect(run.status == 0, "\(run)")
            let text = try workspace.read("atmosphere.yaml")
            for line in [
                "\nbase: \(server.url)/api\n", "coding: form", "grant: authorization_code", "scopes: [write]"
            ] { #expect(text.contains(line), "\(line) in \(text)") }
        }

        // MARK: WordPress

        private static let wordPress = #"""
            {"name": "My site", "url": "https://blog.example.com", "namespaces": ["wp/v2"], "authentication": {},
             "routes": {"/": {"methods": ["GET"], "endpoints": [{"methods": ["GET"], "args": {}}]},
               "/wp/v2/posts": {"methods": ["GET", "POST"],
                 "_links": {"self": [{"href": "https://blog.example.com/wp-json/wp/v2/posts"}]}, "endpoints": [
                 {"methods": ["GET"], "args": {"page": {"type": "integer", "minimum": 1},
                   "per_page": {"type": "integer", "default": 10, "maximum": 100}, "modified_after": {"type": "string"},
                   "status": {"type": "array", "default": "publish", "items": {"enum": ["publish", "any"]}}}},
                 {"methods": ["POST"], "args": {"slug": {"type": "string"}, "sticky": {"type": "boolean"},
                   "date": {"type": ["string", "null"], "format": "date-time"}}}]},
               "/wp/v2/posts/(?P<id>[\\d]+)": {"endpoints": [{"methods": ["GET"], "args": {"id": {"type": "integer"}}},
                 {"methods": ["POST", "PUT", "PATCH"], "args": {"id": {"type": "integer"}, "slug": {"type": "string"}}},
                 {"methods": ["DELETE"], "args": {"id": {"type": "integer"}, "force": {"type": "boolean"}}}]},
               "/wp/v2/posts/(?P<id>[\\d]+)-(?P<n>(a|\\)b)+)": {"endpoints": [{"methods": ["GET"], "args": {}}]},
               "/wp/v2/types": {"endpoints": [{"methods": ["GET"], "args": {}}]}}}
            """#

        @Test("the index of a WordPress site is read: lists by what they take, members by what a write takes")
        func index() async throws {
            let text = try await found(Self.wordPress)
            for line in [
                "\nbase: https://blog.example.com/wp-json/wp/v2\n", "# Only writing needs it",
                "auth: { basic: { username: \"secret:API_USER\"", "\n  posts:\n",
                "    update: { method: PATCH, body: changed }\n",
                "pages: { kind: number, parameter: page, total: { header: X-WP-Total }, end-status: 400, size: { "
                    + "parameter: per_page, value: 100 } }", "    readonly: [modified]\n",
                "    # since: { send: modified_after, from: { field: modified } }\n", "    # query: { status: any }\n",
                "    # delete: { query: { force: \"true\" } }\n", "# 1 routes have patterns inside a segment"
            ] { #expect(text.contains(line), "\(line) in \(text)") }
            // Times there have no zone.
            #expect(!text.contains("types:"), "\(text)")
            #expect(!text.contains("\n  types:\n"), "\(text)")
        }

        // MARK: Google

        private static func google(_ item: String, _ parameters: String) -> String {
            """
            {"kind": "discovery#restDescription", "title": "Tasks", "rootUrl": "https://tasks.example.com/",
             "servicePath": "", "schemas": {
               "Tasks": {"type": "object", "properties": {"items": {"type": "array", "items": {"$ref": "Task"}},
                 "nextPageToken": {"type": "string"}}},
               "Task": {"type": "object", "properties": {"id": {"type": "string"}, \(item), "title": {"type": "string"}}}},
             "resources": {"tasks": {"methods": {
               "list": {"path": "v1/tasks", "httpMethod": "GET", "response": {"$ref": "Tasks"}, "parameters": {
                 "pageToken": {"type": "string", "location": "query"}, \(parameters)}},
               "get": {"path": "v1/tasks/{task}", "httpMethod": "GET", "response": {"$ref": "Task"}},
               "patch": {"path": "v1/tasks/{task}", "httpMethod": "PATCH", "request": {"$ref": "Task"},
                 "response": {"$ref": "Task"}}}}}}
            """
        }

        private static func flag(_ name: String, _ more: String = "") -> String {
            #""\#(name)": {"type": "boolean", "location": "query"\#(more)}"#
        }

        @Test("Google’s older APIs have their style, and a list is asked for what it hides")
        func hidden() async throws {
            let flags = [
                "\"maxResults\": {\"type\": \"integer\", \"location\": \"query\"}", Self.flag("showHidden"),
                Self.flag("showDeleted"), Self.flag("showCompleted", #", "default": "true""#),
                Self.flag("include_archived"),
                Self.flag("hideClosed", #", "default": true"#), Self.flag("excludeDone"), Self.flag("includeComments"),
                Self.flag("prettyPrint")
            ].joined(separator: ", ")
            let item = #""etag": {"type": "string"}, "updated": {"type": "string"}, "deleted": {"type": "boolean"}"#
            let text = try await found(Self.google(item, flags))
            for line in [
                "\nstyle: google-tasks\n", "\nbase: https://tasks.example.com/v1\n",
                "    query: { showHidden: true, showDeleted: true, include_archived: true, hideClosed: false }\n",
                "# Without these its list leaves objects out, by their names: as declared, not tried.",
                "    deletes: { field: deleted, equals: true }\n",
                "The style sends “etag” in If-Match: as declared, not tried;"
            ] { #expect(text.contains(line), "\(line) in \(text)") }
            for other in ["pages:", "items:", "update:", "errors:", "readonly:"] {
                #expect(!text.contains(other), "\(other) is the style’s: \(text)")
            }
        }

        @Test("what differs from Google’s style is written, and deleted objects that cannot be told stay out")
        func others() async throws {
            let text = try await found(Self.google(#""etag": {"type": "string"}"#, Self.flag("showDeleted")))
            let pages = "pages: { kind: token, next: $.nextPageToken, parameter: pageToken, size: null }"
            #expect(text.contains(pages), "\(text)")
            #expect(!text.contains("query:") && !text.contains("    deletes: {"), "\(text)")
            let newer = try await found(Self.google(#""name": {"type": "string"}"#, Self.flag("showHidden")))
            #expect(newer.contains("\nstyle: plain\n") && newer.contains("optional: true"), "\(newer)")
            #expect(newer.contains("    query: { showHidden: true }\n"), "\(newer)")
        }

        // MARK: JSON:API

        @Test("a description of JSON:API has its style, with the attributes as members")
        func jsonAPI() async throws {
            func body(_ name: String) -> String {
                ##""content": {"application/vnd.api+json": {"schema": {"$ref": "#/components/schemas/\##(name)"}}}"##
            }
            let text = try await found(
                """
                {"openapi": "3.0.0", "info": {"title": "Albums"}, "servers": [{"url": "https://api.example.com"}],
                 "components": {"schemas": {
                   "Picture": {"type": "object", "properties": {"type": {"type": "string", "enum": ["Picture"]},
                     "id": {"type": "string"}, "attributes": {"type": "object", "properties": {
                       "title": {"type": "string"}, "taken": {"type": "string", "format": "date-time"}}},
                     "relationships": {"type": "object", "properties": {"album": {"type": "object"}}}}},
                   "List": {"type": "object", "properties": {"data": {"type": "array",
                     "items": {"$ref": "#/components/schemas/Picture"}}, "links": {"type": "object"}}},
                   "One": {"type": "object", "properties": {"data": {"$ref": "#/components/schemas/Picture"}}}}},
                 "paths": {"/pictures": {
                     "get": {"parameters": [{"name": "page[size]", "in": "query", "schema": {"type": "integer",
                       "maximum": 50}}], "responses": {"200": {\(body("List"))}}},
                     "post": {"requestBody": {\(body("One"))}, "responses": {"201": {\(body("One"))}}}},
                   "/pictures/{id}": {"get": {"responses": {"200": {\(body("One"))}}},
                     "patch": {"requestBody": {\(body("One"))}, "responses": {"200": {\(body("One"))}}},
                     "delete": {"responses": {"204": {}}}}}}
                """)
            for line in [
                "\nstyle: json-api\n", "    singular: Picture\n", "    types: { taken: instant }\n",
                "    pages: { size: { parameter: \"page[size]\", value: 50 } }\n", "the guide shows how: album"
            ] { #expect(text.contains(line), "\(line) in \(text)") }
            for other in ["items:", "root:", "update:", "media-type:", "readonly:"] {
                #expect(!text.contains(other), "\(other) is the style’s: \(text)")
            }
        }

        // MARK: Looking

        /// As Rails: a list of types that ends with any is a browser's.
        private static func rails(_ arrival: FaultyServer.Arrival) -> String {
            let accept = arrival.header("Accept") ?? ""
            guard !accept.contains(",") else { return FaultyServer.answer("406 Not Acceptable") }
            let type = accept == "application/json" ? nil : "application/vnd.api+json"
            let todo = #"{"id": 1, "title": "Milk", "due_on": "2024-01-02"}"#
            let note = #"{"type": "Note", "id": "1", "attributes": {"text": "x"}}"#
            let bodies = [
                "/api/todos.json": "[\(todo)]", "/api/todos": "[\(todo)]", "/api/todos/1.json": todo
            ]
            let own = [
                "/ja/notes": #"{"data": [\#(note)], "links": {"next": null}}"#, "/ja/notes/1": #"{"data": \#(note)}"#
            ]
            if let body = own[arrival.target] {
                guard let type else { return FaultyServer.answer("406 Not Acceptable") }
                return FaultyServer.answer("200 OK", ["Content-Type: \(type)"], body)
            }
            guard let body = bodies[arrival.target] else { return FaultyServer.answer("404 Not Found") }
            return FaultyServer.answer("200 OK", ["Content-Type: application/json", "X-Runtime: 0.01"], body)
        }

        @Test(
            "a list of Rails is one of its style, with or without the notation in its path",
            arguments: ["todos.json", "todos"])
        func rails(_ list: String) async throws {
            let server = try FaultyServer { Self.rails($0) }
            defer { server.stop() }
            let workspace = try Workspace()
            let run = try await workspace.atmos("discover", "\(server.url)/api/\(list)")
            #expect(run == .init(0, "wrote atmosphere.yaml: todos; read its comments, then: atmos check\n"))
            let text = try workspace.read("atmosphere.yaml")
            #expect(text.contains("\nstyle: rails\nbase: \(server.url)/api\n"), "\(text)")
            let lines = text.components(separatedBy: "\n  todos:\n")[1].split(separator: "\n")
            #expect(lines.filter { !$0.contains("# ") } == ["    types: { due_on: date }"], "\(text)")
            #expect(server.arrivals.allSatisfy { $0.header("Accept") == "application/json" })
        }

        @Test("who has another type of JSON is asked for whatever there is")
        func notAcceptable() async throws {
            let server = try FaultyServer { Self.rails($0) }
            defer { server.stop() }
            let workspace = try Workspace()
            let run = try await workspace.atmos("discover", "\(server.url)/ja/notes")
            #expect(run.status == 0, "\(run)")
            let text = try workspace.read("atmosphere.yaml")
            #expect(text.contains("\nstyle: json-api\n") && text.contains("    singular: Note\n"), "\(text)")
            #expect(server.arrivals.compactMap { $0.header("Accept") }.prefix(2) == ["application/json", "*/*"])
        }

        @Test("a description of Rails keeps the notation of its paths, and says where bodies are bare")
        func railsDescription() async throws {
            func answer(_ schema: String) -> String {
                #""responses": {"200": {"content": {"application/json": {"schema": \#(schema)}}}}"#
            }
            let todo = #"{"type": "object", "properties": {"id": {"type": "integer"}, "title": {"type": "string"}}}"#
            let text = try await found(
                """
                {"openapi": "3.0.0", "servers": [{"url": "https://api.example.com"}], "paths": {
                  "/todos.json": {"get": {\(answer(#"{"type": "array", "items": \#(todo)}"#))},
                    "post": {"requestBody": {"content": {"application/json": {"schema": \(todo)}}}, \(answer(todo))}},
                  "/todos/{id}.{format}": {"get": {\(answer(todo))}, "put": {\(answer(todo))}}}}
                """)
            for line in [
                "\nstyle: rails\n", "    root: null\n", "    update: { method: PUT, body: whole }\n",
                "    delete: null\n"
            ] {
                #expect(text.contains(line), "\(line) in \(text)")
            }
        }

        // MARK: The base

        @Test(
            "a path that a person names with --base is not written twice",
            arguments: [
                ("https://api.example.com", "https://api.example.com/api/v1"),
                ("https://api.example.com/api", "https://api.example.com/api/v1"),
                ("https://api.example.com/api/v1/", "https://api.example.com/api/v1"),
                ("https://proxy.example.com/x/api/v1", "https://proxy.example.com/x/api/v1"),
                ("https://proxy.example.com/x", "https://proxy.example.com/x/api/v1")
            ])
        func base(_ named: String, _ meant: String) async throws {
            let list = #"{"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}}"#
            func path(_ name: String) -> String {
                #""/api/v1/\#(name)": {"get": {"responses": {"200": {"content": {"application/json": {"schema": \#(list)}}}}}}"#
            }
            let document = #"{"openapi": "3.0.0", "paths": {\#(path("lists")), \#(path("notes"))}}"#
            let text = try await found(document, "--base", named)
            #expect(text.contains("\nbase: \(meant)\n"), "\(text)")
            #expect(!text.contains("path:"), "\(text)")
        }

        @Test("a secret that was named for the description’s server is none for the one that it names")
        func elsewhere() async throws {
            let server = try FaultyServer { _ in
                FaultyServer.answer(
                    "200 OK", ["Content-Type: application/json"],
                    """
                    {"openapi": "3.0.0", "servers": [{"url": "https://other.example.com"}], "paths": {"/notes": {"get":
                      {"responses": {"200": {"content": {"application/json": {"schema": {"type": "array", "items":
                      {"type": "object", "properties": {"id": {"type": "integer"}}}}}}}}}}}}
                    """)
            }
            defer { server.stop() }
            let workspace = try Workspace()
            func discover(_ more: String...) async throws -> String {
                let header = ["--header", "Authorization: Bearer secret:TOKEN", "-c", "x\(more.count).yaml"]
                let run = try await workspace.start(
                    ["discover", "\(server.url)/openapi.json"] + header + more, environment: ["TOKEN": "t"]
                ).end()
                #expect(run.status == 0, "\(run)")
                return try workspace.read("x\(more.count).yaml")
            }
            let text = try await discover()
            #expect(text.contains("\n# auth: { bearer: \"secret:TOKEN\" }\n") && !text.contains("\nauth:"), "\(text)")
            #expect(text.contains("# Another server than the one that the description was read from"), "\(text)")
            let named = try await discover("--base", "https://other.example.com")
            #expect(named.contains("\nauth: { bearer: \"secret:TOKEN\" }\n"), "\(named)")
        }
    }
#endif
