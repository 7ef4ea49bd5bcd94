#if Command
    import Foundation
    import Testing

    /// The gateway, driven by others' tools.
    @Suite("gateway", .serialized, .enabled(if: SocketIOPeer.isAvailable, "no Python with venv here"))
    struct GatewayTests {
        /// A script of `Tests/Interop/gateway`, on a folder with a route file whose server is not there.
        private static func run(
            _ script: String, _ arguments: String..., seconds: TimeInterval = 1_200
        ) async throws -> (Int32, String) {
            let folder = try TemporaryFolder.make()
            defer { try? FileManager.default.removeItem(at: folder) }
            let text = """
                atmosphere: 1
                name: tasks
                style: plain
                base: http://127.0.0.1:9/api
                store: { kind: sqlite, path: tasks.db }
                resources:
                  tasks:
                    attachments: { photo: { upload: { path: "tasks/{id}/photo" } } }
                """
            try Data(text.utf8).write(to: folder.appendingPathComponent("atmosphere.yaml"))
            return try await SocketIOPeer.run(
                "../gateway/\(script)", [AtmosCommand.binary.path, folder.path] + arguments, seconds: seconds)
        }

        /// A script of `Tests/Interop/gateway` that serves an API by itself and reads the gateway's description.
        private static func runServed(_ script: String, _ arguments: String...) async throws -> (Int32, String) {
            try await runToEnd(
                URL(fileURLWithPath: "/bin/bash"),
                [
                    PeerServer.folder("gateway").appendingPathComponent(script).path, AtmosCommand.binary.path,
                    PeerServer.packageRoot.appendingPathComponent(".build/interop-schemathesis").path
                ] + arguments)
        }

        @Test("nothing that the description knows is answered with a 5xx, or outside of its schema")
        func description() async throws {
            let (status, output) = try await Self.runServed("check.sh", "5")
            #expect(status == 0, "\(output)")
        }

        @Test("a client that openapi-python-client makes from the description keeps every member, also unnamed ones")
        func generatedClient() async throws {
            let (status, output) = try await Self.runServed("client.sh")
            #expect(status == 0 && output.hasSuffix("keeps every member\n"), "\(output)")
        }

        @Test("python-socketio hears what changes, catches up, and is told nothing without the token")
        func events() async throws {
            let (status, output) = try await Self.run("events.py")
            #expect(status == 0 && output.hasSuffix("by nobody without the token\n"), "\(output)")
        }

        @Test("what must be refused is refused, and costs no memory")
        func attacks() async throws {
            let (status, output) = try await Self.run("attack.py", "300")
            #expect(status == 0 && output.hasSuffix("refused all of it\n"), "\(output)")
        }

        /// All steps up to that of this number; many more where the environment asks for it.
        private static let takesAll = ProcessInfo.processInfo.environment["ATMOSPHERE_ALL_POINTS"] == "1"

        @Test(
            "twenty pages write while the gateway is killed between any two steps: what was acknowledged is there once")
        func kills() async throws {
            let (status, output) = try await Self.run(
                "kill.py", Self.takesAll ? "200" : "12", "1", seconds: Self.takesAll ? 7_200 : 1_200)
            #expect(status == 0, "\(output)")
        }
    }
#endif
