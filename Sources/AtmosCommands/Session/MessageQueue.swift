#if Command
    internal import Atmosphere
    internal import Synchronization

    /// What a message client reports, on its way to one reader that may be slow.
    ///
    /// It holds so many events and no more: once it is full everything is dropped until the reader has taken what there
    /// is, and gets a gap in its place.
    final class MessageQueue: Sendable {
        private struct State {
            var waiting: [MessageEvent] = []
            var next = 0
            var hasGap = false
            var hasEnded = false
        }

        private let limit: Int
        private let state = Mutex(State())
        private let signs: AsyncStream<Void>
        private let sign: AsyncStream<Void>.Continuation

        init(limit: Int) {
            self.limit = limit
            (signs, sign) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        }

        func add(_ event: MessageEvent) {
            state.withLock { state in
                if !state.hasGap, state.waiting.count - state.next < limit {
                    state.waiting.append(event)
                } else {
                    state.hasGap = true
                }
            }
            sign.yield()
        }

        /// Nothing more will come.
        func finish() {
            state.withLock { $0.hasEnded = true }
            sign.finish()
        }

        /// The next event, when there is one; nil at the end, or when the task is cancelled. For one reader.
        func next() async -> MessageEvent? {
            while true {
                let (event, hasEnded) = state.withLock { (Self.take(&$0), $0.hasEnded) }
                if let event { return event }
                if hasEnded || Task.isCancelled { return nil }
                var iterator = signs.makeAsyncIterator()
                if await iterator.next() == nil, Task.isCancelled { return nil }
            }
        }

        private static func take(_ state: inout State) -> MessageEvent? {
            if state.next < state.waiting.count {
                defer {
                    state.next += 1
                    if state.next * 2 > state.waiting.count {
                        state.waiting.removeFirst(state.next)
                        state.next = 0
                    }
                }
                return state.waiting[state.next]
            }
            guard state.hasGap else { return nil }
            state.hasGap = false
            return .gap
        }
    }
#endif
