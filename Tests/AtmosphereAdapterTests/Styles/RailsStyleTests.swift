#if YAML
    import Atmosphere
    import AtmosphereRails
    import AtmosphereTesting
    import AtmosphereYAML
    import Testing

    #if XML
        import AtmosphereXML
    #endif

    @Suite("The style rails") struct RailsStyleTests {
        private func resource(_ text: String, named name: String) throws -> Resource {
            let file = try RouteFile.load(
                bytes: Array("atmosphere: 1\nstyle: rails\nbase: https://a\nresources:\n\(text)\n".utf8),
                source: "routes.yaml", adapters: [.yaml, .rails])
            return try #require(file.resource(name))
        }

        @Test(
            "plurals and singulars of resource names",
            arguments: [
                ("todo", "todos"), ("project", "projects"), ("category", "categories"), ("day", "days"),
                ("box", "boxes"), ("class", "classes"), ("branch", "branches"), ("wish", "wishes"), ("bus", "buses"),
                ("status", "statuses"), ("address", "addresses"), ("person", "people"), ("child", "children"),
                ("line_item", "line_items"), ("line-item", "line-items"), ("lineItem", "lineItems"),
                ("sales_person", "sales_people"), ("LineItem", "LineItems"), ("Person", "People"), ("house", "houses"),
                ("case", "cases"), ("movie", "movies"), ("tie", "ties"), ("analysis", "analyses"), ("index", "indices"),
                ("news", "news"), ("time_series", "time_series"), ("knife", "knives"), ("hero", "heroes"),
                ("quiz", "quizzes"), ("purchase", "purchases"), ("page", "pages"), ("menu", "menus"),
                ("cookie", "cookies"), ("axis", "axes"), ("response", "responses"), ("database", "databases"),
                ("invoice", "invoices"), ("size", "sizes"), ("prize", "prizes"), ("cache", "caches")
            ])
        func inflection(singular: String, plural: String) {
            let style = RailsStyle()
            #expect(style.plural(singular) == plural)
            #expect(style.plural(plural) == plural)
            #expect(style.singular(plural) == singular)
            #expect(style.singular(singular) == singular)
        }

        @Test("paths, roots and items follow the name")
        func conventions() throws {
            let todos = try resource("  line_items:", named: "line_items")
            #expect(todos.list.path.description == "line_items.json")
            #expect(todos.read.path.description == "line_items/{id}.json")
            #expect(todos.create.method == "POST" && todos.create.path.description == "line_items.json")
            #expect(todos.update.method == "PATCH" && todos.update.body == .changed)
            #expect(todos.readRoot == "line_item" && todos.writeRoot == "line_item")
            #expect(todos.items == .member("line_items"))
            #expect(
                todos.paging == .headerLink(name: "Link", size: nil, total: .items(.header("X-Total-Count"))))
            #expect(todos.coding == "json")
        }

        @Test("a name in the singular has its paths in the plural, and a resource may know better")
        func overrides() throws {
            #expect(try resource("  person:", named: "person").list.path.description == "people.json")
            let own = try resource("  kine: { singular: cow, plural: kine, path: farm/kine }", named: "kine")
            #expect(own.list.path.description == "farm/kine.json" && own.writeRoot == "cow")
            #expect(own.items == .member("kine"))
            let plural = try resource("  octopus: { plural: octopodes }", named: "octopus")
            #expect(plural.list.path.description == "octopodes.json" && plural.items == .member("octopodes"))
        }

        #if XML
            @Test("format: xml switches suffix, reader and writer together")
            func xmlFormat() async throws {
                let api = try await Variation(
                    """
                    format: xml
                    version: none
                    resources: { todos: { fields: { due_on: date, remind_at: instant, hours: decimal } } }
                    """, style: "rails", adapters: [.xml])
                let body = """
                    <todos type="array"><todo><id type="integer">1</id><title>a</title><due-on type="date">2024-01-02</due-on>\
                    <hours type="decimal">0.25</hours><deleted-at nil="true"/></todo></todos>
                    """
                api.transport.expect("GET", "/v1/todos.xml", .respond(body: Array(body.utf8)))
                let report = try await api.synchronizer.pull()
                #expect(report.isComplete, "\(report)")
                let uri = ObjectURI(entity: "todos", id: "1")
                #expect(
                    try await api.synchronizer.record(at: uri)?.members == [
                        "id": 1, "title": "a", "due_on": "2024-01-02", "hours": "0.25", "deleted_at": nil
                    ])
                try await api.synchronizer.edit(
                    uri,
                    setting: [
                        ("title", "b & <c>"), ("hours", try Value(json: Array("0.5".utf8))), ("due_on", nil),
                        ("remind_at", "2024-01-02T08:00:00Z"),
                        ("done", true), ("position", 3)
                    ])
                api.transport.expect(
                    "PATCH", "/v1/todos/1.xml",
                    .respond(
                        body: Array(
                            """
                            <todo><id type="integer">1</id><title>b &amp; &lt;c&gt;</title><due-on nil="true"/>\
                            <hours type="decimal">0.5</hours><remind-at type="dateTime">2024-01-02T08:00:00Z</remind-at>\
                            <done type="boolean">true</done><position type="integer">3</position></todo>
                            """.utf8)))
                #expect(try await api.synchronizer.push().updated == 1)
                let sent = try #require(api.transport.requests.last)
                #expect(sent.request.headers["Content-Type"] == "application/xml; charset=utf-8")
                #expect(sent.request.headers["Accept"] == "application/xml")
                #expect(
                    sent.text == """
                        <?xml version="1.0" encoding="UTF-8"?>
                        <todo><title>b &amp; &lt;c&gt;</title><hours type="decimal">0.5</hours>\
                        <remind-at type="dateTime">2024-01-02T08:00:00Z</remind-at><done type="boolean">true</done>\
                        <position type="integer">3</position><due-on nil="true"/></todo>

                        """)
            }

            @Test("full sentences in XML are told as messages of the whole object")
            func xmlErrors() async throws {
                let api = try await Variation("format: xml\nresources: { todos: }", style: "rails", adapters: [.xml])
                let uri = try await api.synchronizer.save(["title": ""], as: "todos")
                let body = "<errors><error>Title can't be blank</error><error>Project must exist</error></errors>"
                api.transport.expect("POST", "/v1/todos.xml", .respond(422, body: Array(body.utf8)))
                try await api.synchronizer.push()
                let object = try await api.synchronizer.object(at: uri)
                guard case .rejected(_, let failure)? = object?.meta.outgoing?.phase else {
                    Issue.record("not rejected")
                    return
                }
                #expect(failure.message == "Title can't be blank; Project must exist" && failure.fields.isEmpty)
            }
        #endif

        @Test(
            "messages by field, of the whole object, and of nothing known",
            arguments: [
                (#"{"title":["can't be blank"]}"#, ["title"], "title: can't be blank"),
                (#"{"errors":{"title":["can't be blank"],"base":["No."]}}"#, ["title"], "No."),
                (#"{"errors":[{"field":"title","message":"can't be blank"}]}"#, ["title"], "title: can't be blank"),
                (#"{"errors":["Title can't be blank"]}"#, [], "Title can't be blank"),
                (#"{"error":"Not valid","status":422}"#, [], "Not valid"),
                ("<html>", [], "the server answered 422 Unprocessable Content")
            ])
        func errors(body: String, fields: [String], message: String) async throws {
            let api = try await Variation("resources: { todos: }", style: "rails")
            let uri = try await api.synchronizer.save(["title": ""], as: "todos")
            api.transport.expect("POST", "/v1/todos.json", .json(body, status: 422))
            try await api.synchronizer.push()
            guard case .rejected(_, let failure)? = try await api.synchronizer.object(at: uri)?.meta.outgoing?.phase
            else {
                Issue.record("not rejected")
                return
            }
            #expect(failure.fields.map(\.field) == fields && failure.message == message)
        }
    }
#endif
