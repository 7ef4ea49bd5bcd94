internal import AtmosphereExchange
internal import Synchronization

/// How many bytes of acknowledgements wait until what a client listens to is kept: of all, and of one user, however many
/// connections it has.
final class AcknowledgementBudget: Sendable {
    private struct Held {
        var total = 0
        var byUser: [ScalarText: Int] = [:]
    }

    private let limit: Int
    private let limitPerUser: Int
    private let held = Mutex(Held())

    init(limit: Int = 64 << 20, limitPerUser: Int = 1 << 20) {
        self.limit = limit
        self.limitPerUser = limitPerUser
    }

    /// - Returns: false where that is too much; nothing was taken then.
    func take(_ count: Int, for user: String) -> Bool {
        let user = ScalarText(user)
        return held.withLock { held in
            let own = held.byUser[user, default: 0] + count
            guard held.total + count <= limit, own <= limitPerUser else { return false }
            held.total += count
            held.byUser[user] = own
            return true
        }
    }

    func give(_ count: Int, for user: String) {
        guard count > 0 else { return }
        let user = ScalarText(user)
        held.withLock { held in
            held.total -= count
            let own = held.byUser[user, default: count] - count
            held.byUser[user] = own > 0 ? own : nil
        }
    }

    /// The bytes that wait.
    var count: Int { held.withLock(\.total) }
}
