#if Command
    internal import Atmosphere
    internal import Synchronization

    /// What the system says of the network, beside the rounds of `sync --watch`.
    final class NetworkNews: Sendable {
        private struct State {
            var isAway = false
            var isBack = false
        }

        private let reachability: any Reachability
        private let tell: @Sendable (_ isThere: Bool) -> Void
        private let state = Mutex(State())

        /// - Parameter tell: gets each change; the network counts as there at first.
        init(_ reachability: any Reachability, tell: @escaping @Sendable (_ isThere: Bool) -> Void) {
            self.reachability = reachability
            self.tell = tell
        }

        /// There is none, so that what is edited would only fail.
        var isAway: Bool { state.withLock(\.isAway) }

        /// It has come back since ``takeReturn()`` was asked.
        var isBack: Bool { state.withLock(\.isBack) }

        /// The same; asking takes the mark away.
        func takeReturn() -> Bool {
            state.withLock { state in
                defer { state.isBack = false }
                return state.isBack
            }
        }

        /// A server on the network has answered, whatever the system says.
        func prove() { state.withLock { $0.isAway = false } }

        /// Runs until it is cancelled, or nothing more can be said.
        func run() async {
            for await isThere in reachability.changes() {
                let isNews = state.withLock { state in
                    guard state.isAway == isThere else { return false }
                    state.isAway = !isThere
                    state.isBack = isThere
                    return true
                }
                if isNews { tell(isThere) }
            }
        }
    }
#endif
