#if Command
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereSource
    import AtmosphereTesting
    import Testing

    @Suite("atmos gateway", .timeLimit(.minutes(5))) struct GatewayCommandTests {
        /// Runs a gateway while `body` runs, asks it to end, and expects a good end.
        private func serving(
            _ arguments: [String] = [], in workspace: Workspace, _ body: (String) async throws -> Void
        ) async throws {
            let command = try workspace.start(["gateway", "--port", "0", "--token-file", "token", "--json"] + arguments)
            do {
                try await body(try await url(of: command))
            } catch {
                command.terminate()
                throw error
            }
            command.terminate()
            let run = try await command.end()
            #expect(run.status == 0 && run.errors == "", "\(run)")
        }

        private func url(of command: RunningCommand) async throws -> String {
            while true {
                let lines = command.outputSoFar.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                if let line = lines.first {
                    try JSONShape.hold([line], to: "gateway")
                    return try #require(try Value(json: Array(line.utf8)).members?["url"]?.string)
                }
                try Task.checkCancellation()
                await Task.yield()
            }
        }

        private func send(
            _ method: String, _ url: String, token: String, _ body: String? = nil
        ) async throws -> Value {
            var headers: HeaderFields = ["Authorization": "Bearer \(token)"]
            if body != nil { headers["Content-Type"] = "application/json" }
            let response = try await CurlTransport().send(
                Request(
                    method: method, url: url, headers: headers, body: body.map { .bytes(Array($0.utf8)) } ?? .none,
                    mayRepeat: false))
            let bytes = try await response.body.collect(upTo: 1 << 20)
            #expect(
                (200..<300).contains(response.status), "\(method) \(url): \(String(decoding: bytes, as: UTF8.self))")
            return bytes.isEmpty ? .null : try Value(json: bytes)
        }

        @Test("a store that is moved away while it runs ends it with 1")
        func movedStore() async throws {
            let workspace = try TestAPI.offline()
            let command = try workspace.start(["gateway", "--port", "0", "--token-file", "token", "--json"])
            _ = try await url(of: command)
            try workspace.moveStoreAway()
            let run = try await command.end()
            #expect(run.status == 1 && run.errors.contains("it was moved away or replaced"), "\(run)")
        }

        @Test("a second copy is made through a gateway, and its edits go through it into the API")
        func secondCopy() async throws {
            try await TestAPI.serving(tasks: TestAPI.uniqueLookUp) { source, workspace in
                for title in ["Milk", "Bread"] { try source.add("tasks", ["title": .string(title), "list": 1]) }
                try await workspace.atmos("pull")
                try await serving(in: workspace) { url in
                    let token = try workspace.read("token").filter { !$0.isNewline }
                    let second = try Workspace()
                    let environment = ["TOKEN": token]
                    let found = try await second.atmos(
                        "discover", "\(url)/v1/openapi.json", "--header", "Authorization: Bearer secret:TOKEN",
                        environment: environment)
                    #expect(found.status == 0, "\(found)")
                    let text = try second.read("atmosphere.yaml")
                    #expect(
                        text.contains("  tasks:") && text.contains("  lists:") && !text.contains("  pending:"),
                        "\(text)")
                    for type in ["done: boolean", "rank: integer", "weight: float", "tags: json", "price: decimal"] {
                        #expect(text.contains(type), "\(text)")
                    }
                    // The header makes a repeated create harmless.
                    #expect(text.contains("idempotency-header") && !text.contains("lookup"), "\(text)")
                    let pulled = try await second.atmos("pull", environment: environment)
                    #expect(pulled.status == 0, "\(pulled)\n\(text)")
                    #expect(try await second.titles("atmosphere.yaml") == ["Bread", "Milk"])
                    try await second.atmos("edit", "tasks/1", "title=Oat milk", environment: environment)
                    try await second.atmos("create", "tasks", "title=Salt", "list:=1", environment: environment)
                    try await second.atmos("delete", "tasks/2", environment: environment)
                    let pushed = try await second.atmos("push", environment: environment)
                    #expect(pushed.status == 0, "\(pushed)")
                    // Now it waits in the first copy.
                    let pending = try await send("GET", "\(url)/v1/pending", token: token)
                    #expect(pending.members?["total"] == 3, "\(pending)")
                    let report = try await send("POST", "\(url)/v1/push", token: token)
                    #expect(report.members?["created"] == 1 && report.members?["updated"] == 1, "\(report)")
                    let titles = source.objects("tasks").compactMap { $0.members["title"]?.string }
                    #expect(titles.sorted() == ["Oat milk", "Salt"])
                    // The new object has another identifier in the first copy now.
                    let again = try await second.atmos("pull", environment: environment)
                    #expect(again.status == 0, "\(again)\n\(text)")
                    #expect(try await second.titles("atmosphere.yaml") == ["Oat milk", "Salt"])
                }
            }
        }

        @Test(
            "a second copy finds identifiers of any name, and inside a member; what holds none in its records is left out"
        )
        func identifiers() async throws {
            let server = try FaultyServer { (arrival: FaultyServer.Arrival) -> String in
                let bodies = [
                    "/tags": #"[{"slug": "a", "id": 7}, {"slug": "b", "id": 7}]"#,
                    "/notes": #"[{"meta": {"id": 1}, "text": "x"}]"#
                ]
                return FaultyServer.answer(
                    "200 OK", ["Content-Type: application/json"], bodies[arrival.target] ?? "[]")
            }
            defer { server.stop() }
            let workspace = try Workspace()
            try workspace.write(
                """
                atmosphere: 1
                base: \(server.url)
                resources:
                  tags: { id: slug, types: { id: integer } }
                  notes: { id: $.meta.id }
                  sheets: { id: { field: url, link: true } }
                  images: { id: $.meta.id, fields: { name: { read: meta.name } } }

                """, to: "atmosphere.yaml")
            let first = try await workspace.atmos("pull")
            #expect(first.status == 0, "\(first)")
            try await serving(in: workspace) { url in
                let second = try Workspace()
                let environment = ["TOKEN": try workspace.read("token").filter { !$0.isNewline }]
                let found = try await second.atmos(
                    "discover", "\(url)/v1/openapi.json", "--header", "Authorization: Bearer secret:TOKEN",
                    environment: environment)
                #expect(found.status == 0, "\(found)")
                let text = try second.read("atmosphere.yaml")
                #expect(text.contains("id: slug\n") && text.contains("id: $.meta.id\n"), "\(text)")
                #expect(
                    !text.contains("$.objects") && !text.contains("sheets:") && !text.contains("images:"), "\(text)")
                let pulled = try await second.atmos("pull", environment: environment)
                #expect(pulled.status == 0, "\(pulled)\n\(text)")
                for object in ["tags/a", "tags/b", "notes/1"] {
                    #expect(try await second.atmos("get", object, environment: environment).status == 0, "\(object)")
                }
            }
        }

        @Test("the link has the token of the file; a program may ask with it, and with --read-only nothing is changed")
        func token() async throws {
            try await TestAPI.serving { source, workspace in
                try source.add("tasks", ["title": "Milk", "list": 1])
                try await workspace.atmos("pull")
                try await serving(["--read-only"], in: workspace) { url in
                    let token = try workspace.read("token").filter { !$0.isNewline }
                    let list = try await send("GET", "\(url)/v1/objects/tasks", token: token)
                    #expect(list.members?["total"] == 1)
                    let response = try await CurlTransport().send(
                        Request(
                            method: "DELETE", url: "\(url)/v1/objects/tasks/1",
                            headers: ["Authorization": "Bearer \(token)"], mayRepeat: false))
                    #expect(response.status == 403)
                }
            }
        }

        @Test(
            "what would open it to others, or means nothing, is a mistake of the arguments",
            arguments: [
                (["--listen", "0.0.0.0"], "give --certificate and --key, or listen on 127.0.0.1"),
                (["--certificate", "a.pem"], "--certificate and --key go together"),
                (["--allow-origin", "*"], "write it as browsers do"),
                (["--certificate", "a.pem", "--key", "b.pem"], "cannot be used"),
                (["--interval", "5m"], "--interval has no use without --watch"),
                (["--watch", "--read-only"], "--watch sends what waits"),
                (["--port", "70000"], "--port and --socket-io take a number"),
                (["--event-streams", "0"], "take a number from 1 to 1000000")
            ])
        func mistakes(_ arguments: [String], _ words: String) async throws {
            let workspace = try TestAPI.offline()
            let run = try await workspace.start(["gateway"] + arguments).end()
            #expect(run.status == 2 && run.errors.contains(words), "\(run)")
        }
    }
#endif
