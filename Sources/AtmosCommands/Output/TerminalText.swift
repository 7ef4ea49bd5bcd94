#if Command
    /// What reaches a terminal: text of any origin may be in it, raw records and JSON among it.
    enum TerminalText {
        /// The sequences that the command itself writes: colours, and the line that is drawn anew.
        private static let own: [[UInt8]] = ["0", "1", "2", "31", "32", "33"].map { Array("\u{1B}[\($0)m".utf8) }
        private static let redrawn = Array("\r\u{1B}[K".utf8)

        /// The bytes with control characters, and the marks that turn the direction of text, as `\u001b`: of the same
        /// meaning inside JSON. Line ends and tabs stay.
        static func harmless(_ bytes: [UInt8]) -> [UInt8] {
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count)
            var index = 0
            if bytes.starts(with: redrawn) {
                result += redrawn
                index = redrawn.count
            }
            while index < bytes.count {
                let rest = bytes[index...]
                if rest[index] == 0x1B, let sequence = own.first(where: { rest.starts(with: $0) }) {
                    result += sequence
                    index += sequence.count
                } else if let (scalar, count) = steering(rest) {
                    let digits = String(scalar, radix: 16)
                    result += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
                    index += count
                } else {
                    result.append(rest[index])
                    index += 1
                }
            }
            return result
        }

        /// The scalar at the beginning that steers a terminal, and its bytes in UTF-8; nil for any other.
        private static func steering(_ bytes: ArraySlice<UInt8>) -> (UInt32, Int)? {
            let start = bytes.startIndex
            func byte(_ offset: Int) -> UInt8 { start + offset < bytes.endIndex ? bytes[start + offset] : 0 }
            switch byte(0) {
            case UInt8(ascii: "\n"), UInt8(ascii: "\t"): return nil
            case UInt8(ascii: "\r"): return byte(1) == UInt8(ascii: "\n") ? nil : (0x0D, 1)
            case 0..<0x20, 0x7F: return (UInt32(byte(0)), 1)
            case 0xC2 where (0x80..<0xA0).contains(byte(1)): return (UInt32(byte(1)), 2)
            case 0xD8 where byte(1) == 0x9C: return (0x61C, 2)
            case 0xE2 where byte(1) == 0x80 && ([0x8E, 0x8F].contains(byte(2)) || (0xA8...0xAE).contains(byte(2))):
                return (0x2000 + UInt32(byte(2) & 0x3F), 3)
            case 0xE2 where byte(1) == 0x81 && (0xA6...0xA9).contains(byte(2)):
                return (0x2040 + UInt32(byte(2) & 0x3F), 3)
            default: return nil
            }
        }
    }
#endif
