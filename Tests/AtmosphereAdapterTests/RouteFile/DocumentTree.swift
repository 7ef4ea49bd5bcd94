#if YAML
    import Atmosphere

    /// A document that can be damaged and written down in ways that a correct writer would not.
    indirect enum DocumentTree {
        case scalar(String, isPlain: Bool)
        case list([DocumentTree])
        /// A key may stand twice.
        case map([(key: String, value: DocumentTree)])

        init(_ node: RouteNode) {
            switch node.content {
            case .scalar(let text, let isPlain): self = .scalar(text, isPlain: isPlain)
            case .list(let elements): self = .list(elements.map { DocumentTree($0) })
            case .map(let entries): self = .map(entries.map { ($0.key, DocumentTree($0.node)) })
            }
        }

        var count: Int {
            switch self {
            case .scalar: 1
            case .list(let elements): elements.reduce(1) { $0 + $1.count }
            case .map(let entries): entries.reduce(1) { $0 + $1.value.count }
            }
        }

        // MARK: Damage

        /// Changes the value with this number, counted from the root, which is 0; less than 0 once it is done.
        mutating func change(_ number: inout Int, _ body: (inout DocumentTree) -> Void) {
            guard number >= 0 else { return }
            guard number > 0 else {
                number = -1
                return body(&self)
            }
            number -= 1
            switch self {
            case .scalar: break
            case .list(var elements):
                for index in elements.indices { elements[index].change(&number, body) }
                self = .list(elements)
            case .map(var entries):
                for index in entries.indices { entries[index].value.change(&number, body) }
                self = .map(entries)
            }
        }

        // MARK: Text

        var json: String {
            switch self {
            case .scalar(let text, let isPlain):
                isPlain && (JSONNumber(text) != nil || ["true", "false", "null"].contains(text))
                    ? text : Self.quoted(text)
            case .list(let elements): "[" + elements.map(\.json).joined(separator: ", ") + "]"
            case .map(let entries):
                "{" + entries.map { "\(Self.quoted($0.key)): \($0.value.json)" }.joined(separator: ",\n") + "}"
            }
        }

        /// Block style, so that damage to the indentation means something.
        func yaml(_ indentation: Int = 0) -> String {
            let space = String(repeating: " ", count: indentation)
            switch self {
            case .scalar(let text, let isPlain): return (isPlain ? text : Self.quoted(text)) + "\n"
            case .list(let elements) where elements.isEmpty: return "[]\n"
            case .map(let entries) where entries.isEmpty: return "{}\n"
            case .list(let elements):
                return "\n" + elements.map { "\(space)- \($0.yaml(indentation + 2))" }.joined()
            case .map(let entries):
                return "\n" + entries.map { "\(space)\(Self.key($0.key)): \($0.value.yaml(indentation + 2))" }.joined()
            }
        }

        private static func key(_ text: String) -> String {
            let isPlain = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x2C && $0 < 0x7B && $0 != 0x3A }
            return isPlain ? text : quoted(text)
        }

        private static func quoted(_ text: String) -> String {
            String(decoding: Value.string(text).json(), as: UTF8.self)
        }
    }
#endif
