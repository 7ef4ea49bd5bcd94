#if YAML
    import Atmosphere
    import AtmosphereSource
    import AtmospherePlain
    import AtmosphereYAML
    import Testing

    @Suite("Edit leases of the source") struct SourceLeaseTests {
        private func server(token: String) throws -> SampleServer {
            let text = """
                atmosphere: 1
                base: http://127.0.0.1/v1
                resources:
                  tasks:
                    lease:
                      acquire: { post: "tasks/{id}/lock" }
                      release: { delete: "tasks/{id}/lock" }
                      ttl: 30s
                      every: 20s
                      token: { \(token), send: Lock-Token }
                    actions:
                      close: { post: "tasks/{id}/close", repeat: safe }

                """
            let file = try RouteFile.load(bytes: Array(text.utf8), source: "tasks.yaml", adapters: [.yaml, .plain])
            var server = SampleServer(try SourceAPI(file))
            _ = server.send("POST", "/v1/tasks", #"{"title":"a"}"#)
            return server
        }

        @Test("under a lease only who shows its token writes; anybody may again when it is given back")
        func held() throws {
            var server = try server(token: "body: lock.token")
            #expect(server.send("PUT", "/v1/tasks/1", #"{"title":"b"}"#).status == 200)
            let given = server.send("POST", "/v1/tasks/1/lock")
            #expect(given.status == 200)
            let token = try #require(given["$.lock.token"]?.string)
            for (method, target) in [
                ("PUT", "/v1/tasks/1"), ("DELETE", "/v1/tasks/1"), ("POST", "/v1/tasks/1/close"),
                ("POST", "/v1/tasks/1/lock"), ("DELETE", "/v1/tasks/1/lock")
            ] {
                #expect(server.send(method, target, #"{"title":"c"}"#).status == 423)
                #expect(server.send(method, target, #"{"title":"c"}"#, headers: ["Lock-Token": "other"]).status == 423)
            }
            #expect(server.send("GET", "/v1/tasks/1")["$.title"] == "b")
            let mine: HeaderFields = ["Lock-Token": token]
            #expect(server.send("PUT", "/v1/tasks/1", #"{"title":"d"}"#, headers: mine).status == 200)
            #expect(server.send("POST", "/v1/tasks/1/lock", headers: mine)["$.lock.token"]?.string == token)
            #expect(server.send("DELETE", "/v1/tasks/1/lock", headers: mine).status == 204)
            #expect(server.send("PUT", "/v1/tasks/1", #"{"title":"e"}"#).status == 200)
            #expect(server.send("POST", "/v1/tasks/9/lock").status == 404)
        }

        @Test("a content that is sent where an answer said waits for the lease as well, and so does one in parts")
        func contents() throws {
            let text = """
                atmosphere: 1
                base: http://127.0.0.1/v1
                resources:
                  tasks:
                    lease:
                      acquire: { post: "tasks/{id}/lock" }
                      release: { delete: "tasks/{id}/lock" }
                      ttl: 30s
                      token: { body: token, send: Lock-Token }
                    attachments:
                      scan: { upload: { ask: { post: "tasks/{id}/scan", url: $.url } } }
                      plan: { upload: { path: "tasks/{id}/plan", resumable: tus } }

                """
            let file = try RouteFile.load(bytes: Array(text.utf8), source: "tasks.yaml", adapters: [.yaml, .plain])
            var server = SampleServer(try SourceAPI(file))
            _ = server.send("POST", "/v1/tasks", #"{"title":"a"}"#)
            #expect(server.send("POST", "/v1/tasks/1/scan", "{}")["$.url"] == "/v1/.contents/1")
            let tus: HeaderFields = ["Tus-Resumable": "1.0.0", "Upload-Length": "1"]
            #expect(server.send("POST", "/v1/tasks/1/plan", headers: tus).headers["Location"] == "/v1/.contents/2")
            let token = try #require(server.send("POST", "/v1/tasks/1/lock")["$.token"]?.string)
            var part: HeaderFields = ["Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"]
            part["Upload-Offset"] = "0"
            #expect(server.send("PUT", "/v1/.contents/1", "x").status == 423)
            #expect(server.send("PATCH", "/v1/.contents/2", "x", headers: part).status == 423)
            #expect(server.send("PUT", "/v1/.contents/1", "x", headers: ["Lock-Token": token]).status == 204)
            part["Lock-Token"] = token
            #expect(server.send("PATCH", "/v1/.contents/2", "x", headers: part).status == 204)
        }

        @Test("a refusal is told by the body where the route file says so, and objects are named in the query")
        func told() throws {
            let text = """
                atmosphere: 1
                base: http://127.0.0.1/v1
                resources:
                  tasks:
                    lease:
                      acquire: { get: lock, query: { task: "{id}" } }
                      release: { get: unlock, query: { task: "{id}", token: "{lease.token}" } }
                      ttl: 30s
                      token: { body: token, send: Lock-Token }
                      refused: { status: 200, path: state, equals: locked }

                """
            let file = try RouteFile.load(bytes: Array(text.utf8), source: "tasks.yaml", adapters: [.yaml, .plain])
            var server = SampleServer(try SourceAPI(file))
            _ = server.send("POST", "/v1/tasks", #"{"title":"a"}"#)
            let token = try #require(server.send("GET", "/v1/lock?task=1")["$.token"]?.string)
            let refused = server.send("GET", "/v1/lock?task=1")
            #expect(refused.status == 200 && refused["$.state"] == "locked")
            #expect(server.send("PUT", "/v1/tasks/1", #"{"title":"b"}"#).status == 423)
            let mine: HeaderFields = ["Lock-Token": token]
            #expect(server.send("GET", "/v1/unlock?task=1&token=\(token)", headers: mine).status == 204)
            #expect(server.send("PUT", "/v1/tasks/1", #"{"title":"c"}"#).status == 200)
        }

        @Test("a lease runs out by itself, and the next one has another token, here in a header")
        func runsOut() throws {
            var server = try server(token: "header: Lock-Token")
            let first = server.send("POST", "/v1/tasks/1/lock")
            #expect(first.status == 204)
            #expect(server.send("POST", "/v1/tasks/1/lock").status == 423)
            // Each request of this server comes a second after the one before.
            for _ in 1...30 { _ = server.send("GET", "/v1/tasks/1") }
            let second = server.send("POST", "/v1/tasks/1/lock")
            #expect(second.status == 204)
            #expect(second.headers["Lock-Token"] != first.headers["Lock-Token"])
        }
    }
#endif
