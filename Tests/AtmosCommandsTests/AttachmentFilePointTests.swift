#if Command
    import Atmosphere
    import AtmosphereSource
    import Foundation
    import Synchronization
    import Testing

    /// The built command, ended by SIGKILL at every change of a file while files are attached and sent.
    @Suite(
        "a command that ends at any change of a file while contents wait", .serialized,
        .enabled(if: FilePoints.isAvailable, "no C compiler here, or not Linux"), .timeLimit(.minutes(15)))
    struct AttachmentFilePointTests {
        private static let attachments = #"attachments: { scan: { upload: { path: "tasks/{id}/scan/" } } }"#

        /// At most so many points of a command, evenly; every one where the environment asks for it.
        private static func points(_ count: Int, upTo limit: Int) -> [Int] {
            count <= limit || ProcessInfo.processInfo.environment["ATMOSPHERE_ALL_POINTS"] == "1"
                ? Array(1...max(1, count)) : (0..<limit).map { 1 + $0 * (count - 1) / (limit - 1) }
        }

        /// What is attached to the task, as a user sees it; nil for nothing.
        private func waiting(_ workspace: Workspace, _ name: String) async throws -> String? {
            let copy = try await workspace.atmos("attach", "tasks/1", "scan", "--output", name)
            guard copy.status == 0 else {
                #expect(copy.errors.contains("nothing says how the content"), "\(copy)")
                return nil
            }
            return try workspace.read(name)
        }

        @Test(
            "what waits is whole, what was acknowledged waits, and nothing is left behind",
            arguments: ["json-file", "sqlite"], [FilePoints.Fault.kill, .tear, .power, .mix])
        func kills(_ store: String, _ fault: FilePoints.Fault) async throws {
            let top = "store: { kind: \(store), path: data }"
            try await TestAPI.serving(tasks: Self.attachments, top: top) { (source, workspace) async throws in
                let received = Mutex<[String]>([])
                source.intercept = { request in
                    guard request.path == "/api/tasks/1/scan/" else { return nil }
                    received.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
                    return .answer(204)
                }
                try source.add("tasks", ["title": "Milk", "list": 1])
                #expect(try await workspace.atmos("pull").status == 0)
                let points = FilePoints(workspace: workspace, folder: "data")
                let limit = [.kill, .power].contains(fault) ? 16 : 8
                var kills = 0
                var last: String?
                var number = 0

                func attach(_ fault: FilePoints.Fault, at point: Int) async throws {
                    number += 1
                    let text = "content \(number), " + String(repeating: "more ", count: 3_000)
                    try workspace.write(text, to: "\(number).txt")
                    let outcome = try await points.run(["attach", "tasks/1", "scan", "\(number).txt"], fault, at: point)
                    if outcome.isKilled { kills += 1 }
                    let found = try await waiting(workspace, "\(number).copy")
                    #expect(found == text || outcome.isKilled && found == last, "at \(outcome.point ?? "the end")")
                    #expect(found == text || !outcome.run.output.hasPrefix("tasks/"), "\(outcome.run)")
                    last = found
                }

                // Also the making of the folder.
                for point in Self.points(40, upTo: limit) { try await attach(fault, at: point) }
                for round in 0..<limit {
                    try await attach(fault, at: .max)
                    let push = try await points.run(["push"], fault, at: 1 + round * 3)
                    if push.isKilled { kills += 1 }
                    if push.run.status == 0 { #expect(received.withLock { $0.last } == last) }
                }
                try await attach(fault, at: .max)
                let push = try await workspace.atmos("push")
                #expect(push.status == 0, "\(push)")
                #expect(received.withLock { $0.last } == last)
                let whole = received.withLock { $0 }
                #expect(
                    whole.allSatisfy { $0.hasPrefix("content ") && $0.hasSuffix("more ") && $0.utf8.count > 15_000 })
                let folder = workspace.folder.appending(path: "data.contents").path
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [".lock"])
                #expect(kills >= limit, "only \(kills) kills")
            }
        }
    }
#endif
