#if Command || Demo
    internal import Atmosphere

    /// How text of any origin is shown on a terminal.
    enum TextWidth {
        /// The columns that a text takes: two for East Asian wide characters and emoji (Unicode UAX 11), else one.
        static func columns(_ text: String) -> Int {
            text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + columns($1) }
        }

        /// The text cut to so many columns, with `…` where something is missing.
        static func cut(_ text: String, to limit: Int) -> String {
            guard columns(text) > limit else { return text }
            var kept = ""
            var width = 0
            for character in text {
                let next = columns(character)
                guard width + next <= limit - 1 else { break }
                kept.append(character)
                width += next
            }
            return kept + "…"
        }

        /// The text on one line, with what nobody sees spelled out: what a server sends must not steer a terminal.
        static func oneLine(_ text: String) -> String {
            guard text.unicodeScalars.contains(where: { UnseenText.contains($0.value) }) else { return text }
            var shown = ""
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\n": shown += "\\n"
                case "\t": shown += "\\t"
                case "\r": shown += "\\r"
                case _ where UnseenText.contains(scalar.value): shown += "\\u{\(String(scalar.value, radix: 16))}"
                default: shown.unicodeScalars.append(scalar)
                }
            }
            return shown
        }

        private static func columns(_ character: Character) -> Int {
            guard let scalar = character.unicodeScalars.first else { return 0 }
            if scalar.properties.isEmojiPresentation { return 2 }
            switch scalar.value {
            case 0x300..<0x370, 0x200B...0x200F: return 0
            case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
                0xFFE0...0xFFE6, 0x20000...0x3FFFD:
                return 2
            default: return 1
            }
        }
    }
#endif
