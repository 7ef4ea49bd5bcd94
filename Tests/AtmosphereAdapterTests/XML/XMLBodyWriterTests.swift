#if XML
    import Atmosphere
    import AtmosphereXML
    import Testing

    @Suite("Writing XML") struct XMLBodyWriterTests {
        private let writer = XMLBodyWriter()

        private func layout(types: Bool, root: String = "todo", item: String? = nil) -> BodyLayout {
            var layout = BodyLayout(root: root)
            layout.xml.writesTypes = types
            layout.xml.dashesNames = types
            layout.xml.item = item
            return layout
        }

        /// Without the declaration.
        private func text(_ value: Value, _ layout: BodyLayout) throws -> String {
            let lines = String(decoding: try writer.body(of: value, layout), as: UTF8.self).split(
                separator: "\n", maxSplits: 1)
            #expect(lines[0] == #"<?xml version="1.0" encoding="UTF-8"?>"#)
            return String(lines[1].dropLast())
        }

        @Test(
            "each value with Rails' types",
            arguments: [
                ("a", nil, "<a-b>a</a-b>"), ("", nil, "<a-b></a-b>"), (.null, .date, #"<a-b nil="true"/>"#),
                (true, nil, #"<a-b type="boolean">true</a-b>"#), (7, nil, #"<a-b type="integer">7</a-b>"#),
                (-7, nil, #"<a-b type="integer">-7</a-b>"#), (7, .decimal, #"<a-b type="decimal">7</a-b>"#),
                ("0.250", .decimal, #"<a-b type="decimal">0.250</a-b>"#),
                ("0.250", nil, "<a-b>0.250</a-b>"), ("5", .integer, #"<a-b type="integer">5</a-b>"#),
                ("2024-01-02", .date, #"<a-b type="date">2024-01-02</a-b>"#), ("soon", .date, "<a-b>soon</a-b>"),
                (
                    "2024-01-02T03:04:05.123456Z", .instant,
                    #"<a-b type="dateTime">2024-01-02T03:04:05.123456Z</a-b>"#
                ),
                ([1, "x"], nil, #"<a-b type="array"><a-b type="integer">1</a-b><a-b>x</a-b></a-b>"#),
                (["c_d": 1], nil, #"<a-b><c-d type="integer">1</c-d></a-b>"#)
            ] as [(Value, FieldType?, String)])
        func typed(value: Value, type: FieldType?, element: String) throws {
            var layout = layout(types: true)
            layout.types = type.map { ["a_b": $0] } ?? [:]
            #expect(try text(["a_b": value], layout) == "<todo>\(element)</todo>")
        }

        @Test("what is declared for XML alone goes before the body's root")
        func root() throws {
            var layout = layout(types: false)
            layout.xml.root = "TodoItem"
            #expect(try text(["a": "b"], layout) == "<TodoItem><a>b</a></TodoItem>")
            layout = BodyLayout()
            #expect(try text(["a": "b"], layout) == "<object><a>b</a></object>")
        }

        @Test("a number's digits are written as they are")
        func digits() throws {
            let value = try Value(json: Array(#"{"n":12345678901234567890.50,"e":1e3}"#.utf8))
            #expect(
                try text(value, layout(types: true))
                    == #"<todo><n type="decimal">12345678901234567890.50</n><e type="decimal">1e3</e></todo>"#)
        }

        @Test("without types there are names, texts and items only")
        func plain() throws {
            let value = try Value(
                json: Array(#"{"a_b":null,"tags":["x","y"],"done":true,"n":1.5,"inner":{"deep":[]}}"#.utf8))
            #expect(
                try text(value, layout(types: false, root: "root", item: "list-item"))
                    == "<root><a_b></a_b><tags><list-item>x</list-item><list-item>y</list-item></tags><done>true</done>"
                    + "<n>1.5</n><inner><deep></deep></inner></root>")
            #expect(try text(["tags": ["x"]], layout(types: false)) == "<todo><tags><tag>x</tag></tags></todo>")
        }

        @Test("markup, line ends and every script are kept")
        func escapes() throws {
            #expect(
                try text(["t": "<a> & \"b\" 'c' ]]> 🙂 é\r\n\tx"], layout(types: true))
                    == "<todo><t>&lt;a&gt; &amp; \"b\" 'c' ]]&gt; 🙂 é&#13;\n\tx</t></todo>")
        }

        @Test(
            "what XML cannot say is refused with the member's name",
            arguments: [["odd key": 1], ["t": "a\u{0}b"], ["1a": 1], ["": 1], ["a": ["b<c": 1]]] as [Value])
        func refused(value: Value) {
            let error = #expect(throws: SyncError.self) { try writer.body(of: value, layout(types: true)) }
            #expect(error?.code == .invalidRecord)
        }

        @Test(
            "what was written is read back the same, with and without types",
            arguments: [
                #"{"id":1,"title":"a & <b>","notes":null,"done":false,"hours":"0.25","due_on":"2024-01-02","tags":["x","y"],"place":{"x":1}}"#,
                #"{"id":2,"title":"","at":"2024-01-02T03:04:05Z","list":[{"id":3},{"id":4}]}"#
            ])
        func roundTrip(json: String) throws {
            let value = try Value(json: Array(json.utf8))
            var typed = layout(types: true)
            typed.types = ["hours": .decimal, "due_on": .date, "at": .instant]
            let bytes = try writer.body(of: value, typed)
            #expect(try XMLExtractor().value(in: bytes, limits: .default) == value)
        }
    }
#endif
