#if XML
    import Atmosphere
    import AtmosphereXML
    import Testing

    @Suite("The XML extractor")
    struct XMLExtractorTests {
        private static func railsSelectors() -> Selectors { Selectors(id: .member("id")) }

        private static func djangoSelectors() -> Selectors {
            var selectors = Selectors(id: .member("id"))
            selectors.items = .member("results")
            selectors.next = .member("next")
            selectors.total = .member("count")
            selectors.version = .member("last_modified")
            selectors.cursor = .member("last_modified")
            selectors.types = [
                "id": .integer, "album": .integer, "title": .string, "description": .string, "created": .instant,
                "last_modified": .instant, "taken_on": .date, "latitude": .decimal, "longitude": .decimal,
                "rating": .float, "public": .boolean, "tags": .json
            ]
            return selectors
        }

        @Test(
            "the same resources pulled as XML and as JSON are equal",
            arguments: [
                ("rails-todos", railsSelectors()), ("django-pictures", djangoSelectors())
            ])
        func equality(fixture: String, selectors: Selectors) throws {
            let fromXML = try XMLExtractor().page(in: XMLFixture.bytes("\(fixture).xml"), selectors)
            let fromJSON = try JSONExtractor().page(in: XMLFixture.bytes("\(fixture).json"), selectors)
            #expect(fromXML.items.count == 2)
            #expect(fromXML.items.map(\.id) == fromJSON.items.map(\.id))
            for (xml, json) in zip(fromXML.items, fromJSON.items) {
                #expect(fromXML.record(xml).members == fromJSON.record(json).members)
                #expect(xml.version.map(fromXML.text) == json.version.map(fromJSON.text))
                #expect(xml.cursor.map(fromXML.text) == json.cursor.map(fromJSON.text))
            }
            #expect(fromXML.next == fromJSON.next)
            #expect(fromXML.total == fromJSON.total)
        }

        @Test("an error body is the same value as its JSON form")
        func errorBody() throws {
            let xml = "<root><title><list-item>This field may not be blank.</list-item></title></root>"
            let value = try XMLExtractor().value(in: Array(xml.utf8), limits: .default)
            #expect(value == ["title": ["This field may not be blank."]])
        }

        @Test("what is wrong with one item, or with a page, is told with its line in the XML")
        func lines() throws {
            let list = """
                <?xml version="1.0"?>
                <tasks type="array">
                  <task><id type="integer">1</id></task>
                  <task>
                    <title>Ärger</title>
                  </task>
                </tasks>
                """
            let page = try XMLExtractor().page(in: Array(list.utf8), Self.railsSelectors())
            #expect(page.items.count == 1 && page.skipped == 1)
            let reason = try #require(page.skippedReason)
            #expect(reason.contains("item 2, at line 4, ") && !reason.contains("byte"), "\(reason)")
            let envelope = """
                <root>
                  <results><list-item><id>1</id></list-item></results>
                  <count>1</count>
                  <next>
                    <page>2</page>
                  </next>
                </root>
                """
            let error = #expect(throws: ExtractionError.self) {
                try XMLExtractor().page(in: Array(envelope.utf8), Self.djangoSelectors())
            }
            #expect(error?.message.contains("at line 4") == true, "\(error?.message ?? "")")
        }

        @Test("an empty root is an empty list where a list is expected")
        func emptyRoot() throws {
            let empty = Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<root></root>".utf8)
            #expect(try XMLExtractor().page(in: empty, Self.railsSelectors()).items.isEmpty)
            #expect(try XMLExtractor().page(in: empty, Self.djangoSelectors()).items.isEmpty)
        }

        @Test(
            "a body that holds no list where one is expected is an error, never an empty list",
            arguments: [
                "<root><detail>Not found.</detail></root>", "<errors><error>no</error></errors>", "<root>no</root>"
            ])
        func noList(xml: String) throws {
            #expect(throws: ExtractionError.self) {
                try XMLExtractor().page(in: Array(xml.utf8), Self.djangoSelectors())
            }
            #expect(throws: ExtractionError.self) {
                try XMLExtractor().page(in: Array(xml.utf8), Self.railsSelectors())
            }
        }
    }
#endif
