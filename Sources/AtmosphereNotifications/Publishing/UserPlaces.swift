internal import Synchronization

/// How many clients each user has here, so that one key does not take the places of all others.
final class UserPlaces: Sendable {
    let limit: Int
    private let counts = Mutex<[String: Int]>([:])

    init(limit: Int) { self.limit = limit }

    /// - Parameter isBack: whether the client was here before. The loss of its old connection may not have been noticed
    ///   yet, so that it finds a place where a new one does not, up to twice as many.
    /// - Returns: false where the user has no more places.
    func take(_ user: String, isBack: Bool = false) -> Bool {
        counts.withLock { counts in
            guard counts[user, default: 0] < (isBack ? 2 * limit : limit) else { return false }
            counts[user, default: 0] += 1
            return true
        }
    }

    func give(_ user: String) {
        counts.withLock { counts in
            let count = counts[user, default: 1] - 1
            counts[user] = count > 0 ? count : nil
        }
    }
}
