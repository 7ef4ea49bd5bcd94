/// Brings live updates to their objects: each object's in the order of arrival, one at a time, and GETs coalesced.
///
/// Whatever cannot be settled here, because too much arrives at once or the server cannot be asked, ends in one catching
/// up, so that nothing has to be kept without bound and nothing is lost.
struct LiveMachine: SyncMachine {
    enum Event: Sendable {
        case start
        case received(MessageEvent)
        /// The application knows what had arrived.
        case told
        /// Nothing will arrive any more.
        case ended
        case decided(ObjectURI, ChangeEngine.LiveChoice)
        /// The object was asked for; false where that was in vain and a pull has to find out.
        case fetched(ObjectURI, isSettled: Bool)
        /// Time to look at a waiting object again.
        case woke(ObjectURI)
        /// Everything was caught up; false where the server could not be reached.
        case caughtUp(Bool)
        case wokeToCatchUp
    }

    enum Effect: Sendable, Equatable {
        /// Run the client; its end is ``Event/ended``.
        case connect
        /// The next event; none after the end.
        case receive
        /// Ask the engine in a transaction, in the object's lane, and store what it says.
        case decide(LiveUpdate)
        /// GET the object in its lane, and merge what comes.
        case fetch(ObjectURI)
        /// Push and pull.
        case catchUp
        case wait(ObjectURI, Duration)
        case waitToCatchUp(attempts: Int)
        case tell(MessageEvent)
        case warn(String, String)
    }

    /// One object's news.
    private struct Slot {
        var updates: [LiveUpdate] = []
        var activity = Activity.idle
        /// How often the update in front has met a push on the wire.
        var waits = 0

        enum Activity { case idle, deciding, waiting, queuedToFetch, fetching }
    }

    private enum CatchUp { case idle, running, waiting }

    /// The most updates that wait at a time, and the most ids that are remembered.
    static let queueLimit = 1000
    /// A push takes no longer than this many looks; what still looks like one then was left by another process.
    static let waitLimit = 20

    private let entities: Set<String>
    private let concurrent: Int
    private var slots: [ObjectURI: Slot] = [:]
    private var queued = 0
    private var fetchQueue: [ObjectURI] = []
    private var fetching = 0
    private var catchUp = CatchUp.idle
    private var mustCatchUp = false
    private var failures = 0
    /// Updates are dropped until the objects in work are down to half the limit.
    private var isFlooded = false
    private var unknown: Set<String> = []
    private var recentIDs: [ScalarText] = []
    private var recent: Set<ScalarText> = []
    private var effects: [Effect] = []

    /// - Parameters:
    ///   - entities: of the route file; updates of others are ignored.
    ///   - concurrent: GETs at a time.
    init(entities: Set<String>, concurrent: Int) {
        self.entities = entities
        self.concurrent = max(1, concurrent)
    }

    mutating func step(_ event: Event) -> [Effect] {
        switch event {
        case .start: effects = [.connect, .receive]
        case .received(let message):
            received(message)
            // What is told is told in the order of arrival.
            if !effects.contains(.tell(message)) { effects.append(.receive) }
        case .told: effects.append(.receive)
        case .ended: break
        case .decided(let uri, let choice): decided(uri, choice)
        case .fetched(let uri, let isSettled):
            fetching -= 1
            if !isSettled { needCatchUp() }
            slots[uri]?.activity = .idle
            advance(uri)
            startFetches()
        case .woke(let uri):
            slots[uri]?.activity = .idle
            advance(uri)
        case .caughtUp(let isDone):
            if isDone {
                failures = 0
                catchUp = .idle
                if mustCatchUp { needCatchUp() }
            } else {
                failures += 1
                mustCatchUp = true
                catchUp = .waiting
                effects.append(.waitToCatchUp(attempts: failures))
            }
        case .wokeToCatchUp:
            catchUp = .idle
            if mustCatchUp { needCatchUp() }
        }
        let done = effects
        effects = []
        return done
    }

