internal import Atmosphere

extension BodyWriterSuite {
    /// What a body says of the values.
    var valueChecks: [ConformanceCheck] {
        [
            check("members are read back with their names and texts, in every script and with every markup") { suite in
                try suite.expectKept(
                    [
                        "title": "Grüße ☃ 𝄞", "note": "a \"quoted\" \\ <b> & 'c' = %41+%2B; #?/[]{}", "empty": "",
                        "due_on": "2026-01-02", "spaces": "  two  "
                    ], "texts")
                try suite.expectKept(["long": .string(String(repeating: "ä€😀", count: 20_000))], "a long text")
            },
            check("nested members are read back in their places") { suite in
                try suite.expectKept(
                    ["place": ["street": "a", "geo": ["lat": "48.1"]], "title": "b", "other": ["street": "c"]],
                    "objects in objects")
            },
            check("a list is read back with its elements in their order") { suite in
                for count in 1...3 {
                    let tags = (0..<count).map { Value.string("tag \(9 - $0)") }
                    try suite.expectKept(["tags": .array(tags), "title": "a"], "a list of \(count)")
                }
            }
        ]
            + check("objects in a list, and lists in one, are read back whole", of: .nestedLists) { suite in
                try suite.expectKept(
                    ["rows": [["a": "1", "b": "2"], ["a": "3"]], "title": "x"], "objects in a list")
                try suite.expectKept(["rows": [["1", "2"], ["3"]], "title": "x"], "lists in a list")
            }
            + check("a number and a truth value are no texts", of: .types) { suite in
                try suite.expectKept(
                    ["n": 7, "negative": -7, "text": "7", "yes": true, "no": false, "word": "true"], "kinds of values")
            }
            + check("null is no empty text, and is not left out", of: .null) { suite in
                try suite.expectKept(["gone": nil, "empty": "", "title": "a"], "null")
            }
            + check("an empty list and an empty object are not left out", of: .emptyContainers) { suite in
                try suite.expectKept(["tags": [], "place": [:], "title": "a"], "what is empty")
            }
            + [
                check("integers of 64 bits keep their digits, and doubles their value") { suite in
                    for text in ["9223372036854775807", "-9223372036854775808", "9007199254740993", "0"] {
                        try suite.expectKept(["n": .number(JSONNumber(text)!)], "the integer \(text)")
                    }
                    for text in ["0.1", "-2.5", "1.5e300"] {
                        let back = try suite.written(["n": .number(JSONNumber(text)!)]).members?["n"]
                        let number = back?.number ?? back?.string.flatMap { JSONNumber($0) }
                        try Expect.that(
                            number == JSONNumber(text), "the number \(text): got \(back?.text ?? "nothing")")
                    }
                }
            ]
            + check("a number keeps its digits", of: .longNumbers) { suite in
                for text in ["12345678901234567890.10", "0.10", "123456789012345678901234567890"] {
                    // As a number, or as a text where the coding has decimals that are texts.
                    let back = try suite.written(["n": .number(JSONNumber(text)!)]).members?["n"]
                    try Expect.equal(back?.text, text, "the number \(text)")
                }
            }
    }

