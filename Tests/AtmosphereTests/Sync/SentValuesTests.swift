import Testing

@testable import Atmosphere
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("Look-up values of creates without an answer")
struct SentValuesTests {
    private let store = WalkedStore()
    private let values = SentValues()
    private let resource: Resource

    init() throws { resource = try #require(try TinyWorld.routeFile().resource("tasks")) }

    private func uri(_ id: Int) -> ObjectURI { ObjectURI(entity: "tasks", id: "new-\(id)") }

    /// Marks a create as being sent, with the look-up value of its number.
    ///
    /// - Parameter isOwn: by this push, and not by another process.
    private func send(_ id: Int, isOwn: Bool = true) async throws {
        let record = ObjectRecord(["title": "a", "uuid": .string("value-\(id)")])
        var change = Change(idempotencyKey: "key-\(id)")
        change.phase = .sending(Attempt(record: record, revision: 1, sequence: Int64(id)))
        let state = MetaObject.State.created(change, deleting: false)
        let meta = MetaObject(uri: uri(id), id: ObjectID("new-\(id)", .temporary), state: state)
        try await store.write(.process, origin: .push) { transaction in
            try transaction.upsert([(meta.uri, record)])
            try transaction.put([meta])
            let count = try SentCreates(of: resource).noteOne(in: transaction)
            if isOwn { values.add(meta.uri, record, of: resource, count: count) }
        }
    }

    private func isAnothers(_ value: Int, than id: Int) async throws -> Bool {
        try await store.read { try values.isAnothers("value-\(value)", than: uri(id), of: resource, in: $0) }
    }

    @Test("another create's value is known as long as that has no answer, whoever has sent it")
    func known() async throws {
        try await send(1, isOwn: false)
        try await send(2)
        #expect(try await isAnothers(1, than: 2))
        #expect(try await !isAnothers(2, than: 2))
        try await send(3)
        #expect(try await isAnothers(3, than: 2))
        try await send(4, isOwn: false)
        #expect(try await isAnothers(4, than: 2))
        try await store.write(.process, origin: .push) { transaction in
            try transaction.delete([uri(1)])
            try transaction.removeMeta([uri(1)])
        }
        #expect(try await !isAnothers(1, than: 2))
    }

    @Test("a push that asks for it with each answer reads the changes that wait once")
    func cost() async throws {
        for id in 1...100 {
            try await send(id)
            #expect(try await !isAnothers(1_000 + id, than: id))
        }
        #expect(store.walked == 1)
    }
}
