#if Command || Demo
    internal import Atmosphere

    /// Where a command's answer goes: text for people, JSON for programs, colour on a terminal only.
    struct Output: Sendable {
        let isJSON: Bool
        let isQuiet: Bool
        let isVerbose: Bool
        /// Whether standard output may have colour.
        let hasColor: Bool
        /// Columns of the terminal; nil in a pipe, where nothing is cut.
        let width: Int?
        /// Whether a line may be drawn over and over on standard error.
        let showsProgress: Bool

        init(json: Bool, quiet: Bool, verbose: Bool, environment: [String: String]) {
            isJSON = json
            isQuiet = quiet
            isVerbose = verbose
            width = StandardStream.output.width
            // https://no-color.org: any value but the empty one counts.
            let mayColor = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
            hasColor = mayColor && StandardStream.output.isTerminal
            showsProgress = StandardStream.error.isTerminal && environment["TERM"] != "dumb" && !quiet && !json
        }

        // MARK: Standard output

        /// One line of the answer.
        func line(_ text: String) throws { try StandardStream.output.write(text + "\n") }

        func lines(_ texts: [String]) throws {
            guard !texts.isEmpty else { return }
            try StandardStream.output.write(texts.joined(separator: "\n") + "\n")
        }

        /// A line that a person likes to see and a script does not need; nothing with `--quiet` or `--json`.
        func remark(_ text: String) throws {
            if !isQuiet, !isJSON { try line(text) }
        }

        func table(_ table: Table) throws { try lines(table.lines(width: width, style: bold)) }

        /// The answer as one line of JSON.
        func json(_ value: Value) throws { try StandardStream.output.write(value.json() + [UInt8(ascii: "\n")]) }

        /// A record's own bytes.
        func json(_ record: ObjectRecord) throws {
            try StandardStream.output.write(record.bytes + [UInt8(ascii: "\n")])
        }

        // MARK: Standard error

        /// What went wrong: one message per line, or one JSON object.
        func failure(_ failure: CommandFailure) {
            let text: String
            if isJSON {
                let message = failure.messages.joined(separator: "\n")
                let error: Value = ["error": ["code": .string(failure.code), "message": .string(message)]]
                text = String(decoding: error.json(), as: UTF8.self) + "\n"
            } else {
                text = failure.messages.map { "atmos: \(TextWidth.oneLine($0))\n" }.joined()
            }
            // Nobody is left to be told.
            try? StandardStream.error.write(text)
        }

        /// Something that a person should know although the command went on.
        func warning(_ text: String) {
            guard !isQuiet, !isJSON else { return }
            try? StandardStream.error.write("atmos: \(TextWidth.oneLine(text))\n")
        }

        /// Something that is told once and not again, so it is told in any case.
        func lastingWarning(_ text: String) {
            guard isJSON else {
                try? StandardStream.error.write("atmos: \(TextWidth.oneLine(text))\n")
                return
            }
            let warning: Value = ["warning": ["message": .string(text)]]
            try? StandardStream.error.write(String(decoding: warning.json(), as: UTF8.self) + "\n")
        }

        /// A line of the synchronization log, with `--verbose`.
        func log(_ entry: SyncLogEntry) {
            guard isVerbose else { return }
            try? StandardStream.error.write(TextWidth.oneLine("\(entry.subject): \(entry.message)") + "\n")
        }

        // MARK: Style

        func bold(_ text: String) -> String { hasColor ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
        func dim(_ text: String) -> String { hasColor ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
        /// What goes, and what fails.
        func red(_ text: String) -> String { hasColor ? "\u{1B}[31m\(text)\u{1B}[0m" : text }
        /// What comes, and what is well.
        func green(_ text: String) -> String { hasColor ? "\u{1B}[32m\(text)\u{1B}[0m" : text }
        /// What a person should look at.
        func yellow(_ text: String) -> String { hasColor ? "\u{1B}[33m\(text)\u{1B}[0m" : text }
    }
#endif
