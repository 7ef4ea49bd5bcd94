#if Command
    internal import Atmosphere

    /// A route file to be written for a person to go on with: settings, and comments that say what they are for.
    struct RouteFileDraft {
        /// One line of the file, or a remark.
        enum Line {
            case remark(String)
            case setting(String, Value)
            /// A setting that is not in force, for the person to choose.
            case suggestion(String, Value)
            case gap
        }

        struct Resource {
            var name: String
            var lines: [Line] = []
        }

        /// What stands above everything, without `#`.
        var head: [String] = []
        var lines: [Line] = []
        /// What stands below `resources:`.
        var resourceLines: [Line] = []
        var resources: [Resource] = []

        /// The file's text.
        var yaml: String {
            var texts = head.map(Self.comment)
            texts += lines.map { Self.text($0, "") } + ["", "resources:"]
            texts += resourceLines.map { Self.text($0, "  ") }
            for (index, resource) in resources.enumerated() {
                if index > 0 { texts.append("") }
                texts.append("  \(FlowYAML.scalar(resource.name)):")
                texts += resource.lines.map { Self.text($0, "    ") }
            }
            return texts.joined(separator: "\n") + "\n"
        }

        private static func text(_ line: Line, _ indent: String) -> String {
            switch line {
            case .gap: ""
            case .remark(let text): indent + comment(text)
            case .setting(let key, let value): indent + entry(key, value)
            case .suggestion(let key, let value): indent + "# " + entry(key, value)
            }
        }

        private static func entry(_ key: String, _ value: Value) -> String {
            // A URL needs no quotes at the end of a line.
            if case .string(let text) = value, text.hasPrefix("http"), !text.contains(" ") { return "\(key): \(text)" }
            return "\(FlowYAML.scalar(key)): \(FlowYAML.text(value))"
        }

        /// What others wrote must not end the comment.
        private static func comment(_ text: String) -> String {
            text.isEmpty ? "#" : "# " + TextWidth.oneLine(text)
        }

        /// Reads the draft as the file that it will be.
        ///
        /// - Throws: `RouteFileError`.
        @discardableResult
        func routeFile(source: String) throws -> RouteFile {
            try RouteFile.load(bytes: Array(yaml.utf8), source: source, adapters: .linked)
        }
    }
#endif
