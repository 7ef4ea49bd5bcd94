import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("JSON extractor")
struct JSONExtractorTests {
    private let extractor = JSONExtractor()

    private func page(_ body: String, _ adjust: (inout Selectors) throws -> Void = { _ in }) throws -> Page {
        var selectors = Selectors(id: .member("id"))
        try adjust(&selectors)
        return try extractor.page(in: Array(body.utf8), selectors)
    }

    private func records(_ page: Page) -> [String] { page.items.map { page.text($0.record) } }

    private func failure(
        _ body: String, _ adjust: (inout Selectors) throws -> Void = { _ in }
    ) throws -> ExtractionError {
        try #require(throws: ExtractionError.self) { try page(body, adjust) }
    }

    // MARK: Pages of real APIs

    @Test("a Django page: results, count, next; records are the bytes as sent")
    func django() throws {
        let first = #"{"id":1,"title":"a", "price":"12.50" }"#
        let second = #"{ "title":"b","id":2,"modified":"2026-01-02T03:04:05.678901Z"}"#
        let body =
            #"{"count":312,"next":"http://api/tasks/?page=2","previous":null,"results":[\#(first), \#(second) ]}"#
        let page = try page(body) {
            $0.items = try JSONPath("$.results")
            $0.next = try JSONPath("$.next")
            $0.total = try JSONPath("$.count")
            $0.cursor = .member("modified")
        }
        #expect(records(page) == [first, second])
        #expect(page.items.map(\.id) == [.integer(1), .integer(2)])
        #expect(page.next == "http://api/tasks/?page=2")
        #expect(page.total == 312)
        #expect(page.items.map { $0.cursor.map(page.text) } == [nil, "2026-01-02T03:04:05.678901Z"])
        #expect(page.bytes == Array(body.utf8))
    }

