#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct PushCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "push",
            abstract: "Send local changes.",
            discussion: """
                Parents go before children; a refused change holds up only what depends on it. Ends with 3 where conflicts, \
                refusals or unknown outcomes remain, or changes that wait for objects which the server does not know, and \
                deletes that wait for changes (held, with what each waits for); with 4 where the server gave no answer, or asked to come again, so that \
                the next push may get through; with 1 where somebody has to look.

                EXAMPLE
                  atmos push --dry-run
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "Only these entities.", completion: .entities)
        var entity: [String] = []

        @Flag(help: "Send nothing; show the requests.")
        var dryRun = false

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                if dryRun {
                    let preview = try await PushPreview(synchronizer, entities: entity)
                    return try preview.show(output)
                }
                let report = try await ProgressLine(output).following(synchronizer) {
                    try await synchronizer.push(entities: entity)
                }
                let outcome = try await PushOutcome(report, in: synchronizer)
                if output.isJSON { try output.json(outcome.json) } else { try outcome.show(output) }
                try outcome.check(output)
            }
        }
    }
#endif
