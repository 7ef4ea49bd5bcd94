import Atmosphere
import AtmosphereTesting
import Synchronization
import Testing

/// A store in memory with one fault, which the suite must find.
final class BrokenStore: Store {
    enum Fault: String, CaseIterable, CustomTestStringConvertible {
        case keepsWhatWasRolledBack
        case readsWhatIsNotCommitted
        case usableAfterItsEnd
        case lockForEveryone
        case publishesNothing
        case publishesEverythingTwice
        case absorbsWhatIsChanged
        case absorbsWhatIsStale
        case absorbsDeletions
        case absorbsOlderVersions
        case forgetsTheWireType
        case rewritesTheUnchanged
        case leavesNoAlias
        case followsOneAliasOnly
        case aliasGoesBeforeTheObject
        case aliasOutlivesTheObject
        case leavesAliasFromAnObject
        case overwritesOnMove
        case ignoresLimits
        case ordersAsText
        case ignoresThePage
        case notesEveryListing
        case lowersTheSequence
        case dropsTheBase
        case knowsNoPriority
        case ignoresOffsets
        case takesOrForAnd
        case countsWithTheLimit
        case answersFromBeforeTheChange
        case indexesAnswerOtherwise
        case forgetsWhatMayHaveArrived
        case forgetsTheAction
        case forgetsTheEntityTag
        case forgetsTheUploads
        case reversesTheUploads
        case givesUpWhenCancelled
        case givesUpWhileItWaits
        case neverEndsItsCommits
        case equalsWithoutCase
        case takesTextsForPatterns
        case comparesBeginnings
        case indexesBySortKeysAlone
        case trustsTheSortKeysOfNumbers
        case countsDeferredFromTheSlice
        case locksItselfOnly
        case writesOverTheOther
        case cannotRead

        var testDescription: String { rawValue }

        /// How the name of the check begins that is meant for it.
        var check: String {
            switch self {
            case .keepsWhatWasRolledBack: "a write that throws leaves nothing"
            case .readsWhatIsNotCommitted: "a read does not wait for a running write"
            case .usableAfterItsEnd: "a transaction and a snapshot are closed"
            case .lockForEveryone: "one at a time holds the push lock"
            case .publishesNothing: "each commit says what it changed"
            case .publishesEverythingTwice: "each stream has every commit"
            case .absorbsWhatIsChanged: "absorb leaves objects with something to send"
            case .absorbsWhatIsStale: "absorb leaves objects that were confirmed later"
            case .absorbsDeletions: "absorb leaves deletions"
            case .absorbsOlderVersions: "absorb leaves another version"
            case .forgetsTheWireType: "identifiers keep their text and their wire type"
            case .rewritesTheUnchanged: "absorb updates what differs"
            case .leavesNoAlias, .followsOneAliasOnly: "a moved meta object leaves an alias"
            case .aliasGoesBeforeTheObject: "an object that comes to stand at a former URI"
            case .aliasOutlivesTheObject: "an alias of an object that is gone"
            case .leavesAliasFromAnObject: "an alias can be left"
            case .overwritesOnMove: "a taken identifier is refused"
            case .ignoresLimits, .ordersAsText: "1,000 objects come in order"
            case .ignoresThePage: "changed gives what is not synchronized"
            case .notesEveryListing: "unlisted gives what a listing did not show"
            case .lowersTheSequence: "the highest sequence only rises"
            case .dropsTheBase: "record and meta object do not touch"
            case .knowsNoPriority: "a power write goes ahead"
            case .ignoresOffsets, .takesOrForAnd, .countsWithTheLimit: "every query is answered"
            case .answersFromBeforeTheChange: "an index follows every way"
            case .indexesAnswerOtherwise: "indexes change no answer"
            case .forgetsWhatMayHaveArrived, .forgetsTheAction: "a meta object comes back as it was put"
            case .forgetsTheEntityTag: "cursors are kept by entity"
            case .givesUpWhenCancelled, .givesUpWhileItWaits: "a power write of a cancelled task is done"
            case .neverEndsItsCommits: "a closed store refuses everything"
            case .forgetsTheUploads, .reversesTheUploads: "contents that wait to be uploaded stay"
            case .equalsWithoutCase, .takesTextsForPatterns: "every query is answered"
            case .comparesBeginnings: "texts that differ behind"
            case .indexesBySortKeysAlone, .trustsTheSortKeysOfNumbers: "indexes change no answer"
            case .countsDeferredFromTheSlice: "absorb counts what it defers"
            case .locksItselfOnly: "of two stores on the same data, as two processes have them, one holds"
            case .writesOverTheOther: "of two stores on the same data, as two processes have them, each keeps"
            case .cannotRead: "a snapshot stays as it was"
            }
        }
    }

