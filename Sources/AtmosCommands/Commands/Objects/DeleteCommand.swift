#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

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
                try await atOnce(present.entity, isDelete: true) {
                    if now { try await synchronizer.deleteNow(present) } else { try await synchronizer.delete(present) }
                }
                try output.address(present)
            }
        }
    }

    /// Runs what waits for the server's answer, and says where that may have done what no answer tells of.
    ///
    /// - Parameters:
    ///   - entity: of what may be changed then; nil where nobody knows.
    ///   - isDelete: a delete waits.
    func atOnce<Result>(
        _ entity: String?, isDelete: Bool = false, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as SyncError {
            throw error.telling(of: entity, isDelete: isDelete)
        }
    }
#endif
