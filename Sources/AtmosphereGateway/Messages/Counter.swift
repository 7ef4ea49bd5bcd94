internal import Synchronization

/// How many bytes have passed.
final class Counter: Sendable {
    private let count = Mutex<Int64>(0)

    var value: Int64 { count.withLock { $0 } }

    func add(_ more: Int) -> Int64 {
        count.withLock { count in
            count += Int64(more)
            return count
        }
    }
}