    /// What is around the values.
    var layoutChecks: [ConformanceCheck] {
        [
            check("the coding has a name, and a media type to send") { suite in
                let writer = suite.writer
                try Expect.that(
                    !writer.coding.isEmpty && writer.coding.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" },
                    "coding: expected a word, got “\(writer.coding)”")
                let type = writer.contentType.split(separator: ";", omittingEmptySubsequences: false).first ?? ""
                let parts = type.split(separator: "/", omittingEmptySubsequences: false)
                try Expect.that(
                    parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
                        && writer.contentType.utf8.allSatisfy { (0x20..<0x7F).contains($0) },
                    "contentType: expected one media type, got “\(writer.contentType)”")
            },
            check("the whole stands in the root that the layout names") { suite in
                let value: Value = ["title": "a", "tags": ["b", "c"], "task": "its own"]
                for root in ["task", "order_line"] { try suite.expectKept(value, root: root, "the body in \(root)") }
                let bodies = try [nil, "task"].map { try suite.writer.body(of: value, suite.layout(root: $0)) }
                try Expect.that(bodies[0] != bodies[1], "the body with a root is the body without one")
            },
            check("types that are declared change no value") { suite in
                var layout = suite.layout
                layout.types = ["price": .decimal, "due_on": .date, "at": .instant, "odd": .date, "title": .string]
                let typed = BodyWriterSuite(
                    writer: suite.writer, layout: layout, cannotHold: suite.lacks, decode: suite.decode)
                try typed.expectKept(
                    [
                        "price": "0.250", "due_on": "2026-01-02", "at": "2026-01-02T03:04:05.123456Z", "odd": "soon",
                        "title": "7"
                    ], "declared members")
            },
            check("an object without members is a body") { suite in
                let found = try suite.written([:])
                try Expect.that(
                    found.members?.isEmpty == true || found == "" || found.isNull,
                    "expected an object without members, got \(found.text)")
            },
            check("the same value is the same body each time") { suite in
                let value: Value = ["b": "1", "a": ["d": "2", "c": "3"], "e": ["x", "y"]]
                let first = try suite.writer.body(of: value, suite.layout(root: "task"))
                for _ in 0..<20 {
                    try Expect.that(
                        try suite.writer.body(of: value, suite.layout(root: "task")) == first,
                        "a second body of the same value has other bytes")
                }
            },
            check("one writer writes many bodies at once") { suite in
                let titles = try await withThrowingTaskGroup(of: String.self) { group in
                    for number in 0..<16 {
                        group.addTask {
                            try suite.written(["title": .string("title \(number)")]).members?["title"]?.text ?? ""
                        }
                    }
                    return try await group.reduce(into: Set<String>()) { $0.insert($1) }
                }
                try Expect.equal(titles, Set((0..<16).map { "title \($0)" }), "titles")
            }
        ]
    }

    /// What has no place in a coding is refused, and is never written as something else.
    var refusalChecks: [ConformanceCheck] {
        [
            check("a name that means something in the coding is kept or refused, and never becomes syntax") { suite in
                for name in [
                    "a b", "é", "a&b=c", "a=b", "a<b", "a>b", "a\"b", "a'b", "a.b", "a;b", "a,b", "a/b", "1a",
                    "-",
                    "a\nb", "a\r\nb: c", "a%26b", "a+b", "#", "@type", "$ref", "a\\b", "\u{202E}a"
                ] {
                    try suite.expectKeptOrRefused([name: "value", "title": "x"], "the name “\(name)”")
                }
            },
            check("control characters in a text are kept or refused") { suite in
                for text in [
                    "\u{0}", "a\u{0}b", "\u{1}", "\u{1F}", "\u{7F}", "\u{85}", "line\nfeed", "carriage\rreturn",
                    "both\r\nof them", "tab\t", "\u{2028}", "a\u{FEFF}b", "\u{FFFE}", "\u{FFFF}"
                ] {
                    try suite.expectKeptOrRefused(["text": .string(text), "title": "x"], "the text “\(text)”")
                }
            },
            check("a body that is no object is written, or refused as what cannot be sent") { suite in
                for value in [["a", "b"], [["id": "1"], ["id": "2"]], "text", 7, true, nil] as [Value] {
                    do {
                        _ = try suite.writer.body(of: value, suite.layout(root: nil))
                    } catch let error as SyncError {
                        try Expect.equal(error.code, .invalidRecord, "the code of the error for \(value.text)")
                    } catch {
                        throw ConformanceFailure("\(value.text): threw \(type(of: error)), not SyncError")
                    }
                }
            },
            check("an error quotes no value") { suite in
                let secret = "hunter2hunter2"
                for value in [
                    ["a b<c>": .string(secret)], ["text": .string(secret + "\u{0}")],
                    ["a.b": .string(secret + "\u{FFFF}")], .string(secret), [.string(secret)]
                ] as [Value] {
                    do {
                        _ = try suite.writer.body(of: value, suite.layout(root: nil))
                    } catch {
                        try Expect.that(!"\(error)".contains(secret), "the message quotes a value")
                    }
                }
            }
        ]
    }
}
