#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct ExportCommand: AtmosCommand {
        enum Format: String, ExpressibleByArgument, CaseIterable {
            case jsonl, csv
        }

        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write the local records of an entity as JSON lines or CSV.",
            discussion: """
                One record per line, as the server wrote its values; memory does not grow with their number. CSV (RFC \
                4180) has a heading, lines end with CR LF, nested values are JSON, and null and absent are both empty. A \
                text that a spreadsheet would take for a formula has an apostrophe in front of it, unless it is a number: it \
                begins with =, +, -, @ or their wide forms, also behind spaces, a BOM or other characters that are not \
                seen, or with a tab, CR or LF. --raw leaves it as it is. Ends with 2 where no record has a field that \
                was named.

                EXAMPLE
                  atmos export tasks > tasks.jsonl
                  atmos export tasks --format csv --fields id,title,due > tasks.csv
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The entity.", completion: .entities)
        var entity: String

        @Option(help: ArgumentHelp("jsonl or csv.", valueName: "format"))
        var format = Format.jsonl

        @Option(
            help: ArgumentHelp("Only these members, in this order, separated by commas.", valueName: "names"),
            transform: { $0.split(separator: ",").map(String.init) })
        var fields: [String]?

        @Option(
            name: .customLong("where"), parsing: .unconditionalSingleValue,
            help: ArgumentHelp(
                "A condition, with =, !=, <, <=, >, >=, *=, ~= or ^=; all must hold.", valueName: "field=value"),
            transform: ConditionArgument.init)
        var conditions: [ConditionArgument] = []

        @Flag(help: "In CSV, texts that are formulas to a spreadsheet stay as they are.")
        var raw = false

        func validate() throws {
            if raw, format != .csv { throw ValidationError("--raw belongs to --format csv") }
            if fields?.isEmpty == true { throw ValidationError("--fields takes one name at least") }
        }

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                let resource = try synchronizer.routeFile.known(entity)
                let query = try synchronizer.compiled(
                    Query(entity, where: try conditions.map { try $0.condition(resource) }))
                // First of all: nothing of a table whose heading is a mistake should reach whoever reads it.
                let wanted = (fields ?? []) + conditions.map(\.field)
                let unknown = try await FieldNames(resource)
                    .complaints(wanted, in: synchronizer, isThorough: true)
                if !unknown.isEmpty { throw CommandFailure(code: "usage", unknown, status: ExitStatus.usage) }
                let (format, fields, raw) = (format, fields, raw)
                try await synchronizer.store.read { snapshot in
                    switch format {
                    case .jsonl: try Self.writeLines(query, resource.mapping, fields, in: snapshot)
                    case .csv: try Self.writeCSV(query, resource.mapping, fields, raw: raw, in: snapshot)
                    }
                }
            }
        }

        private static func writeLines(
            _ query: Query, _ mapping: FieldMapping, _ fields: [String]?, in snapshot: any StoreSnapshot
        ) throws {
            var lines = BufferedLines(isData: true)
            try snapshot.records(matching: query) { _, record in
                try lines.append(Self.line(mapping.view(record), fields) + [UInt8(ascii: "\n")])
                return true
            }
            try lines.flush()
        }

        /// The record's own bytes, unless they take more than a line.
        private static func line(_ record: ObjectRecord, _ fields: [String]?) -> [UInt8] {
            if let fields {
                let members = record.members
                let chosen = fields.compactMap { name in members[name].map { Value.Member(name: name, value: $0) } }
                return Value.object(Value.Members(chosen)).json()
            }
            let isOneLine = !record.bytes.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            return isOneLine ? record.bytes : Value.object(record.members).json()
        }

        private static func writeCSV(
            _ query: Query, _ mapping: FieldMapping, _ fields: [String]?, raw: Bool, in snapshot: any StoreSnapshot
        ) throws {
            var names = fields ?? []
            if fields == nil {
                var seen: Set<ScalarText> = []
                try snapshot.records(matching: query) { _, record in
                    for member in mapping.view(record).members where seen.insert(ScalarText(member.name)).inserted {
                        names.append(member.name)
                    }
                    return true
                }
            }
            var lines = BufferedLines(isData: true)
            try lines.append(CSV.line(raw ? names : names.map(CSV.harmless)))
            try snapshot.records(matching: query) { _, record in
                let members = mapping.view(record).members
                let cells = names.map { name -> String in
                    guard let value = members[name], !value.isNull else { return "" }
                    return raw || value.string == nil ? value.text : CSV.harmless(value.text)
                }
                try lines.append(CSV.line(cells))
                return true
            }
            try lines.flush()
        }
    }

    /// Comma-separated values (RFC 4180).
    enum CSV {
        static func line(_ cells: [String]) -> [UInt8] {
            Array((cells.map(cell).joined(separator: ",") + "\r\n").utf8)
        }

        /// The text with an apostrophe in front of what a spreadsheet would take for a formula; numbers are none.
        ///
        /// Spreadsheets pass over what stands before it and is not seen, and some take the wide characters of East Asia for
        /// the narrow ones (https://owasp.org/www-community/attacks/CSV_Injection).
        static func harmless(_ text: String) -> String {
            let seen = text.unicodeScalars.drop { $0.properties.isWhitespace || UnseenText.contains($0.value) }
            let isBroken = text.unicodeScalars.first.map("\t\r\n".unicodeScalars.contains) ?? false
            guard isBroken || seen.first.map(beginningsOfFormulas.contains) ?? false, JSONNumber(text) == nil else {
                return text
            }
            return "'" + text
        }

        private static let beginningsOfFormulas: Set<Unicode.Scalar> = [
            "=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣", "﹫"
        ]

        /// In quotation marks where it holds one, the end of a line, or what divides cells here or in programs that expect
        /// `;` or a tab.
        private static func cell(_ text: String) -> String {
            guard text.utf8.contains(where: { ",;\t\"\r\n".utf8.contains($0) }) else { return text }
            var cell = "\""
            // By scalars: a quotation mark with an accent behind it is one character to Swift.
            for scalar in text.unicodeScalars {
                if scalar == "\"" { cell.unicodeScalars.append(scalar) }
                cell.unicodeScalars.append(scalar)
            }
            return cell + "\""
        }
    }
#endif
