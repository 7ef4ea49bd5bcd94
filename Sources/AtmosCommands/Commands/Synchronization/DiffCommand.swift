#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct DiffCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "diff",
            abstract: "Show what a push would send, request by request.",
            discussion: """
                Each request with the members that change: - as the server last had them, + as they are here; those for edit \
                leases, too. Nothing is sent, and secrets are named, not shown. What waits for something else is listed as \
                held.

                EXAMPLE
                  atmos diff
                  atmos diff tasks/42
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("Only these ENTITY, or one ENTITY/ID.", valueName: "object"))
        var subjects: [String] = []

        func validate() throws {
            let objects = subjects.filter { $0.hasSlash }
            for object in objects { _ = try ObjectURI.argument(object) }
            if !objects.isEmpty, subjects.count > 1 { throw ValidationError("name entities, or one ENTITY/ID") }
        }

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                var uri = try subjects.first.flatMap { $0.hasSlash ? try ObjectURI.argument($0) : nil }
                let entities = uri.map { [$0.entity] } ?? subjects
                for entity in entities { _ = try synchronizer.routeFile.known(entity) }
                if let named = uri {
                    guard let object = try await synchronizer.object(at: named) else {
                        throw SyncError(code: .notFound, message: "there is no \(named) here")
                    }
                    uri = object.uri
                }
                let diff = try await PushDiff(synchronizer, entities: entities, uri: uri)
                if output.isJSON { return try output.json(diff.json) }
                if diff.isEmpty { return try output.remark("nothing to send") }
                try output.lines(diff.lines(output))
            }
        }
    }
#endif
