#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct GetCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "get",
            abstract: "Show one local record.",
            discussion: """
                An identifier that the object had before is followed. With --json the record is shown as it is stored.

                EXAMPLE
                  atmos get tasks/42
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("ENTITY/ID", valueName: "object"), transform: ObjectURI.argument)
        var uri: ObjectURI

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                _ = try synchronizer.routeFile.known(uri.entity)
                guard let object = try await synchronizer.object(at: uri), let record = object.record else {
                    throw SyncError(
                        code: .notFound, message: "there is no \(uri) here; pull it first, or check the identifier")
                }
                if output.isJSON { return try output.json(record) }
                let state = object.meta.outgoing.map { ", \($0.summary(of: object.meta))" } ?? ""
                try output.line(output.bold(TextWidth.oneLine("\(object.uri)\(state)")))
                let members = record.members
                let width = members.reduce(0) { max($0, TextWidth.columns(TextWidth.oneLine($1.name))) }
                try output.lines(
                    members.map { member in
                        let name = TextWidth.oneLine(member.name)
                        let padding = String(repeating: " ", count: width - TextWidth.columns(name))
                        return "\(name)\(padding)  \(TextWidth.oneLine(member.value.text))"
                    })
            }
        }
    }
#endif
