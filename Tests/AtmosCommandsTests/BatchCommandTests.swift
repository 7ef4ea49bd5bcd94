#if Command
    import Atmosphere
    import AtmosphereSource
    import Testing

    @Suite("Batches from the command line", .timeLimit(.minutes(5))) struct BatchCommandTests {
        private static let batch = """
            \(TestAPI.lookup)
                batch:
                  post: tasks/batch
                  size: 2
                  items: items
                  create: { set: { op: create }, body: task }
                  update: { set: { op: update }, body: task, id: id }
                  delete: { set: { op: delete }, id: id }
                  results: { path: results, status: status, body: body }
            """

        private func titles(_ source: RESTSource) -> [String] {
            source.objects("tasks").map { $0["title"]?.text ?? "" }.sorted()
        }

        @Test("diff shows the requests, push sends them, and a refused one is told")
        func push() async throws {
            try await TestAPI.serving(tasks: Self.batch) { (source, workspace) async throws in
                try await workspace.atmos("pull", "--quiet")
                for title in ["a", " ", "c"] {
                    #expect(try await workspace.atmos("create", "tasks", "list=1", "title=\(title)").status == 0)
                }
                let diff = try await workspace.atmos("diff", "tasks").output
                #expect(diff.contains("POST ") && diff.contains("/tasks/batch\n  in a batch: 2 of 2\n"), "\(diff)")
                #expect(diff.contains("in a batch: 1 of 1"), "\(diff)")
                let push = try await workspace.atmos("push")
                #expect(push.status == 3, "\(push)")
                #expect(titles(source) == ["a", "c"])
                let posts = source.log.filter { $0.method == "POST" }.map(\.path)
                #expect(posts == ["/api/tasks/batch", "/api/tasks/batch"])
                #expect(try await workspace.atmos("rejected").output.contains("This field may not be blank."))
                #expect(try await workspace.atmos("edit", "tasks/1", "title=new").status == 0)
                #expect(try await workspace.atmos("delete", "tasks/2").status == 0)
                #expect(try await workspace.atmos("push").status == 3)
                #expect(titles(source) == ["new"])
            }
        }

        @Test("a lost answer makes nothing twice")
        func lost() async throws {
            try await TestAPI.serving(tasks: Self.batch) { (source, workspace) async throws in
                try await workspace.atmos("pull", "--quiet")
                for title in ["a", "b"] { try await workspace.atmos("create", "tasks", "list=1", "title=\(title)") }
                source.intercept = { $0.path.hasSuffix("/batch") ? .processThenClose : nil }
                // With one attempt the look-up is left to the next push.
                #expect(try await workspace.atmos("push").status != 0)
                let push = try await workspace.atmos("push")
                #expect(push.status == 0, "\(push)")
                #expect(titles(source) == ["a", "b"])
                #expect(source.log.count { $0.method == "POST" } == 1)
            }
        }
    }
#endif
