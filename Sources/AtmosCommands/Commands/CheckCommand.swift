#if Command
    internal import ArgumentParser
    internal import Atmosphere

    struct CheckCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Ask the server whether it is what the route file says.",
            discussion: """
                Reads one page and one object of each entity, and says what is at risk: creates that could happen twice, \
                writes that could undo another's. Changes nothing. Ends with 4 where the server cannot be reached or does \
                not accept the credentials, with 1 where it is not what the route file says.

                EXAMPLE
                  atmos check
                """)

        @OptionGroup var global: GlobalOptions

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                let report = try await synchronizer.check()
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
