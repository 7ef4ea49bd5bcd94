import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Values that mean absence")
struct AbsentEqualsTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    @Test(
        "an edit of a member that a list leaves out is no conflict with the null that a read shows",
        arguments: [Detail.never, .onRead, .onChange], [Version.none, .compare])
    func editOfWhatAListLeavesOut(detail: Detail, version: Version) async throws {
        for (isWhole, way) in [(false, "push"), (false, "refresh"), (false, "pull"), (true, "push"), (true, "refresh")]
        {
            let world = try await TinyWorld {
                $0.list.shape = .partial
                $0.detail = detail
                $0.version = version
                $0.fields.absentEquals = [.null]
                if isWhole {
                    $0.update.method = "PUT"
                    $0.update.body = .whole
                }
            }
            world.server.list(only: ["id", "title", "rev"])
            world.server.insert("tasks", ["title": "t", "note": .null])
            try await world.synchronizer.pull()
            try await world.synchronizer.edit(uri, setting: [("note", "mine")])
            world.server.edit("tasks", 1, ["title": "theirs"])
            if way == "refresh" { try await world.synchronizer.refresh(uri) }
            if way == "pull" { try await world.synchronizer.pull() }
            try await world.synchronizer.push()
            #expect(try await world.synchronizer.pending().isEmpty, "\(isWhole) \(way)")
            #expect(world.server.rows("tasks")[0]["note"] == "mine", "\(isWhole) \(way)")
        }
    }

    @Test("a value that is not declared to mean absence stays a conflict with an edit of what a list leaves out")
    func otherValue() async throws {
        let world = try await TinyWorld {
            $0.list.shape = .partial
            $0.detail = .never
            $0.fields.absentEquals = [.null]
        }
        world.server.list(only: ["id", "title", "rev"])
        world.server.insert("tasks", ["title": "t", "note": ""])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(uri, setting: [("note", "mine")])
        try await world.synchronizer.refresh(uri)
        #expect(try await world.synchronizer.status()[1].counts.conflicted == 1)
    }

    @Test("what means absence is what is absent, in each direction, also inside a member that is merged deep")
    func merge() {
        var fields = FieldRules()
        fields.absentEquals = [.null, ""]
        fields.merge = ["meta": .deep]
        let rules = ThreeWayMerge(fields: fields, conflict: ConflictRules(), readonly: [])
        for empty in [Value.null, ""] {
            #expect(rules.same([:], ["a": empty]) && rules.same(["a": empty], [:]))
            #expect(rules.isUnedited([:], ["a": empty]) && rules.isUnedited(["a": empty], [:]))
            #expect(
                rules.merge(base: [:], mine: ["a": "x"], theirs: ["a": empty])
                    == .init(record: ["a": "x"], clashes: []))
            #expect(
                rules.merge(base: ["a": empty], mine: ["a": "x"], theirs: [:])
                    == .init(record: ["a": "x"], clashes: []))
            #expect(
                rules.merge(
                    base: ["meta": ["b": 1]], mine: ["meta": ["b": 1, "a": "x"]], theirs: ["meta": ["b": 2, "a": empty]]
                )
                    == .init(record: ["meta": ["b": 2, "a": "x"]], clashes: []))
        }
        #expect(!rules.same([:], ["a": 0]))
    }

    // MARK: Null and a removal

    /// A task whose note is null.
    private func noteless(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        let world = try await TinyWorld(change)
        world.server.insert("tasks", ["title": "a", "note": .null])
        try await world.synchronizer.pull()
        world.server.clearLog()
        return world
    }

    @Test("to remove what is null sends nothing, where null is how a removal is sent")
    func removesNull() async throws {
        let world = try await noteless()
        try await world.synchronizer.edit(uri, setting: [("note", nil)])
        #expect(try await world.synchronizer.pending().isEmpty)
        try await world.synchronizer.edit(uri, setting: [("note", nil), ("title", "b")])
        #expect(try await world.synchronizer.push().updated == 1)
        #expect(world.server.log.last == #"PATCH tasks/1/ {"title":"b"}"#)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("to remove what is null is no conflict with what another sets there")
    func removesNullBesideOther() async throws {
        let world = try await noteless()
        try await world.synchronizer.edit(uri, setting: [("note", nil), ("title", "b")])
        world.server.edit("tasks", 1, ["note": "theirs"])
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.pending().isEmpty)
        let row = world.server.rows("tasks").first
        #expect(row?["note"] == "theirs" && row?["title"] == "b")
    }

    @Test("a removal after which the server shows null took, where the whole object is sent")
    func removedFromWhole() async throws {
        let world = try await noteless {
            $0.update.method = "PUT"
            $0.update.body = .whole
        }
        try await world.synchronizer.edit(uri, setting: [("note", nil)])
        #expect(try await world.synchronizer.push().updated == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
        #expect(try await world.synchronizer.record(at: uri)?["note"] == .null)
    }

    @Test("null for what is absent is sent, for that may only not be shown")
    func nullForAbsent() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(uri, setting: [("note", .null)])
        try await world.synchronizer.push()
        #expect(world.server.log.last == #"PATCH tasks/1/ {"note":null}"#)
        #expect(try await world.synchronizer.pending().isEmpty)
    }
}
