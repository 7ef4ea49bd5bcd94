import Atmosphere

extension ResponseExtractorSuite {
    /// What is said of the list.
    var pageChecks: [ConformanceCheck?] {
        [
            envelopeCheck("the next page is the text of a string or a number") { suite in
                let next: JSONPath = Self.path("meta", "next")
                for (value, text) in [("/rows?page=2", "/rows?page=2"), (2, "2")] as [(Value, String)] {
                    let page = try suite.page(
                        ["rows": [["id": 7, "a": "b"]], "meta": ["next": value]], Self.selectors { $0.next = next })
                    try Expect.equal(page.next, text, "next page")
                }
            },
            envelopeCheck("there is no next page where it is null, empty or absent") { suite in
                let next: JSONPath = Self.path("meta", "next")
                for meta in [["next": nil], ["next": ""], ["count": 1]] as [Value] {
                    let page = try suite.page(
                        ["rows": [["id": 7, "a": "b"]], "meta": meta], Self.selectors { $0.next = next })
                    try Expect.that(page.next == nil, "next page: expected none, got a text of \(page.next ?? "")")
                }
            },
            envelopeCheck("the number of items in all, and a cursor of the body, are found") { suite in
                let page = try suite.page(
                    ["meta": ["count": 250, "time": "2024-01-01T08:00:00Z"], "rows": [["id": 7, "a": "b"]]],
                    Self.selectors {
                        $0.total = Self.path("meta", "count")
                        $0.pageCursor = Self.path("meta", "time")
                    })
                try Expect.equal(page.total, 250, "total")
                try Expect.equal(page.cursor, "2024-01-01T08:00:00Z", "cursor")
            },
            envelopeCheck("a body says whether more follows, or does not say") { suite in
                let more: JSONPath = Self.path("meta", "more")
                for (meta, expected) in [
                    (["more": true], true), (["more": false], false), (["more": 6], true), (["more": 0], false),
                    (["count": 1], nil)
                ] as [(Value, Bool?)] {
                    let page = try suite.page(
                        ["meta": meta, "rows": [["id": 7, "a": "b"]]], Self.selectors { $0.more = more })
                    try Expect.equal(page.hasMore, expected, "whether more follows")
                }
            },
            check("one extractor reads many bodies at once") { suite in
                let pages = try await withThrowingTaskGroup(of: [String].self) { group in
                    for number in 0..<16 {
                        group.addTask {
                            let body: Value = ["rows": [["id": .init(integerLiteral: number), "title": "a"]]]
                            return try suite.page(body, Self.selectors()).items.map(\.id.objectID.text)
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                try Expect.equal(Set(pages), Set((0..<16).map { [String($0)] }), "identifiers")
            }
        ]
    }

    /// What is refused, and how.
    var refusalChecks: [ConformanceCheck?] {
        [
            envelopeCheck("a body without the items is refused, unless they may be absent") { suite in
                let body: Value = ["other": [["id": 7, "title": "a"]], "meta": ["count": 3]]
                let error = try suite.failure({ _ = try suite.page(body, Self.selectors()) }, "a body without items")
                try Expect.equal(error.code, .itemsNotFound, "code")
                let page = try suite.page(body, Self.selectors { $0.areItemsOptional = true })
                try Expect.equal(page.items.count, 0, "items of a body that may lack them")
            },
            check("where no item has an identifier, that is an error") { suite in
                let body: Value = ["rows": [["title": "a"], ["title": "b"]]]
                let error = try suite.failure({ _ = try suite.page(body, Self.selectors()) }, "items without id")
                try Expect.equal(error.code, .missingID, "code")
            },
            check("a body that is cut short is refused wherever it ends") { suite in
                let body = try suite.bytes(of: Self.list)
                let selectors = suite.shaped(Self.selectors())
                let whole = try suite.extractor.page(in: body, selectors).values()
                for end in stride(from: 1, to: body.count * 9 / 10, by: max(1, body.count / 23)) {
                    let part = Array(body[..<end])
                    // Records that are whole may stand for themselves where nothing is around them.
                    if suite.shape.isBare, let page = try? suite.extractor.page(in: part, selectors),
                        let values = try? page.values(), !values.isEmpty, whole.starts(with: values)
                    {
                        continue
                    }
                    let error = try suite.failure(
                        { _ = try suite.extractor.page(in: part, selectors) }, "the first \(end) bytes of a body")
                    try Expect.equal(error.code, .malformed, "code for the first \(end) bytes")
                }
            },
            check("an empty body is refused") { suite in
                let error = try suite.failure(
                    { _ = try suite.extractor.page(in: [], suite.shaped(Self.selectors())) }, "an empty body")
                try Expect.equal(error.code, .malformed, "code")
            },
            check("what is no text of the format is refused, and never crashes") { suite in
                for bytes in [[0xFF, 0xFE, 0x00], Array(repeating: 0x00, count: 64), Array("\u{1}\u{2}".utf8)]
                    as [[UInt8]]
                {
                    _ = try suite.failure(
                        { _ = try suite.extractor.page(in: bytes, suite.shaped(Self.selectors())) },
                        "\(bytes.count) odd bytes")
                    _ = try suite.failure(
                        { _ = try suite.extractor.value(in: bytes, limits: .default) }, "\(bytes.count) odd bytes")
                }
            },
            check("an error quotes nothing of the body") { suite in
                let secret = "hunter2hunter2"
                let body = try suite.bytes(
                    of: ["rows": [["id": 7, "title": .string(secret)]], "other": .string(secret)])
                let selectors = suite.shaped(Self.selectors())
                let error = try suite.failure(
                    { _ = try suite.extractor.page(in: Array(body.dropLast(3)), selectors) }, "a cut body")
                try Expect.that(!error.message.contains(secret), "the message quotes the body: \(error.message)")
                if suite.shape.isBare { return }
                let missing = try suite.failure(
                    { _ = try suite.page(["no": .string(secret)], Self.selectors()) }, "a body without items")
                try Expect.that(!missing.message.contains(secret), "the message quotes the body: \(missing.message)")
            },
            check("nesting deeper than allowed is refused") { suite in
                var deep: Value = ["id": 1, "title": "in"]
                for _ in 0..<40 { deep = ["id": 1, "a": deep] }
                let body = try suite.bytes(of: ["rows": [["id": 7, "a": deep]]])
                let limits = JSONLimits(depth: 16)
                let selectors = suite.shaped(Self.selectors { $0.limits = limits })
                let error = try suite.failure({ _ = try suite.extractor.page(in: body, selectors) }, "a deep page")
                try Expect.equal(error.code, .tooLarge, "code")
                _ = try suite.failure({ _ = try suite.extractor.value(in: body, limits: limits) }, "a deep value")
            },
            check("a body larger than allowed is refused") { suite in
                let body = try suite.bytes(of: Self.list)
                let selectors = suite.shaped(Self.selectors { $0.limits = JSONLimits(bytes: body.count - 1) })
                let error = try suite.failure({ _ = try suite.extractor.page(in: body, selectors) }, "a large page")
                try Expect.equal(error.code, .tooLarge, "code")
            }
        ]
    }

    /// Whole bodies, and how the format is called.
    var valueChecks: [ConformanceCheck?] {
        [
            check("a whole body is given as a value") { suite in
                let body: Value = [
                    "errors": ["title": ["is blank", "is short"]], "status": 422, "fine": false, "text": "Grüße <&>"
                ]
                let value = try suite.extractor.value(in: suite.bytes(of: body), limits: .default)
                try Expect.equal(value, suite.shape.isBare ? [body] : body, "the value")
            },
            check("an integer of 64 bits keeps its digits, and a double its value") { suite in
                let numbers = ["9223372036854775807", "-9223372036854775808", "9007199254740993", "0", "-1"]
                for text in numbers + ["0.1", "-2.5", "1.5e300"] {
                    let number = try Value(json: Array(text.utf8))
                    let body: Value = ["rows": [["id": 7, "n": number]]]
                    let page = try suite.page(body, Self.selectors { $0.types["n"] = .decimal })
                    let found = try page.values().first?.members?["n"]
                    let read = found?.number ?? found?.string.flatMap { JSONNumber($0) }
                    try Expect.that(
                        read == number.number, "the number \(text): got \(found?.text ?? "nothing")")
                }
            },
            lacks.contains(.longNumbers)
                ? nil
                : check("a number keeps its digits") { suite in
                    let number = try Value(json: Array("12345678901234567890.10".utf8))
                    let body: Value = ["rows": [["id": 7, "price": number]]]
                    let page = try suite.page(body, Self.selectors { $0.types["price"] = .decimal })
                    let price = try page.values().first?.members?["price"]
                    try Expect.equal(price?.text, "12345678901234567890.10", "the number's text")
                },
            check("the format has a name, and a media type to ask for") { suite in
                let extractor = suite.extractor
                try Expect.that(
                    !extractor.format.isEmpty
                        && extractor.format.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" },
                    "format: expected a word, got “\(extractor.format)”")
                try Expect.that(
                    extractor.accept.split(separator: ",").allSatisfy { $0.split(separator: "/").count == 2 },
                    "accept: expected media types, got “\(extractor.accept)”")
            }
        ]
    }
}
