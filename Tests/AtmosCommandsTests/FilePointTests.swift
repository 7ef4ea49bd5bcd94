#if Command
    import Atmosphere
    import AtmosphereSource
    import Foundation
    import Synchronization
    import Testing

    /// The built command, ended by SIGKILL at every change of a file of its store, and with a device that is full, broken
    /// or read-only from some point on.
    @Suite(
        "a command that ends, or meets a broken device, at any change of a file of its store", .serialized,
        .enabled(if: FilePoints.isAvailable, "no C compiler here, or not Linux"), .timeLimit(.minutes(15)))
    struct FilePointTests {
        private static let stores = ["json-file", "sqlite"]

        private static func top(_ store: String) -> String { "store: { kind: \(store), path: data }" }

        /// Every point of each command, where the environment asks for it.
        private static let takesAll = ProcessInfo.processInfo.environment["ATMOSPHERE_ALL_POINTS"] == "1"

        /// At most so many points of each command, evenly.
        private static func points(_ count: Int, upTo limit: Int) -> [Int] {
            takesAll || count <= limit
                ? Array(1...max(1, count)) : (0..<limit).map { 1 + $0 * (count - 1) / (limit - 1) }
        }

        /// What the user was told.
        private final class Promises: Sendable {
            struct State {
                var saved: Set<String> = []
                var unanswered: Set<String> = []
                var points: [String: Int] = [:]
            }

            let state = Mutex(State())
            /// A journal that was not flushed, with a hole in it, is told as damage, though nothing acknowledged was there.
            let mayFindDamage: Bool

            init(_ fault: FilePoints.Fault) { mayFindDamage = fault == .mix }

            func note(_ outcome: FilePoints.Outcome) {
                if outcome.isKilled, let point = outcome.point {
                    state.withLock { $0.points[point, default: 0] += 1 }
                }
                note(outcome.run)
            }

            func note(_ run: Workspace.Run) {
                #expect(mayFindDamage || !run.errors.contains("damaged"), "\(run)")
            }

            func create(_ title: String, _ outcome: FilePoints.Outcome) {
                note(outcome)
                _ = state.withLock {
                    if outcome.run.output.hasPrefix("tasks/") {
                        $0.saved.insert(title)
                    } else {
                        $0.unanswered.insert(title)
                    }
                }
            }
        }

        @Test(
            "loses nothing that was acknowledged and doubles nothing: save, edit, push with new identifiers, pull",
            arguments: stores, [FilePoints.Fault.kill, .tear, .power, .mix])
        func kills(_ store: String, _ fault: FilePoints.Fault) async throws {
            try await TestAPI.serving(tasks: TestAPI.uniqueLookUp, top: Self.top(store)) {
                (source, workspace) async throws in
                let promises = Promises(fault)
                // Half as many where the place in a write matters beside the call.
                let part = Self.takesAll || [.kill, .power].contains(fault) ? 1 : 2
                let points = FilePoints(workspace: workspace, folder: "data")
                func create(_ title: String) -> [String] { ["create", "tasks", "title=\(title)", "list=1", "rank=0"] }

                // Also the making of the store itself.
                for point in stride(from: 1, through: 60, by: store == "sqlite" && !Self.takesAll ? 3 * part : part) {
                    let title = "first \(point)"
                    let outcome = try await points.run(create(title), fault, at: point)
                    promises.create(title, outcome)
                    if !outcome.isKilled { break }
                }
                let count = try await points.count(create("counted"))
                promises.state.withLock { _ = $0.saved.insert("counted") }
                for point in Self.points(count, upTo: 20 / part) {
                    let title = "save \(point)"
                    promises.create(title, try await points.run(create(title), fault, at: point))
                }

                try source.add("tasks", ["title": "edited", "list": 1, "rank": 0])
                let id = try #require(source.objects("tasks").last?["id"]?.text)
                #expect(try await workspace.atmos("pull").status == 0)
                let edits = try await points.count(["edit", "tasks/\(id)", "rank=1"])
                for point in Self.points(edits, upTo: 12 / part) {
                    promises.note(try await points.run(["edit", "tasks/\(id)", "rank=\(point + 1)"], fault, at: point))
                    let record = try await workspace.atmos("get", "tasks/\(id)", "--json")
                    let rank = try Value(json: Array(record.output.utf8)).members?["rank"]?.number?.int64 ?? -1
                    #expect(rank == point + 1 || rank <= point, "\(record)")
                }

                // Each finds something to send, some of it new, so that identifiers change.
                let rounds = Self.takesAll ? 100 : 20 / part
                let ids = try (0..<rounds).map { number in
                    try source.add("tasks", ["title": .string("editable \(number)"), "list": 1])
                }
                #expect(try await workspace.atmos("pull").status == 0)
                for (round, id) in ids.enumerated() {
                    #expect(try await workspace.start(create("push \(round)")).end().status == 0)
                    promises.state.withLock { _ = $0.saved.insert("push \(round)") }
                    let edit = try await workspace.atmos("edit", "tasks/\(id)", "rank=\(100 + round)")
                    #expect(edit.status == 0, "\(edit)")
                    let outcome = try await points.run(["push"], fault, at: 1 + round * 100 / rounds)
                    promises.note(outcome)
                    if !outcome.isKilled { break }
                }
                #expect(try await workspace.atmos("push").status == 0)

                let pulls = try await points.count(["pull", "--full"])
                for (round, point) in Self.points(pulls + 6, upTo: 15 / part).enumerated() {
                    try source.add("tasks", ["title": .string("pulled \(round)"), "list": 1])
                    try source.edit("tasks", id, ["weight": .number(JSONNumber(round))])
                    promises.note(try await points.run(["pull", "--full"], fault, at: point))
                }
                try await check(source, workspace, promises, "\(store), \(fault.testDescription)")
            }
        }

        private func check(
            _ source: RESTSource, _ workspace: Workspace, _ kept: Promises, _ name: String
        ) async throws {
            let promises = kept.state.withLock { $0 }
            for command in [["push"], ["pull", "--full"]] {
                let run = try await workspace.start(command).end()
                #expect(run.status == 0, "\(run)")
                kept.note(run)
            }
            let there = source.objects("tasks")
            let titles = there.compactMap { $0["title"]?.string }
            for title in promises.saved { #expect(titles.count { $0 == title } == 1, "\(title)") }
            for title in promises.unanswered { #expect(titles.count { $0 == title } <= 1, "\(title)") }
            let list = try await workspace.atmos("list", "tasks", "--json")
            let here = try #require(try Value(json: Array(list.output.utf8)).array).compactMap(\.members)
            #expect(here.count == there.count)
            let byID = Dictionary(there.map { ($0["id"], $0.members) }, uniquingKeysWith: { first, _ in first })
            for record in here { #expect(record == byID[record["id"]], "\(record)") }
            let kills = promises.points.values.reduce(0, +)
            #expect(kills >= 25, "\(promises.points)")
            let places = promises.points.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            print("\(name): killed \(kills) times, at \(places.joined(separator: ", "))")
        }

        @Test(
            "says so with the file, the reason and the remedy, and keeps what was there", arguments: stores,
            [FilePoints.Fault.error(ENOSPC), .error(EIO)])
        func brokenDevice(_ store: String, _ fault: FilePoints.Fault) async throws {
            let workspace = try TestAPI.offline()
            let routeFile = try workspace.read("atmosphere.yaml")
            try workspace.write(
                routeFile.replacing("limits:", with: "\(Self.top(store))\nlimits:"), to: "atmosphere.yaml")
            let points = FilePoints(workspace: workspace, folder: "data")
            #expect(try await workspace.atmos("create", "lists", "title=Home").status == 0)
            let count = try await points.count(["create", "lists", "title=counted"])
            var saved = ["Home", "counted"]
            var refused = 0
            for point in Self.points(count, upTo: 20) {
                let title = "save \(point)"
                let outcome = try await points.run(["create", "lists", "title=\(title)"], fault, at: point)
                if outcome.run.status == 0 { saved.append(title) } else { refused += 1 }
                #expect([0, 1].contains(outcome.run.status), "\(outcome.point ?? "") \(outcome.run)")
                guard outcome.run.status == 1 else { continue }
                #expect(outcome.run.errors.contains("\(workspace.folder.path)/data"), "\(outcome.run)")
                let remedies = ["free some space", "check the file", "check the device"]
                #expect(
                    remedies.contains { outcome.run.errors.contains($0) }, "\(outcome.point ?? "") \(outcome.run)")
                if outcome.run.output.hasPrefix("lists/") { saved.append(title) }
            }
            #expect(refused > 0)
            let list = try await workspace.atmos("list", "lists", "--json")
            #expect(list.status == 0 && !list.errors.contains("damaged"), "\(list)")
            let here = try #require(try Value(json: Array(list.output.utf8)).array)
            let titles = here.compactMap { $0.members?["title"]?.string }
            for title in saved { #expect(titles.count { $0 == title } == 1, "\(title)") }
        }

        @Test(
            "files that may not be written are an error with the file, the reason and the remedy, and stay as they are",
            arguments: stores, [EACCES, EROFS])
        func refused(_ store: String, _ error: Int32) async throws {
            let workspace = try TestAPI.offline()
            let routeFile = try workspace.read("atmosphere.yaml")
            try workspace.write(
                routeFile.replacing("limits:", with: "\(Self.top(store))\nlimits:"), to: "atmosphere.yaml")
            #expect(try await workspace.atmos("create", "lists", "title=Home").status == 0)
            let before = try await workspace.atmos("list", "lists", "--json")
            let points = FilePoints(workspace: workspace, folder: "data")
            let outcome = try await points.run(["create", "lists", "title=More"], refusingToOpen: error)
            #expect(outcome.run.status == 1, "\(outcome.run)")
            #expect(outcome.run.errors.contains("\(workspace.folder.path)/data"), "\(outcome.run)")
            #expect(outcome.run.errors.contains("check who owns the file and its folder"), "\(outcome.run)")
            #expect(try await workspace.atmos("list", "lists", "--json") == before)
        }
    }
#endif
