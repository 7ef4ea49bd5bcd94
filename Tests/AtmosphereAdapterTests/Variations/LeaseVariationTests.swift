#if YAML
    import Atmosphere
    import AtmosphereTesting
    import Synchronization
    import Testing

    /// Leases of servers that do everything by GET and say everything in the body, with status 200.
    @Suite("Variations of edit leases") struct LeaseVariationTests {
        private static let routes = """
            resources:
              notes:
                list: { path: notes.php }
                read: { path: note.php, query: { id: "{id}" } }
                create: { method: GET, path: insert.php, query: { title: "{title}" }, body: none, id: "$.id" }
                update: { method: GET, path: update.php, query: { id: "{id}", title: "{title}" }, body: none }
                delete: null
                version: none
                errors: { rules: [{ status: 200, path: $.status, equals: "0", treat: conflict }] }
                lease:
                  acquire: { get: lock.php, query: { note: "{id}", until: "{lease.until}" } }
                  release: { get: lock.php, query: { note: "{id}", until: "{lease.from}" } }
                  ttl: 2m
                  every: 110s
                  refused: { status: 200, path: "$[0].status", equals: "0" }
                  format: yyyy-MM-dd HH:mm:ss
            """

        private let server = NoteServer()
        private let note = ObjectURI(entity: "notes", id: "1")

        private func client(_ routes: String = LeaseVariationTests.routes) async throws -> Variation {
            let api = try await Variation(routes, transport: server.transport)
            try await api.synchronizer.pull()
            return api
        }

        @Test("the lease is asked for with times in its query, and given back by the same request")
        func held() async throws {
            let api = try await client()
            try await api.synchronizer.edit(note, setting: [("title", "b")])
            #expect(try await api.synchronizer.push().updated == 1)
            #expect(server.title == "b")
            // The clock stands still: 2023-11-14 22:13:20 in UTC.
            let leases = api.sent.filter { $0.contains("lock.php") }
            #expect(
                leases.map { $0.replacing("%3A", with: ":") } == [
                    "GET /lock.php?note=1&until=2023-11-14%2022:15:20",
                    "GET /lock.php?note=1&until=2023-11-14%2022:13:20"
                ])
        }

        @Test("a success whose body says that another has it keeps the edit as a conflict, until the next push gets it")
        func refused() async throws {
            let api = try await client()
            server.lend(true)
            try await api.synchronizer.edit(note, setting: [("title", "b")])
            try await api.synchronizer.push()
            let conflicts = try await api.synchronizer.conflicts()
            #expect(conflicts.map(\.uri) == [note])
            #expect(conflicts.first?.meta.outgoing?.lastError?.message == "somebody else has the edit lease")
            #expect(server.title == "a" && !api.sent.contains { $0.contains("update.php") })
            let error = await #expect(throws: SyncError.self) {
                try await api.synchronizer.withLease(on: note) { Issue.record("runs without the lease") }
            }
            #expect(error?.code == .leased)
            server.lend(false)
            #expect(try await api.synchronizer.push().updated == 1)
            #expect(server.title == "b")
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        /// Only the lease says what its refusals look like.
        private static let withoutErrors = routes.split(separator: "\n").filter { !$0.contains("errors:") }
            .joined(separator: "\n")

        @Test("a success with the sign of a refused lease is none of a write, also where no error rule says so")
        func missed() async throws {
            let api = try await client(Self.withoutErrors)
            try await api.synchronizer.edit(note, setting: [("title", "b")])
            server.loseLease()
            try await api.synchronizer.push()
            try await api.synchronizer.push()
            #expect(api.sent.count { $0.contains("update.php") } == 2)
            #expect(server.title == "b")
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test("nor is it one of a write at once")
        func missedAtOnce() async throws {
            let api = try await client(Self.withoutErrors)
            server.loseLease()
            let error = await #expect(throws: SyncError.self) {
                _ = try await api.synchronizer.editNow(note, setting: [("title", "b")])
            }
            #expect(error?.code == .refused)
            #expect(error?.failure?.message.hasPrefix("somebody else has the edit lease") == true)
            #expect(server.title == "a")
        }

        @Test("a create by GET is not repeated by a transport, and what is known may be")
        func createdByGet() async throws {
            let api = try await client()
            try await api.synchronizer.save(["title": "new"], as: "notes")
            try await api.synchronizer.edit(note, setting: [("title", "b")])
            let requests = try await api.synchronizer.pushPreview().requests.map(\.request)
            let create = try #require(requests.first { $0.url.contains("insert.php") })
            let update = try #require(requests.first { $0.url.contains("update.php") })
            #expect(!create.mayRepeat && update.mayRepeat)
        }
    }

    /// One note, and its lock: `[{"status": "1"}]` gives it, `[{"status": "0"}]` says that another has it.
    private final class NoteServer: Sendable {
        private struct State {
            var title = "a"
            var isLent = false
            var losesLease = false
        }

        private let state = Mutex(State())

        var title: String { state.withLock(\.title) }
        /// Answers the next update as one without a lease.
        func loseLease() { state.withLock { $0.losesLease = true } }
        func lend(_ isLent: Bool) { state.withLock { $0.isLent = isLent } }

        var transport: ScriptedTransport {
            ScriptedTransport { request in
                let target = request.url.dropFirst("https://api.example/v1/".count)
                let body: Value = self.state.withLock { state -> Value in
                    switch target.prefix(while: { $0 != "?" }) {
                    case "notes.php": return [["id": 1, "title": .string(state.title)]]
                    case "note.php": return ["id": 1, "title": .string(state.title)]
                    case "lock.php": return [["status": .string(state.isLent ? "0" : "1")]]
                    case "update.php" where state.losesLease:
                        state.losesLease = false
                        return [["status": "0"]]
                    case "update.php":
                        guard !state.isLent, let title = target.split(separator: "=").last else {
                            return ["status": "0"]
                        }
                        state.title = String(title)
                        return ["status": "1"]
                    default: return ["status": "0"]
                    }
                }
                return Response(
                    status: 200, headers: ["Content-Type": "application/json"], body: ResponseBody(body.json()))
            }
        }
    }
#endif
