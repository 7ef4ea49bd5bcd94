#if Command
    internal import Atmosphere

    /// Writes values as YAML on one line, which every reader of YAML takes for the same.
    ///
    /// The one place where YAML is written: whatever text comes here, from a person or a server, stays a text. Outside
    /// quotes stands only what no reader of YAML 1.1 or 1.2 takes for anything else; inside them all that is not printable
    /// ASCII is escaped.
    enum FlowYAML {
        static func text(_ value: Value) -> String {
            switch value {
            case .null, .bool, .number: return value.text
            case .string(let text): return scalar(text)
            case .array(let elements): return "[\(elements.map(Self.text).joined(separator: ", "))]"
            case .object(let members):
                guard !members.isEmpty else { return "{}" }
                return "{ \(members.map(member).joined(separator: ", ")) }"
            }
        }

        /// A key with its value, as a line of a map in block form.
        static func entry(_ key: String, _ value: Value) -> String {
            if case .string(let text) = value, isPlainURL(text) { return "\(scalar(key)): \(text)" }
            return "\(scalar(key)): \(text(value))"
        }

        private static func member(_ member: Value.Member) -> String {
            let key = scalar(member.name)
            // A reader looks for the colon of a key within 1,024 characters, unless the key is announced (YAML 1.2.2 §7.4.3).
            return (key.utf8.count > 1000 ? "? \(key) " : key) + ": " + text(member.value)
        }

        /// A URL needs no quotes at the end of a line: a colon that no space follows ends no key there.
        private static func isPlainURL(_ text: String) -> Bool {
            text.utf8.allSatisfy { isPlainByte($0) || ":~".utf8.contains($0) } && text.utf8.count <= 1000
                && text.utf8.last != UInt8(ascii: ":") && PathText.baseComplaint(text) == nil
        }

        // MARK: Scalars

        /// A text, in quotes unless no reader could take it for anything else.
        static func scalar(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

        private static func isPlain(_ text: String) -> Bool {
            let bytes = Array(text.utf8)
            guard let first = bytes.first, bytes.count <= 1000, bytes.allSatisfy(isPlainByte),
                !words.contains(text.lowercased())
            else { return false }
            switch first {
            case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"): return false
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                // Numbers and times of every notation have no other letters than these.
                return bytes.contains { isLetter($0) && !"abcdefotxzABCDEFOTXZ".utf8.contains($0) }
            default: return true
            }
        }

        /// What readers of YAML 1.1 take for a boolean, null or a number.
        private static let words: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]

        private static func isPlainByte(_ byte: UInt8) -> Bool {
            isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "_./$-+".utf8.contains(byte)
        }

        private static func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        }

        /// In double quotes, with the escapes of YAML 1.2.2 §5.7. Those of JSON are not enough: a reader of YAML knows no
        /// surrogate pairs.
        private static func quoted(_ text: String) -> String {
            var quoted = "\""
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"", "\\": quoted += "\\\(scalar)"
                case "\n": quoted += "\\n"
                case "\r": quoted += "\\r"
                case "\t": quoted += "\\t"
                case " "..."~": quoted.unicodeScalars.append(scalar)
                default: quoted += escape(scalar)
                }
            }
            return quoted + "\""
        }

        private static func escape(_ scalar: Unicode.Scalar) -> String {
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let (letter, count) = scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
            return "\\\(letter)\(String(repeating: "0", count: count - digits.count))\(digits)"
        }

        // MARK: Comments

        /// A comment of one line, however long the text is and whatever stands in it: line breaks of every kind, controls,
        /// marks that turn the direction and what has no shape are shown as escapes.
        static func comment(_ text: String) -> String {
            guard !text.isEmpty else { return "#" }
            var shown = ""
            for scalar in text.unicodeScalars.prefix(longestComment) {
                switch scalar {
                case "\n": shown += "\\n"
                case "\r": shown += "\\r"
                case "\t": shown += "\\t"
                case _ where isShown(scalar): shown.unicodeScalars.append(scalar)
                default: shown += escape(scalar)
                }
            }
            return "# " + shown + (text.unicodeScalars.count > longestComment ? "…" : "")
        }

        private static let longestComment = 2000

        /// Whether a character can stand in a line as it is, for every reader and every eye.
        static func isShown(_ scalar: Unicode.Scalar) -> Bool {
            if scalar.isASCII { return (" "..."~").contains(scalar) }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .privateUse,
                .unassigned:
                return false
            default: return !scalar.properties.isDefaultIgnorableCodePoint
            }
        }
    }
#endif
