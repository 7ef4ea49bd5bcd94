#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct RetryCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "retry",
            abstract: "Give a refused or failed change another try with the next push.",
            discussion: """
                EXAMPLE
                  atmos retry --all
                  atmos push
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("ENTITY/ID", valueName: "object"), transform: ObjectURI.argument)
        var uri: ObjectURI?

        @Flag(help: "Everything that was refused or failed.")
        var all = false

        func validate() throws {
            guard (uri != nil) != all else { throw ValidationError("name one ENTITY/ID, or --all") }
        }

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                var uris: [ObjectURI] = []
                if let uri {
                    _ = try synchronizer.routeFile.known(uri.entity)
                    uris = [try await synchronizer.object(at: uri)?.uri ?? uri]
                } else {
                    uris = try await synchronizer.pending().filter { $0.meta.outgoing?.canBeRetried == true }.map(\.uri)
                }
                var retried: [ObjectURI] = []
                for uri in uris {
                    do {
                        try await synchronizer.retry(uri)
                        retried.append(uri)
                    } catch let error as SyncError where all && error.code == .wrongState {
                        // One that must be edited first holds up no other.
                        output.warning("\(uri) is not tried again: \(error.message)")
                    }
                }
                if output.isJSON {
                    return try output.json(["retried": .array(retried.map { .string($0.description) })])
                }
                try output.lines(retried.map { TextWidth.oneLine($0.description) })
            }
        }
    }
#endif
