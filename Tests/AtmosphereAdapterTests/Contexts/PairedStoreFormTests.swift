import Atmosphere
import AtmosphereTesting
import Synchronization
import Testing

/// Where a store in memory puts its commits: what was flushed is there when the power is back.
private final class Device: Sendable {
    private let flushed = Mutex(StoreState())
    /// Commits that are still taken; nil for all.
    let commitsLeft = Mutex<Int?>(nil)

    func open() -> MemoryStore {
        MemoryStore(name: "the device", state: flushed.withLock { $0 }) { [self] state, durability in
            let isTaken = commitsLeft.withLock { left in
                guard let count = left else { return true }
                left = max(0, count - 1)
                return count > 0
            }
            guard isTaken else { throw StoreError(code: .full, message: "the device is full; free some space") }
            if durability == .power { flushed.withLock { $0 = state } }
        }
    }
}

@Suite("a model layer that is ahead, behind, or has forms of its own")
struct PairedStoreFormTests {
    private let task = ObjectURI(entity: "tasks", id: "1")

    @discardableResult
    private func pull(_ store: any Store, _ json: String, sequence: Int64) async throws -> Absorbed {
        var page = Page(bytes: Array(json.utf8), items: [PageItem(id: .integer(1), record: 0..<json.utf8.count)])
        page.entity = "tasks"
        page.sequence = sequence
        let whole = page
        return try await store.write(.process, origin: .pull) { try $0.absorb(whole, items: 0..<1) }
    }

    /// A save that is none of the model layer's business.
    private func saveElsewhere(_ store: any Store, _ title: String) async throws {
        try await store.write(.power, origin: .application) { transaction in
            let list = ObjectURI(entity: "lists", id: "1")
            try transaction.upsert([(list, ObjectRecord(["title": .string(title)]))])
        }
    }

    private func record(_ store: any Store, at uri: ObjectURI? = nil) async throws -> String? {
        let uri = uri ?? task
        return try await store.read { try $0.record(at: uri)?.description }
    }

    // MARK: Losses of power

    /// What the model layer has when the power is back.
    enum Loss: CaseIterable {
        /// Everything, because it flushes each write by itself; the store has what was flushed.
        case ofTheStore
        /// What was flushed; the store has everything, because a later save flushed it.
        case ofTheModels
    }

    @Test(
        "after a loss of power the two say the same, and nothing that the server said is an edit",
        arguments: Loss.allCases)
    func power(_ loss: Loss) async throws {
        let device = Device()
        let disk = MemoryModels.Disk()
        func open() async throws -> PairedStore {
            try await PairedStore(
                MemoryModels(on: disk, entities: ["tasks"], known: ["title"]), beside: device.open())
        }
        let store = try await open()
        try await pull(store, #"{"id":1,"title":"Milk"}"#, sequence: 1)
        try await saveElsewhere(store, "Home")
        try await pull(store, #"{"id":1,"title":"Oat milk"}"#, sequence: 2)
        if loss == .ofTheModels {
            try await saveElsewhere(store, "Office")
            disk.losePower()
        }
        let again = try await open()
        #expect(try await again.collectEdits(of: [task]) == [])
        #expect(try await again.read { try $0.changed(entity: nil, after: nil, limit: 9) }.isEmpty)
        #expect(try await record(again) == #"{"id":1,"title":"Oat milk"}"#)
        #expect(MemoryModels(on: disk)[task] == ObjectRecord(["title": "Oat milk"]))
        try await again.close()
    }

    // MARK: Forms

    /// Holds times as points in time, and gives them back in UTC.
    private func models(on disk: MemoryModels.Disk = MemoryModels.Disk()) -> MemoryModels {
        MemoryModels(on: disk, known: ["title", "due"]) { member in
            guard member.name == "due", let instant = member.value.string.flatMap({ Instant($0) }) else {
                return member.value
            }
            return .string(instant.description)
        }
    }

    @Test("a value that the model layer gives back in its own form is no edit, wherever the object goes")
    func form() async throws {
        let models = models()
        let store = try await PairedStore(models, beside: MemoryStore())
        try await pull(store, #"{"id":1,"title":"Milk","due":"2026-01-02T03:04:05+01:00"}"#, sequence: 1)
        #expect(models[task]?["due"] == "2026-01-02T02:04:05Z")
        #expect(try await store.collectEdits(of: [task]) == [])
        var absorbed = try await pull(
            store, #"{"id":1,"title":"Oat milk","due":"2026-01-02T03:04:05+01:00"}"#, sequence: 2)
        #expect(absorbed.updated == 1 && absorbed.deferred.isEmpty)
        absorbed = try await pull(
            store, #"{"id":1,"title":"Oat milk","due":"2026-01-03T03:04:05+01:00"}"#, sequence: 3)
        #expect(absorbed.updated == 1 && absorbed.deferred.isEmpty)
        #expect(models[task] == ObjectRecord(["title": "Oat milk", "due": "2026-01-03T02:04:05Z"]))
        #expect(try await store.read { try $0.counts() }.keys.sorted() == ["tasks"])

        let moved = ObjectURI(entity: "tasks", id: "9")
        try await store.write(.power, origin: .push) { [task] transaction in
            try transaction.changeIdentifier(from: task, to: moved)
            try transaction.changeMetaIdentifier(from: task, to: moved, id: ObjectID("9", .number))
        }
        #expect(try await store.collectEdits(of: [moved]) == [])
        #expect(
            try await record(store, at: moved)
                == #"{"id":1,"title":"Oat milk","due":"2026-01-03T03:04:05+01:00"}"#)
        models[moved] = ObjectRecord(["title": "Oat milk", "due": "2027-01-01T00:00:00Z"])
        #expect(try await store.collectEdits(of: [moved]) == [moved])
        #expect(
            try await record(store, at: moved) == #"{"id":1,"title":"Oat milk","due":"2027-01-01T00:00:00Z"}"#)
        #expect(try await store.collectEdits(of: [moved]) == [])
        try await store.close()
    }

    @Test("an intent that is done again tells the application's edits from the model layer's own forms")
    func again() async throws {
        let device = Device()
        let models = models()
        let store = try await PairedStore(models, beside: device.open())
        try await pull(store, #"{"id":1,"title":"Milk","due":"2026-01-02T03:04:05+01:00"}"#, sequence: 1)
        // The model layer is written, and then the end of the intent cannot be kept.
        device.commitsLeft.withLock { $0 = 1 }
        try await pull(store, #"{"id":1,"title":"Oat milk","due":"2026-01-03T03:04:05+01:00"}"#, sequence: 2)
        #expect(
            store.notes.map(\.message) == [
                "what was saved last is in the application's own model layer, and the store beside it cannot note that: "
                    + "the device is full; free some space; nothing is lost, and nothing more is saved before that is noted"
            ])
        #expect(models[task] == ObjectRecord(["title": "Oat milk", "due": "2026-01-03T02:04:05Z"]))
        device.commitsLeft.withLock { $0 = nil }
        models[task] = ObjectRecord(["title": "Bread", "due": "2026-01-03T02:04:05Z"])
        let again = try await PairedStore(models, beside: device.open())
        #expect(models[task] == ObjectRecord(["title": "Bread", "due": "2026-01-03T02:04:05Z"]))
        #expect(try await again.collectEdits(of: [task]) == [task])
        #expect(try await record(again) == #"{"id":1,"title":"Bread","due":"2026-01-03T03:04:05+01:00"}"#)
        try await again.close()
    }
}
