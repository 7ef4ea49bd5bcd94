#if Command
    internal import Atmosphere

    /// Values as YAML on one line, which a route file reads back as the same.
    enum FlowYAML {
        static func text(_ value: Value) -> String {
            switch value {
            case .null, .bool, .number: return value.text
            case .string(let text): return scalar(text)
            case .array(let elements): return "[\(elements.map(Self.text).joined(separator: ", "))]"
            case .object(let members):
                guard !members.isEmpty else { return "{}" }
                let inner = members.map { "\(scalar($0.name)): \(text($0.value))" }
                return "{ \(inner.joined(separator: ", ")) }"
            }
        }

        /// A text without quotes where no reader could take it for anything else.
        static func scalar(_ text: String) -> String {
            let isPlain =
                !text.isEmpty && text.utf8.allSatisfy(isPlainByte) && !text.hasPrefix("-")
                && !["true", "false", "null", "~"].contains(text) && JSONNumber(text) == nil
            return isPlain ? text : quoted(text)
        }

        private static func quoted(_ text: String) -> String {
            // The escapes of JSON are YAML's too.
            String(decoding: Value.string(text).json(), as: UTF8.self)
        }

        private static func isPlainByte(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "_./$-+".utf8.contains(byte)
            }
        }
    }
#endif
