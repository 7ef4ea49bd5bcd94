#if XML
    import Atmosphere
    import AtmosphereXML
    import Testing

    @Suite("Encodings of XML")
    struct XMLEncodingTests {
        private static let text = "<r><a>Größe 水 😀</a></r>"
        private static let json = Array(#"{"a":"Größe 水 😀"}"#.utf8)

        private static func bytes16(_ text: String, bigEndian: Bool) -> [UInt8] {
            text.utf16.flatMap { unit -> [UInt8] in
                let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
                return bigEndian ? [high, low] : [low, high]
            }
        }

        @Test(
            "UTF-8 is read with a mark, with a declaration, and without either",
            arguments: [
                Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8),
                Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\(text)".utf8),
                Array("<?xml version='1.0' encoding = 'utf-8' standalone='yes' ?>\n\(text)".utf8)
            ])
        func utf8(document: [UInt8]) throws {
            #expect(try XMLConversion.json(from: document) == Self.json)
        }

        @Test("UTF-16 is read in both byte orders, with and without a mark", arguments: [true, false])
        func utf16(bigEndian: Bool) throws {
            let mark: [UInt8] = bigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
            #expect(try XMLConversion.json(from: mark + Self.bytes16(Self.text, bigEndian: bigEndian)) == Self.json)
            let declared = Self.bytes16("<?xml version=\"1.0\" encoding=\"UTF-16\"?>\(Self.text)", bigEndian: bigEndian)
            #expect(try XMLConversion.json(from: mark + declared) == Self.json)
            #expect(try XMLConversion.json(from: declared) == Self.json)
        }

        @Test("ISO-8859-1 is read where it is declared")
        func latin1() throws {
            let document =
                Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><r>Gr".utf8) + [0xF6, 0xDF] + Array("e</r>".utf8)
            #expect(try XMLConversion.json(from: document) == Array("\"Größe\"".utf8))
        }

        private static let undecodable: [[UInt8]] = [
            around("<r>Gr", [0xF6, 0xDF], "e</r>"),
            around("<r>", [0xC0, 0xAF], "</r>"),
            around("<r>", [0xED, 0xA0, 0x80], "</r>"),
            around("<r>", [0xF4, 0x90, 0x80, 0x80], "</r>"),
            around("<r><a", [0xFF], "/></r>"),
            around("<r/>", [0x00], "<!-- hidden"),
            around("<?xml version=\"1.0\" encoding=\"Shift_JIS\"?><r/>", [], ""),
            around("<?xml version=\"1.0\" encoding=\"UTF-7\"?><r/>", [], ""),
            around("<?xml version=\"1.0\" encoding=\"UTF-16\"?><r/>", [], ""),
            [0xFE, 0xFF] + bytes16("<r/>", bigEndian: true) + [0x00],
            [0xFE, 0xFF] + bytes16("<r>", bigEndian: true) + [0xD8, 0x3D] + bytes16("</r>", bigEndian: true),
            [0x4C, 0x6F, 0xA7, 0x94, 0x93, 0x40]
        ]

        private static func around(_ head: String, _ bytes: [UInt8], _ tail: String) -> [UInt8] {
            Array(head.utf8) + bytes + Array(tail.utf8)
        }

        @Test(
            "bytes that are not of the encoding, and other encodings, are refused",
            arguments: undecodable)
        func refused(document: [UInt8]) throws {
            let error = try #require(throws: ExtractionError.self) { try XMLConversion.json(from: document) }
            #expect(error.code == .malformed)
        }
    }
#endif
