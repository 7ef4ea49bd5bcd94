internal import Synchronization

/// Hands each commit to every subscriber, at the subscriber's own pace and within bounded memory.
///
/// What a slow subscriber has not read yet is merged: by origin from the 16th waiting commit on, and an entity with
/// more than 1,000 waiting identifiers becomes "any object may have changed". No change is lost by it.
///
/// A store has one, hands out ``subscribe()`` as its ``Store/commits()``, publishes each commit when it can be read, and
/// calls ``finish()`` when it is closed.
public final class CommitPublisher: Sendable {
    private struct WeakSubscription {
        weak var subscription: Subscription?
    }

    private struct State {
        var subscriptions: [WeakSubscription] = []
        var isFinished = false
    }

    private let state = Mutex(State())

    /// A publisher that nobody has subscribed to yet.
    public init() {}

    /// The commits published from now on; it ends with ``finish()`` or with the task that reads it.
    public func subscribe() -> AsyncStream<CommitSet> {
        let subscription = Subscription()
        let isFinished = state.withLock { state in
            state.subscriptions.removeAll { $0.subscription == nil }
            if !state.isFinished { state.subscriptions.append(WeakSubscription(subscription: subscription)) }
            return state.isFinished
        }
        if isFinished { subscription.finish() }
        return AsyncStream {
            await subscription.next()
        } onCancel: {
            subscription.finish()
        }
    }

    /// Hands on a commit; one without objects is nobody's business.
    public func publish(_ commit: CommitSet) {
        guard !commit.objects.isEmpty else { return }
        for each in subscriptions { each.add(commit) }
    }

    /// Nobody reads: a store need not find out what changed.
    package var isUnused: Bool { subscriptions.isEmpty }

    /// Ends every stream, and those that are asked for later.
    public func finish() {
        let ended = subscriptions
        state.withLock {
            $0.isFinished = true
            $0.subscriptions = []
        }
        for each in ended { each.finish() }
    }

    private var subscriptions: [Subscription] { state.withLock { $0.subscriptions.compactMap(\.subscription) } }
}

/// One subscriber's waiting commits.
private final class Subscription: Sendable {
    private struct State {
        var waiting: [CommitSet] = []
        var readers: [CheckedContinuation<CommitSet?, Never>] = []
        var isFinished = false
    }

    private let state = Mutex(State())

    func add(_ commit: CommitSet) {
        let reader: CheckedContinuation<CommitSet?, Never>? = state.withLock { state in
            guard !state.isFinished else { return nil }
            if !state.readers.isEmpty { return state.readers.removeFirst() }
            if state.waiting.count >= 16,
                let same = state.waiting.lastIndex(where: { $0.origin == commit.origin })
            {
                state.waiting[same].merge(commit)
            } else {
                state.waiting.append(commit)
            }
            return nil
        }
        reader?.resume(returning: commit)
    }

    func next() async -> CommitSet? {
        await withCheckedContinuation { continuation in
            let answer: CommitSet?? = state.withLock { state in
                if !state.waiting.isEmpty { return .some(state.waiting.removeFirst()) }
                if state.isFinished { return .some(nil) }
                state.readers.append(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [] }
            return state.readers
        }
        for each in readers { each.resume(returning: nil) }
    }
}
