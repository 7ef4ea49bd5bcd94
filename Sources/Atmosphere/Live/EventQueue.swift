internal import Synchronization

/// What a message client has reported and nobody has taken yet. Where more waits than the limit, all of it is forgotten
/// and a gap stands in its place.
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
                // Notifications are kept as far as there is room: no pull brings them back.
                let kept = state.events.filter { if case .notification = $0.content { true } else { false } }
                state.events = [MessageEvent.gap] + kept.suffix(limit / 2)
                if case .update = event.content {} else { state.events.append(event) }
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
