internal import Synchronization

/// A reader of a query's answer.
final class QuerySubscription: ChangeSubscription, @unchecked Sendable {
    // All state stands in the mutex.
    fileprivate struct State {
        var window: QueryWindow
        var needsLoad = true
        /// The store is being asked: what changes meanwhile is asked for again.
        var isLoading = false
        var missed: Set<String> = []
        var loads = 0
        var delivered: [LocalObject]?
    }

    private let state: Mutex<State>
    let entity: String

    init(_ hub: ChangeHub, _ window: QueryWindow) {
        entity = window.query.entity
        state = Mutex(State(window: window))
        super.init(hub, entities: [window.query.entity])
    }

    /// Says which answer of the store a change belongs behind; see ``offer(_:_:_:)``.
    var ticket: Int { state.withLock { $0.isLoading ? -1 : $0.loads } }

    /// - Parameters:
    ///   - objects: as they were after `ticket` was drawn; nil where any object may have changed.
    ///   - ids: what changed.
    func offer(_ objects: [String: LocalObject?]?, _ ids: Set<String>, _ ticket: Int) {
        let isNews = state.withLock { state -> Bool in
            guard let objects else {
                state.needsLoad = true
                return true
            }
            guard ticket == state.loads, !state.isLoading else {
                // The objects may be older than what the store has answered since.
                if CommitSet.cannotUnite(state.missed, ids) { state.needsLoad = true }
                state.missed.formUnion(ids)
                if state.missed.count > CommitSet.largestSet { state.needsLoad = true }
                return true
            }
            if state.needsLoad { return false }
            return state.apply(objects)
        }
        if isNews { wake() }
    }

    /// The next answer that differs from the one before.
    ///
    /// - Returns: nil at the end.
    func next(_ store: any Store) async throws -> [LocalObject]? {
        while true {
            // Taken before looking, so that what comes while looking is found by the next look.
            guard await news() != nil else { return nil }
            do {
                if let objects = try await look(store) { return objects }
            } catch {
                finish()
                throw error
            }
        }
    }

    private func look(_ store: any Store) async throws -> [LocalObject]? {
        while true {
            let (load, missed, query) = state.withLock { state in
                defer {
                    state.isLoading = state.needsLoad || !state.missed.isEmpty
                    state.needsLoad = false
                    state.missed = []
                }
                return (state.needsLoad, state.missed, state.window.query)
            }
            if load {
                let objects = try await store.read { try $0.objects(matching: query) }
                state.withLock { state in
                    state.window.fill(objects)
                    state.loads += 1
                    state.isLoading = false
                }
            } else if !missed.isEmpty {
                let objects = try await store.read { try $0.objects(missed, of: entity) }
                state.withLock { state in
                    _ = state.apply(objects)
                    state.loads += 1
                    state.isLoading = false
                }
            }
            let (isSettled, objects) = state.withLock { state -> (Bool, [LocalObject]?) in
                if state.needsLoad || !state.missed.isEmpty { return (false, nil) }
                let objects = state.window.objects
                if objects == state.delivered { return (true, nil) }
                state.delivered = objects
                return (true, objects)
            }
            if isSettled { return objects }
        }
    }
}

extension QuerySubscription.State {
    /// - Returns: whether the reader has something to see.
    fileprivate mutating func apply(_ objects: [String: LocalObject?]) -> Bool {
        var isNews = false
        for (id, object) in objects {
            switch window.apply(id, object) {
            case .same: break
            case .changed: isNews = true
            case .stale:
                needsLoad = true
                return true
            }
        }
        return isNews
    }
}
