#if XML && YAML
    import Atmosphere
    import AtmosphereTesting
    import AtmosphereXML
    import Testing

    @Suite("what XML says and a record cannot hold")
    struct XMLUnreadTests {
        private func unread(_ item: String, _ change: (inout Selectors) -> Void = { _ in }) throws -> [String] {
            var selectors = Selectors(id: .member("id"))
            selectors.items = .member("task")
            change(&selectors)
            let page = try XMLExtractor().page(in: Array("<tasks>\(item)</tasks>".utf8), selectors)
            return page.record(try #require(page.items.first)).unreadNames
        }

        @Test(
            "text beside elements and attributes that are not read are noted, and nothing else is",
            arguments: [
                ("<task><id>7</id><title>a <i>mixed</i> tail</title></task>", ["title"]),
                ("<task><id>7</id><title>text<i>first</i></title><note><i>x</i>last</note></task>", ["title", "note"]),
                ("<task><id>7</id><title lang=\"de\">Milch</title></task>", ["title"]),
                ("<task><id>7</id><place><city code=\"9\">Bern</city></place></task>", ["place"]),
                ("<task href=\"/7\"><id>7</id>note</task>", ["@", "#text"]),
                ("<task><id>7</id><tag>a</tag><tag k=\"1\">b</tag><due-on x=\"\"/></task>", ["tag", "due_on"]),
                ("<task><id>7</id><link type=\"text/html\"/></task>", ["link"]),
                ("<task><id>7</id><title nil=\"true\">but a text</title></task>", ["title"]),
                ("<task><id>7</id><tags type=\"array\">but a text</tags></task>", ["tags"]),
                ("<task>\n  <id type=\"integer\">7</id>\n<!-- no --><done type=\"boolean\">true</done>\n</task>", []),
                ("<task><id>7</id><due type=\"dateTime\" nil=\"true\"/><tags type=\"array\"/></task>", []),
                (
                    "<task xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"a b\" xmlns=\"urn:t\">"
                        + "<id>7</id><title xsi:type=\"xs:string\">Milk</title></task>", []
                )
            ] as [(String, [String])])
        func noted(_ item: String, _ names: [String]) throws { #expect(try unread(item) == names) }

        @Test("of two items each has its own note, and a root that is stripped hands its attributes on")
        func items() throws {
            var selectors = Selectors(id: .member("id"))
            selectors.items = .member("task")
            let xml = "<tasks n=\"2\"><task><id>7</id></task><task a=\"1\"><id>8</id></task></tasks>"
            let page = try XMLExtractor().page(in: Array(xml.utf8), selectors)
            #expect(page.items.map { page.record($0).unreadNames } == [[], ["@"]])
            let rooted = "<task v=\"1\"><todo><id>7</id></todo></task>"
            #expect(try unread(rooted) { $0.itemRoot = "todo" } == ["@"])
        }

        @Test("where attributes are read, only those of lists are noted, and a type of the API's own is read")
        func attributes() throws {
            let item = """
                <task href="/7"><id>7</id><tags type="array" count="1"><tag>a</tag></tags><link type="text/html" rel="x"/>\
                <title lang="de">a <i k="v">b</i></title></task>
                """
            #expect(try unread(item) { $0.readsAttributes = true } == ["tags", "title"])
            var selectors = Selectors(id: .member("id"))
            selectors.items = .member("task")
            selectors.readsAttributes = true
            let page = try XMLExtractor().page(in: Array("<tasks>\(item)</tasks>".utf8), selectors)
            let record = page.record(try #require(page.items.first))
            #expect(record["link"] == ["@type": "text/html", "@rel": "x"])
            #expect(record["tags"] == ["a"])
        }

        // MARK: Updates

        private static let mixed = "<task><id>1</id><title>a <i>mixed</i> tail</title><done>false</done></task>"
        private static let xml = ["Content-Type": "application/xml"] as HeaderFields
        private let uri = ObjectURI(entity: "tasks", id: "1")

        private func api(_ routes: String, _ item: String = mixed) async throws -> Variation {
            let api = try await Variation(
                "format: xml\nitems: task\n\(routes)\nresources: { tasks: { types: { done: boolean } } }",
                adapters: [.xml])
            api.transport.expect(
                "GET", "/v1/tasks", .respond(headers: Self.xml, body: Array("<tasks>\(item)</tasks>".utf8)))
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            return api
        }

        private func push(_ api: Variation, _ name: String, _ value: Value) async throws {
            try await api.synchronizer.edit(uri, setting: [(name, value)])
            _ = try await api.synchronizer.push()
        }

        @Test("a whole update that would erase what was not read is not sent; the edit is kept with the reason")
        func whole() async throws {
            let api = try await api("version: none")
            try await push(api, "done", true)
            #expect(api.sent == ["GET /tasks"])
            let rejected = try #require(try await api.synchronizer.rejected().first)
            #expect(rejected.record?["done"] == true)
            guard case .rejected(_, let failure)? = rejected.meta.outgoing?.phase else {
                Issue.record("\(rejected)")
                return
            }
            #expect(
                failure.message
                    == "tasks/1 cannot be updated: not everything in “title” was read, and this update would "
                    + "erase the rest on the server; read attributes with xml: { attributes: true }, or name under "
                    + "“readonly” what no update has to send")
            let error = await #expect(throws: SyncError.self) {
                try await api.synchronizer.edit(uri, setting: [("#unread", nil)])
            }
            #expect(error?.code == .invalidRecord)
        }

        @Test("an update that sends nothing of it goes through, and never sends the note", arguments: [true, false])
        func others(sendsOnlyChanges: Bool) async throws {
            let api = try await api(
                sendsOnlyChanges ? "version: none\nupdate: { body: changed }" : "version: none\nreadonly: [title]")
            api.transport.expect(
                "PUT", "/v1/tasks/1",
                .respond(headers: Self.xml, body: Array(Self.mixed.replacing("false", with: "true").utf8)))
            try await push(api, "done", true)
            let sent = try #require(api.transport.requests.last?.text)
            #expect(sent.contains("<done>true</done>") && !sent.contains("title") && !sent.contains("unread"))
            #expect(try await api.synchronizer.pending().isEmpty)
            guard sendsOnlyChanges else { return }
            // The member itself is another matter.
            try await push(api, "title", "Milk")
            #expect(try await api.synchronizer.rejected().count == 1)
        }

        @Test("what the server shows in the read before the write counts, and a new object has nothing to lose")
        func compared() async throws {
            let api = try await api("version: compare", "<task><id>1</id><title>Milk</title><done>false</done></task>")
            api.transport.expect("GET", "/v1/tasks/1", .respond(headers: Self.xml, body: Array(Self.mixed.utf8)))
            try await push(api, "done", true)
            #expect(api.sent == ["GET /tasks", "GET /tasks/1"])
            #expect(try await api.synchronizer.rejected().count == 1)
            api.transport.expect(
                "POST", "/v1/tasks",
                .respond(
                    201, headers: Self.xml,
                    body: Array("<task href=\"/2\"><id>2</id><title>Eggs</title></task>".utf8)))
            _ = try await api.synchronizer.save(["title": "Eggs"], as: "tasks")
            _ = try await api.synchronizer.push()
            let made = try await api.synchronizer.record(at: ObjectURI(entity: "tasks", id: "2"))
            #expect(made?.unreadNames == ["@"])
        }

        @Test("the check tells of it, where an update would send it", arguments: [true, false])
        func check(isSent: Bool) async throws {
            let api = try await api(isSent ? "version: none" : "version: none\nreadonly: [title]")
            for (path, body) in [("/v1/tasks", "<tasks>\(Self.mixed)</tasks>"), ("/v1/tasks/1", Self.mixed)] {
                api.transport.expect("GET", path, .respond(headers: Self.xml, body: Array(body.utf8)))
            }
            let notes = try await api.synchronizer.check().resources.flatMap(\.notes)
            let told = "format: not everything in “title” is read, and updates of such objects are refused"
            #expect(notes.contains { $0.hasPrefix(told) } == isSent, "\(notes)")
            #expect(!notes.contains { $0.contains("#unread") }, "\(notes)")
        }
    }
#endif
