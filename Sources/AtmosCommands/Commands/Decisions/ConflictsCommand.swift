#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct ConflictsCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "conflicts",
            abstract: "List what a person must decide: conflicts, and creates whose outcome is unknown.",
            discussion: """
                EXAMPLE
                  atmos conflicts
                  atmos resolve tasks/42 --mine
                """)

        @OptionGroup var global: GlobalOptions

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                var open: [OpenDecision] = []
                for object in try await synchronizer.pending() {
                    let candidates = try await synchronizer.candidates(for: object.uri)
                    let isAutomatic = synchronizer.findsOut(object)
                    let files = synchronizer.routeFile.resource(object.uri.entity)?.contestedUploads(of: object)
                    let decision = OpenDecision(
                        object, candidates: candidates, isAutomatic: isAutomatic, files: files)
                    if let decision { open.append(decision) }
                }
                if output.isJSON { return try output.json(.array(open.map(\.json))) }
                if open.isEmpty { return try output.remark("nothing to decide") }
                try output.lines(open.flatMap { $0.lines(output) })
            }
        }
    }
#endif
