#if Notifications
    import NIOCore
    import Synchronization

    /// The way to the event loops for what comes from elsewhere, closed before they end: NIO takes nothing for a loop that
    /// has ended.
    final class LoopGate: Sendable {
        private let isOpen = Mutex(true)

        /// Nothing happens where the loops have ended, or are about to.
        ///
        /// - Returns: whether the loop will do it.
        @discardableResult
        func execute(_ loop: any EventLoop, _ body: @escaping @Sendable () -> Void) -> Bool {
            isOpen.withLock { isOpen in
                if isOpen { loop.execute(body) }
                return isOpen
            }
        }

        func close() { isOpen.withLock { $0 = false } }
    }
#endif
