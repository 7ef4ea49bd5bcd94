#if Command
    internal import ArgumentParser
    internal import Atmosphere

    struct SyncCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "sync",
            abstract: "Push, then pull.",
            discussion: """
                Ends with 3 where conflicts, refusals or unknown outcomes remain.

                EXAMPLE
                  atmos sync --quiet
                """)

        @OptionGroup var global: GlobalOptions

        func run(_ output: Output) async throws {
            var options = Synchronizer.PullOptions()
            let progress = ProgressLine(output)
            options.progress = { progress.show($0) }
            try await withSynchronizer(output) { [options] synchronizer in
                let report = try await SyncCommand.synchronize(synchronizer, options, progress)
                // What remains is counted after the pull, which can bring conflicts.
                let outcome = try await PushOutcome(report.push, in: synchronizer)
                if output.isJSON {
                    let pull = report.pull?.json(in: synchronizer.routeFile) ?? .null
                    try output.json(["push": outcome.json, "pull": pull])
                } else {
                    try outcome.show(output)
                    try report.pull?.show(output, in: synchronizer.routeFile)
                }
                let statuses = [
                    try CommandFailure.caught { try outcome.check(output) },
                    try CommandFailure.caught { try report.pull?.check(output, in: synchronizer.routeFile) }
                ]
                let status = ExitStatus.first(statuses)
                if status != ExitStatus.done { throw CommandFailure.silent(status) }
            }
        }

        private static func synchronize(
            _ synchronizer: Synchronizer, _ options: Synchronizer.PullOptions, _ progress: ProgressLine
        ) async throws -> SyncReport {
            defer { progress.end() }
            return try await synchronizer.synchronize(options: options)
        }
    }

    extension CommandFailure {
        /// The status of the failure that `body` throws; 0 where it throws none.
        fileprivate static func caught(_ body: () throws -> Void) throws -> Int32 {
            do {
                try body()
                return ExitStatus.done
            } catch let failure as CommandFailure {
                return failure.status
            }
        }
    }
#endif
