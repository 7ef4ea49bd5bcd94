#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct EditCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "edit",
            abstract: "Set fields of a local object, and mark it for the next push.",
            discussion: """
                Prints the object's present address. A field that no record has is told and taken all the same. A value that \
                is only written otherwise (10 for 10.00) is an edit, too, and is sent as it is written.

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
                let resource = try synchronizer.routeFile.known(uri.entity)
                let forms = try await ShownForms(fields, of: resource, at: uri, in: synchronizer)
                let members = try fields.members(of: resource, forms)
                let before = try await synchronizer.object(at: uri)
                try await warn(members, over: before?.record, resource, synchronizer, output)
                for complaint in forms.complaints(fields) { output.warning(complaint) }
                if now {
                    let present = try await atOnce(uri.entity) {
                        try await synchronizer.editNow(uri, setting: members.changes)
                    }
                    return try await output.address(sent: present, in: synchronizer)
                }
                try await synchronizer.edit(uri, setting: members.changes)
                let after = try await synchronizer.object(at: uri)
                // A save at once without an answer may have brought something else there.
                let isTakenBack = after?.meta.confirmed?.stale != before?.meta.confirmed?.stale
                if let record = before?.record, after?.record == record, !isTakenBack {
                    output.warning("\(after?.uri ?? uri) says that already, so nothing was changed")
                }
                try output.address(after?.uri ?? uri)
            }
        }

        /// Tells what is most likely a mistake and may be meant all the same.
        private func warn(
            _ members: Value.Members, over record: ObjectRecord?, _ resource: Resource, _ synchronizer: Synchronizer,
            _ output: Output
        ) async throws {
            guard let record else { return }
            let known = record.members
            let names = members.names.filter { known[$0] == nil }
            let unknown = try await FieldNames(resource).complaints(names, in: synchronizer)
            let absent = try await AbsentReferences(resource: resource).complaints(members, in: synchronizer)
            let outcome = now ? "sent all the same" : "kept, and sent with the next push"
            for complaint in unknown + absent {
                output.warning("\(complaint); it is \(outcome)")
            }
        }
    }
#endif
