#if Command
    import Atmosphere
    import AtmosphereNotifications
    import Foundation
    import Testing

    @testable import EchoServer

    /// Scripts of `Tests/Interop/socketio`, with stock clients from PyPI.
    enum SocketIOPeer {
        private static let folder = PeerServer.folder("socketio")

        /// Installed once for all tests: nil, with the reason printed, where there is no Python.
        private static let python: URL? = {
            let environment = PeerServer.packageRoot.appendingPathComponent(".build/interop-socketio")
            let arguments = [
                environment.path, folder.appendingPathComponent("requirements.txt").path,
                "socketio,requests,websocket,aiohttp,uvicorn,websockets,werkzeug,redis"
            ]
            return PeerServer.setUp("django", arguments: arguments)
                ? environment.appendingPathComponent("bin/python") : nil
        }()

        /// Without it the tests are skipped visibly, but fail in CI.
        static var isAvailable: Bool { python != nil || ProcessInfo.processInfo.environment["CI"] != nil }

        static func process(_ script: String, _ arguments: [String]) throws -> (Process, Pipe) {
            let python = try #require(python, "Tests/Interop/django/setup.sh failed; see its output above")
            let process = Process()
            process.executableURL = python
            process.arguments = [folder.appendingPathComponent(script).path] + arguments
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            return (process, output)
        }

        /// Runs a script to its end.
        static func run(
            _ script: String, _ arguments: [String], seconds: TimeInterval = 1_200
        ) async throws -> (status: Int32, output: String) {
            let python = try #require(python, "Tests/Interop/django/setup.sh failed; see its output above")
            return try await runToEnd(
                python, [folder.appendingPathComponent(script).path] + arguments, seconds: seconds)
        }
    }

    @Suite(
        "Socket.IO with stock clients", .serialized, .timeLimit(.minutes(10)),
        .enabled(if: SocketIOPeer.isAvailable, "no Python with venv here"))
    struct SocketIOTests {
        /// Its deadlines are short and its limits tight, so it has the machine for itself: `make test` runs it before the
        /// others.
        @Test(
            "the server does what the protocol documents and their suites say",
            .enabled(
                if: ProcessInfo.processInfo.environment["ATMOSPHERE_TIMINGS"] != nil,
                "measures times, alone: ATMOSPHERE_TIMINGS=1 swift test --filter protocolSuites"))
        func protocolSuites() async throws {
            let result = try await EchoApplication.serve { _, url in
                try await SocketIOPeer.run("protocol.py", [url])
            }
            #expect(result.status == 0, "\(result.output)")
            #expect(result.output.hasSuffix(" checks\n"))
        }

        @Test(
            "python-socketio clients exchange text, bytes and acknowledgements, over each transport and the upgrade",
            arguments: ["sync", "async"], ["polling", "websocket", "polling,websocket"])
        func pythonClient(kind: String, transports: String) async throws {
            let result = try await EchoApplication.serve(isPatient: true) { _, url in
                try await SocketIOPeer.run("client.py", [url, kind, transports])
            }
            try #require(result.status == 0, "\(result.output)")
            let seen = try #require(try Value(json: Array(result.output.utf8)).members)
            let bytes: Value = ["bytes": [1, 2, 3]]
            let mixed: Value = ["a": [["bytes": []], 1, nil, "€"]]
            #expect(seen["auth"] == ["token": "123"] && seen["custom"] == ["token": "123"])
            #expect(seen["back"] == [[1, "2", ["3": [true]]], [bytes, mixed]])
            #expect(seen["ack"] == [1, "2", ["3": [false]]])
            #expect(seen["binary_ack"] == [bytes, mixed])
            #expect(seen["answered"] == [7, 42, ["bytes": [9]]])
            #expect(seen["custom_ack"] == "in custom" && seen["alive"] == "still here")
            #expect(seen["transport"] == .string(transports == "polling" ? "polling" : "websocket"))
            #expect(seen["refused"] != false && seen["refused"] != nil)
        }

        @Test("peers that trickle, flood, fall silent or send no end are ended, and the others hardly notice")
        func abuse() async throws {
            let result = try await EchoApplication.serve(isPatient: true) { _, url in
                try await SocketIOPeer.run("abuse.py", [url])
            }
            #expect(result.status == 0, "\(result.output)")
        }

        @Test("a client that is killed is gone at once over WebSocket, and between two polls by its missing pong")
        func killed() async throws {
            // No missing pong tells it within the time limit of these tests.
            try await expectEnd(transport: "websocket", pingTimeout: .seconds(3600))
            try await expectEnd(transport: "polling", pingTimeout: .seconds(5))
        }

        private func expectEnd(transport: String, pingTimeout: Duration) async throws {
            let (departures, departure) = AsyncStream<Void>.makeStream()
            try await EchoApplication.serve(
                isPatient: true, pingTimeout: pingTimeout, left: { departure.yield() }
            ) { _, url in
                try await onOwnThread {
                    let (process, output) = try SocketIOPeer.process("client.py", [url, "sync", transport, "stay"])
                    try process.start()
                    let line = try output.fileHandleForReading.read(upToCount: 7)
                    try #require(line == Data("joined\n".utf8))
                    kill(process.processIdentifier, SIGKILL)
                    process.waitUntilExit()
                }
                var isGone = false
                for await _ in departures {
                    isGone = true
                    break
                }
                #expect(isGone, "\(transport)")
            }
        }
    }
#endif
