#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct RejectedCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "rejected",
            abstract: "List changes that the server refused, with what it said.",
            discussion: """
                Edit the object and retry it, or discard the change.

                EXAMPLE
                  atmos rejected
                  atmos retry tasks/42
                """)

        @OptionGroup var global: GlobalOptions

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                let refused = try await synchronizer.pending().compactMap { object in
                    object.meta.outgoing?.refusal.map { (object.meta, $0) }
                }
                if output.isJSON {
                    return try output.json(
                        .array(
                            refused.map { meta, failure in
                                var members = failure.json(of: meta.uri).members ?? [:]
                                if let upload = meta.openUpload { members["upload"] = upload.place }
                                return .object(members)
                            }))
                }
                if refused.isEmpty { return try output.remark("nothing was refused") }
                for (meta, failure) in refused {
                    try output.lines(failure.lines(of: meta.uri, output))
                    if let upload = meta.openUpload { try output.lines([TextWidth.oneLine("  \(upload.summary)")]) }
                }
            }
        }
    }
#endif
