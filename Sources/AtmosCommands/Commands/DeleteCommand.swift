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
                try await atOnce(present) {
                    if now { try await synchronizer.deleteNow(present) } else { try await synchronizer.delete(present) }
                }
                try output.address(present)
            }
        }
    }

    /// Runs what waits for the server's answer, and says where that may have done what no answer tells of.
    func atOnce<Result>(_ uri: ObjectURI, _ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch var error as SyncError where error.mayHaveHappened {
            error.message += "; the server may have done it all the same: atmos pull \(uri.entity.shellWord) shows"
            throw error
        } catch var error as SyncError where error.isPutOff {
            error.message += "; nothing of this was done or queued, and what was queued before is still"
            throw error
        }
    }
#endif
