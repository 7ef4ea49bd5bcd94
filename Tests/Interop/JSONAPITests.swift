#if Command
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereJSONAPI
    import AtmosphereSQLite
    import AtmosphereYAML
    import Foundation
    import Testing

    @Suite(
        "Django REST framework JSON:API", .serialized,
        .enabled(if: DjangoServer.isAvailable, "no Python with venv here"))
    struct JSONAPITests {
        private func client(_ server: PeerServer, _ name: String) async throws -> Synchronizer {
            let file = server.folder.appendingPathComponent("\(name).yaml")
            try """
            atmosphere: 1
            style: json-api
            base: \(server.url)/jsonapi
            auth: { token: secret:DJANGO_TOKEN }
            deletes: absent
            readonly: [created, last_modified]
            resources:
              albums: { singular: Album }
              pictures:
                singular: Picture
                lookup: { field: uuid, query: uuid }
                references: { album: albums }
                fields:
                  album:
                    read: relationships.album.data.id
                    write: relationships.album.data.id
                    set: { type: Album }
                types: { latitude: decimal, longitude: decimal, rating: float, tags: json }
            """.write(to: file, atomically: true, encoding: .utf8)
            return try await Synchronizer.open(
                file.path, adapters: [.yaml, .jsonAPI, .curl, .sqlite],
                secrets: ["DJANGO_TOKEN": DjangoServer.token])
        }

        private func picture(_ id: Int) -> ObjectURI { ObjectURI(entity: "pictures", id: String(id)) }

        @Test("every page is pulled, and attributes are the fields")
        func pull() async throws {
            let server = try await DjangoServer.start(seed: 250)
            let client = try await client(server, "a")
            let report = try await client.pull()
            #expect(report.isComplete, "\(report)")
            #expect(report.entities["pictures"]?.inserted == 250 && report.entities["albums"]?.inserted == 10)
            let rows = try await server.rows("picture")
            let here = try await client.records(matching: Query("pictures", order: [.init("id", type: .integer)]))
            #expect(here.count == 250)
            for (row, object) in zip(rows, here) {
                for name in ["title", "description", "latitude", "rating", "public", "tags"] {
                    #expect(object.record[name] == row[name])
                }
                #expect(object.record["album"]?.text == row["album"]?.text)
            }
            try await client.close()
        }

        @Test("two clients end alike after offline work, a conflict and a refusal, and the server with them")
        func converge() async throws {
            let server = try await DjangoServer.start(seed: 30)
            let first = try await client(server, "a")
            let second = try await client(server, "b")
            try await first.pull()
            try await second.pull()
            _ = try server.takeLog()

            let album = try await first.save(["title": "Trip"], as: "albums")
            let new = try await first.save(
                ["title": "Beach", "album": .string(album.id), "latitude": "1.500000", "tags": ["a"]], as: "pictures")
            try await first.edit(picture(1), setting: [("title", "Mine")])
            try await first.edit(picture(2), setting: [("album", .string(album.id))])
            try await first.edit(picture(3), setting: [("title", "mine")])
            try await first.delete(picture(4))
            let bad = try await first.save(["title": "a forbidden word", "album": "1"], as: "pictures")
            try await server.touch("picture", 1, ["description": "theirs"])
            try await server.touch("picture", 3, ["title": "theirs"])
            try await second.delete(picture(5))
            _ = try await second.push()

            let report = try await first.push()
            #expect(report.created == 2 && report.deleted == 1, "\(report)")
            let refused = try #require(try await first.object(at: bad)?.meta.outgoing?.lastError)
            #expect(refused.fields == [.init(field: "title", message: "The word forbidden may not be used.")])
            try await first.discard(bad)
            #expect(try await first.object(at: picture(3))?.meta.outgoing != nil)
            try await first.resolve(picture(3), .theirs)
            _ = try await first.push()
            let log = try server.takeLog()
            #expect(
                log.filter { $0.method == "PATCH" }.contains {
                    $0.body.contains(#""attributes":{"title":"Mine"}"#) && !$0.body.contains("description")
                })

            for client in [first, second, first] {
                let report = try await client.pull()
                #expect(report.isComplete, "\(report)")
            }
            let rows = try await server.rows("picture")
            #expect(rows.count == 29)
            let trip = try #require(try await server.rows("album").last?["id"])
            #expect(rows.first { $0["id"] == 1 }?["title"] == "Mine")
            #expect(rows.first { $0["id"] == 1 }?["description"] == "theirs")
            #expect(rows.first { $0["id"] == 2 }?["album"] == trip)
            #expect(rows.last?["title"] == "Beach" && rows.last?["album"] == trip)
            let order: [Query.Order] = [.init("id", type: .integer)]
            let here = try await first.records(matching: Query("pictures", order: order))
            let there = try await second.records(matching: Query("pictures", order: order))
            #expect(here.map(\.record.members) == there.map(\.record.members))
            #expect(here.map { $0.record["title"] } == rows.map { $0["title"] })
            #expect(here.map { $0.record["id"]?.text } == rows.map { $0["id"]?.text })
            #expect(try await first.record(at: new)?["album"]?.text == trip.text)
            for client in [first, second] {
                #expect(try await client.pending().isEmpty)
                try await client.close()
            }
        }
    }
#endif
