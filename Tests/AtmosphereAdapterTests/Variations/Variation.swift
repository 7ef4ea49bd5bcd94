#if YAML
    import Atmosphere
    import AtmosphereDjangoREST
    import AtmospherePlain
    import AtmosphereRails
    import AtmosphereTesting
    import AtmosphereYAML
    import Synchronization
    import Testing

    /// A client of an API that exists only as a script: what differs from the style is a few lines of a route file.
    struct Variation: Sendable {
        let transport: ScriptedTransport
        let synchronizer: Synchronizer

        /// - Parameters:
        ///   - routes: the route file below `base`.
        ///   - store: another client's, to read it through another route file.
        ///   - authenticator: nil where requests are not signed.
        ///   - transport: of a server that is more than a script.
        ///   - environment: of a server that takes time.
        init(
            _ routes: String, style: String = "plain", adapters: [Adapter] = [], store: any Store = MemoryStore(),
            authenticator: (any Authenticator)? = nil, transport: ScriptedTransport = ScriptedTransport(),
            environment: SyncEnvironment = Self.environment()
        ) async throws {
            self.transport = transport
            let adapters = [.yaml, .plain, .djangoREST, .rails] + adapters
            let text = "atmosphere: 1\nstyle: \(style)\nbase: https://api.example/v1\n\(routes)\n"
            let file = try RouteFile.load(bytes: Array(text.utf8), source: "routes.yaml", adapters: adapters)
            synchronizer = try await Synchronizer(
                routeFile: file, store: store, transport: transport, style: adapters.style(named: style),
                extractors: Set(file.resources.map(\.format)).sorted().map { try adapters.extractor(format: $0) },
                writers: Set(file.resources.map(\.coding)).sorted().map { try adapters.writer(coding: $0) },
                authenticator: authenticator, environment: environment)
        }

        /// `METHOD /path?query body` of everything that was sent.
        var sent: [String] {
            transport.requests.map { recorded in
                let target = recorded.request.url.dropFirst("https://api.example/v1".count)
                return "\(recorded.request.method) \(target)" + (recorded.body.isEmpty ? "" : " \(recorded.text)")
            }
        }

        func titles(_ entity: String = "todos") async throws -> [String] {
            try await synchronizer.records(matching: Query(entity)).map { $0.record["title"]?.text ?? "" }
        }

        /// Time moves only when somebody sleeps; identifiers count up.
        static func environment() -> SyncEnvironment {
            let state = State()
            return SyncEnvironment(
                now: { Timestamp(milliseconds: state.now.withLock { $0 }) },
                sleep: { until in state.now.withLock { $0 = max($0, until.milliseconds) } },
                makeUUID: {
                    let count = state.count.withLock {
                        $0 += 1
                        return String($0)
                    }
                    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - count.count) + count
                },
                random: { 0.5 })
        }

        private final class State: Sendable {
            let now = Mutex(Int64(1_700_000_000_000))
            let count = Mutex(0)
        }
    }
#endif
