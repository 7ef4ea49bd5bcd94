import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Three-way merge")
struct MergeTests {
    private func merge(
        _ base: Value.Members, _ mine: Value.Members, _ theirs: Value.Members, fields: FieldRules = FieldRules(),
        conflict: ConflictRules = ConflictRules(), readonly: MemberNames = []
    ) -> ThreeWayMerge.Result {
        ThreeWayMerge(fields: fields, conflict: conflict, readonly: readonly)
            .merge(base: base, mine: mine, theirs: theirs)
    }

    @Test("members changed on one side only are combined")
    func disjoint() {
        let result = merge(
            ["title": "a", "done": false, "note": "n"], ["title": "b", "done": false, "note": "n"],
            ["title": "a", "done": true, "note": "n"])
        #expect(result == .init(record: ["title": "b", "done": true, "note": "n"], clashes: []))
    }

    @Test("two members whose names are canonically equivalent are two")
    func equivalentNames() {
        let result = merge([:], ["caf\u{E9}": 1], ["cafe\u{301}": 2])
        #expect(result.record.count == 2 && result.record["caf\u{E9}"] == 1 && result.record["cafe\u{301}"] == 2)
    }

    @Test("what is said of a member is not said of one whose name is canonically equivalent")
    func equivalentNamesOfRules() {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        let kept = merge([decomposed: "a"], [decomposed: "b"], [decomposed: "a"], readonly: [composed])
        #expect(kept.record[decomposed] == "b")
        let both: MemberNames = [composed, decomposed]
        #expect(both.sorted().count == 2 && both.subtracting([composed]) == [decomposed])
        for name in [composed, decomposed] {
            #expect(both.contains(name) && MemberNames([name]).union([composed, decomposed]) == both)
            let theirs = merge([name: "a"], [name: "b"], [name: "c"], readonly: both)
            #expect(theirs.record[name] == "c" && theirs.clashes.isEmpty)
        }
        var rules = ConflictRules()
        rules.fields = [composed: .theirs]
        let clash = merge([decomposed: "a"], [decomposed: "b"], [decomposed: "c"], conflict: rules)
        #expect(clash.clashes.count == 1 && clash.record[decomposed] == "b")
        let decided = merge([composed: "a"], [composed: "b"], [composed: "c"], conflict: rules)
        #expect(decided.clashes.isEmpty && decided.record[composed] == "c")
    }

    @Test("the same change on both sides is no clash")
    func equalChange() {
        let result = merge(["title": "a"], ["title": "b"], ["title": "b"])
        #expect(result.clashes.isEmpty && result.record == ["title": "b"])
    }

    @Test("a member that both sides changed is a clash, and mine stays in the record")
    func clash() {
        let result = merge(["title": "a"], ["title": "b"], ["title": "c"])
        #expect(result == .init(record: ["title": "b"], clashes: ["title"]))
    }

    @Test(
        "a policy decides a clash",
        arguments: [
            (ConflictRules.Policy.mine, "b"), (.theirs, "c")
        ])
    func policies(policy: ConflictRules.Policy, winner: String) {
        var rules = ConflictRules()
        rules.clash = policy
        let result = merge(["title": "a"], ["title": "b"], ["title": "c"], conflict: rules)
        #expect(result == .init(record: ["title": .string(winner)], clashes: []))
    }

    @Test(
        "a policy for all members leaves alone what one side changed",
        arguments: [
            (ConflictRules.Policy.mine, "mine", false), (.theirs, "theirs", false), (.newest, "mine", true),
            (.ask, "mine", true)
        ])
    func defaults(policy: ConflictRules.Policy, winner: String, clashes: Bool) {
        var rules = ConflictRules()
        rules.policy = policy
        let result = merge(
            ["title": "a", "done": false, "note": "n"], ["title": "mine", "done": true, "note": "n"],
            ["title": "theirs", "done": false, "note": "m"], conflict: rules)
        #expect(result.record == ["title": .string(winner), "done": true, "note": "m"])
        #expect(result.clashes == (clashes ? ["title"] : []))
    }

