#if Command
    internal import ArgumentParser
    internal import Atmosphere

    struct DeleteCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete a local object, and mark it for the next push.",
            discussion: """
                An object that the server never saw just vanishes. Prints the object's address.

                EXAMPLE
                  atmos delete tasks/42
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("ENTITY/ID", valueName: "object"), transform: ObjectURI.argument)
        var uri: ObjectURI

        @Flag(help: "Send it at once; on failure the object stays.")
        var now = false

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                _ = try synchronizer.routeFile.known(uri.entity)
                let present = try await synchronizer.object(at: uri)?.uri ?? uri
                if now { try await synchronizer.deleteNow(present) } else { try await synchronizer.delete(present) }
                try output.address(present)
            }
        }
    }
#endif
