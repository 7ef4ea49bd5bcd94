extension Synchronizer {
    /// Brings a view from the server: its objects are stored like those of any list, and which they are is remembered.
    ///
    /// An object that the view does not show any more leaves the view and nothing else; it stays in the entity. Where the
    /// route file has an identity check, nothing is asked for as somebody else than made what is here.
    ///
    /// - Parameter parameters: by the names that the route file gives them.
    /// - Throws: ``SyncError`` `unknownName` or `invalidRecord` for the view and its parameters; ``StoreError``,
    ///   `CancellationError`. What the server did wrong is in the report.
    @discardableResult
    public func pull(
        view: String, of entity: String, parameters: [String: String] = [:], options: PullOptions = PullOptions()
    ) async throws -> PullReport {
        let reader = try ViewReader(self, view, of: entity, parameters)
        var report = PullReport()
        report.entities[entity] = try await Puller(self).reporting(options) { try await reader.pull($0) }
        return report
    }

    /// The local records of a view in the server's order, as it was when it was last pulled; empty before. Objects that
    /// were deleted here since are left out.
    ///
    /// - Throws: ``SyncError`` as above; ``StoreError``.
    public func records(
        in view: String, of entity: String, parameters: [String: String] = [:]
    ) async throws -> [(uri: ObjectURI, record: ObjectRecord)] {
        let reader = try ViewReader(self, view, of: entity, parameters)
        return try await store.read { try reader.records(in: $0) }
    }

    /// Whether a pull of the entity, or of a view of it, has stored anything yet or come to its end.
    ///
    /// - Throws: ``SyncError`` as above; ``StoreError``.
    package func wasPulled(_ entity: String, view: String?, parameters: [String: String]) async throws -> Bool {
        let resource = try resource(entity)
        let reader = try view.map { try ViewReader(self, $0, of: entity, parameters) }
        return try await store.read { snapshot in
            if let reader { return try reader.wasPulled(in: snapshot) }
            let lists = try snapshot.cursors(entity: resource.name).contains {
                $0.scope.isList && $0.cursor.hasListed
            }
            return try lists || snapshot.counts()[resource.name]?.objects ?? 0 > 0
        }
    }

    /// A view's local records first, then the same after the server was asked; see ``fetch(_:)``.
    public func fetch(view: String, of entity: String, parameters: [String: String] = [:]) -> FetchSequence {
        FetchSequence(
            entity: entity,
            local: { try await self.records(in: view, of: entity, parameters: parameters) },
            pull: { try await self.pull(view: view, of: entity, parameters: parameters) },
            readDetails: {
                guard try self.resource(entity).readsDetails else { return }
                try await self.readDetails(of: self.records(in: view, of: entity, parameters: parameters).map(\.uri))
            })
    }
}
