import Synchronization

/// What is done by the first who asks, and by nobody after.
final class Once: Sendable {
    private let work: Mutex<(@Sendable () -> Void)?>

    init(_ work: @escaping @Sendable () -> Void) { self.work = Mutex(work) }

    func run() {
        let work = work.withLock { work in
            defer { work = nil }
            return work
        }
        work?()
    }
}
