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

        fileprivate static let parts: [Adapter] = [.yaml, .plain, .djangoREST, .rails, .xml]

        func routeFile(
            base: String, transport: String = "curl", adapters: [Adapter] = parts
        ) throws -> RouteFile {
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
                transport: \(transport)
                \(format == .xml && style == .plain ? "absent-equals: [null, \"\"]" : "")
                types: { id: integer, rank: integer, done: boolean }
                conflict: { clash: ask }
                limits: { concurrent: 1 }
                \(own)
                resources:
                  tasks: {}

                """
            return try RouteFile.load(bytes: Array(text.utf8), source: "matrix.yaml", adapters: adapters)
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

        /// What outlives the clients of one run: a folder, what a process with a store in memory would have kept, and the
        /// network.
        final class Stage: Sendable {
            let folder: String
            private let memory = Mutex(StoreState())
            private let made = Mutex<(network: OfflineSwitch, inner: any Transport)?>(nil)

            init() throws {
                folder = NSTemporaryDirectory() + "atmosphere-matrix-" + UUID().uuidString
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            }

            deinit { try? FileManager.default.removeItem(atPath: folder) }

            func file(_ name: String) -> String { folder + "/" + name }

            func setOffline(_ isOffline: Bool) { made.withLock { $0?.network.isOffline = isOffline } }

            var replay: ReplayTransport? { made.withLock { $0?.inner as? ReplayTransport } }

            /// What the route file chooses among, by name.
            func adapters(to url: String, cassette: String) -> [Adapter] {
                let network: [Adapter] = [
                    .transport("curl") { settings in
                        try self.once {
                            try RecordingTransport(
                                Rebased([Adapter.curl].transport(for: settings), to: url), to: cassette)
                        }
                    },
                    .transport("urlsession") { settings in
                        try self.once {
                            #if canImport(Darwin)
                                let transport = try [Adapter.urlSession].transport(for: settings)
                            #else
                                // There the adapter of that name refuses route files, because of answers that end the
                                // process. The source gives none, so that the transport itself can be compared.
                                let transport = URLSessionTransport(settings: settings)
                            #endif
                            return Rebased(transport, to: url)
                        }
                    },
                    // What curl has recorded; the server is not asked again.
                    .transport("replay", needs: ["path"]) { settings in
                        try self.once { try [Adapter.replay].transport(for: settings) }
                    }
                ]
                let memory = Adapter.store("memory") { _ in
                    MemoryStore(name: "the matrix", state: self.memory.withLock { $0 }) { state, _ in
                        self.memory.withLock { $0 = state }
                    }
                }
                return MatrixCell.parts + network + [memory, .jsonFile, .sqlite]
            }

            /// One for all clients: a recording is one file, and a replay goes on where it was.
            private func once(_ make: () throws -> any Transport) throws -> any Transport {
                try made.withLock { made in
                    if let made { return made.network }
                    let inner = try make()
                    let network = OfflineSwitch(inner)
                    made = (network, inner)
                    return network
                }
            }
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

        /// Opens what the route file says, and nothing else.
        func client(
            _ base: String, _ transport: TransportKind, _ stage: Stage, _ adapters: [Adapter], cassette: String,
            _ environment: SyncEnvironment
        ) async throws -> Synchronizer {
            let path = transport == .replay ? ", path: \"\(cassette)\"" : ""
            let file = try routeFile(
                base: base, transport: "{ kind: \(transport.rawValue)\(path) }", adapters: adapters)
            return try await Synchronizer.open(
                file, adapters: adapters, folder: stage.folder, environment: environment)
        }
    }
#endif
