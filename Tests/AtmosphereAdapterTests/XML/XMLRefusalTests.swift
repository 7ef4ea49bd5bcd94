#if XML
    import Atmosphere
    import AtmosphereXML
    import Testing

    @Suite("XML that is refused")
    struct XMLRefusalTests {
        private func error(_ document: [UInt8], limits: JSONLimits = .default) throws -> ExtractionError {
            try #require(throws: ExtractionError.self) { try XMLConversion.json(from: document, limits: limits) }
        }

        @Test(
            "a document type is refused before anything in it is read",
            arguments: [
                ("billion-laughs", "line 2"), ("external-entity", "line 2"), ("external-subset", "line 1"),
                ("parameter-entity", "line 1"), ("web-page", "line 1")
            ])
        func documentTypes(fixture: String, place: String) throws {
            let error = try error(XMLFixture.bytes("\(fixture).xml"))
            #expect(error.code == .forbiddenConstruct)
            #expect(error.message.hasPrefix(place))
        }

        @Test("an entity that is not predefined is refused")
        func entity() throws {
            let error = try error(Array("<r>\n <a>&nbsp;</a></r>".utf8))
            #expect(error.code == .forbiddenConstruct)
            #expect(error.message.hasPrefix("line 2"))
        }

        @Test(
            "what is not well-formed is refused with its line and column, and nothing of it is quoted",
            arguments: [
                "", " ", "secret", "{\"secret\":1}", "<secret>", "<secret></other>", "<r>\n<secret></r>", "<r/>secret",
                "<r/><r/>",
                "<r secret=1/>", "<r a='1' a='2'/>", "<r>&#0;secret</r>", "<r>secret\u{1}</r>", "<r>]]>secret</r>",
                "<r><secret</r>",
                "<r>&secret</r>", "<r><![CDATA[secret</r>", "<!-- secret", "<r>secret & more</r>",
                "<r>secret < more</r>"
            ])
        func malformed(xml: String) throws {
            let error = try error(Array(xml.utf8))
            #expect(error.code == .malformed)
            #expect(!error.message.contains("secret"))
            #expect(xml.isEmpty || (error.message.contains("line ") && error.message.contains("column ")))
        }

        @Test(
            "nesting is bounded by the limits, and by libxml2's own",
            arguments: [
                (10_000, JSONLimits.default), (257, .default), (9, JSONLimits(depth: 8)),
                (10_000, JSONLimits(depth: 1 << 30))
            ])
        func nesting(depth: Int, limits: JSONLimits) throws {
            let xml = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
            #expect(try error(Array(xml.utf8), limits: limits).code == .tooLarge)
        }

        @Test("nesting up to the limit is read", arguments: [(256, JSONLimits.default), (8, JSONLimits(depth: 8))])
        func allowedNesting(depth: Int, limits: JSONLimits) throws {
            let xml = String(repeating: "<a>", count: depth) + "x" + String(repeating: "</a>", count: depth)
            let json =
                String(repeating: #"{"a":"#, count: depth - 1) + "\"x\"" + String(repeating: "}", count: depth - 1)
            #expect(try XMLConversion.json(from: Array(xml.utf8), limits: limits) == Array(json.utf8))
        }

        @Test("a body longer than the limit is refused")
        func size() throws {
            let xml = Array("<r>12345</r>".utf8)
            #expect(try error(xml, limits: JSONLimits(bytes: xml.count - 1)).code == .tooLarge)
            #expect(try XMLConversion.json(from: xml, limits: JSONLimits(bytes: xml.count)) == Array("\"12345\"".utf8))
        }

        @Test("a text of megabytes and a hundred thousand elements are read whole")
        func largeDocuments() throws {
            let long = String(repeating: "0123456789", count: 1_200_000)
            #expect(try XMLConversion.json(from: Array("<r>\(long)</r>".utf8)).count == long.utf8.count + 2)
            let many = "<r>" + (0..<100_000).map { "<a\($0 % 1000)>\($0)</a\($0 % 1000)>" }.joined() + "</r>"
            let json = try XMLConversion.json(from: Array(many.utf8))
            #expect(json.starts(with: #"{"a0":["0","1000","#.utf8))
            #expect(json.reversed().starts(with: #""99999"]}"#.utf8.reversed()))
        }

        @Test(
            "a document of ten thousand different names is read, and one of more is refused where it has them",
            arguments: [
                ("<a#/>", 9_999), ("<a b#=''/>", 9_998), ("<a xmlns:b#='u'/>", 9_997), ("<a xmlns:b='u#'/>", 9_997),
                ("<?a#?>", 9_999)
            ])
        func names(_ form: String, _ most: Int) throws {
            func document(_ count: Int) -> [UInt8] {
                Array(("<r>\n" + (0..<count).map { form.replacing("#", with: "\($0)") }.joined() + "</r>").utf8)
            }
            #expect(try !XMLConversion.json(from: document(most)).isEmpty)
            for count in [most + 1, 100_000] {
                let error = try error(document(count))
                #expect(error.code == .tooLarge)
                #expect(error.message.hasPrefix("line 2, column "))
                #expect(error.message.contains("the XML has more than 10000 different names; "))
            }
        }

        @Test(
            "an element of a thousand attributes is read, and one of more is refused before they are compared",
            .timeLimit(.minutes(1)), arguments: ["", "xmlns:"])
        func attributes(prefix: String) throws {
            func document(_ count: Int) -> [UInt8] {
                Array(("<r " + (0..<count).map { "\(prefix)a\($0)='u'" }.joined(separator: " ") + "/>").utf8)
            }
            let most = prefix.isEmpty ? 1_000 : 200
            #expect(try !XMLConversion.json(from: document(most)).isEmpty)
            for count in [most + 1, 5_000, 400_000] {
                let error = try error(document(count))
                #expect(error.code == .tooLarge)
                #expect(error.message.contains("the XML has an element with more than 1000 attributes"))
            }
        }

        @Test("name spaces around an element are counted together")
        func spaces() throws {
            func document(_ depth: Int) -> [UInt8] {
                let open = (0..<depth).map { "<a xmlns:b\($0)='u' xmlns:c\($0)='v'>" }.joined()
                return Array((open + String(repeating: "</a>", count: depth)).utf8)
            }
            #expect(try !XMLConversion.json(from: document(100)).isEmpty)
            #expect(try error(document(101)).code == .tooLarge)
        }

        @Test("a body that consists of elements alone is refused where they take too much memory")
        func elements() throws {
            func document(_ count: Int) -> [UInt8] { Array("<r>\(String(repeating: "<a/>", count: count))</r>".utf8) }
            let limits = JSONLimits(bytes: 1 << 16)
            #expect(try !XMLConversion.json(from: document(9_999), limits: limits).isEmpty)
            let error = try error(document(10_000), limits: limits)
            #expect(error.code == .tooLarge)
            #expect(error.message.hasPrefix("line 1, column "))
            #expect(error.message.contains("the XML has more than 10000 elements; raise limits.body"))
        }

        @Test("cut short at any byte, a document is refused", arguments: ["rails-todos.xml", "django-pictures.xml"])
        func truncation(fixture: String) throws {
            let whole = try XMLFixture.bytes(fixture)
            let end = try #require(whole.lastIndex(of: UInt8(ascii: ">")))
            for length in 0..<end {
                let error = try error(Array(whole[..<length]))
                guard error.code == .malformed else {
                    Issue.record("cut at \(length): \(error)")
                    return
                }
            }
        }

        @Test("no mutation crashes, and what is read is valid UTF-8 without control characters")
        func mutation() throws {
            var random = SeededGenerator(seed: 20_240_101)
            var (read, refused) = (0, 0)
            for fixture in ["rails-todos.xml", "django-pictures.xml", "billion-laughs.xml", "web-page.xml"] {
                let original = try XMLFixture.bytes(fixture)
                for _ in 0..<1500 {
                    let mutated = random.mutate(original)
                    var selectors = Selectors(id: .member("id"))
                    selectors.items = Bool.random(using: &random) ? .member("results") : nil
                    selectors.types = ["id": .integer, "tags": .json, "public": .boolean]
                    do {
                        let json = try XMLConversion.json(from: mutated, selectors)
                        #expect(String(validating: json, as: UTF8.self) != nil)
                        #expect(json.allSatisfy { $0 >= 0x20 })
                        _ = try Value(json: json, limits: selectors.limits)
                        read += 1
                    } catch is ExtractionError {
                        refused += 1
                    }
                }
            }
            #expect(
                read > 100 && refused > 1000, "the mutations must reach both sides: \(read) read, \(refused) refused")
        }
    }

    /// SplitMix64: the same numbers on every machine.
    private struct SeededGenerator: RandomNumberGenerator {
        var state: UInt64

        init(seed: UInt64) { state = seed }

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }

        mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
            var bytes = bytes
            for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &self)
                let length = Int.random(in: 0...min(40, bytes.count - place), using: &self)
                switch Int.random(in: 0..<5, using: &self) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
                case 1: bytes.removeSubrange(place..<place + length)
                case 2: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
                case 3: bytes[place] = Array("<>&;/\"'=a \n".utf8).randomElement(using: &self) ?? 0
                default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &self))
                }
            }
            return bytes
        }
    }
#endif
