#if Command
    import Atmosphere
    import Foundation
    import Testing

    /// The real command, killed by SIGKILL over and over while it saves, sends, stores answers and pulls.
    @Suite("Killed commands", .serialized, .enabled(if: DjangoServer.isAvailable, "no Python with venv here"))
    struct KillTests {
        /// What the user was told, by title.
        private struct Promises {
            /// The title each acknowledged object must have in the end, by the address that was printed.
            var titles: [String: String] = [:]
            var deleted: Set<String> = []
            /// Saves that were killed before they answered; their objects may be there once, or not at all.
            var unanswered: Set<String> = []
        }

        @Test(
            "kills at logged points lose nothing that was acknowledged and double nothing",
            arguments: [("sqlite", 54), ("json-file", 27)])
        func kills(_ store: String, rounds: Int) async throws {
            let server = try await DjangoServer.start(seed: 30)
            let file = server.folder.appendingPathComponent("atmosphere.yaml")
            try """
            atmosphere: 1
            style: django-rest
            base: \(server.url)/api
            store: \(store)
            auth: { token: secret:DJANGO_TOKEN }
            readonly: [id, created, last_modified]
            lookup: { field: uuid, query: uuid }
            duplicate: { status: 400, field: uuid }
            deletes: absent
            resources:
              albums: {}
              pictures: { references: { album: albums } }
            """.write(to: file, atomically: true, encoding: .utf8)
            let command = AtmosCommand(routeFile: file)
            var random = SeededGenerator(seed: 20_261_121)
            var promises = Promises()
            var kills = 0
            var points: [String: Int] = [:]
            #expect(try await command.run(["pull"]).status == 0)
            for round in 0..<rounds {
                let album = try await save(command, ["create", "albums", "title=Trip \(round)"], &promises)
                let albumID = String(try #require(album).dropFirst("albums/".count))
                let title = "Snapshot \(round)"
                if round % 4 == 3 {
                    let create = ["create", "pictures", "title=\(title)", "album=\(albumID)", "-v"]
                    promises.unanswered.insert(title)
                    if let point = try await command.killAtLine(create, line: random.next(upTo: 2) + 1) {
                        kills += 1
                        points[point, default: 0] += 1
                    }
                } else {
                    _ = try await save(command, ["create", "pictures", "title=\(title)", "album=\(albumID)"], &promises)
                }
                let seeded = "pictures/\(round % 25 + 1)"
                if round % 5 == 4, round < 25 {
                    #expect(try await command.run(["delete", seeded]).status == 0)
                    promises.deleted.insert(seeded)
                } else if !promises.deleted.contains(seeded) {
                    #expect(try await command.run(["edit", seeded, "title=Edited \(round)"]).status == 0)
                    promises.titles[seeded] = "Edited \(round)"
                }
                for _ in 0..<4 {
                    if let point = try await command.killAtLine(["push", "-v"], line: random.next(upTo: 12) + 1) {
                        kills += 1
                        points[point, default: 0] += 1
                    }
                }
                if let point = try await command.killAtLine(["pull", "--full", "-v"], line: random.next(upTo: 5) + 1) {
                    kills += 1
                    points[point, default: 0] += 1
                }
                if round % 11 == 10 { _ = try await command.run(["push"]) }
            }
            #expect(kills >= rounds * 200 / 54, "only \(kills) kills")
            #expect(points.count >= 3, "\(points)")
            let push = try await command.run(["push"])
            #expect(push.status == 0, "\(push)")
            let pull = try await command.run(["pull", "--full"])
            #expect(pull.status == 0, "\(pull)")
            try await check(server, command, promises)
            print("\(store): killed \(kills) times, at \(points.sorted { $0.key < $1.key })")
        }

        /// Runs a save and notes what it promised.
        private func save(
            _ command: AtmosCommand, _ arguments: [String], _ promises: inout Promises
        ) async throws -> String? {
            let result = try await command.run(arguments)
            try #require(result.status == 0, "\(result)")
            let uri = result.output.trimmingCharacters(in: .whitespacesAndNewlines)
            promises.titles[uri] = String(arguments[2].dropFirst("title=".count))
            return uri
        }

        private func check(_ server: PeerServer, _ command: AtmosCommand, _ promises: Promises) async throws {
            let pictures = try await server.rows("picture")
            let albums = try await server.rows("album")
            let titles = (pictures + albums).compactMap { $0["title"]?.string }
            for (uri, title) in promises.titles where !promises.deleted.contains(uri) {
                #expect(titles.filter { $0 == title }.count == 1, "\(uri) “\(title)”")
            }
            for title in promises.unanswered { #expect(titles.filter { $0 == title }.count <= 1, "\(title)") }
            for uri in promises.deleted {
                #expect(!pictures.contains { "pictures/\($0["id"]?.text ?? "")" == uri }, "\(uri) is still there")
            }
            let status = try await command.run(["status", "--json"])
            let entities = try #require(try Value(json: Array(status.output.utf8)).members?["entities"]?.members)
            for (entity, rows) in [("pictures", pictures), ("albums", albums)] {
                #expect(entities[entity]?.members?["changed"] == 0, "\(status.output)")
                let list = try await command.run(["list", entity, "--json"])
                let here = try #require(try Value(json: Array(list.output.utf8)).array).compactMap(\.members)
                #expect(here.count == rows.count)
                let byID = Dictionary(rows.map { ($0["id"], $0) }, uniquingKeysWith: { first, _ in first })
                for record in here { #expect(record == byID[record["id"]], "\(record)") }
            }
        }
    }

    /// Numbers from a seed (SplitMix64), so that a failure can be repeated.
    struct SeededGenerator: RandomNumberGenerator {
        private var state: UInt64

        init(seed: UInt64) { state = seed }

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }

        mutating func next(upTo limit: Int) -> Int { Int(next() % UInt64(limit)) }
    }
#endif
