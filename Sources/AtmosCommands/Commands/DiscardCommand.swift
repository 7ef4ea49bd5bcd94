#if Command
    internal import ArgumentParser
    internal import Atmosphere

    struct DiscardCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "discard",
            abstract: "Drop what was edited here, and go back to what the server has.",
            discussion: """
                An object that the server does not know vanishes. Prints the object's address.

                EXAMPLE
                  atmos discard tasks/42
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("ENTITY/ID", valueName: "object"), transform: ObjectURI.argument)
        var uri: ObjectURI

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                let object = try await synchronizer.object(at: uri)
                // Also what is left of an entity that the route file does not have any more can be dropped.
                if object == nil { _ = try synchronizer.routeFile.known(uri.entity) }
                let present = object?.uri ?? uri
                if object?.meta.isChanged == false {
                    throw SyncError(
                        code: .wrongState, message: "\(present) has nothing to drop: it is as the server has it")
                }
                try await synchronizer.discard(present)
                try output.address(present)
            }
        }
    }
#endif
