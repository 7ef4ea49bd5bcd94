/// The right to push from one store, shared by all who push in this process: lanes keep them apart object by object.
/// The store's own lock, which keeps other processes out, is taken by the first and released by the last.
actor PushTurn {
    private var holders = 0
    private var lock: HeldLock?
    private var isAcquiring = false
    private var waiting: [AbandonableWait<Void>] = []

    /// - Throws: ``SyncError`` `pushedElsewhere` where another process pushes; ``StoreError``; what `body` throws;
    ///   `CancellationError` while somebody else in this process takes the lock.
    func hold<Result: Sendable>(
        _ store: any Store, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        holders += 1
        defer { leave() }
        try await acquire(store)
        return try await body()
    }

    private func acquire(_ store: any Store) async throws {
        while isAcquiring {
            let end = AbandonableWait<Void>()
            waiting.append(end)
            try await end.value()
        }
        guard lock == nil else { return }
        isAcquiring = true
        defer {
            isAcquiring = false
            let woken = waiting
            waiting = []
            for each in woken { each.end(.success(())) }
        }
        lock = try await store.lockForPush()
        guard lock != nil else {
            throw SyncError(
                code: .pushedElsewhere,
                message: "another process pushes from this store; wait for it to end, or stop it")
        }
    }

    private func leave() {
        holders -= 1
        guard holders == 0 else { return }
        lock?.release()
        lock = nil
    }
}
