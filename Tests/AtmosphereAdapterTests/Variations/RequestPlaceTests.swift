#if YAML
    import Atmosphere
    import AtmosphereTesting
    import Testing

    /// What a request says beside its path: in its query, its headers and its body.
    @Suite("Where a request names its object, its parent and its version") struct RequestPlaceTests {
        private let task = ObjectURI(entity: "tasks", id: "12")

        private func client(
            _ resource: String, item: String, entity: String = "todos", headers: HeaderFields = [:]
        ) async throws -> Variation {
            let api = try await Variation("resources:\n  \(entity):\n\(resource)")
            api.transport.expect("GET", "/v1/\(entity)", .json("[\(item)]", headers: headers))
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            return api
        }

        @Test("the file's headers go with what is asked for no resource, too")
        func headersOfTheFile() async throws {
            let api = try await Variation(
                """
                headers: { API-Version: "2022-06-28", X-Other: a, Accept: application/vnd.api+json }
                auth: { bearer: "secret:TOKEN", identity: { path: users/me, field: id } }
                resources:
                  tasks: {}
                  notes: { headers: { API-Version: "2030-01-01" } }
                """)
            api.transport.expect("GET", "/v1/users/me", .json(#"{"id":"ann"}"#))
            api.transport.expect("GET", "/v1/tasks", .json("[]"))
            api.transport.expect("GET", "/v1/notes", .json("[]"))
            #expect(try await api.synchronizer.pull().isComplete)
            api.transport.expect("GET", "/v1/databases/x", .json("{}"))
            _ = try await api.synchronizer.request(method: "GET", path: "databases/x")
            func headers(_ path: String) throws -> [String?] {
                let sent = try #require(api.transport.requests.first { $0.request.url.hasSuffix(path) })
                return ["API-Version", "X-Other", "Accept"].map { sent.request.headers[$0] }
            }
            for path in ["/users/me", "/databases/x", "/tasks"] {
                #expect(try headers(path) == ["2022-06-28", "a", "application/vnd.api+json"], "\(path)")
            }
            #expect(try headers("/notes") == ["2030-01-01", "a", "application/vnd.api+json"])
        }

        @Test("an object is named in the query, and the parent of a list")
        func inQuery() async throws {
            let api = try await Variation(
                """
                resources:
                  projects:
                  tasks:
                    parent: { projects: project_id }
                    list: { path: tasks, query: { project: "{projects.id}", order: asc } }
                    read: { path: tasks, query: { id: "eq.{id}" }, item: "[0]" }
                    update: { method: PATCH, path: tasks, query: { id: "eq.{id}" }, body: changed, item: "[0]" }
                    delete: { path: tasks, query: { id: "eq.{id}" } }
                """)
            api.transport.expect("GET", "/v1/projects", .json(#"[{"id":7},{"id":8}]"#))
            let item = #"{"id":12,"title":"a","project_id":7}"#
            api.transport.expect("GET", "/v1/tasks?project=7&order=asc", .json("[\(item)]"))
            api.transport.expect("GET", "/v1/tasks?project=8&order=asc", .json("[]"))
            #expect(try await api.synchronizer.pull().isComplete)
            try await api.synchronizer.edit(task, setting: [("title", "b")])
            api.transport.expect("GET", "/v1/tasks?id=eq.12", .json("[\(item)]"))
            api.transport.expect(
                "PATCH", "/v1/tasks?id=eq.12", .json(#"[{"id":12,"title":"b","project_id":7}]"#))
            #expect(try await api.synchronizer.push().updated == 1)
            try await api.synchronizer.delete(task)
            api.transport.expect("DELETE", "/v1/tasks?id=eq.12", .respond(204))
            api.transport.expect(
                "GET", "/v1/tasks?id=eq.12", .json(#"[{"id":12,"title":"b","project_id":7}]"#))
            #expect(try await api.synchronizer.push().deleted == 1)
            #expect(api.sent.contains(#"PATCH /tasks?id=eq.12 {"title":"b"}"#), "\(api.sent)")
        }

        @Test("an object is named in the body of a POST")
        func inBody() async throws {
            let api = try await client(
                """
                    version: none
                    update: { method: POST, path: todos.update, with: [id] }
                    delete: { method: POST, path: todos.remove, with: [id] }
                """, item: #"{"id":5,"text":"a"}"#)
            let todo = ObjectURI(entity: "todos", id: "5")
            try await api.synchronizer.edit(todo, setting: [("text", "b")])
            api.transport.expect("POST", "/v1/todos.update", .json(#"{"id":5,"text":"b"}"#))
            #expect(try await api.synchronizer.push().updated == 1)
            try await api.synchronizer.delete(todo)
            api.transport.expect("POST", "/v1/todos.remove", .respond(204))
            #expect(try await api.synchronizer.push().deleted == 1)
            #expect(
                api.sent.dropFirst() == [
                    #"POST /todos.update {"text":"b","id":5}"#, #"POST /todos.remove {"id":5}"#
                ])
            try api.transport.check()
        }

        @Test("a version goes back in a header of the API's own, and headers of an operation go before all others")
        func versionInHeader() async throws {
            let api = try await client(
                """
                    version: { field: sys.version, send: none }
                    headers: { X-Client: all }
                    readonly: [sys]
                    read: { headers: { Accept: application/one+json } }
                    update:
                      headers: { X-Version: "{version}", X-Client: own, Content-Type: application/merge-patch+json }
                """, item: #"{"id":1,"title":"a","sys":{"version":3}}"#)
            let todo = ObjectURI(entity: "todos", id: "1")
            try await api.synchronizer.edit(todo, setting: [("title", "b")])
            api.transport.expect("GET", "/v1/todos/1", .json(#"{"id":1,"title":"a","sys":{"version":3}}"#))
            api.transport.expect("PUT", "/v1/todos/1", .json(#"{"id":1,"title":"b","sys":{"version":4}}"#))
            #expect(try await api.synchronizer.push().updated == 1)
            let read = try #require(api.transport.requests.first { $0.request.url.hasSuffix("/1") }?.request.headers)
            #expect(read["Accept"] == "application/one+json" && read["X-Client"] == "all")
            let update = try #require(api.transport.requests.last?.request.headers)
            #expect(update["X-Version"] == "3" && update["X-Client"] == "own")
            #expect(update["Content-Type"] == "application/merge-patch+json")
        }

        @Test("the version that is to be is one more than the one that is, inside a member of the body")
        func nextVersion() async throws {
            let api = try await client(
                """
                    version: { field: version.number, send: body, add: 1 }
                """, item: #"{"id":1,"title":"a","version":{"number":3,"by":"Ada"}}"#)
            let todo = ObjectURI(entity: "todos", id: "1")
            try await api.synchronizer.edit(todo, setting: [("title", "b")])
            api.transport.expect(
                "PUT", "/v1/todos/1", .json(#"{"id":1,"title":"b","version":{"number":4,"by":"Bob"}}"#))
            #expect(try await api.synchronizer.push().updated == 1)
            #expect(api.sent.last == #"PUT /todos/1 {"title":"b","version":{"number":4,"by":"Ada"}}"#)
            try await api.synchronizer.edit(todo, setting: [("title", "c")])
            api.transport.expect(
                "PUT", "/v1/todos/1", .json(#"{"id":1,"title":"c","version":{"number":5,"by":"Bob"}}"#))
            #expect(try await api.synchronizer.push().updated == 1)
            #expect(api.sent.last == #"PUT /todos/1 {"title":"c","version":{"number":5,"by":"Bob"}}"#)
        }

        @Test("a version that is no number is not sent as another, and the message says so")
        func versionThatIsNoNumber() async throws {
            let api = try await client(
                """
                    version: { field: rev, send: body, add: 1 }
                """, item: #"{"id":1,"title":"a","rev":"x3"}"#)
            let todo = ObjectURI(entity: "todos", id: "1")
            try await api.synchronizer.edit(todo, setting: [("title", "b")])
            #expect(try await api.synchronizer.push().updated == 0)
            guard case .rejected(_, let failure)? = try await api.synchronizer.object(at: todo)?.meta.outgoing?.phase
            else {
                Issue.record("not rejected")
                return
            }
            #expect(failure.message.hasPrefix("the version “x3” of todos/1 is no whole number"))
            #expect(api.sent == ["GET /todos"])
        }

        @Test("a create that is answered with 303 is done where Location is a place to read, and a 301 did nothing")
        func redirectedCreates() async throws {
            let api = try await Variation("resources:\n  todos:\n    create: { path: todos/new }")
            func redirect(_ status: Int, _ path: String) -> ScriptedAnswer {
                ScriptedAnswer { _ in
                    var error = TransportError(code: .redirect, message: "redirected", mayHaveArrived: status != 301)
                    error.redirection = .init(status: status, path: path)
                    throw error
                }
            }
            let uri = try await api.synchronizer.save(["title": "a"], as: "todos")
            api.transport.expect("POST", "/v1/todos/new", redirect(301, "/v1/todos/new/"))
            _ = try await api.synchronizer.push()
            #expect(try await api.synchronizer.object(at: uri)?.meta.outgoing?.phase == .waiting)
            // The same would come of it again.
            try api.transport.check()

            api.transport.expect("POST", "/v1/todos/new", redirect(303, "/v1/todos/7"))
            api.transport.expect("GET", "/v1/todos/7", .json(#"{"id":7,"title":"a"}"#))
            let report = try await api.synchronizer.push()
            #expect(report.created == 1, "\(report)")
            #expect(try await api.synchronizer.object(at: uri)?.uri.id == "7")

            let other = try await api.synchronizer.save(["title": "b"], as: "todos")
            api.transport.expect("POST", "/v1/todos/new", redirect(303, "/v1/login"))
            _ = try await api.synchronizer.push()
            guard case .unknown? = try await api.synchronizer.object(at: other)?.meta.outgoing?.phase else {
                Issue.record("a login form is no new object")
                return
            }
            let third = try await api.synchronizer.save(["title": "c"], as: "todos")
            api.transport.expect("POST", "/v1/todos/new", redirect(303, "/v1/todos/sign_in"))
            api.transport.expect("GET", "/v1/todos/sign_in", .json("{}", status: 404))
            _ = try await api.synchronizer.push()
            guard case .unknown? = try await api.synchronizer.object(at: third)?.meta.outgoing?.phase else {
                Issue.record("nor is one whose path looks like an object's")
                return
            }
            try await api.synchronizer.delete(ObjectURI(entity: "todos", id: "7"))
            api.transport.expect("GET", "/v1/todos/7", .json(#"{"id":7,"title":"a"}"#))
            api.transport.expect("DELETE", "/v1/todos/7", redirect(303, "/v1/todos/sign_in"))
            let deletes = try await api.synchronizer.push()
            #expect(deletes.deleted == 0)
        }

        @Test("a cursor that is a link to the same list is followed as it is; one that leads elsewhere is said")
        func deltaLink() async throws {
            let routes = """
                resources:
                  todos:
                    list: { path: todos/delta, query: { top: 2 } }
                    items: value
                    pages: { kind: link-body, next: next }
                    since: { send: token, from: { body: "['@odata.deltaLink']", page: last }, overlap: 0s }
                    deletes: { field: "['@removed']" }
                """
            let api = try await Variation(routes)
            api.transport.expect(
                "GET", "/v1/todos/delta?top=2",
                .json(
                    #"{"value":[{"id":1,"title":"a"},{"id":2,"title":"b"}],"# + "\n"
                        + #""next":"https://api.example/v1/todos/delta?skip=x"}"#))
            api.transport.expect(
                "GET", "/v1/todos/delta?skip=x",
                .json(
                    #"{"value":[{"id":3,"title":"c"}],"# + "\n"
                        + #""@odata.deltaLink":"https://api.example/v1/todos/delta?token=t%201"}"#))
            #expect(try await api.synchronizer.pull().isComplete)
            api.transport.expect(
                "GET", "/v1/todos/delta?token=t%201",
                .json(
                    #"{"value":[{"id":1,"title":"A"},{"id":2,"@removed":{"reason":"deleted"}}],"# + "\n"
                        + #""@odata.deltaLink":"https://api.example/v1/todos/delta?token=t2"}"#))
            #expect(try await api.synchronizer.pull().isComplete)
            #expect(try await api.titles() == ["A", "c"])
            try api.transport.check()

            let elsewhere = try await Variation(routes.replacing("todos/delta", with: "todos"))
            elsewhere.transport.expect(
                "GET", "/v1/todos?top=2",
                .json(#"{"value":[],"@odata.deltaLink":"https://api.example/v1/todos/delta?token=t2"}"#))
            #expect(try await elsewhere.synchronizer.pull().isComplete)
            let report = try await elsewhere.synchronizer.pull()
            #expect(!report.isComplete && "\(report)".contains("it leads to todos/delta with “token”"), "\(report)")
        }

        @Test(
            "results in an object are found by the key of each item, identifiers in another, and each change has a key")
        func namedResults() async throws {
            let api = try await Variation(
                """
                resources:
                  tasks:
                    version: none
                    update: { body: changed }
                    batch:
                      post: sync
                      items: commands
                      create: { set: { type: add }, body: args, idempotency: [uuid, temp_id] }
                      update: { set: { type: update }, body: args, id: args.id, idempotency: uuid }
                      delete: { set: { type: delete }, id: args.id, idempotency: uuid }
                      results:
                        path: sync_status
                        match: { sent: uuid }
                        status: $
                        codes: { ok: 200 }
                        ids: { path: temp_id_mapping, sent: temp_id }
                """)
            api.transport.expect("GET", "/v1/tasks", .json(#"[{"id":"1","title":"a"},{"id":"2","title":"b"}]"#))
            #expect(try await api.synchronizer.pull().isComplete)
            let made = try await api.synchronizer.save(["title": "new"], as: "tasks")
            try await api.synchronizer.edit(ObjectURI(entity: "tasks", id: "1"), setting: [("title", "A")])
            try await api.synchronizer.edit(ObjectURI(entity: "tasks", id: "2"), setting: [("title", "")])
            let answer = ScriptedAnswer { request in
                guard case .bytes(let bytes) = request.body else {
                    return Response(status: 400, body: ResponseBody([]))
                }
                let commands = try Value(json: bytes).members?["commands"]?.array ?? []
                var statuses = Value.Members()
                var ids = Value.Members()
                for command in commands {
                    let members = command.members ?? [:]
                    let key = members["uuid"]?.text ?? ""
                    let isEmpty = members["args"]?.members?["title"] == ""
                    statuses[key] = isEmpty ? ["error": "title is empty"] : "ok"
                    if let name = members["temp_id"]?.text { ids[name] = "77" }
                }
                let body = Value.object(["sync_status": .object(statuses), "temp_id_mapping": .object(ids)])
                return Response(status: 200, body: ResponseBody(body.json()))
            }
            // Creates and updates go apart.
            api.transport.expect("POST", "/v1/sync", answer, times: 2)
            api.transport.expect("GET", "/v1/tasks/77", .json(#"{"id":"77","title":"new"}"#))
            api.transport.expect("GET", "/v1/tasks/1", .json(#"{"id":"1","title":"A"}"#))
            let report = try await api.synchronizer.push()
            #expect(report.created == 1 && report.updated == 1, "\(report)")
            #expect(try await api.synchronizer.object(at: made)?.uri.id == "77")
            guard
                case .rejected(_, let failure)? = try await api.synchronizer
                    .object(at: ObjectURI(entity: "tasks", id: "2"))?.meta.outgoing?.phase
            else {
                Issue.record("not rejected")
                return
            }
            #expect("\(failure)".contains("title is empty"))
            let commands = try api.transport.requests.filter { $0.request.method == "POST" }
                .flatMap { try Value(json: $0.body).members?["commands"]?.array ?? [] }
            let keys = commands.compactMap { $0.members?["uuid"]?.string }
            #expect(commands.count == 3 && Set(keys).count == 3, "\(commands)")
        }
    }
#endif
