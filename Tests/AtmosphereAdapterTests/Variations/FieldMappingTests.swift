#if YAML
    import Atmosphere
    import AtmosphereTesting
    import Testing

    @Suite("Field mapping") struct FieldMappingTests {
        private static let mapped = """
            resources:
              projects:
              todos:
                references: { project: projects }
                readonly: [owner]
                update: { method: PATCH, body: changed }
                fields:
                  project: { read: project.id, write: project_id, type: integer }
                  title: { read: title.rendered, write: title }
                  due: { read: schedule.due_on, type: date }
                  hours: decimal
                  owner: { read: owner.name }
                  memo: { read: notes, write: body.text }
            """

        private static let first = """
            {"id":1,"project":{"id":5,"name":"Home"},"title":{"rendered":"Milk","raw":true},"hours":"0.250",\
            "schedule":{"due_on":"2026-01-02","zone":"UTC"},"owner":{"name":"Ada","id":9},"notes":"n","done":false}
            """
        private static let second = """
            {"id":2,"project":null,"title":{"rendered":"Bread"},"hours":"10","schedule":{"due_on":"2025-12-31"}}
            """
        private let todo = ObjectURI(entity: "todos", id: "1")

        private func client() async throws -> Variation {
            let api = try await Variation(Self.mapped)
            api.transport.expect("GET", "/v1/projects", .json(#"[{"id":5}]"#))
            api.transport.expect("GET", "/v1/todos", .json("[\(Self.first),\(Self.second)]"))
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            return api
        }

        @Test("records are shown with their fields, wherever the server keeps them")
        func view() async throws {
            let api = try await client()
            let record = try #require(try await api.synchronizer.record(at: todo))
            #expect(
                record.members == [
                    "id": 1, "project": 5, "title": "Milk", "hours": "0.250", "due": "2026-01-02", "owner": "Ada",
                    "memo": "n", "done": false
                ])
            // Below null a field is null, below nothing it is absent.
            let other = try #require(try await api.synchronizer.record(at: ObjectURI(entity: "todos", id: "2")))
            #expect(other["project"] == .null && other["owner"] == nil)
        }

        @Test("queries are compiled through the mapping, and compare by declared type")
        func queries() async throws {
            let api = try await client()
            func ids(_ query: Query) async throws -> [String] {
                try await api.synchronizer.records(matching: query).map(\.uri.id)
            }
            #expect(try await ids(Query("todos", where: [.init("project", .equal, "5")])) == ["1"])
            #expect(try await ids(Query("todos", where: [.init("project", .equal, .null)])) == ["2"])
            #expect(try await ids(Query("todos", where: [.init("due", .less, "2026-01-01")])) == ["2"])
            #expect(try await ids(Query("todos", where: [.init("hours", .less, 9)])) == ["1"])
            #expect(try await ids(Query("todos", order: [.init("title")])) == ["2", "1"])
            #expect(try await ids(Query("todos", order: [.init("hours", ascending: false)], limit: 1)) == ["2"])
        }

        @Test("an update sends a field under the name and in the shape of writes")
        func update() async throws {
            let api = try await client()
            let project = try await api.synchronizer.save(["name": "New"], as: "projects")
            try await api.synchronizer.edit(
                todo,
                setting: [
                    ("project", .string(project.id)), ("title", "Oat milk"), ("due", "2026-01-03"), ("memo", "m")
                ])
            // What the route file calls readonly is refused by the name of the field.
            let readonly = await #expect(throws: SyncError.self) {
                try await api.synchronizer.edit(todo, setting: [("owner", "Eve")])
            }
            #expect(readonly?.message.contains("“owner”") == true)
            api.transport.expect("POST", "/v1/projects", .json(#"{"id":6,"name":"New"}"#, status: 201))
            api.transport.expect("GET", "/v1/todos/1", .json(Self.first))
            let answer = Self.first.replacing("\"id\":5,\"name\":\"Home\"", with: "\"id\":6,\"name\":\"New\"")
                .replacing("Milk", with: "Oat milk").replacing("2026-01-02", with: "2026-01-03")
                .replacing("\"notes\":\"n\"", with: "\"notes\":\"m\"")
            api.transport.expect("PATCH", "/v1/todos/1", .json(answer))
            let report = try await api.synchronizer.push()
            #expect(report.updated == 1, "\(report)")
            try api.transport.check()
            let body = try #require(api.transport.requests.last)
            // A field without a write shape goes with the member it stands in, whole.
            #expect(
                try Value(json: body.body) == [
                    "project_id": 6, "title": "Oat milk", "schedule": ["due_on": "2026-01-03", "zone": "UTC"],
                    "body": ["text": "m"]
                ])
            #expect(try await api.synchronizer.pending().isEmpty)
            #expect(try await api.synchronizer.record(at: todo)?["project"] == 6)
        }

        @Test(
            "an update of the whole carries what no field shows: beside a field that is absent, or under another's name",
            arguments: [
                (
                    "due: { read: schedule.due_on }", #""schedule":{"start_on":"2026-01-01"}"#,
                    #""schedule":{"start_on":"2026-01-01"}"#
                ),
                (
                    "title: { read: title_raw }", #""title":"<b>T</b>","title_raw":"T""#,
                    #""title_raw":"T","title":"<b>T</b>""#
                ),
                (
                    #""*": { read: "attributes[*]" }"#, #""type":"task","attributes":{"type":"bug"}"#,
                    #""attributes":{"type":"bug"},"type":"task""#
                ),
                // What the route file writes elsewhere, or calls readonly, stays out.
                ("owner: { read: owner.id, write: owner_id }", #""owner":{"name":"Ada"}"#, "")
            ])
        func unshown(_ field: String, _ members: String, _ sent: String) async throws {
            let api = try await Variation(
                "resources: { todos: { version: none, fields: { \(field), done: { read: state } } } }")
            let item = "{\"id\":1,\(members),\"state\":1}"
            api.transport.expect("GET", "/v1/todos", .json("[\(item)]"))
            try await api.synchronizer.pull()
            try await api.synchronizer.edit(todo, setting: [("done", 2)])
            api.transport.expect("PUT", "/v1/todos/1", .json(item.replacing("\"state\":1", with: "\"state\":2")))
            #expect(try await api.synchronizer.push().updated == 1)
            let body = try #require(api.transport.requests.last).body
            #expect(try Value(json: body) == Value(json: Array("{\(sent)\(sent.isEmpty ? "" : ",")\"state\":2}".utf8)))
        }

        @Test("a create sends the write shapes, and the server's own members appear with its answer")
        func create() async throws {
            let api = try await client()
            let uri = try await api.synchronizer.save(
                ["title": "Eggs", "project": 5, "due": "2026-02-01", "hours": "1.50"], as: "todos")
            #expect(try await api.synchronizer.record(at: uri)?["title"] == "Eggs")
            api.transport.expect(
                "POST", "/v1/todos",
                .json(
                    #"{"id":3,"project":{"id":5,"name":"Home"},"title":{"rendered":"Eggs","raw":true},"hours":"1.5","schedule":{"due_on":"2026-02-01"}}"#,
                    status: 201))
            #expect(try await api.synchronizer.push().created == 1)
            #expect(
                try Value(json: try #require(api.transport.requests.last).body) == [
                    "title": "Eggs", "project_id": 5, "schedule": ["due_on": "2026-02-01"], "hours": "1.50"
                ])
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test("a create sends no identifier of this client beside other names of a member")
        func identifiers() async throws {
            let api = try await Variation(
                #"resources: { todos: { fields: { "*": { read: "attributes[*]" } } } }"#)
            try await api.synchronizer.save(["title": "Eggs"], as: "todos")
            let answer = #"{"id":3,"attributes":{"title":"Eggs"}}"#
            api.transport.expect("POST", "/v1/todos", .json(answer, status: 201))
            #expect(try await api.synchronizer.push().created == 1)
            #expect(api.sent == [#"POST /todos {"attributes":{"title":"Eggs"}}"#])
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        /// An API that keeps all but identifiers in one object, and shows a task's list at most there.
        private func nested() async throws -> Variation {
            let api = try await Variation(
                """
                resources:
                  lists: {}
                  tasks:
                    path: lists/{lists.id}/tasks
                    parent: { lists: list_id }
                    version: none
                    update: { method: PATCH, body: changed }
                    fields: { "*": { read: "attributes[*]", write: "data[*]" } }
                """)
            api.transport.expect("GET", "/v1/lists", .json(#"[{"id":1},{"id":2}]"#))
            api.transport.expect(
                "GET", "/v1/lists/1/tasks",
                .json(#"[{"id":11,"attributes":{"title":"a"}},{"id":12,"attributes":null,"at":5}]"#))
            api.transport.expect(
                "GET", "/v1/lists/2/tasks", .json(#"[{"id":21,"attributes":{"title":"c","list_id":2,"at":7}}]"#))
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            return api
        }

        @Test("a parent that no record shows is each one's own beside other names of all members")
        func parentBesideOthers() async throws {
            let api = try await nested()
            for (id, list) in [("11", 1), ("12", 1), ("21", 2)] as [(String, Value)] {
                let record = try await api.synchronizer.record(at: ObjectURI(entity: "tasks", id: id))
                #expect(record?["list_id"] == list, "\(id)")
            }
            let task = ObjectURI(entity: "tasks", id: "11")
            try await api.synchronizer.edit(task, setting: [("title", "b")])
            api.transport.expect("PATCH", "/v1/lists/1/tasks/11", .json(#"{"id":11,"attributes":{"title":"b"}}"#))
            #expect(try await api.synchronizer.push().updated == 1)
            #expect(api.sent.last == #"PATCH /lists/1/tasks/11 {"data":{"title":"b"}}"#)
            #expect(try await api.synchronizer.record(at: task)?["list_id"] == 1)

            try await api.synchronizer.save(["title": "n", "list_id": 2], as: "tasks")
            api.transport.expect(
                "POST", "/v1/lists/2/tasks", .json(#"{"id":22,"attributes":{"title":"n"}}"#, status: 201))
            #expect(try await api.synchronizer.push().created == 1)
            #expect(api.sent.last == #"POST /lists/2/tasks {"data":{"title":"n"}}"#)
            try await api.synchronizer.delete(ObjectURI(entity: "tasks", id: "22"))
            api.transport.expect("DELETE", "/v1/lists/2/tasks/22", .respond(204))
            #expect(try await api.synchronizer.push().deleted == 1)
            #expect(try await api.synchronizer.pending().isEmpty)
            try api.transport.check()
        }

        @Test("queries look at the record itself where the place of all other members says nothing")
        func queriesBesideOthers() async throws {
            let api = try await nested()
            func ids(_ conditions: [Query.Condition], _ order: [Query.Order] = []) async throws -> [String] {
                let query = Query("tasks", where: conditions, order: order)
                return try await api.synchronizer.records(matching: query).map(\.uri.id)
            }
            #expect(try await ids([.init("id", .equal, "12")]) == ["12"])
            #expect(try await ids([.init("id", .notEqual, 12)]) == ["11", "21"])
            #expect(try await ids([.init("list_id", .equal, 2)]) == ["21"])
            #expect(try await ids([.init("list_id", .equal, 1)]) == ["11", "12"])
            #expect(try await ids([.init("at", .greater, 4)]) == ["12", "21"])
            #expect(try await ids([.init("title", .equal, "c")]) == ["21"])
            #expect(try await ids([], [.init("id", ascending: false)]) == ["21", "12", "11"])
            #expect(try await ids([], [.init("list_id", ascending: false)]) == ["21", "11", "12"])
        }

        @Test("edits of different fields inside one member merge, and a clash is told by the field")
        func merge() async throws {
            let api = try await Variation(
                """
                resources:
                  todos:
                    update: { method: PATCH, body: changed }
                    fields: { title: { read: text.title }, memo: { read: text.memo } }
                """)
            func item(_ title: String, _ memo: String) -> String {
                "{\"id\":1,\"text\":{\"title\":\"\(title)\",\"memo\":\"\(memo)\",\"x\":1}}"
            }
            api.transport.expect("GET", "/v1/todos", .json("[\(item("a", "b"))]"))
            try await api.synchronizer.pull()
            try await api.synchronizer.edit(todo, setting: [("title", "mine")])
            api.transport.expect("GET", "/v1/todos/1", .json(item("a", "theirs")))
            api.transport.expect("PATCH", "/v1/todos/1", .json(item("mine", "theirs")))
            #expect(try await api.synchronizer.push().updated == 1)
            #expect(api.sent.last == #"PATCH /todos/1 {"text":{"title":"mine","memo":"theirs","x":1}}"#)

            try await api.synchronizer.edit(todo, setting: [("memo", "mine")])
            api.transport.expect("GET", "/v1/todos", .json("[\(item("mine", "others"))]"))
            try await api.synchronizer.pull()
            let object = try #require(try await api.synchronizer.pending().first)
            guard case .conflicted(let conflict)? = object.meta.outgoing?.phase else {
                Issue.record("\(object.meta.state)")
                return
            }
            #expect(conflict.fields == ["memo"] && conflict.theirs?["memo"] == "others")
            #expect(object.record?["memo"] == "mine" && object.meta.confirmed?.base["memo"] == "theirs")
            try await api.synchronizer.resolve(todo, .set([("memo", "both")]))
            api.transport.expect("GET", "/v1/todos/1", .json(item("mine", "others")))
            api.transport.expect("PATCH", "/v1/todos/1", .json(item("mine", "both")))
            #expect(try await api.synchronizer.push().updated == 1)
        }

        @Test("another mapping needs no new pull, and what waits to be sent is sent through it")
        func remapping() async throws {
            let store = MemoryStore()
            let before = try await Variation("resources: { todos: { version: none } }", store: store)
            before.transport.expect("GET", "/v1/todos", .json("[\(Self.first)]"))
            try await before.synchronizer.pull()
            try await before.synchronizer.edit(todo, setting: [("title", ["rendered": "Edited", "raw": true])])

            let after = try await Variation(
                """
                resources:
                  todos:
                    version: none
                    update: { method: PATCH, body: changed }
                    fields: { headline: { read: title.rendered, write: title } }
                """, store: store)
            #expect(try await after.synchronizer.record(at: todo)?["headline"] == "Edited")
            after.transport.expect(
                "PATCH", "/v1/todos/1", .json(Self.first.replacing("Milk", with: "Edited")))
            #expect(try await after.synchronizer.push().updated == 1)
            #expect(after.sent == [#"PATCH /todos/1 {"title":"Edited"}"#])
        }

        @Test("a member that is only seen through its fields cannot be set past them")
        func hidden() async throws {
            let api = try await client()
            let error = await #expect(throws: SyncError.self) {
                try await api.synchronizer.edit(todo, setting: [("schedule", ["due_on": "2026-01-01"])])
            }
            #expect(error?.message == "“schedule” of todos is only seen through “due”; set that")
        }

        @Test("the server's messages and a lost create are brought back to the fields")
        func errorsAndLookup() async throws {
            let api = try await Variation(
                """
                resources:
                  todos:
                    lookup: { field: token, query: token }
                    fields: { token: { read: meta.token }, project: { read: project.id, write: project_id } }
                """)
            let uri = try await api.synchronizer.save(["project": 99, "token": "t1"], as: "todos")
            api.transport.expect("POST", "/v1/todos", .json(#"{"project_id":["is unknown"]}"#, status: 422))
            try await api.synchronizer.push()
            guard case .rejected(_, let failure)? = try await api.synchronizer.object(at: uri)?.meta.outgoing?.phase
            else {
                Issue.record("not rejected")
                return
            }
            #expect(failure.fields == [.init(field: "project", message: "is unknown")])
            try await api.synchronizer.edit(uri, setting: [("project", 5)])
            api.transport.expect("POST", "/v1/todos", .lose())
            let found = #"{"id":8,"meta":{"token":"t1"},"project":{"id":5}}"#
            api.transport.expect(
                "GET", "/v1/todos?token=t1", .json("[{\"id\":7,\"meta\":{\"token\":\"t0\"}},\(found)]"))
            try await api.synchronizer.push()
            #expect(try await api.synchronizer.object(at: uri)?.uri == ObjectURI(entity: "todos", id: "8"))
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test("numbers and instants keep their digits on the way in and out")
        func lexemes() async throws {
            let api = try await Variation(
                """
                resources:
                  todos:
                    version: none
                    fields: { price: decimal, at: instant, n: { read: deep.n, type: decimal } }
                """)
            let item =
                #"{"id":1,"price":1234567890123456789.10,"at":"2024-01-01T08:00:00.123456+02:00","deep":{"n":1e-400}}"#
            api.transport.expect("GET", "/v1/todos", .json("[\(item)]"))
            try await api.synchronizer.pull()
            try await api.synchronizer.edit(todo, setting: [("title", "x")])
            api.transport.expect("PUT", "/v1/todos/1", .json(item.dropLast() + #","title":"x"}"#))
            try await api.synchronizer.push()
            #expect(
                api.sent.last
                    == #"PUT /todos/1 {"price":1234567890123456789.10,"at":"2024-01-01T08:00:00.123456+02:00","deep":{"n":1e-400},"title":"x"}"#
            )
            // The same instant and the same number, written otherwise, go as they are written.
            let number = Value.number(try #require(JSONNumber("10e-401")))
            try await api.synchronizer.edit(todo, setting: [("at", "2024-01-01T06:00:00.123456Z"), ("n", number)])
            api.transport.expect("PUT", "/v1/todos/1", .json(item.dropLast() + #","title":"x"}"#))
            #expect(try await api.synchronizer.push().updated == 1)
            #expect(
                api.sent.last
                    == #"PUT /todos/1 {"price":1234567890123456789.10,"at":"2024-01-01T06:00:00.123456Z","deep":{"n":10e-401},"title":"x"}"#
            )
            // The server’s own way of writing them is no change of ours.
            #expect(try await api.synchronizer.pending().isEmpty)
            #expect(try await api.synchronizer.record(at: todo)?["n"]?.number?.lexeme == "1e-400")
        }
    }
#endif
