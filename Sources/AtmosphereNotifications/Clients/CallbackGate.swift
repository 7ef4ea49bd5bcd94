internal import Synchronization

/// Lets so many in at a time; the addresses of those who wait take turns.
final class CallbackGate: Sendable {
    private struct State {
        var free: Int
        /// Who waits, by address, in order; an address stands here as long as among the turns.
        var waiting: [String: [UInt64]] = [:]
        /// First whose turn it is.
        var turns = Queue<String>()
        var answers: [UInt64: CheckedContinuation<Bool, Never>] = [:]
        var last: UInt64 = 0

        mutating func add(_ number: UInt64, _ address: String) {
            if waiting[address] == nil { turns.append(address) }
            waiting[address, default: []].append(number)
        }

        mutating func remove(_ number: UInt64, _ address: String) -> CheckedContinuation<Bool, Never>? {
            if let index = waiting[address]?.firstIndex(of: number) { waiting[address]?.remove(at: index) }
            return answers.removeValue(forKey: number)
        }

        /// Takes the place of the one who came last from the address at which most wait, where they are more than at
        /// this one.
        mutating func replaceOne(for address: String) -> CheckedContinuation<Bool, Never>? {
            let own = waiting[address]?.count ?? 0
            guard let most = waiting.max(by: { $0.value.count < $1.value.count }), most.value.count > own + 1,
                let number = most.value.last
            else { return nil }
            return remove(number, most.key)
        }
    }

    private let limit: Int
    private let limitPerAddress: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - limit: the most who wait. Beyond it the addresses share: who comes from one at which fewer wait than at another
    ///     takes a place there.
    ///   - limitPerAddress: the most who wait at one address.
    init(_ places: Int, limit: Int = 4096, limitPerAddress: Int = 1024) {
        self.limit = limit
        self.limitPerAddress = limitPerAddress
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
                var replaced: CheckedContinuation<Bool, Never>?
                let now: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    if state.waiting[address]?.count ?? 0 >= limitPerAddress { return false }
                    if state.answers.count >= limit {
                        replaced = state.replaceOne(for: address)
                        if replaced == nil { return false }
                    }
                    state.answers[number] = continuation
                    state.add(number, address)
                    return nil
                }
                replaced?.resume(returning: false)
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            state.withLock { $0.remove(number, address) }?.resume(returning: false)
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            while let address = state.turns.popFirst() {
                var numbers = state.waiting.removeValue(forKey: address) ?? []
                // Those who have gone are not here any more.
                guard !numbers.isEmpty else { continue }
                let answer = state.answers.removeValue(forKey: numbers.removeFirst())
                if !numbers.isEmpty {
                    state.waiting[address] = numbers
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
