#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct DiscoverCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "discover",
            abstract: "Write a route file from what an API says of itself.",
            discussion: """
                Reads an OpenAPI 3 or Swagger 2 document in JSON or YAML, a Google discovery document, the index of a \
                WordPress site, or, where a URL has none of them, looks at the JSON that it answers: a list of objects, \
                or links to such lists. Only reads: what the file sets is as it was declared, not tried. The file says \
                in comments what could not be known; an existing one is never overwritten.

                EXAMPLE
                  atmos discover http://127.0.0.1:8000/openapi.json
                  atmos discover openapi.yaml --base https://api.example.com -c example.yaml
                  TOKEN=… atmos discover https://api.example.com/tasks \\
                    --header 'Authorization: Bearer secret:TOKEN'
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The URL or the file of the description, or the URL of a list.", completion: .file())
        var source: String

        @Option(
            help: ArgumentHelp(
                "The URL that the description’s paths are below.", discussion: "Without it: what the description says.",
                valueName: "url"))
        var base: String?

        @Option(
            parsing: .unconditionalSingleValue,
            help: ArgumentHelp(
                "Sent with each request, such as what signs in; secret:NAME in it is looked up in the environment.",
                valueName: "name: value"),
            transform: RequestHeader.init)
        var header: [RequestHeader] = []

        func run(_ output: Output) async throws {
            let file = try NewRouteFile(global.config)
            let description = try await DescriptionReader(headers: header.map { try $0.field() }, for: source)
                .description(source)
            let own = header.compactMap(\.signIn).map {
                APIDescription.SignIn(setting: $0, remark: "What --header said.")
            }
            let isURL = URLText.origin(source) != nil
            let key = isURL ? URLText.Query(of: source).signIn : nil
            let draft = try RouteFileDraft(
                description, from: isURL ? URLText.shown(source) : source, base: base,
                own: own + [key].compactMap(\.self))
            try DraftPowers.check(draft, own: Set(header.flatMap(\.secretNames)))
            let text = try draft.checkedText()
            let routeFile: RouteFile
            do {
                routeFile = try draft.routeFile(source: file.path)
            } catch let error as RouteFileError {
                // A description can say what a route file cannot: the file is written all the same, to be mended.
                try file.write(text)
                throw CommandFailure(
                    code: "routeFile",
                    ["wrote \(file.path), which has to be mended before it can be used:"]
                        + error.problems.map(\.description), status: ExitStatus.failed)
            }
            try file.write(text)
            let names = routeFile.resources.map(\.name)
            if output.isJSON { return try output.json(["file": .string(file.path), "resources": .init(names)]) }
            let option = global.config.map { " -c \($0.shellWord)" } ?? ""
            // What a server has chosen is for a person to allow.
            let allow = routeFile.powers.isEmpty ? "" : "atmos allow\(option); "
            try output.remark(
                "wrote \(file.path): \(names.joined(separator: ", ")); read its comments, then: \(allow)atmos check\(option)"
            )
        }
    }
#endif
