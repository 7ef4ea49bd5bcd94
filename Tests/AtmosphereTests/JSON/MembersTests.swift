import Testing

@testable import AtmosphereModel

@Suite("Members of an object")
struct MembersTests {
    /// Around the size from which names have an index, and beyond the growth of it.
    private static let sizes = [0, 1, 31, 32, 33, 34, 64, 65, 200, 1000]

    private static func wide(_ count: Int) -> Value.Members {
        Value.Members((0..<count).map { Value.Member(name: "m\($0)", value: Value(integerLiteral: $0)) })
    }

    /// The members are those of a list, under every way to read them.
    private func expect(
        _ members: Value.Members, _ list: [Value.Member], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(Array(members) == list, sourceLocation: sourceLocation)
        #expect(members.names == list.map(\.name), sourceLocation: sourceLocation)
        #expect(list.allSatisfy { members[$0.name] == $0.value }, sourceLocation: sourceLocation)
        #expect(members == Value.Members(list), sourceLocation: sourceLocation)
        #expect(members.hashValue == Value.Members(list).hashValue, sourceLocation: sourceLocation)
    }

    @Test("members that are set one by one keep their order and are found", arguments: Self.sizes)
    func setting(_ count: Int) {
        var members = Value.Members()
        for index in 0..<count { members["m\(index)"] = Value(integerLiteral: index) }
        expect(members, Array(Self.wide(count)))
        #expect(members["m\(count)"] == nil)
        for index in 0..<count { members["m\(index)"] = "new" }
        expect(members, (0..<count).map { Value.Member(name: "m\($0)", value: "new") })
    }

    @Test("a member that is removed leaves the others in their order", arguments: Self.sizes)
    func removing(_ count: Int) {
        for first in [true, false] {
            var members = Self.wide(count)
            var list = Array(members)
            while !list.isEmpty {
                let place = first ? list.count / 3 : list.count - 1
                members[list.remove(at: place).name] = nil
                if list.count < 70 || list.count % 97 == 0 { expect(members, list) }
            }
            members["absent"] = nil
            #expect(members.isEmpty)
        }
    }

    @Test("whatever is set and removed in whatever order, the members are those of a list", arguments: 1...20)
    func mixed(_ seed: Int) {
        var state = UInt64(seed)
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var members = Value.Members()
        var list: [Value.Member] = []
        for turn in 0..<600 {
            let name = "m\(next(60))"
            let value: Value? = next(5) < 3 ? Value(integerLiteral: turn) : Value?.none
            members[name] = value
            let place = list.firstIndex { $0.name == name }
            switch (place, value) {
            case (let place?, let value?): list[place].value = value
            case (let place?, nil): list.remove(at: place)
            case (nil, let value?): list.append(Value.Member(name: name, value: value))
            case (nil, nil): break
            }
            if turn % 10 == 0 { expect(members, list) }
        }
        expect(members, list)
    }

    @Test("of members with one name the first counts", arguments: Self.sizes)
    func duplicates(_ count: Int) {
        let all = Self.wide(count)
        expect(Value.Members(Array(all) + all.map { Value.Member(name: $0.name, value: "later") }), Array(all))
    }

    @Test("names that are canonically equivalent and differ in their bytes are two", arguments: Self.sizes)
    func equivalentNames(_ count: Int) {
        var members = Self.wide(count)
        members["caf\u{E9}"] = 1
        members["cafe\u{301}"] = 2
        #expect(members.count == count + 2 && members["caf\u{E9}"] == 1 && members["cafe\u{301}"] == 2)
        members["caf\u{E9}"] = nil
        #expect(members.count == count + 1 && members["caf\u{E9}"] == nil && members["cafe\u{301}"] == 2)
        members.removeAll(named: ["caf\u{E9}", "m0"])
        #expect(members["cafe\u{301}"] == 2 && members["m0"] == nil)
    }

    @Test("an object that was wide is equal to one that never was, in any order", arguments: Self.sizes)
    func equality(_ count: Int) {
        var members = Self.wide(count + 100)
        for index in count..<(count + 100) { members["m\(index)"] = nil }
        expect(members, Array(Self.wide(count)))
        let reversed = Value.Members(Self.wide(count).reversed())
        #expect(members == reversed && members.hashValue == reversed.hashValue)
        members["m\(count)"] = 1
        #expect(members != reversed)
    }

