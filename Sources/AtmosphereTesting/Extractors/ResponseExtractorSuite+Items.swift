import Atmosphere

extension ResponseExtractorSuite {
    /// Which items there are, and what their records hold.
    var itemChecks: [ConformanceCheck?] {
        [
            check("items are found at the declared path, in order") { suite in
                let page = try suite.page(Self.list, Self.selectors())
                try Expect.equal(page.items.map(\.id.objectID.text), ["7", "8", "9"], "identifiers")
            },
            check("a record says what the body said, character by character") { suite in
                let values = try suite.page(Self.list, Self.selectors()).values()
                try Expect.equal(.array(values), Self.list.members?["rows"], "records")
            },
            check("a body that is the list needs no path, and one that has a path is taken as it is") { suite in
                let bare: Value = [["id": 7, "title": "a"], ["id": 8, "title": "b"]]
                for items in [nil, JSONPath.member("rows")] {
                    let page = try suite.extractor.page(
                        in: suite.bytes(of: bare), Self.selectors { $0.items = items })
                    try Expect.equal(page.items.map(\.id.objectID.text), ["7", "8"], "identifiers")
                }
            },
            envelopeCheck("one object is read at its path, and as the whole body") { suite in
                let object: Value = ["id": 7, "title": "a"]
                let inside = try suite.page(
                    ["row": object],
                    Self.selectors {
                        $0.isList = false
                        $0.items = .member("row")
                    })
                try Expect.equal(try inside.values(), [object], "the object at its path")
                let whole = try suite.page(
                    object,
                    Self.selectors {
                        $0.isList = false
                        $0.items = nil
                    })
                try Expect.equal(try whole.values(), [object], "the object that is the body")
            },
            check("an identifier keeps its kind: a number is not a text") { suite in
                let body: Value = ["rows": [["id": 7, "title": "a"], ["id": 8, "title": "b"]]]
                let numbers = try suite.page(body, Self.selectors())
                try Expect.equal(
                    numbers.items.map(\.id.objectID), [ObjectID("7", .number), ObjectID("8", .number)], "numbers")
                let texts = try suite.page(
                    ["rows": [["id": "7", "title": "a"], ["id": "a b/ü", "title": "b"]]],
                    Self.selectors { $0.types = ["id": .string] })
                try Expect.equal(
                    texts.items.map(\.id.objectID), [ObjectID("7", .string), ObjectID("a b/ü", .string)], "texts")
            },
            check("a root member around each item is stripped where it is there") { suite in
                let rooted: Value = ["rows": [["row": ["id": 7, "title": "a"]], ["row": ["id": 8, "title": "b"]]]]
                let page = try suite.page(rooted, Self.selectors { $0.itemRoot = "row" })
                try Expect.equal(
                    try page.values(), [["id": 7, "title": "a"], ["id": 8, "title": "b"]], "records without their root")
                let bare = try suite.page(Self.list, Self.selectors { $0.itemRoot = "row" })
                try Expect.equal(bare.items.count, 3, "items without a root")
            },
            check("members are added to records that lack them, and replace none") { suite in
                let body: Value = ["rows": [["id": 7, "title": "a"], ["id": 8, "list": 3, "title": "b"]]]
                let page = try suite.page(
                    body, Self.selectors { $0.additions = [.init(name: "list", value: 5)] })
                let lists = try page.values().map { $0.members?["list"] }
                try Expect.that(lists == [5, 3], "additions: expected 5 and the body's own 3, got \(lists)")
                let inside: Value = ["rows": [["id": 7, "own": ["title": "a"]], ["id": 8, "own": ["list": 3]]]]
                let place = JSONPath([.member("own"), .member("list")])
                let others = try suite.page(
                    inside, Self.selectors { $0.additions = [.init(name: "list", value: 5, others: [place])] })
                let added = try others.values().map { $0.members?["list"] != nil }
                try Expect.equal(added, [true, false], "whether a member was added that may stand elsewhere")
            },
            check("the parents' segments stand in front of each identifier") { suite in
                let page = try suite.page(Self.list, Self.selectors { $0.idPrefix = "work/" })
                try Expect.equal(page.items.map(\.id.objectID.text), ["work/7", "work/8", "work/9"], "identifiers")
            },
            check("an item without an identifier is left out and counted, and holds up no other") { suite in
                let body: Value = ["rows": [["id": 7, "title": "a"], ["title": "nobody"], ["id": 9, "title": "c"]]]
                let page = try suite.page(body, Self.selectors())
                try Expect.equal(page.items.map(\.id.objectID.text), ["7", "9"], "identifiers")
                try Expect.equal(page.skipped, 1, "items left out")
                try Expect.that(page.skippedReason?.isEmpty == false, "nothing says why the item was left out")
            },
            check("a list of none is a page without items") { suite in
                // A format that writes nothing for it cannot be told from an answer that was lost.
                if suite.shape.isBare, try suite.encode([]).isEmpty { return }
                let page = try suite.page(["rows": [], "meta": ["count": 0]], Self.selectors())
                try Expect.equal(page.items.count, 0, "items")
            }
        ]
    }

    /// What is said of each item.
    var factChecks: [ConformanceCheck?] {
        [
            check("the version of each item is its text") { suite in
                let page = try suite.page(Self.list, Self.selectors { $0.version = .member("etag") })
                _ = try page.values()
                try Expect.equal(
                    page.items.map { $0.version.map { page.text($0) } }, ["\"a1\"", "\"a2\"", "\"a3\""], "versions")
            },
            check("the cursor and the lookup value of each item are its texts, also inside another member") { suite in
                let body: Value = [
                    "rows": [
                        ["id": 7, "times": ["changed": "2024-01-01T08:00:00Z"], "uuid": "u7"],
                        ["id": 8, "times": ["changed": "2024-01-02T08:00:00Z"], "uuid": "u8"]
                    ]
                ]
                let page = try suite.page(
                    body,
                    Self.selectors {
                        $0.cursor = Self.path("times", "changed")
                        $0.lookup = .member("uuid")
                    })
                _ = try page.values()
                try Expect.equal(
                    page.items.map { $0.cursor.map { page.text($0) } },
                    ["2024-01-01T08:00:00Z", "2024-01-02T08:00:00Z"], "cursors")
                try Expect.equal(page.items.map { $0.lookup.map { page.text($0) } }, ["u7", "u8"], "lookup values")
            },
            check("a deleted item is marked, by a true member or by a value") { suite in
                let page = try suite.page(Self.list, Self.selectors { $0.deleted = .member("done") })
                try Expect.equal(page.items.map(\.isDeleted), [true, false, false], "marks by truth")
                let byValue = try suite.page(
                    Self.list,
                    Self.selectors {
                        $0.deleted = .member("title")
                        $0.deletedEquals = ""
                    })
                try Expect.equal(byValue.items.map(\.isDeleted), [false, false, true], "marks by value")
            }
        ]
    }
}
