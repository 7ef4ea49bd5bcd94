#if YAML
    import Atmosphere
    import AtmospherePlain
    import AtmosphereTesting
    import AtmosphereYAML
    import Testing

    @Suite("Flags, write-only members, roots of actions and second keys") struct FlagVariationTests {
        private let todo = ObjectURI(entity: "todos", id: "1")

        private func rows(_ ids: ClosedRange<Int>, _ more: String) -> String {
            let rows = ids.map { #"{"id":\#($0),"title":"\#($0)"}"# }.joined(separator: ",")
            return #"{"items":[\#(rows)]\#(more)}"#
        }

        @Test(
            "a flag that marks the last page ends the listing, and no page is asked for in vain",
            arguments: [
                ("{ kind: number, parameter: page, more: { body: $.last, equals: false } }", "page=1", "page=2", 3),
                (
                    "{ kind: offset, parameter: skip, size: { parameter: take, value: 2 }, "
                        + "more: { body: $.last, equals: false } }", "skip=0&take=2", "skip=1&take=2", 2
                ),
                ("{ kind: token, next: $.cursor, parameter: c, more: { body: last, equals: false } }", "", "c=x", 3)
            ])
        func last(_ pages: String, _ first: String, _ second: String, _ begin: Int) async throws {
            let api = try await Variation(
                "items: $.items\nresources: { todos: { pages: \(pages) } }")
            let start = first.isEmpty ? "/v1/todos" : "/v1/todos?\(first)"
            api.transport.expect("GET", start, .json(rows(1...2, #","last":false,"cursor":"x""#)))
            api.transport.expect("GET", "/v1/todos?\(second)", .json(rows(begin...3, #","last":true,"cursor":"x""#)))
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            try api.transport.check()
            #expect(try await api.titles() == ["1", "2", "3"])
        }

        @Test("a mark of the last page that is in a header, and only there at the end")
        func lastInHeader() async throws {
            let api = try await Variation(
                """
                items: $.items
                resources:
                  todos:
                    pages: { kind: token, next: $.cursor, parameter: c, more: { header: X-Final, equals: false } }
                """)
            api.transport.expect("GET", "/v1/todos", .json(rows(1...2, #","cursor":"x""#)))
            api.transport.expect(
                "GET", "/v1/todos?c=x", .json(rows(3...3, #","cursor":"y""#), headers: ["X-Final": "1"]))
            #expect(try await api.synchronizer.pull().isComplete)
            try api.transport.check()
            #expect(try await api.titles() == ["1", "2", "3"])
        }

        @Test("the body of an action is wrapped where it says so")
        func actionRoot() async throws {
            let api = try await Variation(
                """
                resources:
                  todos:
                    version: none
                    root: { write: todo }
                    actions:
                      move: { when: [folder], post: "todos/{id}/move", root: move }
                      tag: { post: "todos/{id}/tag" }
                """)
            api.transport.expect("GET", "/v1/todos", .json(#"[{"id":1,"title":"a","folder":1}]"#))
            try await api.synchronizer.pull()
            try await api.synchronizer.edit(todo, setting: [("folder", 2)])
            api.transport.expect("POST", "/v1/todos/1/move", .json(#"{"id":1,"title":"a","folder":2}"#))
            try await api.synchronizer.push()
            #expect(api.sent.last == #"POST /todos/1/move {"move":{"folder":2}}"#)
            api.transport.expect("POST", "/v1/todos/1/tag", .json("{}"))
            _ = try await api.synchronizer.request("tag", on: todo, arguments: ["name": "x"])
            #expect(api.sent.last == #"POST /todos/1/tag {"name":"x"}"#)
        }

        // MARK: Members that are never shown

        private func commented(_ setting: String) async throws -> Variation {
            let api = try await Variation(
                "resources: { todos: { version: none, update: { method: PATCH, body: changed }\(setting) } }")
            api.transport.expect("GET", "/v1/todos", .json(#"[{"id":1,"title":"a"}]"#))
            try await api.synchronizer.pull()
            return api
        }

        @Test("a write-only member is done with once the server has accepted it", arguments: [200, 204])
        func writeOnly(_ status: Int) async throws {
            let api = try await commented(", writeonly: [comment]")
            let shown = #"{"id":1,"title":"b"}"#
            func push(_ title: String, _ comment: String) async throws {
                try await api.synchronizer.edit(
                    todo, setting: [("title", .string(title)), ("comment", .string(comment))])
                api.transport.expect(
                    "PATCH", "/v1/todos/1", status == 204 ? .respond(204) : .json(shown))
                if status == 204 { api.transport.expect("GET", "/v1/todos/1", .json(shown)) }
                let report = try await api.synchronizer.push()
                #expect(report.updated == 1 && report.ignored.isEmpty, "\(report)")
                try api.transport.check()
                #expect(try await api.synchronizer.pending().isEmpty)
            }
            try await push("b", "first")
            // The same comment again is another one.
            try await push("b", "first")
            #expect(api.sent.filter { $0.hasPrefix("PATCH") }.last == #"PATCH /todos/1 {"comment":"first"}"#)
            #expect(try await api.synchronizer.object(at: todo)?.record?["comment"] == nil)

            api.transport.expect("POST", "/v1/todos", .json(#"{"id":2,"title":"c"}"#, status: 201))
            try await api.synchronizer.save(["title": "c", "comment": "new"], as: "todos")
            #expect(try await api.synchronizer.push().created == 1)
            try api.transport.check()
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test("without the word the message says what to write, and that a retry would send it again")
        func undeclared() async throws {
            let api = try await commented("")
            try await api.synchronizer.edit(todo, setting: [("comment", "x")])
            api.transport.expect("PATCH", "/v1/todos/1", .json(#"{"id":1,"title":"a"}"#))
            api.transport.expect("GET", "/v1/todos/1", .json(#"{"id":1,"title":"a"}"#))
            try await api.synchronizer.push()
            let failure = try await api.synchronizer.object(at: todo)?.meta.outgoing?.lastError
            let message = failure?.message ?? ""
            #expect(message.contains("write writeonly: [comment] and discard this"), "\(message)")
        }

        // MARK: Two credentials

        private func authenticator(_ auth: String, _ transport: ScriptedTransport) throws -> (any Authenticator)? {
            let text =
                "atmosphere: 1\nstyle: plain\nbase: https://api.example/v1\nauth: \(auth)\nresources: { todos: {} }"
            let adapters: [Adapter] = [.yaml, .plain]
            let file = try RouteFile.load(bytes: Array(text.utf8), source: "routes.yaml", adapters: adapters)
            #expect(Set(file.secretNames.map(\.name)).isSuperset(of: ["KEY"]))
            return try adapters.authenticator(
                for: file, secrets: SecretSource(environment: ["KEY": "k3y-k3y", "TOKEN": "t0k3n", "PASSWORD": "pass"]),
                transport: transport, tokens: MemoryTokenStorage())
        }

        @Test("a key goes beside another proof, in each request")
        func keyAndToken() async throws {
            let both = try #require(
                try authenticator(
                    #"{ bearer: "secret:TOKEN", key: { header: X-Api-Key, value: "secret:KEY" } }"#, ScriptedTransport()
                ))
            var request = Request(method: "GET", url: "https://api.example/v1/todos")
            try await both.authorize(&request)
            #expect(request.headers["Authorization"] == "Bearer t0k3n" && request.headers["X-Api-Key"] == "k3y-k3y")
            #expect(Set(both.usedSecrets.map(\.value)).isSuperset(of: ["t0k3n", "k3y-k3y"]))
            #expect(!(both is any SignInAuthenticator))
            var other = Request(method: "GET", url: "https://elsewhere.example/v1/todos")
            await #expect(throws: SyncError.self) { try await both.authorize(&other) }
            #expect(other.headers["X-Api-Key"] == nil)
        }

        @Test("a login carries the key, too")
        func keyAndSession() async throws {
            let transport = ScriptedTransport()
            let both = try #require(
                try authenticator(
                    #"{ session: { post: login, fields: { user: ann, password: "secret:PASSWORD" }, "#
                        + #"token: { body: $.token } }, key: { query: api_key, value: "secret:KEY" } }"#, transport))
            #expect(both is any SignInAuthenticator)
            transport.expect("POST", "/v1/login?api_key=k3y-k3y", .json(#"{"token":"s3ss10n"}"#))
            var request = Request(method: "GET", url: "https://api.example/v1/todos")
            try await both.authorize(&request)
            try transport.check()
            #expect(request.url == "https://api.example/v1/todos?api_key=k3y-k3y")
            #expect(request.headers["Authorization"] == "Bearer s3ss10n")
        }

        @Test("a key alone is enough")
        func keyAlone() async throws {
            let alone = try #require(
                try authenticator(#"{ key: { header: X-Api-Key, value: "secret:KEY" } }"#, ScriptedTransport()))
            var request = Request(method: "GET", url: "https://api.example/v1/todos")
            try await alone.authorize(&request)
            #expect(request.headers["X-Api-Key"] == "k3y-k3y" && request.headers["Authorization"] == nil)
        }

        // MARK: check

        @Test("check tells where a list and a read differ")
        func check() async throws {
            let api = try await Variation("resources: { todos: {} }")
            api.transport.expect("GET", "/v1/todos", .json(#"[{"id":1,"title":"a","price":"1.50","summary":"s"}]"#))
            api.transport.expect("GET", "/v1/todos/1", .json(#"{"id":1,"title":"a","price":1.5,"body":"long"}"#))
            let notes = try await api.synchronizer.check().resources.first?.notes ?? []
            #expect(notes.contains { $0.contains("members that the list leaves out (“body”)") }, "\(notes)")
            #expect(notes.contains { $0.contains("members that a read leaves out (“summary”)") }, "\(notes)")
            #expect(notes.contains { $0.contains("with other values (“price”)") }, "\(notes)")
        }
    }
#endif
