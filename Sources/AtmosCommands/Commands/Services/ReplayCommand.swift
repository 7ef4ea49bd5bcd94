#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReplay

    struct ReplayCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "replay",
            abstract: "Run a command with recorded answers in place of the server.",
            discussion: """
                Nothing goes to the network. The local copy is the one that the route file names, so start from the \
                state that it had when atmos record ran. A request that was not recorded is an error that says in what \
                the nearest exchange differs.

                EXAMPLE
                  atmos replay tasks.cassette pull tasks --full
                  atmos replay --lenient tasks.cassette push
                """)

        @OptionGroup var global: GlobalOptions

        @Flag(help: "Compare method, path and query only; repeat the last answer to a GET.")
        var lenient = false

        @Argument(help: "The file that atmos record has written.", completion: .file())
        var cassette: String

        @Argument(parsing: .captureForPassthrough, help: "The command with its options.")
        var command: [String] = []

        func run(_ output: Output) async throws {
            if let help = CassetteCommand.help(for: command) { return try output.line(help) }
            let (inner, use, notes) = try prepared()
            for note in notes { output.warning(note) }
            try await inner.run(with: use)
        }

        // Apart from what is asynchronous, as in atmos record.
        @inline(never)
        private func prepared() throws -> (CassetteCommand, CassetteUse, notes: [String]) {
            let inner = try CassetteCommand(command, under: "replay", global)
            do {
                let transport = try ReplayTransport(path: cassette, matching: lenient ? .lenient : .strict)
                return (inner, .replaying(transport), transport.notes)
            } catch {
                throw CommandFailure.usage(error.message)
            }
        }
    }
#endif
