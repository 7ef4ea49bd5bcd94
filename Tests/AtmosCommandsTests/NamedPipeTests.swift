#if Command
    import Foundation
    import Testing

    /// Nobody waits for the writer of a pipe that stands where a file should.
    @Suite("Named pipes in the place of files", .timeLimit(.minutes(2))) struct NamedPipeTests {
        @Test("attach refuses one")
        func attach() async throws {
            let workspace = try TestAPI.offline()
            try workspace.makePipe("pipe")
            let run = try await workspace.atmos("attach", "tasks/1", "photo", "pipe")
            #expect(run == .init(2, errors: "atmos: pipe is no file; name one that you may read\n"))
        }

        @Test(
            "serve refuses one for certificates and keys",
            arguments: [
                ["--tls-certificate", "pipe", "--tls-key", "pipe"],
                ["--redis", "rediss://127.0.0.1:1", "--redis-ca", "pipe"]
            ])
        func serve(_ options: [String]) async throws {
            let workspace = try Workspace()
            try workspace.write("publisher-0123456789 backend\n", to: "publishers.keys")
            try workspace.write("ann-0123456789abcdef ann\n", to: "clients.keys")
            try workspace.makePipe("pipe")
            let who = ["serve", "--port", "0", "--publishers", "publishers.keys", "--clients", "clients.keys"]
            let run = try await workspace.start(who + options).end()
            #expect(run.status == 2 && run.errors.contains("pipe: is not a regular file"), "\(run)")
        }

        @Test("listen refuses one for live.certificates")
        func listen() async throws {
            let workspace = try Workspace()
            let live = #"live: { url: "wss://127.0.0.1:1", key: "secret:K", certificates: pipe }"#
            try workspace.write(TestAPI.routeFile(base: "http://127.0.0.1:1/api", top: live), to: "atmosphere.yaml")
            try workspace.makePipe("pipe")
            let run = try await workspace.atmos("listen", environment: ["K": "ann-0123456789abcdef"])
            #expect(run.status != 0 && run.errors.contains("pipe: is not a regular file"), "\(run)")
        }
    }

    extension Workspace {
        fileprivate func makePipe(_ name: String) throws {
            try #require(mkfifo(folder.appending(path: name).path, 0o600) == 0)
        }
    }
#endif