    private let fault: Fault?
    private let store: MemoryStore
    private let isLocked = Mutex(false)
    private let isIndexed = Mutex(false)
    /// The identifiers that a query found first.
    private let answers = Mutex<[Query: [ObjectURI]]>([:])

    /// - Parameter fault: nil for what is around the store alone, which breaks nothing.
    init(_ fault: Fault?) {
        self.fault = fault
        store = MemoryStore()
    }

    /// A store on the data of another one.
    init(beside other: BrokenStore) {
        fault = other.fault
        store = fault == .writesOverTheOther ? MemoryStore() : other.store
    }

    func read<Result: Sendable>(_ body: @Sendable (any StoreSnapshot) throws -> Result) async throws -> Result {
        if fault == .cannotRead { throw StoreError(code: .inputOutput, message: "the connection was refused") }
        return try await store.read { [self] in
            let snapshot = BrokenTransaction(fault, snapshot: $0)
            snapshot.store = self
            return try body(snapshot)
        }
    }

    func keepIndexes(_ indexes: [QueryIndex]) async throws { isIndexed.withLock { $0 = !indexes.isEmpty } }

    /// What the fault makes of a query.
    fileprivate func broken(_ query: Query) -> Query {
        var query = query
        switch fault {
        case .ignoresLimits: query.limit = nil
        case .ignoresOffsets: query.offset = 0
        case .takesOrForAnd: if case .or(let parts) = query.filter { query.filter = .and(parts) }
        case .indexesAnswerOtherwise where isIndexed.withLock { $0 }: query.order = []
        case .equalsWithoutCase:
            guard case .condition(let condition) = query.filter, condition.comparison == .equal,
                case .string(let text) = condition.value
            else { break }
            query.filter = .or(
                [text, text.lowercased(), text.uppercased()].map {
                    var condition = condition
                    condition.value = .string($0)
                    return .condition(condition)
                })
        case .takesTextsForPatterns:
            query.filter = query.filter.mapConditions { condition in
                guard [.contains, .prefix].contains(condition.comparison), case .string(let text) = condition.value
                else { return condition }
                var condition = condition
                condition.value = .string(String(text.prefix { !"_%\\".contains($0) }))
                return condition
            }
        case .comparesBeginnings:
            query.filter = query.filter.mapConditions { condition in
                guard condition.comparison == .equal, case .string(let text) = condition.value, text.count > 1_000
                else { return condition }
                var condition = condition
                condition.comparison = .prefix
                condition.value = .string(String(text.prefix(1_000)))
                return condition
            }
        default: break
        }
        return query
    }

