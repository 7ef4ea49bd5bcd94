#if Command
    internal import ArgumentParser
    internal import Atmosphere

    struct EditCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "edit",
            abstract: "Set fields of a local object, and mark it for the next push.",
            discussion: """
                Prints the object's present address.

                EXAMPLE
                  atmos edit tasks/42 status=completed due:=null
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("ENTITY/ID", valueName: "object"), transform: ObjectURI.argument)
        var uri: ObjectURI

        @Argument(
            help: ArgumentHelp("FIELD=VALUE, or FIELD:=JSON.", valueName: "field=value"), transform: FieldArgument.init)
        var fields: [FieldArgument]

        @Flag(help: "Send it at once; on failure the object stays as it was.")
        var now = false

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                let members = try fields.members(of: synchronizer.routeFile.known(uri.entity))
                if now { return try output.address(try await synchronizer.editNow(uri, setting: members.changes)) }
                try await synchronizer.edit(uri, setting: members.changes)
                try output.address(try await synchronizer.object(at: uri)?.uri ?? uri)
            }
        }
    }
#endif