    @Test("a field's own policy goes before the resource's")
    func fieldPolicy() {
        var rules = ConflictRules()
        rules.clash = .mine
        rules.fields = ["status": .theirs]
        let result = merge(
            ["title": "a", "status": "1"], ["title": "b", "status": "2"], ["title": "c", "status": "3"],
            conflict: rules)
        #expect(result.record == ["title": "b", "status": "3"])
    }

    @Test(
        "newest compares the declared time as instants",
        arguments: [("2026-01-01T11:00:00+02:00", "c"), ("2026-01-01T13:00:00+02:00", "b")])
    func newest(mineTime: String, winner: String) {
        var rules = ConflictRules()
        rules.clash = .newest
        rules.time = "at"
        let result = merge(
            ["title": "a", "at": "2026-01-01T00:00:00Z"], ["title": "b", "at": .string(mineTime)],
            ["title": "c", "at": "2026-01-01T10:00:00Z"], conflict: rules)
        #expect(result.record["title"] == .string(winner))
    }

    @Test(
        "newest asks a person where the edit has not set the time, or the two times cannot be compared",
        arguments: [
            ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "2026-01-01T10:00:00Z"),
            ("2026-01-01T00:00:00Z", "2026-01-01T02:00:00+02:00", "2026-01-01T10:00:00Z"),
            ("2026-01-01T00:00:00Z", nil, "2026-01-01T10:00:00Z"), (nil, nil, "2026-01-01T10:00:00Z"),
            (nil, "2026-01-01T11:00:00Z", nil)
        ] as [(Value?, Value?, Value?)])
    func newestUnknown(base: Value?, mine: Value?, theirs: Value?) {
        var rules = ConflictRules()
        rules.clash = .newest
        rules.time = "at"
        func record(_ title: Value, _ at: Value?) -> Value.Members {
            var members: Value.Members = ["title": title]
            members["at"] = at
            return members
        }
        let result = merge(record("a", base), record("b", mine), record("c", theirs), conflict: rules)
        #expect(result.record["title"] == "b" && result.clashes.contains("title"))
    }

    @Test(
        "newest compares numbers that are declared as times, however they are written",
        arguments: [
            ("999", "c"), ("1760000002", "b"), (1_760_000_002, "b"), ("2025-10-09T08:53:22Z", "b")
        ] as [(Value, String)])
    func newestOfNumbers(mineTime: Value, winner: String) {
        var rules = ConflictRules()
        rules.clash = .newest
        rules.time = "at"
        var fields = FieldRules()
        fields.types = ["at": .seconds]
        let result = merge(
            ["title": "a", "at": 1], ["title": "b", "at": mineTime], ["title": "c", "at": 1_760_000_001],
            fields: fields, conflict: rules)
        #expect(result.record["title"] == .string(winner))
    }

    @Test("a member removed here and unchanged there stays removed; added there stays added")
    func removal() {
        let result = merge(["a": 1, "b": 2], ["a": 1], ["a": 1, "b": 2, "c": 3])
        #expect(result.record == ["a": 1, "c": 3])
    }

    @Test("readonly members are always theirs")
    func readonly() {
        let result = merge(["etag": "1"], ["etag": "2"], ["etag": "3"], readonly: ["etag"])
        #expect(result == .init(record: ["etag": "3"], clashes: []))
    }

    @Test("members declared together win or lose as one")
    func together() {
        var fields = FieldRules()
        fields.together = [["latitude", "latitude_ref"]]
        let result = merge(
            ["latitude": "1", "latitude_ref": "N"], ["latitude": "2", "latitude_ref": "N"],
            ["latitude": "1", "latitude_ref": "S"], fields: fields)
        #expect(result.clashes == ["latitude", "latitude_ref"])
    }

    @Test("a declared decimal is equal in any spelling, so it is no change")
    func decimals() {
        var fields = FieldRules()
        fields.types = ["price": .decimal]
        let result = merge(["price": "1.50"], ["price": "1.5"], ["price": "2.00"], fields: fields)
        #expect(result == .init(record: ["price": "2.00"], clashes: []))
    }

    @Test("a value that was only written otherwise stays, and gives way to whatever they wrote")
    func spelling() {
        var fields = FieldRules()
        fields.types = ["price": .decimal]
        func price(_ mine: Value, _ theirs: Value) -> Value? {
            let result = merge(["price": "1.50"], ["price": mine], ["price": theirs], fields: fields)
            #expect(result.clashes.isEmpty)
            return result.record["price"]
        }
        #expect(price("1.5", "1.50") == "1.5")
        #expect(price("1.5", "1.500") == "1.500")
        #expect(price("1.5", "2.00") == "2.00")
        #expect(price("1.6", "1.500") == "1.6")
        let rules = ThreeWayMerge(fields: fields, conflict: ConflictRules(), readonly: [])
        #expect(rules.same(["price": "1.50"], ["price": "1.5"]))
        #expect(!rules.isUnedited(["price": "1.50"], ["price": "1.5"]))
        #expect(rules.isUnedited(["price": "1.50", "a": [1]], ["a": [1], "price": "1.50"]))
    }

    @Test("values declared to mean absence are no change")
    func absence() {
        var fields = FieldRules()
        fields.absentEquals = [.null, ""]
        let result = merge(["a": nil], ["a": ""], ["b": "x"], fields: fields)
        #expect(result == .init(record: ["b": "x"], clashes: []))
    }

    @Test("sets keep both sides' additions and removals")
    func sets() {
        var fields = FieldRules()
        fields.merge = ["tags": .set]
        let result = merge(
            ["tags": ["a", "b", "c"]], ["tags": ["a", "c", "mine"]], ["tags": ["b", "c", "theirs"]], fields: fields)
        #expect(result == .init(record: ["tags": ["c", "theirs", "mine"]], clashes: []))
    }

    @Test("sets of any length are merged in a time that grows with them")
    func longSets() {
        var fields = FieldRules()
        fields.merge = ["tags": .set]
        func list(_ numbers: Range<Int>, _ more: Value...) -> Value.Members {
            [
                "tags": .array(
                    numbers.map { .object(["id": .number(JSONNumber($0)), "name": .string("tag \($0)")]) } + more)
            ]
        }
        let start = ContinuousClock.now
        let result = merge(list(0..<20_000), list(1..<20_000, "mine"), list(0..<20_000, "theirs"), fields: fields)
        #expect(result == .init(record: list(1..<20_000, "theirs", "mine"), clashes: []))
        // Element by element it would be 1,200,000,000 comparisons.
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test("deep merges nested members one by one, and a nested clash is a clash")
    func deep() {
        var fields = FieldRules()
        fields.merge = ["meta": .deep]
        let joined = merge(
            ["meta": ["x": 1, "y": 1]], ["meta": ["x": 2, "y": 1]], ["meta": ["x": 1, "y": 2]], fields: fields)
        #expect(joined == .init(record: ["meta": ["x": 2, "y": 2]], clashes: []))
        let clash = merge(["meta": ["x": 1]], ["meta": ["x": 2]], ["meta": ["x": 3]], fields: fields)
        #expect(clash.clashes == ["meta"])
    }

    @Test("deep merges objects at every level, and what is no object on both sides is one piece there")
    func deepInside() {
        var fields = FieldRules()
        fields.merge = ["meta": .deep]
        func joined(_ base: Value, _ mine: Value, _ theirs: Value) -> ThreeWayMerge.Result {
            merge(["meta": base], ["meta": mine], ["meta": theirs], fields: fields)
        }
        #expect(
            joined(["x": 1, "y": ["z": 2]], ["x": 1, "y": ["z": 2, "w": 1]], ["x": 1, "y": ["z": 7]])
                == .init(record: ["meta": ["x": 1, "y": ["z": 7, "w": 1]]], clashes: []))
        // Both sides have added the object; one removes a member of it, and the other changes another.
        #expect(
            joined([:], ["a": ["b": ["c": 1]]], ["a": ["b": ["d": 2]]])
                == .init(record: ["meta": ["a": ["b": ["d": 2, "c": 1]]]], clashes: []))
        #expect(
            joined(["a": ["b": ["c": 1, "d": 1]]], ["a": ["b": ["d": 1]]], ["a": ["b": ["c": 1, "d": 2]]])
                == .init(record: ["meta": ["a": ["b": ["d": 2]]]], clashes: []))
        let clashes: [(Value, Value, Value)] = [
            (["a": ["b": 1]], ["a": ["b": 2]], ["a": ["b": 3]]), (["a": ["b": 1]], [:], ["a": ["b": 3]]),
            (["a": [1]], ["a": [1, 2]], ["a": [0, 1]]), (["a": ["b": 1]], ["a": 5], ["a": ["b": 3]])
        ]
        for (base, mine, theirs) in clashes {
            #expect(joined(base, mine, theirs).clashes == ["meta"], "\(base) \(mine) \(theirs)")
        }
    }

    @Test("who wins a member that is merged deep wins what both sides changed inside of it, and nothing else")
    func deepPolicies() {
        var fields = FieldRules()
        fields.merge = ["meta": .deep]
        fields.types = ["at": .seconds]
        let base: Value.Members = ["at": 1, "meta": ["a": 1, "b": ["c": 1, "d": 1]]]
        let mine: Value.Members = ["at": 5, "meta": ["a": 1, "b": ["c": 5, "d": 1, "e": 1]]]
        let theirs: Value.Members = ["at": 3, "meta": ["a": 2, "b": ["c": 6, "d": 1]]]
        for (policy, winner) in [("mine", 5), ("theirs", 6), ("newest", 5)] {
            for isOfField in [true, false] {
                var rules = ConflictRules()
                rules.time = "at"
                rules.fields["at"] = .theirs
                // A member inside is none of the object.
                rules.fields["c"] = policy == "mine" ? .theirs : .mine
                let word = ConflictRules.Policy(rawValue: policy) ?? .ask
                if isOfField { rules.fields["meta"] = word } else { rules.policy = word }
                let result = merge(base, mine, theirs, fields: fields, conflict: rules)
                let count = Value.number(JSONNumber(winner))
                let joined: Value.Members = ["at": 3, "meta": ["a": 2, "b": ["c": count, "d": 1, "e": 1]]]
                #expect(result == .init(record: joined, clashes: []), "\(policy) \(isOfField)")
            }
        }
        let asked = merge(base, mine, theirs, fields: fields)
        let meta: Value = ["a": 2, "b": ["c": 5, "d": 1, "e": 1]]
        #expect(asked.clashes == ["at", "meta"] && asked.record["meta"] == meta)
    }

    @Test("what is too many levels down is one piece")
    func deepest() {
        var fields = FieldRules()
        fields.merge = ["meta": .deep]
        let most = ThreeWayMerge.deepLevels
        for (levels, merges) in [(most, true), (most + 1, false), (500, false)] {
            func nested(_ innermost: Value) -> Value.Members {
                ["meta": (0..<levels).reduce(innermost) { value, _ in ["a": value] }]
            }
            let result = merge(nested(["x": 1]), nested(["x": 1, "y": 2]), nested(["x": 3]), fields: fields)
            #expect(result.clashes == (merges ? [] : ["meta"]), "\(levels)")
            if merges { #expect(result.record == nested(["x": 3, "y": 2])) }
        }
    }

    @Test(
        "texts merge by line where the changes do not touch",
        arguments: [
            ("a\nb\nc\nd", "A\nb\nc\nd", "a\nb\nc\nD", "A\nb\nc\nD"),
            ("a\nb\nc", "a\nb\nc\nmine", "theirs\na\nb\nc", "theirs\na\nb\nc\nmine"),
            ("a\nb\nc\nd\ne", "a\nc\nd\ne", "a\nb\nc\nd", "a\nc\nd"),
            ("a\nb", "a\nB", "a\nB", "a\nB"),
            ("a\nb\nc", "a\nmine\nc", "a\ntheirs\nc", nil),
            ("", "mine", "theirs", nil)
        ] as [(String, String, String, String?)])
    func lines(base: String, mine: String, theirs: String, merged: String?) {
        #expect(LineMerge.merge(base: base, mine: mine, theirs: theirs) == merged)
        #expect(LineMerge.merge(base: base, mine: theirs, theirs: mine) == merged)
    }
}
