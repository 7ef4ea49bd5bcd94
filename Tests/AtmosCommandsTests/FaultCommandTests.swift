#if Command
    import Atmosphere
    import Foundation
    import Testing

    @Suite("sync against a source with faults", .timeLimit(.minutes(5))) struct FaultCommandTests {
        private static let plan = """
            seed: %
            rate: 0.35
            most: 40
            delay: 5ms
            retry-after: 0
            rules:
              - { fault: drop-after, method: POST, path: tasks, nth: 1 }
              - { fault: duplicate, method: POST, path: tasks, nth: 3 }
              - { fault: truncate, method: POST, path: tasks, nth: 4 }

            """

        @Test("comes to an end where all agree, with nothing doubled", arguments: [3, 11])
        func converges(seed: Int) async throws {
            let workspace = try Workspace()
            let keys = "\(TestAPI.uniqueLookUp)\n    deletes: absent"
            try workspace.write(Self.plan.replacing("%", with: "\(seed)"), to: "plan.yaml")
            try workspace.write(TestAPI.routeFile(base: "http://127.0.0.1:1/api", tasks: keys), to: "atmosphere.yaml")
            let served = try ServedCommand(["--seed", "4", "--faults", "plan.yaml", "--json"], in: workspace)
            try workspace.write(TestAPI.routeFile(base: served.url, tasks: keys), to: "first.yaml")
            try workspace.write(TestAPI.routeFile(base: served.url, tasks: keys), to: "second.yaml")

            try await workspace.synchronize("first.yaml")
            for number in 1...6 {
                let create = try await workspace.atmos(
                    "create", "tasks", "title=New \(number)", "list:=1", "-c", "first.yaml")
                #expect(create.status == 0, "\(create)")
            }
            #expect(try await workspace.atmos("edit", "tasks/1", "title=Edited", "-c", "first.yaml").status == 0)
            #expect(try await workspace.atmos("delete", "tasks/2", "-c", "first.yaml").status == 0)
            try await workspace.synchronize("first.yaml")
            try await workspace.synchronize("second.yaml")
            let titles = try await workspace.titles("first.yaml")
            #expect(titles == ["Edited"] + (1...6).map { "New \($0)" } + ["Task 3", "Task 4"])
            #expect(try await workspace.titles("second.yaml") == titles)

            let lines = try await served.end()
            try JSONShape.hold([served.firstLine] + lines, to: "source")
            let values = try lines.map { try Value(json: Array($0.utf8)) }
            let summary = try #require(values.last?.members?["summary"]?.members)
            #expect(summary["duplicates"] == [], "\(summary)")
            #expect(summary["created"] == 6, "\(summary)")
            let faults = values.compactMap { $0.members?["fault"]?.string }
            #expect(Set(["drop-after", "duplicate", "truncate"]).isSubset(of: faults), "\(faults)")
            #expect(summary["requests"] == .number(JSONNumber(values.count - 1)))
        }

        @Test("prints each request with its fault, and counts what was created twice")
        func log() async throws {
            let workspace = try TestAPI.offline()
            try workspace.write("rules:\n  - { fault: duplicate, method: POST }\n", to: "plan.yaml")
            let served = try ServedCommand(["--faults", "plan.yaml"], in: workspace)
            try workspace.write(TestAPI.routeFile(base: served.url), to: "client.yaml")
            #expect(
                try await workspace.atmos("create", "lists", "title=Shopping", "--now", "-c", "client.yaml").status == 0
            )
            #expect(try await workspace.atmos("request", "GET", "lists/", "-c", "client.yaml").status == 0)
            #expect(
                try await served.end() == [
                    "POST /api/lists/ 201 (duplicate)", "GET /api/lists/ 200",
                    "2 requests, 2 processed, 1 with a fault: duplicate 1", "2 created, 1 more than once",
                    "created more than once: lists 1, 2"
                ])
        }
    }
#endif
