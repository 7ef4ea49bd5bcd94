#if Command
    import Foundation
    import Testing

    /// The gateway, driven by others' tools.
    @Suite("gateway", .serialized, .enabled(if: DjangoServer.isAvailable, "no Python with venv here"))
    struct GatewayTests {
        @Test("nothing that the description knows is answered with a 5xx, or outside of its schema")
        func description() async throws {
            let output = try await onOwnThread {
                let check = Process()
                let output = Pipe()
                check.executableURL = URL(fileURLWithPath: "/bin/bash")
                check.arguments = [
                    PeerServer.folder("gateway").appendingPathComponent("check.sh").path, AtmosCommand.binary.path,
                    PeerServer.packageRoot.appendingPathComponent(".build/interop-schemathesis").path, "5"
                ]
                check.standardOutput = output
                check.standardError = output
                try check.run()
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                check.waitUntilExit()
                return (check.terminationStatus, text)
            }
            #expect(output.0 == 0, "\(output.1)")
        }
    }
#endif
