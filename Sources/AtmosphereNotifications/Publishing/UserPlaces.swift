internal import Synchronization

/// How many clients each user has here, so that one key does not take the places of all others.
///
/// Who finds no place waits for one: most of those who are too many are back from a loss that was not noticed yet, and the
/// places of their old connections will be free soon.
final class UserPlaces: Sendable {
    private struct Waiting {
        var number: UInt64
        var isBack: Bool
        var answer: CheckedContinuation<Bool, Never>
    }

    private struct User {
        var count = 0
        /// In the order in which they came.
        var waiting: [Waiting] = []
    }

    let limit: Int
    private let waitLimit: Int
    private let users = Mutex<[String: User]>([:])
    private let lastNumber = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - limit: the places of each user.
    ///   - waitLimit: the most of one user who wait; as many as it has places, and 1,024 at most, by default.
    init(limit: Int, waitLimit: Int? = nil) {
        self.limit = limit
        self.waitLimit = waitLimit ?? min(limit, 1024)
    }

    /// How many wait for a place.
    var waiting: Int { users.withLock { $0.values.reduce(0) { $0 + $1.waiting.count } } }

    /// - Parameter isBack: whether the client was here before. The loss of its old connection may not have been noticed
    ///   yet, so that it finds a place where a new one does not, up to twice as many.
    private func places(isBack: Bool) -> Int { isBack ? 2 * limit : limit }

    /// Whether a client of the user would have to wait now.
    func isFull(_ user: String, isBack: Bool = false) -> Bool {
        users.withLock { $0[user]?.count ?? 0 } >= places(isBack: isBack)
    }

    /// Takes a place, when there is one; ``give(_:)`` gives it back.
    ///
    /// - Returns: false where too many wait, and where the task was cancelled before its turn came.
    func take(_ user: String, isBack: Bool = false) async -> Bool {
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now: Bool? = users.withLock { users in
                    if Task.isCancelled { return false }
                    if users[user]?.count ?? 0 < places(isBack: isBack) {
                        users[user, default: User()].count += 1
                        return true
                    }
                    guard users[user]?.waiting.count ?? 0 < waitLimit else { return false }
                    users[user, default: User()].waiting.append(
                        Waiting(number: number, isBack: isBack, answer: continuation))
                    return nil
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            let waiting = users.withLock { users -> Waiting? in
                guard let index = users[user]?.waiting.firstIndex(where: { $0.number == number }) else { return nil }
                return users[user]?.waiting.remove(at: index)
            }
            waiting?.answer.resume(returning: false)
        }
    }

    /// Gives a place back; the first who waits and may have it gets it.
    func give(_ user: String) {
        let next = users.withLock { users -> Waiting? in
            guard var known = users[user] else { return nil }
            known.count -= 1
            var next: Waiting?
            if let index = known.waiting.firstIndex(where: { known.count < places(isBack: $0.isBack) }) {
                next = known.waiting.remove(at: index)
                known.count += 1
            }
            users[user] = known.count > 0 || !known.waiting.isEmpty ? known : nil
            return next
        }
        next?.answer.resume(returning: true)
    }
}
