#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct CheckCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Ask the server whether it is what the route file says.",
            discussion: """
                Reads one page and one object of each entity, and says what the server supports and which promises can be \
                kept: creates that could happen twice, writes that could undo another's. Changes nothing, unless --write \
                lets it create, change and delete a copy of one object of each entity. Ends with 4 where the server \
                cannot be reached or does not accept the credentials, with 1 where it is not what the route file says.

                EXAMPLE
                  atmos check
                  atmos check --write -c test-server.yaml
                """)

        @OptionGroup var global: GlobalOptions

        @Flag(help: "Also write: a copy of one object of each entity, which is deleted again.")
        var write = false

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                let report = try await synchronizer.check(writing: write)
                if output.isJSON { try output.json(report.json) } else { try output.lines(report.lines(output)) }
                let failures = report.reportedFailures
                guard let first = failures.first else { return }
                throw CommandFailure(
                    code: first.code, failures.map(\.message),
                    status: first.isNetwork ? ExitStatus.network : ExitStatus.failed)
            }
        }
    }
#endif
