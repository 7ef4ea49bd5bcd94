import Synchronization

/// An application's own model layer beside a store of ours, kept in step.
///
/// The application's objects stay where they are, in the form that the application gave them; the store holds what
/// synchronization must remember, and of each object the record as it was last written to the model layer, with the
/// members that the application does not know. The two cannot commit together. So a write first commits to the store, with
/// its intent: what the model layer is to become. Then the model layer is written, and then the intent is removed. Where a
/// process ends in between, the next open, or the next write, finds the intent and does it again, which changes nothing
/// that was done already. Each of the three steps is flushed to the device before the next begins, so that a loss of power
/// finds the two no further apart than the end of a process does; that is what a pull of many objects costs more here.
///
/// A model layer may hold a value in a form of its own: a time in UTC, a number without its zeros. What it gives back right
/// after it was written is remembered where it differs, and is no edit.
///
/// Reads and queries are answered from the store. An edit that the application makes in its model layer is told by
/// ``Synchronizer/save(_:at:)`` with the new record, or by ``collectEdits(of:)``; where neither was called yet, a pull or
/// an answer that touches the object finds it, member by member, and keeps it as an edit that is to be sent: an edit is
/// never overwritten unseen. It is an edit like those that are saved: a reference to a new object waits for that, a readonly
/// member is put back, an edit of what is in conflict may end that. One that the route file allows no way to send is among
/// what was refused (``Synchronizer/pending(entity:)``), with the reason; edit the object again, or discard it. Where that
/// is found while the object is on the wire, in doubt or in conflict, it stays in the model layer alone until the answer or
/// the decision. New objects go through ``Synchronizer/save(_:as:)`` and deletions through ``Synchronizer/delete(_:)``; an
/// object that is merely missing in the model layer is put back when it changes next.
///
/// Everything else is as in the store beside the model layer: its lock for the pusher, its notes, its other processes.
public final class PairedStore: Store {
    private let models: any ModelLayer
    private let store: any Store
    private let gate = WriteGate()
    private let makeKey: @Sendable () -> String
    private let routeFile = Mutex<RouteFile?>(nil)
    /// Why the model layer lacks what was kept last; nil where it has everything.
    private let delay = Mutex<StoreNote?>(nil)
    private let listeners = Mutex<[@Sendable (StoreNote) -> Void]>([])

    /// Takes both; ``close()`` closes both. An intent that was left is done.
    ///
    /// - Parameters:
    ///   - store: holds no objects of another model layer; no other part of the program writes to it.
    ///   - makeKey: makes a new text for each edit that is found in the model layer; a random one by default.
    /// - Throws: what the model layer or the store throws. Nothing is lost then; open again.
    public init(
        _ models: any ModelLayer, beside store: any Store,
        makeKey: @escaping @Sendable () -> String = { String(UInt64.random(in: 0 ... .max), radix: 36) }
    ) async throws {
        self.models = models
        self.store = store
        self.makeKey = makeKey
        try await settle()
    }

    /// Those of the store beside the model layer.
    public var contentFolder: ContentFolder? { store.contentFolder }

    /// Reads from the store beside the model layer: of each object the record as it was last written to the model
    /// layer, not what the application has edited there since.
    public func read<Result: Sendable>(
        _ body: @Sendable (any StoreSnapshot) throws -> Result
    ) async throws -> Result {
        try await store.read { try body(PairedTransaction(snapshot: $0)) }
    }

    /// Commits to the store beside, with the intent, then writes the model layer, then removes the intent. Power-safe
    /// whatever durability is asked for.
    ///
    /// A write that the store has kept has succeeded, also where the model layer cannot be written then: ``notes`` and the
    /// synchronizer's log say so, and the next write brings the model layer up to date before it begins, or throws why it cannot.
    ///
    /// - Throws: what `body` throws, ``StoreError`` or `CancellationError`; an error of the model layer that lacks what an
    ///   earlier write kept. Nothing was kept then.
    public func write<Result: Sendable>(
        _ durability: Durability, origin: CommitSet.Origin,
        _ body: @Sendable (any StoreTransaction) throws -> Result
    ) async throws -> Result {
        try await gate.enter(durability)
        defer { gate.leave() }
        let (models, makeKey) = (models, makeKey)
        let routeFile = routeFile.withLock { $0 }
        // Flushed whatever was asked for: the model layer must not be ahead of the intent when the power goes.
        let (result, hasIntent) = try await store.write(.power, origin: origin) { transaction in
            try Self.settle(transaction, models)
            return try models.read { context in
                let paired = PairedTransaction(transaction, context, models, routeFile: routeFile, makeKey: makeKey)
                let result = try body(paired)
                let intent = try paired.intent()
                if let intent { try transaction.upsert([(ModelIntent.uri, intent.record)]) }
                return (result, intent != nil)
            }
        }
        delay.withLock { $0 = nil }
        if hasIntent { await settleOrTell() }
        return result
    }

