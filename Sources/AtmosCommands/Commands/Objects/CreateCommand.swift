#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct CreateCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create an object locally, and mark it for the next push.",
            discussion: """
                Prints the new object's address, which stays valid when the server has given the object another identifier. \
                Values are strings unless the route file declares the field's type; FIELD:=JSON is for all others. A decimal, \
                or the identifier of another object, is a number where the server shows numbers.

                EXAMPLE
                  atmos create tasks title="Buy milk" done:=false
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The entity.", completion: .entities)
        var entity: String

        @Argument(
            help: ArgumentHelp("FIELD=VALUE, or FIELD:=JSON.", valueName: "field=value"), transform: FieldArgument.init)
        var fields: [FieldArgument] = []

        @Option(help: ArgumentHelp("A JSON object to begin with; - for standard input.", valueName: "file"))
        var from: String?

        @Flag(help: "Send it at once; on failure nothing is stored or queued.")
        var now = false

        func run(_ output: Output) async throws {
            let given = try from.map { try InputArgument.members(fromFile: $0) } ?? [:]
            try await withSynchronizer(output) { synchronizer in
                var members = given
                let resource = try synchronizer.routeFile.known(entity)
                try members.check(against: resource)
                let forms = try await ShownForms(fields, of: resource, in: synchronizer)
                for member in try fields.members(of: resource, forms) { members[member.name] = member.value }
                for complaint in forms.complaints(fields) { output.warning(complaint) }
                let unknown = try await FieldNames(resource).complaints(members.names, in: synchronizer)
                let absent = try await AbsentReferences(resource: resource).complaints(members, in: synchronizer)
                let outcome = now ? "sent all the same" : "kept, and sent with the create"
                for complaint in unknown + absent {
                    output.warning("\(complaint); it is \(outcome)")
                }
                guard now else { return try output.address(try await synchronizer.save(members, as: entity)) }
                try await output.address(sent: try await saveNow(members, in: synchronizer), in: synchronizer)
            }
        }

        /// Without an answer nobody knows whether the object exists, and nothing here remembers it.
        private func saveNow(_ members: Value.Members, in synchronizer: Synchronizer) async throws -> ObjectURI {
            do {
                return try await synchronizer.saveNow(members, as: entity)
            } catch let error as SyncError {
                throw error.telling(ofNew: entity)
            }
        }
    }

    extension InputArgument {
        /// - Throws: ``CommandFailure`` where the file does not hold one JSON object.
        static func members(fromFile path: String) throws -> Value.Members {
            let value = try json(fromFile: path)
            if let members = value.members { return members }
            let name = path == "-" ? "standard input" : path
            throw CommandFailure.usage("\(name) must hold one JSON object: {\"FIELD\": VALUE, …}")
        }
    }

    extension Output {
        /// The address of the object that a command was about.
        func address(_ uri: ObjectURI) throws {
            if isJSON { try json(["uri": .string(uri.description)]) } else { try line(TextWidth.oneLine("\(uri)")) }
        }

        /// The address of an object that was sent at once.
        ///
        /// - Throws: ``CommandFailure`` for a create that the server has accepted, and does not say as which object.
        func address(sent uri: ObjectURI, in synchronizer: Synchronizer) async throws {
            try address(uri)
            guard let object = try await synchronizer.object(at: uri), object.meta.isLocalOnly,
                let change = object.meta.outgoing, case .unknown = change.phase
            else { return }
            let said = change.lastError?.message ?? change.summary(of: object.meta)
            let next =
                synchronizer.findsOut(object)
                ? "the next push finds out what has become of it"
                : "look at it with atmos conflicts, and decide: atmos resolve \(uri.shellWord) --adopt ID or --resend, or "
                    + "atmos discard \(uri.shellWord)"
            lastingWarning("\(uri): \(said); \(next)")
            throw CommandFailure.silent(ExitStatus.remaining)
        }
    }
#endif
