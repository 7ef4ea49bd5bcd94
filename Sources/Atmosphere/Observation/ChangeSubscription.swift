internal import Synchronization

/// One reader of changes: what has changed since it last looked, and its wish to be woken.
///
/// Nothing queues up: changed identifiers are kept up to a number, beyond which anything may have changed.
class ChangeSubscription: @unchecked Sendable {
    // Subclasses add state of their own behind the same lock; everything here is only touched inside of it.
    private struct Waiting {
        var reader: CheckedContinuation<Void, Never>?
        var isFinished = false
        /// What the next look finds changed; nil for nothing. The first look finds everything changed.
        var news: CommitSet? = CommitSet(origin: .application, objects: [:])
    }

    private let waiting = Mutex(Waiting())
    /// Entities that it follows; nil for all.
    let entities: Set<String>?
    let followsActivity: Bool
    private let hub: ChangeHub

    init(_ hub: ChangeHub, entities: Set<String>?, followsActivity: Bool = false) {
        self.hub = hub
        self.entities = entities
        self.followsActivity = followsActivity
    }

    deinit { hub.leave(ObjectIdentifier(self)) }

    /// Whether a commit is worth waking the reader.
    func concerns(_ commit: CommitSet) -> Bool {
        entities.map { !$0.isDisjoint(with: commit.objects.keys) } ?? true
    }

    func offer(_ commit: CommitSet) {
        guard concerns(commit) else { return }
        wake { waiting in
            var news = waiting.news ?? CommitSet(origin: commit.origin, objects: [:])
            news.merge(commit)
            waiting.news = news
        }
    }

    /// Something changed that is no object.
    func wake() { wake { $0.news = $0.news ?? CommitSet(origin: .application, objects: [:]) } }

    func finish() { wake { $0.isFinished = true } }

    private func wake(_ change: (inout Waiting) -> Void) {
        let reader = waiting.withLock { waiting in
            change(&waiting)
            defer { waiting.reader = nil }
            return waiting.reader
        }
        reader?.resume()
    }

    /// Waits for news, or takes those that there are.
    ///
    /// - Returns: nil at the end, which a cancelled task is too.
    func news() async -> CommitSet? {
        await withTaskCancellationHandler {
            while true {
                let (news, isFinished) = waiting.withLock { waiting in
                    defer { waiting.news = nil }
                    return (waiting.news, waiting.isFinished)
                }
                if isFinished { return nil }
                if let news { return news }
                await withCheckedContinuation { continuation in
                    let isLate = waiting.withLock { waiting in
                        if waiting.news != nil || waiting.isFinished { return true }
                        waiting.reader = continuation
                        return false
                    }
                    if isLate { continuation.resume() }
                }
            }
        } onCancel: {
            finish()
        }
    }
}

/// A reader of one object, under whatever identifier it has.
final class ObjectSubscription: ChangeSubscription, @unchecked Sendable {
    private let entity: String
    private let ids: Mutex<Set<String>>

    init(_ hub: ChangeHub, _ uri: ObjectURI) {
        entity = uri.entity
        ids = Mutex([uri.id])
        super.init(hub, entities: [uri.entity])
    }

    func follow(_ uri: ObjectURI) { ids.withLock { _ = $0.insert(uri.id) } }

    override func concerns(_ commit: CommitSet) -> Bool {
        guard let changed = commit.objects[entity] else { return false }
        return changed.isEmpty || ids.withLock { !changed.isDisjoint(with: $0) }
    }
}

/// Tells every reader of changes what a commit means for it.
///
/// One task reads the store's commits while there are readers. A changed object is read once and tested against each
/// query in memory; a query that it does not concern costs nothing more.
final class ChangeHub: Sendable {
    private struct Reader {
        weak var subscription: ChangeSubscription?
    }

    private struct State {
        var readers: [ObjectIdentifier: Reader] = [:]
        var pump: Task<Void, Never>?
    }

    private let state = Mutex(State())
    let store: any Store

    init(_ store: any Store) { self.store = store }

    deinit { state.withLock { $0.pump?.cancel() } }

    /// The reader hears of every commit from now on.
    func join(_ subscription: ChangeSubscription) {
        state.withLock { state in
            state.readers[ObjectIdentifier(subscription)] = Reader(subscription: subscription)
            guard state.pump == nil else { return }
            // From here on, before the reader looks for the first time.
            let commits = store.commits()
            state.pump = Task { [weak self] in
                for await commit in commits {
                    guard let self else { return }
                    await self.tell(commit)
                }
                self?.end()
            }
        }
    }

    /// A reader is gone.
    func leave(_ reader: ObjectIdentifier) {
        state.withLock { state in
            state.readers[reader] = nil
            guard state.readers.isEmpty else { return }
            state.pump?.cancel()
            state.pump = nil
        }
    }

    func noteActivity() { for each in readers where each.followsActivity { each.wake() } }

    private var readers: [ChangeSubscription] { state.withLock { $0.readers.values.compactMap(\.subscription) } }

    /// The store was closed.
    private func end() {
        guard !Task.isCancelled else { return }
        for each in readers { each.finish() }
    }

    private func tell(_ commit: CommitSet) async {
        var queries: [String: [QuerySubscription]] = [:]
        for each in readers {
            if let query = each as? QuerySubscription, commit.objects[query.entity] != nil {
                queries[query.entity, default: []].append(query)
            } else {
                each.offer(commit)
            }
        }
        for (entity, readers) in queries {
            let ids = commit.objects[entity] ?? []
            let tickets = readers.map { ($0, $0.ticket) }
            let objects = ids.isEmpty ? nil : try? await store.read { try $0.objects(ids, of: entity) }
            for (reader, ticket) in tickets { reader.offer(objects, ids, ticket) }
        }
    }
}