    /// What the sort keys alone answer; nil where they are not asked.
    fileprivate func bySortKeys(_ query: Query, _ all: () throws -> [(ObjectURI, ObjectRecord)]) rethrows
        -> [(ObjectURI, ObjectRecord)]?
    {
        guard isIndexed.withLock({ $0 }), case .condition(let condition) = query.filter,
            condition.comparison == .equal, let field = condition.indexField, field.type != .json
        else { return nil }
        switch (fault, condition.value) {
        case (.trustsTheSortKeysOfNumbers, .array), (.trustsTheSortKeysOfNumbers, .object): return nil
        case (.indexesBySortKeysAlone, _), (.trustsTheSortKeysOfNumbers, _): break
        default: return nil
        }
        let key = field.type.sortKey(of: condition.value)
        var rest = query
        rest.filter = .everything
        return rest.select(from: try all().filter { field.sortKey(of: $0.1) == key })
    }

    fileprivate func remembered(_ query: Query, _ found: [ObjectURI]) -> [ObjectURI] {
        answers.withLock { answers in
            if let known = answers[query] { return known }
            answers[query] = found
            return found
        }
    }

    func write<Result: Sendable>(
        _ durability: Durability, origin: CommitSet.Origin,
        _ body: @Sendable (any StoreTransaction) throws -> Result
    ) async throws -> Result {
        if fault == .givesUpWhenCancelled { try Task.checkCancellation() }
        let durability = fault == .knowsNoPriority ? .process : durability
        let outcome = try await store.write(durability, origin: origin) { [fault] transaction in
            do {
                return Swift.Result<Result, any Error>.success(
                    try body(BrokenTransaction(fault, snapshot: transaction, transaction)))
            } catch {
                if fault != .keepsWhatWasRolledBack { throw error }
                return .failure(error)
            }
        }
        if fault == .givesUpWhileItWaits { try Task.checkCancellation() }
        return try outcome.get()
    }

