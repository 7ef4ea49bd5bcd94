/// Orders the lanes of a push: parents' creates before their children's, updates, then deletes from the leaves up;
/// independent lanes concurrently. A pass lists all levels once. What waits for an object is looked at again when the server
/// knows that object, so a chain of new objects costs a lane for each, and no list.
struct PushMachine: SyncMachine {
    /// Changes of one kind of one entity, which may go at once.
    struct Level: Sendable, Hashable {
        var entity: String
        var verb: Verb
        /// How many of them may travel in one request.
        var size = 1
    }

    /// How one lane ended.
    struct Ended: Sendable {
        var uri: ObjectURI
        /// Where the object is now.
        var place: ObjectURI
        var end: LaneMachine.End
        var sent: [Verb]
        var ignored: [LaneMachine.NotTaken]
        var isDisproved = false
        /// What waited for the object, and waits for nothing any more.
        var released: [Released] = []
    }

    /// A change that waits for nothing any more.
    struct Released: Sendable, Hashable {
        var uri: ObjectURI
        var verb: Verb
    }

    enum Event: Sendable {
        case start
        case begun
        /// The next changes of the present level, ascending; fewer than asked for at the end.
        case loaded([ObjectURI])
        /// All lanes that were run together.
        case ended([Ended], now: Timestamp)
        case woke
    }

    enum Effect: Sendable {
        /// A level is begun, or gone back to: what waits for what is looked at anew.
        case begin
        case load(Level, after: ObjectURI?, limit: Int)
        /// Several where their changes can travel together. `onDemand`: somebody asked for this push, so a backoff that
        /// has not run out does not count.
        case run([ObjectURI], onDemand: Bool)
        case wait(until: Timestamp)
    }

    private let levels: [Level]
    private let concurrent: Int
    /// How long a push waits for a retry that is due later.
    private let patience: Duration
    /// Somebody asked for this push, so a backoff that has not run out does not count in its first round.
    private let isAsked: Bool
    static let page = 200

    private var index = 0
    /// The highest level of this pass of which the changes were listed.
    private var listed = 0
    private var queue: ArraySlice<ObjectURI> = []
    private var after: ObjectURI?
    private var isLoading = false
    private var isExhausted = false
    private var running: Set<ObjectURI> = []
    /// What lanes have left to others, which may have had their last look at it before.
    private var left: Set<ObjectURI> = []
    /// By level, what waited when its lane ended, and does no more.
    private var released: [Set<ObjectURI>]
    /// How many runs these are.
    private var runs = 0
    /// Objects were created once more, in a level of updates: what is below them is to be created, too.
    private var hasCreatedLate = false
    /// How many passes have followed another without a pause. Each opens one level at least.
    private var passes = 0
    /// What was tried since the last pause, and stays for a later one, or for a person.
    private var tried: Set<ObjectURI> = []
    /// What this push does not try again: its tries are used up, or the same would come of it.
    private var givenUp: Set<ObjectURI> = []
    /// When the next round begins: when all is due that this push waits for, so that a round tries each of it.
    private var retryAt: Timestamp?
    /// Rounds of retries so far; a server that always asks for patience does not hold a push for ever.
    private var rounds = 0
    private static let mostRounds = 6
    private var isStopped = false
    /// The time when a lane has ended last.
    private var latest: Timestamp?
    private(set) var report = PushReport()

    init(levels: [Level], concurrent: Int, patience: Duration, isAsked: Bool = true) {
        self.levels = levels
        released = Array(repeating: [], count: levels.count)
        self.concurrent = max(1, concurrent)
        self.patience = patience
        self.isAsked = isAsked
    }

