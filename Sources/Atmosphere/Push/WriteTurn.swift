/// The turn of a caller who waits to write to the server.
struct WriteTurn: Sendable {
    private let synchronizer: Synchronizer

    init(_ synchronizer: Synchronizer) { self.synchronizer = synchronizer }

    /// Runs `body` as this store's pusher.
    func hold<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
        try await synchronizer.pushTurn.hold(synchronizer.store, body)
    }

    /// Runs `body` as this store's pusher, alone in the lane of an object and with its edit lease.
    ///
    /// - Parameter read: reads what has become of the object, in the lane still, so that who waits for it sees that; the lease is
    ///   given back by then.
    func hold<Result: Sendable>(
        of uri: ObjectURI, _ body: @escaping @Sendable () async throws -> Result,
        then read: @escaping @Sendable (Result) async throws -> Void = { _ in }
    ) async throws -> Result {
        let resource = try synchronizer.resource(uri.entity)
        return try await hold {
            try await synchronizer.lanes.run(at: uri, in: synchronizer.store) {
                try await Ownership(synchronizer).checkSender(of: [resource])
                let result = try await leased(uri, resource, body)
                try await read(result)
                return result
            }
        }
    }

    private func leased<Result: Sendable>(
        _ uri: ObjectURI, _ resource: Resource, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let known = try await recovered(uri, resource), resource.lease != nil, !known.isLocalOnly else {
            return try await body()
        }
        try await LeaseKeeper(synchronizer).take(known.uri, resource)
        let outcome: Swift.Result<Result, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        await LeaseKeeper(synchronizer).giveBack(known.uri, resource)
        return try outcome.get()
    }

    /// A mark left by a process that ended says that a create may have happened.
    private func recovered(_ uri: ObjectURI, _ resource: Resource) async throws -> MetaObject? {
        try await synchronizer.store.write(.power, origin: .push) { transaction -> MetaObject? in
            let object = try transaction.object(at: transaction.alias(of: uri) ?? uri)
            guard let object, let recovered = ChangeEngine(resource).recovered(object) else { return object?.meta }
            try transaction.put([recovered.meta])
            return recovered.meta
        }
    }
}
