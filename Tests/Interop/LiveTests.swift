#if Command
    import Atmosphere
    import Foundation
    import Testing

    /// A Django application that saves, the notification server, and two computers that watch.
    @Suite(
        "Live, the whole way", .serialized, .timeLimit(.minutes(10)),
        .enabled(if: DjangoServer.isAvailable && SocketIOPeer.isAvailable, "no Python with venv here"))
    struct LiveTests {
        private func routeFile(_ api: String, _ live: String, in folder: URL) throws -> URL {
            let folder = folder.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appendingPathComponent("atmosphere.yaml")
            try """
            atmosphere: 1
            style: django-rest
            base: \(api)/api
            auth: { token: secret:DJANGO_TOKEN }
            since: { send: modified_since, from: { field: last_modified } }
            version: { field: last_modified, send: none, order: ascending }
            readonly: [id, created, last_modified]
            live:
              \(live)
              key: secret:PUSH_KEY
              publish: { key: secret:PUBLISHER_KEY }
            resources:
              albums: {}
              pictures: { references: { album: albums } }
            """.write(to: file, atomically: true, encoding: .utf8)
            return file
        }

        private let secrets = [
            "DJANGO_TOKEN": DjangoServer.token, "PUSH_KEY": MessageClientTests.ann,
            "PUBLISHER_KEY": MessageClientTests.publisher
        ]

        private func trusting(_ file: URL) -> [String: String] {
            secrets.merging(["ATMOS_TRUST": file.path]) { own, _ in own }
        }

        private func watch(_ file: URL) async throws -> LinePeer {
            let peer = try LinePeer(
                AtmosCommand.binary, ["sync", "--watch", "--interval", "1h", "-c", file.path],
                environment: trusting(file), keepsErrors: true)
            return peer
        }

        private func title(_ id: Int, _ file: URL) async throws -> String? {
            let command = AtmosCommand(routeFile: file, secrets: secrets)
            let result = try await command.run(["get", "pictures/\(id)", "--json"])
            guard result.status == 0 else { return nil }
            return try Value(json: Array(result.output.utf8)).members?["title"]?.string
        }

        @Test("what one saves shows at once, survives the server's death, and comes once to one who was away")
        func wholeWay() async throws {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let serve = try await MessageClientTests.Serve(in: folder)
            let django = try await DjangoServer.start(
                seed: 20,
                options: [
                    "--notify", serve.url, "--notify-key", MessageClientTests.publisher, "--notify-to", "ann"
                ])
            let proxy = try SocketIOPeer.lines("proxy.py")
            let address = "url: \(serve.url.replacing("http", with: "ws"))"
            let files = [
                try routeFile(django.url, address, in: folder),
                try routeFile(django.url, "\(address)\n  proxy: \(try await proxy.readyURL())", in: folder)
            ]
            let watches = [try await watch(files[0]), try await watch(files[1])]
            for watch in watches { try await watch.line("live updates: connected") }
            // Two lists each at the start, and again for what may have changed before the connection was there.
            var lists = 0
            while lists < 8 {
                let log = try? String(contentsOf: django.folder.appendingPathComponent("requests.log"), encoding: .utf8)
                lists = log?.split(separator: "\n").filter { $0.contains(#""GET""#) }.count ?? 0
            }
            for file in files {
                while try await title(20, file) == nil {}
            }

            // 1. At once, on both, without a request.
            var latencies: [[Double]] = [[], []]
            let clock = ContinuousClock()
            for round in 1...20 {
                let start = clock.now
                try await django.touch("picture", 1, ["title": .string("Round \(round)")])
                for index in 0..<2 {
                    try await watches[index].line("live: pictures/1")
                    latencies[index].append(Double((clock.now - start) / .microseconds(1)) / 1000)
                }
            }
            for index in 0..<2 {
                let sorted = latencies[index].sorted()
                print("save to shown, client \(index + 1): median \(sorted[10]) ms, slowest \(sorted[19]) ms")
                #expect(try await title(1, files[index]) == "Round 20")
            }
            #expect(try django.takeLog().filter { $0.path.contains("pictures/1/") }.isEmpty)
            try await django.delete("picture", 20)
            for index in 0..<2 {
                try await watches[index].line("live: pictures/20")
                #expect(try await title(20, files[index]) == nil)
            }

            // 2. An own edit comes back as an echo, and to the other one as news.
            let first = AtmosCommand(routeFile: files[0], secrets: secrets)
            _ = try django.takeLog()
            while try await first.run(["edit", "pictures/2", "title=Mine"]).status != 0 {}
            try await watches[1].line("live: pictures/2")
            #expect(try await title(2, files[1]) == "Mine")

            // 3. One is cut off while three things change; it gets each of them once when it is back.
            _ = try await proxy.tell("refuse")
            _ = try await proxy.tell("cut")
            try await watches[1].line("live updates: not connected")
            let status = try await AtmosCommand(routeFile: files[1], secrets: secrets).run(["status"])
            #expect(status.output.contains("live updates: not connected since "), "\(status)")
            for id in 3...5 { try await django.touch("picture", id, ["title": .string("Away \(id)")]) }
            // Each object has its own order.
            try await watches[0].lines(inAnyOrder: (3...5).map { "live: pictures/\($0)" })
            _ = try await proxy.tell("allow")
            let before = watches[1].log.count
            try await watches[1].lines(inAnyOrder: (3...5).map { "live: pictures/\($0)" })
            for id in 3...5 { #expect(try await title(id, files[1]) == "Away \(id)") }
            try await django.touch("picture", 6, ["title": "After"])
            try await watches[1].line("live: pictures/6")
            let lines = watches[1].log.dropFirst(before).filter { $0.contains("  live: ") }
            #expect(lines.count == 4, "\(lines)")

            // 4. The server is killed; what is saved meanwhile is found when it is back.
            await serve.process.end(SIGKILL)
            for watch in watches { try await watch.line("live updates: not connected") }
            try await django.touch("picture", 7, ["title": "Nobody told"])
            let again = try await MessageClientTests.Serve(in: folder, port: serve.port)
            for index in 0..<2 {
                try await watches[index].line("live updates: connected")
                try await watches[index].line("pictures: 1 updated")
                #expect(try await title(7, files[index]) == "Nobody told")
            }
            try await django.touch("picture", 8, ["title": "Live again"])
            for watch in watches { try await watch.line("live: pictures/8") }

            // 5. notify and listen.
            let listen = try LinePeer(
                AtmosCommand.binary, ["listen", "-c", files[0].path, "--json", "--count", "2"],
                environment: trusting(files[0]))
            try await listen.line("connected")
            let told = try await first.run(["notify", "--to", "ann", "--data", #"{"dinner": true}"#])
            #expect(told.status == 0, "\(told)")
            #expect(try await first.run(["notify", "pictures/1", "--to", "ann", "--id", "e7"]).status == 0)
            let notification = try await listen.line("notification")
            #expect(notification.contains(#""data":{"dinner":true}"#), "\(notification)")
            let update = try await listen.line("update")
            #expect(update == #"{"update":{"uri":{"entity":"pictures","id":"1"},"id":"e7"}}"#)
            let twice = try await first.run(["notify", "pictures/1", "--to", "ann", "--id", "e7"])
            #expect(twice.output.contains("it was published before"), "\(twice)")
            for watch in watches { await watch.end(SIGTERM) }
            let off = try await first.run(["status", "--json"])
            #expect(off.output.contains(#""live":{"state":"off"}"#), "\(off)")
            await again.process.end(SIGTERM)
        }
    }
#endif
