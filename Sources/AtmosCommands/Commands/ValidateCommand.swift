#if Command
    internal import ArgumentParser
    internal import Atmosphere

    struct ValidateCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "validate",
            abstract: "Check the route file.",
            discussion: """
                Prints every mistake with its line and column. Nothing is opened and nothing is sent.

                EXAMPLE
                  atmos validate -c tasks.yaml
                """)

        @OptionGroup var global: GlobalOptions

        func run(_ output: Output) async throws {
            let routeFile = try global.routeFile()
            let names = routeFile.resources.map(\.name)
            if output.isJSON {
                try output.json(["file": .string(routeFile.source), "resources": .init(names)])
            } else {
                try output.remark("\(routeFile.source) is valid: \(names.joined(separator: ", "))")
            }
        }
    }
#endif
