public import Atmosphere

/// What every ``Store`` must do: checks for what its protocols promise, as far as it shows in one process.
///
/// Run each check as a test case of its own; every one makes a new store:
///
/// ```swift
/// @Test(arguments: suite.checks)
/// func conforms(_ check: ConformanceCheck) async throws { try await check.run() }
/// ```
///
/// The checks know nothing of what is behind the store. What is particular to it (file modes, damaged files, processes that
/// are killed) needs tests of its own.
public struct StoreSuite: Sendable {
    let makeStore: @Sendable () async throws -> any Store
    private var hasFolders = false
    let reopen: (@Sendable (any Store) async throws -> any Store)?
    private var cleanUp: (@Sendable (any Store) async throws -> Void)?

    /// A suite for a store that needs no folder.
    ///
    /// - Parameters:
    ///   - makeStore: makes an empty store that shares nothing with those it made before.
    ///   - reopen: opens what the store had kept: anew after it was closed, and once beside it while it is open, as
    ///     another process would; a store that only one at a time may have open throws ``StoreError`` then. nil for a
    ///     store that keeps nothing.
    ///   - cleanUp: removes what the check's store, which is closed by then, has left behind, such as its tables on a
    ///     server; called after each check that ended, whatever it found.
    public init(
        makeStore: @escaping @Sendable () async throws -> any Store,
        reopen: (@Sendable (_ known: any Store) async throws -> any Store)? = nil,
        cleanUp: (@Sendable (_ closed: any Store) async throws -> Void)? = nil
    ) {
        self.makeStore = makeStore
        self.reopen = reopen
        self.cleanUp = cleanUp
    }

    /// For a store in files: each check gets an empty folder of its own, which is removed after it.
    ///
    /// ```swift
    /// let suite = StoreSuite(inFolder: { try MyStore(path: $0 + "/tasks.db") })
    /// ```
    ///
    /// - Parameter open: opens a store in the folder: an empty one, or what an earlier one had kept there. Once the earlier
    ///   one is still open, as another process would have it; a store that only one at a time may have open throws
    ///   ``StoreError`` then.
    public init(inFolder open: @escaping @Sendable (_ folder: String) async throws -> any Store) {
        makeStore = { try await open(CheckFolder.current()) }
        reopen = { _ in try await open(CheckFolder.current()) }
        hasFolders = true
    }

    /// One for each rule; each opens a store of its own, in a folder of its own where there are folders.
    public var checks: [ConformanceCheck] {
        let checks =
            transactionChecks + concurrencyChecks + recordChecks + identifierChecks + queryChecks + metaChecks
            + cursorChecks + absorbChecks + listingChecks + commitChecks + durabilityChecks + filterChecks
        return hasFolders ? CheckFolder.own(for: checks) : checks
    }

    /// A check that gets a store of its own and closes it.
    func check(
        _ name: String, _ body: @escaping @Sendable (any Store) async throws -> Void
    ) -> ConformanceCheck {
        let (makeStore, cleanUp) = (makeStore, cleanUp)
        return ConformanceCheck(name) {
            let store = try await makeStore()
            do {
                try await Expect.noting {
                    try await body(store)
                    try await store.close()
                }
            } catch {
                try? await store.close()
                try? await cleanUp?(store)
                throw error
            }
            try await cleanUp?(store)
        }
    }
}

/// What the checks put into stores.
enum Sample {
    static func uri(_ entity: String, _ id: String) -> ObjectURI { ObjectURI(entity: entity, id: id) }
    static func task(_ id: String) -> ObjectURI { uri("tasks", id) }
    static func tasks(_ ids: [String]) -> [ObjectURI] { ids.map(task) }

    static func record(_ json: String) -> ObjectRecord { ObjectRecord(unchecked: Array(json.utf8)) }
    static func titled(_ title: String) -> ObjectRecord { record("{\"title\":\"\(title)\"}") }

