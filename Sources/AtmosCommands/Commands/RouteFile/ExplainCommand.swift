#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct ExplainCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "Show every setting in force and where it comes from.",
            discussion: """
                A setting comes from a line of the route file, from its style, or from a default. Without an entity it also says \
                what the file may do beside requests to its base, which needs an allowance (atmos allow).

                EXAMPLE
                  atmos explain tasks
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "Only this entity's settings.", completion: .entities)
        var entity: String?

        func run(_ output: Output) async throws {
            let routeFile = try global.unaskedRouteFile()
            if let entity { _ = try routeFile.known(entity) }
            let settings = routeFile.explanation(entity: entity)
            if output.isJSON {
                let list = settings.map { setting -> Value in
                    ["path": .string(setting.path), "value": .string(setting.value), "origin": .string(setting.origin)]
                }
                return try output.json([
                    "settings": .array(list), "powers": routeFile.powersValue, "digest": .init(routeFile.powersDigest)
                ])
            }
            var table = Table(["SETTING", "VALUE", "FROM"])
            for setting in settings { table.add([setting.path, setting.value, setting.origin]) }
            try output.table(table)
            guard entity == nil, !routeFile.powers.isEmpty else { return }
            try output.remark("\nThe file")
            for power in routeFile.powers { try output.remark(TextWidth.oneLine("  \(power)")) }
        }
    }
#endif
