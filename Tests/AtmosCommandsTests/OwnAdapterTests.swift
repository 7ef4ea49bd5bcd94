#if Command
    import Atmosphere
    import Foundation
    import Synchronization
    import Testing

    @testable import AtmosCommands

    @Suite("The command in a program of one's own") struct OwnAdapterTests {
        private func workspace() throws -> Workspace {
            let workspace = try Workspace()
            try workspace.write(
                """
                atmosphere: 1
                base: https://api.example.com
                store: { kind: house, path: tasks.house }
                transport: scripted
                auth: { kind: stamp, settings: { mark: ours } }
                resources: { tasks: {} }
                """, to: "tasks.yaml")
            return workspace
        }

        /// Puts a mark on each request.
        private struct Stamp: Authenticator {
            let mark: String

            func authorize(_ request: inout Request) async throws { request.headers["X-Mark"] = mark }
            func answer(_ challenge: Challenge) async throws -> ChallengeAnswer { .signInAgain }
        }

        /// A server with one task.
        private final class Fixed: Transport {
            let sent = Mutex<[String]>([])

            func send(_ request: Request) async throws -> Response {
                sent.withLock { $0.append("\(request.method) \(request.url) \(request.headers["X-Mark"] ?? "-")") }
                return Response(
                    status: 200, headers: ["Content-Type": "application/json"],
                    body: ResponseBody(Array(#"[{"id":1,"title":"Milk"}]"#.utf8)))
            }
        }

        @Test("a route file may name a store, a transport and an authenticator that the program brings along")
        func ownAdapters() async throws {
            let workspace = try workspace()
            let opened = Mutex<[String]>([])
            let transport = Fixed()
            let adapters: [Adapter] = [
                .store("house") { location in
                    opened.withLock { $0.append(location.path) }
                    return MemoryStore()
                },
                .transport("scripted") { _ in transport },
                .authenticator("stamp") { Stamp(mark: try $0.text("mark") ?? "") }
            ]
            let path = workspace.folder.appending(path: "tasks.yaml").path
            #expect(await AtmosCommandLine.perform(["pull", "-q", "--trust", "-c", path], adapters: adapters) == 0)
            #expect(transport.sent.withLock { $0 } == ["GET https://api.example.com/tasks ours"])
            #expect(
                opened.withLock { $0 } == [workspace.folder.appending(path: "tasks.house").path])
        }

        @Test("without them the route file is refused at their places")
        func withoutThem() async throws {
            let run = try await workspace().atmos("validate", "-c", "tasks.yaml")
            #expect(run.status == 2, "\(run)")
            for line in [
                "atmos: tasks.yaml:3:16: store “house” is not linked",
                "atmos: tasks.yaml:4:12: transport “scripted” is not linked",
                "atmos: tasks.yaml:5:15: authenticator “stamp” is not linked; linked are: oauth2"
            ] {
                #expect(run.errors.contains(line), "\(run)")
            }
        }

        /// The `main` of the guide: compiled only.
        private func uncalled() async {
            exit(await AtmosCommandLine.run(Array(CommandLine.arguments.dropFirst()), adapters: [.memory]))
        }
    }
#endif
