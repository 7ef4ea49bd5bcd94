#if Command
    import Atmosphere
    import AtmosphereSource
    import Foundation
    import Synchronization
    import Testing

    @testable import AtmosCommands

    /// What waits to be uploaded, over real connections, processes and files.
    @Suite("atmos attach without a network", .timeLimit(.minutes(5))) struct QueuedAttachCommandTests {
        private static let attachments = """
            attachments:
                  scan: { upload: { path: "tasks/{id}/scan/" } }
                  pages: { upload: { path: "tasks/{id}/pages/", method: POST, part: file } }
            """

        /// What was received, by path and in order; and how the next contents are answered.
        private final class Storage: Sendable {
            /// How one content is answered.
            enum Next: Sendable {
                case close
                case refuse(Int, String)
                /// Kills the process that sends it, as soon as that is known.
                case kill
            }

            let received = Mutex<[(path: String, body: [UInt8])]>([])
            let answers = Mutex<[Next]>([])
            let isOffline = Mutex(false)
            let sender = Mutex<RunningCommand?>(nil)

            func answer(_ request: RESTSource.RequestInfo) async -> RESTSource.Intercept? {
                if isOffline.withLock({ $0 }) { return .close }
                guard request.path.hasSuffix("/scan/") || request.path.hasSuffix("/pages/") else { return nil }
                let next = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                if case .refuse(let status, let message) = next { return .refuse(status, message) }
                received.withLock { $0.append((request.path, request.body)) }
                switch next {
                case .kill:
                    while sender.withLock({ $0?.killNow() }) == nil { await Task.yield() }
                    return .close
                case .close: return .close
                case .refuse, nil: return .answer(204)
                }
            }

            var paths: [String] { received.withLock { $0.map(\.path) } }
        }

        private func serving(
            _ store: String = "sqlite", _ body: (RESTSource, Workspace, Storage) async throws -> Void
        ) async throws {
            let top = "store: { kind: \(store), path: own.store }"
            try await TestAPI.serving(tasks: "\(Self.attachments)\n    \(TestAPI.uniqueLookUp)", top: top) {
                (source, workspace) async throws in
                let storage = Storage()
                source.intercept = { await storage.answer($0) }
                try source.add("tasks", ["title": "Milk", "list": 1])
                _ = try await workspace.atmos("pull")
                try await body(source, workspace, storage)
            }
        }

        /// How many contents wait beside the store.
        private func waiting(_ workspace: Workspace) -> Int {
            let path = workspace.folder.appending(path: "own.store.contents").path
            return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).count { $0 != ".lock" }
        }

        @Test("discard --upload drops the content of one member, and what else waits goes")
        func discardUpload() async throws {
            try await serving { (source, workspace, storage) async throws in
                try workspace.write("a page", to: "one.txt")
                for field in ["pages", "scan"] {
                    #expect(try await workspace.atmos("attach", "tasks/1", field, "one.txt").status == 0)
                }
                _ = try await workspace.atmos("edit", "tasks/1", "title=Bread")
                let none = try await workspace.atmos("discard", "tasks/1", "--upload", "photo")
                #expect(none.status == 1 && none.errors.contains("has no content that waits for “photo”"), "\(none)")
                let dropped = "atmos: dropped: “pages” to be uploaded (one.txt, 6 bytes)\n"
                #expect(
                    try await workspace.atmos("discard", "tasks/1", "--upload", "pages")
                        == .init(0, "tasks/1\n", errors: dropped))
                let push = try await workspace.atmos("push")
                #expect(push.status == 0, "\(push)")
                #expect(storage.paths == ["/api/tasks/1/scan/"])
                #expect(source.objects("tasks").first?["title"]?.string == "Bread" && waiting(workspace) == 0)
            }
        }

        @Test(
            "a file that was sent at once and not answered may be there, and is not told as uploaded",
            arguments: [true, false])
        func lostAtOnce(_ isRefused: Bool) async throws {
            try await serving { (_, workspace, storage) async throws in
                try workspace.write("a page", to: "one.txt")
                storage.answers.withLock { $0 = [isRefused ? .refuse(500, "No.") : .close] }
                let lost = try await workspace.atmos("attach", "tasks/1", "pages", "one.txt", "--now")
                #expect(lost.status == 4, "\(lost)")
                #expect(lost.errors.contains("the server may have done it all the same: atmos pull tasks"), "\(lost)")
                let status = try await workspace.atmos("status")
                let owed = "sent at once to the server, which did not say that it is done; the next push reads it"
                #expect(status.output.contains(owed), "\(status)")
                #expect(try await workspace.atmos("push").status == 0)
                #expect(try await !workspace.atmos("status").output.contains("tasks/1"))
            }
        }

        @Test("a file that was uploaded at once is told as sent, though the read behind it fails; the next push reads")
        func atOnce() async throws {
            try await serving { (source, workspace, storage) async throws in
                try workspace.write("a page", to: "one.txt")
                source.intercept = { request in
                    if request.method == "GET", request.path == "/api/tasks/1/" { return .refuse(500, "No.") }
                    return await storage.answer(request)
                }
                let warning =
                    "atmos: tasks/1: the file was uploaded, and the object could not be read; the next push reads it\n"
                #expect(
                    try await workspace.atmos("attach", "tasks/1", "pages", "one.txt", "--now")
                        == .init(0, "tasks/1\n", errors: warning))
                let status = try await workspace.atmos("status")
                let owed = "sent to the server, which has not shown it since; the next push reads it"
                #expect(status.output.contains(owed), "\(status)")
                source.intercept = { await storage.answer($0) }
                #expect(try await workspace.atmos("push").status == 0)
                #expect(storage.paths == ["/api/tasks/1/pages/"])
                let next = try await workspace.atmos("status")
                #expect(!next.output.contains("sent to the server"), "\(next)")
            }
        }

        @Test("of several files of a member discard --upload drops one: the one in doubt, else the latest")
        func discardOne() async throws {
            try await serving { (_, workspace, storage) async throws in
                for name in ["one.txt", "two.txt"] {
                    try workspace.write("a page", to: name)
                    _ = try await workspace.atmos("attach", "tasks/1", "pages", name)
                }
                let doubt =
                    "atmos: tasks/1: what is dropped was sent without an answer, and may have been done all the same: "
                    + "atmos pull tasks shows\n"
                func said(_ dropped: String, _ left: String, _ doubt: String = "") -> String {
                    "atmos: dropped: “pages” to be uploaded (\(dropped), 6 bytes)\n" + doubt
                        + "atmos: waits on: “pages” to be uploaded (\(left), 6 bytes)\n"
                }
                #expect(
                    try await workspace.atmos("discard", "tasks/1", "--upload", "pages")
                        == .init(0, "tasks/1\n", errors: said("two.txt", "one.txt")))
                _ = try await workspace.atmos("attach", "tasks/1", "pages", "two.txt")
                storage.answers.withLock { $0 = [.close] }
                #expect(try await workspace.atmos("push").status == 3)
                #expect(
                    try await workspace.atmos("discard", "tasks/1", "--upload", "pages")
                        == .init(0, "tasks/1\n", errors: said("one.txt", "two.txt", doubt)))
                #expect(try await workspace.atmos("push").status == 0)
                #expect(storage.paths.count == 2 && waiting(workspace) == 0)
            }
        }

        @Test(
            "files wait with their objects, and go with the first sync that reaches the server",
            arguments: [
                "sqlite", "json-file"
            ])
        func offline(_ store: String) async throws {
            try await serving(store) { (source, workspace, storage) async throws in
                storage.isOffline.withLock { $0 = true }
                try workspace.write("a page", to: "one.txt")
                try workspace.write("a scan", to: "scan.pdf")
                let created = try await workspace.atmos("create", "tasks", "title=Bread", "list:=1")
                let uri = try #require(created.lines.first)
                for (field, file) in [("pages", "one.txt"), ("scan", "scan.pdf")] {
                    #expect(try await workspace.atmos("attach", uri, field, file) == .init(0, "\(uri)\n"))
                }
                // The files may go: what was copied is what is sent.
                try FileManager.default.removeItem(at: workspace.folder.appending(path: "one.txt"))
                #expect(waiting(workspace) == 2)
                let diff = try await workspace.atmos("diff", uri)
                #expect(diff.output.contains(#"+ pages: {"file":"one.txt","type":"text/plain","bytes":6}"#), "\(diff)")
                let failed = try await workspace.atmos("push")
                #expect(failed.status != 0 && storage.paths.isEmpty, "\(failed)")
                let status = try await workspace.atmos("status", "--json")
                #expect(
                    status.output.contains(
                        #"{"field":"pages","file":"one.txt","type":"text/plain","bytes":6,"sha256":"9a8eeff1d0bc6b9b7acf"#
                            + #"170b1168d6d07f193dc770d4c1864b03e48d775e8d1a","state":"waiting","message":null}"#),
                    "\(status)")
                storage.isOffline.withLock { $0 = false }
                let sync = try await workspace.atmos("sync", "--json")
                #expect(sync.status == 0 && sync.output.contains(#""uploaded":2"#), "\(sync)")
                #expect(storage.paths == ["/api/tasks/2/pages/", "/api/tasks/2/scan/"])
                #expect(storage.received.withLock { $0.last?.body } == Array("a scan".utf8))
                #expect(waiting(workspace) == 0)
                let log = try await workspace.atmos("log", "tasks/2")
                #expect(log.output.contains("“scan” was uploaded: scan.pdf, 6 bytes"), "\(log)")
                #expect(source.objects("tasks").count == 2)
            }
        }

        @Test("a connection that drops behind the content: what replaces goes again, of what adds a person decides")
        func dropped() async throws {
            try await serving { (_, workspace, storage) async throws in
                try workspace.write("a page", to: "one.txt")
                _ = try await workspace.atmos("attach", "tasks/1", "scan", "one.txt")
                storage.answers.withLock { $0 = [.close] }
                _ = try await workspace.atmos("push")
                _ = try await workspace.atmos("push")
                let scans = storage.paths
                #expect(scans.count >= 2 && Set(scans) == ["/api/tasks/1/scan/"] && waiting(workspace) == 0)

                _ = try await workspace.atmos("attach", "tasks/1", "pages", "one.txt")
                storage.answers.withLock { $0 = [.close] }
                for _ in 0..<3 { #expect(try await workspace.atmos("push").status == 3) }
                #expect(storage.paths.count == scans.count + 1)
                let status = try await workspace.atmos("status")
                #expect(
                    status.output.contains("“pages” to be uploaded (one.txt, 6 bytes), sent without an answer"),
                    "\(status)")
                let conflicts = try await workspace.atmos("conflicts")
                #expect(
                    conflicts.output.contains("the content of “pages” (one.txt) was sent, but not answered"),
                    "\(conflicts)")
                let remedy = "  atmos resolve tasks/1 --resend, or atmos discard tasks/1 --upload pages\n"
                #expect(conflicts.output.hasSuffix(remedy), "\(conflicts)")
                #expect(try await workspace.atmos("resolve", "tasks/1", "--resend").status == 0)
                #expect(try await workspace.atmos("push").status == 0)
                #expect(storage.paths.count == scans.count + 2 && waiting(workspace) == 0)
            }
        }

        @Test("what waits behind a file in doubt is told, and goes where the doubt alone is dropped")
        func behindDoubt() async throws {
            try await serving { (source, workspace, storage) async throws in
                try workspace.write("a page", to: "one.txt")
                _ = try await workspace.atmos("attach", "tasks/1", "pages", "one.txt")
                storage.answers.withLock { $0 = [.close] }
                #expect(try await workspace.atmos("push").status == 3)
                _ = try await workspace.atmos("edit", "tasks/1", "title=Bread")
                _ = try await workspace.atmos("attach", "tasks/1", "scan", "one.txt")
                let status = try await workspace.atmos("status")
                let behind = "; behind it wait: the edit of title, “scan” to be uploaded (one.txt, 6 bytes)\n"
                #expect(status.output.contains(behind), "\(status)")
                // The other was never sent.
                let other = try await workspace.atmos("discard", "tasks/1", "--upload", "scan")
                #expect(other.status == 0 && !other.errors.contains("may have been done"), "\(other)")
                _ = try await workspace.atmos("attach", "tasks/1", "scan", "one.txt")
                let discard = try await workspace.atmos("discard", "tasks/1", "--upload", "pages")
                #expect(discard.status == 0, "\(discard)")
                #expect(
                    discard.errors.contains("what is dropped was sent without an answer, and may have been done"),
                    "\(discard)")
                let push = try await workspace.atmos("push")
                #expect(push.status == 0, "\(push)")
                #expect(storage.paths == ["/api/tasks/1/pages/", "/api/tasks/1/scan/"])
                #expect(source.objects("tasks").first?["title"]?.string == "Bread" && waiting(workspace) == 0)
            }
        }

        @Test("a refused file is told with what the server said, and retried, replaced or discarded")
        func refused() async throws {
            try await serving { (_, workspace, storage) async throws in
                try workspace.write("a page", to: "one.txt")
                _ = try await workspace.atmos("attach", "tasks/1", "scan", "one.txt")
                storage.answers.withLock { $0 = [.refuse(413, "No more than 5 bytes.")] }
                #expect(try await workspace.atmos("push").status == 3)
                let rejected = try await workspace.atmos("rejected")
                #expect(
                    rejected.output.hasSuffix("No more than 5 bytes.\n  “scan” to be uploaded (one.txt, 6 bytes)\n"),
                    "\(rejected)")
                let json = try await workspace.atmos("rejected", "--json")
                #expect(
                    json.output.contains(
                        #""upload":{"field":"scan","file":"one.txt","type":"text/plain","bytes":6}"#), "\(json)")
                let status = try await workspace.atmos("status", "--json")
                #expect(status.output.contains(#""state":"rejected""#) && status.output.contains("attach another file"))
                #expect(try await workspace.atmos("retry", "tasks/1").status == 0)
                #expect(try await workspace.atmos("push").status == 0 && storage.paths.count == 1)
                _ = try await workspace.atmos("attach", "tasks/1", "scan", "one.txt")
                #expect(try await workspace.atmos("discard", "tasks/1").status == 0)
                #expect(waiting(workspace) == 0)
            }
        }

        @Test("a push that is killed when the server has the content sends it once more, or asks")
        func killedAfterContent() async throws {
            for (field, times) in [("scan", 2), ("pages", 1)] {
                try await serving { (_, workspace, storage) async throws in
                    try workspace.write("a page", to: "one.txt")
                    _ = try await workspace.atmos("attach", "tasks/1", field, "one.txt")
                    storage.answers.withLock { $0 = [.kill] }
                    let push = try workspace.start(["push"])
                    storage.sender.withLock { $0 = push }
                    #expect(try await push.end().status == SIGKILL)
                    let next = try await workspace.atmos("push")
                    #expect(next.status == (field == "scan" ? 0 : 3), "\(next)")
                    #expect(storage.paths.count == times)
                }
            }
        }
    }
#endif
