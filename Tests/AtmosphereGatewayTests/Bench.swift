#if Gateway && Source && Curl && YAML
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereDjangoREST
    import AtmosphereSource
    import AtmosphereYAML
    import Synchronization
    import Testing

    @testable import AtmosphereGateway

    /// A gateway without a socket, in front of a local copy of an API that is served.
    final class Bench: Sendable {
        static let token = "0123456789abcdef0123456789abcdef"
        static let port = 8770

        /// What a request was answered with.
        struct Answer: CustomStringConvertible {
            var status: Int
            var headers: HeaderFields
            var bytes: [UInt8]

            var value: Value { (try? Value(json: bytes)) ?? .null }
            var code: String? { value.members?["code"]?.string }
            var detail: String { value.members?["detail"]?.string ?? "" }
            var items: [Value] { value.members?["items"]?.array ?? [] }
            var description: String { "\(status) \(headers.fields) \(String(decoding: bytes, as: UTF8.self))" }

            subscript(name: String) -> Value? { value.members?[name] }
        }

        let source: RESTSource
        let synchronizer: Synchronizer
        let gateway: Gateway
        let service: GatewayService

        private init(_ source: RESTSource, _ base: String, _ options: Gateway.Options) async throws {
            self.source = source
            let file = try RouteFile.load(
                bytes: Array(Self.text(base: base).utf8), source: "tasks.yaml", adapters: [.yaml, .djangoREST])
            let network = Mutex<OfflineSwitch?>(nil)
            synchronizer = try await Synchronizer.open(
                file, adapters: [.yaml, .djangoREST, .curl, .memory],
                wrapping: { transport in
                    let wrapped = transport.switchable()
                    network.withLock { $0 = wrapped }
                    return wrapped
                })
            var options = options
            options.token = Self.token
            gateway = try Gateway(synchronizer, options: options, network: network.withLock { $0 })
            service = gateway.service(port: Self.port)
        }

        private static func text(base: String) -> String {
            """
            atmosphere: 1
            name: tasks
            style: django-rest
            base: \(base)
            store: { kind: memory }
            limits: { attempts: 1 }
            resources:
              lists:
                deletes: absent
              tasks:
                parent: { lists: list }
                types: { done: boolean, rank: integer, due: date, at: instant }
                readonly: [modified]
                conflict: { clash: ask }
                lookup: { field: uuid, query: uuid }
                actions:
                  archive: { post: "tasks/{id}/archive/" }
                attachments:
                  photo: { upload: { path: "tasks/{id}/photo/" }, download: { path: "tasks/{id}/photo/" } }

            """
        }

        /// A source with one list and three tasks that serves, and a gateway in front of a copy of it.
        static func serving(
            _ options: Gateway.Options = .init(), pulled: Bool = true, _ body: (Bench) async throws -> Void
        ) async throws {
            let file = try RouteFile.load(
                bytes: Array(text(base: "http://127.0.0.1/api").utf8), source: "tasks.yaml",
                adapters: [.yaml, .djangoREST])
            let source = try RESTSource(routeFile: file)
            try source.add("lists", ["title": "Home"])
            for (title, rank) in [("Milk", 2), ("Bread", 1), ("Salt", 3)] {
                try source.add("tasks", ["title": .string(title), "list": 1, "rank": .init(integerLiteral: rank)])
            }
            try await source.withServer { base in
                let bench = try await Bench(source, base, options)
                if pulled { try await bench.synchronizer.pull() }
                try await body(bench)
                bench.service.end()
                try await bench.synchronizer.close()
            }
        }

        // MARK: Asking

        /// As a program does, unless the headers say otherwise.
        func ask(
            _ method: String, _ target: String, _ body: Value? = nil, headers: HeaderFields = [:],
            bytes: [UInt8]? = nil,
            withToken: Bool = true
        ) async throws -> Answer {
            var all = headers
            if all["Host"] == nil { all["Host"] = "127.0.0.1:\(Self.port)" }
            if withToken, all["Authorization"] == nil { all["Authorization"] = "Bearer \(Self.token)" }
            if body != nil, all["Content-Type"] == nil { all["Content-Type"] = "application/json" }
            let content = bytes ?? body?.json() ?? []
            let request = GatewayRequest(method: method, target: target, headers: all) { each in
                // In two pieces, as it may come.
                let half = content.count / 2
                for piece in [content[..<half], content[half...]] where !piece.isEmpty { try await each(Array(piece)) }
            }
            let answer = await service.answer(request)
            var received: [UInt8] = []
            switch answer.body {
            case .none: break
            case .bytes(let bytes): received = bytes
            case .stream(_, let stream): received = try await stream.collect(upTo: 1 << 20)
            case .events(let client):
                received = await client.next() ?? []
                client.end()
            }
            return Answer(status: answer.status, headers: answer.headers, bytes: received)
        }

        /// Pushes and pulls through the gateway.
        func sync() async throws -> Answer { try await ask("POST", "/v1/sync") }
    }
#endif
