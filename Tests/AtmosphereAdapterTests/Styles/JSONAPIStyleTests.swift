#if YAML
    import Atmosphere
    import AtmosphereJSONAPI
    import AtmosphereTesting
    import Testing

    /// JSON:API's own examples of documents, in both directions.
    @Suite("The style json-api") struct JSONAPIStyleTests {
        private static let relations = """
            deletes: absent
            resources:
              people: {}
              articles:
                references: { author: people }
                fields:
                  author: { read: relationships.author.data.id, write: relationships.author.data.id, set: { type: people } }
                  tags: { read: relationships.tags.data, write: relationships.tags.data }
            """

        private func variation(_ routes: String = relations) async throws -> Variation {
            try await Variation(routes, style: "json-api", adapters: [.jsonAPI])
        }

        private static let articles = """
            {"jsonapi":{"version":"1.1"},"links":{"self":"/v1/articles","next":"https://api.example/v1/articles?page[offset]=2"},
            "data":[{"type":"articles","id":"1","attributes":{"title":"JSON:API","body-text":null},
            "relationships":{"author":{"links":{"self":"/x"},"data":{"type":"people","id":"9"}},"tags":{"data":[{"type":"tags","id":"2"}]}},
            "links":{"self":"/v1/articles/1"}}],
            "included":[{"type":"people","id":"9","attributes":{"name":"Dan"}}]}
            """

        private func pulled(_ api: Variation) async throws {
            api.transport.expect(
                "GET", "/v1/people", .json(#"{"data":[{"type":"people","id":"9","attributes":{"name":"Dan"}}]}"#))
            api.transport.expect("GET", "/v1/articles", .json(Self.articles))
            api.transport.expect(
                "GET", "/v1/articles?page%5Boffset%5D=2", .json(#"{"data":[],"links":{"next":null}}"#))
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
        }

        private let article = ObjectURI(entity: "articles", id: "1")

        @Test("attributes are the fields, a relationship is a reference, and pages follow links.next")
        func pull() async throws {
            let api = try await variation()
            try await pulled(api)
            try api.transport.check()
            let record = try #require(try await api.synchronizer.record(at: article))
            #expect(
                record.members == [
                    "type": "articles", "id": "1", "title": "JSON:API", "body-text": nil, "author": "9",
                    "tags": [["type": "tags", "id": "2"]], "links": ["self": "/v1/articles/1"]
                ])
            #expect(
                api.transport.requests.allSatisfy { $0.request.headers["Accept"] == "application/vnd.api+json" })
            let found = try await api.synchronizer.records(
                matching: Query("articles", where: [.init("title", .equal, .string("JSON:API"))]))
            #expect(found.count == 1)
        }

        @Test("a parent that no answer shows is each object's own")
        func parents() async throws {
            let api = try await variation(
                """
                resources:
                  lists: {}
                  tasks: { path: "lists/{lists.id}/tasks", parent: { lists: list_id }, version: none }
                """)
            let task = ObjectURI(entity: "tasks", id: "11")
            api.transport.expect("GET", "/v1/lists", .json(#"{"data":[{"type":"lists","id":"1"}]}"#))
            api.transport.expect(
                "GET", "/v1/lists/1/tasks",
                .json(#"{"data":[{"type":"tasks","id":"11","attributes":{"title":"a"}}]}"#))
            #expect(try await api.synchronizer.pull().isComplete)
            #expect(try await api.synchronizer.record(at: task)?["list_id"] == "1")
            try await api.synchronizer.edit(task, setting: [("title", "b")])
            api.transport.expect(
                "PATCH", "/v1/lists/1/tasks/11",
                .json(#"{"data":{"type":"tasks","id":"11","attributes":{"title":"b"}}}"#))
            #expect(try await api.synchronizer.push().updated == 1)
            let body = try #require(api.transport.requests.last).body
            #expect(try Value(json: body) == ["data": ["type": "tasks", "id": "11", "attributes": ["title": "b"]]])
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test(
            "a link may be an object, with the address as its href or null",
            arguments: [#"null"#, #"{"href":null}"#, #"{"href":""}"#])
        func linkObjects(_ last: String) async throws {
            let api = try await variation()
            let next = "https://api.example/v1/articles?page[offset]=2"
            api.transport.expect("GET", "/v1/people", .json(#"{"data":[]}"#))
            api.transport.expect(
                "GET", "/v1/articles",
                .json(
                    Self.articles.replacing(#""next":"\#(next)""#, with: #""next":{"href":"\#(next)","meta":{"n":1}}"#))
            )
            api.transport.expect(
                "GET", "/v1/articles?page%5Boffset%5D=2", .json(#"{"data":[],"links":{"next":\#(last)}}"#))
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            try api.transport.check()
            #expect(try await api.synchronizer.record(at: article)?["title"] == "JSON:API")
        }

        @Test("an update carries type, identifier and what changed; a relationship has its type, or is null")
        func update() async throws {
            let api = try await variation()
            try await pulled(api)
            try await api.synchronizer.edit(article, setting: [("title", "New"), ("author", nil), ("rank", 3)])
            api.transport.expect("GET", "/v1/articles/1", .json(#"{"data":\#(Self.one)}"#))
            api.transport.expect("PATCH", "/v1/articles/1", .json(#"{"data":\#(Self.changed)}"#))
            let report = try await api.synchronizer.push()
            #expect(report.updated == 1, "\(report)")
            let sent = try #require(api.transport.requests.last)
            #expect(sent.request.headers["Content-Type"] == "application/vnd.api+json")
            #expect(
                try Value(json: sent.body) == [
                    "data": [
                        "type": "articles", "id": "1", "attributes": ["title": "New", "rank": 3],
                        "relationships": ["author": ["data": nil]]
                    ]
                ])
            #expect(try await api.synchronizer.record(at: article)?["author"] == .null)
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        private static let one = """
            {"type":"articles","id":"1","attributes":{"title":"JSON:API","body-text":null},
            "relationships":{"author":{"links":{"self":"/x"},"data":{"type":"people","id":"9"}},"tags":{"data":[{"type":"tags","id":"2"}]}},
            "links":{"self":"/v1/articles/1"}}
            """
        private static let changed = """
            {"type":"articles","id":"1","attributes":{"title":"New","body-text":null,"rank":3},
            "relationships":{"author":{"data":null},"tags":{"data":[{"type":"tags","id":"2"}]}},"links":{"self":"/v1/articles/1"}}
            """

        @Test("a new object refers to another one by the identifier that the server has given it")
        func create() async throws {
            let api = try await variation()
            try await pulled(api)
            let person = try await api.synchronizer.save(["name": "Ada"], as: "people")
            try await api.synchronizer.save(["title": "T", "author": .string(person.id)], as: "articles")
            api.transport.expect(
                "POST", "/v1/people",
                .json(#"{"data":{"type":"people","id":"10","attributes":{"name":"Ada"}}}"#, status: 201))
            api.transport.expect(
                "POST", "/v1/articles",
                .json(
                    #"{"data":{"type":"articles","id":"2","attributes":{"title":"T"},"#
                        + #""relationships":{"author":{"data":{"type":"people","id":"10"}}}}}"#, status: 201))
            let report = try await api.synchronizer.push()
            #expect(report.created == 2, "\(report)")
            let posts = api.transport.requests.suffix(2)
            #expect(
                try posts.map { try Value(json: $0.body) } == [
                    ["data": ["type": "people", "attributes": ["name": "Ada"]]],
                    [
                        "data": [
                            "type": "articles", "attributes": ["title": "T"],
                            "relationships": ["author": ["data": ["type": "people", "id": "10"]]]
                        ]
                    ]
                ])
        }

        @Test("error objects are told by the field that their pointer means")
        func errors() async throws {
            let api = try await variation()
            try await api.synchronizer.save(["title": ""], as: "articles")
            api.transport.expect(
                "POST", "/v1/articles",
                .json(
                    """
                    {"errors":[{"status":"422","title":"Invalid","detail":"may not be blank","source":{"pointer":"/data/attributes/title"}},
                    {"detail":"must exist","source":{"pointer":"/data/relationships/author"}},
                    {"title":"Two of them","source":{"pointer":"/data"}},
                    {"id":"z","links":{"about":"http://x"},"code":"E77","source":{"parameter":"include"}},
                    {"detail":"odd","source":{"pointer":"/data/attributes/a~1b~0c"}}]}
                    """, status: 422))
            _ = try await api.synchronizer.push()
            let failure = try #require(
                try await api.synchronizer.pending().first?.meta.outgoing?.lastError)
            #expect(
                failure.fields == [
                    .init(field: "title", message: "may not be blank"), .init(field: "author", message: "must exist"),
                    .init(field: "a/b~c", message: "odd")
                ])
            #expect(failure.message == "Two of them; E77")
        }

        @Test("a type of its own is said by “singular”")
        func type() async throws {
            let api = try await variation("resources: { people: { singular: Person, id: { assigned: client } } }")
            let uri = try await api.synchronizer.save(["name": "Ada"], as: "people")
            api.transport.expect("POST", "/v1/people", .respond(204))
            api.transport.expect(
                "GET", "/v1/people/\(uri.id)",
                .json(#"{"data":{"type":"Person","id":"\#(uri.id)","attributes":{"name":"Ada"}}}"#))
            _ = try await api.synchronizer.push()
            #expect(
                try Value(json: api.transport.requests[0].body) == [
                    "data": ["type": "Person", "id": .string(uri.id), "attributes": ["name": "Ada"]]
                ])
            #expect(try await api.synchronizer.pending().isEmpty)
        }
    }
#endif
