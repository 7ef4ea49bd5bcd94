#if Command
    internal import ArgumentParser
    internal import Atmosphere

    struct PullCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "pull",
            abstract: "Bring changes from the server.",
            discussion: """
                What is edited here is merged, never overwritten. An interrupted pull goes on where it was.

                With --view only a view of one entity is pulled; its parameters follow as NAME=VALUE.

                EXAMPLE
                  atmos pull tasks --full
                  atmos pull tasks --view mine owner=7
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "Only these entities; with --view one, and parameters as NAME=VALUE.", completion: .entities)
        var entity: [String] = []

        @Option(help: ArgumentHelp("Pull a view that the route file declares.", valueName: "name"))
        var view: String?

        @Flag(help: "Ask for everything, not for changes since the last pull.")
        var full = false

        @Flag(help: "Store nothing; show what would change.")
        var dryRun = false

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "Let so many objects go that a complete list no longer shows.",
                discussion: "Without it: 20, or 10 % of the entity, whichever is more.", valueName: "n"))
        var allowDeletes: Int?

        @Flag(help: "With --full: also take versions older than those that are here, of a restored server.")
        var acceptOlder = false

        func validate() throws {
            if acceptOlder, !full {
                throw ValidationError("--accept-older needs --full: a list of changes shows no others")
            }
            if let allowDeletes, allowDeletes < 0 { throw ValidationError("--allow-deletes takes a number from 0 on") }
            if view != nil { _ = try ViewArguments(entity) }
            if view != nil, allowDeletes != nil {
                throw ValidationError("--allow-deletes has no use with --view: what leaves a view is not deleted")
            }
        }

        func run(_ output: Output) async throws {
            var options = Synchronizer.PullOptions()
            options.full = full
            options.dryRun = dryRun
            options.allowedDeletes = allowDeletes
            options.acceptsOlder = acceptOlder
            let progress = ProgressLine(output)
            options.progress = { progress.show($0) }
            try await withSynchronizer(output) { [options] synchronizer in
                let report = try await pull(synchronizer, options, progress)
                try report.show(output, in: synchronizer.routeFile)
                try report.check(output, in: synchronizer.routeFile)
            }
        }

        private func pull(
            _ synchronizer: Synchronizer, _ options: Synchronizer.PullOptions, _ progress: ProgressLine
        ) async throws -> PullReport {
            defer { progress.end() }
            guard let view else { return try await synchronizer.pull(entities: entity, options: options) }
            let arguments = try ViewArguments(entity)
            try arguments.requireAll(of: view, in: synchronizer.routeFile)
            return try await synchronizer.pull(
                view: view, of: arguments.entity, parameters: arguments.parameters, options: options)
        }
    }
#endif
