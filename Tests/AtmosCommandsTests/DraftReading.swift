#if Command
    @testable import Atmosphere
    @testable import AtmosphereExchange
    @testable import AtmosphereModel
    @testable import AtmosphereRouting

    /// Reads drafts without a YAML library, and refuses whatever a reader could take for more than it is: lines of three
    /// indents, keys, and values in flow form of plain words and double quotes.
    struct DraftReading {
        struct Failure: Error, CustomStringConvertible {
            var description: String
        }

        /// - Returns: the tree of settings, where comments are nothing.
        static func settings(_ text: String) throws -> Value {
            var top: [Value.Member] = []
            var resources: [Value.Member] = []
            var own: [Value.Member] = []
            // Every line break that YAML 1.1 or 1.2 knows.
            let breaks: Set<Unicode.Scalar> = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]
            let lines = text.unicodeScalars.split(omittingEmptySubsequences: false) { breaks.contains($0) }
            func close() {
                guard !resources.isEmpty else { return }
                resources[resources.count - 1].value = own.isEmpty ? .null : .object(.init(own))
                own = []
            }
            for scalars in lines {
                let line = String(String.UnicodeScalarView(scalars))
                let bare = line.drop { $0 == " " }
                if bare.isEmpty || bare.hasPrefix("#") { continue }
                let indent = line.count - bare.count
                var reader = FlowReading(Array(bare.unicodeScalars))
                let key = try reader.key()
                let value = reader.isAtEnd ? Value.null : try reader.value()
                guard reader.isAtEnd else { throw Failure(description: "more stands behind the value: \(line)") }
                switch indent {
                case 0: top.append(.init(name: key, value: value))
                case 2:
                    guard top.last?.name == "resources", value == .null else { throw Failure(description: line) }
                    close()
                    resources.append(.init(name: key, value: .null))
                case 4:
                    guard !resources.isEmpty else { throw Failure(description: line) }
                    own.append(.init(name: key, value: value))
                default: throw Failure(description: "the indent of \(line)")
                }
            }
            close()
            guard top.last?.name == "resources" else { throw Failure(description: "resources come last") }
            top[top.count - 1].value = resources.isEmpty ? .null : .object(.init(resources))
            return .object(.init(top))
        }
    }

    private struct FlowReading {
        private let text: [Unicode.Scalar]
        private var index = 0

        init(_ text: [Unicode.Scalar]) { self.text = text }

        var isAtEnd: Bool { index == text.count }
        private var next: Unicode.Scalar? { index < text.count ? text[index] : nil }

        mutating func key() throws -> String {
            let key = next == "\"" ? try quoted() : try word()
            try expect(":")
            if !isAtEnd { try expect(" ") }
            return key
        }

        mutating func value() throws -> Value {
            switch next {
            case "\"": return .string(try quoted())
            case "[": return .array(try list())
            case "{": return .object(try map())
            default:
                let start = index
                // A URL at the end of a line.
                while let scalar = next, isPlain(scalar) || ":~".unicodeScalars.contains(scalar) { index += 1 }
                let word = String(String.UnicodeScalarView(text[start..<index]))
                if ["true", "false", "null"].contains(word) || JSONNumber(word) != nil {
                    return try Value(json: Array(word.utf8))
                }
                let isURL = word.hasPrefix("https://") || word.hasPrefix("http://")
                guard isURL || !word.contains(":"), !word.isEmpty, !Self.others.contains(word.lowercased()) else {
                    throw DraftReading.Failure(description: "a word that is none: \(word)")
                }
                return .string(word)
            }
        }

        private static let others: Set<String> = ["yes", "no", "on", "off", "y", "n", "~"]

        private mutating func list() throws -> [Value] {
            try expect("[")
            var elements: [Value] = []
            while next != "]" {
                if !elements.isEmpty {
                    try expect(",")
                    try expect(" ")
                }
                elements.append(try value())
            }
            try expect("]")
            return elements
        }

        private mutating func map() throws -> Value.Members {
            try expect("{")
            var members: [Value.Member] = []
            if next == "}" {
                index += 1
                return .init(members)
            }
            repeat {
                if !members.isEmpty { try expect(",") }
                try expect(" ")
                let isLong = next == "?"
                if isLong {
                    try expect("?")
                    try expect(" ")
                }
                let name = next == "\"" ? try quoted() : try word()
                if isLong { try expect(" ") }
                try expect(":")
                try expect(" ")
                members.append(.init(name: name, value: try value()))
            } while next == ","
            try expect(" ")
            try expect("}")
            return .init(members)
        }

        private mutating func word() throws -> String {
            let start = index
            while let scalar = next, isPlain(scalar) { index += 1 }
            guard index > start else { throw DraftReading.Failure(description: "no name at \(index)") }
            return String(String.UnicodeScalarView(text[start..<index]))
        }

        private func isPlain(_ scalar: Unicode.Scalar) -> Bool {
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                || "_./$-+".unicodeScalars.contains(scalar)
        }

        private mutating func quoted() throws -> String {
            try expect("\"")
            var content = String.UnicodeScalarView()
            while let scalar = next, scalar != "\"" {
                index += 1
                guard scalar == "\\" else {
                    guard (" "..."~").contains(scalar) else {
                        throw DraftReading.Failure(description: "U+\(String(scalar.value, radix: 16)) stands in quotes")
                    }
                    content.append(scalar)
                    continue
                }
                guard let escape = next else { break }
                index += 1
                let digits = ["x": 2, "u": 4, "U": 8][String(escape)] ?? 0
                if digits > 0, index + digits <= text.count {
                    let hex = String(String.UnicodeScalarView(text[index..<index + digits]))
                    guard let scalar = UInt32(hex, radix: 16).flatMap(Unicode.Scalar.init) else {
                        throw DraftReading.Failure(description: "no escape: \(hex)")
                    }
                    content.append(scalar)
                    index += digits
                } else {
                    let plain: [Unicode.Scalar: Unicode.Scalar] = [
                        "n": "\n", "r": "\r", "t": "\t", "\"": "\"", "\\": "\\"
                    ]
                    guard let scalar = plain[escape] else {
                        throw DraftReading.Failure(description: "no escape: \(escape)")
                    }
                    content.append(scalar)
                }
            }
            try expect("\"")
            return String(content)
        }

        private mutating func expect(_ scalar: Unicode.Scalar) throws {
            guard next == scalar else {
                throw DraftReading.Failure(
                    description: "\(scalar) must stand at \(index) in \(String(String.UnicodeScalarView(text)))")
            }
            index += 1
        }
    }
#endif
