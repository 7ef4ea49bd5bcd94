#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports
    internal import AtmosphereSource
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    struct SourceCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "source",
            abstract: "Serve the API that the route file describes, from memory.",
            discussion: """
                For demonstrations, tests and trying things out. Prints its URL and runs until SIGINT or SIGTERM; then the \
                data is gone. Only this machine can reach it.

                Where the route file says auth.oauth2, the endpoints are served at the paths of its URLs, for the client \
                that it names, and whoever signs in is let in; for auth.session the login is served. \
                Where it says ask, what a person has to type is in ATMOS_USERNAME, ATMOS_PASSWORD, ATMOS_TOKEN or ATMOS_KEY.

                With --token-endpoint access tokens are given out at /token of the same host, for the client “app” with \
                the secret “app-secret” and the refresh token “refresh” (and by client credentials); they sign in beside \
                the token of auth.bearer.

                With --rotate a refresh token is worth nothing after its use, and the answer has the next one.

                To see how an application does on a bad network, let requests go wrong: --rate R for that part of them, \
                chosen by --fault-seed N, or --faults FILE for a plan (seed, rate, kinds, most, delay, retry-after, \
                rules). The same plan and the same requests give the same faults. Each request is printed with what \
                became of it, and at the end a summary that counts objects which were created twice. The faults are \
                \(faults). A plan in YAML:

                  seed: 7
                  rate: 0.2
                  kinds: [drop-after, 503]
                  rules: [{ fault: drop-after, method: POST, path: tasks, nth: 1 }]

                With --notify each change is told to a notification server (atmos serve) as the whole object, to the rooms \
                ENTITY, ENTITY/ID and those of what the object stands below, and to the users of --notify-to. No request \
                waits for that: while the server is away the newest 10,000 changes are kept.

                EXAMPLE
                  atmos source -c tasks.yaml --port 8080 --seed 100 --latency 20
                  atmos source -c tasks.yaml --rate 0.2 --fault-seed 7 --json
                """)

        @OptionGroup var global: GlobalOptions

        @Option(
            help: ArgumentHelp(
                "The port; 0 for any free one.",
                discussion: "Without it: the port of the route file's base where that is on this machine, else any.",
                valueName: "p"))
        var port: Int?

        @Option(help: ArgumentHelp("Generated objects of each entity.", valueName: "n"))
        var seed = 0

        @Option(help: ArgumentHelp("Hold each answer back for so many milliseconds.", valueName: "ms"))
        var latency = 0

        @Flag(help: "Give out access tokens at /token.")
        var tokenEndpoint = false

        @Flag(help: "With --token-endpoint: each refresh gives a new refresh token.")
        var rotate = false

        @Option(help: ArgumentHelp("A plan of faults, in YAML or JSON.", valueName: "file"))
        var faults: String?

        @Option(help: ArgumentHelp("The part of the requests that go wrong, from 0 to 1.", valueName: "r"))
        var rate: Double?

        @Option(help: ArgumentHelp("Chooses them; the same number gives the same faults.", valueName: "n"))
        var faultSeed: UInt64?

        @Option(help: ArgumentHelp("The notification server that is told what changes.", valueName: "url"))
        var notify: String?

        @Option(help: ArgumentHelp("A publisher's key of that server, from the environment.", valueName: "secret:name"))
        var notifyKey: String?

        @Option(help: ArgumentHelp("A user who is told of each change; may be given again.", valueName: "user"))
        var notifyTo: [String] = []

        func validate() throws {
            guard (0...600_000).contains(latency) else {
                throw ValidationError("--latency takes a number up to 600000")
            }
            if let port, !(0...65_535).contains(port) { throw ValidationError("--port takes a number from 0 to 65535") }
            guard (0...1_000_000).contains(seed) else { throw ValidationError("--seed takes a number up to 1000000") }
            if let rate, !(0...1).contains(rate) { throw ValidationError("--rate takes a number from 0 to 1") }
            if faults != nil, rate != nil || faultSeed != nil {
                throw ValidationError("--faults says everything itself; leave --rate and --fault-seed out")
            }
            if faultSeed != nil, rate == nil { throw ValidationError("--fault-seed needs --rate") }
            if let notify {
                let isWeb = notify.hasPrefix("http://") || notify.hasPrefix("https://")
                guard isWeb, !notify.contains(where: { "?#@ ".contains($0) }) else {
                    throw ValidationError("--notify takes an http or https URL without a query, a name or a password")
                }
                if RequestOrigin(notify).isReadableOnTheWay {
                    throw ValidationError("--notify takes https, or http on this machine; others could read the key")
                }
            }
            guard (notify == nil) == (notifyKey == nil) else {
                throw ValidationError("--notify and --notify-key go together")
            }
            if let notifyKey, !notifyKey.hasPrefix("secret:") || notifyKey.count <= 7 {
                throw ValidationError("--notify-key takes secret:NAME; other processes can see arguments")
            }
            if !notifyTo.isEmpty, notify == nil { throw ValidationError("--notify-to needs --notify") }
            if rotate, !tokenEndpoint { throw ValidationError("--rotate needs --token-endpoint") }
        }

        func run(_ output: Output) async throws {
            // Compares secrets, and sends none.
            let routeFile = try global.unaskedRouteFile()
            var options = RESTSource.Options(port: port ?? Self.localPort(in: routeFile.base) ?? 0, seed: seed)
            options.latency = .milliseconds(latency)
            if tokenEndpoint, !routeFile.auth.isOAuth2 {
                options.oauth = .init(clientID: "app", clientSecret: "app-secret", refreshTokens: ["refresh"])
                options.oauth?.rotates = rotate
            }
            options.faults = try plan()
            if options.faults != nil {
                // Whoever does not listen may still use the source.
                options.onAnswer = { try? output.isJSON ? output.json($0.value) : output.line($0.line) }
            }
            let secrets = SecretSource(for: routeFile, environment: ProcessInfo.processInfo.environment)
            for name in routeFile.auth.serverSecretNames + (routeFile.key?.serverSecretNames ?? []) {
                options.secrets[name.name] = try secrets.secret(name).value
            }
            let publisher = try publisher(output)
            if let publisher { options.onChange = { publisher.publish($0) } }
            let source = try RESTSource(routeFile: routeFile, options: options, adapters: .linked)
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                if let publisher { group.addTask { await publisher.run() } }
                try await source.run { url in
                    // Whoever does not listen for the URL may still use the source.
                    try? output.isJSON ? output.json(["url": .string(url)]) : output.line(url)
                }
            }
            guard options.faults != nil else { return }
            let summary = source.summary
            try output.isJSON ? output.json(["summary": summary.value]) : output.lines(summary.lines)
        }

        /// What tells the notification server; nil where none is named. The route file has no say in where the key comes from.
        private func publisher(_ output: Output) throws -> ChangePublisher? {
            guard let notify, let notifyKey else { return nil }
            let secrets = SecretSource(environment: ProcessInfo.processInfo.environment)
            let key = try secrets.secret(SecretName(String(notifyKey.dropFirst(7))))
            var options = ChangePublisher.Options(
                url: notify.hasSuffix("/") ? String(notify.dropLast()) : notify, key: key)
            options.users = notifyTo
            let transport = try [Adapter].linked.transport(for: TransportSettings())
            return ChangePublisher(options, transport: transport) { output.warning($0) }
        }

        private func plan() throws -> RESTSource.FaultPlan? {
            if let rate { return .init(seed: faultSeed ?? 1, rate: rate) }
            guard let faults else { return nil }
            let bytes: [UInt8]
            do {
                bytes = Array(try Data(contentsOf: URL(filePath: faults)))
            } catch {
                throw CommandFailure.usage("\(faults) cannot be read; name a file that you may read")
            }
            return try RESTSource.FaultPlan(bytes: bytes, source: faults, adapters: .linked)
        }

        private static let faults = RESTSource.Fault.allCases.map(\.rawValue).joined(separator: ", ")

        /// `8080` of `http://127.0.0.1:8080/api`.
        static func localPort(in base: String) -> Int? {
            for host in ["http://127.0.0.1:", "http://localhost:"] where base.hasPrefix(host) {
                return Int(base.dropFirst(host.count).prefix { $0 != "/" })
            }
            return nil
        }
    }

    extension AuthSettings {
        fileprivate var isOAuth2: Bool { if case .oauth2 = self { true } else { false } }
    }
#endif
