#if Command
    import Atmosphere
    import AtmosphereReports
    import Testing

    @testable import AtmosCommands

    @Suite("Output") struct OutputTests {
        @Test(
            "the transfer of a large content is told in mebibytes, and nothing of a small one",
            arguments: [
                (0, 3_000_000, "upload of “photo” of tasks/1: 0.0 of 2.8 MiB"),
                (1_572_864, nil, "upload of “photo” of tasks/1: 1.5 MiB"), (1_000, 1_048_575, nil), (1_000, nil, nil)
            ] as [(Int, Int?, String?)])
        func transfer(_ completed: Int, _ total: Int?, _ text: String?) {
            var activity = SyncActivity(
                kind: .upload, entity: "tasks", completed: completed, total: total,
                content: .init(uri: ObjectURI(entity: "tasks", id: "1"), member: "photo"))
            #expect(ProgressLine.text(of: activity) == text)
            activity.content = nil
            #expect(ProgressLine.text(of: activity) == nil)
        }

        @Test(
            "texts have the width that a terminal gives them",
            arguments: [("", 0), ("abc", 3), ("Größe", 5), ("水とパン", 8), ("🏠", 2), ("e\u{301}", 1), ("👩‍👩‍👧", 2)])
        func width(_ text: String, _ columns: Int) {
            #expect(TextWidth.columns(text) == columns)
        }

        @Test(
            "a long text is cut to its columns",
            arguments: [("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcde…"), ("水とパン", 5, "水と…"), ("水とパン", 4, "水…")])
        func cut(_ text: String, _ limit: Int, _ expected: String) {
            #expect(TextWidth.cut(text, to: limit) == expected)
            #expect(TextWidth.columns(TextWidth.cut(text, to: limit)) <= limit)
        }

        @Test(
            "what could steer a terminal is spelled out",
            arguments: [
                ("a\nb\tc\r", #"a\nb\tc\r"#), ("\u{1B}[2J", #"\u{1b}[2J"#), ("a\u{202E}b", #"a\u{202e}b"#),
                ("a\u{200B}b\u{FEFF}\u{E0041}", #"a\u{200b}b\u{feff}\u{e0041}"#), ("می\u{200C}خواهم", "می\u{200C}خواهم")
            ])
        func control(_ text: String, _ expected: String) {
            #expect(TextWidth.oneLine(text) == expected)
        }

        @Test(
            "on a terminal what steers it is shown, and the command’s own colours are kept",
            arguments: [
                ("Größe\n\ta\r\n", "Größe\n\ta\r\n"), ("\u{1B}[1mA\u{1B}[0m", "\u{1B}[1mA\u{1B}[0m"),
                ("\u{1B}[2J", #"\u001b[2J"#), ("\u{1B}]0;x\u{7}", #"\u001b]0;x\u0007"#), ("a\rb", #"a\u000db"#),
                ("\u{1B}[8mx", #"\u001b[8mx"#),
                (
                    #"{"a":"\#u{9B}2J\#u{202E}b\#u{2067}\#u{200F}\#u{61C}"}"#,
                    ##"{"a":"\u009b2J\u202eb\u2067\u200f\u061c"}"##
                ),
                ("\r\u{1B}[Kpage 1", "\r\u{1B}[Kpage 1"), ("x\r\u{1B}[K", #"x\u000d\u001b[K"#),
                ("a\u{200B}b\u{FEFF}\u{2060}\u{AD}", #"a\u200bb\ufeff\u2060\u00ad"#), ("\u{E0041}x", #"\udb40\udc41x"#),
                ("👩‍👩‍👧 e\u{301}", "👩‍👩‍👧 e\u{301}")
            ])
        func terminal(_ text: String, _ expected: String) {
            #expect(String(decoding: TerminalText.harmless(Array(text.utf8)), as: UTF8.self) == expected)
        }

        @Test(
            "in cells of CSV no colour is the command’s own",
            arguments: [("\u{1B}[1mA\u{1B}[0m\r\n", "\\u001b[1mA\\u001b[0m\r\n"), ("\r\u{1B}[Kx", "\\u000d\\u001b[Kx")])
        func cells(_ text: String, _ expected: String) {
            #expect(String(decoding: TerminalText.harmless(Array(text.utf8), isData: true), as: UTF8.self) == expected)
        }

        @Test("a narrow terminal loses columns at the end, but never the first")
        func narrow() {
            var table = Table(["A", ">B", "C"])
            table.add(["one", "1", "first"])
            table.add(["three", "10", ""])
            #expect(table.lines() == ["A       B  C", "one     1  first", "three  10"])
            #expect(table.lines(width: 10) == ["A       B", "one     1", "three  10"])
            #expect(table.lines(width: 1) == ["A", "one", "three"])
        }

        @Test("two members whose names are canonically equivalent have a column each")
        func equivalentNames() {
            var table = RecordTable(marks: [:], id: "id")
            let uri = ObjectURI(entity: "tasks", id: "1")
            let record = ObjectRecord(["caf\u{E9}": "a", "cafe\u{301}": "b"])
            table.measure(uri, record)
            #expect(table.names().map { $0.utf8.count } == [5, 6])
            #expect(table.cells(uri, record, table.names()) == ["tasks/1", "a", "b"])
        }

        @Test("records that have names of their own each make a table of so many columns and no more")
        func manyColumns() {
            var table = RecordTable(marks: [:], id: "id")
            let records = (0..<2000).map { number in
                (
                    ObjectURI(entity: "tasks", id: "\(number)"),
                    ObjectRecord(["id": .number(JSONNumber(number)), "n\(number)": "a"])
                )
            }
            let start = ContinuousClock.now
            for (uri, record) in records { table.measure(uri, record) }
            let names = table.names()
            let layout = table.layout(names)
            for width in [80, nil] {
                let shown = layout.columns(in: width)
                let lines = records.map { layout.line(table.cells($0, $1, names), shown) }
                #expect(lines.allSatisfy { $0.count <= 20 + 102 * 8 })
            }
            #expect(names.count == RecordTable.mostColumns && table.left == 1900)
            // A cell for each name and record would be 4,000,000 cells.
            #expect(ContinuousClock.now - start < .seconds(60))
        }

        @Test(
            "of several exit statuses 2 goes before 4 before 1 before 3",
            arguments: [([], 0), ([3], 3), ([3, 1], 1), ([1, 4, 3], 4), ([4, 2], 2), ([0, 0], 0)] as [([Int32], Int32)])
        func order(_ statuses: [Int32], _ expected: Int32) {
            #expect(ExitStatus.first(statuses) == expected)
        }

        @Test(
            "times are RFC 3339, also before 1970",
            arguments: [(0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z")])
        func time(_ milliseconds: Int64, _ expected: String) {
            #expect(Timestamp(milliseconds: milliseconds).rfc3339 == expected)
        }

        @Test(
            "the port of a base on this machine is found",
            arguments: [
                ("http://127.0.0.1:8080/api", 8080), ("http://localhost:1", 1), ("http://127.0.0.1/api", nil),
                ("https://example.com:8080", nil), ("http://127.0.0.1:x/", nil)
            ] as [(String, Int?)])
        func port(_ base: String, _ expected: Int?) {
            #expect(SourceCommand.localPort(in: base) == expected)
        }
    }
#endif
