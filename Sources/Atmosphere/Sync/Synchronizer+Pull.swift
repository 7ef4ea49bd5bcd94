extension Synchronizer {
    /// How a pull goes about it.
    public struct PullOptions: Sendable {
        /// Ask for everything, not for changes since the last pull; finds what is absent.
        public var full = false
        /// Store nothing; count what would change.
        public var dryRun = false
        /// How many objects may be deleted because they are absent from a complete list; nil for the built-in guard of
        /// 20 or 10 % of the entity, whichever is more.
        public var allowedDeletes: Int?
        /// Called after each page; must return quickly.
        public var progress: @Sendable (PullProgress) -> Void = { _ in }

        public init() {}
    }

    /// Brings changes from the server: parents before children, pages in order, a short transaction per hundred
    /// objects. What is edited here is merged, never overwritten.
    ///
    /// Interrupted, it goes on from the last stored page the next time. An entity that fails does not stop the others
    /// unless they are listed under it.
    ///
    /// - Throws: ``StoreError``, `CancellationError`. What the server did wrong is in the report.
    @discardableResult
    public func pull(entities: [String] = [], options: PullOptions = PullOptions()) async throws -> PullReport {
        var report = PullReport()
        for resource in try resources(entities) where resource.list.isOffered {
            let failedParent = resource.parents.first { report.entities[$0.entity]?.problem != nil }
            if let failedParent, resource.list.path.parentEntities.contains(failedParent.entity) {
                report.entities[resource.name] = .init(problem: "\(failedParent.entity) could not be listed")
                continue
            }
            let pull = EntityPull(synchronizer: self, resource: resource, options: options)
            report.entities[resource.name] = try await pull.run()
            if case .network? = report.entities[resource.name]?.problemKind { break }
        }
        return report
    }
}

/// What a pull did, by entity.
public struct PullReport: Sendable, Hashable {
    public struct Entity: Sendable, Hashable {
        public var inserted = 0
        public var updated = 0
        public var unchanged = 0
        public var deleted = 0
        /// Objects edited here that the server had changed too.
        public var merged = 0
        public var conflicted = 0
        public var pages = 0
        /// Why the pull of this entity is not complete; nil where it is.
        public var problem: String?
        public var problemKind: ProblemKind?
        /// What a person should know although the pull went on.
        public var warnings: [String] = []

        public init(problem: String? = nil) { self.problem = problem }
    }

    public enum ProblemKind: Sendable, Hashable {
        /// No connection, or the credentials are not accepted.
        case network
        /// The server's answer is not what the route file says.
        case answer
        /// More objects are absent than may be deleted.
        case tooManyDeletes
    }

    public var entities: [String: Entity] = [:]

    public init() {}

    /// Every entity was pulled completely.
    public var isComplete: Bool { entities.values.allSatisfy { $0.problem == nil } }
}

/// How far a pull has come.
public struct PullProgress: Sendable, Hashable {
    public var entity: String
    public var pages: Int
    public var objects: Int
    /// What the server says there is in all, where it does.
    public var total: Int64?
}
