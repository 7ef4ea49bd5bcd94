import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Changes that are refused each time")
struct RefusedEachTimeTests {
    /// What a person was asked about, because the server refuses a change of what it has shown with a version.
    private func object(_ record: ObjectRecord?, base: ObjectRecord) -> LocalObject {
        let confirmed = MetaObject.Confirmed(base: base, version: "\"7\"", sequence: 3)
        var outgoing = Change(idempotencyKey: "k")
        outgoing.phase = .conflicted(.init(.refusedEachTime, theirs: base, version: "\"7\"", sequence: 3))
        let state: MetaObject.State = record == nil ? .deleted(confirmed, outgoing) : .updated(confirmed, outgoing)
        return LocalObject(
            record: record, meta: MetaObject(uri: .init(entity: "tasks", id: "1"), id: ObjectID("1"), state: state))
    }

    @Test("a list that shows the same again, without a version or with another, takes no question back")
    func shownAgain() throws {
        let resource = try #require(try TinyWorld.routeFile().resource("tasks"))
        let engine = ChangeEngine(resource)
        func record(_ title: Value) -> ObjectRecord { resource.mapping.record(["id": 1, "title": title], over: nil) }
        for mine in [record("mine"), nil] {
            let object = object(mine, base: record("theirs"))
            for version in [nil, "\"7\"", "\"8\""] {
                let shown = Representation(
                    record: record("theirs"), id: ObjectID("1"), version: version, sequence: 9)
                guard case .put(let kept) = engine.remote(shown, over: object, uri: object.uri, key: "n").outcome,
                    case .conflicted? = kept.meta.outgoing?.phase
                else {
                    Issue.record("the question was taken back")
                    continue
                }
                #expect(kept.record == mine)
            }
            let changed = Representation(record: record("new"), id: ObjectID("1"), version: nil, sequence: 9)
            #expect(engine.remote(changed, over: object, uri: object.uri, key: "n").outcome != .keep)
        }
    }
}
