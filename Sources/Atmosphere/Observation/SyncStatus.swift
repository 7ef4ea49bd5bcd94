internal import Synchronization

/// How synchronization stands.
public struct SyncStatus: Sendable, Hashable {
    /// Every entity of the route file, in its order.
    public var entities: [EntityStatus]
    /// What is going on now; empty when nothing is.
    public var activities: [SyncActivity]
    /// Whether live updates arrive; ``LiveStatus/off`` where nobody follows them.
    public var live: LiveStatus
    /// ``Synchronizer/pause()`` was called.
    public var isPaused: Bool
    /// The ``Reachability`` of ``Synchronizer/run(_:)`` says that there is no network; false where nobody was asked.
    public var isNetworkAway: Bool
    /// Why the server was not reached the last time; nil where it was.
    public var unreachable: String?
    /// Why the credentials were not accepted the last time; nil where they were.
    public var signInNeeded: String?

    /// All entities together.
    public var counts: StateCounts {
        entities.reduce(into: StateCounts()) { sum, entity in
            sum.objects += entity.counts.objects
            sum.changed += entity.counts.changed
            sum.localOnly += entity.counts.localOnly
            sum.deleted += entity.counts.deleted
            sum.conflicted += entity.counts.conflicted
            sum.rejected += entity.counts.rejected
            sum.unknown += entity.counts.unknown
        }
    }
}

/// A push, a pull, or the transfer of a content under way.
public struct SyncActivity: Sendable, Hashable {
    /// What is going on.
    public enum Kind: String, Sendable, Hashable {
        /// Changes on their way to the server; records on their way here.
        case push, pull
        /// The content of an attachment on its way to the server, or here.
        case upload, download
    }

    /// Whose content is on its way.
    public struct Content: Sendable, Hashable {
        /// The object.
        public var uri: ObjectURI
        /// Its member that stands for the content.
        public var member: String

        package init(uri: ObjectURI, member: String) {
            self.uri = uri
            self.member = member
        }
    }

    /// Which of these it is.
    public var kind: Kind
    /// The entity that is being pulled, or whose content is on its way; nil for a push.
    public var entity: String?
    /// Objects sent, or fetched of this entity; of a content its bytes.
    public var completed: Int
    /// Of how many, where that is known.
    public var total: Int?
    /// nil for a push and for a pull.
    public var content: Content?

    package init(kind: Kind, entity: String?, completed: Int, total: Int?, content: Content? = nil) {
        self.kind = kind
        self.entity = entity
        self.completed = completed
        self.total = total
        self.content = content
    }

    /// From 0 to 1; nil where nobody knows how much there is.
    public var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return min(1, Double(completed) / Double(total))
    }
}

/// What the pushes and pulls of this process are at.
final class SyncActivities: Sendable {
    private struct State {
        var last = 0
        var running: [Int: SyncActivity] = [:]
        var isPaused = false
        var isNetworkAway = false
        var unreachable: String?
        var signInNeeded: String?
    }

    private let state = Mutex(State())
    private let onChange: @Sendable () -> Void

    init(onChange: @escaping @Sendable () -> Void) { self.onChange = onChange }

    func status(_ entities: [EntityStatus], live: LiveStatus) -> SyncStatus {
        state.withLock { state in
            SyncStatus(
                entities: entities, activities: state.running.sorted { $0.key < $1.key }.map(\.value), live: live,
                isPaused: state.isPaused, isNetworkAway: state.isNetworkAway, unreachable: state.unreachable,
                signInNeeded: state.signInNeeded)
        }
    }

    var isPaused: Bool {
        get { state.withLock(\.isPaused) }
        set {
            state.withLock { state in
                state.isPaused = newValue
                // What kept a request back before says nothing of the next one.
                if !newValue { state.unreachable = nil }
            }
            onChange()
        }
    }

    var isNetworkAway: Bool { state.withLock(\.isNetworkAway) }

    /// The system says whether the network is there.
    ///
    /// - Returns: whether it has come back.
    @discardableResult
    func hear(network isThere: Bool) -> Bool {
        let isNews = state.withLock { state in
            defer { state.isNetworkAway = !isThere }
            return state.isNetworkAway == isThere
        }
        if isNews { onChange() }
        return isNews && isThere
    }

    func begin(_ activity: SyncActivity) -> Int {
        let number = state.withLock { state in
            state.last += 1
            state.running[state.last] = activity
            return state.last
        }
        onChange()
        return number
    }

    func update(_ number: Int, _ change: (inout SyncActivity) -> Void) {
        state.withLock { state in
            guard var activity = state.running[number] else { return }
            change(&activity)
            state.running[number] = activity
        }
        onChange()
    }

    func end(_ number: Int) {
        state.withLock { $0.running[number] = nil }
        onChange()
    }

    /// What a push or a pull found of the server.
    func found(unreachable: String?, signInNeeded: String?) {
        state.withLock { state in
            state.unreachable = unreachable
            state.signInNeeded = signInNeeded
        }
        onChange()
    }

    /// What a pull found whose requests nobody signs: it says nothing of who is signed in.
    func found(unreachable: String?) {
        state.withLock { $0.unreachable = unreachable }
        onChange()
    }
}
