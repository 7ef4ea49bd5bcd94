#if Source && YAML && Curl && XML && SQLite
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereDjangoREST
    import AtmosphereJSONFile
    import AtmospherePlain
    import AtmosphereRails
    import AtmosphereReplay
    import AtmosphereSQLite
    import AtmosphereSource
    import AtmosphereURLSession
    import AtmosphereXML
    import AtmosphereYAML
    import Foundation
    import Synchronization
    import Testing

    /// One choice of store, format and style; every transport runs in it.
    struct MatrixCell: Sendable, CustomTestStringConvertible {
        enum StoreKind: String, CaseIterable { case memory, jsonFile = "json-file", sqlite }
        enum Format: String, CaseIterable { case json, xml }
        enum Style: String, CaseIterable { case plain, djangoREST = "django-rest", rails }
        enum TransportKind: String, CaseIterable { case curl, urlsession, replay }

        var store: StoreKind
        var format: Format
        var style: Style

        var testDescription: String { "\(store.rawValue), \(format.rawValue), \(style.rawValue)" }

        static let all: [MatrixCell] = StoreKind.allCases.flatMap { store in
            Format.allCases.flatMap { format in
                Style.allCases.map { MatrixCell(store: store, format: format, style: $0) }
            }
        }

        private static let parts: [Adapter] = [.yaml, .plain, .djangoREST, .rails, .xml]

        func routeFile(base: String) throws -> RouteFile {
            let own =
                switch style {
                case .plain: "deletes: absent"
                case .djangoREST:
                    """
                    pages: { size: { parameter: page_size, value: 4 } }
                    deletes: absent
                    readonly: [modified]
                    lookup: { field: uuid, query: uuid }
                    duplicate: { status: 400, field: uuid }
                    """
                case .rails:
                    """
                    pages: { size: { parameter: per_page, value: 4 } }
                    deletes: absent
                    version: { field: lock_version, send: body }
                    readonly: [lock_version]
                    """
                }
            let text = """
                atmosphere: 1
                style: \(style.rawValue)
                base: \(base)
                format: \(format.rawValue)
                store: \(store.rawValue)
                \(format == .xml && style == .plain ? "absent-equals: [null, \"\"]" : "")
                types: { id: integer, rank: integer, done: boolean }
                conflict: { clash: ask }
                limits: { concurrent: 1 }
                \(own)
                resources:
                  tasks: {}

                """
            return try RouteFile.load(bytes: Array(text.utf8), source: "matrix.yaml", adapters: Self.parts)
        }

        func makeSource() throws -> RESTSource {
            var options = RESTSource.Options()
            // 2024-06-01T12:00:00Z
            options.clock = { Timestamp(milliseconds: 1_717_243_200_000) }
            let source = try RESTSource(
                routeFile: routeFile(base: "http://127.0.0.1/api"), options: options, adapters: Self.parts)
            for number in 1...10 {
                let title = "Task \(number)"
                try source.add(
                    "tasks", ["title": .string(title), "rank": .number(JSONNumber(number)), "done": false])
            }
            return source
        }

        /// Opens stores in one folder, again and again.
        final class Storage: Sendable {
            private let kind: StoreKind
            private let folder: String
            private let memory = MemoryStore()

            init(_ kind: StoreKind) throws {
                self.kind = kind
                folder = NSTemporaryDirectory() + "atmosphere-matrix-" + UUID().uuidString
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            }

            deinit { try? FileManager.default.removeItem(atPath: folder) }

            func file(_ name: String) -> String { folder + "/" + name }

            func open() throws -> any Store {
                switch kind {
                // What ends with the process cannot be opened again; the same store is used by the next synchronizer.
                case .memory: memory
                case .jsonFile: try JSONFileStore(path: file("data.store"))
                case .sqlite: try SQLiteStore(path: file("data.db"))
                }
            }

            func end(_ client: Synchronizer) async throws { if kind != .memory { try await client.close() } }
        }

        /// Identifiers and times that are the same in every run, so that a recorded run can be replayed.
        static func environment() -> SyncEnvironment {
            let count = Counter()
            return SyncEnvironment(
                now: { Timestamp(milliseconds: 1_717_243_200_000) },
                sleep: { _ in try Task.checkCancellation() },
                makeUUID: {
                    let digits = String(count.next())
                    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
                },
                random: { 0.5 })
        }

        private final class Counter: Sendable {
            private let state = Mutex(0)

            func next() -> Int {
                state.withLock {
                    $0 += 1
                    return $0
                }
            }
        }

        func client(
            _ base: String, _ storage: Storage, _ transport: any Transport, _ environment: SyncEnvironment
        ) async throws -> Synchronizer {
            let file = try routeFile(base: base)
            return try await Synchronizer(
                routeFile: file, store: storage.open(), transport: transport,
                style: Self.parts.style(named: file.style),
                extractors: [XMLExtractor()], writers: [XMLBodyWriter()], environment: environment)
        }
    }
#endif
