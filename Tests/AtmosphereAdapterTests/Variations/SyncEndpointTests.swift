#if YAML
    import Atmosphere
    import AtmosphereTesting
    import Synchronization
    import Testing

    /// APIs with a single address: what has changed here goes there with the time of the last pull, and the answer has what
    /// was taken, what has changed there, and what conflicts.
    @Suite("One endpoint that synchronizes") struct SyncEndpointTests {
        private static let routes = """
            root: post
            id: { field: guid, assigned: client }
            items: modified
            version: { field: updated_at, send: body, order: ascending }
            deletes: { field: is_deleted, equals: true }
            read: null
            resources:
              posts:
                list: { method: POST, path: sync, set: { modified: [] } }
                since: { send: last, from: { body: $.time }, overlap: 0s }
                batch:
                  post: sync
                  items: modified
                  since: last
                  create: { id: post.guid }
                  update: { id: post.guid }
                  delete: { set: { post: { is_deleted: true } }, id: post.guid, version: post.updated_at }
                  results:
                    - { path: modified }
                    - { path: conflicted, status: 409, body: theirs }
            """

        private let server = SyncEndpoint()
        private let first = ObjectURI(entity: "posts", id: "A")

        private func client() async throws -> Variation {
            try await Variation(Self.routes, transport: server.transport)
        }

        /// Two clients that know the same object.
        private func pair() async throws -> (mine: Variation, others: Variation) {
            let (mine, others) = (try await client(), try await client())
            try await mine.synchronizer.save(["guid": "A", "title": "a", "body": "text"], as: "posts")
            try await mine.synchronizer.synchronize()
            try await others.synchronizer.pull()
            return (mine, others)
        }

        @Test("creates, updates and deletes go in one request each, with what the last pull has kept")
        func accepted() async throws {
            let (mine, others) = try await pair()
            try await mine.synchronizer.edit(first, setting: [("title", "b")])
            #expect(try await mine.synchronizer.push().updated == 1)
            let sent = try #require(mine.sent.last)
            #expect(sent.hasPrefix(#"POST /sync {"modified":[{"post":{"#), "\(sent)")
            #expect(sent.hasSuffix(#"],"last":"1"}"#), "\(sent)")
            try await others.synchronizer.pull()
            #expect(try await others.synchronizer.record(at: first)?["title"] == "b")
            try await others.synchronizer.delete(first)
            #expect(try await others.synchronizer.push().deleted == 1)
            #expect(server.row("A")?["is_deleted"] == true)
            try await mine.synchronizer.pull()
            #expect(try await mine.synchronizer.record(at: first) == nil)
            #expect(try await mine.synchronizer.pending().isEmpty)
        }

        @Test("what the second place shows is merged with and sent again, without a read and without another pull")
        func merged() async throws {
            let (mine, others) = try await pair()
            try await others.synchronizer.edit(first, setting: [("body", "theirs")])
            try await others.synchronizer.push()
            try await mine.synchronizer.edit(first, setting: [("title", "mine")])
            let before = mine.sent.count
            #expect(try await mine.synchronizer.push().updated == 1)
            #expect(mine.sent.count == before + 2)
            #expect(server.row("A")?["title"] == "mine" && server.row("A")?["body"] == "theirs")
            #expect(try await mine.synchronizer.pending().isEmpty)
        }

        @Test("a clash is shown with theirs at once, and what a person decides goes with the next push")
        func clash() async throws {
            let (mine, others) = try await pair()
            try await others.synchronizer.edit(first, setting: [("title", "theirs")])
            try await others.synchronizer.push()
            try await mine.synchronizer.edit(first, setting: [("title", "mine")])
            let before = mine.sent.count
            try await mine.synchronizer.push()
            #expect(mine.sent.count == before + 1)
            let conflict = try #require(try await mine.synchronizer.conflicts().first)
            #expect(conflict.uri == first && server.row("A")?["title"] == "theirs")
            try await mine.synchronizer.resolve(first, .mine)
            #expect(try await mine.synchronizer.push().updated == 1)
            #expect(server.row("A")?["title"] == "mine")
            try await others.synchronizer.pull()
            #expect(try await others.synchronizer.record(at: first)?["title"] == "mine")
        }

        @Test("a server that repeats what was sent shows no version to merge with: the next pull brings it")
        func echoed() async throws {
            let (mine, others) = try await pair()
            try await others.synchronizer.edit(first, setting: [("body", "theirs")])
            try await others.synchronizer.push()
            try await mine.synchronizer.edit(first, setting: [("title", "mine")])
            server.echo()
            try await mine.synchronizer.push()
            #expect(try await mine.synchronizer.pending().map(\.uri) == [first])
            #expect(server.row("A")?["title"] == "a")
        }

        @Test("of two places the first that has a result counts, and none is needed where another has results")
        func order() async throws {
            let api = try await Variation(
                """
                version: none
                resources:
                  tasks:
                    batch:
                      post: bulk
                      create: { key: ref }
                      results:
                        - { path: failed, match: { sent: ref, found: ref }, status: 422, error: why }
                        - { path: done, match: { sent: ref, found: ref }, body: task }
                """)
            for title in ["a", "b"] { try await api.synchronizer.save(["title": .string(title)], as: "tasks") }
            api.transport.expect(
                "POST", "/v1/bulk",
                .json(
                    #"{"done":[{"ref":1,"task":{"id":7,"title":"a"}},{"ref":2,"task":{"id":8,"title":"b"}}],"#
                        + #""failed":[{"ref":2,"why":{"title":["no"]}}]}"#))
            #expect(try await api.synchronizer.push().created == 1)
            let pending = try await api.synchronizer.pending()
            #expect(pending.map { $0.meta.outgoing?.lastError?.status } == [422])
            #expect(pending.map { $0.meta.outgoing?.lastError?.message } == ["title: no"])
            try await api.synchronizer.save(["title": "c"], as: "tasks")
            api.transport.expect("POST", "/v1/bulk", .json(#"{"done":[{"ref":1,"task":{"id":9,"title":"c"}}]}"#))
            #expect(try await api.synchronizer.push().created == 1)
            try api.transport.check()
        }
    }

    /// A server with `POST /sync` alone. Versions count up, and a write of another version than the server's conflicts.
    private final class SyncEndpoint: Sendable {
        private struct State {
            var rows: [String: Value.Members] = [:]
            var time = 0
            var echoes = false
        }

        private let state = Mutex(State())

        func row(_ guid: String) -> Value.Members? { state.withLock { $0.rows[guid] } }

        /// From now on a conflict shows what was sent.
        func echo() { state.withLock { $0.echoes = true } }

        var transport: ScriptedTransport {
            ScriptedTransport { request in
                guard request.method == "POST", request.url == "https://api.example/v1/sync",
                    case .bytes(let bytes) = request.body, let body = try? Value(json: bytes).members
                else { return Response(status: 404, headers: [:], body: ResponseBody([])) }
                let answer = self.state.withLock { Self.answer(body, &$0) }
                return Response(
                    status: 200, headers: ["Content-Type": "application/json"], body: ResponseBody(answer.json()))
            }
        }

        private static func answer(_ body: Value.Members, _ state: inout State) -> Value {
            let last = body["last"]?.string.flatMap { Int($0) } ?? 0
            var modified: [Value] = []
            var conflicted: [Value] = []
            var named: Set<String> = []
            for item in body["modified"]?.array ?? [] {
                guard let post = item.members?["post"]?.members, let guid = post["guid"]?.string else { continue }
                named.insert(guid)
                if let row = state.rows[guid], row["updated_at"] != post["updated_at"] {
                    let theirs = state.echoes ? post : row
                    conflicted.append(["mine": .object(post), "theirs": .object(theirs)])
                    continue
                }
                state.time += 1
                var row = state.rows[guid] ?? ["is_deleted": false]
                for member in post { row[member.name] = member.value }
                row["updated_at"] = .number(JSONNumber(state.time))
                state.rows[guid] = row
                modified.append(["post": .object(row)])
            }
            for (guid, row) in state.rows.sorted(by: { $0.key < $1.key }) where !named.contains(guid) {
                guard let time = row["updated_at"]?.number?.int64, time > last else { continue }
                modified.append(["post": .object(row)])
            }
            return [
                "modified": .array(modified), "conflicted": .array(conflicted), "time": .number(JSONNumber(state.time))
            ]
        }
    }
#endif
