import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("a query's answer, kept up to date change by change")
struct QueryWindowTests {
    private static func object(_ id: Int, _ value: Int, done: Bool) -> LocalObject {
        let record = ObjectRecord(["v": .number(JSONNumber(value)), "done": .bool(done)])
        let uri = ObjectURI(entity: "tasks", id: "\(id)")
        return LocalObject(
            record: record,
            meta: MetaObject(uri: uri, id: ObjectID(uri.id), state: .synchronized(.init(base: record, sequence: 1))))
    }

    private static let queries = [
        Query("tasks"), Query("tasks", order: [.init("v")]),
        Query("tasks", order: [.init("v", ascending: false)], limit: 3),
        Query("tasks", where: Query.Field("done") == false, order: [.init("v")], limit: 4),
        Query("tasks", where: Query.Field("v") > 4 && Query.Field("done") == true, limit: 2),
        Query("tasks", order: [.init("v")], limit: 3, offset: 2), Query("tasks", limit: 0)
    ]

    @Test("after any changes it is what the store would answer, or says that it has to be asked", arguments: queries)
    func follows(_ query: Query) {
        var random = SeededRandom(seed: 7)
        var store: [String: LocalObject] = [:]
        var window = QueryWindow(query) { $0 }
        var asked = 0
        func answer() -> [LocalObject] {
            query.select(from: store.values.map { ($0.uri, $0.record!) }).map { store[$0.0.id]! }
        }
        for _ in 0..<600 {
            let id = Int.random(in: 0..<12, using: &random)
            let before = window.objects
            let new: LocalObject? =
                Int.random(in: 0..<4, using: &random) == 0
                ? nil : Self.object(id, Int.random(in: 0..<9, using: &random), done: Bool.random(using: &random))
            store["\(id)"] = new
            switch window.apply("\(id)", new) {
            case .same: #expect(window.objects == before)
            case .changed: #expect(window.objects != before)
            case .stale:
                asked += 1
                window.fill(answer())
            }
            #expect(window.objects == answer())
        }
        if query.limit == nil { #expect(asked == 0) }
    }

    @Test("two objects whose identifiers are canonically equivalent have a row each")
    func equivalentIdentifiers() {
        var window = QueryWindow(Query("tasks")) { $0 }
        let ids = ["cafe\u{301}", "caf\u{E9}"]
        for id in ids {
            let record = ObjectRecord(["v": 1])
            let meta = MetaObject(
                uri: ObjectURI(entity: "tasks", id: id), id: ObjectID(id),
                state: .synchronized(.init(base: record, sequence: 1)))
            #expect(window.apply(id, LocalObject(record: record, meta: meta)) == .changed)
        }
        #expect(window.objects.map { Array($0.uri.id.utf8) } == ids.map { Array($0.utf8) })
        for id in ids { #expect(window.apply(id, nil) == .changed) }
        #expect(window.objects.isEmpty)
    }
}

/// Numbers that are the same each time.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
