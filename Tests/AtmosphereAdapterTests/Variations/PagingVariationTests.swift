#if YAML
    import Atmosphere
    import AtmosphereTesting
    import Testing

    @Suite("Variations of paging") struct PagingVariationTests {
        private func page(_ range: ClosedRange<Int>) -> String {
            "[" + range.map { "{\"id\":\($0),\"title\":\"t\($0)\"}" }.joined(separator: ",") + "]"
        }

        private let all = ["t1", "t2", "t3", "t4", "t5"]

        @Test("the next page is the Link header's link with the relation next")
        func linkHeader() async throws {
            let api = try await Variation("resources: { todos: { pages: { kind: link-header } } }")
            let links = """
                <https://proxy.internal/v1/todos?page=1>; rel=first, </v1/todos?page=2,5>; title="a, \\"b\\""; rel="x next"
                """
            api.transport.expect("GET", "/v1/todos", .json(page(1...3), headers: ["Link": links]))
            api.transport.expect(
                "GET", "/v1/todos?page=2%2C5", .json(page(4...5), headers: ["Link": "<x?page=1>; rel=\"prev\""]))
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            try api.transport.check()
            #expect(try await api.titles() == all)
        }

        @Test("a Link header that cannot be read is no end of the list: it is told, and nothing counts as deleted")
        func unreadableLink() async throws {
            let api = try await Variation(
                "resources: { todos: { deletes: absent, read: null, version: none, pages: { kind: link-header } } }")
            let good: HeaderFields = ["Link": "</v1/todos?page=2>; rel=\"next\""]
            api.transport.expect("GET", "/v1/todos", .json(page(1...3), headers: good))
            api.transport.expect("GET", "/v1/todos?page=2", .json(page(4...5)))
            #expect(try await api.synchronizer.pull().isComplete)
            let bad: HeaderFields = ["Link": "</v1/todos?page=2; rel=\"next\""]
            api.transport.expect("GET", "/v1/todos", .json(page(1...3), headers: bad))
            let report = try await api.synchronizer.pull()
            #expect(!report.isComplete)
            let problem = report.entities["todos"]?.problem ?? "none"
            let told = "the header Link, where the link to the next page stands, cannot be read"
            #expect(problem.contains(told), "\(problem)")
            #expect(try await api.titles() == all)
        }

        @Test("the next page is a bare URL in a header, with a page size asked for")
        func bareHeader() async throws {
            let api = try await Variation(
                """
                pages: { kind: link-header, header: X-Next-Page, size: { parameter: per_page, value: 3 } }
                resources: { todos: }
                """)
            api.transport.expect(
                "GET", "/v1/todos?per_page=3",
                .json(page(1...3), headers: ["X-Next-Page": "https://api.example/v1/todos?per_page=3&after=3"]))
            api.transport.expect(
                "GET", "/v1/todos?per_page=3&after=3", .json(page(4...5), headers: ["X-Next-Page": ""]))
            #expect(try await api.synchronizer.pull().isComplete)
            try api.transport.check()
            #expect(try await api.titles() == all)
        }

        @Test("204 and null are a list of none where a list may lack its items, and else told with the remedy")
        func toldAsNone() async throws {
            let none: [ScriptedAnswer] = [.respond(204), .json("null")]
            let api = try await Variation("resources: { todos: { deletes: absent } }")
            api.transport.expect("GET", "/v1/todos", .json(page(1...2)))
            #expect(try await api.synchronizer.pull().isComplete)
            for answer in none {
                api.transport.expect("GET", "/v1/todos", answer)
                let problem = try await api.synchronizer.pull().entities["todos"]?.problem
                #expect(problem?.contains("write items: { path: $, optional: true }") == true, "\(problem ?? "none")")
                #expect(try await api.titles().count == 2)
            }
            let optional = try await Variation("resources: { todos: { items: { path: $, optional: true } } }")
            for answer in none {
                optional.transport.expect("GET", "/v1/todos", answer)
                let report = try await optional.synchronizer.pull()
                #expect(report.isComplete && report.entities["todos"]?.pages == 1, "\(report)")
            }
            try optional.transport.check()
        }

        @Test("a link that leads out of the base is refused, and nothing that was stored is lost")
        func foreignLink() async throws {
            let api = try await Variation("resources: { todos: { pages: { kind: link-header } } }")
            let link = "<https://elsewhere.example/other/todos?page=2>; rel=\"next\""
            api.transport.expect("GET", "/v1/todos", .json(page(1...3), headers: ["Link": link]))
            let report = try await api.synchronizer.pull()
            #expect(report.entities["todos"]?.problem?.contains("leads outside the base") == true, "\(report)")
        }

        @Test("a header that has now a page number and now the page’s URL is followed either way")
        func mixedHeader() async throws {
            let api = try await Variation(
                "resources: { todos: { pages: { kind: token, next: { header: X-Next-Page }, parameter: page } } }")
            api.transport.expect("GET", "/v1/todos", .json(page(1...2), headers: ["X-Next-Page": "2"]))
            api.transport.expect(
                "GET", "/v1/todos?page=2",
                .json(page(3...4), headers: ["X-Next-Page": "http://proxy.internal/v1/todos?page=3&per_page=2"]))
            // A URL that is no page of this list is a token like any other.
            api.transport.expect(
                "GET", "/v1/todos?page=3&per_page=2",
                .json(page(5...5), headers: ["X-Next-Page": "https://api.example/v1/lists?page=4"]))
            api.transport.expect(
                "GET", "/v1/todos?page=https%3A%2F%2Fapi.example%2Fv1%2Flists%3Fpage%3D4&per_page=2", .json("[]"))
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            try api.transport.check()
            #expect(try await api.titles() == all)
        }

        @Test("the list of a parent that is gone is forgotten, and asked for whole when the parent comes back")
        func forgottenList() async throws {
            let api = try await Variation(
                """
                resources:
                  lists: { deletes: absent }
                  docs:
                    path: "lists/{lists.id}/docs"
                    parent: { lists: list_id }
                    deletes: absent
                    since: { send: since, from: { field: at }, overlap: 0s }
                """)
            func pull(_ lists: String, _ answers: (String, String)...) async throws {
                api.transport.expect("GET", "/v1/lists", .json(lists))
                for (target, body) in answers {
                    api.transport.expect("GET", target, .json(body, status: body.isEmpty ? 404 : 200))
                }
                let report = try await api.synchronizer.pull()
                #expect(report.isComplete, "\(report)")
                try api.transport.check()
            }
            func scopes() async throws -> [String?] {
                try await api.synchronizer.store.read { try $0.cursors(entity: "docs").map(\.scope.parent) }
            }
            let doc = #"[{"id":7,"title":"t","at":"2026-01-01"}]"#
            try await pull(
                #"[{"id":1},{"id":2}]"#, ("/v1/lists/1/docs", doc),
                ("/v1/lists/2/docs", #"[{"id":8,"title":"u","at":"2026-01-02"}]"#))
            #expect(try await scopes().compactMap(\.self).sorted() == ["1", "2"])
            try await pull(
                #"[{"id":2}]"#, ("/v1/lists/1", ""), ("/v1/lists/2/docs?since=2026-01-02", "[]"),
                ("/v1/lists/1/docs/7", ""))
            #expect(try await api.titles("docs") == ["u"])
            #expect(try await scopes() == ["2"])
            try await pull(
                #"[{"id":1},{"id":2}]"#, ("/v1/lists/1/docs", doc), ("/v1/lists/2/docs?since=2026-01-02", "[]"))
            #expect(try await api.titles("docs").sorted() == ["t", "u"])
        }

        @Test("the token of the next page stands in a header")
        func tokenInHeader() async throws {
            let api = try await Variation(
                "resources: { todos: { pages: { kind: token, next: { header: X-Cursor }, parameter: cursor } } }")
            api.transport.expect("GET", "/v1/todos", .json(page(1...2), headers: ["X-Cursor": "a+b"]))
            api.transport.expect("GET", "/v1/todos?cursor=a%2Bb", .json(page(3...5)))
            #expect(try await api.synchronizer.pull().isComplete)
            try api.transport.check()
            #expect(try await api.titles() == all)
        }

        @Test(
            "page numbers end with the number of objects or of pages, in the body or in a header, and no page is asked for in vain",
            arguments: [
                "total: $.all", "total: { header: X-All }", "total-pages: $.pages", "total-pages: { header: X-Pages }"
            ])
        func totals(total: String) async throws {
            let api = try await Variation(
                """
                items: $.items
                pages: { kind: number, parameter: page, size: { parameter: n, value: 2 }, \(total) }
                resources: { todos: }
                """)
            for (number, range) in [(1, 1...2), (2, 3...4), (3, 5...5)] {
                api.transport.expect(
                    "GET", "/v1/todos?page=\(number)&n=2",
                    .json(
                        "{\"items\":\(page(range)),\"all\":5,\"pages\":\"3\"}",
                        headers: ["X-All": "5", "X-Pages": "3"]))
            }
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            try api.transport.check()
            #expect(try await api.titles() == all)
        }

        @Test("offsets end with a total in a header")
        func offsets() async throws {
            let api = try await Variation(
                """
                pages: { kind: offset, parameter: skip, size: { parameter: take, value: 3 }, total: { header: X-Total } }
                resources: { todos: }
                """)
            api.transport.expect("GET", "/v1/todos?skip=0&take=3", .json(page(1...3), headers: ["X-Total": "5"]))
            api.transport.expect("GET", "/v1/todos?skip=2&take=3", .json(page(3...5), headers: ["X-Total": "5"]))
            #expect(try await api.synchronizer.pull().isComplete)
            try api.transport.check()
            #expect(try await api.titles() == all)
        }

        @Test(
            "a page past the end that answers 400 or 404 ends the listing when that is declared",
            arguments: [(400, "end-status: 400"), (400, "end-status: [400, 404]"), (404, ""), (410, "")])
        func endStatus(status: Int, declared: String) async throws {
            let api = try await Variation(
                "resources: { todos: { pages: { kind: number, parameter: page, \(declared) } } }")
            api.transport.expect("GET", "/v1/todos?page=1", .json(page(1...5)))
            api.transport.expect("GET", "/v1/todos?page=2", .json(#"{"error":"no such page"}"#, status: status))
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            #expect(try await api.titles() == all)
        }

        @Test("another refusal of a later page is an error, as is any refusal of the first")
        func undeclared() async throws {
            let later = try await Variation("resources: { todos: { pages: { kind: number, parameter: page } } }")
            later.transport.expect("GET", "/v1/todos?page=1", .json(page(1...5)))
            later.transport.expect("GET", "/v1/todos?page=2", .json("{}", status: 400))
            #expect(try await later.synchronizer.pull().entities["todos"]?.problem?.contains("(400)") == true)
            let first = try await Variation(
                "resources: { todos: { pages: { kind: number, parameter: page, end-status: 400 } } }")
            first.transport.expect("GET", "/v1/todos?page=1", .json("{}", status: 400))
            #expect(try await first.synchronizer.pull().isComplete == false)
        }

        @Test("extra parameters stand on full or on incremental pulls only")
        func queries() async throws {
            let api = try await Variation(
                """
                resources:
                  todos:
                    query: { fields: all }
                    since:
                      send: since
                      from: { field: updated }
                      query: { deleted: true }
                      full-query: { state: any }
                    deletes: { field: deleted }
                """)
            api.transport.expect(
                "GET", "/v1/todos?fields=all&state=any", .json(#"[{"id":1,"title":"t1","updated":"5"}]"#))
            #expect(try await api.synchronizer.pull().isComplete)
            api.transport.expect(
                "GET", "/v1/todos?fields=all&deleted=true&since=5", .json(#"[{"id":1,"deleted":true,"updated":"6"}]"#))
            #expect(try await api.synchronizer.pull().entities["todos"]?.deleted == 1)
            try api.transport.check()
        }

        @Test("parents several levels deep are listed from the outermost in, and each path names them all")
        func parents() async throws {
            let api = try await Variation(
                """
                resources:
                  todos:
                    path: firms/{firms.id}/teams/{teams.id}/boards/{boards.id}/todos
                    parent: { firms: firm, teams: team, boards: board }
                  boards:
                    path: firms/{firms.id}/teams/{teams.id}/boards
                    parent: { firms: firm, teams: team }
                  teams: { path: "firms/{firms.id}/teams", parent: { firms: firm } }
                  firms:
                """)
            api.transport.expect("GET", "/v1/firms", .json(#"[{"id":1},{"id":2}]"#))
            api.transport.expect("GET", "/v1/firms/1/teams", .json(#"[{"id":11}]"#))
            api.transport.expect("GET", "/v1/firms/2/teams", .json("[]"))
            api.transport.expect("GET", "/v1/firms/1/teams/11/boards", .json(#"[{"id":111},{"id":112}]"#))
            api.transport.expect("GET", "/v1/firms/1/teams/11/boards/111/todos", .json(#"[{"id":7,"title":"a"}]"#))
            api.transport.expect("GET", "/v1/firms/1/teams/11/boards/112/todos", .json("[]"))
            #expect(try await api.synchronizer.pull().isComplete)
            let record = try await api.synchronizer.record(at: ObjectURI(entity: "todos", id: "7"))
            #expect(record?["firm"] == 1 && record?["team"] == 11 && record?["board"] == 111)
            // A new todo names its parents, or has them from a board that was made here as well.
            let board = try await api.synchronizer.save(["firm": 1, "team": 11, "title": "b"], as: "boards")
            try await api.synchronizer.save(
                ["firm": 1, "team": 11, "board": .string(board.id), "title": "c"], as: "todos")
            api.transport.expect("POST", "/v1/firms/1/teams/11/boards", .json(#"{"id":113,"title":"b"}"#, status: 201))
            api.transport.expect(
                "POST", "/v1/firms/1/teams/11/boards/113/todos", .json(#"{"id":8,"title":"c"}"#, status: 201))
            let push = try await api.synchronizer.push()
            #expect(push.created == 2, "\(push)")
            try api.transport.check()
            #expect(api.sent.last == #"POST /firms/1/teams/11/boards/113/todos {"title":"c"}"#)
        }

        @Test("identifiers that are unique per parent only, three levels deep, never meet")
        func perParent() async throws {
            let api = try await Variation(
                """
                ids: per-parent
                resources:
                  firms: { ids: global }
                  teams: { path: "firms/{firms.id}/teams", parent: { firms: firm } }
                  todos:
                    path: firms/{firms.id}/teams/{teams.id}/todos
                    parent: { firms: firm, teams: team }
                """)
            api.transport.expect("GET", "/v1/firms", .json(#"[{"id":1},{"id":2}]"#))
            for firm in 1...2 {
                api.transport.expect("GET", "/v1/firms/\(firm)/teams", .json(#"[{"id":1}]"#))
                api.transport.expect(
                    "GET", "/v1/firms/\(firm)/teams/1/todos", .json("[{\"id\":1,\"title\":\"of \(firm)\"}]"))
            }
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete, "\(report)")
            #expect(try await api.titles() == ["of 1", "of 2"])
            api.transport.expect("GET", "/v1/firms/2/teams/1/todos/1", .json(#"{"id":1,"title":"of 2"}"#))
            api.transport.expect("PUT", "/v1/firms/2/teams/1/todos/1", .json(#"{"id":1,"title":"new"}"#))
            try await api.synchronizer.edit(ObjectURI(entity: "todos", id: "2/1/1"), setting: [("title", "new")])
            let push = try await api.synchronizer.push()
            #expect(push.updated == 1, "\(push)")
            #expect(try await api.titles() == ["of 1", "new"])
        }

        @Test("what is left to list is a number as well as a flag", arguments: ["2", "\"2\"", "true", "\"yes\""])
        func countOfMore(left: String) async throws {
            let pages = "{ kind: token, next: $.last, parameter: since, more: $.left }"
            let api = try await Variation("resources: { todos: { items: $.rows, pages: \(pages) } }")
            api.transport.expect("GET", "/v1/todos", .json("{\"rows\":\(page(1...3)),\"last\":\"3\",\"left\":\(left)}"))
            api.transport.expect(
                "GET", "/v1/todos?since=3", .json("{\"rows\":\(page(4...5)),\"last\":\"5\",\"left\":0}"))
            let report = try await api.synchronizer.pull()
            #expect(report.isComplete && report.entities["todos"]?.warnings.isEmpty == true, "\(report)")
            try api.transport.check()
            #expect(try await api.titles() == all)
        }

        @Test(
            "where no page has a flag, what is named is followed to an empty page, to itself, or to one that is not full"
        )
        func missingFlag() async throws {
            let ends = [(5, nil), (6, #"{"rows":[],"last":"9"}"#), (6, "{\"rows\":\(page(7...9)),\"last\":\"7\"}")]
            for (last, third) in ends {
                let api = try await Variation(
                    """
                    pages: { kind: token, next: $.last, parameter: since, more: $.meta.left, size: { parameter: n, value: 3 } }
                    resources: { todos: { items: $.rows, deletes: absent } }
                    """)
                api.transport.expect("GET", "/v1/todos?n=3", .json("{\"rows\":\(page(1...3)),\"last\":\"3\"}"))
                api.transport.expect(
                    "GET", "/v1/todos?n=3&since=3", .json("{\"rows\":\(page(4...last)),\"last\":\"7\"}"))
                if let third { api.transport.expect("GET", "/v1/todos?n=3&since=7", .json(third)) }
                let report = try await api.synchronizer.pull()
                #expect(report.isComplete && report.entities["todos"]?.warnings.isEmpty == true, "\(report)")
                try api.transport.check()
            }
        }

        @Test("a flag that is written only where it is true ends the listing where it is missing")
        func flagOnlyWhereTrue() async throws {
            let pages = "{ kind: token, next: $.last, parameter: since, more: $.left }"
            let api = try await Variation("resources: { todos: { items: $.rows, pages: \(pages) } }")
            api.transport.expect("GET", "/v1/todos", .json("{\"rows\":\(page(1...3)),\"last\":\"3\",\"left\":true}"))
            api.transport.expect("GET", "/v1/todos?since=3", .json("{\"rows\":\(page(4...5)),\"last\":\"5\"}"))
            #expect(try await api.synchronizer.pull().isComplete)
            try api.transport.check()
            #expect(try await api.titles() == all)
        }

        @Test("without the flag numbers go on to an empty page")
        func missingFlagOfNumbers() async throws {
            let api = try await Variation(
                "resources: { todos: { items: $.rows, pages: { kind: number, parameter: p, more: $.left } } }")
            api.transport.expect("GET", "/v1/todos?p=1", .json("{\"rows\":\(page(1...3))}"))
            api.transport.expect("GET", "/v1/todos?p=2", .json("{\"rows\":\(page(4...5))}"))
            api.transport.expect("GET", "/v1/todos?p=3", .json("{\"rows\":[]}"))
            #expect(try await api.synchronizer.pull().isComplete)
            #expect(try await api.titles() == all)
        }
    }
#endif
