#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports
    internal import Foundation

    struct WhoamiCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "whoami",
            abstract: "Say who the server takes you for.",
            discussion: """
                Asks the server where auth.identity is declared; otherwise it says only what is known here. Ends with 4 \
                where nobody is signed in.

                EXAMPLE
                  atmos whoami
                """)

        @OptionGroup var global: GlobalOptions

        func run(_ output: Output) async throws {
            let routeFile = try global.routeFile(output)
            guard routeFile.auth != .none || routeFile.identity != nil else {
                throw CommandFailure.usage("\(routeFile.source) signs no request: its auth is none")
            }
            let identity = try await withSynchronizer(output) { try await $0.identity() }
            // After the request, which may have renewed the tokens.
            let authenticator = try SignIn.authenticator(for: routeFile) as? any SignInAuthenticator
            let state = try await authenticator?.signInState()
            if identity == nil, let state, !state.isSignedIn {
                throw CommandFailure(
                    code: "signInNeeded", ["nobody is signed in; run atmos login"], status: ExitStatus.network)
            }
            if identity == nil, state == nil {
                let secrets = SecretSource(for: routeFile, environment: ProcessInfo.processInfo.environment)
                do {
                    for name in routeFile.secretNames { _ = try secrets.secret(name) }
                } catch {
                    throw CommandFailure(code: "signInNeeded", ["\(error)"], status: ExitStatus.network)
                }
            }
            if output.isJSON {
                var members = state?.members ?? [:]
                members["identity"] = identity.map { .string($0) } ?? .null
                return try output.json(.object(members))
            }
            let first = identity ?? (state == nil ? "known by a secret" : "signed in")
            let remark = identity == nil ? ["auth.identity would tell as whom; see the route file guide"] : []
            try output.lines([first] + (state?.lines ?? []))
            for line in remark { try output.remark(line) }
        }
    }
#endif
