import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

/// Records of thousands of members. Each test ends within seconds; it would take minutes where a member is looked up by a look
/// at all others.
@Suite("Records of thousands of members")
struct WideRecordTests {
    private let task = ObjectURI(entity: "tasks", id: "1")

    private static func members(_ count: Int, _ value: Value = 0) -> Value.Members {
        Value.Members((0..<count).map { Value.Member(name: "m\($0)", value: value) })
    }

    // MARK: Merging

    @Test("three sides are merged: set, removed and clashing members")
    func merge() {
        let count = 20_000
        let base = Self.members(count)
        // Of five members mine sets one, removes one and clashes in one.
        let mine = Value.Members(
            base.enumerated().compactMap { index, member -> Value.Member? in
                switch index % 5 {
                case 0, 2: Value.Member(name: member.name, value: "mine")
                case 1: nil
                default: member
                }
            })
        let theirs = Value.Members(
            base.enumerated().compactMap { index, member -> Value.Member? in
                switch index % 5 {
                case 2: Value.Member(name: member.name, value: "theirs")
                case 3: nil
                default: member
                }
            })
        let rules = ThreeWayMerge(fields: FieldRules(), conflict: ConflictRules(), readonly: [])
        let result = rules.merge(base: base, mine: mine, theirs: theirs)
        #expect(result.clashes.count == count / 5 && result.clashes.first == "m2")
        #expect(result.record.count == count / 5 * 3)
        #expect(result.record["m0"] == "mine" && result.record["m2"] == "mine" && result.record["m4"] == 0)
        #expect(result.record["m1"] == nil && result.record["m3"] == nil)
        #expect(rules.same(theirs, theirs) && !rules.same(theirs, mine))
        #expect(rules.changes(from: base, to: mine).count == count / 5 * 3)
    }

    // MARK: Mapping

    private static func others(
        _ read: FieldMapping.Others.Place, _ write: FieldMapping.Others.Place? = nil
    ) -> FieldMapping {
        FieldMapping([], others: FieldMapping.Others(read: read, write: write))
    }

    private static let mappings: [FieldMapping] = [
        FieldMapping([.init(name: "state", read: JSONPath([.member("meta"), .member("state")]))]),
        others(.init(before: ["fields"])), others(.init(before: ["fields"], after: ["value"])),
        others(.init(before: ["a", "b"]), .init(before: ["set"], after: ["value"]))
    ]

    @Test("a view is written into a record and read from it, with members set and removed", arguments: Self.mappings)
    func mapping(_ mapping: FieldMapping) throws {
        let count = 20_000
        let view = Self.members(count)
        let record = mapping.record(view, over: nil)
        #expect(mapping.members(of: record) == view)
        var changed = Value.Members(view.enumerated().filter { $0.offset % 2 == 0 }.map(\.element))
        changed["m0"] = "new"
        let edited = mapping.record(changed, over: record)
        #expect(mapping.members(of: edited) == changed)
        let held = mapping.decoded(edited)
        let body = mapping.body(changed.names, of: held)
        let different = changed.names.filter { mapping.value(written: $0, in: body, of: held) != changed[$0] }
        #expect(different.isEmpty)
    }

    @Test("a list of thousands of elements keeps what else its elements say")
    func list() {
        let mapping = FieldMapping([
            .init(
                name: "labels", read: JSONPath([.member("labels"), .all, .member("name")]),
                write: JSONPath([.member("labels"), .all, .member("name")]))
        ])
        let names = (0..<20_000).map { Value.string("l\($0)") }
        let elements = names.map { name -> Value in ["name": name, "colour": name] }
        let record = ObjectRecord(["labels": .array(elements)])
        let wanted: [Value] = names.reversed() + ["new"]
        let expected: [Value] = elements.reversed() + [["name": "new"]]
        let reversed = mapping.record(["labels": .array(wanted)], over: record)
        #expect(reversed.members["labels"] == .array(expected))
    }

    // MARK: Synchronizing

    @Test("thousands of edits are shown before a push, sent, and decided about where they clash")
    func synchronize() async throws {
        let count = 3000
        let world = try await TinyWorld()
        world.server.insert("tasks", Self.members(count))
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(task, setting: Self.members(count, "mine"))
        let pending = try #require(try await world.synchronizer.pushPreview().requests.first)
        #expect(pending.changed.count == count)
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").first?["m\(count - 1)"] == "mine")
        #expect(try await world.synchronizer.pending().isEmpty)

        try await world.synchronizer.edit(task, setting: Self.members(count, "again"))
        world.server.edit("tasks", 1, Self.members(count, "theirs"))
        try await world.synchronizer.push()
        let object = try await world.synchronizer.object(at: task)
        guard case .conflicted(let conflict)? = object?.meta.outgoing?.phase else {
            Issue.record("the edits do not clash")
            return
        }
        #expect(conflict.fields.count == count)
        try await world.synchronizer.resolve(task, .both(setting: []))
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").first?["m7"] == "theirs\nagain")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a record is replaced by one that lacks thousands of its members, and a new one has thousands")
    func save() async throws {
        let count = 3000
        let world = try await TinyWorld()
        world.server.insert("tasks", Self.members(count))
        try await world.synchronizer.pull()
        let kept = try #require(try await world.synchronizer.record(at: task)).members
            .filter { ["id", "rev", "m1"].contains($0.name) }
        try await world.synchronizer.save(ObjectRecord(Value.Members(kept)), at: task)
        #expect(try await world.synchronizer.record(at: task)?.members.count == kept.count)
        let uri = try await world.synchronizer.save(Self.members(count, "new"), as: "tasks")
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.record(at: uri)?["m7"] == "new")
    }

    // MARK: Models

    private struct Labelled: Codable, Sendable {
        var title: String
        var labels: [String: Int]
        var list: [Int]
    }

    @Test("a model with dictionaries and lists of thousands is written, read and edited")
    func model() async throws {
        let count = 20_000
        let world = try await TinyWorld()
        let items = world.synchronizer.objects(Labelled.self, in: "tasks")
        let labels = Dictionary(uniqueKeysWithValues: (0..<count).map { ("l\($0)", $0) })
        let uri = try await items.create(Labelled(title: "a", labels: labels, list: Array(0..<count)))
        try await items.edit(uri) { model in
            for index in 0..<count { model.labels["l\(index)"] = -index }
            model.list.reverse()
        }
        let model = try #require(try await items.at(uri)).model
        #expect(model.labels.count == count && model.labels["l7"] == -7 && model.list.first == count - 1)
    }
}
