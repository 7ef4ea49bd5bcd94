#if Command
    internal import ArgumentParser
    internal import Atmosphere

    struct ListCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the local records of an entity.",
            discussion: """
                With --json the records are an array, each as it is stored. Values are compared by the type that the route \
                file declares for the field.

                EXAMPLE
                  atmos list tasks --where 'due<2026-02-01' --sort -due --limit 10
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The entity.")
        var entity: String

        @Option(
            name: .customLong("where"), parsing: .unconditionalSingleValue,
            help: ArgumentHelp("A condition, with =, !=, <, <=, > or >=; all must hold.", valueName: "field=value"),
            transform: ConditionArgument.init)
        var conditions: [ConditionArgument] = []

        @Option(
            parsing: .unconditional, help: ArgumentHelp("The order; -FIELD for descending.", valueName: "field"),
            transform: OrderArgument.init)
        var sort: OrderArgument?

        @Option(help: ArgumentHelp("No more records than this.", valueName: "n"))
        var limit: Int?

        func validate() throws {
            if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0 on") }
        }

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                let resource = try synchronizer.routeFile.known(entity)
                let query = Query(
                    entity, where: conditions.map { $0.condition(resource) },
                    order: sort.map { [.init($0.field, ascending: $0.isAscending)] } ?? [], limit: limit)
                let records = try await synchronizer.records(matching: query)
                if output.isJSON { return try output.json(records.map(\.record)) }
                let marks = try await synchronizer.pending(entity: entity)
                try output.table(RecordTable.table(of: records, pending: marks))
            }
        }
    }
#endif