    mutating func step(_ event: Event) -> [Effect] {
        switch event {
        case .start, .woke:
            retryAt = nil
            (hasCreatedLate, passes, tried) = (false, 0, givenUp)
            released = Array(repeating: [], count: levels.count)
            return begin(level: 0)
        case .begun: return advance()
        case .loaded(let uris):
            isLoading = false
            isExhausted = uris.count < Self.page
            after = uris.last ?? after
            // What has failed has its pause, also where its level comes once more for the sake of others.
            queue += uris.filter { !running.contains($0) && !queue.contains($0) && !tried.contains($0) }
            return advance()
        case .ended(let lanes, let now):
            runs -= 1
            latest = now
            for lane in lanes {
                running.remove(lane.uri)
                report.vanished.removeAll { $0 == lane.place }
                if lane.isDisproved, ![.rejected, .conflicted].contains(lane.end) { report.vanished.append(lane.place) }
                // What had failed under the address that it had before is settled, too.
                report.standing.remove(lane.uri)
                report.held.subtract([lane.uri, lane.place])
                if lane.end.waitsForOthers { report.held.insert(lane.place) }
                stand(lane.place, lane.end)
                if lane.end.isLeft { tried.insert(lane.place) }
                if case .failed(_, retryAt: nil, kind: _) = lane.end { givenUp.insert(lane.place) }
                if lane.sent.contains(.create), levels[index].verb != .create { hasCreatedLate = true }
                for action in lane.sent.compactMap(\.action) {
                    report.actions.insert(.init(uri: lane.place, action: action))
                }
                report.ignored += lane.ignored.map { .init(uri: lane.uri, members: $0.members, verb: $0.verb) }
                note(lane.uri, lane.end, lane.sent, now: now)
                if lane.end == .held(.inAnotherLane) { left.insert(lane.place) }
                // It is tried again when that is due.
                if case .failed = lane.end { left.remove(lane.place) }
                if !lane.end.waitsForOthers { released[index].subtract([lane.uri, lane.place]) }
                for one in lane.released { wake(one) }
            }
            return advance()
        }
    }

    private var isAtOnce: Bool { isAsked && rounds == 0 }

    /// Notes a change that waits for nothing any more; a level that is not listed yet shows it by itself.
    private mutating func wake(_ one: Released) {
        guard let level = levels.firstIndex(where: { $0.entity == one.uri.entity && $0.verb == one.verb }),
            level <= listed, !tried.contains(one.uri)
        else { return }
        released[level].insert(one.uri)
    }

    /// Looks once more at what was left to a lane that has ended, or that is none of this push, and at what has waited.
    private mutating func takeUp() {
        var free = left.subtracting(running)
        left.subtract(free)
        if released.indices.contains(index) {
            let opened = released[index].subtracting(running)
            released[index].subtract(opened)
            free.formUnion(opened)
        }
        queue += free.subtracting(queue).sorted()
    }

    /// Goes on with the first level that has something to send again, or else with the first that is not listed yet.
    private mutating func proceed() -> [Effect] {
        guard !isStopped else { return finish() }
        guard let level = released.firstIndex(where: { !$0.isEmpty }) else { return begin(level: listed + 1) }
        index = level
        return [.begin]
    }

    private mutating func begin(level: Int) -> [Effect] {
        index = level
        listed = level
        after = nil
        queue = []
        isExhausted = false
        guard index < levels.count, !isStopped else { return finish() }
        return [.begin]
    }

    private mutating func advance() -> [Effect] {
        var effects: [Effect] = []
        let size = index < levels.count ? levels[index].size : 1
        if isStopped {
            queue = []
        } else if queue.count < size {
            takeUp()
        }
        // A request that is not full waits for more, as long as there is more.
        while runs < concurrent, !queue.isEmpty, queue.count >= size || isExhausted {
            let together = Array(queue.prefix(size))
            queue = queue.dropFirst(size)
            running.formUnion(together)
            runs += 1
            effects.append(.run(together, onDemand: isAtOnce))
        }
        if queue.count < size, !isExhausted, !isLoading, !isStopped {
            isLoading = true
            effects.append(.load(levels[index], after: after, limit: Self.page))
        }
        guard effects.isEmpty, running.isEmpty, queue.isEmpty, !isLoading else { return effects }
        return proceed()
    }

    private mutating func finish() -> [Effect] {
        if hasCreatedLate, !isStopped, passes < levels.count {
            passes += 1
            hasCreatedLate = false
            return begin(level: 0)
        }
        guard let retryAt, !isStopped, rounds < Self.mostRounds else { return [] }
        // Where the clock was set back meanwhile it is far away now.
        guard latest.map({ $0.duration(to: retryAt) <= patience }) ?? true else { return [] }
        rounds += 1
        return [.wait(until: retryAt)]
    }

    /// Whether what failed last is the last word.
    private mutating func stand(_ uri: ObjectURI, _ end: LaneMachine.End) {
        switch end {
        case .done, .rejected, .conflicted, .unknown, .held(.synchronized), .held(.needsPerson):
            report.standing.remove(uri)
        case .failed, .held(.notDue): report.standing.insert(uri)
        // The other lane says how it stands.
        case .pending, .held, .offline, .signInNeeded: break
        }
    }

