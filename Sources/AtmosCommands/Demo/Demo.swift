#if Command || Demo
    internal import Atmosphere

    /// The demo, from the making of its stage to its removal.
    struct Demo {
        static let usualStyle = "django-rest"

        var style = usualStyle
        /// Whether the folder with the route file and both stores stays.
        var keep = false

        func run(_ output: Output) async throws {
            let stage = try DemoStage(style: style)
            defer { if !keep { stage.remove() } }
            try await stage.withClients(log: { output.log($0) }) { clients in
                try await DemoStory(clients, DemoNarrator(output)).tell()
            }
            if output.isJSON {
                try output.json(["passed": true, "folder": keep ? .string(stage.folder) : .null])
            } else if keep {
                try output.line("\nKept: \(stage.folder)")
            }
        }
    }
#endif
