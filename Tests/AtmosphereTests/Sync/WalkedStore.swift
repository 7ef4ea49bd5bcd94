import Synchronization

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

/// A store in memory that counts how many changes are read by walks through them, and notes what else is looked through.
final class WalkedStore: Store {
    private let store = MemoryStore()
    private let count = Mutex(0)
    private let queries = Mutex<[Query]>([])
    private let scopes = Mutex<[String]>([])

    var walked: Int { count.withLock { $0 } }

    func note(_ number: Int) { count.withLock { $0 += number } }

    /// The queries so far.
    var asked: [Query] { queries.withLock { $0 } }

    func note(_ query: Query) { queries.withLock { $0.append(query) } }

    /// Of which entities all cursors were read.
    var listed: [String] { scopes.withLock { $0 } }

    func note(cursorsOf entity: String) { scopes.withLock { $0.append(entity) } }

    func read<Result: Sendable>(_ body: @Sendable (any StoreSnapshot) throws -> Result) async throws -> Result {
        try await store.read { try body(WalkedSnapshot($0, of: self)) }
    }

    func write<Result: Sendable>(
        _ durability: Durability, origin: CommitSet.Origin,
        _ body: @Sendable (any StoreTransaction) throws -> Result
    ) async throws -> Result {
        try await store.write(durability, origin: origin) { try body(WalkedTransaction($0, of: self)) }
    }

    func commits() -> AsyncStream<CommitSet> { store.commits() }
    func lockForPush() async throws -> HeldLock? { try await store.lockForPush() }
    func close() async throws { try await store.close() }
}

private class WalkedSnapshot: StoreSnapshot {
    private let inner: any StoreSnapshot
    private let store: WalkedStore

    init(_ inner: any StoreSnapshot, of store: WalkedStore) {
        self.inner = inner
        self.store = store
    }

    func changed(entity: String?, after: ObjectURI?, limit: Int) throws -> [MetaObject] {
        let found = try inner.changed(entity: entity, after: after, limit: limit)
        store.note(found.count)
        return found
    }

    func object(at uri: ObjectURI) throws -> LocalObject? { try inner.object(at: uri) }
    func counts() throws -> [String: StateCounts] { try inner.counts() }
    func record(at uri: ObjectURI) throws -> ObjectRecord? { try inner.record(at: uri) }
    func records(matching query: Query, _ each: (ObjectURI, ObjectRecord) throws -> Bool) throws {
        store.note(query)
        try inner.records(matching: query, each)
    }
    func upsert(_ batch: [(uri: ObjectURI, record: ObjectRecord)]) throws { try inner.upsert(batch) }
    func changeIdentifier(from: ObjectURI, to: ObjectURI) throws { try inner.changeIdentifier(from: from, to: to) }
    func delete(_ batch: [ObjectURI]) throws { try inner.delete(batch) }
    func meta(at uri: ObjectURI) throws -> MetaObject? { try inner.meta(at: uri) }
    func put(_ batch: [MetaObject]) throws { try inner.put(batch) }
    func removeMeta(_ batch: [ObjectURI]) throws { try inner.removeMeta(batch) }
    func changeMetaIdentifier(from: ObjectURI, to: ObjectURI, id: ObjectID) throws {
        try inner.changeMetaIdentifier(from: from, to: to, id: id)
    }
    func putAlias(of former: ObjectURI, to uri: ObjectURI) throws { try inner.putAlias(of: former, to: uri) }
    func alias(of uri: ObjectURI) throws -> ObjectURI? { try inner.alias(of: uri) }
    func formerURIs(of uri: ObjectURI) throws -> [ObjectURI] { try inner.formerURIs(of: uri) }
    func dependents(of uri: ObjectURI) throws -> [ObjectURI] { try inner.dependents(of: uri) }
    func cursor(for scope: PullScope) throws -> PullCursor? { try inner.cursor(for: scope) }
    func put(_ cursor: PullCursor, for scope: PullScope) throws { try inner.put(cursor, for: scope) }
    func removeCursor(for scope: PullScope) throws { try inner.removeCursor(for: scope) }
    func cursors(entity: String) throws -> [(scope: PullScope, cursor: PullCursor)] {
        store.note(cursorsOf: entity)
        return try inner.cursors(entity: entity)
    }
    func highestSequence() throws -> Int64 { try inner.highestSequence() }
    func raiseSequence(to sequence: Int64) throws { try inner.raiseSequence(to: sequence) }
}

private final class WalkedTransaction: WalkedSnapshot, StoreTransaction {
    private let transaction: any StoreTransaction

    init(_ transaction: any StoreTransaction, of store: WalkedStore) {
        self.transaction = transaction
        super.init(transaction, of: store)
    }

    func absorb(_ page: Page, items: Range<Int>) throws -> Absorbed { try transaction.absorb(page, items: items) }
    func beginListing(entity: String, listing: Int64) throws {
        try transaction.beginListing(entity: entity, listing: listing)
    }
    func unlisted(entity: String, listing: Int64, after: ObjectURI?, limit: Int) throws -> [ObjectURI] {
        try transaction.unlisted(entity: entity, listing: listing, after: after, limit: limit)
    }
    func endListing(entity: String) throws { try transaction.endListing(entity: entity) }
}
