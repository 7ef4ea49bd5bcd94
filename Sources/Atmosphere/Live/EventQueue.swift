internal import Synchronization

/// What a message client has reported and nobody has taken yet. Where more waits than the limit, the updates are forgotten
/// and a gap stands in their place.
final class EventQueue: Sendable {
    private struct State {
        var events: [MessageEvent] = []
        var isFinished = false
        var reader: CheckedContinuation<MessageEvent?, Never>?
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int = 4096) { self.limit = limit }

    func put(_ event: MessageEvent) {
        let reader = state.withLock { state -> CheckedContinuation<MessageEvent?, Never>? in
            guard !state.isFinished else { return nil }
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            if state.events.count < limit {
                state.events.append(event)
            } else {
                var kept = KeptEvents()
                for event in state.events + [event] { kept.add(event) }
                state.events = [MessageEvent.gap] + kept.events(notifications: limit / 2)
            }
            return nil
        }
        reader?.resume(returning: event)
    }

    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    /// The next event; nil after ``finish()`` when all are taken, and when the task is cancelled.
    func next() async -> MessageEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (event, isDone) = state.withLock { state -> (MessageEvent?, Bool) in
                    if !state.events.isEmpty { return (state.events.removeFirst(), true) }
                    if state.isFinished { return (nil, true) }
                    state.reader = continuation
                    return (nil, false)
                }
                if isDone { continuation.resume(returning: event) }
            }
        } onCancel: {
            finish()
        }
    }
}

/// What is left of events that are too many: no pull brings it back.
///
/// Of the connection the newest event counts, and of each room the newest since a connection was lost.
private struct KeptEvents {
    private var loss: MessageEvent?
    /// Since the loss; without one the gap says as much.
    private var connection: MessageEvent?
    private var rooms: [(name: String, isJoined: Bool)] = []
    private var notifications: [MessageEvent] = []

    mutating func add(_ event: MessageEvent) {
        switch event.content {
        case .connected: if loss != nil { connection = event }
        case .disconnected: (loss, connection, rooms) = (event, nil, [])
        case .joined(let names): note(names, isJoined: true)
        case .refused(.rooms(let names)): note(names, isJoined: false)
        case .notification: notifications.append(event)
        case .refused(.key), .update, .unusable: break
        }
    }

    private mutating func note(_ names: [String], isJoined: Bool) {
        for name in names {
            rooms.removeAll { $0.name.hasSameBytes(as: name) }
            rooms.append((name, isJoined))
            // Nobody listens to more.
            if rooms.count > LiveRooms.limit { rooms.removeFirst() }
        }
    }

    /// In the order in which they count.
    ///
    /// - Parameter most: the newest are kept.
    func events(notifications most: Int) -> [MessageEvent] {
        let joined = rooms.filter { $0.isJoined }.map { $0.name }
        let refused = rooms.filter { !$0.isJoined }.map { $0.name }
        var events = [loss, connection].compactMap { $0 }
        if !joined.isEmpty { events.append(.roomsJoined(joined)) }
        if !refused.isEmpty { events.append(.roomsRefused(refused)) }
        return events + notifications.suffix(most)
    }
}
