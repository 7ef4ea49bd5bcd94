import Synchronization

/// What is done by the first who asks, and by nobody after.
package final class Once: Sendable {
    private let work: Mutex<(@Sendable () -> Void)?>

    package init(_ work: @escaping @Sendable () -> Void) { self.work = Mutex(work) }

    package func run() {
        let work = work.withLock { work in
            defer { work = nil }
            return work
        }
        work?()
    }
}