    private mutating func received(_ message: MessageEvent) {
        switch message.content {
        case .connected(let continuity):
            effects.append(.tell(message))
            if continuity != .resumed { needCatchUp() }
        case .disconnected: effects.append(.tell(message))
        // Of a key it is told with the connection that is lost.
        case .refused(.key): break
        case .refused(let refusal):
            effects.append(.tell(message))
            effects.append(.warn("live", refusal.reason))
        case .joined: effects.append(.tell(message))
        case .unusable(let reason): effects.append(.warn("live", "a message was ignored: \(reason)"))
        case .notification(let notification):
            if isNew(notification.id) { effects.append(.tell(message)) }
        case .update(let update):
            guard entities.contains(update.uri.entity) else {
                // Once for each, and not for whatever a confused publisher makes up.
                if unknown.count < 100, unknown.insert(update.uri.entity).inserted {
                    effects.append(
                        .warn(
                            "live",
                            "updates of “\(update.uri.entity)” are ignored: the route file has no such resource"))
                }
                return
            }
            if isNew(update.id) { take(update) }
        }
    }

    /// Publishers send again what they are not sure of, and servers replay.
    private mutating func isNew(_ id: String?) -> Bool {
        guard let id = id.map({ ScalarText($0) }) else { return true }
        guard recent.insert(id).inserted else { return false }
        recentIDs.append(id)
        if recentIDs.count >= Self.queueLimit * 2 {
            for old in recentIDs.prefix(Self.queueLimit) { recent.remove(old) }
            recentIDs.removeFirst(Self.queueLimit)
        }
        return true
    }

    private mutating func take(_ update: LiveUpdate) {
        if isFlooded {
            isFlooded = slots.count > Self.queueLimit / 2
            if isFlooded { return needCatchUp() }
        }
        guard queued < Self.queueLimit, slots.count < Self.queueLimit else { return dropAll() }
        if slots[update.uri]?.activity == .queuedToFetch {
            // The GET that is about to start shows this, too.
            return
        }
        slots[update.uri, default: Slot()].updates.append(update)
        queued += 1
        advance(update.uri)
    }

    /// More than can be kept: one pull finds it all.
    private mutating func dropAll() {
        for (uri, slot) in slots {
            switch slot.activity {
            case .idle, .queuedToFetch: slots[uri] = nil
            case .deciding, .waiting, .fetching: slots[uri]?.updates = []
            }
        }
        queued = 0
        fetchQueue = []
        isFlooded = true
        effects.append(.warn("live", "more updates arrive than can be applied one by one; pulling instead"))
        needCatchUp()
    }

    private mutating func advance(_ uri: ObjectURI) {
        guard let slot = slots[uri], slot.activity == .idle else { return }
        guard let update = slot.updates.first else {
            slots[uri] = nil
            return
        }
        slots[uri]?.activity = .deciding
        effects.append(.decide(update))
    }

    private mutating func decided(_ uri: ObjectURI, _ choice: ChangeEngine.LiveChoice) {
        guard var slot = slots[uri] else { return }
        slot.activity = .idle
        switch choice {
        case .known, .apply:
            dropFirst(of: &slot)
        case .wait where slot.waits < Self.waitLimit && !slot.updates.isEmpty:
            slot.waits += 1
            slot.activity = .waiting
            effects.append(.wait(uri, .milliseconds(min(1000, 25 << min(slot.waits, 6)))))
        case .wait:
            dropFirst(of: &slot)
            slots[uri] = slot
            needCatchUp()
        case .fetch:
            // The GET comes after all that has arrived of the object, so it shows all of that.
            queued -= slot.updates.count
            slot.updates = []
            slot.waits = 0
            slot.activity = .queuedToFetch
            fetchQueue.append(uri)
        }
        slots[uri] = slot
        advance(uri)
        startFetches()
    }

    private mutating func dropFirst(of slot: inout Slot) {
        slot.waits = 0
        guard !slot.updates.isEmpty else { return }
        slot.updates.removeFirst()
        queued -= 1
    }

    private mutating func startFetches() {
        while fetching < concurrent, !fetchQueue.isEmpty {
            let uri = fetchQueue.removeFirst()
            guard slots[uri]?.activity == .queuedToFetch else { continue }
            slots[uri]?.activity = .fetching
            fetching += 1
            effects.append(.fetch(uri))
        }
    }

    private mutating func needCatchUp() {
        guard catchUp == .idle else {
            mustCatchUp = true
            return
        }
        mustCatchUp = false
        catchUp = .running
        effects.append(.catchUp)
    }
}
