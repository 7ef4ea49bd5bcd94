internal import Synchronization

/// Hands values to every subscriber, at the subscriber's own pace; one who falls far behind loses the oldest.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var nextKey = 0
        var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
        var last: Element?
    }

    private let state = Mutex(State())
    private let limit: Int
    private let repeatsLast: Bool

    /// - Parameters:
    ///   - limit: the most values that wait for one subscriber.
    ///   - repeatsLast: a new subscriber gets the last value first.
    init(limit: Int, repeatsLast: Bool) {
        self.limit = limit
        self.repeatsLast = repeatsLast
    }

    var last: Element? { state.withLock { $0.last } }

    func send(_ element: Element) {
        let continuations = state.withLock { state in
            if repeatsLast { state.last = element }
            return Array(state.continuations.values)
        }
        for continuation in continuations { continuation.yield(element) }
    }

    func subscribe() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream(bufferingPolicy: .bufferingNewest(limit))
        let (key, last) = state.withLock { state in
            state.nextKey += 1
            state.continuations[state.nextKey] = continuation
            return (state.nextKey, state.last)
        }
        if let last { continuation.yield(last) }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.continuations.removeValue(forKey: key) }
        }
        return stream
    }
}
