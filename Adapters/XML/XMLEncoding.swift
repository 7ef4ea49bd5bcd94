#if XML
    internal import AtmosphereExchange

    /// Turns a document into UTF-8 before libxml2 sees it, so that only three encodings exist and each is checked here.
    enum XMLEncoding {
        /// - Throws: ``ExtractionError`` `malformed` for another encoding, for text that is not in the encoding it
        ///   claims, and for a zero byte, at which libxml2 would stop as at the end.
        static func utf8(_ document: [UInt8]) throws -> [UInt8] {
            switch (document.first, document.dropFirst().first, document.dropFirst(2).first) {
            case (0xFE, 0xFF, _): return try decodeUTF16(document[2...], bigEndian: true)
            case (0xFF, 0xFE, _): return try decodeUTF16(document[2...], bigEndian: false)
            case (0x00, UInt8(ascii: "<"), _): return try decodeUTF16(document[...], bigEndian: true)
            case (UInt8(ascii: "<"), 0x00, _): return try decodeUTF16(document[...], bigEndian: false)
            case (0xEF, 0xBB, 0xBF): return try checked(Array(document[3...]))
            default: break
            }
            switch declaredName(in: document)?.lowercased() {
            case nil, "utf-8", "utf8", "us-ascii", "ascii": return try checked(document)
            case "iso-8859-1", "iso_8859-1", "latin1", "latin-1": return try checked(decodeLatin1(document))
            case "utf-16", "utf-16le", "utf-16be", "utf16":
                throw malformed("the XML declares UTF-16, but its bytes are not UTF-16; ask the server's operator")
            default:
                throw malformed("the XML declares an encoding that is not read here; UTF-8, UTF-16 and ISO-8859-1 are")
            }
        }

        /// The name in `<?xml version="1.0" encoding="NAME"?>` (XML 1.0 §4.3.3); nil where there is none.
        private static func declaredName(in document: [UInt8]) -> String? {
            let opening = Array("<?xml".utf8)
            guard document.starts(with: opening) else { return nil }
            // A declaration is short; a document without its end is refused by the parser later.
            let head = document.prefix(512)
            guard let end = head.firstIndex(of: UInt8(ascii: ">")) else { return nil }
            let text = String(decoding: head[opening.count..<end], as: UTF8.self)
            // Splitting at quotes leaves names with `=` at even places, and values at odd ones.
            let pieces = text.split(omittingEmptySubsequences: false) { $0 == "\"" || $0 == "'" }
            for index in stride(from: 0, to: pieces.count - 1, by: 2) {
                let name = pieces[index].filter { !$0.isWhitespace }
                if name == "encoding=" { return String(pieces[index + 1]) }
            }
            return nil
        }

        private static func checked(_ bytes: [UInt8]) throws -> [UInt8] {
            if let zero = bytes.firstIndex(of: 0) { throw malformed("the XML has a zero byte at byte \(zero)") }
            return bytes
        }

        private static func decodeLatin1(_ bytes: [UInt8]) -> [UInt8] {
            var text: [UInt8] = []
            text.reserveCapacity(bytes.count + bytes.count / 8)
            for byte in bytes {
                if byte < 0x80 {
                    text.append(byte)
                } else {
                    text.append(0xC0 | byte >> 6)
                    text.append(0x80 | byte & 0x3F)
                }
            }
            return text
        }

        private static func decodeUTF16(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) throws -> [UInt8] {
            guard bytes.count.isMultiple(of: 2) else {
                throw malformed("the XML is UTF-16, but has an odd number of bytes; it was cut short")
            }
            let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
                let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                return bigEndian ? first << 8 | second : second << 8 | first
            }
            guard let text = String(validating: units, as: UTF16.self) else {
                throw malformed("the XML is UTF-16, but has half of a surrogate pair")
            }
            return try checked(Array(text.utf8))
        }

        private static func malformed(_ message: String) -> ExtractionError {
            ExtractionError(code: .malformed, message: message)
        }
    }
#endif
