#if YAML
    import Atmosphere
    import AtmosphereTesting
    import Synchronization
    import Testing

    @Suite("Uploads that go on after a cut (tus 1.0)") struct ResumableUploadTests {
        private static let todo = ObjectURI(entity: "todos", id: "1")
        private static let text = "0123456789abcdef"
        private static let file = AttachmentContent(
            Array(text.utf8), fileName: "my cat.png", mediaType: "image/png")

        /// Takes uploads at `files`, and has one todo.
        private final class Server: Sendable {
            struct File: Sendable {
                var length: Int
                var bytes: [UInt8] = []
                var isGone = false
            }

            private let files = Mutex<[File]>([])
            private let scan = Mutex<Value>(.null)
            private let lines = Mutex<[String]>([])
            /// How many bytes of each PATCH arrive before the connection is cut; with none left all do.
            let cuts = Mutex<[Int]>([])
            /// What each PATCH takes at most without a cut.
            let most = Mutex(Int.max)
            /// How long each PATCH takes.
            let pace = Mutex(Duration.zero)
            /// How long all of them have taken.
            private let taken = Mutex(Duration.zero)
            let location = Mutex<String?>("files/")
            /// A file of which nothing arrived before a cut is gone.
            let isForgetful = Mutex(false)
            /// What the next requests to uploads are answered with; nil for what they are answered else.
            let refusals = Mutex<[Int?]>([])
            /// The question what has arrived is cancelled.
            let isCancelled = Mutex(false)

            /// `METHOD path offset`, and the metadata of what is begun.
            var log: [String] { lines.withLock { $0 } }
            var contents: [String] { files.withLock { $0.map { String(decoding: $0.bytes, as: UTF8.self) } } }
            var shown: Value { scan.withLock { $0 } }

            var transport: ScriptedTransport { ScriptedTransport { try await self.answer($0) } }

            var environment: SyncEnvironment {
                var environment = Variation.environment()
                let now = environment.now
                environment.now = { now().advanced(by: self.taken.withLock { $0 }) }
                return environment
            }

            private func answer(_ request: Request) async throws -> Response {
                let path = String(request.url.dropFirst("https://api.example/v1/".count))
                guard path.hasPrefix("files") else { return try await todo(request, path) }
                #expect(request.headers["Tus-Resumable"] == "1.0.0")
                if request.method == "POST" {
                    let metadata = request.headers["Upload-Metadata"] ?? ""
                    lines.withLock { $0.append("POST \(path) \(metadata)") }
                    let length = try #require(request.headers["Upload-Length"].flatMap { Int($0) })
                    let number = files.withLock { files in
                        files.append(File(length: length))
                        return files.count - 1
                    }
                    let place = location.withLock { $0 }
                    guard let place else { return Response(status: 201) }
                    return Response(status: 201, headers: ["Location": "\(place)\(number)"])
                }
                let offset = request.headers["Upload-Offset"]
                lines.withLock { $0.append("\(request.method) \(path)\(offset.map { " \($0)" } ?? "")") }
                if let refusal = refusals.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                    return Response(status: refusal)
                }
                guard let number = path.split(separator: "/").last.flatMap({ Int($0) }),
                    let file = files.withLock({ $0.indices.contains(number) ? $0[number] : nil }), !file.isGone
                else { return Response(status: 404) }
                func headers(_ count: Int) -> HeaderFields {
                    ["Upload-Offset": String(count), "Upload-Length": String(file.length)]
                }
                guard request.method == "PATCH" else {
                    if isCancelled.withLock({ $0 }) { throw CancellationError() }
                    return Response(status: 200, headers: headers(file.bytes.count))
                }
                #expect(request.headers["Content-Type"] == "application/offset+octet-stream")
                guard offset == String(file.bytes.count) else { return Response(status: 409) }
                let pace = pace.withLock { $0 }
                self.taken.withLock { $0 += pace }
                let rest = try await request.body.whole()
                #expect(rest.count == file.length - file.bytes.count)
                let cut = cuts.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                let taken = rest.prefix(min(cut ?? .max, most.withLock { $0 }))
                let forgets = isForgetful.withLock { $0 } && cut == 0
                files.withLock { files in
                    files[number].bytes += taken
                    files[number].isGone = forgets
                }
                guard cut == nil else {
                    throw TransportError(code: .connectionLost, message: "connection lost", mayHaveArrived: true)
                }
                return Response(status: 204, headers: headers(file.bytes.count + taken.count))
            }

            private func todo(_ request: Request, _ path: String) async throws -> Response {
                if request.method == "PUT" {
                    let sent = try Value(json: try await request.body.whole())
                    scan.withLock { $0 = sent.members?["scan"] ?? .null }
                }
                let row: Value = ["id": 1, "title": "A", "scan": shown]
                let body: Value = path == "todos" ? [row] : row
                return Response(
                    status: 200, headers: ["Content-Type": "application/json"], body: ResponseBody(body.json()))
            }
        }

        private func world(
            _ upload: String = #"{ path: files, resumable: tus, set: "{url}" }"#,
            _ authenticator: (any Authenticator)? = nil, more: String = ""
        ) async throws -> (server: Server, api: Variation) {
            let server = Server()
            let api = try await Variation(
                """
                resources:
                  todos:
                    attachments: { scan: { upload: \(upload) } }
                    \(more)
                """, authenticator: authenticator, transport: server.transport, environment: server.environment)
            try await api.synchronizer.pull()
            return (server, api)
        }

        @Test("an upload is begun and sent, and the member is set to its URL", arguments: [false, true])
        func whole(isNow: Bool) async throws {
            let (server, api) = try await world()
            if isNow {
                try await api.synchronizer.attachNow(Self.file, as: "scan", to: Self.todo)
            } else {
                try await api.synchronizer.attach(Self.file, as: "scan", to: Self.todo)
                let first = try #require(try await api.synchronizer.pushPreview().requests.first?.request)
                #expect(first.method == "POST" && first.headers["Upload-Length"] == "16")
                #expect(try await api.synchronizer.push().uploaded == 1)
            }
            #expect(
                server.log == ["POST files filename bXkgY2F0LnBuZw==,filetype aW1hZ2UvcG5n", "PATCH files/0 0"])
            #expect(server.contents == [Self.text])
            #expect(server.shown == "https://api.example/v1/files/0")
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test("behind a cut the rest goes, as often as something of it arrives")
        func cut() async throws {
            let (server, api) = try await world()
            server.cuts.withLock { $0 = [5, 4, 7] }
            try await api.synchronizer.attachNow(Self.file, as: "scan", to: Self.todo)
            // The last cut took the answer alone.
            #expect(
                server.log.dropFirst() == [
                    "PATCH files/0 0", "HEAD files/0", "PATCH files/0 5", "HEAD files/0", "PATCH files/0 9",
                    "HEAD files/0"
                ])
            #expect(server.contents == [Self.text])
        }

        @Test("a later try goes on where the one before was cut, and begins nothing anew")
        func laterTry() async throws {
            let (server, api) = try await world()
            server.cuts.withLock { $0 = [5, 0] }
            try await api.synchronizer.attach(Self.file, as: "scan", to: Self.todo)
            let report = try await api.synchronizer.push()
            #expect(report.uploaded == 1 && report.failures.count == 1)
            #expect(
                server.log.dropFirst() == [
                    "PATCH files/0 0", "HEAD files/0", "PATCH files/0 5", "HEAD files/0", "HEAD files/0",
                    "PATCH files/0 5"
                ])
            #expect(server.contents == [Self.text] && server.shown == "https://api.example/v1/files/0")
        }

        private static let lease = #"lease: { acquire: { post: "todos/{id}/lock" }, ttl: 2m }"#

        @Test(
            "an upload that the server holds locked waits, and goes on where it was",
            arguments: [[nil, 423, 423], [423, 423], [423]], ["", lease])
        func locked(refusals: [Int?], more: String) async throws {
            let (server, api) = try await world(more: more)
            if refusals[0] == nil { server.cuts.withLock { $0 = [5] } }
            server.refusals.withLock { $0 = refusals }
            try await api.synchronizer.attach(Self.file, as: "scan", to: Self.todo)
            var uploaded = 0
            for _ in 1...3 where uploaded == 0 { uploaded = try await api.synchronizer.push().uploaded }
            #expect(uploaded == 1)
            #expect(try await api.synchronizer.rejected().isEmpty)
            #expect(server.log.count { $0.hasPrefix("POST files ") } == 1, "\(server.log)")
            #expect(server.log.last == (refusals[0] == nil ? "PATCH files/0 5" : "PATCH files/0 0"))
            #expect(server.contents == [Self.text] && server.shown == "https://api.example/v1/files/0")
        }

        @Test("who sends content at once to an upload that is locked is told to try again", arguments: ["", lease])
        func lockedAtOnce(more: String) async throws {
            let (server, api) = try await world(more: more)
            server.refusals.withLock { $0 = [423, 423] }
            let error = await #expect(throws: SyncError.self) {
                try await api.synchronizer.attachNow(Self.file, as: "scan", to: Self.todo)
            }
            #expect(error?.code == .unreachable)
            #expect(error?.message.contains("files/0: the server holds the upload locked") == true)
        }

        @Test("who cancels while it asks what has arrived gets no cut")
        func cancelled() async throws {
            let (server, api) = try await world()
            server.cuts.withLock { $0 = [5] }
            server.isCancelled.withLock { $0 = true }
            await #expect(throws: CancellationError.self) {
                try await api.synchronizer.attachNow(Self.file, as: "scan", to: Self.todo)
            }
        }

        @Test("a URL with a secret in it is not kept: a later try begins anew")
        func secret() async throws {
            let asked = AskedAuthenticator(
                settings: .bearer, base: "https://api.example/v1", secrets: SecretSource(environment: [:]),
                storage: MemoryTokenStorage())
            _ = try await asked.trial(of: ["token": "hidden-token-1"]).keep { _ in }
            let (server, api) = try await world(#"{ path: files, resumable: tus, set: "{url}" }"#, asked)
            server.location.withLock { $0 = "files/hidden-token-1/" }
            server.cuts.withLock { $0 = [5, 0] }
            try await api.synchronizer.attach(Self.file, as: "scan", to: Self.todo)
            #expect(try await api.synchronizer.push().uploaded == 1)
            #expect(server.log.count(where: { $0.hasPrefix("POST files ") }) == 2)
            #expect(server.contents.last == Self.text)
        }

        @Test("what the server does not have any more is begun anew")
        func forgotten() async throws {
            let (server, api) = try await world()
            server.cuts.withLock { $0 = [5, 0] }
            server.isForgetful.withLock { $0 = true }
            try await api.synchronizer.attach(Self.file, as: "scan", to: Self.todo)
            #expect(try await api.synchronizer.push().uploaded == 1)
            #expect(server.contents.last == Self.text && server.shown == "https://api.example/v1/files/1")
        }

        @Test("what the server lets go between the question and the bytes is begun anew", arguments: [404, 410])
        func letGo(status: Int) async throws {
            let (server, api) = try await world()
            server.refusals.withLock { $0 = [status] }
            try await api.synchronizer.attachNow(Self.file, as: "scan", to: Self.todo)
            #expect(server.contents.last == Self.text && server.shown == "https://api.example/v1/files/1")
            // Begun by an earlier try.
            server.cuts.withLock { $0 = [5, 0] }
            server.refusals.withLock { $0 = [nil, nil, nil, nil, nil, status] }
            try await api.synchronizer.attach(Self.file, as: "scan", to: Self.todo)
            #expect(try await api.synchronizer.push().uploaded == 1)
            #expect(server.contents.last == Self.text && server.shown == "https://api.example/v1/files/3")
            #expect(try await api.synchronizer.pending().isEmpty)
        }

        @Test("an upload that the server lets go again and again is refused", arguments: [404, 410])
        func letGoTwice(status: Int) async throws {
            let (server, api) = try await world()
            server.refusals.withLock { $0 = [status, status] }
            try await api.synchronizer.attach(Self.file, as: "scan", to: Self.todo)
            #expect(try await api.synchronizer.push().uploaded == 0)
            #expect(try await api.synchronizer.rejected().map(\.uri) == [Self.todo])
            #expect(server.log.count { $0.hasPrefix("POST files ") } == 2, "\(server.log)")
        }

        @Test("a server that takes a part with each request gets them all; an empty content needs none")
        func parts() async throws {
            let (server, api) = try await world()
            server.most.withLock { $0 = 6 }
            try await api.synchronizer.attachNow(Self.file, as: "scan", to: Self.todo)
            #expect(server.log.dropFirst() == ["PATCH files/0 0", "PATCH files/0 6", "PATCH files/0 12"])
            try await api.synchronizer.attachNow(AttachmentContent([], fileName: "e"), as: "scan", to: Self.todo)
            #expect(server.contents == [Self.text, ""] && server.log.last?.hasPrefix("POST files ") == true)
        }

        @Test("pieces that the server takes are no cuts, however many there are")
        func manyParts() async throws {
            let (server, api) = try await world()
            server.most.withLock { $0 = 1 }
            let text = String(repeating: "a", count: 40)
            try await api.synchronizer.attachNow(
                AttachmentContent(Array(text.utf8), fileName: "a.txt"), as: "scan", to: Self.todo)
            #expect(server.contents == [text])
        }

        @Test("pieces that take longer than the time of one content wait for the next try, which goes on there")
        func slowParts() async throws {
            let (server, api) = try await world()
            server.most.withLock { $0 = 1 }
            server.pace.withLock { $0 = .seconds(300) }
            let slow = await #expect(throws: SyncError.self) {
                try await api.synchronizer.attachNow(Self.file, as: "scan", to: Self.todo)
            }
            #expect(slow?.code == .unreachable)
            #expect(slow?.message.contains("has come to byte 2 within attachments.scan.timeout") == true)
            #expect(server.contents == ["01"])
            try await api.synchronizer.attach(Self.file, as: "scan", to: Self.todo)
            var uploaded = 0
            for _ in 1...8 where uploaded == 0 { uploaded = try await api.synchronizer.push().uploaded }
            #expect(server.contents == ["01", Self.text] && server.shown == "https://api.example/v1/files/1")
            #expect(try await api.synchronizer.rejected().isEmpty)
        }

        @Test("a server that takes nothing, or says no place, is told")
        func nothing() async throws {
            let (server, api) = try await world()
            server.most.withLock { $0 = 0 }
            let stuck = await #expect(throws: SyncError.self) {
                try await api.synchronizer.attachNow(Self.file, as: "scan", to: Self.todo)
            }
            #expect(stuck?.message.contains("takes nothing of the content behind byte 0") == true)
            let places: [(String?, String)] = [(nil, "without a Location"), ("http://other.example/", "is not https")]
            for (place, reason) in places {
                server.location.withLock { $0 = place }
                let error = await #expect(throws: SyncError.self) {
                    try await api.synchronizer.attachNow(Self.file, as: "scan", to: Self.todo)
                }
                #expect(error?.code == .unexpectedAnswer && error?.message.contains(reason) == true)
                try await api.synchronizer.attach(Self.file, as: "scan", to: Self.todo)
                #expect(try await api.synchronizer.push().uploaded == 0)
                #expect(try await api.synchronizer.rejected().count == 1)
                try await api.synchronizer.discard(Self.todo)
            }
        }
    }
#endif
