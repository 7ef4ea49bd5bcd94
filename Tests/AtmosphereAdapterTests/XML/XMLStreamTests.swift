#if XML
    import Atmosphere
    import AtmosphereXML
    import Testing

    @Suite("Items are written while an XML document is read")
    struct XMLStreamTests {
        /// A list of so many tasks.
        private static func tasks(_ count: Int) -> String {
            (1...count).map { "<task key=\"k\"><id>\($0)</id><tag>a</tag><tag/></task>" }.joined()
        }

        @Test(
            "of a list no more is kept as elements than one item and what stands around the list",
            arguments: [
                (nil, "<tasks>\(tasks(500))</tasks>"),
                ("$", "<tasks type=\"array\"><first><id>0</id></first>\(tasks(500))</tasks>"),
                ("$.task", "<tasks>\(tasks(500))</tasks>"),
                ("$.task[*]", "<tasks>\(tasks(250))<next>2</next>\(tasks(250))</tasks>"),
                ("$.tasks", "<r><total>500</total><tasks>\(tasks(500))</tasks><next>2</next></r>"),
                ("$.tasks.task", "<r><total>500</total><tasks page=\"1\">\(tasks(500))</tasks><next>2</next></r>"),
                ("$.results", "<root><results>\(tasks(500).replacing("task", with: "list-item"))</results></root>")
            ] as [(String?, String)])
        func memory(path: String?, xml: String) throws {
            var selectors = Selectors(id: .member("id"))
            selectors.items = try path.map { try JSONPath($0) }
            let page = try XMLConversion.page(from: Array(xml.utf8), selectors)
            #expect(page.kept < 20)
            #expect(try page.json == XMLConversion.json(from: Array(xml.utf8), selectors, streams: false))
            #expect(try XMLExtractor().page(in: Array(xml.utf8), selectors).items.count >= 500)
        }

        @Test(
            "the document is kept where only the whole of it says which elements are items",
            arguments: [
                ("$.task[0]", tasks(30)), ("$.task[-1]", tasks(30)), ("$[*].task", "<a>\(tasks(30))</a>"),
                // An item alone, which has lists of its own.
                ("$.task", "<task><id>1</id>\(tasks(30))</task>"),
                // Items that look like lists until another stands beside the first.
                ("$.list", "<list>\(tasks(30))</list><list/>")
            ])
        func whole(path: String, inside: String) throws {
            let xml = Array("<r>\(inside)</r>".utf8)
            var selectors = Selectors(id: .member("id"))
            selectors.items = try JSONPath(path)
            let page = try XMLConversion.page(from: xml, selectors)
            #expect(page.kept > 60)
            #expect(try page.json == XMLConversion.json(from: xml, selectors, streams: false))
        }

        @Test(
            "what shows late holds for items that were read before",
            arguments: [
                // An empty text, not null, in a document with types.
                ("$", "<i><id>1</id><a/></i><i><id>2</id></i><i><id type=\"integer\">3</id></i>", #""a":"""#),
                ("$", "<i><id>1</id><a/></i><i><id>2</id></i><i><id>3</id></i>", #""a":null"#),
                // The second list makes items of both.
                ("$.i", "<i><x>1</x><x>2</x><x>3</x></i><i><id>2</id></i>", #"[{"x":["1","2","3"]},{"id":"2"}]"#),
                // Another child makes an item of what looked like a list, or no list at all.
                ("$.i", "<i><x>1</x><x>2</x><id>3</id></i>", #"{"i":[{"x":["1","2"],"id":"3"}]}"#),
                ("$.i", "<i><x>1</x><x>2</x><y>3</y></i>", #"{"i":{"x":["1","2"],"y":"3"}}"#),
                ("$.a.i", "<a nil=\"true\"><i><id>1</id></i><i><id>2</id></i></a>", #"{"a":null}"#),
                ("$.a.i", "<a><i><id>1</id></i><i/></a><a><i/><i/></a>", #"{"a":[{"i":[{"id":"1"},null]},"#),
                ("$.i", "<i nil=\"true\"/><n/><i><id>2</id></i>", #"{"i":[null,{"id":"2"}],"n":""}"#)
            ])
        func late(path: String, inside: String, json: String) throws {
            let xml = Array("<r>\(inside)</r>".utf8)
            var selectors = Selectors(id: .member("id"))
            selectors.items = try JSONPath(path)
            let streamed = try XMLConversion.json(from: xml, selectors)
            let text = String(decoding: streamed, as: UTF8.self)
            #expect(text.contains(json), "\(text)")
            #expect(try streamed == XMLConversion.json(from: xml, selectors, streams: false))
        }

        @Test(
            "what is wrong is told with its line before, in and behind the items",
            arguments: [
                ("<r>\n<next>\n<a>1</a></next>\n<i><id>1</id></i>\n<i><id>2</id></i></r>", "at line 2"),
                ("<r>\n<i><id>1</id></i>\n<i><id>2</id></i>\n<next>\n<a>1</a></next></r>", "at line 4"),
                ("<r>\n<i><id>1</id></i>\n<i>\n<x/></i>\n<x/>\n<i/></r>", "item 2, at line 3")
            ])
        func lines(xml: String, told: String) throws {
            var selectors = Selectors(id: .member("id"))
            selectors.items = .member("i")
            selectors.next = .member("next")
            let message: String
            do {
                message = try XMLExtractor().page(in: Array(xml.utf8), selectors).skippedReason ?? ""
            } catch let error as ExtractionError {
                message = error.message
            }
            #expect(message.contains(told), "\(message)")
        }

        @Test("elements that were let go count against the bound as all others")
        func bound() throws {
            var selectors = Selectors(id: .member("id"))
            selectors.limits = JSONLimits(bytes: 100_000)
            let xml = "<r>\(String(repeating: "<i><a/></i>", count: 5_000))</r>"
            let error = try #require(throws: ExtractionError.self) {
                try XMLConversion.json(from: Array(xml.utf8), selectors)
            }
            #expect(error.code == .tooLarge && error.message.contains("more than 10000 elements"), "\(error)")
        }

        @Test("whatever the document and the selectors, the result is that of the whole document")
        func equality() throws {
            var random = DocumentGenerator(state: 42)
            var (streamed, refused) = (0, 0)
            for _ in 0..<3_000 {
                let xml = random.document()
                let selectors = try random.selectors()
                func result(_ json: () throws -> [UInt8]) -> String {
                    do {
                        return String(decoding: try json(), as: UTF8.self)
                    } catch {
                        return "\(error)"
                    }
                }
                let whole = result { try XMLConversion.json(from: xml, selectors, streams: false) }
                guard result({ try XMLConversion.json(from: xml, selectors) }) == whole else {
                    Issue.record("\(String(decoding: xml, as: UTF8.self)) with \(selectors)")
                    return
                }
                if let page = try? XMLConversion.page(from: xml, selectors) {
                    if page.itemsStart > 0 { streamed += 1 }
                } else {
                    refused += 1
                }
            }
            #expect(streamed > 100 && refused > 100, "\(streamed) were streamed, \(refused) refused")
        }
    }

    /// Documents in which lists, items and what stands beside them have a few names in common. The same on every machine.
    private struct DocumentGenerator {
        var state: UInt64

        private mutating func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(count))
        }

        private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(elements.count)] }

        mutating func document() -> [UInt8] {
            let root = pick(["tasks", "r"])
            let inside = (0...next(3)).map { _ in element(0) }.joined(separator: "\n")
            var bytes = Array("<\(root)\(next(4) == 0 ? " type=\"array\"" : "")>\(inside)</\(root)>".utf8)
            if next(8) == 0 { bytes.removeSubrange(next(bytes.count)...) }
            return bytes
        }

        private mutating func element(_ depth: Int) -> String {
            let name = pick(["task", "task", "tasks", "tasks", "id", "list-item", "tag", "next", "total"])
            let attribute = pick(
                ["", "", "", "", ""]
                    + [" type=\"array\"", " nil=\"true\"", " type=\"integer\"", " key=\"v\"", " id=\"7\""])
            let inside: String
            switch next(depth < 5 ? 7 : 3) {
            case 0: return "<\(name)\(attribute)/>"
            case 1: inside = "\(next(20))"
            case 2: inside = "some text"
            case 3, 4:
                let child = pick(["task", "tasks", "list-item", "tag"])
                inside = (0..<next(6)).map { _ in
                    "<\(child)>\(next(4) > 0 ? "<id>\(next(99))</id>" : "")\(element(depth + 2))</\(child)>"
                }.joined(separator: "\n")
            default: inside = (0..<next(5)).map { _ in element(depth + 1) }.joined(separator: pick(["", "", "x\n"]))
            }
            return "<\(name)\(attribute)>\(inside)</\(name)>"
        }

        mutating func selectors() throws -> Selectors {
            var selectors = Selectors(id: .member(pick(["id", "id", "id", "@id"])))
            let path = pick([nil, "$", "$.task", "$.tasks", "$.tasks.task", "$.task.tasks", "$.tasks[*]", "$.task[0]"])
            selectors.items = try path.map { try JSONPath($0) }
            selectors.isList = next(8) > 0
            selectors.readsAttributes = next(3) == 0
            selectors.itemRoot = pick([nil, nil, "task"])
            selectors.total = try pick([nil, "$.total", "$.tasks.total", "$.tasks.task.total", "$.@id"])
                .map { try JSONPath($0) }
            if next(3) == 0 { selectors.types = ["tag": .json, "id": .integer] }
            if next(3) == 0 { selectors.lists = ["tag": .repeated, "task": .wrapped(item: "tag")] }
            return selectors
        }
    }
#endif
