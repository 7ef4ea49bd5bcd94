#if Command
    internal import Atmosphere
    internal import AtmosphereYAML

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

        /// The file's text, which nobody has read back yet: ``checkedText()`` does.
        var yaml: String { texts.joined(separator: "\n") + "\n" }

        private var texts: [String] {
            var texts = head.map(FlowYAML.comment)
            texts += lines.map { Self.text($0, "") } + ["", "resources:"]
            texts += resourceLines.map { Self.text($0, "  ") }
            for (index, resource) in resources.enumerated() {
                if index > 0 { texts.append("") }
                texts.append("  \(FlowYAML.scalar(resource.name)):")
                texts += resource.lines.map { Self.text($0, "    ") }
            }
            return texts
        }

        private static func text(_ line: Line, _ indent: String) -> String {
            switch line {
            case .gap: ""
            case .remark(let text): indent + FlowYAML.comment(text)
            case .setting(let key, let value): indent + FlowYAML.entry(key, value)
            case .suggestion(let key, let value): indent + "# " + FlowYAML.entry(key, value)
            }
        }

        // MARK: What is meant

        /// The tree of settings that the lines stand for.
        var settings: Value {
            var members = lines.compactMap(Self.setting)
            let resources = resources.map { resource -> Value.Member in
                let members = resource.lines.compactMap(Self.setting)
                return .init(name: resource.name, value: members.isEmpty ? nil : .object(.init(members)))
            }
            members.append(.init(name: "resources", value: resources.isEmpty ? nil : .object(.init(resources))))
            return .object(.init(members))
        }

        /// What stands in comments for a person to choose, each as a map of its own.
        var suggestions: [Value] {
            (lines + resourceLines + resources.flatMap(\.lines)).compactMap { line in
                guard case .suggestion(let key, let value) = line else { return nil }
                return .object([key: value])
            }
        }

        private static func setting(_ line: Line) -> Value.Member? {
            guard case .setting(let key, let value) = line else { return nil }
            return .init(name: key, value: value)
        }

        /// The file's text, read back: it says what is meant, neither more nor less, and so does each suggestion.
        ///
        /// - Throws: ``CommandFailure`` where a reader would understand something else.
        func checkedText() throws -> String {
            let texts = texts
            guard texts.allSatisfy({ $0.unicodeScalars.allSatisfy(FlowYAML.isShown) }) else { throw Self.difference }
            let text = texts.joined(separator: "\n") + "\n"
            guard Self.read(text) == settings else { throw Self.difference }
            let suggestions = suggestions
            if !suggestions.isEmpty {
                let list = suggestions.compactMap { $0.members?.first }.map {
                    "- \(FlowYAML.entry($0.name, $0.value))\n"
                }
                guard Self.read(list.joined()) == .array(suggestions) else { throw Self.difference }
            }
            return text
        }

        private static func read(_ text: String) -> Value? {
            let limits = YAMLDocumentReader.Limits(depth: 256, nodes: 5_000_000)
            return try? YAMLDocumentReader(limits: limits).read(Array(text.utf8), source: "draft.yaml").value
        }

        private static var difference: CommandFailure {
            CommandFailure(
                code: "unexpectedAnswer",
                [
                    "nothing was written: a name or a text holds what YAML cannot show as it is meant; take that out of the "
                        + "description, or begin by hand: atmos init"
                ], status: ExitStatus.failed)
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
