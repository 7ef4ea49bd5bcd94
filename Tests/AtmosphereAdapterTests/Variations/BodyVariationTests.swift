#if YAML
    import Atmosphere
    import AtmosphereTesting
    import AtmosphereXML
    import Testing

    @Suite("Variations of bodies, errors and links") struct BodyVariationTests {
        private let uri = ObjectURI(entity: "docs", id: "4")

        /// A client that has pulled one document.
        private func client(
            _ resource: String, item: String = #"{"id":4,"title":"a","created_at":"x","lock_version":7}"#
        ) async throws -> Variation {
            let api = try await Variation("resources:\n  docs:\n\(resource)")
            api.transport.expect("GET", "/v1/docs", .json("[\(item)]"))
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            return api
        }

        private func refusal(_ work: () async throws -> Void) async -> String {
            do {
                try await work()
                return "nothing was refused"
            } catch {
                return "\(error)"
            }
        }

        // MARK: Bodies

        @Test("an update carries the identifier and the version, a create neither, and what is read-only nobody")
        func strictBodies() async throws {
            let api = try await client(
                """
                    readonly: [created_at]
                    version: { field: lock_version, send: body }
                    update: { with: [id] }
                """)
            try await api.synchronizer.edit(uri, setting: [("title", "b")])
            _ = try await api.synchronizer.save(["title": "new"], as: "docs")
            let create = await refusal { _ = try await api.synchronizer.save(["lock_version": 1], as: "docs") }
            #expect(create.contains("lock_version") && create.contains("cannot be set"), "\(create)")
            api.transport.expect("POST", "/v1/docs", .json(#"{"id":5,"title":"new","lock_version":1}"#))
            api.transport.expect(
                "PUT", "/v1/docs/4", .json(#"{"id":4,"title":"b","created_at":"x","lock_version":8}"#))
            try await api.synchronizer.push()
            try api.transport.check()
            #expect(
                api.sent.dropFirst() == [
                    #"POST /docs {"title":"new"}"#, #"PUT /docs/4 {"title":"b","lock_version":7,"id":4}"#
                ], "\(api.sent)")
            let edit = await refusal { try await api.synchronizer.edit(uri, setting: [("lock_version", 9)]) }
            #expect(edit.contains("lock_version") && edit.contains("cannot be edited"), "\(edit)")
        }

        @Test(
            "a changed-only update carries what it is declared with, and a member it is declared without is not edited")
        func withAndWithout() async throws {
            let api = try await client(
                """
                    version: none
                    create: { without: [status] }
                    update: { method: PATCH, body: changed, with: [kind], without: [owner] }
                """, item: #"{"id":4,"title":"a","kind":"k","owner":"o","status":"s"}"#)
            try await api.synchronizer.edit(uri, setting: [("title", "b")])
            _ = try await api.synchronizer.save(["title": "n", "owner": "me", "status": "open"], as: "docs")
            api.transport.expect("POST", "/v1/docs", .json(#"{"id":5,"title":"n","owner":"me","status":"open"}"#))
            api.transport.expect(
                "PATCH", "/v1/docs/4", .json(#"{"id":4,"title":"b","kind":"k","owner":"o","status":"s"}"#))
            try await api.synchronizer.push()
            try api.transport.check()
            #expect(
                api.sent.dropFirst() == [
                    #"POST /docs {"title":"n","owner":"me"}"#, #"PATCH /docs/4 {"title":"b","kind":"k"}"#
                ], "\(api.sent)")
            let edit = await refusal { try await api.synchronizer.edit(uri, setting: [("owner", "x")]) }
            #expect(edit.contains("update.without"), "\(edit)")
        }

        private static let due = #"{"id":4,"title":"t","due":{"start":"1","end":"2"}}"#
        private static let dueFields = """
                fields:
                  start: { read: due.start, write: due.start }
                  end: { read: due.end, write: due.end }
            """

        @Test(
            "what an operation carries with it and sets stands beside the edit in the same object",
            arguments: [
                ("with: [end]", #"{"due":{"start":"5","end":"2"}}"#, #"{"due":{"end":"2"}}"#),
                ("set: { due: { src: app } }", #"{"due":{"start":"5","src":"app"}}"#, #"{"due":{"src":"app"}}"#),
                (
                    "with: [end], set: { due: { end: 3, in: { a: 1 } } }",
                    #"{"due":{"start":"5","end":3,"in":{"a":1}}}"#, #"{"due":{"end":3,"in":{"a":1}}}"#
                )
            ])
        func sharedHolder(_ more: String, _ body: String, _ beside: String) async throws {
            let api = try await client(
                """
                    version: none
                    update: { method: PATCH, body: changed, \(more) }
                \(Self.dueFields)
                """, item: Self.due)
            try await api.synchronizer.edit(uri, setting: [("start", "5")])
            let request = try #require(try await api.synchronizer.pushPreview().requests.first)
            #expect(request.members == (try Value(json: Array(body.utf8)).members))
            #expect(request.changed == ["start"])
            #expect(request.beside == (try Value(json: Array(beside.utf8)).members))
            #expect(request.instead == [:])
            api.transport.expect("PATCH", "/v1/docs/4", .respond(204))
            api.transport.expect("GET", "/v1/docs/4", .json(Self.due))
            _ = try await api.synchronizer.push()
            #expect(api.sent.contains("PATCH /docs/4 \(body)"), "\(api.sent)")
        }

        @Test("a member in whose place an operation sets another value is not given here")
        func overridden() async throws {
            let api = try await client(
                """
                    version: none
                    create: { set: { due: { end: 3 } } }
                    update: { method: PATCH, body: changed, set: { due: { start: x } } }
                \(Self.dueFields)
                """, item: Self.due)
            let edit = await refusal { try await api.synchronizer.edit(uri, setting: [("start", "5")]) }
            #expect(edit.contains("(update.set)"), "\(edit)")
            let create = await refusal { _ = try await api.synchronizer.save(["end": "4"], as: "docs") }
            #expect(create.contains("(create.set)"), "\(create)")
            try await api.synchronizer.edit(uri, setting: [("end", "5")])
            _ = try await api.synchronizer.save(["start": "4", "end": 3], as: "docs")
            #expect(try await api.synchronizer.pushPreview().requests.count == 2)
        }

        @Test(
            "a create and an item of a batch keep what is set here beside what the route file sets",
            arguments: [false, true])
        func setInCreate(_ isBatch: Bool) async throws {
            let operation = "create: { set: { fields: { Budget: 9 } } }"
            let batch = "batch: { post: docs/batch, items: records, \(operation) }"
            let api = try await client(
                """
                    version: none
                    \(isBatch ? batch : operation)
                    fields: { "*": { read: "fields[*]", write: "fields[*]" } }
                """, item: #"{"id":4,"fields":{"Name":"a"}}"#)
            _ = try await api.synchronizer.save(["Name": "Made", "Client ID": "zz"], as: "docs")
            let request = try #require(try await api.synchronizer.pushPreview().requests.first)
            let sent: Value = ["fields": ["Name": "Made", "Client ID": "zz", "Budget": 9]]
            if isBatch {
                #expect(request.batch?.item == sent)
            } else {
                #expect(request.members == sent.members)
                #expect(request.beside == ["fields": ["Budget": 9]])
            }
        }

        @Test("a preview says what is sent whatever the coding, and no more", arguments: ["json", "form"])
        func preview(_ coding: String) async throws {
            let api = try await client("    coding: \(coding)")
            _ = try await api.synchronizer.save(["title": "new"], as: "docs")
            try await api.synchronizer.edit(uri, setting: [("title", "b")])
            let requests = try await api.synchronizer.pushPreview().requests
            #expect(requests.first { $0.verb == "create" }?.members == ["title": "new"])
            #expect(requests.first { $0.verb == "update" }?.changed == ["title"])
        }

        @Test("an identifier that the client gives is not empty")
        func emptyIdentifier() async throws {
            let api = try await Variation(
                "resources:\n  docs:\n    id: { field: sku, assigned: client }\n"
                    + "    create: { method: PUT, path: \"docs/{id}\", conditional: true }")
            for empty: Value in ["", .null, true] {
                let reason = await refusal { _ = try await api.synchronizer.save(["sku": empty], as: "docs") }
                #expect(reason.contains("“sku” is the identifier"), "\(reason)")
            }
        }

        @Test("XML has one name for a member with dashes")
        func dashes() async throws {
            let routes = """
                format: xml
                xml: { dashes: true }
                resources:
                  docs: { version: none }
                """
            let api = try await Variation(routes, adapters: [.xml])
            api.transport.expect(
                "GET", "/v1/docs",
                .respond(headers: ["Content-Type": "application/xml"], body: Array(Self.xml.utf8)))
            try await api.synchronizer.pull()
            #expect(try await api.synchronizer.record(at: uri)?["list_name"] == "a")
            let edit = await refusal { try await api.synchronizer.edit(uri, setting: [("list-name", "b")]) }
            #expect(edit.contains("is called “list_name” here"), "\(edit)")
        }

        private static let xml =
            #"<docs type="array"><doc><id type="integer">4</id><list-name>a</list-name></doc></docs>"#

        @Test("nothing is created below an object that is deleted here")
        func deletedParent() async throws {
            let api = try await Variation(
                """
                resources:
                  lists: { version: none }
                  docs: { path: "lists/{lists.id}/docs", parent: { lists: list_id } }
                """)
            api.transport.expect("GET", "/v1/lists", .json(#"[{"id":1}]"#))
            try await api.synchronizer.pull(entities: ["lists"])
            try await api.synchronizer.delete(ObjectURI(entity: "lists", id: "1"))
            let reason = await refusal { _ = try await api.synchronizer.save(["list_id": 1], as: "docs") }
            #expect(reason.contains("lists/1 was deleted here"), "\(reason)")
        }

        // MARK: Errors

        @Test(
            "where nothing is declared of errors, a map or a list of messages is for fields",
            arguments: [
                #"{"message":"missing id","errors":{"title":["is required"]}}"#,
                #"{"message":"missing id","errors":[{"field":"title","message":"is required"}]}"#
            ])
        func fieldErrors(_ body: String) async throws {
            let api = try await Variation("resources:\n  docs: {}")
            let uri = try await api.synchronizer.save(["title": ""], as: "docs")
            api.transport.expect("POST", "/v1/docs", .json(body, status: 422))
            try await api.synchronizer.push()
            let error = try await api.synchronizer.object(at: uri)?.meta.outgoing?.lastError
            #expect(error?.message == "missing id")
            #expect(error?.fields == [.init(field: "title", message: "is required")])
        }

        @Test("who is not signed in is told what was asked, what signs, and what to mend")
        func signIn() async throws {
            let api = try await Variation("auth: none\nresources:\n  docs: {}")
            let uri = try await api.synchronizer.save(["title": ""], as: "docs")
            api.transport.expect("POST", "/v1/docs", .json(#"{"message":"X-Auth missing"}"#, status: 401))
            let report = try await api.synchronizer.push()
            #expect(
                report.signInNeeded
                    == "create \(uri): X-Auth missing (401); the route file has no auth to sign requests with; say "
                    + "there how the API wants to be signed in to")
        }

        // MARK: Links

        @Test("a number where a link is declared is an error that names the kind for it")
        func noLink() async throws {
            let api = try await Variation(
                "resources:\n  docs: { pages: { kind: link-header, header: X-Next-Page } }")
            api.transport.expect("GET", "/v1/docs", .json("[{\"id\":1}]", headers: ["X-Next-Page": "2"]))
            let report = try await api.synchronizer.pull()
            let problem = report.entities["docs"]?.problem ?? ""
            #expect(problem.contains("kind: token, next: { header: X-Next-Page }, parameter: NAME"), "\(problem)")
        }

        @Test("items that are not where they are looked for: the message names what is there")
        func itemsElsewhere() async throws {
            let api = try await Variation("resources:\n  docs: { items: $.response.data }")
            api.transport.expect("GET", "/v1/docs", .json(#"{"data":{"item":[]},"total":0}"#))
            let report = try await api.synchronizer.pull()
            let problem = report.entities["docs"]?.problem ?? ""
            #expect(problem.contains("which has “data”, “total”"), "\(problem)")
        }

        @Test("an error in JSON tells its members where objects are XML")
        func errorInAnotherFormat() async throws {
            let api = try await Variation(
                "resources: { docs: { format: xml, xml: { root: doc } } }", adapters: [.xml])
            api.transport.expect("POST", "/v1/docs", .json(#"{"title":["Too long."]}"#, status: 400))
            let uri = try await api.synchronizer.save(["title": "a"], as: "docs")
            try await api.synchronizer.push()
            try api.transport.check()
            let failure = try #require(try await api.synchronizer.object(at: uri)?.meta.outgoing?.lastError)
            #expect(failure.fields == [.init(field: "title", message: "Too long.")], "\(failure)")
        }

        // MARK: The check

        @Test("check remarks on names that nothing on the first page has")
        func checkNames() async throws {
            let api = try await Variation(
                """
                resources:
                  docs:
                    readonly: [creatd_at]
                    types: { titel: string, title: string }
                    deletes: { field: stat, equals: gone }
                    fields: { owner: { read: author.nam } }
                    pages: { kind: number, parameter: page, total: cuont }
                """)
            let item = #"{"id":4,"title":"a","created_at":"x","state":"s","author":{"name":"n"}}"#
            api.transport.expect("GET", "/v1/docs?page=1", .json("[\(item)]", headers: ["ETag": "\"t\""]))
            api.transport.expect("GET", "/v1/docs?page=1", .json("", status: 304))
            api.transport.expect("GET", "/v1/docs/4", .json(item))
            let report = try await api.synchronizer.check()
            try api.transport.check()
            let notes = report.resources[0].notes
            for note in [
                "readonly: no object of the first page has “creatd_at”; did you mean “created_at”?",
                "types: no object of the first page has “titel”; did you mean “title”?",
                "pages.total: the first page has no $.cuont; right where it is only there at times",
                "list: an unchanged list need not be sent again with list: { conditional: true }"
            ] { #expect(notes.contains(note), "\(note) in \(notes)") }
            #expect(
                notes.contains { $0.hasPrefix("deletes.field: no object of the first page has $.stat") }, "\(notes)")
            #expect(notes.contains { $0.hasPrefix("fields.owner.read: no object") }, "\(notes)")
            #expect(
                report.isPassed && report.resources[0].findings.contains { $0.topic == "list-not-modified" && $0.holds }
            )
        }

        @Test("check remarks on what looks like a list in XML and is not declared")
        func undeclaredLists() async throws {
            func notes(_ xml: String) async throws -> [String] {
                let api = try await Variation(
                    "resources: { docs: { format: xml, items: doc, xml: { \(xml) } } }", adapters: [.xml])
                let doc = "<doc><id>1</id><tags><tag>a</tag></tags><by>A</by><by>B</by></doc>"
                api.transport.expect(
                    "GET", "/v1/docs",
                    .respond(200, headers: ["Content-Type": "application/xml"], body: Array("<docs>\(doc)</docs>".utf8))
                )
                api.transport.expect(
                    "GET", "/v1/docs/1",
                    .respond(200, headers: ["Content-Type": "application/xml"], body: Array(doc.utf8)))
                return try await api.synchronizer.check().resources[0].notes.filter { $0.hasPrefix("xml.lists") }
            }
            let found = try await notes("root: doc")
            #expect(found.count == 2, "\(found)")
            #expect(found.first?.contains("add xml: { lists: [tags/tag] }") == true, "\(found)")
            #expect(found.last?.contains("add xml: { lists: [by] }") == true, "\(found)")
            #expect(try await notes("lists: [tags/tag, by]").isEmpty)
        }

        @Test(
            "check remarks on an answer that says more follows where no pages are declared",
            arguments: [
                (#"{"rows":[],"has_more":true}"#, [:], "“has_more”"), (#"{"rows":[],"next":"/p2"}"#, [:], "“next”"),
                (#"{"rows":[]}"#, ["X-Next-Page": "2"], "a header X-Next-Page"),
                (#"{"rows":[]}"#, ["Link": "</p2>; rel=\"next\""], "a header Link"),
                (#"{"rows":[],"has_more":false,"next":null,"cursor":""}"#, ["X-Next-Page": ""], nil)
            ] as [(String, HeaderFields, String?)])
        func unpaged(_ body: String, _ headers: HeaderFields, _ found: String?) async throws {
            let api = try await Variation("resources: { docs: { items: rows } }")
            api.transport.expect("GET", "/v1/docs", .json(body, headers: headers))
            let notes = try await api.synchronizer.check().resources[0].notes.filter { $0.hasPrefix("pages") }
            #expect(notes.count == (found == nil ? 0 : 1), "\(notes)")
            if let found { #expect(notes.first?.contains("the answer has \(found):") == true, "\(notes)") }
        }
    }
#endif
