#if YAML
    import Atmosphere
    import AtmosphereTesting
    import Testing

    @Suite("Fields inside lists, and null") struct ListedFieldTests {
        private static let routes = """
            resources:
              issues:
                version: none
                update: { method: PATCH, body: changed }
                merge: { labels: set }
                fields:
                  labels: { read: "labels[*].name", write: labels }
                  tags: { read: "tags[*].id", write: "tags.add[*].ref.id" }
                  heading: { read: "title[0].plain_text", write: "props.title[0].text.content", set: { lang: en } }
                  state: { read: status.name, write: status.name, null: holder }
                  owner: { read: owner.id, write: owner.id }
            """
        private static let item = """
            {"id":1,"labels":[{"id":8,"name":"ui"},{"id":9,"name":"bug"}],"tags":[],\
            "title":[{"plain_text":"One","bold":true},{"plain_text":"Two"}],"status":{"name":"open"},"owner":{"id":4}}
            """
        private let issue = ObjectURI(entity: "issues", id: "1")

        private func client() async throws -> Variation {
            let api = try await Variation(Self.routes)
            api.transport.expect("GET", "/v1/issues", .json("[\(Self.item)]"))
            #expect(try await api.synchronizer.pull().isComplete)
            return api
        }

        /// The body of the one update that these edits make.
        private func body(_ edits: [(String, Value)]) async throws -> String? {
            let api = try await client()
            try await api.synchronizer.edit(issue, setting: edits)
            let record = try #require(try await api.synchronizer.record(at: issue))
            for (name, value) in edits { #expect(record[name] == value, "\(name)") }
            api.transport.expect("PATCH", "/v1/issues/1", .respond(204))
            api.transport.expect("GET", "/v1/issues/1", .json(Self.item))
            _ = try await api.synchronizer.push()
            return api.sent.first { $0.hasPrefix("PATCH") }.map { String($0.dropFirst("PATCH /issues/1 ".count)) }
        }

        @Test("a list of what stands in each element, and the first of a list, are shown")
        func view() async throws {
            let record = try #require(try await client().synchronizer.record(at: issue))
            #expect(
                record.members == [
                    "id": 1, "labels": ["ui", "bug"], "tags": [], "heading": "One", "state": "open", "owner": 4
                ])
        }

        @Test("they are written where and as the route file says")
        func writing() async throws {
            #expect(try await body([("labels", ["bug", "new"])]) == #"{"labels":["bug","new"]}"#)
            #expect(
                try await body([("tags", ["x", "y"])]) == #"{"tags":{"add":[{"ref":{"id":"x"}},{"ref":{"id":"y"}}]}}"#)
            #expect(
                try await body([("heading", "New")])
                    == #"{"props":{"title":[{"text":{"lang":"en","content":"New"}}]}}"#)
        }

        @Test("null is the value, the object around it, or an empty list")
        func clearing() async throws {
            #expect(try await body([("owner", .null)]) == #"{"owner":{"id":null}}"#)
            #expect(try await body([("state", .null)]) == #"{"status":null}"#)
            #expect(try await body([("heading", .null)]) == #"{"props":{"title":[]}}"#)
        }

        @Test("an element that is kept here keeps what else the server said of it")
        func keeping() async throws {
            let api = try await client()
            try await api.synchronizer.edit(issue, setting: [("labels", ["bug", "new"]), ("heading", "New")])
            let object = try #require(try await api.synchronizer.object(at: issue))
            #expect(object.record?["labels"] == ["bug", "new"])
            api.transport.expect(
                "GET", "/v1/issues",
                .json("[\(Self.item.replacing(#""bug"}]"#, with: #""bug"},{"id":11,"name":"far"}]"#))]"))
            #expect(try await api.synchronizer.pull().isComplete)
            // Added there, and added and taken away here: all three hold.
            #expect(try await api.synchronizer.record(at: issue)?["labels"] == ["bug", "far", "new"])
            #expect(try await api.synchronizer.record(at: issue)?["heading"] == "New")
        }

        @Test(
            "an update that would erase elements which lack the member is not sent, whatever was edited",
            arguments: [
                ("labels", "PUT, body: whole", "t"), ("labels", "PATCH, body: changed", "labels"),
                ("labels[*].name", "PATCH, body: changed", "labels")
            ])
        func unshown(_ write: String, _ update: String, _ edited: String) async throws {
            let api = try await Variation(
                """
                resources:
                  issues:
                    version: none
                    update: { method: \(update) }
                    fields: { labels: { read: "labels[*].name", write: "\(write)" } }
                """)
            let item = #"{"id":1,"t":"a","labels":[{"id":8,"name":"ui"},{"id":9},"bug"]}"#
            api.transport.expect("GET", "/v1/issues", .json("[\(item)]"))
            #expect(try await api.synchronizer.pull().isComplete)
            #expect(try await api.synchronizer.record(at: issue)?["labels"] == ["ui"])
            let value: Value = edited == "t" ? "b" : ["ui", "new"]
            try await api.synchronizer.edit(issue, setting: [(edited, value)])
            _ = try await api.synchronizer.push()
            #expect(api.sent == ["GET /issues"])
            let rejected = try #require(try await api.synchronizer.rejected().first)
            #expect(rejected.record?[edited] == value)
            guard case .rejected(_, let failure)? = rejected.meta.outgoing?.phase else {
                Issue.record("\(rejected)")
                return
            }
            #expect(
                failure.message
                    == "issues/1 cannot be updated: not everything in “labels” was read, and this update would erase "
                    + "the rest on the server; map the list as it is in “fields”, without [*], or name under "
                    + "“readonly” what no update has to send")
        }

        @Test("an update of another member sends a list as it is, with the elements that lack the member")
        func unshownAndUnchanged() async throws {
            let api = try await Variation(
                """
                resources:
                  issues:
                    version: none
                    fields: { labels: { read: "labels[*].name", write: "labels[*].name" } }
                """)
            let item = #"{"id":1,"t":"a","labels":[{"id":8,"name":"ui"},{"id":9},"bug"]}"#
            api.transport.expect("GET", "/v1/issues", .json("[\(item)]"))
            #expect(try await api.synchronizer.pull().isComplete)
            try await api.synchronizer.edit(issue, setting: [("t", "b")])
            let answer = item.replacing("\"a\"", with: "\"b\"")
            api.transport.expect("PUT", "/v1/issues/1", .json(answer))
            #expect(try await api.synchronizer.push().updated == 1)
            let body = try #require(api.transport.requests.last).body
            #expect(try Value(json: body) == Value(json: Array(answer.replacing("\"id\":1,", with: "").utf8)))
        }

        // MARK: Lists below other members

        private static let box = """
            {"id":1,"box":{"a":1,"tags":[{"id":9,"name":"ui"},{"id":8,"name":"bug"}],"z":1,"calc":42,"more":true}}
            """

        @Test(
            "a list below a member is sent with what its elements say, and without what stands beside it",
            arguments: [["a", "tags", "z", "calc"], ["tags", "calc", "z", "a"], ["z", "a", "calc", "tags"]])
        func below(_ order: [String]) async throws {
            let places = [
                "a": "a: { read: box.a, write: box.a }", "z": "z: { read: box.z, write: box.z }",
                "tags": "tags: { read: \"box.tags[*].name\", write: \"box.tags[*].name\" }",
                "calc": "calc: { read: box.calc }"
            ]
            let fields = order.compactMap { places[$0] }.joined(separator: "\n      ")
            func sent(_ edits: [(String, Value)]) async throws -> Value? {
                let api = try await Variation(
                    """
                    resources:
                      issues:
                        version: none
                        readonly: [calc]
                        update: { method: PATCH, body: changed }
                        fields:
                          \(fields)
                    """)
                api.transport.expect("GET", "/v1/issues", .json("[\(Self.box)]"))
                #expect(try await api.synchronizer.pull().isComplete)
                try await api.synchronizer.edit(issue, setting: edits)
                api.transport.expect("PATCH", "/v1/issues/1", .respond(204))
                api.transport.expect("GET", "/v1/issues/1", .json(Self.box))
                _ = try await api.synchronizer.push()
                return try api.transport.requests.first { $0.request.method == "PATCH" }.map {
                    try Value(json: $0.body)
                }
            }
            let tags: Value = [["id": 9, "name": "ui"], ["name": "new"]]
            #expect(try await sent([("tags", ["ui", "new"])]) == ["box": ["tags": tags]])
            #expect(try await sent([("tags", ["ui", "new"]), ("a", 2)]) == ["box": ["a": 2, "tags": tags]])
            #expect(try await sent([("z", 2), ("tags", ["ui", "new"])]) == ["box": ["tags": tags, "z": 2]])
            #expect(try await sent([("tags", []), ("a", 2)]) == ["box": ["a": 2, "tags": []]])
            #expect(try await sent([("tags", []), ("a", .null)]) == ["box": ["a": .null, "tags": []]])
            #expect(try await sent([("a", 2)]) == ["box": ["a": 2]])
        }

        @Test(
            "the first of a list below a member keeps the others, and a member that goes whole takes what is written into it"
        )
        func firstBelow() async throws {
            let api = try await Variation(
                """
                resources:
                  issues:
                    version: none
                    update: { method: PATCH, body: changed }
                    fields:
                      heading: { read: "props.title[0].plain", write: "props.title[0].text.content" }
                      weight: { read: props.weight, write: props.weight }
                      a: { read: box.a, write: box.alpha }
                      z: { read: box.z }
                """)
            let item = """
                {"id":1,"props":{"weight":3,"title":[{"plain":"One","bold":true},{"plain":"Two"}]},"box":{"a":1,"z":1}}
                """
            api.transport.expect("GET", "/v1/issues", .json("[\(item)]"))
            #expect(try await api.synchronizer.pull().isComplete)
            try await api.synchronizer.edit(issue, setting: [("heading", "New"), ("a", 2), ("z", 2)])
            api.transport.expect("PATCH", "/v1/issues/1", .respond(204))
            api.transport.expect("GET", "/v1/issues/1", .json(item))
            _ = try await api.synchronizer.push()
            let body = try #require(api.transport.requests.first { $0.request.method == "PATCH" }).body
            #expect(
                try Value(json: body) == [
                    "props": [
                        "title": [["plain": "New", "bold": true, "text": ["content": "New"]], ["plain": "Two"]]
                    ], "box": ["a": 2, "z": 2, "alpha": 2]
                ])
        }
    }
#endif
