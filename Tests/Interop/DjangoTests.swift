#if Command
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereDjangoREST
    import AtmosphereSQLite
    import AtmosphereXML
    import AtmosphereYAML
    import Foundation
    import Synchronization
    import Testing

    @Suite(
        "A real Django REST framework", .serialized, .enabled(if: DjangoServer.isAvailable, "no Python with venv here"))
    struct DjangoTests {
        /// A client with its own store, from a route file of a dozen lines.
        private func client(
            _ server: PeerServer, _ name: String = "atmosphere", prefix: String = "api", extra: String = "",
            defaults: String = "since: { send: modified_since, from: { field: last_modified } }",
            pictures: String = "", transport: Adapter = .curl, pageSize: Int = 1000
        ) async throws -> Synchronizer {
            let file = server.folder.appendingPathComponent("\(name).yaml")
            try """
            atmosphere: 1
            style: django-rest
            base: \(server.url)/\(prefix)
            auth: { token: secret:DJANGO_TOKEN }
            query: { page_size: \(pageSize) }
            readonly: [id, created, last_modified]
            lookup: { field: uuid, query: uuid }
            duplicate: { status: 400, field: uuid }
            types:
              { id: integer, album: integer, title: string, description: string, notes: string, rating: float,
                latitude: decimal, longitude: decimal, created: instant, last_modified: instant, public: boolean,
                tags: json }
            \(defaults)
            \(extra)
            resources:
              albums: {}
              pictures: { references: { album: albums }\(pictures) }
            """.write(to: file, atomically: true, encoding: .utf8)
            return try await Synchronizer.open(
                file.path, adapters: [.yaml, .djangoREST, transport, .sqlite, .xml],
                secrets: ["DJANGO_TOKEN": DjangoServer.token])
        }

        /// Somebody deletes the first picture before the third request for pictures.
        private final class Deleting: Transport {
            let server: PeerServer
            let inner: CurlTransport
            let lists = Mutex(0)

            init(_ server: PeerServer, _ settings: TransportSettings) throws {
                self.server = server
                inner = try CurlTransport(settings: settings)
            }

            func send(_ request: Request) async throws -> Response {
                let isThird = lists.withLock { count in
                    if request.method == "GET", request.url.contains("pictures/?") { count += 1 }
                    return count == 3
                }
                if isThird { try await server.delete("picture", 1) }
                return try await inner.send(request)
            }
        }

        @Test(
            "a row that slides to a page that was read already is pulled all the same",
            arguments: ["api/number", "api/offset"])
        func slidingRow(prefix: String) async throws {
            let server = try await DjangoServer.start(seed: 50, options: ["--page-size", "10"])
            let client = try await client(
                server, prefix: prefix, transport: .transport("curl") { try Deleting(server, $0) }, pageSize: 10)
            let report = try await client.pull()
            #expect(report.isComplete, "\(report)")
            let here = try await client.records(matching: Query("pictures")).map(\.uri.id)
            #expect(Set(here).isSuperset(of: (2...50).map(String.init)), "\(here.count) are here")
            try await client.close()
        }

        @Test("a list of what was deleted has pulls of changes remove it, without a request for each")
        func deletedPictures() async throws {
            let server = try await DjangoServer.start(seed: 30, options: ["--page-size", "5"])
            let client = try await client(
                server,
                pictures: """
                    , deletes: { list: { path: deleted-pictures/, id: picture, since: { send: since, from: { field: deleted_at } } } }
                    """)
            #expect(try await client.pull().isComplete)
            try await client.edit(ObjectURI(entity: "pictures", id: "9"), setting: [("title", "mine")])
            for id in [1, 2, 3, 4, 5, 6, 7, 9] { try await server.delete("picture", id) }
            _ = try server.takeLog()
            let report = try await client.pull()
            #expect(report.isComplete, "\(report)")
            #expect(report.entities["pictures"]?.deleted == 7 && report.entities["pictures"]?.conflicted == 1)
            let log = try server.takeLog()
            #expect(log.count { $0.path == "/api/deleted-pictures/" } == 2, "five stand on a page: \(log)")
            #expect(!log.contains { $0.path.hasPrefix("/api/pictures/") && $0.path != "/api/pictures/" }, "\(log)")
            let here = try await client.records(matching: Query("pictures")).compactMap { Int($0.uri.id) }
            #expect(Set(here) == Set([8, 9] + (10...30)))
            _ = try await client.pull()
            #expect(
                try server.takeLog().filter { $0.path == "/api/deleted-pictures/" }.allSatisfy { !$0.query.isEmpty })
            try await client.close()
        }

        @Test("10,000 objects are pulled, and a second pull makes one request per resource")
        func pull() async throws {
            let server = try await DjangoServer.start(seed: 10_000)
            let client = try await client(server)
            let first = try await client.pull()
            #expect(first.isComplete, "\(first)")
            #expect(first.entities["pictures"]?.inserted == 10_000)
            _ = try server.takeLog()
            let second = try await client.pull()
            let log = try server.takeLog()
            #expect(second.isComplete && log.map(\.method) == ["GET", "GET"], "\(log)")
            #expect(log.allSatisfy { $0.query.contains("modified_since=") })
            let rows = try await server.rows("picture")
            let here = try await client.records(matching: Query("pictures"))
            #expect(here.count == 10_000 && rows.count == 10_000)
            #expect(here[41].record["latitude"] == rows[41]["latitude"])
            try await client.close()
        }

        @Test(
            "every paging kind of the framework lists the same objects",
            arguments: ["api/number", "api/offset", "api/cursor", "api/plain"])
        func pagings(prefix: String) async throws {
            let server = try await DjangoServer.start(seed: 250)
            let client = try await client(server, prefix: prefix, defaults: "")
            let report = try await client.pull()
            #expect(report.isComplete, "\(report)")
            #expect(report.entities["pictures"]?.inserted == 250)
            try await client.close()
        }

        @Test("create, update with only the changed field, and delete arrive")
        func edits() async throws {
            let server = try await DjangoServer.start(seed: 50)
            let client = try await client(server)
            try await client.pull()
            _ = try server.takeLog()
            try await client.edit(ObjectURI(entity: "pictures", id: "7"), setting: [("title", "Renamed")])
            try await client.delete(ObjectURI(entity: "pictures", id: "8"))
            let new = try await client.save(
                ["title": "New", "album": 1, "latitude": "1.5", "tags": ["a"]], as: "pictures")
            let report = try await client.push()
            #expect(report.created == 1 && report.updated == 1 && report.deleted == 1, "\(report)")
            let log = try server.takeLog()
            #expect(log.first { $0.method == "PATCH" }?.body == #"{"title":"Renamed"}"#)
            let rows = try await server.rows("picture")
            #expect(rows.first { $0["id"] == 7 }?["title"] == "Renamed")
            #expect(rows.first { $0["id"] == 8 } == nil)
            #expect(rows.last?["title"] == "New")
            #expect(try await client.record(at: new)?["latitude"] == "1.500000")
            #expect(try await client.pending().isEmpty)
            try await client.close()
        }

        @Test("parent and child created offline arrive in order with real identifiers")
        func offline() async throws {
            let server = try await DjangoServer.start(seed: 0)
            let client = try await client(server)
            let album = try await client.save(["title": "Trip"], as: "albums")
            let picture = try await client.save(["title": "Beach", "album": .string(album.id)], as: "pictures")
            let report = try await client.push()
            #expect(report.created == 2, "\(report)")
            let albums = try await server.rows("album")
            #expect(try await client.record(at: album)?["id"] == albums[0]["id"])
            #expect(try await client.record(at: picture)?["album"] == albums[0]["id"])
            try await client.close()
        }

        @Test("a validation error ends as rejected with the field's message and blocks nothing else")
        func rejected() async throws {
            let server = try await DjangoServer.start(seed: 25)
            let client = try await client(server)
            try await client.pull()
            let bad = try await client.save(["title": "a forbidden word", "album": 1], as: "pictures")
            try await client.save(["title": "fine", "album": 1], as: "pictures")
            let report = try await client.push()
            #expect(report.created == 1)
            let object = try #require(try await client.object(at: bad))
            guard case .rejected(_, let failure) = object.meta.outgoing?.phase else {
                Issue.record("\(object.meta.state)")
                return
            }
            #expect(failure.fields == [.init(field: "title", message: "The word forbidden may not be used.")])
            try await client.close()
        }

        @Test("server edits merge with local edits of other fields, and clash on the same one")
        func merge() async throws {
            let server = try await DjangoServer.start(seed: 25)
            let client = try await client(server)
            try await client.pull()
            try await client.edit(ObjectURI(entity: "pictures", id: "1"), setting: [("title", "mine")])
            try await client.edit(ObjectURI(entity: "pictures", id: "2"), setting: [("title", "mine")])
            try await server.touch("picture", 1, ["description": "theirs"])
            try await server.touch("picture", 2, ["title": "theirs"])
            try await client.synchronize()
            let rows = try await server.rows("picture")
            #expect(rows[0]["title"] == "mine" && rows[0]["description"] == "theirs")
            #expect(rows[1]["title"] == "theirs")
            #expect(try await client.status()[1].counts.conflicted == 1)
            try await client.resolve(ObjectURI(entity: "pictures", id: "2"), .theirs)
            #expect(try await client.record(at: ObjectURI(entity: "pictures", id: "2"))?["title"] == "theirs")
            try await client.close()
        }

        @Test("a row deleted on the server disappears here; a changed one of ours does not")
        func absence() async throws {
            let server = try await DjangoServer.start(seed: 25)
            let client = try await client(server, extra: "deletes: absent")
            try await client.pull()
            try await client.edit(ObjectURI(entity: "pictures", id: "4"), setting: [("title", "mine")])
            try await server.delete("picture", 3)
            try await server.delete("picture", 4)
            var options = Synchronizer.PullOptions()
            options.full = true
            let report = try await client.pull(options: options)
            #expect(report.entities["pictures"]?.deleted == 1, "\(report)")
            let ids = try await client.records(matching: Query("pictures")).map(\.uri.id)
            #expect(!ids.contains("3") && ids.contains("4") && ids.count == 24)
            try await client.close()
        }

        @Test("the same resources pulled as XML are equal to those pulled as JSON")
        func xml() async throws {
            let server = try await DjangoServer.start(seed: 250)
            let json = try await client(server, "json")
            try await json.pull()
            let xml = try await client(
                server, "xml",
                extra: "format: xml",
                defaults: """
                    pages: { next: $.next }
                    """)
            let report = try await xml.pull()
            #expect(report.isComplete, "\(report)")
            let left = try await json.records(matching: Query("pictures"))
            let right = try await xml.records(matching: Query("pictures"))
            #expect(left.count == 250 && left.map(\.uri) == right.map(\.uri))
            for (one, other) in zip(left, right) { #expect(one.record.members == other.record.members) }
            try await json.close()
            try await xml.close()
        }
    }
#endif
