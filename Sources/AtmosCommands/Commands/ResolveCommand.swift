#if Command
    internal import ArgumentParser
    internal import Atmosphere

    struct ResolveCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "resolve",
            abstract: "Decide a conflict, or a create whose outcome is unknown.",
            discussion: """
                The decision is sent with the next push. Only what both sides changed is decided; to drop all of your \
                edits use atmos discard. Prints the object's present address.

                EXAMPLE
                  atmos resolve tasks/42 --set title="Buy milk and bread"
                  atmos resolve tasks/6f2c… --adopt 43
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("ENTITY/ID", valueName: "object"), transform: ObjectURI.argument)
        var uri: ObjectURI

        @Flag(help: "Mine for what clashes.")
        var mine = false

        @Flag(help: "Theirs for what clashes; your other edits stay and are sent.")
        var theirs = false

        @Option(
            parsing: .upToNextOption,
            help: ArgumentHelp(
                "These values, and theirs for what else clashes; your other edits stay and are sent.",
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
            let chosen = [mine, theirs, !set.isEmpty, adopt != nil, resend].filter { $0 }.count
            guard chosen == 1 else {
                throw ValidationError("choose one of --mine, --theirs, --set FIELD=VALUE…, --adopt ID and --resend")
            }
        }

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                let resource = try synchronizer.routeFile.known(uri.entity)
                let resolution: Synchronizer.Resolution
                if mine {
                    resolution = .mine
                } else if theirs {
                    resolution = .theirs
                } else if let adopt {
                    resolution = .adopt(ObjectID(adopt))
                } else if resend {
                    resolution = .resend
                } else {
                    resolution = .set(try set.members(of: resource).changes)
                }
                try await synchronizer.resolve(uri, resolution)
                try output.address(try await synchronizer.object(at: uri)?.uri ?? uri)
            }
        }
    }
#endif
