#if Command
    import Atmosphere
    import AtmosphereTesting
    import Foundation
    import Testing

    /// What a description's paths, and the answers of an API without one, say of its resources.
    @Suite("discover: shapes", .timeLimit(.minutes(5))) struct DiscoverShapeTests {
        @Test("objects that are listed below their parent and stand beside it are one resource")
        func shallow() async throws {
            let workspace = try Workspace()
            let note = #"{"type": "object", "properties": {"id": {"type": "integer"}, "text": {"type": "string"}}}"#
            func answer(_ schema: String) -> String {
                #""responses": {"200": {"description": "", "content": {"application/json": {"schema": \#(schema)}}}}"#
            }
            try workspace.write(
                """
                {"openapi": "3.1.0", "info": {"title": "Lists", "version": "1"},
                 "servers": [{"url": "https://api.example.com/v1"}],
                 "components": {"schemas": {"HTTPValidationError": {"type": "object"}}},
                 "paths": {
                   "/lists": {"get": {\(answer(#"{"type": "array", "items": \#(note)}"#))}},
                   "/lists/{list_id}": {"get": {\(answer(note))}},
                   "/lists/{list_id}/notes": {"get": {\(answer(#"{"type": "array", "items": \#(note)}"#))},
                     "post": {\(answer(note))}},
                   "/notes/{note_id}": {"get": {\(answer(note))}, "put": {\(answer(note))}, "delete": {}}
                 }}
                """, to: "api.json")
            let run = try await workspace.atmos("discover", "api.json", "-c", "lists.yaml")
            #expect(run.status == 0, "\(run)")
            let text = try workspace.read("lists.yaml")
            for line in [
                "read: { path: \"notes/{id}\" }", "update: { path: \"notes/{id}\" }",
                "delete: { path: \"notes/{id}\" }",
                "# ids: per-parent", "fields: $.detail", "field: \"loc[1]\""
            ] { #expect(text.contains(line), "\(line) in \(text)") }
            #expect(!text.contains("left out"), "\(text)")
            #expect(try await workspace.atmos("validate", "-c", "lists.yaml").status == 0, "\(text)")
        }

        @Test(
            "what cannot be read at a URL is told with its place, and an empty list (no object is one) with the way on",
            arguments: [
                (
                    #"[{"id": 1,}]"#,
                    "/v1/tasks is not JSON: a member's name in double quotes must stand here, at byte"
                ),
                ("<html></html>", "/v1/tasks is neither JSON nor YAML; and no description stands at openapi.json, "),
                ("[]", "/v1/tasks is a list without objects, which shows nothing of them; ask again when it has one, "),
                (#"{"count": 0, "results": []}"#, "/v1 --resource tasks"),
                (#"{"id": 1, "tags": []}"#, "/v1/tasks shows no list of objects that could be pulled")
            ])
        func nothingToSee(_ body: String, _ message: String) async throws {
            let server = try FaultyServer { arrival in
                arrival.target == "/v1/tasks"
                    ? FaultyServer.answer("200 OK", ["Content-Type: text/plain"], body)
                    : FaultyServer.answer("404 Not Found")
            }
            defer { server.stop() }
            let workspace = try Workspace()
            let run = try await workspace.atmos("discover", "\(server.url)/v1/tasks")
            #expect(run.status == 1 && run.errors.contains(message), "\(run)")
            #expect(!workspace.has("atmosphere.yaml"))
        }

        @Test("the query of the URL is the list’s, and a secret in it is sent with each request and written nowhere")
        func query() async throws {
            let server = try FaultyServer { (arrival: FaultyServer.Arrival) -> String in
                let isSigned = arrival.target.contains("api_key=sekret-4711")
                let isList = arrival.target.hasPrefix("/v1/tasks?state=all&project=5&")
                let isOne = arrival.target.hasPrefix("/v1/tasks/1?")
                guard isSigned, isList || isOne else { return FaultyServer.answer("404 Not Found") }
                let body = isList ? #"[{"id": 1, "title": "a"}]"# : #"{"id": 1, "title": "a"}"#
                return FaultyServer.answer("200 OK", ["Content-Type: application/json"], body)
            }
            defer { server.stop() }
            let workspace = try Workspace()
            let url =
                "\(server.url)/v1/tasks?state=all&project=5&page=1&per_page=3&api_key=sekret-4711&token=other-4712"
            let run = try await workspace.atmos("discover", url)
            #expect(run.status == 0, "\(run)")
            let text = try workspace.read("atmosphere.yaml")
            #expect(text.contains("    query: { state: all, project: \"5\" }\n"), "\(text)")
            #expect(text.contains("auth: { key: { query: api_key, value: \"secret:API_TOKEN\" } }\n"), "\(text)")
            for (parameter, why) in [("page=1", "where a page begins"), ("per_page=3", "how many objects a page has")] {
                #expect(text.contains("tasks: \(parameter) of the URL is left out: it says \(why)."), "\(text)")
            }
            #expect(text.contains("“token” of the URL looks like a secret"), "\(text)")
            #expect(text.contains("?state=all&project=5&page=1&per_page=3&api_key=…&token=…"), "\(text)")
            for secret in ["sekret-4711", "other-4712"] {
                #expect(!text.contains(secret) && !run.errors.contains(secret) && !run.output.contains(secret))
            }
            #expect(!text.contains("no object could be read"), "\(text)")
            let refused = try await Workspace().atmos("discover", "\(server.url)/v2?api_key=sekret-4711")
            #expect(refused.status == 1 && !refused.errors.contains("sekret-4711"), "\(refused)")
        }

        @Test("lists of HAL stand under _embedded, and an index may lead to other servers")
        func embedded() async throws {
            let orders =
                #"{"_embedded": {"orders": [{"id": 1, "total": 2, "_links": {"self": {"href": "/api/orders/1"}}}]}, "#
                + #""_links": {"self": {"href": "/api/orders"}, "next": {"href": "/api/orders?page=2"}}}"#
            let bodies = [
                "/api/orders": orders, "/api/orders/1": #"{"id": 1}"#,
                "/api": #"{"orders": "/api/orders", "users": "https://other.example/api/users"}"#,
                "/else": #"{"users": "https://other.example/api/users"}"#
            ]
            let server = try FaultyServer { (arrival: FaultyServer.Arrival) -> String in
                guard let body = bodies[arrival.target] else { return FaultyServer.answer("404 Not Found") }
                return FaultyServer.answer("200 OK", ["Content-Type: application/json"], body)
            }
            defer { server.stop() }
            for path in ["/api/orders", "/api"] {
                let workspace = try Workspace()
                let run = try await workspace.atmos("discover", "\(server.url)\(path)")
                #expect(run.status == 0, "\(run)")
                let text = try workspace.read("atmosphere.yaml")
                #expect(text.contains("items: $._embedded.orders\n"), "\(text)")
                #expect(text.contains("next: $._links.next.href"), "\(text)")
                let isTold = text.contains("users leads to another server, https://other.example, so it is left out.")
                #expect(isTold == (path == "/api"), "\(text)")
            }
            let run = try await Workspace().atmos("discover", "\(server.url)/else")
            #expect(run.status == 1 && run.errors.contains("users leads to another server"), "\(run)")
        }

        @Test(
            "a list is found in the page of Spring Data, beside links, and in an envelope of an envelope",
            arguments: [
                (
                    #"{"content": [{"id": 1}], "pageable": {"pageNumber": 0, "sort": {"sorted": false}}, "last": true,"#
                        + #" "totalElements": 1, "totalPages": 1, "size": 20, "number": 0, "sort": {"sorted": false},"#
                        + #" "first": true, "numberOfElements": 1, "empty": false}"#, "$.content"
                ),
                (
                    #"{"type": "FeatureCollection", "features": [{"type": "Feature", "id": 1, "geometry": null}],"#
                        + #" "numberMatched": 1, "links": [{"rel": "self", "href": "x"}]}"#, "$.features"
                ),
                (#"{"data": {"items": [{"id": 1, "title": "a"}]}}"#, "$.data.items"),
                (#"{"data": {"orders": [{"id": 1}], "total": 1}}"#, "$.data.orders")
            ])
        func envelopes(_ body: String, _ items: String) async throws {
            let server = try FaultyServer { (arrival: FaultyServer.Arrival) -> String in
                let bodies = ["/api/orders": body, "/api/orders/1": #"{"id": 1}"#]
                guard let body = bodies[arrival.target] else { return FaultyServer.answer("404 Not Found") }
                return FaultyServer.answer("200 OK", ["Content-Type: application/json"], body)
            }
            defer { server.stop() }
            let workspace = try Workspace()
            let run = try await workspace.atmos("discover", "\(server.url)/api/orders")
            #expect(run.status == 0, "\(run)")
            let text = try workspace.read("atmosphere.yaml")
            #expect(text.contains("items: \(items)\n") && text.contains("  orders:\n"), "\(text)")
            #expect(!text.contains("no object could be read"), "\(text)")
        }

        @Test("the links of a HAL root lead to lists, without what their templates may add")
        func root() async throws {
            let links =
                #"{"_links": {"orders": {"href": "/api/orders{?page,size}", "templated": true}, "#
                + #""one": {"href": "/api/orders/{id}", "templated": true}, "profile": {"href": "/api/profile"}}}"#
            let server = try FaultyServer { (arrival: FaultyServer.Arrival) -> String in
                let bodies = [
                    "/api": links, "/api/orders": #"{"_embedded": {"orders": [{"id": 1}]}, "page": {"number": 0}}"#,
                    "/api/orders/1": #"{"id": 1}"#
                ]
                guard let body = bodies[arrival.target] else { return FaultyServer.answer("404 Not Found") }
                return FaultyServer.answer("200 OK", ["Content-Type: application/hal+json"], body)
            }
            defer { server.stop() }
            let workspace = try Workspace()
            let run = try await workspace.atmos("discover", "\(server.url)/api")
            #expect(run.status == 0, "\(run)")
            let text = try workspace.read("atmosphere.yaml")
            #expect(text.contains("items: $._embedded.orders\n"), "\(text)")
            #expect(!text.contains("profile"), "\(text)")
        }

        @Test(
            "a description at a URL is read with a byte order mark, and in the form that it has, whatever its type says",
            arguments: [
                ("application/json", "\u{FEFF}", #"{"openapi": "3.0.0", "info": {"title": "x", "version": "1"},"#),
                ("application/json", "", #"{openapi: "3.0.0", "info": {"title": "x", "version": "1"},"#),
                ("text/plain", "# Ours\n", #"{openapi: "3.0.0", "info": {"title": "x", "version": "1"},"#),
                ("application/yaml", "\u{FEFF}", #"{openapi: "3.0.0", "info": {"title": "x", "version": "1"},"#)
            ])
        func forms(_ type: String, _ beginning: String, _ head: String) async throws {
            let schema = #"{"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}}"#
            let list = #""200": {"description": "", "content": {"application/json": {"schema": \#(schema)}}}"#
            let servers = #""servers": [{"url": "https://a.example"}]"#
            let rest = #"\#(servers), "paths": {"/tasks": {"get": {"responses": {\#(list)}}}}}"#
            let server = try FaultyServer { arrival in
                arrival.target == "/description"
                    ? FaultyServer.answer("200 OK", ["Content-Type: \(type)"], beginning + head + rest)
                    : FaultyServer.answer("404 Not Found")
            }
            defer { server.stop() }
            let workspace = try Workspace()
            let run = try await workspace.atmos("discover", "\(server.url)/description")
            #expect(run.status == 0, "\(run)")
            #expect(try workspace.read("atmosphere.yaml").contains("tasks:"))
        }
    }
#endif
