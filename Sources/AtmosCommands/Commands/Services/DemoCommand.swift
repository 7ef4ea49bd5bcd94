#if Command
    internal import ArgumentParser
    internal import Atmosphere

    struct DemoCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "demo",
            abstract: "See the main job done: pull, work offline, push, meet another client's edits.",
            discussion: """
                Serves a REST API in this process, writes a route file for it into a temporary folder, and works with it \
                over real HTTP as two clients with a store each. Needs no network and leaves nothing behind without --keep.

                EXAMPLE
                  atmos demo
                  atmos demo --style plain --keep
                """)

        @OptionGroup var global: GlobalOptions

        @Option(help: ArgumentHelp("The routing style: django-rest or plain.", valueName: "style"))
        var style = Demo.usualStyle

        @Flag(help: "Keep the folder with the route file and both stores.")
        var keep = false

        func validate() throws {
            guard DemoStage.styles.contains(style) else {
                throw ValidationError("--style takes \(DemoStage.styles.joined(separator: " or "))")
            }
            if global.config != nil { throw ValidationError("the demo writes its own route file; leave --config out") }
        }

        func run(_ output: Output) async throws { try await Demo(style: style, keep: keep).run(output) }
    }
#endif
