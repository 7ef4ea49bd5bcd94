#if Command
    internal import ArgumentParser
    internal import Atmosphere

    struct SchemaCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema",
            abstract: "Print the JSON Schema of route files, for editors.",
            discussion: """
                Editors with the YAML language server complete and check a file that begins with
                  # yaml-language-server: $schema=route-file.schema.json

                EXAMPLE
                  atmos schema > route-file.schema.json
                """)

        @OptionGroup var global: GlobalOptions

        func run(_ output: Output) async throws {
            if output.isJSON { return try output.json(RouteFileSchema.document) }
            try StandardStream.output.write(RouteFileSchema.text)
        }
    }
#endif
