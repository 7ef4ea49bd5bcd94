#if Command
    import Foundation
    import Testing

    @Suite(
        "Back ends that tell what changed", .serialized, .timeLimit(.minutes(5)),
        .enabled(if: SocketIOPeer.isAvailable, "no Python with venv here"))
    struct BackEndTests {
        private static let publisher = "publisher-0123456789"
        private static let ann = "ann-0123456789abcdef"

        /// Starts `atmos serve`, lets a stock client listen to `tasks`, runs `tell` with the server's URL, and returns
        /// the events that the client got.
        private func events(
            _ count: Int, options: [String] = [], files: [String: String] = [:], environment: [String: String] = [:],
            _ tell: @escaping @Sendable (String) throws -> Void
        ) async throws -> [String] {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            for (name, text) in files.merging(
                ["publishers.keys": "\(Self.publisher) backend\n", "clients.keys": "\(Self.ann) ann tasks\n"],
                uniquingKeysWith: { first, _ in first })
            { try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8) }
            return try await onOwnThread {
                let process = Process()
                process.executableURL = AtmosCommand.binary
                process.currentDirectoryURL = folder
                process.arguments =
                    ["serve", "--port", "0", "--publishers", "publishers.keys", "--clients", "clients.keys"] + options
                process.environment = environment.merging(["PATH": "/usr/bin:/bin"]) { own, _ in own }
                let output = Pipe()
                process.standardOutput = output
                try process.start()
                defer { kill(process.processIdentifier, SIGKILL) }
                let url = try Self.line(output)
                let (listener, heard) = try SocketIOPeer.process("listen.py", [url, Self.ann, "tasks", String(count)])
                try listener.start()
                let first = try Self.line(heard)
                try #require(first == "joined", "\(first)")
                try tell(url)
                var lines: [String] = []
                for _ in 0..<count { lines.append(try Self.line(heard)) }
                listener.waitUntilExit()
                return lines
            }
        }

        private static func line(_ pipe: Pipe) throws -> String {
            var line: [UInt8] = []
            while let byte = try pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
                line.append(byte)
            }
            return String(decoding: line, as: UTF8.self)
        }

        @Test(
            "a Django with the guide's signals tells of what it saved, once it is committed, and lives without a server",
            .enabled(if: DjangoServer.isAvailable, "no Python with venv here"))
        func django() async throws {
            let python = try #require(DjangoServer.python, "Tests/Interop/django/setup.sh failed; see its output above")
            try await recipe([python.path, PeerServer.folder("django").appendingPathComponent("live.py").path])
        }

        @Test(
            "so does a Rails with the guide's concern",
            .enabled(if: RailsServer.isAvailable, "no Rails here"))
        func rails() async throws {
            try await recipe([
                "/usr/bin/env", "ruby", PeerServer.folder("rails").appendingPathComponent("live.rb").path
            ])
        }

        /// - Parameter command: takes the server's URL, the key and the guide.
        private func recipe(_ command: [String]) async throws {
            let guide = PeerServer.packageRoot.appendingPathComponent(
                "Sources/AtmosphereNotifications/AtmosphereNotifications.docc/Webhooks.md")
            let events = try await events(3) { url in
                let process = Process()
                process.executableURL = URL(fileURLWithPath: command[0])
                process.arguments = command.dropFirst() + [url, Self.publisher, guide.path]
                let output = Pipe()
                process.standardOutput = output
                process.standardError = output
                try process.start()
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                try #require(process.terminationStatus == 0, "\(text)")
            }
            #expect(events.allSatisfy { $0.contains(#""uri": {"entity": "tasks", "id": "1"}"#) }, "\(events)")
            #expect(events.map { $0.contains(#""deleted": true"#) } == [false, false, true])
        }

        @Test("a signed webhook becomes an update for stock clients, an unsigned one does not, and none comes twice")
        func webhook() async throws {
            let hooks = """
                webhooks:
                  - path: /hooks/shop
                    secret: secret:SHOP_HOOK
                    delivery: { header: X-Delivery }
                    entity: tasks
                    id: $.task.id
                    deleted: { at: $.event, equals: removed }
                """
            let secret = "a secret of the shop"
            let events = try await events(
                2, options: ["--webhook", "hooks.yaml"], files: ["hooks.yaml": hooks],
                environment: ["SHOP_HOOK": secret]
            ) { url in
                let changed = #"{"event": "changed", "task": {"id": 7}}"#
                let statuses = [
                    try Self.deliver(changed, "1", secret, to: url), try Self.deliver(changed, "1", secret, to: url),
                    try Self.deliver(changed, "2", "a secret of others", to: url),
                    try Self.deliver(#"{"event": "removed", "task": {"id": 7}}"#, "3", secret, to: url)
                ]
                try #require(statuses == ["200", "200", "401", "200"])
            }
            let uri = #""uri": {"entity": "tasks", "id": "7"}"#
            #expect(
                events == [
                    #"["update", {"id": "/hooks/shop 1", \#(uri)}]"#,
                    #"["update", {"id": "/hooks/shop 3", \#(uri), "deleted": true}]"#
                ])
        }

        /// Signs and sends a body as the guide shows it.
        private static func deliver(
            _ body: String, _ delivery: String, _ secret: String, to url: String
        ) throws -> String {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = [
                "-c",
                """
                code=$(printf %s "$1" | openssl dgst -sha256 -hmac "$3" -r | cut -d' ' -f1)
                curl -s -o /dev/null -w '%{http_code}' -d "$1" -H 'Content-Type: application/json' \
                  -H "X-Delivery: $2" -H "X-Hub-Signature-256: sha256=$code" "$4/hooks/shop"
                """, "sh", body, delivery, secret, url
            ]
            let output = Pipe()
            process.standardOutput = output
            try process.start()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return text
        }
    }
#endif
