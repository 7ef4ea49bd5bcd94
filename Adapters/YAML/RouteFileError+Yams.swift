#if YAML
    import AtmosphereRouting
    import Yams

    extension RouteFileError {
        /// What Yams says, with our place and without the text of the file, which may hold what nobody should see.
        static func yams(_ error: YamlError, in bytes: [UInt8], source: String) -> RouteFileError {
            func at(_ mark: Mark, _ message: String) -> RouteFileError {
                .one(RoutePlace(source: source, line: max(mark.line, 1), column: max(mark.column, 1)), message)
            }
            switch error {
            case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _):
                if problem.hasPrefix("Maximum nesting level") { return at(mark, YAMLNodes.depthMessage) }
                if let context, let (place, reason) = cause(problem, context) {
                    return at(place, "not valid YAML: \(reason)")
                }
                if problem.hasPrefix("mapping values"), let place = keyWithoutColon(above: mark, in: bytes, source) {
                    return .one(place, "not valid YAML: \(keyMessage)")
                }
                return at(mark, "not valid YAML: \(problem)\(remedy(problem))")
            case .composer(_, let problem, let mark, _):
                if problem.contains("another document") {
                    return at(mark, "a route file holds one document; remove what follows “---”")
                }
                if problem.contains("alias") { return at(mark, YAMLNodes.aliasMessage) }
                return at(mark, "not valid YAML: \(problem)")
            case .duplicatedKeysInMapping(let keys, let context):
                return at(context.mark, "the key \((keys.first ?? "").quoted) stands more than once in the same map")
            case .reader(let problem, let offset, _, _):
                return .one(place(ofCharacter: offset ?? 0, in: bytes, source), "not valid YAML: \(problem)")
            default:
                return .one(RoutePlace(source: source, line: 1, column: 1), "the text is not YAML")
            }
        }

        /// Where the mistake is, where libyaml notices it only later: at the key without a colon, at the bracket that is
        /// not closed; nil where it names the place itself.
        private static func cause(_ problem: String, _ context: YamlError.Context) -> (Mark, String)? {
            switch (context.text, problem) {
            case ("while scanning a simple key", _):
                (context.mark, keyMessage)
            case ("while parsing a flow mapping", "did not find expected ',' or '}'"):
                (context.mark, "the “{” here is not closed where it should be; write { KEY: VALUE, KEY: VALUE }")
            case ("while parsing a flow sequence", "did not find expected ',' or ']'"):
                (context.mark, "the “[” here is not closed where it should be; write [a, b]")
            default: nil
            }
        }

        private static let keyMessage = "a key needs “:” behind it; write KEY: VALUE, or KEY: above an indented map"

        /// The line above, where it is a bare word with an indented key below: together they look like a key of two lines.
        private static func keyWithoutColon(above mark: Mark, in bytes: [UInt8], _ source: String) -> RoutePlace? {
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            guard mark.line >= 2, mark.line <= lines.count else { return nil }
            let (above, below) = (lines[mark.line - 2], lines[mark.line - 1])
            let indent = above.prefix { $0 == " " }.count
            let word = above.dropFirst(indent)
            guard !word.isEmpty, !word.contains(where: { ":#-{[\"'".contains($0) }),
                indent < below.prefix(while: { $0 == " " }).count
            else { return nil }
            return RoutePlace(source: source, line: mark.line - 1, column: indent + 1)
        }

        private static func remedy(_ problem: String) -> String {
            switch problem {
            case "found character that cannot start any token":
                "; indent with spaces, and quote text with odd characters"
            case "mapping values are not allowed in this context":
                "; quote a text that holds “: ”, and check the indentation"
            case "did not find expected key", "did not find expected '-' indicator":
                "; the keys of one map, and the elements of one list, begin in the same column: check the indentation"
            default: ""
            }
        }

        private static func place(ofCharacter offset: Int, in bytes: [UInt8], _ source: String) -> RoutePlace {
            var place = RoutePlace(source: source, line: 1, column: 1)
            for character in String(decoding: bytes, as: UTF8.self).prefix(offset) {
                place.line += character.isNewline ? 1 : 0
                place.column = character.isNewline ? 1 : place.column + character.unicodeScalars.count
            }
            return place
        }
    }
#endif
