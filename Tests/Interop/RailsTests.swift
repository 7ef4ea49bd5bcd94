#if SQLite && YAML && XML && Curl
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereRails
    import AtmosphereSQLite
    import AtmosphereXML
    import AtmosphereYAML
    import Foundation
    import Testing

    @Suite(
        "A real Rails", .serialized, .enabled(if: RailsServer.isAvailable, "no Rails here, and no right to install it"))
    struct RailsTests {
        private static let rating = JSONNumber("2.5").map { Value.number($0) } ?? .null
        private static let size = "size: { parameter: per_page, value: 60 }"

        /// A client with its own store, from a route file of a dozen lines.
        private func client(
            _ server: PeerServer, _ name: String = "atmosphere", format: String = "json", shape: String = "",
            extra: String = ""
        ) async throws -> Synchronizer {
            let file = server.folder.appendingPathComponent("\(name).yaml")
            try """
            atmosphere: 1
            style: rails
            base: \(server.url)\(shape)
            format: \(format)
            pages: { size: { parameter: per_page, value: 100 } }
            lookup: { field: client_token, query: client_token }
            duplicate: { status: 422, field: client_token }
            version: { field: lock_version, send: body }
            readonly: [created_at, updated_at, lock_version]
            fields: { hours: decimal, due_on: date, remind_at: instant, created_at: instant, updated_at: instant }
            \(extra)
            resources:
              projects: { deletes: absent }
              todos:
                references: { project_id: projects }
                query: { with_deleted: 1 }
                deletes: { field: deleted_at, absent: true }
            """.write(to: file, atomically: true, encoding: .utf8)
            return try await Synchronizer.open(file.path, adapters: [.yaml, .rails, .curl, .sqlite, .xml])
        }

        private func todo(_ id: Int) -> ObjectURI { ObjectURI(entity: "todos", id: String(id)) }

        /// The records of an entity by identifier, in a form in which what both formats can say is equal: instants to
        /// the second, and no marks of deletion.
        private func records(_ client: Synchronizer, _ entity: String) async throws -> [String: Value.Members] {
            var found: [String: Value.Members] = [:]
            for (uri, record) in try await client.records(matching: Query(entity)) {
                found[uri.id] = comparable(record.members)
            }
            return found
        }

        private func rows(_ server: PeerServer, _ model: String) async throws -> [String: Value.Members] {
            let rows = try await server.rows(model).filter { $0["deleted_at"] == nil }
            return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"]?.text ?? "", comparable($0)) })
        }

        private func comparable(_ members: Value.Members) -> Value.Members {
            var copy = members
            for name in ["remind_at", "created_at", "updated_at"] {
                if let text = members[name]?.string { copy[name] = .string(text.prefix(19) + "Z") }
            }
            return copy
        }

        @Test(
            "the same objects are pulled from every shape and format, page by page",
            arguments: [("json", ""), ("json", "/rooted"), ("json", "/envelope"), ("xml", "")])
        func pull(format: String, shape: String) async throws {
            let server = try await RailsServer.start(seed: 250)
            let client = try await client(server, format: format, shape: shape)
            let report = try await client.pull()
            #expect(report.isComplete, "\(report)")
            #expect(report.entities["todos"]?.inserted == 250 && report.entities["todos"]?.pages == 3)
            let log = try server.takeLog()
            #expect(
                log.filter { $0.path == "\(shape)/todos.\(format)" }.map(\.method) == ["GET", "GET", "GET"], "\(log)")
            let here = try await records(client, "todos")
            let there = try await rows(server, "todo")
            #expect(here.count == 250)
            for (id, row) in there { #expect(here[id] == row) }
            let projects = try await records(client, "projects")
            #expect(try await projects == rows(server, "project"))
            try await client.close()
        }

        @Test(
            "every way of paging lists the same objects",
            arguments: [
                "pages: { kind: link-header, header: X-Next-Url, \(RailsTests.size) }",
                "pages: { kind: number, parameter: page, \(RailsTests.size), total: { header: X-Total-Count } }",
                "pages: { kind: number, parameter: page, \(RailsTests.size), total-pages: { header: X-Total-Pages } }",
                "pages: { kind: number, parameter: page, \(RailsTests.size) }", "pages: none"
            ])
        func pagings(pages: String) async throws {
            let server = try await RailsServer.start(seed: 250)
            let file = server.folder.appendingPathComponent("pages.yaml")
            try "atmosphere: 1\nstyle: rails\nbase: \(server.url)\n\(pages)\nresources: { todos: }\n"
                .write(to: file, atomically: true, encoding: .utf8)
            let client = try await Synchronizer.open(file.path, adapters: [.yaml, .rails, .curl, .sqlite])
            let report = try await client.pull()
            #expect(report.isComplete, "\(report)")
            #expect(report.entities["todos"]?.inserted == 250)
            try await client.close()
        }

        @Test("create, update with the changed fields only, and delete arrive", arguments: ["json", "xml"])
        func edits(format: String) async throws {
            let server = try await RailsServer.start(seed: 50)
            let client = try await client(server, format: format)
            try await client.pull()
            _ = try server.takeLog()
            try await client.edit(todo(7), setting: [("title", "a & <b> “c”"), ("hours", "1.75"), ("due_on", nil)])
            try await client.delete(todo(8))
            let project = try await client.save(["name": "New project"], as: "projects")
            let new = try await client.save(
                [
                    "title": "New", "project_id": .string(project.id), "hours": "0.10", "rating": Self.rating,
                    "done": true,
                    "due_on": "2026-05-01", "remind_at": "2026-05-01T08:00:00Z", "position": 3, "notes": "x\ny"
                ], as: "todos")
            let report = try await client.push()
            #expect(report.created == 2 && report.updated == 1 && report.deleted == 1, "\(report)")
            let patch = try server.takeLog().first { $0.method == "PATCH" }
            #expect(
                patch?.body
                    == (format == "json"
                        ? #"{"todo":{"title":"a & <b> “c”","hours":"1.75","due_on":null,"lock_version":0}}"#
                        : """
                        <?xml version="1.0" encoding="UTF-8"?>
                        <todo><title>a &amp; &lt;b&gt; “c”</title><hours type="decimal">1.75</hours><due-on nil="true"/>\
                        <lock-version type="integer">0</lock-version></todo>

                        """))
            let rows = try await server.rows("todo")
            #expect(rows[6]["title"] == "a & <b> “c”" && rows[6]["hours"] == "1.75" && rows[6]["due_on"] == .null)
            #expect(rows[7]["deleted_at"] != nil)
            let row = try #require(rows.last)
            #expect(row["project_id"] == 3 && row["due_on"] == "2026-05-01" && row["rating"] == Self.rating)
            #expect(row["hours"] == "0.1" && row["remind_at"] == "2026-05-01T08:00:00.000Z" && row["notes"] == "x\ny")
            #expect(try await client.object(at: new)?.uri == todo(51))
            #expect(try await client.pending().isEmpty)
            #expect(try await records(client, "todos") == self.rows(server, "todo"))
            try await client.close()
        }

        @Test(
            "a create whose answer a proxy lost is found by its token and never made twice", arguments: ["json", "xml"])
        func lostCreate(format: String) async throws {
            let server = try await RailsServer.start(seed: 10)
            let client = try await client(server, format: format)
            try await client.pull()
            try await server.control("break", ["count": 1])
            let uri = try await client.save(["title": "once", "project_id": 1], as: "todos")
            try await client.push()
            #expect(try await client.pending().isEmpty)
            #expect(try await server.rows("todo").filter { $0["title"] == "once" }.count == 1)
            #expect(try await client.object(at: uri)?.uri == todo(11))
            try await client.close()
        }

        @Test("a token that is taken is a create that has happened")
        func duplicate() async throws {
            let server = try await RailsServer.start(seed: 10)
            let client = try await client(server)
            try await client.pull(entities: ["projects"])
            let fields: Value.Members = ["title": "Again", "project_id": 1, "client_token": "t1"]
            #expect(try await server.send("POST", "todos.json", .object(fields)) == 201)
            let uri = try await client.save(fields, as: "todos")
            try await client.push()
            #expect(try await client.object(at: uri)?.uri == todo(11))
            #expect(try await server.rows("todo").count == 11)
            try await client.close()
        }

        @Test(
            "refusals are kept with their messages, and stop nothing else",
            arguments: [
                ("json", "", ["project", "title"]), ("json", "/rooted", ["project", "title"]),
                ("json", "/envelope", ["project", "title"]), ("xml", "", [])
            ])
        func refusals(format: String, shape: String, fields: [String]) async throws {
            let server = try await RailsServer.start(seed: 10)
            let client = try await client(server, format: format, shape: shape)
            try await client.pull()
            let bad = try await client.save(["title": "", "project_id": 999], as: "todos")
            try await client.save(["title": "fine", "project_id": 1], as: "todos")
            let report = try await client.push()
            #expect(report.created == 1, "\(report)")
            let object = try #require(try await client.object(at: bad))
            guard case .rejected(_, let failure) = object.meta.outgoing?.phase else {
                Issue.record("\(object.meta.state)")
                return
            }
            #expect(failure.status == 422 && failure.fields.map(\.field) == fields)
            #expect(
                failure.message.lowercased().contains("title") && failure.message.contains("must exist"), "\(failure)")
            try await client.edit(bad, setting: [("title", "mended"), ("project_id", 1)])
            #expect(try await client.push().created == 1)
            try await client.close()
        }

        @Test("an old lock_version is answered 409: the edits merge, or clash", arguments: ["json", "xml"])
        func conflicts(format: String) async throws {
            let server = try await RailsServer.start(seed: 10)
            let client = try await client(server, format: format)
            try await client.pull()
            try await client.edit(todo(1), setting: [("title", "mine")])
            try await client.edit(todo(2), setting: [("title", "mine")])
            try await server.touch("todo", 1, ["notes": "theirs"])
            try await server.touch("todo", 2, ["title": "theirs"])
            _ = try server.takeLog()
            let report = try await client.push()
            #expect(report.updated == 1, "\(report)")
            let rows = try await server.rows("todo")
            #expect(rows[0]["title"] == "mine" && rows[0]["notes"] == "theirs" && rows[0]["lock_version"] == 2)
            #expect(rows[1]["title"] == "theirs")
            guard case .conflicted(let conflict) = try await client.object(at: todo(2))?.meta.outgoing?.phase else {
                Issue.record("not conflicted")
                return
            }
            #expect(conflict.fields == ["title"])
            try await client.resolve(todo(2), .mine)
            try await client.push()
            #expect(try await server.rows("todo")[1]["title"] == "mine")
            try await client.close()
        }

        @Test("soft deletes arrive as tombstones, and an edit of a deleted todo asks", arguments: ["json", "xml"])
        func tombstones(format: String) async throws {
            let server = try await RailsServer.start(seed: 30)
            let client = try await client(server, format: format)
            try await client.pull()
            try await client.edit(todo(2), setting: [("title", "mine")])
            #expect(try await server.send("DELETE", "todos/1.json") == 204)
            #expect(try await server.send("DELETE", "todos/2.json") == 204)
            let push = try await client.push()
            #expect(push.updated == 0, "\(push)")
            try await client.pull()
            #expect(try await client.record(at: todo(1)) == nil)
            guard case .conflicted(let conflict) = try await client.object(at: todo(2))?.meta.outgoing?.phase else {
                Issue.record("not conflicted")
                return
            }
            #expect(conflict.theirs == nil)
            // A project takes its todos along, unannounced.
            #expect(try await server.send("DELETE", "projects/2.json") == 204)
            try await client.discard(todo(2))
            try await client.pull()
            #expect(try await records(client, "todos") == rows(server, "todo"))
            #expect(try await client.records(matching: Query("projects")).count == 1)
            try await client.close()
        }

        @Test("a form creates what JSON would have")
        func forms() async throws {
            let server = try await RailsServer.start(seed: 10)
            let client = try await client(server, extra: "coding: form")
            try await client.pull()
            try await client.save(
                ["title": "a=b&c", "project_id": 1, "hours": "0.5", "done": true, "due_on": "2026-05-01"], as: "todos")
            let report = try await client.push()
            #expect(report.created == 1, "\(report)")
            let row = try #require(try await server.rows("todo").last)
            #expect(row["title"] == "a=b&c" && row["hours"] == "0.5" && row["done"] == true)
            #expect(try await records(client, "todos") == rows(server, "todo"))
            try await client.close()
        }

        @Test("a client of JSON, a client of XML and the server agree in the end")
        func convergence() async throws {
            let server = try await RailsServer.start(seed: 60)
            let json = try await client(server, "json")
            let xml = try await client(server, "xml", format: "xml")
            let clients = [json, xml]
            for client in clients { try await client.pull() }
            for round in 1...4 {
                for (index, client) in clients.enumerated() {
                    let name = index == 0 ? "json" : "xml"
                    try await client.edit(
                        todo(round), setting: [(index == 0 ? "title" : "notes", .string("\(name) \(round)"))])
                    try await client.edit(todo(10 + round * 2 + index), setting: [("hours", .string("\(round).5"))])
                    let project = try await client.save(["name": .string("\(name) \(round)")], as: "projects")
                    try await client.save(
                        [
                            "title": .string("\(name) “\(round)”"), "project_id": .string(project.id),
                            "due_on": "2026-01-02"
                        ],
                        as: "todos")
                    try await client.delete(todo(30 + round * 2 + index))
                }
                try await server.touch("todo", 50 + round, ["title": .string("server \(round)"), "rating": Self.rating])
                for client in clients {
                    let report = try await client.synchronize()
                    #expect(report.push.failures.isEmpty && report.pull?.isComplete == true, "\(report)")
                }
            }
            for client in clients { try await client.synchronize() }
            for entity in ["todos", "projects"] {
                let rows = try await rows(server, entity == "todos" ? "todo" : "project")
                #expect(try await records(json, entity) == rows)
                #expect(try await records(xml, entity) == rows)
            }
            #expect(try await server.rows("todo").filter { $0["deleted_at"] != nil }.count == 8)
            for client in clients {
                #expect(try await client.pending().isEmpty)
                try await client.close()
            }
        }
    }
#endif
