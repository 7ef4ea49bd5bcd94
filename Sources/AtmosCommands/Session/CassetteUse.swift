#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReplay
    internal import Foundation

    /// What a command that runs under `record` or `replay` sends its requests with.
    struct CassetteUse: Sendable {
        @TaskLocal static var current: CassetteUse?

        let change: @Sendable ([Adapter]) -> [Adapter]

        /// Every transport, with its exchanges written to a cassette.
        static func recording(_ writer: CassetteWriter, _ routeFile: RouteFile) -> CassetteUse {
            let redaction = CassetteRedaction(for: routeFile)
            let source = SecretSource(for: routeFile, environment: ProcessInfo.processInfo.environment)
            let named = routeFile.settings.compactMap { setting in
                setting.value.wholeMatch(of: #/"?secret:([^"]+)"?/#).map { SecretName(String($0.output.1)) }
            }
            // One that is not set cannot be sent either.
            let secrets = (named + routeFile.secretNames).compactMap { try? source.secret($0).value }
            return CassetteUse { adapters in
                adapters.map { adapter in
                    guard case .transport(let kind, let make) = adapter.part, adapter.refusal == nil else {
                        return adapter
                    }
                    return .transport(kind) { settings in
                        RecordingTransport(
                            try make(settings), writer: writer, redaction: redaction, secrets: secrets)
                    }
                }
            }
        }

        /// The cassette in the place of every transport.
        static func replaying(_ transport: ReplayTransport) -> CassetteUse {
            CassetteUse { adapters in
                adapters.map { adapter in
                    guard case .transport(let kind, _) = adapter.part else { return adapter }
                    return .transport(kind) { _ in transport }
                }
            }
        }
    }

    /// The command behind `record FILE` and `replay FILE`.
    struct CassetteCommand {
        let command: any AtmosCommand

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
            try await CassetteUse.$current.withValue(use) {
                var command = command
                do {
                    try await command.run()
                } catch {
                    let failure = CommandFailure(error)
                    if !Task.isCancelled, !failure.messages.isEmpty { command.global.output.failure(failure) }
                    throw CommandFailure.silent(failure.status)
                }
            }
        }
    }
#endif
