import Synchronization

/// One lane per object: whoever sends for an object goes first, others wait.
final class LaneLocks: Sendable {
    private struct State {
        /// Who waits, by what is held.
        var busy: [ObjectURI: [AbandonableWait<Void>]] = [:]
        /// Addresses that objects have got while their lanes were held, by those under which they are held.
        var moved: [ObjectURI: [ObjectURI]] = [:]
    }

    private let state = Mutex(State())

    /// Runs `body` alone for this object.
    ///
    /// - Throws: what `body` throws; `CancellationError` where the task is cancelled while it waits.
    func run<Result: Sendable>(_ uri: ObjectURI, _ body: @Sendable () async throws -> Result) async throws -> Result {
        try await run([uri], body)
    }

    /// Runs `body` alone for all of these objects. All who take several take them in the same order, so that nobody who
    /// holds one waits for somebody who waits for it.
    ///
    /// - Throws: as above; none of the objects is held then.
    func run<Result: Sendable>(
        _ uris: [ObjectURI], _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        var held: [ObjectURI] = []
        defer { for uri in held { release(uri) } }
        for uri in Set(uris).sorted() {
            try await take(uri)
            held.append(uri)
        }
        return try await body()
    }

    /// Runs `body` alone for an object, which may get another address while this waits for its turn.
    func run<Result: Sendable>(
        at uri: ObjectURI, in store: any Store, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        while true {
            let place = try await store.read { try $0.alias(of: uri) ?? uri }
            let result = try await run(place) { () async throws -> Result? in
                guard try await store.read({ try $0.alias(of: place) }) == nil else { return nil }
                return try await body()
            }
            if let result { return result }
        }
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

    /// How many wait for the object; for tests, which cannot see a wait from outside.
    func waiting(for uri: ObjectURI) -> Int { state.withLock { $0.busy[uri]?.count ?? 0 } }

    private func take(_ uri: ObjectURI) async throws {
        let turn = state.withLock { state -> AbandonableWait<Void>? in
            guard state.busy[uri] != nil else {
                state.busy[uri] = []
                return nil
            }
            let turn = AbandonableWait<Void>()
            state.busy[uri]?.append(turn)
            return turn
        }
        guard let turn else { return }
        do {
            try await turn.value()
        } catch {
            state.withLock { $0.busy[uri]?.removeAll { $0 === turn } }
            throw error
        }
    }

    /// Hands each address to who has waited longest for it and has not been cancelled.
    private func release(_ uri: ObjectURI) {
        // Turns are given inside the lock, which no cancellation takes: nobody sees some of the addresses free, and others not.
        state.withLock { state in
            for each in [uri] + (state.moved.removeValue(forKey: uri) ?? []) {
                var waiting = state.busy[each] ?? []
                var isHandedOver = false
                while !isHandedOver, !waiting.isEmpty { isHandedOver = waiting.removeFirst().end(.success(())) }
                state.busy[each] = isHandedOver ? waiting : nil
            }
        }
    }
}
