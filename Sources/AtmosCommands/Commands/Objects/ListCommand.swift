#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct ListCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the local records of an entity.",
            discussion: """
                With --json the records are an array, each as it is stored. Values are compared by the type that the route \
                file declares for the field. Ends with 2 where no record has a field of --where or --sort, and the route \
                file does not name it either. A day in the place of an instant is its beginning in UTC, with < and >=.

                With --view the records are those of a view, in the server's order, as it was when it was last pulled; \
                its parameters follow as NAME=VALUE.

                EXAMPLE
                  atmos list tasks --where 'due<2026-02-01' --sort -due --limit 10
                  atmos list tasks --view mine owner=7
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The entity.", completion: .entities)
        var entity: String

        @Argument(help: ArgumentHelp("With --view: its parameters.", valueName: "name=value"))
        var parameters: [String] = []

        @Option(help: ArgumentHelp("Only a view that the route file declares.", valueName: "name"))
        var view: String?

        @Option(
            name: .customLong("where"), parsing: .unconditionalSingleValue,
            help: ArgumentHelp(
                "A condition, with =, !=, <, <=, >, >=, *= (contains), ~= (in any case) or ^= (begins with); all must hold.",
                valueName: "field=value"),
            transform: ConditionArgument.init)
        var conditions: [ConditionArgument] = []

        @Option(
            parsing: .unconditional, help: ArgumentHelp("The order; -FIELD for descending.", valueName: "field"),
            transform: OrderArgument.init)
        var sort: OrderArgument?

        @Option(parsing: .unconditional, help: ArgumentHelp("No more records than this.", valueName: "n"))
        var limit: Int?

        @Option(parsing: .unconditional, help: ArgumentHelp("Pass over this many records first.", valueName: "n"))
        var offset = 0

        func validate() throws {
            if offset < 0 { throw ValidationError("--offset takes a number from 0 on") }
            if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0 on") }
            if let first = parameters.first, view == nil {
                throw ValidationError("“\(first)” has no use without --view; a condition is --where FIELD=VALUE")
            }
            if view != nil, !conditions.isEmpty || sort != nil {
                throw ValidationError("--view takes neither --where nor --sort")
            }
            _ = try ViewArguments([entity] + parameters)
        }

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                let resource = try synchronizer.routeFile.known(entity)
                let query = Query(
                    entity, where: try conditions.map { try $0.condition(resource) },
                    order: sort.map { [.init($0.field, ascending: $0.isAscending)] } ?? [], limit: limit, offset: offset
                )
                // First of all: nothing of a list that a mistake has chosen or sorted should reach whoever reads it.
                let wanted = conditions.map(\.field) + (sort.map { [$0.field] } ?? [])
                let unknown = try await FieldNames(resource)
                    .complaints(wanted, in: synchronizer, isThorough: true)
                if !unknown.isEmpty { throw CommandFailure(code: "usage", unknown, status: ExitStatus.usage) }
                let found: Int
                if let view {
                    found = try await show(view: view, synchronizer, output)
                } else {
                    let compiled = try synchronizer.compiled(query)
                    found = try await synchronizer.store.read { snapshot in
                        output.isJSON
                            ? try Self.writeJSON(compiled, resource.mapping, in: snapshot)
                            : try Self.writeTable(compiled, resource, in: snapshot, output)
                    }
                }
                if found == 0 { try await remarkOnNothing(synchronizer, output) }
            }
        }

        /// Nothing is here, perhaps because nothing was asked for yet.
        private func remarkOnNothing(_ synchronizer: Synchronizer, _ output: Output) async throws {
            let arguments = try ViewArguments([entity] + (view == nil ? [] : parameters))
            let wasPulled = try await synchronizer.wasPulled(entity, view: view, parameters: arguments.parameters)
            guard !wasPulled else { return }
            let options = (view.map { ["--view", $0] + parameters } ?? []).map { " \($0.shellWord)" }.joined()
            output.warning("\(entity): nothing was pulled yet; atmos pull \(entity.shellWord)\(options)")
        }

        /// The members of a view, which is as small as what the server was asked for.
        private func show(view: String, _ synchronizer: Synchronizer, _ output: Output) async throws -> Int {
            let arguments = try ViewArguments([entity] + parameters)
            try arguments.requireAll(of: view, in: synchronizer.routeFile)
            let all = try await synchronizer.records(in: view, of: entity, parameters: arguments.parameters)
            let records = Array(all.dropFirst(offset).prefix(limit ?? .max))
            if output.isJSON {
                try output.lines([
                    "[" + records.map { String(decoding: $0.record.bytes, as: UTF8.self) }.joined(separator: ",\n")
                        + "]"
                ])
            } else {
                let pending = try await synchronizer.pending(entity: entity)
                try output.lines(
                    RecordTable.lines(
                        of: records, pending: pending,
                        resource: try synchronizer.routeFile.known(entity), width: output.width))
            }
            return records.count
        }

        /// An array of records, each on its own line, as they come out of the store.
        ///
        /// - Returns: how many there are.
        private static func writeJSON(
            _ query: Query, _ mapping: FieldMapping, in snapshot: any StoreSnapshot
        ) throws -> Int {
            var lines = BufferedLines()
            var count = 0
            try snapshot.records(matching: query) { _, record in
                try lines.append(Array((count == 0 ? "[" : ",\n").utf8) + mapping.view(record).bytes)
                count += 1
                return true
            }
            try lines.append(Array((count == 0 ? "[]\n" : "]\n").utf8))
            try lines.flush()
            return count
        }

        private static func writeTable(
            _ query: Query, _ resource: Resource, in snapshot: any StoreSnapshot, _ output: Output
        ) throws -> Int {
            var table = RecordTable(marks: try snapshot.marks(entity: query.entity), id: resource.idField)
            let mapping = resource.mapping
            var count = 0
            try snapshot.records(matching: query) { uri, record in
                table.measure(uri, mapping.view(record))
                count += 1
                return true
            }
            let names = table.names()
            let layout = table.layout(names)
            let shown = layout.columns(in: output.width)
            var lines = BufferedLines()
            try lines.line(output.bold(layout.heading(shown)))
            try snapshot.records(matching: query) { uri, record in
                try lines.line(layout.line(table.cells(uri, mapping.view(record), names), shown))
                return true
            }
            try lines.flush()
            if table.left > 0 { try output.remark("and \(table.left) more members; --json shows them") }
            return count
        }
    }
#endif
