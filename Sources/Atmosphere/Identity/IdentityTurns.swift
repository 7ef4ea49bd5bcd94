import Synchronization

/// How often the server took us for somebody else than the time before, by all that was asked since this process began:
/// also a request of another call tells who was answered in between.
final class IdentityTurns: Sendable {
    private let state = Mutex<(last: String?, count: Int)>((nil, 0))

    var count: Int { state.withLock { $0.count } }

    func note(_ name: String) {
        state.withLock { state in
            if let last = state.last, last != name { state.count += 1 }
            state.last = name
        }
    }
}