    private mutating func note(_ uri: ObjectURI, _ end: LaneMachine.End, _ sent: [Verb], now: Timestamp) {
        report.count(sent)
        switch end {
        case .done, .pending: break
        case .held(.notDue(let due)): remember(due, now: now)
        case .held(.notOffered): report.notOffered.append(uri)
        case .held(.synchronized), .held(.waitsForParents), .held(.waitsForChange), .held(.needsPerson),
            .held(.inAnotherLane):
            break
        case .failed(let failure, let due, let kind):
            report.failures.append(.init(uri: uri, failure: failure, kind: kind))
            if let due { remember(due, now: now) }
        case .rejected, .conflicted, .unknown: break
        case .offline(let message):
            report.unreachable = message
            isStopped = true
        case .signInNeeded(let message):
            report.signInNeeded = message
            isStopped = true
        }
    }

    private mutating func remember(_ due: Timestamp, now: Timestamp) {
        guard now.duration(to: due) <= patience else { return }
        retryAt = max(retryAt ?? due, due)
    }
}

/// What a push did.
public struct PushReport: Sendable, Hashable {
    /// A try that failed.
    public struct Problem: Sendable, Hashable {
        /// Of which kind a failure is, for code to tell.
        package enum Kind: Sendable, Hashable {
            /// There was no answer, or one that says “later” (5xx, 408, 429): the next push may get through.
            case network
            /// A create whose answer was lost was looked for, and is not there so far: it may be on its way still.
            case notShown
            /// The server has answered, and not as the route file says, or not as it did before.
            case answer
        }

        /// The object that was tried.
        public var uri: ObjectURI
        /// What the try was told.
        public var failure: MetaObject.Failure
        /// Whether time alone may mend it.
        package var kind: Kind
    }

    /// Members of an update, an action or a create that the server accepted and left as they were before it: ones this user
    /// may not write, or that belong into the route file's `readonly`.
    public struct Ignored: Sendable, Hashable {
        /// The object that was changed.
        public var uri: ObjectURI
        /// Those of them that stayed as they were, by the application's names.
        public var members: [String]
        /// What carried them.
        package var verb = Verb.update
    }

    /// An action that the server accepted.
    struct Acted: Sendable, Hashable {
        var uri: ObjectURI
        var action: String
    }

    /// Objects that the server created.
    public var created = 0
    /// Objects whose update, or action alone, the server accepted and did, or a part of it.
    public var updated = 0
    /// Objects whose delete the server accepted.
    public var deleted = 0
    /// Contents that were uploaded.
    public var uploaded = 0
    /// Changes that the server accepted and that did not take; they are kept as rejected.
    public var ignored: [Ignored] = []
    /// Creates that the server accepted and does not show under the identifier that it answered; they stay, as ones whose
    /// outcome is unknown, and are asked for again with later pushes, unless another object stands there. Not counted as
    /// created.
    public var vanished: [ObjectURI] = []
    /// Changes for which the route file offers no operation (any more); they wait until it does, or until somebody discards
    /// them.
    public var notOffered: [ObjectURI] = []
    /// Tries that failed and may be repeated; an object that failed twice is here twice.
    public var failures: [Problem] = []
    /// The objects whose last try failed: no later one made it good. Also ones that failed before this push, and were not due
    /// in it.
    package var standing: Set<ObjectURI> = []
    /// Changes that refer to objects which the server does not know: nothing of this push has brought those there. Deletes that
    /// wait for changes of what the server would delete along, and actions that wait for changes of what they change there.
    package var held: Set<ObjectURI> = []
    /// Actions that the server accepted.
    var actions: Set<Acted> = []
    /// Why the server could not be reached; nil where it could.
    public var unreachable: String?
    /// Why nothing was sent although the server was reached: its answer does not tell who it takes us for, or what is here was
    /// pulled from another server. nil where nothing spoke against it.
    public var problem: String?
    /// Why the credentials are not accepted, or are somebody else's; nil where they are.
    public var signInNeeded: String?

    /// Nothing was sent.
    package init() {}

    /// It ended for all objects: what is behind it would be told the same.
    var isStopped: Bool { unreachable != nil || signInNeeded != nil || problem != nil }

    /// Whether a pull has a chance behind it: where reads are not signed, it needs nobody who is signed in.
    func leavesPull(to routeFile: RouteFile) -> Bool {
        unreachable == nil && problem == nil && (signInNeeded == nil || !routeFile.signsReads)
    }

    /// What one object's lane has sent. An action that goes with an update is part of it.
    mutating func count(_ verbs: [Verb]) {
        for verb in verbs {
            switch verb {
            case .create: created += 1
            case .update: updated += 1
            case .delete: deleted += 1
            case .upload: uploaded += 1
            case .action: break
            }
        }
        let rest = verbs.filter { if case .upload = $0 { false } else { true } }
        let hasOnlyActed = rest.allSatisfy { if case .action = $0 { true } else { false } }
        if hasOnlyActed, !rest.isEmpty { updated += 1 }
    }
}
