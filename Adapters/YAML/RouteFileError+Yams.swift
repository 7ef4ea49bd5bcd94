#if YAML
    import Atmosphere
    import Yams

    extension RouteFileError {
        /// What Yams says, with our place and without the text of the file, which may hold what nobody should see.
        static func yams(_ error: YamlError, in bytes: [UInt8], source: String) -> RouteFileError {
            func at(_ mark: Mark, _ message: String) -> RouteFileError {
                .one(RoutePlace(source: source, line: max(mark.line, 1), column: max(mark.column, 1)), message)
            }
            switch error {
            case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _):
                if problem.hasPrefix("Maximum nesting level") { return at(mark, YAMLNodes.depthMessage) }
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

        private static func remedy(_ problem: String) -> String {
            switch problem {
            case "found character that cannot start any token":
                "; indent with spaces, and quote text with odd characters"
            case "mapping values are not allowed in this context":
                "; quote a text that holds “: ”, and check the indentation"
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
