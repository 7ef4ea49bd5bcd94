#if YAML
    import Atmosphere
    import AtmosphereTesting
    import Testing

    @Suite("Identifiers and references that are links") struct LinkVariationTests {
        private let lists = ObjectURI(entity: "lists", id: "3")

        /// As hyperlinked serializers of the Django REST framework write.
        private let hyperlinked = """
            resources:
              lists: { path: lists, id: { field: url, link: true }, read: { path: "lists/{id}/" }, version: none }
              tasks:
                id: { field: url, link: true }
                references: { list: lists, others: lists }
                links: { list: FORM, others: path }
                update: { method: PATCH, body: changed }
                version: none
            """

        private func client(_ form: String = "url") async throws -> Variation {
            let api = try await Variation(hyperlinked.replacing("FORM", with: form))
            api.transport.expect(
                "GET", "/v1/lists", .json(#"[{"url":"https://inside:8000/v1/lists/3/","title":"home"}]"#))
            api.transport.expect(
                "GET", "/v1/tasks",
                .json(
                    #"[{"url":"https://inside:8000/v1/tasks/a%20b/","list":"https://inside:8000/v1/lists/3/","title":"t","#
                        + #""others":["/v1/lists/3/",null],"tags":[]}]"#))
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            return api
        }

        @Test("the last segment of a link is the identifier, and a reference is that of another object")
        func read() async throws {
            let api = try await client()
            let task = try #require(
                try await api.synchronizer.object(at: ObjectURI(entity: "tasks", id: "a b")))
            #expect(task.record?["list"] == "3" && task.record?["others"] == ["3", nil])
            #expect(try await api.synchronizer.object(at: lists)?.record?["title"] == "home")
        }

        @Test(
            "a reference is written as the server wants it",
            arguments: [
                ("url", #"{"list":"https://api.example/v1/lists/4/"}"#), ("path", #"{"list":"/v1/lists/4/"}"#),
                ("id", #"{"list":"4"}"#)
            ])
        func write(_ form: String, _ body: String) async throws {
            let api = try await client(form)
            api.transport.expect("POST", "/v1/lists", .json(#"{"url":"/v1/lists/4/","title":"work"}"#, status: 201))
            let list = try await api.synchronizer.save(["title": "work"], as: "lists")
            // Made offline, it goes with the identifier that the list gets.
            try await api.synchronizer.edit(
                ObjectURI(entity: "tasks", id: "a b"), setting: [("list", .string(list.id))])
            api.transport.expect(
                "PATCH", "/v1/tasks/a%20b",
                .json(
                    #"{"url":"/v1/tasks/a%20b/","list":"https://api.example/v1/lists/4/","title":"t","#
                        + #""others":["/v1/lists/3/",null],"tags":[]}"#))
            try await api.synchronizer.push()
            try api.transport.check()
            #expect(api.sent.last == "PATCH /tasks/a%20b \(body)")
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test("an edit of something else sends no link, and one given as a link is understood")
        func others() async throws {
            let api = try await client()
            let task = ObjectURI(entity: "tasks", id: "a b")
            try await api.synchronizer.edit(task, setting: [("list", "https://elsewhere/v1/lists/3/")])
            #expect(try await api.synchronizer.pending().isEmpty)
            try await api.synchronizer.edit(task, setting: [("others", ["3", "3"])])
            api.transport.expect(
                "PATCH", "/v1/tasks/a%20b",
                .json(
                    #"{"url":"/v1/tasks/a%20b/","list":"/v1/lists/3/","title":"t","#
                        + #""others":["/v1/lists/3/","/v1/lists/3/"],"tags":[]}"#))
            try await api.synchronizer.push()
            #expect(api.sent.last == #"PATCH /tasks/a%20b {"others":["/v1/lists/3/","/v1/lists/3/"]}"#)
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        /// Reads a number and takes a link.
        private func numbers(_ clash: String = "ask") async throws -> Variation {
            let api = try await Variation(
                """
                resources:
                  projects: { read: { path: "projects({id})" } }
                  tasks:
                    fields: { project: { read: _project_value, write: "['project@odata.bind']" } }
                    references: { project: projects }
                    links: { project: path }
                    update: { method: PATCH, body: changed }
                    conflict: { clash: \(clash) }
                    version: none
                """)
            api.transport.expect("GET", "/v1/projects", .json(#"[{"id":1},{"id":2},{"id":3}]"#))
            api.transport.expect("GET", "/v1/tasks", .json(#"[{"id":12,"_project_value":1,"note":null}]"#))
            #expect(try await api.synchronizer.pull().isComplete)
            return api
        }

        private let task = ObjectURI(entity: "tasks", id: "12")

        @Test("a reference that is shown as a number and written as a link: an edit of something else is that alone")
        func numberUnedited() async throws {
            let api = try await numbers("mine")
            try await api.synchronizer.edit(task, setting: [("note", "mine")])
            #expect(try await api.synchronizer.pushPreview().requests.map(\.changed) == [["note"]])
            // Meanwhile it is moved there.
            api.transport.expect("GET", "/v1/projects", .json(#"[{"id":1},{"id":2},{"id":3}]"#))
            api.transport.expect("GET", "/v1/tasks", .json(#"[{"id":12,"_project_value":3,"note":null}]"#))
            try await api.synchronizer.pull()
            api.transport.expect("PATCH", "/v1/tasks/12", .json(#"{"id":12,"_project_value":3,"note":"mine"}"#))
            #expect(try await api.synchronizer.push().updated == 1)
            #expect(api.sent.last == #"PATCH /tasks/12 {"note":"mine"}"#)
            #expect(try await api.synchronizer.object(at: task)?.record?["project"] == 3)
            #expect(try await api.synchronizer.pending().isEmpty)
            try await api.synchronizer.edit(task, setting: [("project", "3")])
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test("one that is edited goes as a link, and is done with where the server shows its number")
        func numberEdited() async throws {
            let api = try await numbers()
            try await api.synchronizer.edit(task, setting: [("project", "2")])
            #expect(try await api.synchronizer.object(at: task)?.record?["project"] == 2)
            api.transport.expect("PATCH", "/v1/tasks/12", .json(#"{"id":12,"_project_value":2,"note":null}"#))
            let report = try await api.synchronizer.push()
            #expect(report.updated == 1 && report.failures.isEmpty, "\(report)")
            #expect(api.sent.last == #"PATCH /tasks/12 {"project@odata.bind":"/v1/projects(2)"}"#)
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test("one that names what is made offline gets the identifier that the server gives")
        func numberOfANewOne() async throws {
            let api = try await numbers()
            let project = try await api.synchronizer.save(["title": "new"], as: "projects")
            try await api.synchronizer.edit(task, setting: [("project", .string(project.id))])
            api.transport.expect("POST", "/v1/projects", .json(#"{"id":4,"title":"new"}"#, status: 201))
            api.transport.expect("PATCH", "/v1/tasks/12", .json(#"{"id":12,"_project_value":4,"note":null}"#))
            try await api.synchronizer.push()
            #expect(api.sent.last == #"PATCH /tasks/12 {"project@odata.bind":"/v1/projects(4)"}"#)
            #expect(try await api.synchronizer.object(at: task)?.record?["project"] == 4)
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test("HAL: the identifier in a link of its own, references in others, rows inside, links to pages")
        func hal() async throws {
            let api = try await Variation(
                """
                resources:
                  customers:
                    items: $._embedded.customers
                    id: { field: $._links.self.href, link: true }
                    fields: { id: { read: $._links.self.href } }
                    version: none
                  orders:
                    items: $._embedded.orders
                    pages: { kind: link-body, next: $._links.next.href }
                    id: { field: $._links.self.href, link: true }
                    fields:
                      id: { read: $._links.self.href }
                      customer: { read: $._links.customer.href, write: customer }
                    references: { customer: customers }
                    links: { customer: url }
                    update: { method: PATCH, body: changed }
                    version: none
                """)
            api.transport.expect(
                "GET", "/v1/customers",
                .json(#"{"_embedded":{"customers":[{"name":"Ann","_links":{"self":{"href":"/v1/customers/7"}}}]}}"#))
            api.transport.expect(
                "GET", "/v1/orders",
                .json(
                    #"{"_embedded":{"orders":[{"total":5,"_links":{"self":{"href":"https://api.example/v1/orders/1"},"#
                        + #""customer":{"href":"https://api.example/v1/customers/7{?projection}","templated":true}}}]},"#
                        + #""_links":{"next":{"href":"/v1/orders?page=2"}}}"#))
            api.transport.expect(
                "GET", "/v1/orders?page=2",
                .json(#"{"_embedded":{"orders":[{"total":6,"_links":{"self":{"href":"/v1/orders/2"}}}]},"_links":{}}"#))
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            let first = ObjectURI(entity: "orders", id: "1")
            let seen = try await api.synchronizer.records(matching: Query("orders")).map(\.record)
            #expect(seen.map { $0["id"]?.text } == ["1", "2"] && seen[0]["customer"] == "7")

            try await api.synchronizer.edit(first, setting: [("total", 9)])
            api.transport.expect("PATCH", "/v1/orders/1", .respond(204))
            api.transport.expect(
                "GET", "/v1/orders/1",
                .json(
                    #"{"total":9,"_links":{"self":{"href":"/v1/orders/1"},"customer":{"href":"/v1/customers/7"}}}"#))
            try await api.synchronizer.push()
            #expect(api.sent.contains(#"PATCH /orders/1 {"total":9}"#))

            try await api.synchronizer.save(["total": 1, "customer": "7"], as: "orders")
            api.transport.expect(
                "POST", "/v1/orders", .respond(201, headers: ["Location": "https://api.example/v1/orders/3"]))
            api.transport.expect(
                "GET", "/v1/orders/3",
                .json(
                    #"{"total":1,"_links":{"self":{"href":"/v1/orders/3"},"customer":{"href":"/v1/customers/7"}}}"#))
            #expect(try await api.synchronizer.push().created == 1)
            try api.transport.check()
            #expect(api.sent.contains(#"POST /orders {"customer":"https://api.example/v1/customers/7","total":1}"#))
            #expect(try await api.synchronizer.object(at: ObjectURI(entity: "orders", id: "3")) != nil)
            #expect(try await api.synchronizer.records(matching: Query("orders")).count == 3)
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test("what stands around the identifier in the path is no part of it")
        func suffix() async throws {
            let api = try await Variation(
                """
                resources:
                  todos: { id: { field: href, link: true }, read: { path: "todos/{id}.json" }, version: none }
                """)
            api.transport.expect("GET", "/v1/todos", .json(#"[{"href":"/v1/todos/8.json","title":"a"}]"#))
            try await api.synchronizer.pull()
            #expect(try await api.synchronizer.object(at: ObjectURI(entity: "todos", id: "8")) != nil)
        }

        @Test("a new object that Location names otherwise than it names itself is one object", arguments: [false, true])
        func location(_ isNow: Bool) async throws {
            let api = try await Variation("resources: { todos: { version: none } }")
            let answer = #"{"id":17,"title":"buy milk"}"#
            func expect() {
                api.transport.expect(
                    "POST", "/v1/todos", .respond(201, headers: ["Location": "/v1/todos/buy-milk"]))
                api.transport.expect("GET", "/v1/todos/buy-milk", .json(answer))
            }
            let new: ObjectURI
            if isNow {
                expect()
                new = try await api.synchronizer.saveNow(["title": "buy milk"], as: "todos")
                #expect(new.id == "17")
            } else {
                new = try await api.synchronizer.save(["title": "buy milk"], as: "todos")
                expect()
                #expect(try await api.synchronizer.push().created == 1)
            }
            api.transport.expect("GET", "/v1/todos", .json("[\(answer)]"))
            try await api.synchronizer.pull()
            try api.transport.check()
            #expect(try await api.titles() == ["buy milk"])
            #expect(try await api.synchronizer.object(at: new)?.meta.uri.id == "17")
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test(
            "a link that cannot be written is refused when the file is loaded",
            arguments: [
                (
                    "tasks: { links: { list: url } }",
                    "needs to know what it leads to: add references: { list: RESOURCE }"
                ),
                (
                    """
                    boards: {}
                      cards: { path: "boards/{boards.id}/cards", parent: { boards: board } }
                      tasks: { references: { card: cards }, links: { card: path } }
                    """, "needs more than an identifier"
                )
            ])
        func refused(_ resources: String, _ reason: String) async throws {
            await #expect {
                _ = try await Variation("resources:\n  \(resources)")
            } throws: { error in
                "\(error)".contains(reason)
            }
        }
    }
#endif
