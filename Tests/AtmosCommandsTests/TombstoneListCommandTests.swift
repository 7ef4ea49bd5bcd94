#if Command
    import Atmosphere
    import AtmosphereSource
    import Testing

    @Suite("A list of what was deleted, at the command line", .timeLimit(.minutes(5)))
    struct TombstoneListCommandTests {
        private static let tasks = """
            since: { send: modified_since, from: { field: modified } }
                deletes:
                  list:
                    path: deleted-tasks/
                    items: $.deleted
                    pages: { kind: number, parameter: page, size: { parameter: per, value: 2 } }
                    since: { send: since, from: { field: deleted_at }, expires: P30D }
            """

        @Test("pulls remove what it says, and ask a person about what was edited here")
        func pull() async throws {
            try await TestAPI.serving(tasks: Self.tasks) { source, workspace in
                var ids: [String] = []
                for number in 1...7 { ids.append(try source.add("tasks", ["list": 1, "title": .string("\(number)")])) }
                let validate = try await workspace.atmos("validate")
                #expect(validate.status == 0, "\(validate)")
                let explain = try await workspace.atmos("explain", "tasks")
                #expect(explain.output.contains("deletes.list.path") && explain.output.contains("deleted-tasks/"))
                let first = try await workspace.atmos("pull")
                #expect(first.status == 0, "\(first)")
                for id in ids.prefix(3) { try source.remove("tasks", id) }
                source.clearLog()
                let second = try await workspace.atmos("pull", "--json")
                #expect(second.status == 0, "\(second)")
                let report = try Value(json: Array(second.output.utf8))
                #expect(try JSONPath("entities.tasks.deleted").first(in: report) == 3, "\(second)")
                #expect(try await workspace.titles("atmosphere.yaml") == ["4", "5", "6", "7"])
                let asked = source.log.filter { $0.path == "/api/deleted-tasks/" }
                #expect(asked.count >= 2, "two stand on a page")

                let edit = try await workspace.atmos("edit", "tasks/\(ids[3])", "title=mine")
                #expect(edit.status == 0, "\(edit)")
                try source.remove("tasks", ids[3])
                try source.remove("tasks", ids[4])
                let third = try await workspace.atmos("pull")
                #expect(third.status == 0, "\(third)")
                let conflicts = try await workspace.atmos("conflicts")
                #expect(conflicts.output.contains("tasks/\(ids[3])"), "\(conflicts)")
                let theirs = try await workspace.atmos("resolve", "tasks/\(ids[3])", "--theirs")
                #expect(theirs.status == 0, "\(theirs)")
                #expect(try await workspace.titles("atmosphere.yaml") == ["6", "7"])
                let check = try await workspace.atmos("check")
                #expect(!check.output.contains("tasks: an object deleted on the server stays here"), "\(check)")
                #expect(!check.output.contains("deletes.list"), "\(check)")
            }
        }
    }
#endif
