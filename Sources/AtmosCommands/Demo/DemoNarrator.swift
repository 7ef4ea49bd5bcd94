#if Command || Demo
    internal import Atmosphere
    internal import AtmosphereReports

    /// Tells the story: a heading, a sentence, the command that would do the same, and what came of it.
    struct DemoNarrator {
        private let output: Output

        init(_ output: Output) { self.output = output }

        /// Whether anybody listens.
        private var isSilent: Bool { output.isJSON || output.isQuiet }

        func heading(_ text: String) throws { try say("\n\(output.bold(text))") }

        func sentence(_ text: String) throws { try say(text) }

        /// What a person would type.
        func command(_ text: String, by client: String? = nil) throws {
            let prompt = client.map { "\($0) $" } ?? "$"
            try say(output.dim("  \(prompt) atmos \(text)"))
        }

        func answer(_ lines: [String]) throws { for line in lines { try say("  \(line)") } }

        func answer(_ line: String) throws { try answer([TextWidth.oneLine(line)]) }

        func answer(_ table: Table) throws { try answer(table.lines(width: width)) }

        /// Columns for an answer.
        var width: Int? { output.width.map { $0 - 2 } }

        func answer(_ report: PullReport, of routeFile: RouteFile) throws { try answer(report.table(in: routeFile)) }

        func answer(_ decision: OpenDecision) throws { try answer(decision.lines(output)) }

        private func say(_ text: String) throws { if !isSilent { try output.line(text) } }
    }
#endif
