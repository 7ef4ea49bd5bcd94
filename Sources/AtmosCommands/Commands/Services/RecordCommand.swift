#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReplay

    struct RecordCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "record",
            abstract: "Run a command and write down its exchanges with the server.",
            discussion: """
                The cassette is a line of JSON to each exchange, for atmos replay and for tests. Credentials are not \
                written: neither headers that are not known to be harmless, nor parameters and members that hold tokens \
                or passwords, nor their values where the server repeats them. A body of JSON or XML that cannot be read is \
                left out whole. Look through it before you give it away, and above all where the command was ended before its \
                time (SIGKILL, Ctrl-C twice): what an authenticator of your own has fetched is taken out of earlier lines at \
                the end.

                EXAMPLE
                  atmos record tasks.cassette pull tasks --full
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The file to write; it must not exist.", completion: .file())
        var cassette: String

        @Argument(parsing: .captureForPassthrough, help: "The command with its options.")
        var command: [String] = []

        func run(_ output: Output) async throws {
            if let help = CassetteCommand.help(for: command) { return try output.line(help) }
            let (inner, use) = try prepared(output)
            try await inner.run(with: use)
        }

        // Apart from what is asynchronous: the optimizer of Swift 6.3 ends at the typed error there.
        @inline(never)
        private func prepared(_ output: Output) throws -> (CassetteCommand, CassetteUse) {
            let inner = try CassetteCommand(command, under: "record", global)
            let routeFile = try inner.command.global.routeFile(output)
            if let warning = CassetteUse.warning(for: routeFile) { output.warning(warning) }
            do {
                return (inner, .recording(try CassetteWriter(cassette), routeFile))
            } catch {
                throw CommandFailure.usage(error.message)
            }
        }
    }
#endif
