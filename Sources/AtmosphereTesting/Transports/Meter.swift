internal import Synchronization

/// A number that several threads add to.
final class Meter: Sendable {
    private let state = Mutex(0)

    var total: Int { state.withLock { $0 } }

    func add(_ count: Int) { state.withLock { $0 += count } }
}
