#if Command
    import Atmosphere
    import AtmosphereSource
    import Foundation
    import Testing

    @testable import AtmosCommands

    @Suite("export and list", .timeLimit(.minutes(5))) struct ExportCommandTests {
        @Test("JSON lines hold each record as it is stored, on one line")
        func lines() async throws {
            try await TestAPI.serving { (source, workspace) async throws in
                try source.add("tasks", ["title": "Two\nlines", "list": 1, "rank": 2, "tags": ["a"]])
                try source.add("tasks", ["title": "Milk, \"fresh\"", "list": 1, "rank": 10])
                try await workspace.atmos("pull", "--quiet")
                let run = try await workspace.atmos("export", "tasks")
                #expect(run == .init(0, source.objects("tasks").map { "\($0)\n" }.joined()))
                #expect(try await workspace.atmos("export", "tasks", "--where", "rank>2").lines.count == 2)
                #expect(
                    try await workspace.atmos("export", "tasks", "--fields", "title,tags").lines[0]
                        == #"{"title":"Two\nlines","tags":["a"]}"#)
            }
        }

        @Test("CSV quotes what needs quotes, and has the members of all records")
        func csv() async throws {
            let workspace = try TestAPI.offline()
            for (title, more) in [
                ("Two\nlines", "rank=1"), ("Milk, \"fresh\"", "tags=[\"a\",1]"), ("Plain", "note:=null")
            ] {
                try await workspace.atmos("create", "tasks", "title=\(title)", more)
            }
            let run = try await workspace.atmos(
                "export", "tasks", "--format", "csv", "--fields", "title,rank,tags,note")
            #expect(run.status == 0 && run.errors == "")
            let rows = run.output.components(separatedBy: "\r\n")
            #expect(rows[0] == "title,rank,tags,note")
            #expect(
                rows.dropFirst().sorted()
                    == [
                        "", #""Milk, ""fresh""",,"[""a"",1]","#, "\"Two\nlines\",1,,", "Plain,,,"
                    ].sorted())
            let all = try await workspace.atmos("export", "tasks", "--format", "csv")
            let heading = try #require(all.output.components(separatedBy: "\r\n").first)
            #expect(Set(heading.split(separator: ",")) == ["id", "title", "rank", "tags", "note"])
        }

        @Test("CSV has a column for each of two members whose names are canonically equivalent")
        func equivalentNames() async throws {
            let workspace = try TestAPI.offline()
            for name in ["caf\u{E9}", "cafe\u{301}"] {
                try await workspace.atmos("create", "tasks", "title=a", "\(name)=\(name.utf8.count)")
            }
            let run = try await workspace.atmos("export", "tasks", "--format", "csv")
            let heading = try #require(run.output.components(separatedBy: "\r\n").first)
            let names = heading.utf8.split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
            #expect(Set(names.map { Array($0.utf8) }).count == 4, "\(heading)")
        }

        @Test("CSV has no formulas, unless they are asked for, and numbers stay what they are")
        func formulas() async throws {
            let workspace = try TestAPI.offline()
            let titles = ["=1+1", "+x", "-cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "\r=1", "-5", "a=b", "=a,\"b\""]
            for title in titles { try await workspace.atmos("create", "tasks", "title=\(title)", "rank=-2") }
            let run = try await workspace.atmos("export", "tasks", "--format", "csv", "--fields", "title,rank")
            let heading = "title,rank\r\n"
            #expect(run.output.hasPrefix(heading))
            let cells = String(run.output.dropFirst(heading.count)).components(separatedBy: ",-2\r\n")
            let expected = [
                "'=1+1", "'+x", "'-cmd|' /C calc'!A0", "'@SUM(A1)", "\"'\t=1\"", "\"'\r=1\"", "-5", "a=b",
                #""'=a,""b""""#, ""
            ]
            #expect(Set(cells) == Set(expected), "\(cells)")
            let raw = try await workspace.atmos("export", "tasks", "--format", "csv", "--raw", "--fields", "title")
            #expect(raw.output.contains("\r\n=1+1\r\n") && !raw.output.contains("'="), "\(raw)")
            #expect(try await workspace.atmos("export", "tasks", "--raw").status == 2)
        }

        @Test(
            "a formula is one behind what is not seen, and in wide characters",
            arguments: [
                " =1+1", "\n=1+1", "\r\n=1", "\u{FEFF}=1", "\u{200B}@SUM(A1)", "\u{A0}+1", "\u{3000}=1", "\u{202E}=1",
                "\u{C}=1", "＝1+1", "＋1", "－1+1", "＠SUM(A1)", " \u{FEFF} ＝1", "﹦1", "\n", "\nx", "-1 ", " -1"
            ])
        func hiddenFormulas(_ text: String) { #expect(CSV.harmless(text) == "'" + text) }

        @Test(
            "what no spreadsheet takes for a formula stays as it is",
            arguments: ["", " ", "a=1", " a", "-1", "-1.5e3", "'=1", "\u{FEFF}a", "Größe", "（=1）", "−1"])
        func noFormulas(_ text: String) { #expect(CSV.harmless(text) == text) }

        @Test(
            "a cell stands in quotation marks where a program could divide it, and its own ones are doubled",
            arguments: [
                ("a;=1+1", "\"a;=1+1\""), ("a\t=1+1", "\"a\t=1+1\""), ("a,b", "\"a,b\""), ("a\r\nb", "\"a\r\nb\""),
                ("a\"\u{301};\"", "\"a\"\"\u{301};\"\"\""), (",\u{301}a", "\",\u{301}a\""),
                ("a b: c", "a b: c"), ("", "")
            ])
        func cells(_ text: String, _ cell: String) {
            #expect(CSV.line([text, "x"]) == Array("\(cell),x\r\n".utf8))
        }

        @Test("an empty entity is exported as nothing, and a list of one has its heading")
        func empty() async throws {
            let workspace = try TestAPI.offline()
            #expect(try await workspace.atmos("export", "tasks") == .init(0))
            #expect(try await workspace.atmos("export", "tasks", "--format", "csv") == .init(0, "\r\n"))
            let nothing = "atmos: tasks: nothing was pulled yet; atmos pull tasks\n"
            #expect(try await workspace.atmos("list", "tasks") == .init(0, "OBJECT\n", errors: nothing))
            #expect(try await workspace.atmos("export", "tasks", "--format", "xml").status == 2)
        }
    }
#endif
