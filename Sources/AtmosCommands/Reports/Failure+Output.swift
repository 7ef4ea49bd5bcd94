#if Command || Demo
    internal import Atmosphere
    internal import AtmosphereReports

    extension MetaObject.Failure {
        /// The message, and below it what the server said of single fields.
        func lines(of uri: ObjectURI, _ output: Output) -> [String] {
            let status = status.map { " (\($0))" } ?? ""
            return [output.bold(TextWidth.oneLine("\(uri)\(status)")) + TextWidth.oneLine(": \(message)")]
                + fields.lines(missingIn: message).map { TextWidth.oneLine("  \($0)") }
        }
    }
#endif
