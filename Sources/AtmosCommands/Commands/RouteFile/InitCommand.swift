#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct InitCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "init",
            abstract: "Write a route file to begin with.",
            discussion: """
                The file holds what you say here, and beside it, as comments, what most APIs need next. An existing file \
                is never overwritten. For an API that describes itself, atmos discover writes more.

                EXAMPLE
                  atmos init --style django-rest --base https://api.example.com/v1 \\
                    --resource lists --resource tasks
                  atmos init --base https://api.example.com/v1 --resource notes=my/notes
                """)

        @OptionGroup var global: GlobalOptions

        @Option(help: ArgumentHelp("The routing style, whose conventions need not be written.", valueName: "name"))
        var style = "plain"

        @Option(help: ArgumentHelp("The URL that all paths are below.", valueName: "url"))
        var base: String

        @Option(
            name: .customLong("resource"),
            help: ArgumentHelp(
                "An entity, or ENTITY=PATH where its path is another; may be given several times.", valueName: "name"))
        var resources: [String] = []

        func run(_ output: Output) async throws {
            let file = try NewRouteFile(global.config)
            let parts = self.resources.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
            let resources = zip(self.resources, parts).map { $1.first ?? $0 }
            let paths = parts.filter { $0.count == 2 }.map { ($0[0], $0[1]) }
            let draft = RouteFileDraft(
                style: style, base: base, resources: resources,
                paths: Dictionary(paths, uniquingKeysWith: { _, last in last }))
            var tried = draft
            if resources.isEmpty { tried.resources = [.init(name: "tasks", lines: [.setting("path", "tasks")])] }
            do {
                try tried.routeFile(source: file.path)
            } catch let error as RouteFileError {
                let messages = error.problems.map { problem in
                    let isPath = problem.message.hasPrefix("“path” is missing")
                    return problem.message + (isPath ? "; write --resource NAME=PATH" : "")
                }
                throw CommandFailure(code: "usage", messages, status: ExitStatus.usage)
            }
            try file.write(draft.checkedText())
            if output.isJSON { return try output.json(["file": .string(file.path), "resources": .init(resources)]) }
            let option = global.config.map { " -c \($0.shellWord)" } ?? ""
            let next =
                resources.isEmpty
                ? "name your entities in it, then: atmos check\(option)" : "next: atmos check\(option)"
            try output.remark("wrote \(file.path); \(next)")
        }
    }

    extension RouteFileDraft {
        /// What a person can say before the API was looked at.
        ///
        /// - Parameter paths: of the resources whose paths are not what the style makes of their names.
        init(style: String, base: String, resources: [String], paths: [String: String] = [:]) {
            head = [
                "What Atmosphere knows of this API; where nothing is written, the style \(style) holds.",
                "“atmos explain” shows every setting in force, and “atmos check” asks the server whether it is so."
            ]
            lines = [
                .setting("atmosphere", 1), .setting("style", .string(style)), .setting("base", .string(base)),
                .gap, .remark("Where the local copy is kept: sqlite, json-file or memory."),
                .suggestion("store", ["kind": "sqlite", "path": "atmosphere.db"]), .gap,
                .remark("How to sign in: one of these. NAME is looked up in the environment, or in the secrets file."),
                .suggestion("auth", ["bearer": "secret:NAME"]), .suggestion("auth", ["token": "secret:NAME"]),
                .suggestion("auth", ["basic": ["username": "ada", "password": "secret:NAME"]]),
                .suggestion("auth", ["key": ["header": "X-Api-Key", "value": "secret:NAME"]]),
                .suggestion("secrets", ["file": ".secrets"]), .gap,
                .remark("How fast to ask."), .suggestion("limits", ["concurrent": 4, "rate": "10/s"])
            ]
            if resources.isEmpty {
                resourceLines = [
                    .remark(
                        "Name your entities here, such as tasks. Behind a name stands only what differs from the style."
                    ),
                    .remark("tasks:")
                ]
            }
            self.resources = resources.enumerated().map { index, name in
                let path = paths[name].map { [Line.setting("path", .string($0))] } ?? []
                let hints = index == 0 ? Self.hints : index == 1 ? Self.parentHint(resources[0]) : []
                return Resource(name: name, lines: path + hints)
            }
        }

        /// Parents are mostly named in front of their children.
        private static func parentHint(_ parent: String) -> [Line] {
            let singular = parent.hasSuffix("s") ? String(parent.dropLast()) : parent
            return [
                .remark("Where each belongs to one of \(parent), and a member says to which:"),
                .suggestion("parent", [parent: .string("\(singular)_id")])
            ]
        }

        /// What resources most often need, once.
        private static var hints: [Line] {
            [
                .remark("What differs from the style, for example:"),
                .suggestion("id", "uuid"),
                .suggestion("types", ["due": "date", "price": "decimal", "done": "boolean"]),
                .suggestion("readonly", ["created", "modified"]),
                .suggestion(
                    "pages",
                    [
                        "kind": "number", "parameter": "page", "size": ["parameter": "per_page", "value": 100]
                    ]),
                .suggestion("since", ["send": "modified_since", "from": ["field": "modified"]]),
                .suggestion("deletes", ["field": "deleted", "equals": true]),
                .suggestion("lookup", ["field": "uuid", "query": "uuid"])
            ]
        }
    }
#endif
