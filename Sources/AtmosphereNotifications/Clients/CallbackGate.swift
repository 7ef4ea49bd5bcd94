internal import Synchronization

/// Lets so many in at a time; the addresses of those who wait take turns.
final class CallbackGate: Sendable {
    private struct State {
        var free: Int
        /// Who waits, by address, in order.
        var waiting: [String: Queue<UInt64>] = [:]
        /// The addresses at which somebody waits; first whose turn it is.
        var turns = Queue<String>()
        var answers: [UInt64: CheckedContinuation<Bool, Never>] = [:]
        var last: UInt64 = 0
    }

    private let limit: Int
    private let state: Mutex<State>

    /// - Parameter limit: the most who wait.
    init(_ places: Int, limit: Int = 4096) {
        self.limit = limit
        state = Mutex(State(free: max(1, places)))
    }

    /// How many wait.
    var count: Int { state.withLock { $0.answers.count } }

    /// - Returns: whether a place is taken; ``leave()`` gives it back. False where too many wait, and where the task was
    ///   cancelled before its turn came.
    func enter(_ address: String) async -> Bool {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now: Bool? = state.withLock { state in
                    if Task.isCancelled || state.answers.count >= limit { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    state.answers[number] = continuation
                    if state.waiting[address] == nil { state.turns.append(address) }
                    state.waiting[address, default: Queue()].append(number)
                    return nil
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            state.withLock { $0.answers.removeValue(forKey: number) }?.resume(returning: false)
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            while let address = state.turns.popFirst() {
                var queue = state.waiting.removeValue(forKey: address) ?? Queue()
                var answer: CheckedContinuation<Bool, Never>?
                // Those who have gone are not here any more.
                while answer == nil, let number = queue.popFirst() {
                    answer = state.answers.removeValue(forKey: number)
                }
                if !queue.isEmpty {
                    state.waiting[address] = queue
                    state.turns.append(address)
                }
                if let answer { return answer }
            }
            state.free += 1
            return nil
        }
        next?.resume(returning: true)
    }
}
