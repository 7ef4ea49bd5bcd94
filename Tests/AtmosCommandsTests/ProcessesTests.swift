#if Command
    import Atmosphere
    import Foundation
    import Testing

    /// Terminals, cron and a watch at the same time: real processes on one store.
    @Suite("Several processes on one store", .timeLimit(.minutes(5))) struct ProcessesTests {
        private static let plan = """
            seed: 7
            rate: 0.15
            most: 40
            delay: 5ms
            retry-after: 0

            """

        @Test(
            "what each was told is kept is on the server once, whatever the others did meanwhile",
            arguments: ["sqlite", "json-file"])
        func together(_ kind: String) async throws {
            let workspace = try Workspace()
            let keys = "\(TestAPI.uniqueLookUp)\n    deletes: absent"
            let top = "store: { kind: \(kind), path: shared.db }"
            try workspace.write(Self.plan, to: "plan.yaml")
            try workspace.write(TestAPI.routeFile(base: "http://127.0.0.1:1/api", tasks: keys), to: "atmosphere.yaml")
            let served = try ServedCommand(["--seed", "4", "--faults", "plan.yaml", "--json"], in: workspace)
            try workspace.write(TestAPI.routeFile(base: served.url, tasks: keys, top: top), to: "shared.yaml")
            try workspace.write(TestAPI.routeFile(base: served.url, tasks: keys), to: "other.yaml")
            try await workspace.synchronize("shared.yaml")

            let watch = try workspace.start(["sync", "--watch", "--interval", "1s", "-c", "shared.yaml"])
            let kept = try await withThrowingTaskGroup(of: [String].self) { group in
                for terminal in 1...3 { group.addTask { try await Self.work(workspace, terminal) } }
                group.addTask { try await Self.overlap(workspace) }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            watch.terminate()
            let watched = try await watch.end()
            try Self.check(watched)

            try await workspace.synchronize("shared.yaml")
            try await workspace.synchronize("other.yaml")
            let titles = try await workspace.titles("other.yaml")
            #expect(kept.count == 15, "\(kept)")
            for title in kept { #expect(titles.filter { $0 == title }.count == 1, "“\(title)” in \(titles)") }
            #expect(try await workspace.titles("shared.yaml") == titles)
            let values = try await served.end().map { try Value(json: Array($0.utf8)) }
            let summary = try #require(values.last?.members?["summary"]?.members)
            #expect(summary["duplicates"] == [], "\(summary)")
        }

        @Test("first commands at once on a new store all find one", arguments: ["sqlite", "json-file"])
        func first(_ kind: String) async throws {
            for round in 1...4 {
                let workspace = try Workspace()
                let top = "store: { kind: \(kind), path: shared.db }"
                try workspace.write(
                    TestAPI.routeFile(base: "http://127.0.0.1:1/api", top: top), to: "atmosphere.yaml")
                try await withThrowingTaskGroup(of: Workspace.Run.self) { group in
                    for _ in 1...12 { group.addTask { try await workspace.atmos("status") } }
                    for try await run in group { #expect(run.status == 0, "round \(round): \(run)") }
                }
            }
        }

        /// Creates, edits what was created, and pushes.
        ///
        /// - Returns: the titles that were acknowledged last.
        private static func work(_ workspace: Workspace, _ terminal: Int) async throws -> [String] {
            var kept: [String] = []
            for number in 1...5 {
                let title = "\(terminal).\(number)"
                let create = try await workspace.atmos(
                    "create", "tasks", "title=\(title)", "list:=1", "-c", "shared.yaml")
                try check(create)
                guard create.status == 0 else { continue }
                try check(await workspace.atmos("push", "-c", "shared.yaml"))
                let edit = try await workspace.atmos(
                    "edit", create.lines[0], "title=\(title) edited", "-c", "shared.yaml")
                try check(edit)
                kept.append(edit.status == 0 ? "\(title) edited" : title)
            }
            return kept
        }

        /// What cron starts while the last run still goes on.
        private static func overlap(_ workspace: Workspace) async throws -> [String] {
            for _ in 1...6 {
                async let first = workspace.atmos("sync", "-c", "shared.yaml")
                async let second = workspace.atmos("pull", "--full", "-c", "shared.yaml")
                try await check(first)
                try await check(second)
            }
            return []
        }

        /// Done, or refused with a reason that a person understands.
        private static func check(_ run: Workspace.Run) throws {
            #expect((0...4).contains(run.status), "\(run)")
            for word in ["SQLite", "database", "Fatal", "malformed"] { #expect(!run.errors.contains(word), "\(run)") }
            if run.status == 1 { #expect(!run.errors.isEmpty || !run.output.isEmpty, "\(run)") }
        }
    }
#endif
