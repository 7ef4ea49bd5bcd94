#if Command
    internal import ArgumentParser
    public import Atmosphere

    /// The `atmos` command, for programs that want to run it in their own process.
    public enum AtmosCommandLine {
        /// Runs one command to its end, with the process's standard streams.
        ///
        /// SIGINT and SIGTERM cancel what runs, which leaves the store as whole as an error would; a second one ends the
        /// process at once. SIGPIPE is ignored from here on, because libcurl needs it so.
        ///
        /// - Parameters:
        ///   - arguments: without the program's name.
        ///   - adapters: what route files may name beside what the command has already: stores, transports, styles, formats
        ///     and authenticators of one's own. One with the name of another takes its place.
        /// - Returns: the exit status: 0 done, 1 failed, 2 usage or route file, 3 conflicts, refusals or unknown outcomes
        ///   remain, 4 network or credentials, 130 and 143 after a signal.
        public static func run(_ arguments: [String], adapters: [Adapter] = []) async -> Int32 {
            await Interruption().run { await perform(arguments, adapters: adapters) }
        }

        /// Answers `--version` without a thread, a handler of signals or a parser of arguments.
        ///
        /// - Returns: the exit status; nil for everything else, which ``run(_:adapters:)`` answers.
        package static func answerAtOnce(_ arguments: [String]) -> Int32? {
            guard arguments == ["--version"] else { return nil }
            Interruption.ignoreClosedPipes()
            do {
                try StandardStream.output.write(BuildVersion.text + "\n")
                return ExitStatus.done
            } catch {
                return CommandFailure(error).status
            }
        }

        /// Without minding signals.
        static func perform(_ arguments: [String], adapters: [Adapter]) async -> Int32 {
            await BroughtAdapters.$current.withValue(adapters) { await perform(arguments) }
        }

        private static func perform(_ given: [String]) async -> Int32 {
            let arguments = GlobalOptions.behindCommand(given)
            let command: any ParsableCommand
            do {
                command = try Atmos.parseAsRoot(arguments)
            } catch {
                return report(parsing: error, arguments)
            }
            let output = (command as? any AtmosCommand)?.global.output
            do {
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    var command = command
                    try command.run()
                }
                return ExitStatus.done
            } catch {
                // Help is asked for by an error, too.
                if Atmos.exitCode(for: error) == .success { return report(parsing: error, arguments) }
                let failure = CommandFailure(error)
                guard !Task.isCancelled, !failure.messages.isEmpty else { return failure.status }
                output?.failure(failure)
                return failure.status
            }
        }

        /// A command with a `--version VALUE` of its own has no other one.
        private static func help(_ text: String) -> String {
            guard text.contains("  --version <") else { return text }
            return text.split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !($0.hasPrefix("  --version ") && $0.hasSuffix(" Show the version.")) }
                .joined(separator: "\n")
        }

        /// Help goes to standard output; anything else is a mistake in the arguments.
        private static func report(parsing error: any Error, _ arguments: [String]) -> Int32 {
            if Atmos.exitCode(for: error) == .success {
                do {
                    try StandardStream.output.write(help(Atmos.fullMessage(for: error)) + "\n")
                    return ExitStatus.done
                } catch {
                    return CommandFailure(error).status
                }
            }
            var message = Atmos.message(for: error).split(separator: "\n").joined(separator: " ")
            let first = arguments.first { !$0.hasPrefix("-") }
            if let first, !Atmos.commandNames.contains(first), message.contains("'\(first)'") {
                let near = NearestName.of(first, among: Atmos.commandNames).map { "; did you mean \($0.quoted)?" }
                message = "there is no command \(first.quoted)\(near ?? "")"
            }
            let name = arguments.first { Atmos.commandNames.contains($0) }.map { " \($0)" } ?? ""
            let isJSON = arguments.prefix { $0 != "--" }.contains("--json")
            Output(json: isJSON, quiet: false, verbose: false, environment: [:])
                .failure(.usage("\(message); see atmos\(name) --help"))
            return ExitStatus.usage
        }
    }

    /// The root of the commands.
    struct Atmos: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "atmos",
            abstract: "Work with a REST API through a local copy that is always at hand.",
            discussion: """
                A route file describes the API once; the commands read and edit the local copy, and keep it in step \
                with the server.

                EXAMPLE
                  atmos demo
                  atmos pull --help

                EXIT STATUS
                  0  done
                  1  failed
                  2  usage or route file
                  3  conflicts, refusals or unknown outcomes remain, or what waits for them
                  4  network or credentials
                """,
            version: BuildVersion.text,
            subcommands: [
                InitCommand.self, DiscoverCommand.self, ValidateCommand.self, AllowCommand.self, ExplainCommand.self,
                SchemaCommand.self,
                CheckCommand.self, LoginCommand.self, LogoutCommand.self, WhoamiCommand.self,
                PullCommand.self, PushCommand.self, SyncCommand.self, DiffCommand.self,
                StatusCommand.self, ListCommand.self, GetCommand.self, CreateCommand.self, EditCommand.self,
                DeleteCommand.self, AttachCommand.self, ExportCommand.self, RequestCommand.self, LogCommand.self,
                ConflictsCommand.self, ResolveCommand.self, RejectedCommand.self, RetryCommand.self,
                DiscardCommand.self, RecordCommand.self, ReplayCommand.self,
                GatewayCommand.self, StudioCommand.self, SourceCommand.self, ServeCommand.self, NotifyCommand.self,
                ListenCommand.self,
                DemoCommand.self,
                CompletionsCommand.self, ManualCommand.self
            ])

        /// What can be called, in the order of the help.
        static var commandNames: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }
    }
#endif
