#if Command
    import Foundation
    import Testing

    @testable import AtmosCommands
    @testable import Atmosphere
    @testable import AtmosphereExchange
    @testable import AtmosphereModel
    @testable import AtmosphereRouting
    @testable import AtmosphereStore

    /// What discover concludes from descriptions that differ from the usual.
    @Suite("discover: findings", .timeLimit(.minutes(5))) struct DiscoverFindingTests {
        private static func answer(_ schema: String, _ type: String = "application/json") -> String {
            #""responses": {"200": {"description": "", "content": {"\#(type)": {"schema": \#(schema)}}}}"#
        }

        private static func body(_ schema: String, _ type: String = "application/json") -> String {
            #""requestBody": {"content": {"\#(type)": {"schema": \#(schema)}}}"#
        }

        private static func list(_ schema: String) -> String { #"{"type": "array", "items": \#(schema)}"# }

        private static let note =
            #"{"type": "object", "properties": {"id": {"type": "integer"}, "text": {"type": "string"}}}"#

        private static func document(_ paths: String, _ more: String = "") -> String {
            """
            {"openapi": "3.0.3", "info": {"title": "", "version": "1"}, \(more)
             "servers": [{"url": "https://api.example.com/v1"}], "paths": {\(paths)}}
            """
        }

        /// - Returns: the file that discover writes, which can be used as it is.
        private func found(_ document: String, named name: String = "api.json") async throws -> String {
            let workspace = try Workspace()
            try workspace.write(document, to: name)
            let run = try await workspace.atmos("discover", name, "-c", "found.yaml")
            #expect(run.status == 0, "\(run)")
            #expect(try await workspace.atmos("validate", "-c", "found.yaml").status == 0)
            return try workspace.read("found.yaml")
        }

        // MARK: Signing in

        private static let bearer = #""components": {"securitySchemes": {"b": {"type": "http", "scheme": "bearer"}}},"#

        @Test("an open request that became no resource leaves the others closed")
        func openElsewhere() async throws {
            let text = try await found(
                Self.document(
                    """
                    "/schema": {"get": {\(Self.answer("{}")), "security": [{"b": []}, {}]}},
                    "/notes": {"get": {\(Self.answer(Self.list(Self.note))), "security": [{"b": []}]}}
                    """, Self.bearer))
            #expect(text.contains("\nauth: { bearer: \"secret:API_TOKEN\" }\n"), "\(text)")
            #expect(!text.contains("without credentials"), "\(text)")
            #expect(text.hasPrefix("# this API, as "), "\(text)")
        }

        @Test("credentials are a suggestion where every request of a resource does without, and only then")
        func open() async throws {
            func paths(_ reading: String, _ writing: String) -> String {
                """
                "/notes": {"get": {\(Self.answer(Self.list(Self.note))), "security": \(reading)},
                  "post": {\(Self.body(Self.note)), "security": \(writing)}}
                """
            }
            let more = Self.bearer + #""security": [{"b": []}],"#
            let both = try await found(Self.document(paths("[]", #"[{"b": []}, {}]"#), more))
            #expect(both.contains("\n# Requests without credentials are answered, too; this is for more.\n# auth: "))
            let reading = try await found(Self.document(paths("[{}]", #"[{"b": []}]"#), more))
            #expect(reading.contains("\n# Only writing needs it"), "\(reading)")
            #expect(reading.contains("\nauth: "), "\(reading)")
        }

        @Test("a cookie is told of, and nothing says that there are no credentials")
        func cookie() async throws {
            let text = try await found(
                Self.document(
                    #""/notes": {"get": {\#(Self.answer(Self.list(Self.note)))}}"#,
                    """
                    "components": {"securitySchemes": {"c": {"type": "apiKey", "in": "cookie", "name": "sid"}}},
                    "security": [{"c": []}],
                    """))
            #expect(text.contains("cookie “sid”: auth.session gets it"), "\(text)")
            #expect(!text.contains("asks for no credentials"), "\(text)")
        }

        // MARK: Identifiers

        private static func books(_ required: String) -> String {
            let book =
                #"{"type": "object", "properties": {"isbn": {"type": "string"}, "x": {"type": "string"}}\#(required)}"#
            return document(
                """
                "/books": {"get": {\(answer(list(book)))}, "post": {\(body(book)), \(answer(book))}},
                "/books/{isbn}": {"get": {\(answer(book))}}
                """)
        }

        @Test("an identifier that a create has to say is the client’s; one that it may say is a suggestion")
        func client() async throws {
            let required = try await found(Self.books(#", "required": ["isbn"]"#))
            #expect(required.contains("    id: { field: isbn, assigned: client }\n"), "\(required)")
            let optional = try await found(Self.books(""))
            #expect(optional.contains("    id: isbn\n"), "\(optional)")
            #expect(optional.contains("    # id: { field: isbn, assigned: client }\n"), "\(optional)")
        }

        @Test("a name is only suggested as the identifier")
        func names() async throws {
            let item = #"{"type": "object", "properties": {"v": {"type": "string"}, "name": {"type": "string"}}}"#
            let text = try await found(Self.document(#""/notes": {"get": {\#(Self.answer(Self.list(item)))}}"#))
            #expect(text.contains("    # id: name\n") && !text.contains("    id: name"), "\(text)")
            #expect(text.contains("two objects with the same “name” would be one here"), "\(text)")
        }

        // MARK: What is left out

        @Test("where all lists are left out it says why, and how to begin")
        func leftOut() async throws {
            let workspace = try Workspace()
            try workspace.write(
                Self.document(#""/orgs/{org}/repos": {"get": {\#(Self.answer(Self.list(Self.note)))}}"#),
                to: "api.json")
            let run = try await workspace.atmos("discover", "api.json")
            #expect(
                run
                    == .init(
                        1,
                        errors: """
                            atmos: api.json shows no list of objects that could be pulled
                            atmos: GET /orgs/{org}/repos is left out: no list shows what {org} can be.
                            atmos: For one place a file can be begun by hand, with its name in the base: atmos init --base \
                            https://api.example.com/v1/orgs/ORG --resource repos

                            """))
            #expect(!workspace.has("atmosphere.yaml"))
        }

        @Test("a list in XML is told of")
        func xml() async throws {
            let text = try await found(
                Self.document(
                    """
                    "/notes": {"get": {\(Self.answer(Self.list(Self.note)))}},
                    "/old": {"get": {\(Self.answer(Self.list(Self.note), "application/xml"))}}
                    """))
            #expect(text.contains("# GET /old answers application/xml: XML is not looked at here."), "\(text)")
            #expect(!text.contains("  old:"), "\(text)")
        }

        @Test("a very large description is read in time that grows with it alone", .timeLimit(.minutes(1)))
        func large() throws {
            let item: Value = ["$ref": "#/components/schemas/Thing"]
            func content(_ schema: Value) -> Value { ["content": ["application/json": ["schema": schema]]] }
            let all: Value = ["responses": ["200": content(["type": "array", "items": item])]]
            let one: Value = ["responses": ["200": content(item)]]
            let count = 6000
            var paths: [Value.Member] = []
            var schemas = (0..<count).map { Value.Member(name: "Other\($0)", value: ["type": "object"]) }
            for index in 0..<count {
                paths.append(.init(name: "/a\(index)/things", value: ["get": all]))
                paths.append(.init(name: "/a\(index)/things/{id}", value: ["get": one, "delete": one]))
            }
            schemas.append(
                .init(name: "Thing", value: ["type": "object", "properties": ["id": ["type": "integer"]]]))
            let document: Value = [
                "openapi": "3.1.0", "info": ["title": "Large"], "servers": [["url": "https://api.example.com"]],
                "paths": .object(Value.Members(unique: paths)),
                "components": ["schemas": .object(Value.Members(unique: schemas))]
            ]
            let draft = try RouteFileDraft(
                APIDescription(openAPI: document, url: nil), from: "large.json", base: nil)
            #expect(draft.resources.count == count)
            #expect(Set(draft.resources.map(\.name)).count == count)
        }

        @Test("whoever asks it to end does not wait for a large description")
        func cancelled() async throws {
            let description = APIDescription(
                title: "", base: "https://api.example.com",
                operations: [.init(method: "GET", path: try #require(APIPath("/things")))])
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try ResourceFinder(description).resources.count
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }

        // MARK: Bodies

        @Test("a form is sent where only forms are taken; other names of JSON go with their requests")
        func mediaTypes() async throws {
            func paths(_ create: String, _ update: String, _ answer: String = "application/json") -> String {
                """
                "/notes": {"get": {\(Self.answer(Self.list(Self.note), answer))}, "post": {\(Self.body(Self.note, create))}},
                "/notes/{id}": {"get": {\(Self.answer(Self.note, answer))}, "patch": {\(Self.body(Self.note, update))}}
                """
            }
            let form = "application/x-www-form-urlencoded"
            let all = try await found(Self.document(paths(form, form)))
            #expect(all.contains("    coding: form\n"), "\(all)")
            let mixed = try await found(Self.document(paths(form, "application/merge-patch+json")))
            #expect(mixed.contains("    # coding: form\n"), "\(mixed)")
            #expect(mixed.contains("# POST /notes takes \(form), which is not what is sent here"), "\(mixed)")
            #expect(mixed.contains("headers: { Content-Type: application/merge-patch+json }"), "\(mixed)")
            let named = "application/vnd.api+json"
            let own = try await found(Self.document(paths(named, "application/json", named)))
            #expect(own.contains("    media-type: \(named)\n"), "\(own)")
            #expect(own.contains("headers: { Content-Type: application/json }"), "\(own)")
            let parts = try await found(Self.document(paths("multipart/form-data", "application/json")))
            #expect(parts.contains("# POST /notes takes multipart/form-data"), "\(parts)")
        }

        // MARK: YAML

        private static let shared = """
            openapi: 3.0.0
            info: { title: "A *b* & c", version: '1' }
            servers: [{ url: "https://api.example.com/v1" }]
            x-types: &types
              type: object
              properties: &members
                id: { type: integer }
                due: { type: string, format: date }
            paths:
              /notes:
                get:
                  responses:
                    '200': { content: { application/json: { schema: { type: array, items: *types } } } }
              /notes/{id}:
                get:
                  responses:
                    '200': { content: { "*/*": { schema: { <<: *types, required: [id] } } } }
            """

        @Test("aliases in a description stand for what they name")
        func aliases() async throws {
            let text = try await found("\u{FEFF}" + Self.shared, named: "api.yaml")
            #expect(text.hasPrefix("# A *b* & c, as api.yaml"), "\(text)")
            #expect(text.contains("types: { due: date }"), "\(text)")
            #expect(text.contains("read: null") == false, "\(text)")
        }

        @Test(
            "aliases that stand for too much, or for nothing, are told with their place",
            arguments: [
                (
                    (0..<9).map { level in
                        let what = level == 0 ? "x" : "*a\(level - 1)"
                        return "a\(level): &a\(level) [\(Array(repeating: what, count: 9).joined(separator: ", "))]"
                    }.joined(separator: "\n"),
                    "aliases stand for more than 1000000 values; write the document without"
                ),
                ("a: &a [*a]", "api.yaml:1:8: cannot be read: *a stands for nothing: no &a ends before it"),
                ("? &k [1]\n: 2\n? [*k, *k]\n: 3", "cannot be read: a key must be a single value"),
                ("", "api.yaml:1:1: cannot be read: the document is empty\n"),
                (
                    "a: &a0 [x]\n" + (1...300).map { "a\($0): &a\($0) [*a\($0 - 1)]" }.joined(separator: "\n"),
                    "more than 256 maps and lists inside each other"
                )
            ])
        func refused(_ text: String, _ message: String) async throws {
            let workspace = try Workspace()
            try workspace.write(text, to: "api.yaml")
            let run = try await workspace.atmos("discover", "api.yaml")
            #expect(run.status == 2 && run.errors.contains(message), "\(run)")
            #expect(!run.errors.contains("route file"), "\(run)")
        }
    }
#endif
