#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct ResolveCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "resolve",
            abstract: "Decide a conflict, or a create whose outcome is unknown.",
            discussion: """
                The decision is sent with the next push. Only what both sides changed is decided; to drop all of your \
                edits use atmos discard. Prints the object's present address.

                --editor opens $VISUAL, or else $EDITOR, with a file that shows base, mine and theirs of each field and \
                takes its value. A file that is left as it was, emptied, or cannot be read decides nothing.

                EXAMPLE
                  atmos resolve tasks/42 --set title="Buy milk and bread"
                  atmos resolve tasks/42 --set title="Milk" --mine
                  atmos resolve tasks/42 --both
                  atmos resolve tasks/6f2c… --adopt 43
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("ENTITY/ID", valueName: "object"), transform: ObjectURI.argument)
        var uri: ObjectURI

        @Flag(help: "Mine for what clashes.")
        var mine = false

        @Flag(help: "Theirs for what clashes; your other edits stay and are sent.")
        var theirs = false

        @Flag(help: "Both texts for what clashes, line by line; --set says the values of fields that are no texts.")
        var both = false

        @Flag(help: "The values that you write in your editor.")
        var editor = false

        @Option(
            parsing: .upToNextOption,
            help: ArgumentHelp(
                "These values; with --mine or --theirs that side's for what else clashes. Other edits stay and are sent.",
                valueName: "field=value"),
            transform: FieldArgument.init)
        var set: [FieldArgument] = []

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("The create has happened: the server's object has this identifier.", valueName: "id"))
        var adopt: String?

        @Flag(help: "The create has not happened: send it again.")
        var resend = false

        func validate() throws {
            let chosen = [mine, theirs, both, editor, adopt != nil, resend].filter { $0 }.count
            let isOne = set.isEmpty ? chosen == 1 : chosen == 0 || chosen == 1 && (mine || theirs || both)
            guard isOne else {
                throw ValidationError(
                    "choose one of --mine, --theirs, --both, --set FIELD=VALUE…, --editor, --adopt ID and --resend")
            }
        }

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                let resource = try synchronizer.routeFile.known(uri.entity)
                let resolution: Synchronizer.Resolution
                if !set.isEmpty {
                    let forms = try await ShownForms(set, of: resource, at: uri, in: synchronizer)
                    let changes = try set.members(of: resource, forms)
                    resolution = both ? .both(setting: changes.changes) : .set(try await decided(changes, synchronizer))
                } else if mine {
                    resolution = .mine
                } else if theirs {
                    resolution = .theirs
                } else if let adopt {
                    resolution = .adopt(ObjectID(adopt))
                } else if resend {
                    resolution = .resend
                } else if editor {
                    resolution = .set(try await edited(synchronizer, resource).changes)
                } else {
                    resolution = .both(setting: [])
                }
                try await synchronizer.resolve(uri, resolution)
                try output.address(try await synchronizer.object(at: uri)?.uri ?? uri)
            }
        }

        /// The values that were given, and a side's for what else clashes. A file that waits is mine, and no value: it
        /// stays with mine, and a value of its field drops it.
        ///
        /// - Throws: ``CommandFailure`` where nothing is said of a field that clashes.
        private func decided(
            _ given: Value.Members, _ synchronizer: Synchronizer
        ) async throws -> [(name: String, value: Value?)] {
            guard let object = try await synchronizer.object(at: uri),
                case .conflicted(let conflict)? = object.meta.outgoing?.phase
            else { return given.changes }
            let others = conflict.fields.filter { given[$0] == nil }
            guard others.isEmpty || mine || theirs else {
                let names = others.joined(separator: ", ")
                throw CommandFailure.usage(
                    "\(uri) clashes in \(names), too: name that with --set as well, or add --mine or --theirs for what "
                        + "--set does not name; nothing is decided")
            }
            let side = mine ? object.record?.members : conflict.theirs?.members
            let resource = try synchronizer.routeFile.known(uri.entity)
            let waiting = Set(resource.contestedUploads(of: object).map(\.member))
            // What else clashes is theirs unless it is set.
            let decided = others.filter { mine != waiting.contains($0) }
            return given.changes + decided.map { (name: $0, value: side?[$0]) }
        }

        /// What a person writes in the editor.
        private func edited(_ synchronizer: Synchronizer, _ resource: Resource) async throws -> Value.Members {
            guard let object = try await synchronizer.object(at: uri) else {
                throw SyncError(code: .notFound, message: "there is no \(uri) here")
            }
            let sheet = try DecisionSheet(object, files: resource.contestedUploads(of: object))
            let values = try await sheet.values(in: TextEditor().edit(sheet.text, name: "atmos-resolve"))
            try values.check(against: resource)
            return values
        }
    }
#endif
