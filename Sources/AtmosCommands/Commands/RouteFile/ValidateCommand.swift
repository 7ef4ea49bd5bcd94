#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct ValidateCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "validate",
            abstract: "Check the route file.",
            discussion: """
                Prints every mistake with its line and column, and what the file may do beside requests without credentials to \
                its base. Nothing is opened and nothing is sent.

                EXAMPLE
                  atmos validate -c tasks.yaml
                """)

        @OptionGroup var global: GlobalOptions

        func run(_ output: Output) async throws {
            let routeFile = try global.unaskedRouteFile()
            let names = routeFile.resources.map(\.name)
            if output.isJSON {
                try output.json([
                    "file": .string(routeFile.source), "resources": .init(names), "powers": routeFile.powersValue,
                    "warnings": .init(routeFile.warnings)
                ])
            } else {
                try output.remark("\(routeFile.source) is valid: \(names.joined(separator: ", "))")
                if !routeFile.powers.isEmpty { try output.remark("with an allowance (atmos allow) it") }
                for power in routeFile.powers { try output.remark(TextWidth.oneLine("  \(power)")) }
                for warning in routeFile.warnings { output.warning(warning) }
            }
        }
    }
#endif
