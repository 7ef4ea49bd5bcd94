#if YAML
    /// What errors say, found in the text of a Swift file: where an error is made, its code and the literals of its
    /// message, with `…` for whatever is put in between.
    struct SourceMessages {
        struct Message: Hashable, Comparable {
            /// Empty where the code follows from something else.
            var code: String
            var text: String

            /// The row of a table.
            var row: String {
                let fence = text.contains("`") ? "``" : "`"
                let written = text.replacing("|", with: "\\|").replacing("\n", with: " ")
                return "| \(fence)\(written)\(fence) | \(code.isEmpty ? "several" : "`\(code)`") |"
            }

            static func < (first: Self, second: Self) -> Bool {
                (first.code, first.text) < (second.code, second.text)
            }
        }

        /// Calls that make an error.
        private static let errors: Set<String> = [
            "SyncError", "TransportError", "StoreError", "ExtractionError", "AdapterError", "SecretError",
            "RESTSourceError", "ModelError", "CommandFailure", "ValidationError", "usage", "note", "init"
        ]

        private indirect enum Token {
            case literal(String)
            case code(String)
            /// In round or curly brackets, or in those of a subscript.
            case group
            case array([[Token]])
        }

        private struct Unbalanced: Error {}

        private let bytes: [UInt8]
        private let isRouteFile: Bool
        private let isCommandFailure: Bool
        private var index = 0

        /// - Parameter path: the file's, by which `note` and `init` are told from others of the name.
        init(_ source: String, path: String) {
            // What lies behind the end stops every search.
            bytes = Array(source.utf8) + [0, 0, 0]
            isRouteFile = path.contains("/AtmosphereRouting/")
            isCommandFailure = path.hasSuffix("/CommandFailure.swift")
        }

        func all() -> Set<Message> {
            var found: Set<Message> = []
            for place in bytes.indices where bytes[place] == UInt8(ascii: "(") {
                guard let name = name(before: place), Self.errors.contains(name), !isInComment(place) else { continue }
                var reader = self
                reader.index = place + 1
                guard let arguments = try? reader.arguments(upTo: UInt8(ascii: ")")) else { continue }
                found.formUnion(messages(name, arguments))
            }
            return found
        }

        // MARK: Calls

        private func messages(_ name: String, _ arguments: [[Token]]) -> [Message] {
            let labelled = arguments.map(Self.labelled)
            let labels = Set(labelled.map(\.label))
            if name == "init", !labels.isSuperset(of: ["code", "message"]),
                !(isCommandFailure && labels.contains("code"))
            {
                return []
            }
            if name == "note", !isRouteFile { return [] }
            var code = ""
            if let argument = labelled.last(where: { $0.label == "code" })?.tokens, argument.count == 1 {
                switch argument[0] {
                case .literal(let text) where Self.isWord(text): code = text
                case .code(let text) where text.hasPrefix(".") && Self.isWord(text.dropFirst()):
                    code = String(text.dropFirst())
                default: break
                }
            }
            if ["usage", "ValidationError"].contains(name) { code = "usage" }
            if name == "note" { code = "routeFile" }
            return labelled.filter { ["", "message"].contains($0.label) }.flatMap { Self.texts(of: $0.tokens) }
                .map { Message(code: code, text: $0) }
        }

        private static func labelled(_ argument: [Token]) -> (label: String, tokens: [Token]) {
            guard case .code(let text)? = argument.first, let colon = text.firstIndex(of: ":"),
                isWord(text[..<colon])
            else { return ("", argument) }
            let rest = trimmed(text[text.index(after: colon)...])
            return (String(text[..<colon]), (rest.isEmpty ? [] : [.code(rest)]) + argument.dropFirst())
        }

        /// One text for each branch of an expression that chooses.
        private static func texts(of tokens: [Token]) -> [String] {
            var texts: [String] = []
            var text = ""
            func end() {
                while text.contains("……") { text = text.replacing("……", with: "…") }
                if text.firstMatch(of: #/[A-Za-z]{2}/#) != nil { texts.append(text) }
                text = ""
            }
            for token in tokens {
                switch token {
                case .literal(let part): text += part
                case .code(let part) where part.contains("?") || part.contains(":"): end()
                case .code("+"): break
                case .code, .group: text += "…"
                case .array(let elements):
                    end()
                    texts += elements.flatMap(Self.texts)
                }
            }
            end()
            return texts
        }

        // MARK: Reading

        private mutating func arguments(upTo close: UInt8) throws -> [[Token]] {
            var arguments: [[Token]] = []
            var argument: [Token] = []
            var code: [UInt8] = []
            func flush() {
                let text = Self.trimmed(String(decoding: code, as: UTF8.self))
                if !text.isEmpty { argument.append(.code(text)) }
                code = []
            }
            while true {
                let byte = bytes[index]
                switch byte {
                case 0: throw Unbalanced()
                case UInt8(ascii: "/") where bytes[index + 1] == byte:
                    while bytes[index] != UInt8(ascii: "\n"), bytes[index] != 0 { index += 1 }
                case UInt8(ascii: "#") where bytes[index + 1] == UInt8(ascii: "/"):
                    flush()
                    index += 2
                    while bytes[index] != UInt8(ascii: "/") || bytes[index + 1] != UInt8(ascii: "#") {
                        if bytes[index] == 0 { throw Unbalanced() }
                        index += 1
                    }
                    index += 2
                    argument.append(.group)
                case UInt8(ascii: "\""),
                    UInt8(ascii: "#") where isLiteral():
                    flush()
                    argument.append(.literal(try literal()))
                case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                    let before = Self.trimmed(String(decoding: code, as: UTF8.self))
                    let isFirst = argument.isEmpty && (before.isEmpty || before.hasSuffix(":"))
                    flush()
                    index += 1
                    let ends: [UInt8: Character] = [0x28: ")", 0x5B: "]", 0x7B: "}"]
                    let inner = try self.arguments(upTo: ends[byte]?.asciiValue ?? 0)
                    argument.append(byte == UInt8(ascii: "[") && isFirst ? .array(inner) : .group)
                case close:
                    flush()
                    index += 1
                    if !argument.isEmpty { arguments.append(argument) }
                    return arguments
                case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): throw Unbalanced()
                case UInt8(ascii: ","):
                    flush()
                    arguments.append(argument)
                    argument = []
                    index += 1
                default:
                    code.append(byte)
                    index += 1
                }
            }
        }

        private func isLiteral() -> Bool {
            bytes[index...].first { $0 != UInt8(ascii: "#") } == UInt8(ascii: "\"")
        }

        /// A literal of any kind, with `…` for what is put in, and `“…”` for what is put in with quotation marks.
        private mutating func literal() throws -> String {
            var hashes: [UInt8] = []
            while bytes[index] == UInt8(ascii: "#") {
                hashes.append(bytes[index])
                index += 1
            }
            let isLong = starts(with: Array("\"\"\"".utf8))
            let quote = Array((isLong ? "\"\"\"" : "\"").utf8)
            index += quote.count
            var text: [UInt8] = []
            while !starts(with: quote + hashes) {
                guard bytes[index] != 0 else { throw Unbalanced() }
                guard starts(with: [UInt8(ascii: "\\")] + hashes) else {
                    text.append(bytes[index])
                    index += 1
                    continue
                }
                index += 1 + hashes.count
                let escaped = bytes[index]
                index += 1
                switch escaped {
                case UInt8(ascii: "("): text += Array(try interpolation().utf8)
                case UInt8(ascii: "\n"): while bytes[index] == UInt8(ascii: " ") { index += 1 }
                case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
                default: text.append(escaped)
                }
            }
            index += quote.count + hashes.count
            let string = String(decoding: text, as: UTF8.self)
            guard isLong else { return string }
            return string.split(separator: "\n").map(Self.trimmed).filter { !$0.isEmpty }.joined(separator: " ")
        }

        private mutating func interpolation() throws -> String {
            let start = index
            var depth = 1
            while depth > 0 {
                switch bytes[index] {
                case 0: throw Unbalanced()
                case UInt8(ascii: "\""):
                    _ = try literal()
                    continue
                case UInt8(ascii: "("): depth += 1
                case UInt8(ascii: ")"): depth -= 1
                default: break
                }
                index += 1
            }
            return bytes[start..<index - 1].suffix(7).elementsEqual(".quoted".utf8) ? "“…”" : "…"
        }

        private func starts(with text: [UInt8]) -> Bool { bytes[index...].starts(with: text) }

        // MARK: Around a call

        /// The word in front of a bracket; nil where it is being declared.
        private func name(before place: Int) -> String? {
            var start = place
            while start > 0, Self.isWord(bytes[start - 1]) { start -= 1 }
            guard start < place, place - start < 24 else { return nil }
            let isDeclared = bytes[..<start].suffix(5).elementsEqual("func ".utf8)
            return isDeclared ? nil : String(decoding: bytes[start..<place], as: UTF8.self)
        }

        private func isInComment(_ place: Int) -> Bool {
            let start = bytes[..<place].lastIndex(of: UInt8(ascii: "\n")) ?? 0
            return bytes[start..<place].drop { " \n".utf8.contains($0) }.starts(with: "//".utf8)
        }

        private static func isWord(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
        }

        private static func isWord(_ text: some StringProtocol) -> Bool {
            !text.isEmpty && text.utf8.allSatisfy { isWord($0) }
        }

        private static func trimmed(_ text: some StringProtocol) -> String {
            let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\n" }
            let front = text.drop(while: isSpace)
            return String(front.reversed().drop(while: isSpace).reversed())
        }
    }
#endif
