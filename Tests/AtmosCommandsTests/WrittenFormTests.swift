#if Command
    import Atmosphere
    import AtmosphereSource
    import Testing

    @Suite("How values from the command line are written", .timeLimit(.minutes(5))) struct WrittenFormTests {
        private func body(_ workspace: Workspace, _ uri: String) async throws -> Value? {
            let run = try await workspace.atmos("diff", uri, "--json")
            let request = try Value(json: Array(run.output.utf8)).members?["requests"]?.array?.first
            return request?.members?["body"]
        }

        @Test("a decimal is a number where the server shows numbers, and a string where it shows strings")
        func decimals() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                let tenth = try Value(json: Array("0.10".utf8))
                try source.add("tasks", ["title": "Milk", "list": 1, "price": tenth])
                try source.add("tasks", ["title": "Bread", "list": 1, "price": "0.30"])
                try source.add("tasks", ["title": "Eggs", "list": 1])
                try await workspace.atmos("pull", "--quiet")
                try await workspace.atmos("edit", "tasks/1", "price=2.00")
                #expect(try await body(workspace, "tasks/1")?.members?["price"]?.number?.lexeme == "2.00")
                try await workspace.atmos("edit", "tasks/2", "price=2.00")
                #expect(try await body(workspace, "tasks/2")?.members?["price"] == "2.00")
                // Where the object shows nothing, and for a new one, others of its kind do.
                try await workspace.atmos("edit", "tasks/3", "price=3.50")
                #expect(try await body(workspace, "tasks/3")?.members?["price"]?.number?.lexeme == "3.50")
                let new = try await workspace.atmos("create", "tasks", "title=Salt", "list=1", "price=1.10").lines[0]
                let sent = try await body(workspace, new)
                #expect(sent?.members?["price"]?.number?.lexeme == "1.10" && sent?.members?["list"] == 1)
            }
        }

        @Test("a reference to an object that is not here is a number where the others are")
        func references() async throws {
            let routes = "references: { owner: people }\n  people: { list: null }"
            try await TestAPI.serving(tasks: routes) { (source, workspace) async throws in
                for name in ["Ann", "Bob"] { try source.add("people", ["title": .string(name)]) }
                try source.add("tasks", ["title": "Milk", "list": 1, "owner": 1, "size": 3])
                try await workspace.atmos("pull", "--quiet")
                let new = try await workspace.atmos("create", "tasks", "title=Salt", "list=1", "owner=2")
                #expect(new.status == 0 && new.errors == "", "\(new)")
                #expect(try await body(workspace, new.lines[0])?.members?["owner"] == 2)
                // Nothing says that this is more than a text.
                let other = try await workspace.atmos("create", "tasks", "title=Salt", "list=1", "size=4")
                #expect(other.errors.contains("“size” is a number so far, and is sent as the text “4” now"), "\(other)")
                #expect(try await body(workspace, other.lines[0])?.members?["size"] == "4")
            }
        }

        @Test("an edit that writes the same number otherwise is sent, and one that changes nothing is told")
        func spelling() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1, "price": "1.50"])
                try await workspace.atmos("pull", "--quiet")
                #expect(
                    try await workspace.atmos("edit", "tasks/1", "price=1.50")
                        == .init(0, "tasks/1\n", errors: "atmos: tasks/1 says that already, so nothing was changed\n"))
                #expect(try await workspace.atmos("diff") == .init(0, "nothing to send\n"))
                #expect(try await workspace.atmos("edit", "tasks/1", "price=1.5") == .init(0, "tasks/1\n"))
                let diff = try await workspace.atmos("diff")
                #expect(diff.lines.contains(#"  - price: "1.50""#) && diff.lines.contains(#"  + price: "1.5""#))
                #expect(try await workspace.atmos("push").output == "pushed: 0 created, 1 updated, 0 deleted\n")
                #expect(source.objects("tasks").first?.members["price"] == "1.5")
                #expect(try await workspace.atmos("diff") == .init(0, "nothing to send\n"))
                // Another’s change of the value goes before.
                try await workspace.atmos("edit", "tasks/1", "price=1.500")
                try source.edit("tasks", "1", ["price": "2.00"])
                #expect(try await workspace.atmos("sync", "--quiet").status == 0)
                #expect(source.objects("tasks").first?.members["price"] == "2.00")
                #expect(try await workspace.atmos("diff") == .init(0, "nothing to send\n"))
            }
        }

        @Test("only the identifier that the address repeats is left out of a list")
        func columns() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                for title in ["Milk", "Bread"] { try source.add("tasks", ["title": .string(title), "list": 1]) }
                try source.edit("tasks", "1", ["rank": 1])
                try source.edit("tasks", "2", ["rank": 2])
                try await workspace.atmos("pull", "--quiet")
                let list = try await workspace.atmos("list", "tasks")
                #expect(list.lines[0].split(separator: " ").contains("RANK"), "\(list)")
                #expect(!list.lines[0].split(separator: " ").contains("ID"), "\(list)")
            }
        }

        @Test("diff shows what the body of a delete says")
        func deleteWithBody() async throws {
            let trash = "version: none\n    delete: { method: PATCH, set: { trashed: true }, with: [title] }"
            try await TestAPI.serving(tasks: trash) { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1, "trashed": false])
                try await workspace.atmos("pull", "--quiet")
                try await workspace.atmos("delete", "tasks/1")
                let diff = try await workspace.atmos("diff")
                for line in ["  - trashed: false", "  + trashed: true", #"  + title: "Milk""#] {
                    #expect(diff.lines.contains(line), "\(line) in \(diff)")
                }
                let json = try await workspace.atmos("diff", "--json")
                #expect(json.output.contains(#"{"field":"trashed","from":false,"to":true}"#), "\(json)")
            }
        }
    }
#endif
