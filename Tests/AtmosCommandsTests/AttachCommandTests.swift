#if Command
    import Atmosphere
    import AtmosphereSource
    import Foundation
    import Synchronization
    import Testing

    @testable import AtmosCommands

    @Suite("atmos attach", .timeLimit(.minutes(5))) struct AttachCommandTests {
        private static let attachments = """
            attachments:
                  scan:
                    upload:
                      ask:
                        post: uploads/
                        set: { name: "{file.name}", size: "{file.size}", md5: "{file.md5}", task: "{id}" }
                        url: $.place
                        value: $.token
                    download: { url: $ }
            """

        /// What a storage beside the API holds, by its path, and what it was asked with.
        private final class Storage: Sendable {
            let contents = Mutex<[String: [UInt8]]>([:])
            let asked = Mutex<[RESTSource.RequestInfo]>([])

            func answer(_ request: RESTSource.RequestInfo, origin: String) -> RESTSource.Intercept? {
                guard request.path.hasPrefix("/storage/") || request.path == "/api/uploads/" else { return nil }
                asked.withLock { $0.append(request) }
                switch request.method {
                case "POST":
                    let body: Value = ["place": .string("\(origin)/storage/1?key=signed"), "token": "token-1"]
                    return .answer(201, headers: ["Content-Type": "application/json"], body: body.json())
                case "PUT":
                    contents.withLock { $0[request.path] = request.body }
                    return .answer(200)
                default:
                    guard let content = contents.withLock({ $0[request.path] }) else { return .answer(404) }
                    return .answer(200, headers: ["Content-Type": "image/png"], body: content)
                }
            }
        }

        private func serving(_ body: (RESTSource, Workspace, Storage, String) async throws -> Void) async throws {
            let top = #"auth: { token: "secret:API_TOKEN" }"#
            try await TestAPI.serving(
                tasks: Self.attachments, top: top, secrets: ["API_TOKEN": "hunter22"]
            ) { (source, workspace) async throws in
                let storage = Storage()
                let routes = try workspace.read("atmosphere.yaml")
                let base = try #require(routes.split(separator: "\n").first { $0.hasPrefix("base: ") })
                let origin = String(base.dropFirst("base: ".count).dropLast("/api".count))
                source.intercept = { storage.answer($0, origin: origin) }
                try source.add("tasks", ["title": "Milk", "list": 1])
                _ = try await workspace.atmos("pull", environment: Self.token)
                try await body(source, workspace, storage, origin)
            }
        }

        private static let token = ["API_TOKEN": "hunter22"]

        @Test("a file is uploaded by a push, its token behind it, and the content comes back into a file")
        func roundTrip() async throws {
            try await serving { (source, workspace, storage, origin) async throws in
                // More than one piece.
                let picture = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
                try Data(picture).write(to: workspace.folder.appending(path: "cat.png"))
                let attached = try await workspace.atmos(
                    "attach", "tasks/1", "scan", "cat.png", environment: Self.token)
                #expect(attached == .init(0, "tasks/1\n"))
                #expect(storage.asked.withLock { $0.isEmpty })
                let status = try await workspace.atmos("status", environment: Self.token)
                #expect(
                    status.output.hasSuffix(
                        "tasks/1  changed here, “scan” to be uploaded (cat.png, 700000 bytes), goes with the next push\n"
                    ),
                    "\(status)")
                let copy = try await workspace.atmos(
                    "attach", "tasks/1", "scan", "--output", "own.png", environment: Self.token)
                #expect(copy == .init(0, "own.png: 700000 bytes\n"))
                let pushed = try await workspace.atmos("push", environment: Self.token)
                #expect(pushed.status == 0, "\(pushed)")
                #expect(pushed.output.contains("0 created, 1 updated, 0 deleted, 1 uploaded"), "\(pushed)")
                #expect(source.objects("tasks").first?["scan"] == "token-1")
                let asked = storage.asked.withLock { $0 }
                #expect(asked.map(\.method) == ["POST", "PUT"])
                let facts = try Value(json: asked[0].body).members
                #expect(facts?["name"] == "cat.png" && facts?["size"] == 700_000 && facts?["task"] == 1)
                #expect(asked[0].headers["Authorization"] != nil && asked[1].headers["Authorization"] == nil)
                #expect(asked[1].body == picture && asked[1].headers["Content-Type"] == "image/png")
                #expect(asked[1].query == [NamedText(name: "key", value: "signed")])

                // The server shows a URL in its place.
                let edit = ["edit", "tasks/1", "scan=\(origin)/storage/1", "--now"]
                let shown = try await workspace.start(edit, environment: Self.token).end()
                #expect(shown.status == 0, "\(shown)")
                let got = try await workspace.atmos(
                    "attach", "tasks/1", "scan", "--output", "copy.png", environment: Self.token)
                #expect(got == .init(0, "copy.png: 700000 bytes\n"))
                #expect(Array(try Data(contentsOf: workspace.folder.appending(path: "copy.png"))) == picture)
                let again = try await workspace.atmos(
                    "attach", "tasks/1", "scan", "--output", "copy.png", environment: Self.token)
                #expect(again.status == 2 && again.errors.contains("copy.png is there already"), "\(again)")
                let json = try await workspace.atmos(
                    "attach", "tasks/1", "scan", "--output", "other.png", "--json", environment: Self.token)
                #expect(json == .init(0, #"{"file":"other.png","bytes":700000,"type":"image/png"}"# + "\n"))
                try JSONShape.hold(json.lines, to: "attach")
                // As long as a name may be, and longer.
                let longest = String(repeating: "n", count: 255)
                for name in [longest, longest + "n"] {
                    let run = try await workspace.atmos(
                        "attach", "tasks/1", "scan", "--output", name, environment: Self.token)
                    #expect(run.status == (name == longest ? 0 : 2), "\(run)")
                }
                #expect(workspace.has(longest))
            }
        }

        /// As a pool of pictures has them.
        private static let pictures = """
            attachments:
                  picture:
                    upload:
                      path: "tasks/{id}/picture/"
                      part: picture_file
                      media-type: image/jpeg
                      file-name: "{list}_{title}.jpg"
                    download:
                      ask: { get: "tasks/{id}/picture/", url: picture_file }
                      media-type: "image/*"
            """

        @Test("without a network: first what is said of the picture, then the picture; it comes in two steps")
        func twoPhases() async throws {
            try await TestAPI.serving(tasks: Self.pictures) { (source, workspace) async throws in
                _ = try await workspace.atmos("pull")
                let picture = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
                try Data(picture).write(to: workspace.folder.appending(path: "cat.png"))
                let task = try await workspace.atmos("create", "tasks", "title=Mi/lk", "list:=1").lines[0]
                let attached = try await workspace.atmos("attach", task, "picture", "cat.png")
                #expect(attached.status == 0, "\(attached)")
                #expect(!source.log.contains { $0.method != "GET" })
                let pushed = try await workspace.atmos("push")
                #expect(pushed.output.contains("1 created, 0 updated, 0 deleted, 1 uploaded"), "\(pushed)")
                #expect(source.objects("tasks").first?["picture"] == "/api/.contents/1/1_Mi_lk.jpg")
                let put = try #require(source.log.first { $0.method == "PUT" })
                #expect(put.path == "/api/tasks/1/picture/" && put.status == 200)

                source.clearLog()
                let got = try await workspace.atmos("attach", "tasks/1", "picture", "--output", "copy.jpg")
                #expect(got == .init(0, "copy.jpg: 700000 bytes\n"))
                #expect(Array(try Data(contentsOf: workspace.folder.appending(path: "copy.jpg"))) == picture)
                #expect(source.log.map(\.path) == ["/api/tasks/1/picture/", "/api/.contents/1/1_Mi_lk.jpg"])
                // Another client that knows one step only is told, and stores no document.
                let routes = try workspace.read("atmosphere.yaml")
                let old = #"ask: { get: "tasks/{id}/picture/", url: picture_file }"#
                try workspace.write(
                    routes.replacing(old, with: #"path: "tasks/{id}/picture/""#), to: "atmosphere.yaml")
                let document = try await workspace.atmos("attach", "tasks/1", "picture", "--output", "a.jpg")
                #expect(document.status == 1 && document.errors.contains("the server sends “application/json”"))
                #expect(!workspace.has("a.jpg"))
            }
        }

        @Test("a resumable upload to the source, over the network")
        func resumable() async throws {
            let attachments = """
                attachments:
                      scan:
                        upload: { path: files/, resumable: tus, set: "{url}" }
                        download: { url: $ }
                """
            try await TestAPI.serving(tasks: attachments) { (source, workspace) async throws in
                try source.add("tasks", ["title": "Milk", "list": 1])
                _ = try await workspace.atmos("pull")
                let picture = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
                try Data(picture).write(to: workspace.folder.appending(path: "cat.png"))
                _ = try await workspace.atmos("attach", "tasks/1", "scan", "cat.png")
                let pushed = try await workspace.atmos("push")
                #expect(pushed.output.contains("0 created, 1 updated, 0 deleted, 1 uploaded"), "\(pushed)")
                let sent = source.log.filter { $0.method != "GET" }.map { "\($0.method) \($0.path) \($0.status ?? 0)" }
                #expect(
                    sent == [
                        "POST /api/files/ 201", "PATCH /api/.contents/1 204", "PATCH /api/tasks/1/ 200"
                    ])
                #expect(source.objects("tasks").first?["scan"] == "/api/.contents/1/cat.png")
                let got = try await workspace.atmos("attach", "tasks/1", "scan", "--output", "copy.png")
                #expect(got == .init(0, "copy.png: 700000 bytes\n"))
                #expect(Array(try Data(contentsOf: workspace.folder.appending(path: "copy.png"))) == picture)
            }
        }

        @Test("--now uploads at once, sends what the field is set to at once, and --type says what the file is")
        func now() async throws {
            try await serving { (source, workspace, storage, _) async throws in
                try workspace.write("hello", to: "note")
                let attached = try await workspace.atmos(
                    "attach", "tasks/1", "scan", "note", "--now", "--type", "text/plain", environment: Self.token)
                #expect(attached == .init(0, "tasks/1\n"))
                #expect(source.objects("tasks").first?["scan"] == "token-1")
                #expect(storage.asked.withLock { $0.last?.headers["Content-Type"] } == "text/plain")
                #expect(storage.asked.withLock { $0.last?.body } == Array("hello".utf8))
            }
        }

        @Test("what cannot be had leaves no file, and what is not declared ends with 2")
        func mistakes() async throws {
            try await serving { (_, workspace, _, origin) async throws in
                let none = try await workspace.atmos(
                    "attach", "tasks/1", "scan", "--output", "a", environment: Self.token)
                #expect(none.status == 1 && none.errors.contains("tasks/1 has no “scan”"), "\(none)")
                let edit = ["edit", "tasks/1", "scan=\(origin)/storage/7"]
                _ = try await workspace.start(edit, environment: Self.token).end()
                let gone = try await workspace.atmos(
                    "attach", "tasks/1", "scan", "--output", "a", environment: Self.token)
                #expect(gone.status == 1 && gone.errors.contains("/storage/7: the server answered 404"), "\(gone)")
                #expect(!workspace.has("a"))
                try workspace.write("x", to: "x")
                let other = try await workspace.atmos("attach", "tasks/1", "photo", "x", environment: Self.token)
                #expect(other.status == 2 && other.errors.contains("tasks has no attachment “photo”; it has scan"))
            }
        }

        private final class Pieces: Sendable {
            private let left = Mutex<[[UInt8]]>([[1], [2, 3]])

            func next() -> [UInt8]? { left.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
        }

        @Test("content that is downloaded has its name once it is whole, and takes it from no other file")
        func wholeFile() async throws {
            let workspace = try Workspace()
            let folder = workspace.folder
            let file = folder.appending(path: "cat.png")
            @Sendable func names() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: folder.path)
            }
            let pieces = Pieces()
            let content = AttachedContent(
                bytes: ResponseBody {
                    let here = try names()
                    #expect(here.count == 1 && here[0].hasPrefix(".part-"), "\(here)")
                    return pieces.next()
                })
            #expect(try await AtmosCommands.ContentFile.write(content, to: file.path) == 3)
            #expect(try names() == ["cat.png"])
            #expect(try Data(contentsOf: file) == Data([1, 2, 3]))
            try FileManager.default.removeItem(at: file)
            let late = AttachedContent(
                bytes: ResponseBody {
                    try Data("other".utf8).write(to: file)
                    return nil
                })
            await #expect(throws: CommandFailure.self) {
                _ = try await AtmosCommands.ContentFile.write(late, to: file.path)
            }
            #expect(try names() == ["cat.png"])
            #expect(try Data(contentsOf: file) == Data("other".utf8))
        }
    }
#endif
