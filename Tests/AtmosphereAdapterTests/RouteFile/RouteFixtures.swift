#if YAML
    import Atmosphere
    import AtmosphereCloudKit
    import AtmosphereDjangoREST
    import AtmosphereGoogleTasks
    import AtmospherePlain
    import AtmosphereReplay
    import AtmosphereYAML
    import Foundation

    /// The fixture route files, and what is linked to read them.
    enum RouteFixtures {
        static let adapters: [Adapter] = [.yaml, .djangoREST, .googleTasks, .plain]

        /// Those with needs are linked where a fixture is about them; the others name what is linked.
        static func adapters(for fixture: String) -> [Adapter] {
            fixture.hasPrefix("needs-") ? adapters + [.cloudKitChanges, .replay] : adapters
        }

        static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/RouteFiles")

        static func names(in part: String, ending: String) -> [String] {
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: part).path)
            return (names ?? []).filter { $0.hasSuffix(ending) }.sorted()
        }

        static func bytes(_ path: String) throws -> [UInt8] {
            Array(try Data(contentsOf: folder.appending(path: path)))
        }

        static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

        static func load(_ name: String) throws -> RouteFile {
            try RouteFile.load(bytes: bytes("good/\(name)"), source: name, adapters: adapters)
        }

        static func load(text: String) throws -> RouteFile {
            try RouteFile.load(bytes: Array(text.utf8), source: "routes.yaml", adapters: adapters)
        }
    }
#endif
