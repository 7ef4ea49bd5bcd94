#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct SyncCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "sync",
            abstract: "Push, then pull.",
            discussion: """
                Ends with 3 where conflicts, refusals or unknown outcomes remain, or what waits for them. With --watch it goes \
                on until SIGINT or SIGTERM, and then ends with 0: what was on its way and not answered by then is taken up by the next push, a \
                create as one whose outcome is unknown. Credentials that the server does not accept end it with 4, for no \
                waiting mends them. Edits of other commands are sent within a second or two; while the server is away it is \
                tried again after growing pauses, and at once when the system says that the network is back. Where the route \
                file names a server for live updates (live), what others change shows at once; the interval stays as a \
                safety net. An edit lease of its own that ends before it was given back is told, too.

                EXAMPLE
                  atmos sync --quiet
                  atmos sync --watch --interval 5m
                """)

        @OptionGroup var global: GlobalOptions

        @Flag(help: "Go on until it is stopped.")
        var watch = false

        @Option(
            help: ArgumentHelp("How often to ask the server, with --watch.", valueName: "duration"),
            transform: SyncCommand.duration)
        var interval: Duration?

        func validate() throws {
            if interval != nil, !watch { throw ValidationError("--interval has no use without --watch") }
        }

        private static func duration(_ text: String) throws -> Duration {
            if let duration = NumberText.duration(text), duration >= .seconds(1) { return duration }
            throw ValidationError("--interval takes a duration of a second or more, such as 90s, 5m or PT1H")
        }

        func run(_ output: Output) async throws {
            var options = Synchronizer.PullOptions()
            if watch {
                return try await withSynchronizer(output) { [options] synchronizer in
                    var watch = Watch(synchronizer, every: interval ?? .seconds(60), options, output)
                    try await watch.run()
                }
            }
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
            try await progress.following(synchronizer) { try await synchronizer.synchronize(options: options) }
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
