#if Command || Demo
    internal import Atmosphere
    internal import AtmosphereReports
    internal import AtmosphereCurl
    internal import AtmosphereSource
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// What the demo needs around it: a folder, a source that serves over HTTP, and two clients.
    struct DemoStage {
        static let styles = ["django-rest", "plain"]

        let folder: String
        private let style: String

        /// Makes the folder, readable by its owner only.
        init(style: String) throws {
            self.style = style
            let url = FileManager.default.temporaryDirectory.appending(
                path: "atmos-demo-\(UUID().uuidString.prefix(8))")
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            folder = url.path
        }

        func remove() { try? FileManager.default.removeItem(atPath: folder) }

        /// Everything that the story works with.
        struct Clients {
            var routeFile: RouteFile
            var source: RESTSource
            /// Can be switched offline.
            var first: Synchronizer
            var network: OfflineSwitch
            var second: Synchronizer
        }

        /// Serves, opens both clients, runs `body` and closes everything again.
        func withClients(
            log: @escaping @Sendable (SyncLogEntry) -> Void, _ body: (Clients) async throws -> Void
        ) async throws {
            // The source needs the paths of the API before its port is known.
            let api = try RouteFile.load(
                bytes: Array(text(base: "http://127.0.0.1/api").utf8), source: "demo.yaml", adapters: .linked)
            let source = try RESTSource(routeFile: api, options: .init(seed: 4), adapters: .linked)
            try await source.withServer { url in
                let path = "\(folder)/demo.yaml"
                try text(base: url).write(toFile: path, atomically: true, encoding: .utf8)
                let routeFile = try RouteFile.load(path: path, adapters: .linked)
                var otherFile = routeFile
                otherFile.store.path = "second.db"
                let network = OfflineSwitch(try CurlTransport(settings: routeFile.transport))
                let switched: [Adapter] = [.transport("curl") { _ in network }]
                let first = try await Synchronizer.open(routeFile, adapters: switched + .linked, log: log)
                let second = try await Synchronizer.open(otherFile, adapters: .linked, log: log)
                do {
                    try await body(
                        Clients(routeFile: routeFile, source: source, first: first, network: network, second: second))
                } catch {
                    // The story's error is the one to be told.
                    try? await first.close()
                    try? await second.close()
                    throw error
                }
                try await first.close()
                try await second.close()
            }
        }

        private func text(base: String) -> String {
            """
            atmosphere: 1
            name: demo
            style: \(style)
            base: \(base)
            store: { kind: sqlite, path: first.db }
            resources:
              lists:
                deletes: absent
              tasks:
                parent: { lists: list }
                types: { starred: boolean }
                since: { send: modified_since, from: { field: modified } }
                deletes: { field: deleted }
                readonly: [modified]
                lookup: { field: uuid, query: uuid }

            """
        }
    }
#endif