    static func synchronized(
        _ uri: ObjectURI, _ base: ObjectRecord, version: String? = nil, sequence: Int64 = 1, revision: Int64 = 0,
        wireType: ObjectID.WireType = .string
    ) -> MetaObject {
        MetaObject(
            uri: uri, id: ObjectID(uri.id, wireType),
            state: .synchronized(MetaObject.Confirmed(base: base, version: version, sequence: sequence)),
            revision: revision)
    }

    static func updated(_ uri: ObjectURI, base: ObjectRecord = titled("base"), sequence: Int64 = 1) -> MetaObject {
        MetaObject(
            uri: uri, id: ObjectID(uri.id),
            state: .updated(
                MetaObject.Confirmed(base: base, sequence: sequence), Change(idempotencyKey: "key")),
            revision: 1)
    }

    static func created(_ uri: ObjectURI, waitsFor: [ObjectURI] = []) -> MetaObject {
        MetaObject(
            uri: uri, id: ObjectID(uri.id, .temporary),
            state: .created(Change(idempotencyKey: "key"), deleting: false), revision: 1,
            waitsFor: waitsFor)
    }

    /// Every state and phase that is not synchronized, all fields filled.
    static func changes(_ uri: ObjectURI) -> [MetaObject] {
        let base = record(#"{ "spaced" : [1.10, "\u0041\/"], "title": "Bäse" }"#)
        let confirmed = MetaObject.Confirmed(base: base, version: "\"v1\"", sequence: 7)
        let failure = MetaObject.Failure(
            status: 422, message: "refused", fields: [MetaObject.FieldMessage(field: "title", message: "is blank")])
        let snapshot = Attempt(record: titled("sent"), revision: 3, sequence: 8, action: "archive")
        let deletion = Attempt(record: nil, revision: 4, sequence: 9)
        var conflict = MetaObject.Conflict(.clash(["title"]), theirs: titled("theirs"), version: nil, sequence: 10)
        conflict.lost = snapshot
        let gone = MetaObject.Conflict(.deletion, theirs: nil, version: "2", sequence: 11)
        let leased = MetaObject.Conflict(
            .leased(until: Timestamp(milliseconds: 77)), theirs: base, version: nil, sequence: 12)
        let stale = MetaObject.Conflict(.refusedEachTime, theirs: base, version: nil, sequence: 13)
        let verdicts: [Verdict] = [
            .refused(snapshot), .unsendable, .invalid, .dangling(titled("dangling")), .dangling(nil), .notTaken,
            .mistaken,
            .unreadable
        ]
        let phases: [Change.Phase] =
            [
                .waiting, .sending(snapshot), .sending(deletion), .unknown(snapshot), .conflicted(conflict),
                .conflicted(gone), .conflicted(leased), .conflicted(stale)
            ] + verdicts.map { .rejected($0, failure) }
        return phases.flatMap { phase -> [MetaObject] in
            var outgoing = Change(
                phase: phase, retry: Retry(.lookUp, tries: 5, due: Timestamp(milliseconds: -1_234)),
                idempotencyKey: "clé",
                evidence: .inDoubt(isLookedFor: false), lastError: MetaObject.Failure(message: "no answer"))
            outgoing.unanswered = [titled("sent"), base]
            let states: [MetaObject.State] = [
                .created(outgoing, deleting: false), .created(outgoing, deleting: true),
                .updated(confirmed, outgoing), .deleted(confirmed, outgoing)
            ]
            return states.map {
                MetaObject(
                    uri: uri, id: ObjectID("as the server writes it", .number), state: $0, revision: 1 << 40,
                    waitsFor: [task("1/2"), self.uri("lists", "x")])
            }
        }
    }

    /// Every state and phase of an object whose contents wait to be uploaded.
    static func attached(_ uri: ObjectURI) -> [MetaObject] {
        func upload(_ number: Int, _ fileName: String) -> MetaObject.Upload {
            MetaObject.Upload(
                id: "upload \(number)", member: "scan", digest: String(repeating: "0\(number)", count: 32),
                length: Int64(number) << 33, fileName: fileName, mediaType: "image/png",
                base: number == 1 ? .string("old") : nil)
        }
        var sent = Attempt(record: titled("sent"), revision: 3, sequence: 8)
        (sent.upload, sent.member) = ("upload 1", "scan")
        let confirmed = MetaObject.Confirmed(base: titled("base"), sequence: 7)
        let failure = MetaObject.Failure(status: 413, message: "too large")
        let phases: [Change.Phase] = [.waiting, .sending(sent), .unknown(sent), .rejected(.refused(sent), failure)]
        return phases.flatMap { phase -> [MetaObject] in
            let outgoing = Change(phase: phase, idempotencyKey: "key")
            let states: [MetaObject.State] = [
                .updated(confirmed, outgoing), .created(outgoing, deleting: false)
            ]
            return states.map { state in
                var meta = MetaObject(uri: uri, id: ObjectID(uri.id), state: state, revision: 2)
                meta.uploads = [upload(1, "a \"cat\" é.png"), upload(2, "")]
                return meta
            }
        }
    }

    /// A page as an extractor makes it.
    static func page(
        _ items: [(id: PageItemID, json: String, version: String?)], entity: String = "tasks", sequence: Int64 = 10,
        listing: Int64? = nil, deleted: Set<Int> = []
    ) -> Page {
        var page = Page(bytes: Array("{\"items\":[".utf8))
        for (index, item) in items.enumerated() {
            let start = page.bytes.count
            page.bytes += Array(item.json.utf8)
            let end = page.bytes.count
            var version: Range<Int>?
            if let text = item.version {
                page.bytes += Array(text.utf8)
                version = end..<page.bytes.count
            }
            page.items.append(
                PageItem(id: item.id, record: start..<end, version: version, isDeleted: deleted.contains(index)))
        }
        page.entity = entity
        page.sequence = sequence
        page.listing = listing
        return page
    }

    static func numbered(
        _ numbers: some Sequence<Int>, title: String = "old", sequence: Int64 = 10, listing: Int64? = nil
    ) -> Page {
        page(
            numbers.map { (.integer(Int64($0)), "{\"id\":\($0),\"title\":\"\(title)\"}", nil) }, sequence: sequence,
            listing: listing)
    }
}

extension Store {
    /// A write whose kind does not matter.
    func change<Result: Sendable>(_ body: @Sendable (any StoreTransaction) throws -> Result) async throws -> Result {
        try await write(.process, origin: .application, body)
    }

    /// A write whose closure throws at its end. What the store throws instead, or before, comes out.
    func rollBack(_ body: @Sendable (any StoreTransaction) throws -> Void) async throws {
        do {
            try await change { transaction -> Void in
                try body(transaction)
                throw RollBack()
            }
        } catch is RollBack {
            return
        }
        throw ConformanceFailure("an error of the closure must come out of the write")
    }

    @discardableResult
    func absorb(_ page: Page) async throws -> Absorbed {
        try await write(.process, origin: .pull) { try $0.absorb(page, items: page.items.indices) }
    }

    func record(at uri: ObjectURI) async throws -> ObjectRecord? { try await read { try $0.record(at: uri) } }
    func meta(at uri: ObjectURI) async throws -> MetaObject? { try await read { try $0.meta(at: uri) } }
}

/// What a check's own closure throws.
private struct RollBack: Error {}

/// Runs a closure that should throw, and gives back the code.
func code(of body: () async throws -> Void) async throws -> StoreError.Code? {
    do {
        try await body()
        return nil
    } catch let error as StoreError {
        return error.code
    }
}

func code(of body: () throws -> Void) throws -> StoreError.Code? {
    do {
        try body()
        return nil
    } catch let error as StoreError {
        return error.code
    }
}