    @Test("a copy stays as it was", arguments: Self.sizes)
    func copies(_ count: Int) {
        let before = Self.wide(count)
        var copy = before
        copy["m0"] = "new"
        copy["more"] = "new"
        copy.removeAll(named: ["m1", "m2"])
        expect(before, Array(Self.wide(count)))
    }

    @Test("many members are removed at once, taken from another object, or set in their order", arguments: Self.sizes)
    func batches(_ count: Int) {
        let all = Self.wide(count)
        func isEven(_ member: Value.Member) -> Bool { (member.value.number?.int64 ?? 1) % 2 == 0 }
        let even = all.filter { isEven($0) }
        let odd = all.filter { !isEven($0) }
        var members = all
        members.removeAll(named: even.map(\.name) + ["absent"])
        expect(members, odd)
        members = all
        members.removeAll { isEven($0) }
        expect(members, odd)
        members = all
        var others = odd.map { Value.Member(name: $0.name, value: "other") }
        others.append(Value.Member(name: "x", value: 1))
        let other = Value.Members(others)
        members.take(all.names + ["x", "absent"], from: other)
        expect(members, others)
        members = all
        var changes: [(name: String, value: Value?)] = even.map { (name: $0.name, value: Value?.none) }
        changes += [("x", 1), ("y", 2), ("y", nil)]
        members.set(changes)
        expect(members, odd + [Value.Member(name: "x", value: 1)])
        members.set([("x", nil), ("x", 3)])
        #expect(members["x"] == 3)
    }

    @Test("objects and lists inside a value are changed in place, and nothing else is")
    func inPlace() throws {
        var members = Self.wide(40)
        members["inner"] = .object(Self.wide(40))
        members["list"] = [1, 2]
        members["inner"]?.changeMembers { $0["m1"] = "new" }
        members["list"]?.changeElements { $0.append(3) }
        #expect(members["inner"]?.members?["m1"] == "new" && members["inner"]?.members?.count == 40)
        #expect(members["list"] == [1, 2, 3] && members.names.suffix(2) == ["inner", "list"])
        let done: Void? = members["list"]?.changeMembers { $0["x"] = 1 }
        #expect(done == nil && members["list"] == [1, 2, 3])
        let count = members["absent"]?.changeMembers { $0.count }
        #expect(count == nil && members["absent"] == nil)
        struct Stop: Error {}
        do {
            try members["inner"]?.changeMembers { (_: inout Value.Members) throws -> Void in throw Stop() }
            Issue.record("nothing was thrown")
        } catch is Stop {}
        #expect(members["inner"]?.members?.count == 40 && members.count == 42)
    }

    /// Ends within a second; looked up one by one it would take minutes.
    @Test("hundreds of thousands of members are set, joined, compared and removed")
    func manyMembers() throws {
        let count = 200_000
        let all = Self.wide(count)
        var members = Value.Members()
        for member in all { members[member.name] = member.value }
        #expect(members == Value.Members(all.reversed()))
        var filled = Value.Members()
        filled.fill(from: all)
        filled.overlay(Value.Members(all.map { Value.Member(name: $0.name, value: "new") }))
        #expect(filled.count == count && filled["m7"] == "new")
        #expect(filled.leaves(missingIn: all).isEmpty)
        var nested: Value.Members = [:]
        for name in all.names.prefix(50_000) { nested.put(1, at: ["a", "b", name]) }
        #expect(nested.value(at: ["a", "b"])?.members?.count == 50_000)
        let record = ObjectRecord(all)
        var edits = Array(filled.prefix(50_000))
        edits.append(Value.Member(name: "x", value: 1))
        let edited = record.replacing(edits)
        #expect(edited.members["m0"] == "new" && edited.members["m60000"] == 60_000 && edited["x"] == 1)
        #expect(record.completed(over: edited).members.count == count + 1)
        members.removeAll(named: all.names)
        #expect(members.isEmpty)
    }
}
