#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports
    internal import AtmosphereReplay
    internal import Foundation
    internal import Synchronization

    /// What a command that runs under `record` or `replay` sends its requests with.
    struct CassetteUse: Sendable {
        @TaskLocal static var current: CassetteUse?

        let change: @Sendable ([Adapter]) -> [Adapter]
        /// Called when the command has come to its end.
        var finish: @Sendable () async throws -> Void = {}
        /// Keeps out of the cassette what an authenticator says that it has used.
        var leaveOut: @Sendable (any Authenticator) -> Void = { _ in }

        /// What an account is called; it stands in paths and records as well.
        private static let publicNames: Set<String> = [
            "account", "client_id", "email", "id", "login", "name", "user", "user_name", "username"
        ]

        /// Every transport, with its exchanges written to a cassette.
        static func recording(_ writer: CassetteWriter, _ routeFile: RouteFile) -> CassetteUse {
            let redaction = CassetteRedaction(for: routeFile)
            let secrets = secrets(of: routeFile).map(\.value)
            let recorders = Mutex<[RecordingTransport]>([])
            let authenticators = Mutex<[any Authenticator]>([])
            return CassetteUse { adapters in
                adapters.map { adapter in
                    guard adapter.refusal == nil else { return adapter }
                    switch adapter.part {
                    case let transport as TransportMaker:
                        return adapter.with(transport: { settings in
                            let recorder = RecordingTransport(
                                try transport.make(settings), writer: writer, redaction: redaction, secrets: secrets)
                            recorders.withLock { $0.append(recorder) }
                            for authenticator in authenticators.withLock({ $0 }) {
                                recorder.leaveOut(secretsOf: authenticator)
                            }
                            return recorder
                        })
                    case let maker as AuthenticatorMaker:
                        return adapter.with(authenticator: { context in
                            var context = context
                            context.transport = RecordingTransport.signingIn(over: context.transport)
                            let authenticator = try maker.make(context)
                            authenticators.withLock { $0.append(authenticator) }
                            for recorder in recorders.withLock({ $0 }) {
                                recorder.leaveOut(secretsOf: authenticator)
                            }
                            return authenticator
                        })
                    default: return adapter
                    }
                }
            } finish: {
                for recorder in recorders.withLock({ $0 }) { try await recorder.finish() }
            } leaveOut: { authenticator in
                for recorder in recorders.withLock({ $0 }) { recorder.leaveOut(secretsOf: authenticator) }
            }
        }

        /// The values of those that the route file names; one that is not set cannot be sent either.
        private static func secrets(of routeFile: RouteFile) -> [(name: SecretName, value: String)] {
            let source = SecretSource(for: routeFile, environment: ProcessInfo.processInfo.environment)
            var (named, open): (Set<SecretName>, Set<SecretName>) = ([], [])
            for setting in routeFile.settings {
                guard let match = setting.value.wholeMatch(of: #/"?secret:([^"]+)"?/#) else { continue }
                let name = SecretName(String(match.output.1))
                let field = setting.path.split(separator: ".").last.map { $0.replacing("-", with: "_").lowercased() }
                if publicNames.contains(field ?? "") { open.insert(name) } else { named.insert(name) }
            }
            let all = named.union(Set(routeFile.secretNames).subtracting(open))
            return all.compactMap { name in (try? source.secret(name).value).map { (name, $0) } }
        }

        /// What a person should know of secrets that are too short to be told from any word.
        static func warning(for routeFile: RouteFile) -> String? {
            let short = secrets(of: routeFile).filter { !CassetteRedaction.isLookedFor($0.value) }
            guard !short.isEmpty else { return nil }
            let names = short.map(\.name.description).sorted().joined(separator: ", ")
            return "\(names): shorter than \(CassetteRedaction.shortestText) characters, and left out of the cassette "
                + "only where the name of a header, a parameter or a member tells; look through it for others"
        }

        /// The cassette in the place of every transport.
        static func replaying(_ transport: ReplayTransport) -> CassetteUse {
            CassetteUse { adapters in
                adapters.map { adapter in
                    guard adapter.part is TransportMaker else { return adapter }
                    return adapter.with(transport: { _ in transport })
                }
            }
        }
    }

    /// The command behind `record FILE` and `replay FILE`.
    struct CassetteCommand {
        let command: any AtmosCommand

        /// The help of the command behind the cassette, where that is what was asked for.
        static func help(for arguments: [String]) -> String? {
            let arguments = GlobalOptions.behindCommand(
                arguments.first == "--" ? Array(arguments.dropFirst()) : arguments)
            guard arguments.contains(where: { ["-h", "--help"].contains($0) }) else { return nil }
            let command = Atmos.configuration.subcommands.first { $0.configuration.commandName == arguments[0] }
            return command.map { Atmos.helpMessage(for: $0) }
        }

        /// - Parameter outer: the options that stand before the cassette; they hold for the command, too.
        /// - Throws: ``CommandFailure`` where the arguments are none of a command that works with a route file, or name
        ///   another route file than `outer`.
        init(_ arguments: [String], under name: String, _ outer: GlobalOptions) throws {
            let arguments = GlobalOptions.behindCommand(
                arguments.first == "--" ? Array(arguments.dropFirst()) : arguments)
            guard !arguments.isEmpty else {
                throw CommandFailure.usage("a command must follow the cassette: atmos \(name) FILE pull")
            }
            let parsed: any ParsableCommand
            do {
                parsed = try Atmos.parseAsRoot(arguments)
            } catch {
                throw CommandFailure.usage(Atmos.message(for: error))
            }
            guard var command = parsed as? any AtmosCommand,
                !(command is RecordCommand), !(command is ReplayCommand)
            else { throw CommandFailure.usage("“\(arguments[0])” is no command that sends requests") }
            try command.global.adopt(outer, under: name)
            self.command = command
        }

        /// Failures are told in the form that the command was asked for, not in that of the one in front of it.
        func run(with use: CassetteUse) async throws {
            let outcome = await CassetteUse.$current.withValue(use) { () async -> Result<Void, CommandFailure> in
                var command = command
                do {
                    try await command.run()
                    return .success(())
                } catch {
                    let failure = CommandFailure(error)
                    if !Task.isCancelled, !failure.messages.isEmpty { command.global.output.failure(failure) }
                    return .failure(CommandFailure.silent(failure.status))
                }
            }
            try await use.finish()
            try outcome.get()
        }
    }
#endif
