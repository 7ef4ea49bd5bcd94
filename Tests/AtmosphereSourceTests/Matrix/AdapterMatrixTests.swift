#if Source && YAML && Curl && XML && SQLite
    import Atmosphere
    import AtmosphereReplay
    import AtmosphereSource
    import Testing

    @Suite("3 stores, 3 transports, 2 formats, 3 styles", .timeLimit(.minutes(5)))
    struct AdapterMatrixTests {
        private static let base = "http://api.example.com/api"

        /// Whatever the adapters are, client and server end so.
        private static let end = [
            "1: Mine, 1, false", "2: Theirs, 22, false", "4: Task 4, 4, true", "6: Task 6, 6, false",
            "7: Task 7, 7, false", "8: Task 8, 8, false", "9: Task 9, 9, false", "10: Task 10, 10, false",
            "11: New A, 31, false", "12: New B, 32, true"
        ]

        @Test(
            "one scenario ends the same: pull, offline work, a restart, a conflict, a push, a pull",
            arguments: MatrixCell.all)
        func scenario(_ cell: MatrixCell) async throws {
            let cassettes = try MatrixCell.Stage()
            for transport in MatrixCell.TransportKind.allCases {
                let source = try cell.makeSource()
                try await source.withServer { url in
                    let stage = try MatrixCell.Stage()
                    try await run(cell, transport, source, stage, url: url, cassette: cassettes.file("cassette"))
                    if transport == .replay {
                        #expect(source.log.isEmpty)
                        #expect(stage.replay?.remaining == [])
                    } else {
                        #expect(contents(source) == Self.end, "the server, by \(transport)")
                    }
                }
            }
        }

        private func run(
            _ cell: MatrixCell, _ transport: MatrixCell.TransportKind, _ source: RESTSource, _ stage: MatrixCell.Stage,
            url: String, cassette: String
        ) async throws {
            let environment = MatrixCell.environment()
            let adapters = stage.adapters(to: url, cassette: cassette)
            func open() async throws -> Synchronizer {
                try await cell.client(Self.base, transport, stage, adapters, cassette: cassette, environment)
            }
            var client = try await open()
            try await pull(client)
            #expect(try await client.records(matching: Query("tasks")).count == 10)

            stage.setOffline(true)
            func uri(_ id: Int) -> ObjectURI { ObjectURI(entity: "tasks", id: "\(id)") }
            _ = try await client.save(["title": "New A", "rank": 31, "done": false], as: "tasks")
            let second = try await client.save(["title": "New B", "rank": 32, "done": false], as: "tasks")
            try await client.edit(uri(1), setting: [("title", "Mine")])
            try await client.edit(uri(2), setting: [("rank", 22)])
            try await client.delete(uri(3))
            try await client.edit(uri(4), setting: [("done", true)])
            try await client.close()

            try source.edit("tasks", "1", ["title": "Theirs"])
            try source.edit("tasks", "2", ["title": "Theirs"])
            try source.remove("tasks", "5")

            client = try await open()
            try await client.edit(second, setting: [("done", true)])
            stage.setOffline(false)
            try await pull(client, conflicts: 1)
            let conflicted = try await client.pending().filter {
                if case .conflicted? = $0.meta.outgoing?.phase { true } else { false }
            }
            #expect(conflicted.map(\.uri) == [uri(1)], "\(transport)")
            try await client.close()

            client = try await open()
            try await client.resolve(uri(1), .mine)
            let report = try await client.push()
            #expect(report.failures.isEmpty && report.unreachable == nil && report.ignored.isEmpty, "\(report)")
            try await pull(client)
            #expect(try await client.pending().isEmpty)
            #expect(try await contents(client) == Self.end, "the client, by \(transport)")
            // The first name of an object leads to it still.
            #expect(try await client.record(at: second)?["title"] == "New B")
            try await client.close()
        }

        private func pull(_ client: Synchronizer, conflicts: Int = 0) async throws {
            var options = Synchronizer.PullOptions()
            options.full = true
            let report = try await client.pull(options: options)
            for (entity, result) in report.entities {
                #expect(result.problem == nil && result.warnings.isEmpty, "\(entity): \(result)")
                #expect(result.conflicted == conflicts, "\(entity): \(result)")
            }
        }

        private func contents(_ client: Synchronizer) async throws -> [String] {
            try await client.records(matching: Query("tasks")).map { line($0.uri.id, $0.record) }
        }

        private func contents(_ source: RESTSource) -> [String] {
            source.objects("tasks").map { line($0["id"]?.text ?? "", $0) }
        }

        private func line(_ id: String, _ record: ObjectRecord) -> String {
            let values = ["title", "rank", "done"].map { record[$0]?.text ?? "-" }
            return "\(id): \(values.joined(separator: ", "))"
        }
    }

    /// Sends to a server on another port what goes to the base, so that recorded addresses do not change from run to run.
    struct Rebased: Transport {
        private let transport: any Transport
        private let url: String
        private let base = "http://api.example.com/api"

        init(_ transport: any Transport, to url: String) {
            self.transport = transport
            self.url = url
        }

        func send(_ request: Request) async throws -> Response {
            var request = request
            request.url = request.url.replacing(base, with: url, maxReplacements: 1)
            return try await transport.send(request)
        }
    }
#endif