    @Test("a Google Tasks page: quoted etags are decoded, deleted marks are seen, the token follows the items")
    func googleTasks() throws {
        let body = #"""
            {"kind": "tasks#tasks", "etag": "\"LIST\"", "items": [
              {"id": "MTA", "etag": "\"abc\"", "updated": "2026-01-02T03:04:05.000Z", "deleted": true},
              {"id": "MTB", "etag": "plain", "updated": "2026-01-02T03:04:06.000Z", "deleted": false, "hidden": true},
              {"id": "MTC", "etag": "\"d\u00e9f\"", "deleted": null}
            ], "nextPageToken": "tok"}
            """#
        let page = try page(body) {
            $0.items = .member("items")
            $0.version = .member("etag")
            $0.deleted = .member("deleted")
            $0.deletedEquals = true
            $0.cursor = .member("updated")
            $0.next = .member("nextPageToken")
        }
        #expect(page.items.map(\.id) == ["MTA", "MTB", "MTC"].map { .text(ObjectID($0, .string)) })
        #expect(page.items.map { $0.version.map(page.text) } == [#""abc""#, "plain", #""déf""#])
        #expect(page.items.map(\.isDeleted) == [true, false, false])
        #expect(page.items.map { $0.cursor != nil } == [true, true, false])
        #expect(page.next == "tok")
        // The decoded etags stand behind the body; records and all other ranges are the body's.
        #expect(page.bytes.starts(with: body.utf8))
        #expect(page.bytes.count == body.utf8.count + 5 + 6)
        #expect(page.items[0].record.upperBound <= body.utf8.count)
    }

    @Test("a Rails list: one root is stripped from each item, where it is there")
    func rails() throws {
        let body = #"[{"task":{"id":1,"name":"a"}}, {"id":2,"name":"b"}, { "task" : {"id":3} } ]"#
        let page = try page(body) { $0.itemRoot = "task" }
        #expect(records(page) == [#"{"id":1,"name":"a"}"#, #"{"id":2,"name":"b"}"#, #"{"id":3}"#])
        #expect(page.items.map(\.id) == [.integer(1), .integer(2), .integer(3)])
    }

    @Test("a member that is called like the root is no root where the item has an identifier of its own")
    func rootedMember() throws {
        let nested = #"{"id":2,"task":{"id":9}}"#
        #expect(records(try page("[\(nested)]") { $0.itemRoot = "task" }) == [nested])
        let beside = #"{"task":{"id":9},"id":2}"#
        #expect(records(try page("[\(beside)]") { $0.itemRoot = "task" }) == [beside])
        let status = #"{"status":"ok","task":{"id":9}}"#
        #expect(records(try page("[\(status)]") { $0.itemRoot = "task" }) == [#"{"id":9}"#])
        let noObject = try failure(#"[{"task":5}]"#) { $0.itemRoot = "task" }
        #expect(noObject.code == .missingID)
    }

    @Test("a bare array, also an empty one, and white space around everything")
    func bare() throws {
        #expect(try page("[]").items.isEmpty)
        // Where paging is switched off, the framework answers the items alone.
        var selectors = Selectors(id: .member("id"))
        selectors.items = .member("results")
        let bare = try JSONExtractor().page(in: Array(#" [{"id":1}]"#.utf8), selectors)
        #expect(bare.items.map(\.id) == [.integer(1)])
        #expect(try page(" \n[ ]\t").items.isEmpty)
        #expect(records(try page(" [ {\"id\" : 7 } ] ")) == [#"{"id" : 7 }"#])
    }

    @Test("one object: the whole body, at a path, or below a root")
    func single() throws {
        #expect(records(try page(#" {"id":1} "#) { $0.isList = false }) == [#"{"id":1}"#])
        let data = try page(#"{"data":{"id":"a"},"meta":1}"#) {
            $0.isList = false
            $0.items = .member("data")
        }
        #expect(records(data) == [#"{"id":"a"}"#])
        let rooted = try page(#"{"task":{"id":5,"v":2}}"#) {
            $0.isList = false
            $0.itemRoot = "task"
            $0.version = .member("v")
        }
        #expect(records(rooted) == [#"{"id":5,"v":2}"#])
        #expect(rooted.items[0].version.map(rooted.text) == "2")
        #expect(try failure(#"[{"id":1}]"#) { $0.isList = false }.code == .itemsNotFound)
        #expect(try failure("null") { $0.isList = false }.message.contains("null"))
    }

    @Test("the items may stand deep, in one element of an array, or in every one")
    func deepItems() throws {
        let deep = try page(#"{"a":{"x":1,"b":{"c":[{"id":1}],"next":"n"}}}"#) {
            $0.items = try JSONPath("a.b.c")
            $0.next = try JSONPath("a.b.next")
        }
        #expect(records(deep) == [#"{"id":1}"#])
        #expect(deep.next == "n")
        let indexed = try page(#"[{"items":[{"id":1}]},{"total":5,"next":"t"}]"#) {
            $0.items = try JSONPath("$[0].items")
            $0.total = try JSONPath("$[1].total")
            $0.next = try JSONPath("$[1].next")
        }
        #expect(indexed.items.count == 1)
        #expect(indexed.total == 5)
        #expect(indexed.next == "t")
        let edges = try page(#"{"edges":[{"node":{"id":1}},{"node":{"id":2}}]}"#) {
            $0.items = try JSONPath("edges[*].node")
        }
        #expect(records(edges) == [#"{"id":1}"#, #"{"id":2}"#])
        let groups = try page(#"{"groups":[{"items":[{"id":1},{"id":2}]},{"items":[]},{"items":[{"id":3}]}]}"#) {
            $0.items = try JSONPath("groups[*].items")
        }
        #expect(groups.items.count == 3)
        #expect(try page(#"{"edges":[]}"#) { $0.items = try JSONPath("edges[*].node") }.items.isEmpty)
    }

    // MARK: Fields

    @Test("nested fields, indices and wildcards inside an item")
    func fieldPaths() throws {
        let body = #"[{"meta":{"key":"k1","rev":{"n":3}},"tags":["t0","t1"],"errors":[{"c":"e1"},{"c":"e2"}]}]"#
        let page = try page(body) {
            $0.id = try JSONPath("meta.key")
            $0.version = try JSONPath("meta.rev.n")
            $0.cursor = try JSONPath("tags[1]")
            $0.lookup = try JSONPath("$.errors[*].c")
            $0.deleted = try JSONPath("errors[9]")
        }
        let item = try #require(page.items.first)
        #expect(item.id == .text(ObjectID("k1", .string)))
        #expect(item.version.map(page.text) == "3")
        #expect(item.cursor.map(page.text) == "t1")
        #expect(item.lookup.map(page.text) == "e1")
        #expect(!item.isDeleted)
    }

    @Test(
        "an identifier keeps its text and its wire type",
        arguments: [
            ("1", .integer(1)), ("0", .integer(0)), ("-5", .integer(-5)), ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)), ("-0", .text(ObjectID("-0", .number))),
            ("9223372036854775808", .text(ObjectID("9223372036854775808", .number))),
            ("-9223372036854775809", .text(ObjectID("-9223372036854775809", .number))),
            ("1.0", .text(ObjectID("1.0", .number))), ("1e2", .text(ObjectID("1e2", .number))),
            (#""1""#, .text(ObjectID("1", .string))), (#""a\u00e9\/b""#, .text(ObjectID("aé/b", .string)))
        ] as [(String, PageItemID)])
    func identifiers(json: String, expected: PageItemID) throws {
        #expect(try page(#"[{"id":\#(json)}]"#).items.map(\.id) == [expected])
    }

    @Test("a prefix stands in front of each identifier, whose own segment is percent-encoded")
    func prefix() throws {
        for prefix in ["L%201/", "L%201"] {
            let page = try page(#"[{"id":1},{"id":"a/b c"}]"#) { $0.idPrefix = prefix }
            let expected = [ObjectID("L%201/1", .number), ObjectID("L%201/a%2Fb%20c", .string)]
            #expect(page.items.map(\.id) == expected.map { .text($0) })
        }
    }

    @Test("the first of duplicate members counts, also against one of another kind")
    func duplicates() throws {
        let body =
            #"{"items":[{"id":1,"v":{"n":"x"},"id":2,"v":{"n":"y"}},{"v":5,"\u0069d":3,"id":4,"v":{"n":"z"}}],"items":7}"#
        let page = try page(body) {
            $0.items = .member("items")
            $0.version = try JSONPath("v.n")
        }
        #expect(page.items.map(\.id) == [.integer(1), .integer(3)])
        #expect(page.items.map { $0.version.map(page.text) } == ["x", nil])
    }

    @Test("null and absence mean no version; other kinds give their JSON text")
    func versions() throws {
        let page = try page(#"[{"id":1,"v":null},{"id":2},{"id":3,"v":1.50},{"id":4,"v":""},{"id":5,"v":true}]"#) {
            $0.version = .member("v")
        }
        #expect(page.items.map { $0.version.map(page.text) } == [nil, nil, "1.50", "", "true"])
    }

    @Test("a deletion mark is any value but null and false, or the one declared")
    func deleted() throws {
        let body =
            #"[{"id":1,"d":true},{"id":2,"d":false},{"id":3,"d":null},{"id":4},{"id":5,"d":"2026"},{"id":6,"d":0}]"#
        let any = try page(body) { $0.deleted = .member("d") }
        #expect(any.items.map(\.isDeleted) == [true, false, false, false, true, true])
        let one = try page(body) {
            $0.deleted = .member("d")
            $0.deletedEquals = .number(JSONNumber("0.0")!)
        }
        #expect(one.items.map(\.isDeleted) == [false, false, false, false, false, true])
        let trash = try page(#"[{"id":1,"s":"tr\u0061sh"},{"id":2,"s":"open"}]"#) {
            $0.deleted = .member("s")
            $0.deletedEquals = "trash"
        }
        #expect(trash.items.map(\.isDeleted) == [true, false])
    }

    @Test(
        "the next page is the text of a string or a number, and absent where the server says so",
        arguments: [
            (#""a\u0026b""#, "a&b"), ("5", "5"), ("null", nil), ("false", nil), (#""""#, nil)
        ] as [(String, String?)])
    func next(json: String, expected: String?) throws {
        let selector: (inout Selectors) throws -> Void = {
            $0.items = .member("items")
            $0.next = .member("next")
            $0.pageCursor = .member("next")
        }
        for body in [#"{"next":\#(json),"items":[]}"#, #"{"items":[],"next":\#(json)}"#] {
            let page = try page(body, selector)
            #expect(page.next == expected)
            #expect(page.cursor == expected)
        }
        #expect(try page(#"{"items":[]}"#, selector).next == nil)
        let error = try failure(#"{"items":[],"next":{"link":"x"}}"#, selector)
        #expect(error.code == .unexpectedType)
        #expect(error.message.contains("an object stands there, at byte 19"))
    }

    @Test(
        "the total is a whole number, also as text; anything else is none",
        arguments: [
            ("10", 10), (#""10""#, 10), ("1e1", 10), ("-1", nil), ("null", nil), ("1.5", nil), (#""many""#, nil)
        ] as [(String, Int64?)])
    func total(json: String, expected: Int64?) throws {
        let page = try page(#"{"total":\#(json),"items":[]}"#) {
            $0.items = .member("items")
            $0.total = .member("total")
        }
        #expect(page.total == expected)
    }

    @Test("additions are appended to the items that lack them, and to no other")
    func additions() throws {
        let body = #"[{"id":1}, {"list":null,"id":2}, {"\u006cist":9,"id":3 }, {"id":4,"etag":"\"q\""  }]"#
        let page = try page(body) {
            $0.version = .member("etag")
            $0.additions = [.init(name: "list", value: "L\"1"), .init(name: "n", value: 5)]
        }
        #expect(
            records(page) == [
                #"{"id":1,"list":"L\"1","n":5}"#, #"{"list":null,"id":2,"n":5}"#, #"{"\u006cist":9,"id":3 ,"n":5}"#,
                #"{"id":4,"etag":"\"q\""  ,"list":"L\"1","n":5}"#
            ])
        #expect(page.items[3].version.map(page.text) == #""q""#)
        #expect(page.bytes.starts(with: body.utf8))
        for item in page.items { #expect(try ObjectRecord(bytes: Array(page.bytes[item.record])).members.count >= 3) }
        let none = try self.page(#"[{"id":1,"list":2,"n":3}]"#) { $0.additions = [.init(name: "list", value: 1)] }
        #expect(none.bytes.count == 25)
        let elsewhere = try self.page(#"[{"id":1,"a":{"list":2}},{"id":2,"a":{}},{"id":3,"a":null}]"#) {
            $0.additions = [.init(name: "list", value: 1, others: [JSONPath([.member("a"), .member("list")])])]
        }
        #expect(
            records(elsewhere) == [
                #"{"id":1,"a":{"list":2}}"#, #"{"id":2,"a":{},"list":1}"#, #"{"id":3,"a":null,"list":1}"#
            ])
    }

    // MARK: Errors

    @Test(
        "items that are not where they should be are named with what stands there",
        arguments: [
            (#"{"results":{"id":1}}"#, "results", "an object stands there"),
            (#"{"results":"x"}"#, "results", "a string"),
            (#"{"other":[]}"#, "results", "the body is an object without it"),
            (#"{"a":{"b":1}}"#, "a.b.c", "$.a.b is a number"), (#"{"a":null}"#, "a.b", "$.a is null"),
            (#"{"a":1}"#, "$[0]", "the body is an object"), (#"{"error":"no"}"#, nil, "an object stands there"),
            ("5", nil, "at byte 0 a number")
        ] as [(String, String?, String)])
    func itemsNotFound(body: String, path: String?, part: String) throws {
        let error = try failure(body) { $0.items = try path.map { try JSONPath($0) } }
        #expect(error.code == .itemsNotFound)
        #expect(error.message.contains(part), "\(error.message)")
        #expect(error.message.contains("`items`"))
        if let path { #expect(error.message.contains(try JSONPath(path).description)) }
    }

    @Test("one byte order mark in front of the body is passed over, and no other")
    func byteOrderMark() throws {
        let mark = "\u{FEFF}"
        let page = try page(mark + #"[{"id":1,"title":"a"},{"id":2}]"#)
        #expect(records(page) == [#"{"id":1,"title":"a"}"#, #"{"id":2}"#])
        #expect(try JSONExtractor().value(in: Array((mark + "{}").utf8)) == [:])
        for body in [mark + mark + "[]", "[" + mark + "]", mark, " " + mark + "[]"] {
            #expect(throws: ExtractionError.self) { try self.page(body) }
        }
    }

    @Test(
        "null in the place of the items is a list of none where a list may lack them, else an error that says so",
        arguments: [
            (#"{"results":null,"n":1}"#, "results"), (" null ", nil), (" null ", "$"), (#"{"a":{"b":null}}"#, "a.b")
        ] as [(String, String?)])
    func nullForItems(body: String, path: String?) throws {
        let error = try failure(body) { $0.items = try path.map { try JSONPath($0) } }
        #expect(error.code == .itemsNotFound)
        #expect(error.message.contains("but null stands there"), "\(error.message)")
        #expect(error.message.contains("optional: true"))
        let page = try page(body) {
            $0.items = try path.map { try JSONPath($0) }
            $0.areItemsOptional = true
        }
        #expect(page.items.isEmpty && page.skipped == 0)
        for broken in ["nul", "nullx", "nothing"] {
            let body = body.replacing("null", with: broken)
            #expect(throws: ExtractionError.self) {
                try self.page(body) {
                    $0.items = try path.map { try JSONPath($0) }
                    $0.areItemsOptional = true
                }
            }
        }
    }

    @Test(
        "an item without a usable identifier is named by number and place",
        arguments: [
            (#"[{"id":null}]"#, "item 1, at byte 7, has null"),
            (#"[{"id":""}]"#, "an empty string"), (#"[{"id":true}]"#, "a boolean"), (#"[{"id":{"a":1}}]"#, "an object"),
            (#"[{"id":[1]}]"#, "an array"), ("[null]", "item 1, at byte 1, is null"), ("[[]]", "is an array"),
            ("[{}]", "nothing at $.id")
        ])
    func missingID(body: String, part: String) throws {
        let error = try failure(body)
        #expect(error.code == .missingID)
        #expect(error.message.contains(part), "\(error.message)")
    }

    @Test(
        "an item without a usable identifier is left out and told of; the others are there",
        arguments: [
            (#"[{"id":1},{"name":"x"},{"id":2}]"#, "item 2, at byte 10, has nothing at $.id"),
            (#"[{"id":1}, 5, {"id":2}]"#, "item 2, at byte 11, is a number, not an object")
        ])
    func leftOut(body: String, part: String) throws {
        let page = try page(body)
        #expect(page.items.map(\.id) == [.integer(1), .integer(2)])
        #expect(page.skipped == 1 && page.skippedReason?.contains(part) == true)
    }

    @Test(
        "a body that is no JSON says what it looks like",
        arguments: [
            ("", "empty"), (" \n ", "empty"), ("<!DOCTYPE html><p>", "HTML"), ("  <?xml version=\"1.0\"?>", "XML"),
            ("[{\"id\":1}", "at byte 9"), ("[{\"id\":1}] x", "at byte 11"), ("OK", "at byte 0")
        ])
    func malformed(body: String, part: String) throws {
        let error = try failure(body)
        #expect(error.code == .malformed)
        #expect(error.message.contains(part), "\(error.message)")
        let second = try #require(throws: ExtractionError.self) {
            try extractor.value(in: Array(body.utf8), limits: .default)
        }
        #expect(second.message == error.message)
    }

    @Test("limits of depth and size are told from broken bodies")
    func limits() throws {
        let deep = try failure(#"[{"id":1,"a":[[[]]]}]"#) { $0.limits = JSONLimits(depth: 4) }
        #expect(deep.code == .tooLarge)
        #expect(deep.message.contains("limit of 4"))
        #expect(throws: Never.self) { try page(#"[{"id":1,"a":[[[]]]}]"#) { $0.limits = JSONLimits(depth: 5) } }
        let long = try failure(#"[{"id":1}]"#) { $0.limits = JSONLimits(bytes: 5) }
        #expect(long.code == .tooLarge)
        for path in ["a", "a.b"] {
            let error = try failure(#"{"a":{"b":[{"id":1}]}}"#) {
                $0.items = try JSONPath(path + (path == "a" ? ".b" : ""))
                $0.limits = JSONLimits(depth: 3)
            }
            #expect(error.code == .tooLarge)
        }
    }

    @Test("a page that is cut anywhere is refused as malformed")
    func truncated() throws {
        let whole = Array(
            #"{"count":2,"items":[{"task":{"id":1,"t":"\"é😀","n":-1.5e3,"l":[true,null,{}]}},{"id":"b","v":""}],"next":"x"} "#
                .utf8)
        var selectors = Selectors(id: .member("id"))
        selectors.items = .member("items")
        selectors.itemRoot = "task"
        selectors.next = .member("next")
        selectors.additions = [.init(name: "list", value: 1)]
        #expect(try extractor.page(in: whole, selectors).items.count == 2)
        for length in 0..<(whole.count - 1) {
            let error = try #require(throws: ExtractionError.self) {
                try extractor.page(in: Array(whole[..<length]), selectors)
            }
            #expect(error.code == .malformed, "cut at \(length): \(error.message)")
        }
    }

    @Test("no value of the body is quoted in an error")
    func noQuotes() throws {
        for body in [#"[{"secret":"s3cr3t"}]"#, #"{"secret":"s3cr3t"}"#, #"[{"secret":"s3cr3t"#, #"{"secret":s3cr3t}"#]
        {
            #expect(!(try failure(body).message.contains("s3cr3t")))
            #expect(!(try failure(body) { $0.items = try JSONPath("a.b") }.message.contains("s3cr3t")))
        }
    }

    @Test("an object of more values than the limit is left out of a list, and refused alone")
    func values() throws {
        func body(_ count: Int) -> [UInt8] {
            let many = Array(repeating: "[]", count: count).joined(separator: ",")
            return Array("[{\"id\":1,\"a\":[\(many)]},{\"id\":2,\"b\":\",,,,,[[[[[\\\",,,,,\"}]".utf8)
        }
        var selectors = Selectors(id: .member("id"))
        selectors.limits = JSONLimits(values: 8)
        let all = try JSONExtractor().page(in: body(2), selectors)
        #expect(all.items.map(\.id) == [.integer(1), .integer(2)] && all.skipped == 0)
        let page = try JSONExtractor().page(in: body(9), selectors)
        #expect(page.items.map(\.id) == [.integer(2)] && page.skipped == 1)
        #expect(page.skippedReason?.contains("more than 8 values; if it is right, raise limits.values") == true)
        selectors.isList = false
        let one = Array(body(9).dropFirst().prefix { $0 != UInt8(ascii: "}") }) + [UInt8(ascii: "}")]
        #expect(throws: ExtractionError.self) { _ = try JSONExtractor().page(in: one, selectors) }
        #expect(throws: JSONError.self) { _ = try Value(json: one, limits: JSONLimits(values: 8)) }
        #expect(try Value(json: one, limits: JSONLimits(values: 100)).members?["a"]?.array?.count == 9)
    }

    @Test(
        "each item of a page, and each place that a path names, counts against the limit of values",
        arguments: ["$", "$[*]", "$.list[*]"])
    func itemsCount(path: String) throws {
        func page(_ count: Int) throws -> Page {
            let list = "[" + (0..<count).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
            var selectors = Selectors(id: .member("id"))
            selectors.items = try JSONPath(path)
            selectors.limits = JSONLimits(values: 8)
            let body = path.contains("list") ? "{\"list\":\(list)}" : list
            return try JSONExtractor().page(in: Array(body.utf8), selectors)
        }
        #expect(try page(8).items.count == 8)
        let error = #expect(throws: ExtractionError.self) { _ = try page(9) }
        #expect(error?.code == .tooLarge && error?.message.contains("more than 8 values") == true)
    }

    @Test(
        "what stands beside the items counts against the limit of values",
        arguments: ["next", "more", "total", "cursor"])
    func valuesBeside(place: String) throws {
        let many = Array(repeating: "[]", count: 9).joined(separator: ",")
        let body = Array("{\"items\":[{\"id\":1}],\"x\":[\(many)]}".utf8)
        var selectors = Selectors(id: .member("id"))
        selectors.items = .member("items")
        selectors.limits = JSONLimits(values: 8)
        #expect(try JSONExtractor().page(in: body, selectors).items.count == 1)
        switch place {
        case "next": selectors.next = .member("x")
        case "more": selectors.more = .member("x")
        case "total": selectors.total = .member("x")
        default: selectors.pageCursor = .member("x")
        }
        let error = #expect(throws: ExtractionError.self) { _ = try JSONExtractor().page(in: body, selectors) }
        #expect(error?.code == .tooLarge && error?.message.contains("more than 8 values") == true)
    }

    @Test("of items that are left out the first is told, and messages name twelve members at most")
    func manySkipped() throws {
        let wide = (0..<20).map { "\"m\($0)\":0" }.joined(separator: ",")
        let body = Array("[{\"id\":1},{\(wide)},{\"id\":[]},7]".utf8)
        let page = try JSONExtractor().page(in: body, Selectors(id: .member("id")))
        #expect(page.items.map(\.id) == [.integer(1)] && page.skipped == 3)
        let reason = page.skippedReason ?? ""
        #expect(reason.hasPrefix("item 2, ") && reason.contains("m11") && !reason.contains("m12"), "\(reason)")
    }

    @Test("a hint of more is looked for among as many members as the limit says")
    func hint() {
        let body = Array("{\"a\":{\"b\":1},\"c\":2,\"total\":3}".utf8)
        #expect(MoreHint.around(body, most: 4)?.names == ["a", "c", "total"])
        #expect(MoreHint.around(body, most: 3)?.names == ["a", "c"])
    }
}
