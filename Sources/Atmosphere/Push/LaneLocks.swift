import Synchronization

/// One lane per object: whoever sends for an object goes first, others wait.
final class LaneLocks: Sendable {
    private struct State {
        /// Who waits, by what is held.
        var busy: [ObjectURI: [CheckedContinuation<Void, Never>]] = [:]
        /// Addresses that objects have got while their lanes were held, by those under which they are held.
        var moved: [ObjectURI: [ObjectURI]] = [:]
    }

    private let state = Mutex(State())

    /// Runs `body` alone for this object.
    func run<Result: Sendable>(_ uri: ObjectURI, _ body: @Sendable () async throws -> Result) async rethrows -> Result {
        try await run([uri], body)
    }

    /// Runs `body` alone for all of these objects. All who take several take them in the same order, so that nobody who
    /// holds one waits for somebody who waits for it.
    func run<Result: Sendable>(
        _ uris: [ObjectURI], _ body: @Sendable () async throws -> Result
    ) async rethrows -> Result {
        let ordered = Set(uris).sorted()
        for uri in ordered { await take(uri) }
        defer { for uri in ordered { release(uri) } }
        return try await body()
    }

    /// An object whose lane is held has another address now: who looks for it there waits, too.
    ///
    /// Where somebody holds that already nothing changes, for waiting here could be for ever.
    ///
    /// - Returns: whether the object is the holder's still; otherwise it is theirs who hold the new address.
    func move(from old: ObjectURI, to new: ObjectURI) -> Bool {
        state.withLock { state in
            let held = state.moved.first { $0.value.contains(old) }?.key ?? old
            guard state.busy[held] != nil else { return true }
            guard state.busy[new] == nil else { return held == new || state.moved[held]?.contains(new) == true }
            state.busy[new] = []
            state.moved[held, default: []].append(new)
            return true
        }
    }

    private func take(_ uri: ObjectURI) async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.busy[uri] != nil else {
                    state.busy[uri] = []
                    return true
                }
                state.busy[uri]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func release(_ uri: ObjectURI) {
        let next = state.withLock { state in
            ([uri] + (state.moved.removeValue(forKey: uri) ?? [])).compactMap { each in
                guard var waiting = state.busy[each], !waiting.isEmpty else {
                    state.busy[each] = nil
                    return Optional<CheckedContinuation<Void, Never>>.none
                }
                let first = waiting.removeFirst()
                state.busy[each] = waiting
                return first
            }
        }
        for each in next { each.resume() }
    }
}
