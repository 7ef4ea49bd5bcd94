#if Command || Demo
    internal import Atmosphere

    /// What reaches a terminal: text of any origin may be in it, raw records and JSON among it.
    enum TerminalText {
        /// The sequences that the command itself writes: colours, and the line that is drawn anew.
        private static let own: [[UInt8]] = ["0", "1", "2", "31", "32", "33"].map { Array("\u{1B}[\($0)m".utf8) }
        private static let redrawn = Array("\r\u{1B}[K".utf8)

        /// The bytes with what nobody sees, and what steers a terminal, as `\u001b` (``UnseenText``): of the same meaning
        /// inside JSON. Line ends and tabs stay.
        ///
        /// - Parameter isData: nothing in it is the command's own.
        static func harmless(_ bytes: [UInt8], isData: Bool = false) -> [UInt8] {
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count)
            var index = 0
            if !isData, bytes.starts(with: redrawn) {
                result += redrawn
                index = redrawn.count
            }
            while index < bytes.count {
                let rest = bytes[index...]
                if !isData, rest[index] == 0x1B, let sequence = own.first(where: { rest.starts(with: $0) }) {
                    result += sequence
                    index += sequence.count
                } else if let (escape, count) = steering(rest) {
                    result += escape.utf8
                    index += count
                } else {
                    result.append(rest[index])
                    index += 1
                }
            }
            return result
        }

        /// What is escaped at the beginning: none of the ends of lines, and no tab.
        private static func steering(_ bytes: ArraySlice<UInt8>) -> (escape: String, count: Int)? {
            switch bytes.first {
            case UInt8(ascii: "\n"), UInt8(ascii: "\t"): nil
            case UInt8(ascii: "\r") where bytes.dropFirst().first == UInt8(ascii: "\n"): nil
            default: UnseenText.beginning(bytes)
            }
        }
    }
#endif
