#if XML && YAML
    import Atmosphere
    import AtmosphereTesting
    import AtmosphereXML
    import Testing

    @Suite("XML with attributes, and XPath selectors")
    struct XMLAttributeTests {
        private func page(_ xml: String, _ change: (inout Selectors) throws -> Void) throws -> Page {
            var selectors = Selectors(id: try JSONPath("@id"))
            selectors.readsAttributes = true
            try change(&selectors)
            return try XMLExtractor().page(in: Array(xml.utf8), selectors)
        }

        private func records(_ page: Page) -> [Value] { page.items.map { .object(page.record($0).members) } }

        @Test("attributes are members, and the text beside them has a name")
        func attributes() throws {
            let xml = """
                <?xml version="1.0"?>
                <tasks total="2"><task id="7" due-on="2024-01-02">Milk &amp; <![CDATA[<bread>]]></task>
                <task id="8" x:lang="de" note="a &amp; &#38;b &lt;&quot;c&quot;" xmlns:x="urn:x"><title k="v">Eggs</title><n/></task></tasks>
                """
            let page = try page(xml) {
                $0.items = try JSONPath("/tasks/task")
                $0.total = try JSONPath("/tasks/@total")
            }
            #expect(page.items.map(\.id.objectID.text) == ["7", "8"])
            #expect(page.total == 2)
            #expect(
                records(page) == [
                    ["@id": "7", "@due_on": "2024-01-02", "#text": "Milk & <bread>"],
                    [
                        "@id": "8", "@lang": "de", "@note": "a & &b <\"c\"", "title": ["@k": "v", "#text": "Eggs"],
                        "n": nil
                    ]
                ])
        }

        @Test("errors tell in attributes what they are, and about which field", arguments: ["409", "\"409\""])
        func errors(code: String) async throws {
            let api = try await Variation(
                """
                format: xml
                xml: { root: item, attributes: true }
                resources:
                  items:
                    items: /response/items/item
                    item: /response/item
                    id: "@id"
                    version: none
                    update: { method: PUT }
                    errors:
                      fields: /response/error
                      field: "@name"
                      message: ./text()
                      rules:
                        - { status: 200, path: /response/error/@code, equals: \(code), treat: reject }
                """, adapters: [.xml])
            func xml(_ text: String) -> ScriptedAnswer {
                .respond(200, headers: ["Content-Type": "application/xml"], body: Array(text.utf8))
            }
            api.transport.expect(
                "GET", "/v1/items", xml(#"<response><items><item id="1"><title>a</title></item></items></response>"#))
            #expect(try await api.synchronizer.pull().isComplete)
            let uri = ObjectURI(entity: "items", id: "1")
            try await api.synchronizer.edit(uri, setting: [("title", "b")])
            api.transport.expect(
                "PUT", "/v1/items/1", xml(#"<response><error code="409" name="title">No.</error></response>"#))
            try await api.synchronizer.push()
            let failure = try await api.synchronizer.pending().first?.meta.outgoing?.lastError
            #expect(failure?.fields.map { "\($0.field): \($0.message)" } == ["title: No."])
            #expect(try await api.synchronizer.record(at: uri)?["title"] == "b")
        }

        @Test("a list of one, and of none, is known in spite of its attributes")
        func lists() throws {
            for (xml, ids) in [
                (#"<r n="1"><tasks count="1"><task id="7"/></tasks></r>"#, ["7"]),
                (#"<r n="0"><tasks count="0"></tasks></r>"#, []),
                (#"<r><tasks count="2"><task id="7"/><task id="8"/></tasks></r>"#, ["7", "8"]),
                (#"<r><tasks type="array" count="1"><task id="7"/></tasks></r>"#, ["7"])
            ] as [(String, [String])] {
                let page = try page(xml) { $0.items = try JSONPath("/r/tasks") }
                #expect(page.items.map(\.id.objectID.text) == ids, "\(xml)")
            }
        }

        @Test(
            "an item that has nothing but attributes is no empty list, alone as beside others",
            arguments: [
                (#"<items><item id="1"/></items>"#, ["1"]), (#"<items n="1"><item id="1"> </item></items>"#, ["1"]),
                (#"<items><item id="1"/><item id="2"/></items>"#, ["1", "2"]), (#"<items n="0"/>"#, []),
                (#"<items><item/></items>"#, [])
            ] as [(String, [String])])
        func onlyAttributes(xml: String, ids: [String]) throws {
            let named = try page(xml) { $0.items = try JSONPath("/items/item") }
            #expect(named.items.map(\.id.objectID.text) == ids)
            #expect(named.skipped == 0)
        }

        @Test("a pull that finds one item of nothing but attributes deletes nothing")
        func pulledAlone() async throws {
            let api = try await Variation(
                """
                format: xml
                xml: { root: item, attributes: true }
                resources:
                  items:
                    items: /items/item
                    id: "@id"
                    read: null
                    create: null
                    update: null
                    delete: null
                    deletes: absent
                """, adapters: [.xml])
            func answer(_ text: String) {
                api.transport.expect(
                    "GET", "/v1/items",
                    .respond(200, headers: ["Content-Type": "application/xml"], body: Array(text.utf8)))
            }
            answer(#"<items><item id="1"/><item id="2"/></items>"#)
            #expect(try await api.synchronizer.pull().entities["items"]?.inserted == 2)
            answer(#"<items><item id="1"/></items>"#)
            #expect(try await api.synchronizer.pull().entities["items"]?.deleted == 1)
            #expect(try await api.synchronizer.record(at: ObjectURI(entity: "items", id: "1")) != nil)
        }

        @Test(
            "the elements of a list that says so can be named, with attributes beside them",
            arguments: [(0, []), (1, ["1"]), (3, ["1", "2", "3"])] as [(Int, [String])])
        func namedInArray(count: Int, ids: [String]) throws {
            let items = ids.map { "<issue><id>\($0)</id><hours/></issue>" }.joined()
            for (path, xml) in [
                ("/issues", #"<issues type="array" total_count="\#(count)">\#(items)</issues>"#),
                ("/data/issues", #"<data><issues type="array" total_count="\#(count)">\#(items)</issues></data>"#)
            ] {
                let page = try page(xml) {
                    $0.id = .member("id")
                    $0.items = try JSONPath("\(path)/issue")
                    $0.total = try JSONPath("\(path)/@total_count")
                }
                #expect(page.items.map(\.id.objectID.text) == ids, "\(xml)")
                #expect(page.total == Int64(count) && page.skipped == 0, "\(xml)")
            }
            let bare = try page(#"<issues type="array"></issues>"#) { $0.items = try JSONPath("/issues/issue") }
            #expect(bare.items.isEmpty)
        }

        @Test("an empty element is the same in a list and alone")
        func oneForm() throws {
            let item = "<issue><id>1</id><hours/></issue>"
            let listed = try page(#"<issues type="array" limit="25">\#(item)</issues>"#) { $0.id = .member("id") }
            let alone = try page(item) {
                $0.id = .member("id")
                $0.isList = false
            }
            #expect(records(listed) == records(alone) && records(alone) == [["id": "1", "hours": nil]])
            let typed = try page(#"<issues type="array"><issue><id type="integer">1</id><hours/></issue></issues>"#) {
                $0.id = .member("id")
            }
            #expect(records(typed) == [["id": 1, "hours": ""]])
        }

        @Test("a request of one's own shows attributes where they are asked for")
        func value() throws {
            let xml = Array(#"<project id="7" name="x"/>"#.utf8)
            #expect(try XMLExtractor().value(in: xml, limits: .default, readsAttributes: true).members?["@id"] == "7")
            #expect(try XMLExtractor().value(in: xml, limits: .default).members == nil)
        }

        @Test("without being asked for, attributes are not read, and the record says so")
        func silent() throws {
            let page = try page(#"<r><task id="7"><id>9</id></task></r>"#) {
                $0.items = .member("task")
                $0.id = .member("id")
                $0.readsAttributes = false
            }
            #expect(records(page) == [["id": "9", "#unread": ["@"]]])
        }

        @Test(
            "an XPath of names reads as a selector",
            arguments: [
                ("/tasks", "$"), ("/tasks/task", "$.task"), ("./author/name", "$.author.name"), ("@id", "$.@id"),
                ("./@due-on", "$.@due_on"), ("/r/a[2]/b", "$.a[1].b"), ("/r/*/id", "$[*].id"), ("./text()", "$.#text"),
                ("/a:feed/a:entry", "$.entry")
            ])
        func paths(xpath: String, selector: String) throws { #expect("\(try JSONPath(xpath))" == selector) }

        @Test(
            "what is no such XPath is refused with its column",
            arguments: ["/", "//task", "/r//task", "/r/task[0]", "/r/task[@id='7']", "/r/", "./", "@", "/*", "./a[1]b"])
        func refused(xpath: String) {
            let error = #expect(throws: JSONPathError.self) { try JSONPath(xpath) }
            #expect(error?.message.contains("(column ") == true)
        }

        @Test("objects with attributes are pulled, edited and sent as they came")
        func roundTrip() async throws {
            let api = try await Variation(
                """
                format: xml
                xml: { attributes: true, root: task }
                items: /tasks/task
                id: "@id"
                version: none
                update: { with: ["@id"] }
                resources: { tasks: { fields: { text: { read: "./text()" } } } }
                """, adapters: [.xml])
            let xml = ["Content-Type": "application/xml"] as HeaderFields
            api.transport.expect(
                "GET", "/v1/tasks",
                .respond(
                    headers: xml, body: Array(#"<tasks><task id="7" due="1 &quot;a&quot;">Milk</task></tasks>"#.utf8)))
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            let uri = ObjectURI(entity: "tasks", id: "7")
            #expect(try await api.synchronizer.record(at: uri)?["text"] == "Milk")
            try await api.synchronizer.edit(uri, setting: [("text", "Bread & \"butter\""), ("@due", "2 \"b\"\n<&>")])
            api.transport.expect("PUT", "/v1/tasks/7", .respond(204))
            api.transport.expect(
                "GET", "/v1/tasks/7",
                .respond(
                    headers: xml,
                    body: Array(
                        #"<task id="7" due="2 &quot;b&quot;&#10;&lt;&amp;&gt;">Bread &amp; "butter"</task>"#.utf8)))
            _ = try await api.synchronizer.push()
            #expect(
                api.transport.requests.first { $0.request.method == "PUT" }?.text
                    == #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
                    + #"<task due="2 &quot;b&quot;&#10;&lt;&amp;&gt;" id="7">Bread &amp; "butter"</task>"# + "\n")
            #expect(try await api.synchronizer.pending().isEmpty)
        }
    }
#endif
