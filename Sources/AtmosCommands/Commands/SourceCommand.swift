#if Command
    internal import ArgumentParser
    internal import Atmosphere
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

                With --token-endpoint access tokens are given out at /token of the same host, for the client “app” with \
                the secret “app-secret” and the refresh token “refresh” (and by client credentials); they sign in beside \
                the token of auth.bearer.

                EXAMPLE
                  atmos source -c tasks.yaml --port 8080 --seed 100 --latency 20
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

        func validate() throws {
            guard (0...600_000).contains(latency) else {
                throw ValidationError("--latency takes a number up to 600000")
            }
            if let port, !(0...65_535).contains(port) { throw ValidationError("--port takes a number from 0 to 65535") }
            guard (0...1_000_000).contains(seed) else { throw ValidationError("--seed takes a number up to 1000000") }
        }

        func run(_ output: Output) async throws {
            let routeFile = try global.routeFile()
            var options = RESTSource.Options(port: port ?? Self.localPort(in: routeFile.base) ?? 0, seed: seed)
            options.latency = .milliseconds(latency)
            if tokenEndpoint {
                options.oauth = .init(clientID: "app", clientSecret: "app-secret", refreshTokens: ["refresh"])
            }
            let secrets = SecretSource(for: routeFile, environment: ProcessInfo.processInfo.environment)
            for name in routeFile.auth.secretNames { options.secrets[name.name] = try secrets.secret(name).value }
            let source = try RESTSource(routeFile: routeFile, options: options)
            try await source.run { url in
                // Whoever does not listen for the URL may still use the source.
                try? output.isJSON ? output.json(["url": .string(url)]) : output.line(url)
            }
        }

        /// `8080` of `http://127.0.0.1:8080/api`.
        static func localPort(in base: String) -> Int? {
            for host in ["http://127.0.0.1:", "http://localhost:"] where base.hasPrefix(host) {
                return Int(base.dropFirst(host.count).prefix { $0 != "/" })
            }
            return nil
        }
    }

    extension AuthSettings {
        fileprivate var secretNames: [SecretName] {
            switch self {
            case .none: []
            case .basic(.secret(let username), let password): [username, password]
            case .basic(.literal, let password): [password]
            case .bearer(let secret), .token(_, let secret), .keyInHeader(_, let secret), .keyInQuery(_, let secret):
                [secret]
            }
        }
    }
#endif
