#if YAML
    import Atmosphere
    import AtmosphereTesting
    import Testing

    /// What a request says beside its path: in its query, its headers and its body.
    @Suite("Where a request names its object, its parent and its version") struct RequestPlaceTests {
        private let task = ObjectURI(entity: "tasks", id: "12")

        private func client(
            _ resource: String, item: String, entity: String = "todos", headers: HeaderFields = [:],
            query: String = "", list: String = "[%]"
        ) async throws -> Variation {
            let api = try await Variation("resources:\n  \(entity):\n\(resource)")
            api.transport.expect(
                "GET", "/v1/\(entity)\(query)", .json(list.replacing("%", with: item), headers: headers))
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            return api
        }

        @Test("the file's headers go with what is asked for no resource, too")
        func headersOfTheFile() async throws {
            let api = try await Variation(
                """
                headers: { API-Version: "2022-06-28", X-Other: a, Accept: application/vnd.api+json }
                auth: { bearer: "secret:TOKEN", identity: { path: users/me, field: id } }
                resources:
                  tasks: {}
                  notes: { headers: { API-Version: "2030-01-01" } }
                """)
            api.transport.expect("GET", "/v1/users/me", .json(#"{"id":"ann"}"#))
            api.transport.expect("GET", "/v1/tasks", .json("[]"))
            api.transport.expect("GET", "/v1/notes", .json("[]"))
            #expect(try await api.synchronizer.pull().isComplete)
            api.transport.expect("GET", "/v1/databases/x", .json("{}"))
            _ = try await api.synchronizer.request(method: "GET", path: "databases/x")
            func headers(_ path: String) throws -> [String?] {
                let sent = try #require(api.transport.requests.first { $0.request.url.hasSuffix(path) })
                return ["API-Version", "X-Other", "Accept"].map { sent.request.headers[$0] }
            }
            for path in ["/users/me", "/databases/x", "/tasks"] {
                #expect(try headers(path) == ["2022-06-28", "a", "application/vnd.api+json"], "\(path)")
            }
            #expect(try headers("/notes") == ["2030-01-01", "a", "application/vnd.api+json"])
        }

        @Test("an object is named in the query, and the parent of a list")
        func inQuery() async throws {
            let api = try await Variation(
                """
                resources:
                  projects:
                  tasks:
                    parent: { projects: project_id }
                    list: { path: tasks, query: { project: "{projects.id}", order: asc } }
                    read: { path: tasks, query: { id: "eq.{id}" }, item: "[0]" }
                    update: { method: PATCH, path: tasks, query: { id: "eq.{id}" }, body: changed, item: "[0]" }
                    delete: { path: tasks, query: { id: "eq.{id}" } }
                """)
            api.transport.expect("GET", "/v1/projects", .json(#"[{"id":7},{"id":8}]"#))
            let item = #"{"id":12,"title":"a","project_id":7}"#
            api.transport.expect("GET", "/v1/tasks?project=7&order=asc", .json("[\(item)]"))
            api.transport.expect("GET", "/v1/tasks?project=8&order=asc", .json("[]"))
            #expect(try await api.synchronizer.pull().isComplete)
            try await api.synchronizer.edit(task, setting: [("title", "b")])
            api.transport.expect("GET", "/v1/tasks?id=eq.12", .json("[\(item)]"))
            api.transport.expect(
                "PATCH", "/v1/tasks?id=eq.12", .json(#"[{"id":12,"title":"b","project_id":7}]"#))
            #expect(try await api.synchronizer.push().updated == 1)
            try await api.synchronizer.delete(task)
            api.transport.expect("DELETE", "/v1/tasks?id=eq.12", .respond(204))
            api.transport.expect(
                "GET", "/v1/tasks?id=eq.12", .json(#"[{"id":12,"title":"b","project_id":7}]"#))
            #expect(try await api.synchronizer.push().deleted == 1)
            #expect(api.sent.contains(#"PATCH /tasks?id=eq.12 {"title":"b"}"#), "\(api.sent)")
        }

        /// As forges have it: the path names a repository by two members, one of which stands inside another.
        private let forge = """
            resources:
              repos:
                list: { path: user/repos }
                read: { path: "repos/{login}/{name}" }
                fields: { login: { read: owner.login } }
              issues:
                path: repos/{repos.login}/{repos.name}/issues
                parent: { repos: repo_id }
                id: number
                ids: per-parent
                update: { method: PATCH, body: changed }
                version: none
                actions: { lock: { put: "repos/{repos.login}/{repos.name}/issues/{id}/lock" } }
              comments:
                path: repos/{repos.login}/{repos.name}/issues/{issues.number}/comments
                parent: { repos: repo_id, issues: issue_number }
                ids: per-parent
                version: none
            """

        @Test("a member of a parent that the route file maps stands in every path, any number of levels down")
        func mappedParent() async throws {
            let api = try await Variation(forge)
            func expectLists() {
                api.transport.expect(
                    "GET", "/v1/user/repos", .json(#"[{"id":1,"name":"core","owner":{"login":"ann"}}]"#))
                api.transport.expect("GET", "/v1/repos/ann/core/issues", .json(#"[{"number":4,"title":"a"}]"#))
                api.transport.expect(
                    "GET", "/v1/repos/ann/core/issues/4/comments", .json(#"[{"id":9,"title":"hello"}]"#))
            }
            expectLists()
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            let issue = ObjectURI(entity: "issues", id: "1/4")
            let comment = ObjectURI(entity: "comments", id: "1/4/9")
            #expect(try await api.synchronizer.object(at: comment)?.record?["title"] == "hello")

            let issues = "/v1/repos/ann/core/issues"
            try await api.synchronizer.edit(issue, setting: [("title", "b")])
            api.transport.expect("PATCH", "\(issues)/4", .json(#"{"number":4,"title":"b"}"#))
            #expect(try await api.synchronizer.push().updated == 1)
            try await api.synchronizer.delete(comment)
            api.transport.expect("DELETE", "\(issues)/4/comments/9", .respond(204))
            #expect(try await api.synchronizer.push().deleted == 1)
            try await api.synchronizer.save(["title": "new", "repo_id": 1], as: "issues")
            api.transport.expect("POST", issues, .json(#"{"number":5,"title":"new"}"#, status: 201))
            #expect(try await api.synchronizer.push().created == 1)
            api.transport.expect("GET", "\(issues)/4", .json(#"{"number":4,"title":"c"}"#))
            try await api.synchronizer.refresh(issue)
            api.transport.expect("PUT", "\(issues)/4/lock", .respond(204))
            _ = try await api.synchronizer.request("lock", on: issue)
            try api.transport.check()
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test("so it does where the object itself is deleted at once")
        func mappedDelete() async throws {
            let api = try await Variation(
                """
                resources:
                  repos:
                    list: { path: user/repos }
                    delete: { path: "repos/{login}/{name}" }
                    fields: { login: { read: owner.login } }
                    version: none
                """)
            api.transport.expect(
                "GET", "/v1/user/repos", .json(#"[{"id":1,"name":"core","owner":{"login":"ann"}}]"#))
            try await api.synchronizer.pull()
            api.transport.expect("DELETE", "/v1/repos/ann/core", .respond(204))
            try await api.synchronizer.deleteNow(ObjectURI(entity: "repos", id: "1"))
            try api.transport.check()
            #expect(try await api.synchronizer.records(matching: Query("repos")).isEmpty)
        }

        @Test("the check knows such a member, too")
        func checkOfMappedParent() async throws {
            let api = try await Variation(forge)
            for _ in 1...3 {
                api.transport.expect(
                    "GET", "/v1/user/repos", .json(#"[{"id":1,"name":"core","owner":{"login":"ann"}}]"#))
            }
            for _ in 1...3 {
                api.transport.expect(
                    "GET", "/v1/repos/ann/core", .json(#"{"id":1,"name":"core","owner":{"login":"ann"}}"#))
            }
            let issues = "/v1/repos/ann/core/issues"
            api.transport.expect("GET", issues, .json(#"[{"number":4,"title":"a"}]"#))
            api.transport.expect("GET", "\(issues)/4", .json(#"{"number":4,"title":"a"}"#))
            api.transport.expect("GET", "\(issues)/4/comments", .json(#"[{"id":9,"title":"hello"}]"#))
            api.transport.expect("GET", "\(issues)/4/comments/9", .json(#"{"id":9,"title":"hello"}"#))
            let report = try await api.synchronizer.check()
            #expect(report.resources.flatMap(\.problems) == [], "\(report)")
            #expect(api.sent.contains("GET /repos/ann/core/issues/4/comments/9"), "\(api.sent)")
        }

        @Test("the JSON of an object never goes into a path, and the message says what to declare")
        func objectInPath() async throws {
            let api = try await Variation(
                """
                resources:
                  repos: { list: { path: user/repos }, read: { path: "repos/{owner}/{name}" }, version: none }
                """)
            api.transport.expect(
                "GET", "/v1/user/repos", .json(#"[{"id":1,"name":"core","owner":{"login":"ann"}}]"#))
            try await api.synchronizer.pull()
            let error = await #expect(throws: SyncError.self) {
                try await api.synchronizer.refresh(ObjectURI(entity: "repos", id: "1"))
            }
            #expect(
                error?.message
                    == "the path repos/{owner}/{name} of repos needs {owner}, which is an object there; name a field that is "
                    + "read inside of it: fields: { owner: { read: owner.MEMBER } }")
            #expect(api.sent == ["GET /user/repos"])
        }

        @Test(
            "between single quotes in a path a quote is written twice, as keys of OData are",
            arguments: ["tags", "parts"])
        func quotedKey(_ entity: String) async throws {
            let isTag = entity == "tags"
            let path = isTag ? "tags('{id}')" : "parts(of='{kind}',id='{id}')"
            let key = isTag ? "tags('o%27%27neil')" : "parts(of='a%27%27b',id='o%27%27neil')"
            let api = try await client(
                """
                    read: { path: "\(path)" }
                    update: { method: PATCH, path: "\(path)", body: changed }
                    delete: { path: "\(path)" }
                    version: none
                """, item: #"{"id":"o'neil","title":"a","kind":"a'b"}"#, entity: entity)
            let tag = ObjectURI(entity: entity, id: "o'neil")
            try await api.synchronizer.edit(tag, setting: [("title", "b")])
            api.transport.expect("PATCH", "/v1/\(key)", .json(#"{"id":"o'neil","title":"b","kind":"a'b"}"#))
            #expect(try await api.synchronizer.push().updated == 1)
            try await api.synchronizer.delete(tag)
            api.transport.expect("DELETE", "/v1/\(key)", .respond(204))
            #expect(try await api.synchronizer.push().deleted == 1)
            try api.transport.check()
        }

        @Test("a quote that stands in no pair, or in another segment, quotes nothing")
        func unquotedKey() async throws {
            let template = try PathTemplate("it's/{id}/o'x/{id}'s/('{id}')/{id}")
            #expect(template.filled { _ in "a'b" } == "it's/a%27b/o'x/a%27b's/('a%27%27b')/a%27b")
        }

        @Test("links to such keys are read back")
        func linkToQuotedKey() async throws {
            let api = try await Variation(
                """
                resources:
                  tags: { read: { path: "tags('{id}')" }, version: none }
                  todos:
                    references: { tag: tags }
                    links: { tag: path }
                    update: { method: PATCH, body: changed }
                    version: none
                """)
            api.transport.expect("GET", "/v1/tags", .json(#"[{"id":"o'neil"},{"id":"x"}]"#))
            api.transport.expect("GET", "/v1/todos", .json(#"[{"id":1,"tag":"/v1/tags('o''neil')"}]"#))
            try await api.synchronizer.pull()
            let todo = ObjectURI(entity: "todos", id: "1")
            #expect(try await api.synchronizer.object(at: todo)?.record?["tag"] == "o'neil")
        }

        @Test("a delete whose query says the version is sent without a read, and refused where it is old")
        func versionInDelete() async throws {
            let api = try await client(
                """
                    version: { field: rev, send: body }
                    delete: { query: { rev: "{version}" } }
                """, item: #"{"id":1,"title":"a","rev":"3-x"}"#)
            let todo = ObjectURI(entity: "todos", id: "1")
            try await api.synchronizer.delete(todo)
            api.transport.expect("DELETE", "/v1/todos/1?rev=3-x", .json("{}", status: 409))
            api.transport.expect("GET", "/v1/todos/1", .json(#"{"id":1,"title":"b","rev":"4-x"}"#))
            try await api.synchronizer.push()
            #expect(try await api.synchronizer.conflicts().map(\.uri) == [todo])
            #expect(api.sent.dropFirst() == ["DELETE /todos/1?rev=3-x", "GET /todos/1"])
        }

        @Test("the parameters of a list by POST go into the query where it says so, else into the body")
        func parametersOfList() async throws {
            for (words, first, second) in [
                (
                    "", #"POST /find {"selector":{"a":1},"limit":2}"#,
                    #"POST /find {"selector":{"a":1},"since":"7","limit":2}"#
                ),
                (
                    ", parameters: query", #"POST /find?limit=2 {"selector":{"a":1}}"#,
                    #"POST /find?since=7&limit=2 {"selector":{"a":1}}"#
                )
            ] {
                let api = try await Variation(
                    """
                    resources:
                      todos:
                        list: { method: POST, path: find, set: { selector: { a: 1 } }\(words) }
                        items: $.results
                        pages: { kind: token, next: $.next, parameter: page, size: { parameter: limit, value: 2 } }
                        since: { send: since, from: { body: $.last }, overlap: 0s }
                        version: none
                    """)
                for url in words.isEmpty ? ["find", "find"] : ["find?limit=2", "find?since=7&limit=2"] {
                    api.transport.expect("POST", "/v1/\(url)", .json(#"{"results":[{"id":1}],"last":"7"}"#))
                    #expect(try await api.synchronizer.pull().isComplete)
                }
                #expect(api.sent == [first, second])
            }
        }

        @Test("a look-up goes to a path of its own, with its value as the server wants it")
        func lookUpElsewhere() async throws {
            let api = try await client(
                """
                    list: { query: { order: asc } }
                    version: none
                    lookup:
                      { field: ref, path: search, query: $filter, prefix: "ref eq ", quotes: single, suffix: " and a" }
                """, item: #"{"id":1,"ref":"x"}"#, query: "?order=asc")
            try await api.synchronizer.save(["title": "new", "ref": "o'n"], as: "todos")
            api.transport.expect("POST", "/v1/todos", .lose())
            api.transport.expect(
                "GET", "/v1/search?%24filter=ref%20eq%20%27o%27%27n%27%20and%20a",
                .json(#"[{"id":2,"ref":"o'n","title":"new"}]"#))
            try await api.synchronizer.push()
            try await api.synchronizer.push()
            try api.transport.check()
            #expect(try await api.synchronizer.object(at: ObjectURI(entity: "todos", id: "2")) != nil)
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test("the answer to a look-up may have its objects elsewhere than a list has them, one or none")
        func lookUpItems() async throws {
            for (found, isThere) in [(#"{"results":[{"id":2,"ref":"x"}]}"#, true), (#"{"results":[]}"#, false)] {
                let api = try await client(
                    """
                        items: $.tickets
                        version: none
                        lookup: { field: ref, path: search, query: q, prefix: "ref:", items: $.results }
                        duplicate: { status: 409 }
                    """, item: #"{"id":1,"ref":"a"}"#, list: #"{"tickets":[%]}"#)
                try await api.synchronizer.save(["ref": "x"], as: "todos")
                api.transport.expect("POST", "/v1/todos", .lose())
                api.transport.expect("GET", "/v1/search?q=ref%3Ax", .json(found))
                if !isThere { api.transport.expect("POST", "/v1/todos", .json(#"{"id":2,"ref":"x"}"#)) }
                try await api.synchronizer.push()
                try await api.synchronizer.push()
                try api.transport.check()
                #expect(try await api.synchronizer.object(at: ObjectURI(entity: "todos", id: "2")) != nil)
                #expect(try await api.synchronizer.pending().isEmpty)
            }
        }

        @Test("a request of one's own is a form where the resource at its path takes forms")
        func ownForm() async throws {
            let api = try await Variation("coding: form\nresources:\n  todos: {}")
            for (path, type, body) in [
                ("todos", "application/x-www-form-urlencoded", "title=a%20b&tags%5B%5D=x"),
                ("elsewhere", "application/json", #"{"title":"a b","tags":["x"]}"#)
            ] {
                api.transport.expect("POST", "/v1/\(path)", .json("{}"))
                _ = try await api.synchronizer.request(
                    method: "POST", path: path, body: ["title": "a b", "tags": ["x"]])
                let sent = try #require(api.transport.requests.last?.request)
                #expect(sent.headers["Content-Type"] == type)
                guard case .bytes(let bytes) = sent.body else {
                    Issue.record("no body")
                    continue
                }
                #expect(String(decoding: bytes, as: UTF8.self).replacing("+", with: "%20") == body)
            }
            try api.transport.check()
        }

        @Test("who says what hides objects from a look-up, or that nothing does, knows all of it")
        func hiding() async throws {
            for (words, isKnown) in [("", false), (", without: []", true), (", without: [order]", true)] {
                let api = try await Variation(
                    """
                    resources:
                      todos:
                        query: { order: id, done: no }
                        lookup: { field: ref, query: ref\(words) }
                    """)
                #expect(api.synchronizer.routeFile.resources.first?.lookup?.knowsWhatHides == isKnown)
            }
        }

        @Test("an object is named in the body of a POST")
        func inBody() async throws {
            let api = try await client(
                """
                    version: none
                    update: { method: POST, path: todos.update, with: [id] }
                    delete: { method: POST, path: todos.remove, with: [id] }
                """, item: #"{"id":5,"text":"a"}"#)
            let todo = ObjectURI(entity: "todos", id: "5")
            try await api.synchronizer.edit(todo, setting: [("text", "b")])
            api.transport.expect("POST", "/v1/todos.update", .json(#"{"id":5,"text":"b"}"#))
            #expect(try await api.synchronizer.push().updated == 1)
            try await api.synchronizer.delete(todo)
            api.transport.expect("POST", "/v1/todos.remove", .respond(204))
            #expect(try await api.synchronizer.push().deleted == 1)
            #expect(
                api.sent.dropFirst() == [
                    #"POST /todos.update {"text":"b","id":5}"#, #"POST /todos.remove {"id":5}"#
                ])
            try api.transport.check()
        }

        @Test("a version goes back in a header of the API's own, and headers of an operation go before all others")
        func versionInHeader() async throws {
            let api = try await client(
                """
                    version: { field: sys.version, send: none }
                    headers: { X-Client: all }
                    readonly: [sys]
                    read: { headers: { Accept: application/one+json } }
                    update:
                      headers: { X-Version: "{version}", X-Client: own, Content-Type: application/merge-patch+json }
                """, item: #"{"id":1,"title":"a","sys":{"version":3}}"#)
            let todo = ObjectURI(entity: "todos", id: "1")
            try await api.synchronizer.edit(todo, setting: [("title", "b")])
            api.transport.expect("GET", "/v1/todos/1", .json(#"{"id":1,"title":"a","sys":{"version":3}}"#))
            api.transport.expect("PUT", "/v1/todos/1", .json(#"{"id":1,"title":"b","sys":{"version":4}}"#))
            #expect(try await api.synchronizer.push().updated == 1)
            let read = try #require(api.transport.requests.first { $0.request.url.hasSuffix("/1") }?.request.headers)
            #expect(read["Accept"] == "application/one+json" && read["X-Client"] == "all")
            let update = try #require(api.transport.requests.last?.request.headers)
            #expect(update["X-Version"] == "3" && update["X-Client"] == "own")
            #expect(update["Content-Type"] == "application/merge-patch+json")
        }

        @Test("a merge patch says null for what was taken out of a member", arguments: [true, false])
        func mergePatch(isDeclared: Bool) async throws {
            let type = isDeclared ? "application/merge-patch+json" : "application/json"
            let api = try await client(
                """
                    version: none
                    merge: { meta: deep }
                    update: { method: PATCH, body: changed, headers: { Content-Type: \(type) } }
                """, item: #"{"id":1,"meta":{"a":1,"b":2,"in":{"x":1,"y":2},"old":{"z":1}}}"#)
            let todo = ObjectURI(entity: "todos", id: "1")
            try await api.synchronizer.edit(todo, setting: [("meta", ["a": 5, "in": ["x": 1]])])
            api.transport.expect("PATCH", "/v1/todos/1", .json(#"{"id":1,"meta":{"a":5,"in":{"x":1}}}"#))
            #expect(try await api.synchronizer.push().updated == 1)
            let patch: Value = ["meta": ["a": 5, "b": .null, "in": ["x": 1, "y": .null], "old": .null]]
            let whole: Value = ["meta": ["a": 5, "in": ["x": 1]]]
            let body = try #require(api.transport.requests.last).body
            #expect(try Value(json: body) == (isDeclared ? patch : whole))
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test("the version that is to be is one more than the one that is, inside a member of the body")
        func nextVersion() async throws {
            let api = try await client(
                """
                    version: { field: version.number, send: body, add: 1 }
                """, item: #"{"id":1,"title":"a","version":{"number":3,"by":"Ada"}}"#)
            let todo = ObjectURI(entity: "todos", id: "1")
            try await api.synchronizer.edit(todo, setting: [("title", "b")])
            api.transport.expect(
                "PUT", "/v1/todos/1", .json(#"{"id":1,"title":"b","version":{"number":4,"by":"Bob"}}"#))
            #expect(try await api.synchronizer.push().updated == 1)
            #expect(api.sent.last == #"PUT /todos/1 {"title":"b","version":{"number":4,"by":"Ada"}}"#)
            try await api.synchronizer.edit(todo, setting: [("title", "c")])
            api.transport.expect(
                "PUT", "/v1/todos/1", .json(#"{"id":1,"title":"c","version":{"number":5,"by":"Bob"}}"#))
            #expect(try await api.synchronizer.push().updated == 1)
            #expect(api.sent.last == #"PUT /todos/1 {"title":"c","version":{"number":5,"by":"Bob"}}"#)
        }

        @Test("a version that is no number is not sent as another, and the message says so")
        func versionThatIsNoNumber() async throws {
            let api = try await client(
                """
                    version: { field: rev, send: body, add: 1 }
                """, item: #"{"id":1,"title":"a","rev":"x3"}"#)
            let todo = ObjectURI(entity: "todos", id: "1")
            try await api.synchronizer.edit(todo, setting: [("title", "b")])
            #expect(try await api.synchronizer.push().updated == 0)
            guard case .rejected(_, let failure)? = try await api.synchronizer.object(at: todo)?.meta.outgoing?.phase
            else {
                Issue.record("not rejected")
                return
            }
            #expect(failure.message.hasPrefix("the version “x3” of todos/1 is no whole number"))
            #expect(api.sent == ["GET /todos"])
        }

        private func redirect(_ status: Int, _ path: String) -> ScriptedAnswer {
            ScriptedAnswer { _ in
                var error = TransportError(code: .redirect, message: "redirected", mayHaveArrived: status != 301)
                error.redirection = .init(status: status, path: path)
                throw error
            }
        }

        @Test("a create that is sent at once and answered with 303 is what the place shows")
        func redirectedCreateNow() async throws {
            let api = try await Variation("resources:\n  todos:\n    create: { path: todos/new, id: ref }")
            api.transport.expect("POST", "/v1/todos/new", redirect(303, "/v1/todos/7"))
            api.transport.expect("GET", "/v1/todos/7", .json(#"{"id":7,"title":"a"}"#))
            #expect(try await api.synchronizer.saveNow(["title": "a"], as: "todos").id == "7")
        }

        @Test("a create that is answered with 303 is done where Location is a place to read, and a 301 did nothing")
        func redirectedCreates() async throws {
            let api = try await Variation("resources:\n  todos:\n    create: { path: todos/new }")
            let uri = try await api.synchronizer.save(["title": "a"], as: "todos")
            api.transport.expect("POST", "/v1/todos/new", redirect(301, "/v1/todos/new/"))
            _ = try await api.synchronizer.push()
            #expect(try await api.synchronizer.object(at: uri)?.meta.outgoing?.phase == .waiting)
            // The same would come of it again.
            try api.transport.check()

            api.transport.expect("POST", "/v1/todos/new", redirect(303, "/v1/todos/7"))
            api.transport.expect("GET", "/v1/todos/7", .json(#"{"id":7,"title":"a"}"#))
            let report = try await api.synchronizer.push()
            #expect(report.created == 1, "\(report)")
            #expect(try await api.synchronizer.object(at: uri)?.uri.id == "7")

            let other = try await api.synchronizer.save(["title": "b"], as: "todos")
            api.transport.expect("POST", "/v1/todos/new", redirect(303, "/v1/login"))
            _ = try await api.synchronizer.push()
            guard case .unknown? = try await api.synchronizer.object(at: other)?.meta.outgoing?.phase else {
                Issue.record("a login form is no new object")
                return
            }
            let third = try await api.synchronizer.save(["title": "c"], as: "todos")
            api.transport.expect("POST", "/v1/todos/new", redirect(303, "/v1/todos/sign_in"))
            api.transport.expect("GET", "/v1/todos/sign_in", .json("{}", status: 404))
            _ = try await api.synchronizer.push()
            guard case .unknown? = try await api.synchronizer.object(at: third)?.meta.outgoing?.phase else {
                Issue.record("nor is one whose path looks like an object's")
                return
            }
            try await api.synchronizer.delete(ObjectURI(entity: "todos", id: "7"))
            api.transport.expect("GET", "/v1/todos/7", .json(#"{"id":7,"title":"a"}"#))
            api.transport.expect("DELETE", "/v1/todos/7", redirect(303, "/v1/todos/sign_in"))
            let deletes = try await api.synchronizer.push()
            #expect(deletes.deleted == 0)
        }

        @Test("a cursor that is a link to the same list is followed as it is; one that leads elsewhere is said")
        func deltaLink() async throws {
            let routes = """
                resources:
                  todos:
                    list: { path: todos/delta, query: { top: 2 } }
                    items: value
                    pages: { kind: link-body, next: next }
                    since: { send: token, from: { body: "['@odata.deltaLink']", page: last }, overlap: 0s }
                    deletes: { field: "['@removed']" }
                """
            let api = try await Variation(routes)
            api.transport.expect(
                "GET", "/v1/todos/delta?top=2",
                .json(
                    #"{"value":[{"id":1,"title":"a"},{"id":2,"title":"b"}],"# + "\n"
                        + #""next":"https://api.example/v1/todos/delta?skip=x"}"#))
            api.transport.expect(
                "GET", "/v1/todos/delta?skip=x",
                .json(
                    #"{"value":[{"id":3,"title":"c"}],"# + "\n"
                        + #""@odata.deltaLink":"https://api.example/v1/todos/delta?token=t%201"}"#))
            #expect(try await api.synchronizer.pull().isComplete)
            api.transport.expect(
                "GET", "/v1/todos/delta?token=t%201",
                .json(
                    #"{"value":[{"id":1,"title":"A"},{"id":2,"@removed":{"reason":"deleted"}}],"# + "\n"
                        + #""@odata.deltaLink":"https://api.example/v1/todos/delta?token=t2"}"#))
            #expect(try await api.synchronizer.pull().isComplete)
            #expect(try await api.titles() == ["A", "c"])
            try api.transport.check()

            let elsewhere = try await Variation(routes.replacing("todos/delta", with: "todos"))
            elsewhere.transport.expect(
                "GET", "/v1/todos?top=2",
                .json(#"{"value":[],"@odata.deltaLink":"https://api.example/v1/todos/delta?token=t2"}"#))
            #expect(try await elsewhere.synchronizer.pull().isComplete)
            let report = try await elsewhere.synchronizer.pull()
            #expect(!report.isComplete && "\(report)".contains("it leads to todos/delta with “token”"), "\(report)")
        }

        @Test(
            "results in an object are found by the key of each item, identifiers in another, and each change has a key")
        func namedResults() async throws {
            let api = try await Variation(
                """
                resources:
                  tasks:
                    version: none
                    update: { body: changed }
                    batch:
                      post: sync
                      items: commands
                      create: { set: { type: add }, body: args, idempotency: [uuid, temp_id] }
                      update: { set: { type: update }, body: args, id: args.id, idempotency: uuid }
                      delete: { set: { type: delete }, id: args.id, idempotency: uuid }
                      results:
                        path: sync_status
                        match: { sent: uuid }
                        status: $
                        codes: { ok: 200 }
                        ids: { path: temp_id_mapping, sent: temp_id }
                """)
            api.transport.expect("GET", "/v1/tasks", .json(#"[{"id":"1","title":"a"},{"id":"2","title":"b"}]"#))
            #expect(try await api.synchronizer.pull().isComplete)
            let made = try await api.synchronizer.save(["title": "new"], as: "tasks")
            try await api.synchronizer.edit(ObjectURI(entity: "tasks", id: "1"), setting: [("title", "A")])
            try await api.synchronizer.edit(ObjectURI(entity: "tasks", id: "2"), setting: [("title", "")])
            let answer = ScriptedAnswer { request in
                guard case .bytes(let bytes) = request.body else {
                    return Response(status: 400, body: ResponseBody([]))
                }
                let commands = try Value(json: bytes).members?["commands"]?.array ?? []
                var statuses = Value.Members()
                var ids = Value.Members()
                for command in commands {
                    let members = command.members ?? [:]
                    let key = members["uuid"]?.text ?? ""
                    let isEmpty = members["args"]?.members?["title"] == ""
                    statuses[key] = isEmpty ? ["error": "title is empty"] : "ok"
                    if let name = members["temp_id"]?.text { ids[name] = "77" }
                }
                let body = Value.object(["sync_status": .object(statuses), "temp_id_mapping": .object(ids)])
                return Response(status: 200, body: ResponseBody(body.json()))
            }
            // Creates and updates go apart.
            api.transport.expect("POST", "/v1/sync", answer, times: 2)
            api.transport.expect("GET", "/v1/tasks/77", .json(#"{"id":"77","title":"new"}"#))
            api.transport.expect("GET", "/v1/tasks/1", .json(#"{"id":"1","title":"A"}"#))
            let report = try await api.synchronizer.push()
            #expect(report.created == 1 && report.updated == 1, "\(report)")
            #expect(try await api.synchronizer.object(at: made)?.uri.id == "77")
            guard
                case .rejected(_, let failure)? = try await api.synchronizer
                    .object(at: ObjectURI(entity: "tasks", id: "2"))?.meta.outgoing?.phase
            else {
                Issue.record("not rejected")
                return
            }
            #expect("\(failure)".contains("title is empty"))
            let commands = try api.transport.requests.filter { $0.request.method == "POST" }
                .flatMap { try Value(json: $0.body).members?["commands"]?.array ?? [] }
            let keys = commands.compactMap { $0.members?["uuid"]?.string }
            #expect(commands.count == 3 && Set(keys).count == 3, "\(commands)")
        }
    }
#endif
