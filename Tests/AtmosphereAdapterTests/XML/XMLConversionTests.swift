#if XML
    import Atmosphere
    import AtmosphereXML
    import Testing

    @Suite("XML becomes JSON")
    struct XMLConversionTests {
        static func json(_ xml: String, _ selectors: Selectors? = nil) throws -> String {
            let bytes = Array(xml.utf8)
            let json = try selectors.map { try XMLConversion.json(from: bytes, $0) } ?? XMLConversion.json(from: bytes)
            return String(decoding: json, as: UTF8.self)
        }

        static func list(items: JSONPath? = nil, types: [String: FieldType] = [:]) -> Selectors {
            var selectors = Selectors(id: .member("id"))
            selectors.items = items
            selectors.types = types
            return selectors
        }

        static func one(_ types: [String: FieldType] = [:]) -> Selectors {
            var selectors = list(types: types)
            selectors.isList = false
            return selectors
        }

        @Test(
            "declared or not, an element becomes what its attributes and children say",
            arguments: [
                ("<r><a>x</a></r>", #"{"a":"x"}"#),
                ("<r><due-on>x</due-on></r>", #"{"due_on":"x"}"#),
                ("<r><a type='integer'>1</a><b type='float'> 1.50 </b></r>", #"{"a":1,"b":1.50}"#),
                ("<r><a type='integer'>007</a><b type='float'>NaN</b></r>", #"{"a":"007","b":"NaN"}"#),
                ("<r><a type='integer'></a></r>", #"{"a":null}"#),
                ("<r><a type='integer' nil='true'/></r>", #"{"a":null}"#),
                ("<r><a type='integer' nil='false'>1</a></r>", #"{"a":1}"#),
                ("<r xmlns:i='urn:i'><a i:nil='true'>x</a></r>", #"{"a":null}"#),
                (
                    "<r><a type='boolean'>true</a><b type='boolean'>0</b><c type='boolean'>maybe</c></r>",
                    #"{"a":true,"b":false,"c":"maybe"}"#
                ),
                (
                    "<r><a type='decimal'>0.10</a><b type='dateTime'>2024-01-01T08:00:00Z</b></r>",
                    #"{"a":"0.10","b":"2024-01-01T08:00:00Z"}"#
                ),
                ("<r><a type='string'></a><b/></r>", #"{"a":"","b":""}"#),
                ("<r><a type='array'><b>1</b><c>2</c></a><d type='array'/></r>", #"{"a":["1","2"],"d":[]}"#),
                ("<r><list-item>1</list-item></r>", #"["1"]"#),
                ("<r><list-item>1</list-item><a>2</a></r>", #"{"list_item":"1","a":"2"}"#),
                ("<r><a>1</a><b>2</b><a>3</a><a/></r>", #"{"a":["1","3",null],"b":"2"}"#),
                ("<r><a><a>1</a><a>2</a></a><a>3</a></r>", #"{"a":[{"a":["1","2"]},"3"]}"#),
                ("<r><due-on>1</due-on><due_on>2</due_on></r>", #"{"due_on":["1","2"]}"#),
                ("<r><a/><b></b><c> </c></r>", #"{"a":null,"b":null,"c":" "}"#),
                ("<r/>", "null"),
                ("<r>text</r>", #""text""#),
                ("<r>mixed <a>1</a> text</r>", #"{"a":"1"}"#),
                ("<r><a>x<!-- no -->y<?no no?><![CDATA[<&>]]></a></r>", #"{"a":"xy<&>"}"#),
                ("<r><a>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;&#10;\\\t</a></r>", #"{"a":"<>&\"'A😀\n\\\t"}"#),
                ("<r><p:a xmlns:p='urn:p' q='ignored'>1</p:a></r>", #"{"a":"1"}"#)
            ])
        func elements(xml: String, expected: String) throws {
            #expect(try Self.json(xml) == expected)
        }

        @Test(
            "a declared type reads what the element does not say",
            arguments: [
                (FieldType.integer, "12", "12"), (.integer, "x", #""x""#), (.integer, "", "null"),
                (.float, "0.50", "0.50"),
                (.boolean, "True", "true"), (.boolean, "False", "false"), (.boolean, "true", "true"),
                (.boolean, "1", "true"),
                (.boolean, "0", "false"), (.boolean, "no", #""no""#), (.boolean, "", "null"),
                (.decimal, "0.50", #""0.50""#), (.decimal, "", "null"), (.instant, "", "null"), (.date, "", "null"),
                (.date, "2024-01-02", #""2024-01-02""#), (.string, "", #""""#), (.string, "12", #""12""#),
                (.json, "<list-item>1</list-item>", #"["1"]"#), (.json, "<a>1</a>", #"{"a":"1"}"#), (.json, "", "[]")
            ])
        func declaredTypes(type: FieldType, content: String, expected: String) throws {
            #expect(try Self.json("<r><f>\(content)</f></r>", Self.one(["f": type])) == #"{"f":\#(expected)}"#)
            let list = try Self.json(
                "<r><list-item><id>1</id><f>\(content)</f></list-item></r>", Self.list(types: ["f": type]))
            #expect(list == #"[{"id":"1","f":\#(expected)}]"#)
        }

        @Test("declared types hold for an item's own members only, and a type in the XML goes before them")
        func reachOfTypes() throws {
            let xml = "<r><n>0</n><results><list-item><n>1</n><in><n>2</n></in></list-item></results></r>"
            #expect(
                try Self.json(xml, Self.list(items: .member("results"), types: ["n": .integer]))
                    == #"{"n":"0","results":[{"n":1,"in":{"n":"2"}}]}"#)
            #expect(try Self.json("<r><n type='string'>1</n></r>", Self.one(["n": .integer])) == #"{"n":"1"}"#)
            #expect(try Self.json("<r><n>1</n><n>2</n></r>", Self.one(["n": .integer])) == #"{"n":[1,2]}"#)
            var rooted = Self.list(types: ["n": .integer])
            rooted.itemRoot = "todo"
            #expect(
                try Self.json("<r><list-item><todo><n>1</n></todo></list-item></r>", rooted) == #"[{"todo":{"n":1}}]"#)
        }

        @Test(
            "a declared list of an object is an array whatever its length, and is written as it is read",
            arguments: [
                ("<r><a>x</a><tags><tag>1</tag></tags><by>A</by></r>", #"{"a":"x","tags":["1"],"by":["A"]}"#),
                (
                    "<r><tags><tag>1</tag><tag>2</tag></tags><by>A</by><by>B</by></r>",
                    #"{"tags":["1","2"],"by":["A","B"]}"#
                ),
                ("<r><tags></tags></r>", #"{"tags":[],"by":[]}"#),
                ("<r><tags><tag><n>1</n></tag></tags><by><n>2</n></by></r>", #"{"tags":[{"n":"1"}],"by":[{"n":"2"}]}"#)
            ])
        func declaredLists(_ xml: String, _ json: String) throws {
            var selectors = Self.one()
            selectors.lists = ["tags": .wrapped(item: "tag"), "by": .repeated]
            #expect(try Self.json(xml, selectors) == json)
            var layout = BodyLayout(root: "r")
            layout.xml.lists = selectors.lists
            let written = try XMLBodyWriter().body(of: Value(json: Array(json.utf8)), layout)
            #expect(String(decoding: written, as: UTF8.self).split(separator: "\n").last.map(String.init) == xml)
        }

        @Test("of a declared list what is no list of such elements stays what it is, and so does one below a member")
        func otherElements() throws {
            var selectors = Self.one()
            selectors.lists = ["tags": .wrapped(item: "tag"), "by": .repeated]
            let xml =
                "<r><tags><tag>1</tag><count>1</count></tags><by>A</by><in><by>B</by><tags><tag>1</tag></tags></in></r>"
            #expect(
                try Self.json(xml, selectors)
                    == #"{"tags":{"tag":"1","count":"1"},"by":["A"],"in":{"by":"B","tags":{"tag":"1"}}}"#)
            var list = Self.list(items: .member("t"))
            list.lists = selectors.lists
            #expect(
                try Self.json("<r><t><id>1</id><by>A</by></t><t><id>2</id><tags/></t></r>", list)
                    == #"{"t":[{"id":"1","by":["A"]},{"id":"2","tags":[],"by":[]}]}"#)
        }

        @Test(
            "a list is a list whatever its length",
            arguments: [
                ("<r></r>", nil, "[]"),
                ("<r>\n</r>", nil, "[]"),
                ("<r type='array'/>", nil, "[]"),
                ("<r><list-item><id>1</id></list-item></r>", nil, #"[{"id":"1"}]"#),
                ("<r><t><id>1</id></t></r>", nil, #"[{"id":"1"}]"#),
                ("<r><t><id>1</id></t><t><id>2</id></t></r>", nil, #"[{"id":"1"},{"id":"2"}]"#),
                ("<r><id>1</id></r>", nil, #"{"id":"1"}"#),
                ("<r><t><id>1</id></t><u/></r>", nil, #"{"t":{"id":"1"},"u":null}"#),
                ("<r><t><id>1</id></t></r>", "t", #"{"t":[{"id":"1"}]}"#),
                ("<r><t><id>1</id></t><t><id>2</id></t></r>", "t", #"{"t":[{"id":"1"},{"id":"2"}]}"#),
                ("<r><ts><t><id>1</id></t></ts></r>", "ts", #"{"ts":[{"id":"1"}]}"#),
                ("<r><ts><t><id>1</id></t><t><id>2</id></t></ts></r>", "ts", #"{"ts":[{"id":"1"},{"id":"2"}]}"#),
                ("<r><ts></ts></r>", "ts", #"{"ts":[]}"#),
                ("<r><ts type='array'><t><id>1</id></t></ts></r>", "ts", #"{"ts":[{"id":"1"}]}"#),
                ("<r/>", "ts", #"{"ts":[]}"#),
                ("<r><total>0</total></r>", "ts", #"{"total":0,"ts":[]}"#),
                ("<r><total>1</total></r>", "ts", #"{"total":1}"#),
                ("<r><detail>no</detail></r>", "ts", #"{"detail":"no"}"#),
                ("<r><ts>no</ts></r>", "ts", #"{"ts":"no"}"#)
            ] as [(String, String?, String)])
        func lists(xml: String, items: String?, expected: String) throws {
            var selectors = Self.list(items: items.map { .member($0) })
            selectors.total = .member("total")
            #expect(try Self.json(xml, selectors) == expected)
        }

        @Test(
            "a nested path of the items is followed, with or without a final [*]",
            arguments: [
                [JSONPath.Step.member("a"), .member("ts")], [.member("a"), .member("ts"), .all]
            ])
        func nestedItems(steps: [JSONPath.Step]) throws {
            let selectors = Self.list(items: JSONPath(steps))
            #expect(
                try Self.json("<r><a><ts><t><id>1</id></t></ts></a></r>", selectors) == #"{"a":{"ts":[{"id":"1"}]}}"#)
            #expect(try Self.json("<r><a/></r>", selectors) == #"{"a":{"ts":[]}}"#)
            #expect(try Self.json("<r/>", selectors) == "null")
        }

        @Test(
            "an undeclared delete mark is a boolean where it reads like one",
            arguments: [
                ("False", "false"), ("true", "true"), ("2024-01-01", #""2024-01-01""#), ("", "null")
            ])
        func deleteMark(content: String, expected: String) throws {
            var selectors = Self.one()
            selectors.deleted = .member("gone")
            let xml = "<r><id>1</id><gone>\(content)</gone></r>"
            #expect(try Self.json(xml, selectors) == #"{"id":"1","gone":\#(expected)}"#)
            selectors.deletedEquals = .string("False")
            if content == "False" { #expect(try Self.json(xml, selectors) == #"{"id":"1","gone":"False"}"#) }
        }
    }
#endif
