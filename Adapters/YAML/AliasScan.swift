#if YAML
    import AtmosphereRouting

    /// Finds documents that could grow without bound when their aliases are followed, before Yams composes them.
    ///
    /// Composing shares what an alias names and costs nothing, but a key is hashed, and a key made of aliases to lists of
    /// aliases takes exponential time. A few aliases cannot do harm and are refused by name afterwards; this looks for
    /// more than a few, without knowing quotes and comments, and only where there is an anchor as well.
    enum AliasScan {
        private static let harmless = 8

        static func suspicious(in bytes: [UInt8], source: String) -> RoutePlace? {
            var anchors = 0
            var aliases = 0
            var firstAlias: RoutePlace?
            var place = RoutePlace(source: source, line: 1, column: 1)
            var before = UInt8(ascii: "\n")
            for (index, byte) in bytes.enumerated() {
                switch byte {
                case UInt8(ascii: "&") where starts.contains(before): anchors += 1
                case UInt8(ascii: "*")
                where starts.contains(before) && index + 1 < bytes.count && bytes[index + 1] > 0x20:
                    aliases += 1
                    if firstAlias == nil { firstAlias = place }
                case UInt8(ascii: "\n"): place = RoutePlace(source: source, line: place.line + 1, column: 0)
                default: break
                }
                // Columns count Unicode scalars: one for each byte that begins one.
                if byte & 0xC0 != 0x80 { place.column += 1 }
                before = byte
            }
            return anchors > 0 && aliases > harmless ? firstAlias : nil
        }

        /// What can stand in front of an alias or an anchor.
        private static let starts = Array(" \t\r\n[{,:-?".utf8)
    }
#endif
