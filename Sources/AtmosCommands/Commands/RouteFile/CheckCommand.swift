#if Command
    internal import ArgumentParser
    internal import Atmosphere

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
                if let message = report.signInNeeded {
                    throw CommandFailure(code: "signInNeeded", [message], status: ExitStatus.network)
                }
                if let message = report.unreachable {
                    throw CommandFailure(code: "unreachable", [message], status: ExitStatus.network)
                }
                let problems = report.resources.flatMap { resource in
                    resource.problems.map { "resources.\(resource.entity).\($0)" }
                }
                if !problems.isEmpty { throw CommandFailure(code: "mismatch", problems, status: ExitStatus.failed) }
            }
        }
    }
#endif