    func commits() -> AsyncStream<CommitSet> {
        switch fault {
        case .publishesNothing: AsyncStream { $0.finish() }
        case .publishesEverythingTwice:
            AsyncStream { continuation in
                let commits = store.commits()
                let task = Task {
                    for await commit in commits {
                        continuation.yield(commit)
                        continuation.yield(commit)
                    }
                    continuation.finish()
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        case .neverEndsItsCommits:
            AsyncStream { continuation in
                let commits = store.commits()
                let task = Task {
                    for await commit in commits { continuation.yield(commit) }
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        default: store.commits()
        }
    }

    func lockForPush() async throws -> HeldLock? {
        if fault == .lockForEveryone { return HeldLock {} }
        if fault == .locksItselfOnly {
            let isFree = isLocked.withLock { isLocked in
                defer { isLocked = true }
                return !isLocked
            }
            return isFree ? HeldLock { self.isLocked.withLock { $0 = false } } : nil
        }
        return try await store.lockForPush()
    }

    func close() async throws { try await store.close() }
}

/// A transaction with the fault.
private final class BrokenTransaction: StoreTransaction {
    private let fault: BrokenStore.Fault?
    private let snapshot: any StoreSnapshot
    private let transaction: (any StoreTransaction)?
    fileprivate var store: BrokenStore?

    init(_ fault: BrokenStore.Fault?, snapshot: any StoreSnapshot, _ transaction: (any StoreTransaction)? = nil) {
        self.fault = fault
        self.snapshot = snapshot
        self.transaction = transaction
    }

    func object(at uri: ObjectURI) throws -> LocalObject? { try snapshot.object(at: uri) }
    func counts() throws -> [String: StateCounts] { try snapshot.counts() }

    func record(at uri: ObjectURI) throws -> ObjectRecord? {
        if fault == .usableAfterItsEnd { return try? snapshot.record(at: uri) }
        if fault == .readsWhatIsNotCommitted, transaction == nil { return ObjectRecord(["title": "after"]) }
        return try snapshot.record(at: uri)
    }

    func records(matching query: Query, _ each: (ObjectURI, ObjectRecord) throws -> Bool) throws {
        let query = store?.broken(query) ?? query
        let found = try store?.bySortKeys(query) {
            var all: [(ObjectURI, ObjectRecord)] = []
            try snapshot.records(matching: Query(query.entity)) {
                all.append(($0, $1)); return true
            }
            return all
        }
        if let found {
            for (uri, record) in found where try !each(uri, record) { return }
            return
        }
        if fault == .answersFromBeforeTheChange, let store, query.entity == "kinds" {
            var found: [ObjectURI] = []
            try snapshot.records(matching: query) { uri, _ in
                found.append(uri)
                return true
            }
            for uri in store.remembered(query, found) {
                guard let record = try snapshot.record(at: uri) else { continue }
                if try !each(uri, record) { return }
            }
            return
        }
        guard fault == .ordersAsText, query.order.isEmpty else { return try snapshot.records(matching: query, each) }
        var all: [(ObjectURI, ObjectRecord)] = []
        try snapshot.records(matching: query) {
            all.append(($0, $1)); return true
        }
        for (uri, record) in all.sorted(by: { $0.0.id < $1.0.id }) where try !each(uri, record) { return }
    }

    func count(matching query: Query) throws -> Int {
        let count = try snapshot.count(matching: query)
        return fault == .countsWithTheLimit ? min(count, query.limit ?? count) : count
    }

    func upsert(_ batch: [(uri: ObjectURI, record: ObjectRecord)]) throws {
        try snapshot.upsert(batch)
        guard fault == .dropsTheBase else { return }
        for (uri, record) in batch {
            guard case .synchronized(var confirmed)? = try snapshot.meta(at: uri)?.state else { continue }
            confirmed.base = record
            var meta = try snapshot.meta(at: uri)
            meta?.state = .synchronized(confirmed)
            if let meta { try snapshot.put([meta]) }
        }
    }

    func changeIdentifier(from: ObjectURI, to: ObjectURI) throws {
        if fault == .overwritesOnMove, from != to, try snapshot.record(at: from) != nil { try snapshot.delete([to]) }
        try snapshot.changeIdentifier(from: from, to: to)
    }

    func delete(_ batch: [ObjectURI]) throws { try snapshot.delete(batch) }
    func meta(at uri: ObjectURI) throws -> MetaObject? {
        var meta = try snapshot.meta(at: uri)
        if fault == .forgetsTheWireType { meta?.id.wireType = .string }
        return meta
    }

    func changed(entity: String?, after: ObjectURI?, limit: Int) throws -> [MetaObject] {
        try snapshot.changed(
            entity: entity, after: fault == .ignoresThePage ? nil : after,
            limit: fault == .ignoresThePage && after != nil ? 0 : limit)
    }

    func put(_ batch: [MetaObject]) throws { try snapshot.put(batch.map(broken)) }

    /// What the fault leaves of a meta object.
    private func broken(_ meta: MetaObject) -> MetaObject {
        var meta = meta
        if fault == .forgetsTheUploads { meta.uploads = [] }
        if fault == .reversesTheUploads { meta.uploads.reverse() }
        switch meta.state {
        case .created(var outgoing, let deleting):
            forget(&outgoing)
            meta.state = .created(outgoing, deleting: deleting)
        case .updated(let confirmed, var outgoing):
            forget(&outgoing)
            meta.state = .updated(confirmed, outgoing)
        default: break
        }
        return meta
    }

    private func forget(_ outgoing: inout Change) {
        if fault == .forgetsWhatMayHaveArrived { outgoing.evidence = .none }
        if fault == .forgetsTheAction, case .sending(var snapshot) = outgoing.phase {
            snapshot.action = nil
            outgoing.phase = .sending(snapshot)
        }
    }

    func removeMeta(_ batch: [ObjectURI]) throws { try snapshot.removeMeta(batch) }

    func changeMetaIdentifier(from: ObjectURI, to: ObjectURI, id: ObjectID) throws {
        guard fault == .leavesNoAlias, var meta = try snapshot.meta(at: from), try snapshot.meta(at: to) == nil else {
            return try snapshot.changeMetaIdentifier(from: from, to: to, id: id)
        }
        meta.uri = to
        meta.id = id
        try snapshot.removeMeta([from])
        try snapshot.put([meta])
    }

    func putAlias(of former: ObjectURI, to uri: ObjectURI) throws { try snapshot.putAlias(of: former, to: uri) }

    func alias(of uri: ObjectURI) throws -> ObjectURI? {
        // The chain of the suite's check, cut short.
        if fault == .followsOneAliasOnly, uri.id == "temporary", try snapshot.alias(of: uri) != nil {
            return ObjectURI(entity: uri.entity, id: "1")
        }
        let way = uri.id.drop { $0 != "-" }
        let present = ObjectURI(entity: uri.entity, id: "present\(way)")
        switch fault {
        case .aliasGoesBeforeTheObject where uri.id.hasPrefix("former-"): return present
        case .aliasOutlivesTheObject where uri.id.hasPrefix("first-"): return present
        case .leavesAliasFromAnObject where uri.id == "2": return ObjectURI(entity: uri.entity, id: "1")
        default: return try snapshot.alias(of: uri)
        }
    }

    func formerURIs(of uri: ObjectURI) throws -> [ObjectURI] { try snapshot.formerURIs(of: uri) }
    func dependents(of uri: ObjectURI) throws -> [ObjectURI] { try snapshot.dependents(of: uri) }
    func cursor(for scope: PullScope) throws -> PullCursor? { try snapshot.cursor(for: scope) }
    func put(_ cursor: PullCursor, for scope: PullScope) throws {
        var cursor = cursor
        if fault == .forgetsTheEntityTag { cursor.complete?.tag = nil }
        try snapshot.put(cursor, for: scope)
    }

    func removeCursor(for scope: PullScope) throws { try snapshot.removeCursor(for: scope) }
    func cursors(entity: String) throws -> [(scope: PullScope, cursor: PullCursor)] {
        try snapshot.cursors(entity: entity)
    }

    func highestSequence() throws -> Int64 { try snapshot.highestSequence() }
    func raiseSequence(to sequence: Int64) throws {
        if fault == .lowersTheSequence, sequence < (try snapshot.highestSequence()) { return }
        try snapshot.raiseSequence(to: fault == .lowersTheSequence ? sequence - 1 : sequence)
    }

    func absorb(_ page: Page, items: Range<Int>) throws -> Absorbed {
        guard let transaction else { return Absorbed() }
        var page = page
        switch fault {
        case .absorbsDeletions: for index in page.items.indices { page.items[index].isDeleted = false }
        case .absorbsWhatIsStale: page.sequence += 1_000
        case .absorbsOlderVersions: page.ordersVersions = false
        case .rewritesTheUnchanged:
            let uris = page.items[items].map(page.uri)
            for uri in uris where try transaction.meta(at: uri)?.isChanged == false {
                try transaction.delete([uri])
                try transaction.removeMeta([uri])
            }
        case .absorbsWhatIsChanged:
            for uri in page.items[items].map(page.uri) where try transaction.meta(at: uri)?.isChanged == true {
                try transaction.delete([uri])
                try transaction.removeMeta([uri])
            }
        default: break
        }
        var absorbed = try transaction.absorb(page, items: items)
        if fault == .countsDeferredFromTheSlice { absorbed.deferred = absorbed.deferred.map { $0 - items.lowerBound } }
        return absorbed
    }

    func beginListing(entity: String, listing: Int64) throws {
        try transaction?.beginListing(entity: entity, listing: listing)
    }

    func unlisted(entity: String, listing: Int64, after: ObjectURI?, limit: Int) throws -> [ObjectURI] {
        if fault == .notesEveryListing { return [] }
        return try transaction?.unlisted(entity: entity, listing: listing, after: after, limit: limit) ?? []
    }

    func endListing(entity: String) throws { try transaction?.endListing(entity: entity) }
}