    private func settleOrTell() async {
        let isWritten = Mutex(false)
        do {
            try await settle { isWritten.withLock { $0 = true } }
        } catch is CancellationError {
            // The next write does it.
        } catch {
            // Told as an error, it would have the caller save a second time what is saved.
            let what =
                isWritten.withLock { $0 }
                ? "what was saved last is in the application's own model layer, and the store beside it cannot note that"
                : "what was saved last is not in the application's own model layer yet"
            let remedy =
                isWritten.withLock { $0 }
                ? "nothing is lost, and nothing more is saved before that is noted"
                : "nothing is lost, and nothing more is saved before it can be written there"
            let note = StoreNote(isWarning: true, message: "\(what): \(error); \(remedy)")
            delay.withLock { $0 = note }
            for tell in listeners.withLock({ $0 }) { tell(note) }
        }
    }

    /// Finds what the application has edited of these objects in its model layer, and keeps it as edits to be sent.
    ///
    /// - Returns: the objects that were found edited.
    @discardableResult
    public func collectEdits(of uris: [ObjectURI]) async throws -> [ObjectURI] {
        try await write(.power, origin: .application) { transaction in
            guard let paired = transaction as? PairedTransaction else { return [] }
            return try uris.filter { try paired.collect(transaction.alias(of: $0) ?? $0) }
        }
    }

    /// The commits of the store beside, without its own bookkeeping. Each is handed on when the write that made it has
    /// reached the model layer, or has failed to.
    public func commits() -> AsyncStream<CommitSet> {
        let commits = CommitIterator(store.commits())
        return AsyncStream(unfolding: { [gate] in
            while var commit = await commits.next() {
                for entity in commit.objects.keys where entity.hasPrefix(ModelIntent.ownEntities) {
                    commit.objects[entity] = nil
                }
                guard !commit.objects.isEmpty else { continue }
                // Whoever hears of a commit finds it in the model layer.
                try? await gate.enter(.power)
                gate.leave()
                return commit
            }
            return nil
        })
    }

    /// Keeps the route file: its rules are those of every edit that is found from now on. The store beside the model layer is
    /// prepared, too.
    public func prepare(for routeFile: RouteFile) async throws {
        self.routeFile.withLock { $0 = routeFile }
        try await store.prepare(for: routeFile)
    }

    /// Keeps the indexes in the store beside; the model layer gets none.
    public func keepIndexes(_ indexes: [QueryIndex]) async throws { try await store.keepIndexes(indexes) }

    /// Asks the store beside; what others write to the model layer itself is not noticed.
    public func checkForOtherWriters() async throws { try await store.checkForOtherWriters() }

    /// The lock of the store beside.
    public func lockForPush() async throws -> HeldLock? { try await store.lockForPush() }

    /// Closes the store beside, then the model layer, after the write under way.
    public func close() async throws {
        try await gate.enter(.power)
        defer { gate.leave() }
        try await store.close()
        try models.close()
    }

    /// Those of the store beside, and why the model layer lacks what was saved last, as long as it does.
    public var notes: [StoreNote] { store.notes + (delay.withLock { $0 }.map { [$0] } ?? []) }

    /// Has notes told of writes that the model layer lacks, and those of the store beside.
    public func tellNotes(_ tell: @escaping @Sendable (StoreNote) -> Void) {
        listeners.withLock { $0.append(tell) }
        store.tellNotes(tell)
    }

    private func settle(written: @escaping @Sendable () -> Void = {}) async throws {
        let models = models
        try await store.write(.power, origin: .application) { try Self.settle($0, models, written: written) }
    }

    /// Does an intent that is left, and removes it.
    private static func settle(
        _ transaction: any StoreTransaction, _ models: any ModelLayer, written: () -> Void = {}
    ) throws {
        guard let record = try transaction.record(at: ModelIntent.uri) else { return }
        let intent = try ModelIntent(record)
        // Flushed before the intent is gone: without it nobody would know that the layer lacks something.
        let forms = try models.write(.power) { try intent.apply(to: $0, from: transaction) }
        written()
        for form in forms { try form.keep(in: transaction) }
        try transaction.delete([ModelIntent.uri])
    }
}

/// An iterator that closures share; its calls come one after another.
private actor CommitIterator {
    private var iterator: AsyncStream<CommitSet>.AsyncIterator?

    init(_ commits: AsyncStream<CommitSet>) { iterator = commits.makeAsyncIterator() }

    func next() async -> CommitSet? {
        guard var taken = iterator else { return nil }
        iterator = nil
        let commit = await taken.next(isolation: self)
        iterator = taken
        return commit
    }
}
