internal import AtmosphereExchange
internal import Synchronization

/// How many clients each user has here, so that one key does not take the places of all others.
///
/// Who finds no place waits for one: most of those who are too many are back from a loss that was not noticed yet, and the
/// places of their old connections will be free soon.
final class UserPlaces: Sendable {
    private struct Waiting {
        var number: UInt64
        var isBack: Bool
        var waits: @Sendable () -> Void
        var answer: CheckedContinuation<Bool, Never>
        /// What ends the wait of one who is beyond those who may wait until their connection ends.
        var end: Task<Void, Never>?
    }

    private struct User {
        var count = 0
        /// In the order in which they came; those beyond the limit have an end.
        var waiting: [Waiting] = []

        /// - Returns: who was there, and who may wait now that was beyond.
        mutating func remove(at index: Int, _ waitLimit: Int) -> (Waiting, Waiting?) {
            let gone = waiting.remove(at: index)
            guard index < waitLimit, waiting.count >= waitLimit, waitLimit > 0 else { return (gone, nil) }
            waiting[waitLimit - 1].end?.cancel()
            waiting[waitLimit - 1].end = nil
            return (gone, waiting[waitLimit - 1])
        }
    }

    let limit: Int
    private let waitLimit: Int
    private let random: @Sendable () -> Double
    private let sleep: @Sendable (Duration) async throws -> Void
    private let users = Mutex<[ScalarText: User]>([:])
    private let lastNumber = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - limit: the places of each user.
    ///   - waitLimit: the most of one user who wait as long as they like; as many as it has places, and 1,024 at most, by
    ///     default.
    ///   - random: a number in 0..<1.
    ///   - sleep: returns after a duration, or throws where the task is cancelled.
    init(
        limit: Int, waitLimit: Int? = nil, random: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.limit = limit
        self.waitLimit = waitLimit ?? min(limit, 1024)
        self.random = random
        self.sleep = sleep
    }

    /// How many wait for a place.
    var waiting: Int { users.withLock { $0.values.reduce(0) { $0 + $1.waiting.count } } }

    /// - Parameter isBack: whether the client was here before. The loss of its old connection may not have been noticed
    ///   yet, so that it finds a place where a new one does not, up to twice as many.
    private func places(isBack: Bool) -> Int { isBack ? 2 * limit : limit }

    /// Takes a place, when there is one; ``give(_:)`` gives it back.
    ///
    /// - Parameter waits: called where there is none, and it is, or has become, one of those who may wait.
    /// - Returns: false where the task was cancelled before its turn came, and where too many wait: 4 to 9 seconds later,
    ///   since a client that is told so comes again at once.
    func take(_ user: String, isBack: Bool = false, waits: @escaping @Sendable () -> Void = {}) async -> Bool {
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        let user = ScalarText(user)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (now, mayWait): (Bool?, Bool) = users.withLock { users in
                    if Task.isCancelled { return (false, false) }
                    var known = users[user] ?? User()
                    defer { users[user] = known }
                    if known.count < places(isBack: isBack) {
                        known.count += 1
                        return (true, false)
                    }
                    let mayWait = known.waiting.count < waitLimit
                    known.waiting.append(
                        Waiting(
                            number: number, isBack: isBack, waits: waits, answer: continuation,
                            end: mayWait ? nil : endLater(user, number)))
                    return (nil, mayWait)
                }
                if mayWait { waits() }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            end(user, number)
        }
    }

    private func endLater(_ user: ScalarText, _ number: UInt64) -> Task<Void, Never> {
        let pause = Duration.seconds(4 + 5 * random())
        return Task { [weak self, sleep] in
            do { try await sleep(pause) } catch { return }
            self?.end(user, number, isBeyond: true)
        }
    }

    /// - Parameter isBeyond: whether it is to go on where it may wait by now.
    private func end(_ user: ScalarText, _ number: UInt64, isBeyond: Bool = false) {
        let (gone, moved) = users.withLock { users -> (Waiting?, Waiting?) in
            guard let index = users[user]?.waiting.firstIndex(where: { $0.number == number }),
                !isBeyond || users[user]?.waiting[index].end != nil
            else { return (nil, nil) }
            return users[user]?.remove(at: index, waitLimit) ?? (nil, nil)
        }
        moved?.waits()
        gone?.end?.cancel()
        gone?.answer.resume(returning: false)
    }

    /// Gives a place back; the first who waits and may have it gets it.
    func give(_ user: String) {
        let user = ScalarText(user)
        let (next, moved) = users.withLock { users -> (Waiting?, Waiting?) in
            guard var known = users[user] else { return (nil, nil) }
            known.count -= 1
            var found: (Waiting?, Waiting?) = (nil, nil)
            if let index = known.waiting.firstIndex(where: { known.count < places(isBack: $0.isBack) }) {
                found = known.remove(at: index, waitLimit)
                known.count += 1
            }
            users[user] = known.count > 0 || !known.waiting.isEmpty ? known : nil
            return found
        }
        moved?.waits()
        next?.end?.cancel()
        next?.answer.resume(returning: true)
    }
}
