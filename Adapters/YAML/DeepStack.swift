#if YAML
    import Foundation
    import Synchronization

    /// Runs work on a thread whose stack is large enough for it.
    ///
    /// Yams composes recursively, a thousand levels deep before libyaml stops it. That is more than the half megabyte
    /// that a thread may have, and a route file must never end the process.
    enum DeepStack {
        private static let bytes = 16 << 20

        private final class Outcome<Value: Sendable>: Sendable {
            let value = Mutex<Value?>(nil)
            let isThere = DispatchSemaphore(value: 0)
        }

        static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) -> Value {
            let outcome = Outcome<Value>()
            let thread = Thread {
                let value = work()
                outcome.value.withLock { $0 = value }
                outcome.isThere.signal()
            }
            thread.stackSize = bytes
            thread.start()
            outcome.isThere.wait()
            guard let value = outcome.value.withLock({ $0 }) else {
                preconditionFailure("the thread signals after it has stored the value")
            }
            return value
        }
    }
#endif
