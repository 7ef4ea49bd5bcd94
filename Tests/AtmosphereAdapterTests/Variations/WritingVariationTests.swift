#if YAML
    import Atmosphere
    import AtmosphereTesting
    #if XML
        import AtmosphereXML
    #endif
    import Testing

    @Suite("Variations of writing") struct WritingVariationTests {
        private let todo = ObjectURI(entity: "todos", id: "1")

        /// A client that has pulled one todo.
        private func client(
            _ resource: String, item: String = #"{"id":1,"title":"a","done":false}"#, headers: HeaderFields = [:]
        ) async throws -> Variation {
            let api = try await Variation("resources:\n  todos:\n\(resource)")
            api.transport.expect("GET", "/v1/todos", .json("[\(item)]", headers: headers))
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            return api
        }

        // MARK: Creates

        @Test("a create is a PUT to the identifier that the client chose; a lost one is read, then sent again")
        func createByPut() async throws {
            let api = try await Variation(
                """
                resources:
                  todos:
                    id: { field: uuid, assigned: client }
                    create: { method: PUT, path: "todos/{id}" }
                """)
            let uri = try await api.synchronizer.save(["title": "a"], as: "todos")
            api.transport.expect("PUT", "/v1/todos/\(uri.id)", .lose())
            api.transport.expect("GET", "/v1/todos/\(uri.id)", .json("{}", status: 404))
            api.transport.expect("PUT", "/v1/todos/\(uri.id)", .json("{\"uuid\":\"\(uri.id)\",\"title\":\"a\"}"))
            let report = try await api.synchronizer.push()
            #expect(report.created == 1, "\(report)")
            try api.transport.check()
            #expect(
                api.sent.filter { $0.hasPrefix("PUT") }
                    == Array(repeating: "PUT /todos/\(uri.id) {\"uuid\":\"\(uri.id)\",\"title\":\"a\"}", count: 2))
        }

        @Test("a conditional create that was lost is read, not repeated; one that meets another object is in conflict")
        func conditionalCreate() async throws {
            let routes = """
                resources:
                  todos:
                    id: { field: uuid, assigned: client }
                    create: { method: PUT, path: "todos/{id}", conditional: true }
                """
            let api = try await Variation(routes)
            let uri = try await api.synchronizer.save(["title": "a"], as: "todos")
            api.transport.expect("PUT", "/v1/todos/\(uri.id)", .lose())
            api.transport.expect("GET", "/v1/todos/\(uri.id)", .json("{\"uuid\":\"\(uri.id)\",\"title\":\"a\"}"))
            try await api.synchronizer.push()
            try api.transport.check()
            #expect(api.transport.requests.first?.request.headers["If-None-Match"] == "*")
            #expect(try await api.synchronizer.pending().isEmpty)

            let other = try await Variation(routes)
            let taken = try await other.synchronizer.save(["uuid": "u1", "title": "mine"], as: "todos")
            other.transport.expect("PUT", "/v1/todos/u1", .json("{}", status: 412))
            other.transport.expect("GET", "/v1/todos/u1", .json("{\"uuid\":\"u1\",\"title\":\"theirs\"}"))
            let report = try await other.synchronizer.push()
            #expect(report.created == 0)
            guard case .conflicted(let conflict)? = try await other.synchronizer.object(at: taken)?.meta.outgoing?.phase
            else {
                Issue.record("not in conflict")
                return
            }
            #expect(conflict.fields == ["title"] && conflict.theirs?["title"] == "theirs")
        }

        @Test("a read that shows another object than it asked for leads to no write")
        func otherObject() async throws {
            let api = try await Variation("resources:\n  todos: { update: { body: changed } }")
            api.transport.expect(
                "GET", "/v1/todos", .json(#"[{"id":14,"iid":11,"title":"a"},{"id":17,"iid":14,"title":"b"}]"#))
            try await api.synchronizer.pull()
            let uri = ObjectURI(entity: "todos", id: "14")
            try await api.synchronizer.edit(uri, setting: [("title", "mine")])
            // It may be a moment's fault, so the push asks some more times.
            for _ in 0..<5 {
                api.transport.expect("GET", "/v1/todos/14", .json(#"{"id":17,"iid":14,"title":"b"}"#))
            }
            _ = try await api.synchronizer.push()
            try api.transport.check()
            let waiting = try await api.synchronizer.object(at: uri)
            #expect(waiting?.meta.outgoing?.lastError?.message.contains("showed the object “17”") == true)
            #expect(waiting?.record?["title"] == "mine")
        }

        @Test(
            "the new identifier comes from the body, from inside it, from Location, or with nothing else",
            arguments: [
                ("", #"{"id":7,"title":"a"}"#, [:]),
                (#"item: $.data.todo"#, #"{"data":{"todo":{"id":7,"title":"a"}}}"#, [:]),
                (#"create: { item: $.created, shape: partial }"#, #"{"created":{"id":7}}"#, [:]),
                (#"create: { id: todo_id }"#, #"{"id":1,"todo_id":7}"#, [:]), (#"create: { id: $ }"#, "7", [:]),
                (#"create: { item: $.made, id: todo }"#, #"{"id":1,"made":{"id":2,"todo":"7"}}"#, [:]),
                ("", "", ["Location": "https://api.example/v1/todos/7?v=1"]),
                ("", #"{"status":"ok"}"#, ["Location": "/v1/todos/7"])
            ] as [(String, String, HeaderFields)])
        func newIdentifier(setting: String, body: String, headers: HeaderFields) async throws {
            let api = try await Variation("resources:\n  todos:\n    \(setting.isEmpty ? "x-nothing: 1" : setting)")
            let uri = try await api.synchronizer.save(["title": "a"], as: "todos")
            api.transport.expect("POST", "/v1/todos", .json(body, status: 201, headers: headers))
            if !body.contains("title") {
                let whole = #"{"id":7,"title":"a","done":false}"#
                api.transport.expect(
                    "GET", "/v1/todos/7", .json(setting.hasPrefix("item") ? "{\"data\":{\"todo\":\(whole)}}" : whole))
            }
            let report = try await api.synchronizer.push()
            #expect(report.created == 1, "\(report)")
            try api.transport.check()
            let object = try #require(try await api.synchronizer.object(at: uri))
            #expect(object.uri == ObjectURI(entity: "todos", id: "7") && object.record?["title"] == "a")
            #expect(object.meta.outgoing == nil)
        }

        @Test("each verb has its own method, path, body and header")
        func verbs() async throws {
            let api = try await client(
                """
                    version: none
                    create: { method: POST, path: todos/new, idempotency-header: Idempotency-Key, set: { source: app } }
                    update: { method: POST, path: "todos/{id}/edit", body: changed, query: { notify: "no" } }
                    delete: { method: POST, path: "todos/{id}/remove", body: whole }
                """)
            try await api.synchronizer.edit(todo, setting: [("done", true)])
            try await api.synchronizer.save(["title": "b"], as: "todos")
            api.transport.expect("POST", "/v1/todos/1/edit?notify=no", .json(#"{"id":1,"title":"a","done":true}"#))
            api.transport.expect("POST", "/v1/todos/new", .json(#"{"id":2,"title":"b"}"#))
            try await api.synchronizer.push()
            try await api.synchronizer.delete(todo)
            api.transport.expect("POST", "/v1/todos/1/remove", .respond(200))
            #expect(try await api.synchronizer.push().deleted == 1)
            try api.transport.check()
            #expect(
                api.sent.dropFirst() == [
                    #"POST /todos/new {"title":"b","source":"app"}"#, #"POST /todos/1/edit?notify=no {"done":true}"#,
                    #"POST /todos/1/remove {"title":"a","done":true}"#
                ])
            let create = api.transport.requests.first { $0.request.url.hasSuffix("new") }
            #expect(create?.request.headers["Idempotency-Key"] != nil)
        }

        // MARK: Versions

        @Test("a version in the body goes back with every update, and an old one is merged and sent again")
        func versionInBody() async throws {
            let api = try await client(
                """
                    version: { field: lock_version, send: body }
                    update: { method: PATCH, body: changed }
                """, item: #"{"id":1,"title":"a","done":false,"lock_version":3}"#)
            try await api.synchronizer.edit(todo, setting: [("done", true)])
            api.transport.expect("PATCH", "/v1/todos/1", .json(#"{"error":"Conflict"}"#, status: 409))
            api.transport.expect("GET", "/v1/todos/1", .json(#"{"id":1,"title":"b","done":false,"lock_version":4}"#))
            api.transport.expect("PATCH", "/v1/todos/1", .json(#"{"id":1,"title":"b","done":true,"lock_version":5}"#))
            let report = try await api.synchronizer.push()
            #expect(report.updated == 1, "\(report)")
            try api.transport.check()
            #expect(
                api.sent.filter { $0.hasPrefix("PATCH") } == [
                    #"PATCH /todos/1 {"done":true,"lock_version":3}"#, #"PATCH /todos/1 {"done":true,"lock_version":4}"#
                ])
            #expect(try await api.synchronizer.record(at: todo)?["lock_version"] == 5)
        }

        @Test(
            "If-Match has the token as it came, with quotes, or without",
            arguments: [
                ("keep", #"\"v1\""#, #""v1""#), ("keep", "v1", "v1"), ("add", "v1", #""v1""#),
                ("add", #"\"v1\""#, #""v1""#), ("remove", #"\"v1\""#, "v1")
            ])
        func quotes(rule: String, token: String, header: String) async throws {
            let api = try await client(
                "    version: { field: etag, send: if-match, quotes: \(rule) }",
                item: "{\"id\":1,\"title\":\"a\",\"etag\":\"\(token)\"}")
            try await api.synchronizer.edit(todo, setting: [("title", "b")])
            api.transport.expect("PUT", "/v1/todos/1", .json(#"{"id":1,"title":"b","etag":"v2"}"#))
            #expect(try await api.synchronizer.push().updated == 1)
            #expect(api.transport.requests.last?.request.headers["If-Match"] == header)
        }

        @Test("a version in the query of a delete is the last one shown, and an old one is read and sent again")
        func versionInQuery() async throws {
            let api = try await client(
                """
                    version: { field: version, send: body }
                    conflict: { deleted-here: delete }
                    update: { query: { if: "v{version}" } }
                    delete: { query: { version: "{version}" } }
                """, item: #"{"id":1,"title":"a","version":3}"#)
            try await api.synchronizer.edit(todo, setting: [("title", "b")])
            api.transport.expect("PUT", "/v1/todos/1?if=v3", .json(#"{"id":1,"title":"b","version":4}"#))
            #expect(try await api.synchronizer.push().updated == 1)
            try await api.synchronizer.delete(todo)
            api.transport.expect("DELETE", "/v1/todos/1?version=4", .json("{}", status: 409))
            api.transport.expect("GET", "/v1/todos/1", .json(#"{"id":1,"title":"c","version":5}"#))
            api.transport.expect("DELETE", "/v1/todos/1?version=5", .respond(204))
            let report = try await api.synchronizer.push()
            #expect(report.deleted == 1, "\(report)")
            try api.transport.check()
        }

        @Test("without a version from the server, a query that needs it is not sent")
        func noVersionInQuery() async throws {
            let api = try await client(
                "    version: { field: version, send: none }\n    read: null\n    delete: { query: { v: \"{version}\" } }"
            )
            try await api.synchronizer.delete(todo)
            try await api.synchronizer.push()
            #expect(api.sent == ["GET /todos"])
            let error = try await api.synchronizer.object(at: todo)?.meta.outgoing?.lastError
            let message = error?.message ?? ""
            #expect(message.contains("todos/1 needs {version}, and the server has shown none"), "\(message)")
        }

        @Test("a weak entity tag never goes into If-Match")
        func weak() async throws {
            let api = try await client(
                "    version: { field: etag, send: if-match }", item: #"{"id":1,"title":"a","etag":"W/\"v1\""}"#)
            try await api.synchronizer.edit(todo, setting: [("title", "b")])
            api.transport.expect("PUT", "/v1/todos/1", .json(#"{"id":1,"title":"b"}"#))
            try await api.synchronizer.push()
            #expect(api.transport.requests.last?.request.headers["If-Match"] == nil)
        }

        // MARK: Deletes

        @Test("a delete that moves to a trash is a change of one member, and a trashed object stays gone")
        func trash() async throws {
            let api = try await client(
                """
                    version: none
                    delete: { method: PATCH, set: { trashed: true } }
                    deletes: { field: trashed }
                """)
            try await api.synchronizer.delete(todo)
            api.transport.expect("PATCH", "/v1/todos/1", .json(#"{"id":1,"title":"a","trashed":true}"#))
            #expect(try await api.synchronizer.push().deleted == 1)
            #expect(api.sent.last == #"PATCH /todos/1 {"trashed":true}"#)
            api.transport.expect("GET", "/v1/todos", .json(#"[{"id":1,"title":"a","trashed":true}]"#))
            try await api.synchronizer.pull()
            #expect(try await api.titles().isEmpty)
        }

        @Test("an object that is gone already counts as deleted", arguments: [404, 410])
        func gone(status: Int) async throws {
            let api = try await client("    version: none")
            try await api.synchronizer.delete(todo)
            api.transport.expect("DELETE", "/v1/todos/1", .json("{}", status: status))
            if status == 404 {
                // Which may be about the address: neither a read nor the list shows it.
                api.transport.expect("GET", "/v1/todos/1", .json("{}", status: status))
                api.transport.expect("GET", "/v1/todos", .json("[]"))
            }
            try await api.synchronizer.push()
            try api.transport.check()
            #expect(try await api.synchronizer.pending().isEmpty)
            #expect(try await api.titles().isEmpty)
        }

        // MARK: Shapes

        @Test("a root is put around what is written and stripped from what is read, where it is there")
        func roots() async throws {
            let api = try await Variation("resources: { todos: { root: todo, items: $.todos, version: none } }")
            for body in [
                #"[{"id":1,"title":"a"}]"#, #"[{"todo":{"id":1,"title":"a"}}]"#,
                #"{"todos":[{"id":1,"title":"a"}],"meta":{}}"#
            ] {
                api.transport.expect("GET", "/v1/todos", .json(body))
                #expect(try await api.synchronizer.pull().isComplete)
                #expect(try await api.titles() == ["a"])
            }
            try await api.synchronizer.edit(todo, setting: [("title", "b")])
            api.transport.expect("PUT", "/v1/todos/1", .json(#"{"todo":{"id":1,"title":"b"}}"#))
            #expect(try await api.synchronizer.push().updated == 1)
            #expect(api.sent.last == #"PUT /todos/1 {"todo":{"title":"b"}}"#)
        }

        @Test("a form is written with brackets, and read back as JSON")
        func form() async throws {
            let api = try await Variation("resources: { todos: { coding: form, root: { write: todo } } }")
            let uri = try await api.synchronizer.save(
                [
                    "title": "Milk & bread", "done": false, "notes": nil, "tags": ["a", "b"],
                    "place": ["x": try Value(json: Array("1.5".utf8))]
                ],
                as: "todos")
            api.transport.expect(
                "POST", "/v1/todos",
                .json(
                    #"{"id":1,"title":"Milk & bread","done":false,"notes":null,"tags":["a","b"],"place":{"x":1.5}}"#,
                    status: 201))
            try await api.synchronizer.push()
            #expect(
                api.sent == [
                    "POST /todos todo%5Btitle%5D=Milk%20%26%20bread&todo%5Bdone%5D=false&todo%5Bnotes%5D=&todo%5Btags%5D%5B%5D=a"
                        + "&todo%5Btags%5D%5B%5D=b&todo%5Bplace%5D%5Bx%5D=1.5"
                ])
            #expect(api.transport.requests[0].request.headers["Content-Type"] == "application/x-www-form-urlencoded")
            #expect(try await api.synchronizer.object(at: uri)?.uri == todo)
        }

        // MARK: Errors

        @Test(
            "errors by field are understood in every shape",
            arguments: [
                ("errors: { fields: $.errors }", #"{"errors":{"title":["is blank","is odd"]}}"#),
                ("errors: { fields: [$.errors, $] }", #"{"title":["is blank","is odd"]}"#),
                (
                    "errors: { fields: $.errors }",
                    #"{"errors":[{"field":"title","message":"is blank"},{"field":"title","message":"is odd"}]}"#
                ),
                (
                    "errors: { fields: $.errors, field: source.name, message: detail }",
                    #"{"errors":[{"source":{"name":"title"},"detail":["is blank","is odd"]}]}"#
                )
            ])
        func errors(setting: String, body: String) async throws {
            let api = try await Variation("resources:\n  todos:\n    \(setting)")
            let uri = try await api.synchronizer.save(["title": ""], as: "todos")
            api.transport.expect("POST", "/v1/todos", .json(body, status: 422))
            try await api.synchronizer.push()
            guard case .rejected(_, let failure)? = try await api.synchronizer.object(at: uri)?.meta.outgoing?.phase
            else {
                Issue.record("not rejected")
                return
            }
            #expect(
                failure.fields == [
                    .init(field: "title", message: "is blank"), .init(field: "title", message: "is odd")
                ])
            #expect(failure.message == "title: is blank; title: is odd")
        }

        /// What the server said to a create that it refused.
        private func refusal(_ setting: String, _ body: String, adapters: [Adapter] = []) async throws
            -> MetaObject.Failure?
        {
            let api = try await Variation("resources:\n  todos:\n    \(setting)", adapters: adapters)
            let uri = try await api.synchronizer.save(["title": ""], as: "todos")
            let type = adapters.isEmpty ? "application/json" : "application/xml"
            api.transport.expect(
                "POST", "/v1/todos", .respond(422, headers: ["Content-Type": type], body: Array(body.utf8)))
            try await api.synchronizer.push()
            return try await api.synchronizer.object(at: uri)?.meta.outgoing?.lastError
        }

        @Test(
            "where only the fields of an error are declared, a message beside them is told as well",
            arguments: [
                (#"{"message":"not valid","errors":{"title":["is blank"]}}"#, "not valid", ["title"]),
                (#"{"error":{"message":"not valid"},"errors":{"title":["is blank"]}}"#, "not valid", ["title"]),
                (#"{"message":"locked"}"#, "locked", []),
                (#"{"errors":{"title":"is blank"}}"#, "title: is blank", ["title"]),
                (#"{"errors":"try later","detail":"busy"}"#, "try later", [])
            ] as [(String, String, [String])])
        func messageBesideFields(body: String, message: String, fields: [String]) async throws {
            let failure = try await refusal("errors: { fields: $.errors }", body)
            #expect(failure?.message == message && failure?.fields.map(\.field) == fields)
            let names = fields.map { "\($0): is blank" }
            #expect(names.allSatisfy { failure?.summary.contains($0) == true })
        }

        @Test(
            "an error that stands alone, where there could be a list of them, is one error",
            arguments: [
                (#"{"error":{"field":"title","message":"is blank"}}"#, "title: is blank", ["title"]),
                (#"{"error":{"field":null,"message":"is busy"}}"#, "is busy", []),
                // Two fields of these names, and no error.
                (
                    #"{"error":{"field":["is odd"],"message":["is blank"]}}"#, "field: is odd; message: is blank",
                    ["field", "message"]
                )
            ] as [(String, String, [String])])
        func oneError(body: String, message: String, fields: [String]) async throws {
            let failure = try await refusal("errors: { fields: $.error }", body)
            #expect(failure?.message == message && failure?.fields.map(\.field) == fields)
        }

        @Test(
            "an error that is a JSON text and nothing else is the message",
            arguments: ["version: none", "errors: { fields: $.errors }", "errors: { messages: $.error }"])
        func textAlone(setting: String) async throws {
            let failure = try await refusal(setting, #""The name is taken.""#)
            #expect(failure?.message == "The name is taken." && failure?.fields == [])
            #expect(try await refusal(setting, #""""#)?.message == "the server answered 422 Unprocessable Content")
        }

        @Test("one that names no field, where it is declared which member names it, is for the whole object")
        func oneErrorWithoutField() async throws {
            let setting = "errors: { fields: $.error, field: param }"
            let whole = try await refusal(setting, #"{"error":{"message":"is busy","type":"api","log":"https://x"}}"#)
            #expect(whole?.message == "is busy" && whole?.fields == [])
            let field = try await refusal(setting, #"{"error":{"message":"is odd","type":"api","param":"title"}}"#)
            #expect(field?.fields == [.init(field: "title", message: "is odd")])
        }

        #if XML
            @Test(
                "of XML one error, several, and one without a field are read alike",
                arguments: [
                    ("<error><field>title</field><message>is blank</message></error>", "title: is blank", ["title"]),
                    (
                        "<error><field>title</field><message>is blank</message></error>"
                            + "<error><field>done</field><message>is odd</message></error>",
                        "title: is blank; done: is odd", ["title", "done"]
                    ),
                    ("<error><field></field><message>is busy</message></error>", "is busy", []),
                    ("<error><message>is busy</message></error>", "is busy", []),
                    ("<error>is busy</error>", "is busy", [])
                ] as [(String, String, [String])])
            func xmlErrors(body: String, message: String, fields: [String]) async throws {
                let failure = try await refusal(
                    "format: xml\n    errors: { fields: $.error }", "<errors>\(body)</errors>", adapters: [.xml])
                #expect(failure?.message == message && failure?.fields.map(\.field) == fields)
            }
        #endif
    }
#endif
