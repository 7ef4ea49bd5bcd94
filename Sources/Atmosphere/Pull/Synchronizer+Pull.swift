extension Synchronizer {
    /// How a pull goes about it.
    public struct PullOptions: Sendable {
        /// Ask for everything, not for changes since the last pull; finds what is absent.
        public var full = false
        /// Store nothing; count what would change.
        public var dryRun = false
        /// How many objects may be deleted because they are absent from a complete list; nil for the built-in guard of
        /// 20 or 10 % of the entity, whichever is more. A number also accepts another identity than that of the last
        /// complete pull.
        public var allowedDeletes: Int?
        /// Also take versions that are older than those that are here, of ordered versions (`version.order`): for a server
        /// that was restored from a copy. Without it a full pull warns of them. Of use with ``full`` alone.
        public var acceptsOlder = false
        /// Called after each page; must return quickly.
        package var progress: @Sendable (PullProgress) -> Void = { _ in }

        /// Changes since the last pull, stored, with the built-in guard against deletes.
        public init() {}
    }

    /// Brings changes from the server: parents before children, pages in order, a short transaction per hundred
    /// objects. What is edited here is merged, never overwritten.
    ///
    /// Interrupted, it goes on from the last stored page the next time. An entity that fails does not stop the others
    /// unless they are listed under it. Where the route file has an identity check and the server takes us for somebody
    /// else than made what is here (by a complete pull, one that was interrupted, or a push), nothing is asked for, until a
    /// pull with ``PullOptions/allowedDeletes`` accepts the new identity: then all is listed anew.
    ///
    /// - Throws: ``StoreError``, `CancellationError`. What the server did wrong is in the report.
    @discardableResult
    public func pull(entities: [String] = [], options: PullOptions = PullOptions()) async throws -> PullReport {
        let report = try await reporting(options) { try await self.pullAll(entities, $0) }
        let problems = report.entities.values
        activity.found(
            unreachable: problems.first { $0.problemKind == .network }?.problem,
            signInNeeded: problems.first { $0.problemKind == .signInNeeded }?.problem)
        return report
    }

    /// Shows how far a pull has come to those who follow the status, besides those who asked in the options.
    func reporting<Result>(
        _ options: PullOptions, _ body: (PullOptions) async throws -> Result
    ) async rethrows -> Result {
        let number = activity.begin(SyncActivity(kind: .pull, entity: nil, completed: 0, total: nil))
        defer { activity.end(number) }
        var options = options
        options.progress = { [activity, progress = options.progress] news in
            activity.update(number) {
                $0.entity = news.entity
                $0.completed = news.objects
                $0.total = news.total.map { Int(clamping: $0) }
            }
            progress(news)
        }
        return try await body(options)
    }

    private func pullAll(_ entities: [String], _ options: PullOptions) async throws -> PullReport {
        var report = PullReport()
        let identity: String?
        do {
            identity = try await self.identity()
        } catch let error as SyncError {
            // Who asks decides what is shown: without an answer no list can be trusted.
            for resource in try resources(entities) where resource.list.isOffered {
                report.entities[resource.name] = PullReport.Entity(error)
            }
            return report
        }
        for resource in try resources(entities) {
            guard resource.list.isOffered else {
                let none = EntityPull(synchronizer: self, resource: resource, options: options, identity: identity)
                try await none.lists.forgetForeign()
                continue
            }
            let failedParent = resource.parents.first { report.entities[$0.entity]?.problem != nil }
            if let failedParent, resource.list.parentEntities.contains(failedParent.entity) {
                report.entities[resource.name] = .init(problem: "\(failedParent.entity) could not be listed")
                continue
            }
            let pull = EntityPull(
                synchronizer: self, resource: resource, options: options, identity: identity)
            report.entities[resource.name] = try await pull.run()
            noteMissingParents(of: resource, in: &report)
            switch report.entities[resource.name]?.problemKind {
            case .network?, .signInNeeded?: return report
            case .answer?, .tooManyDeletes?, nil: break
            }
        }
        return report
    }

    /// A list that stands under each of its parents is not there before they are.
    private func noteMissingParents(of resource: Resource, in report: inout PullReport) {
        guard let parent = resource.list.parentEntities.last, report.entities[parent] == nil,
            let own = report.entities[resource.name], own.pages == 0, own.problem == nil
        else { return }
        report.entities[resource.name]?.warnings.append(
            "nothing was asked for: \(resource.name) are listed under each of \(parent), and none of \(parent) is here; "
                + "pull \(parent) first")
    }
}

/// What a pull did, by entity.
public struct PullReport: Sendable, Hashable {
    /// What was done with one entity.
    public struct Entity: Sendable, Hashable {
        /// Objects that were not here before.
        public var inserted = 0
        /// Synchronized objects that the server has changed.
        public var updated = 0
        /// Objects that were shown as they are here; none was written.
        public var unchanged = 0
        /// Removed here because the server says, or shows, that they are gone.
        public var deleted = 0
        /// Dropped from the local copy for their age (`retention`).
        public var expired = 0
        /// Objects edited here that the server had changed too.
        public var merged = 0
        /// Objects edited here that a person has to decide.
        public var conflicted = 0
        /// Pages that were read.
        public var pages = 0
        /// Why the pull of this entity is not complete; nil where it is.
        public var problem: String?
        /// What kind of trouble ``problem`` is; nil where there is none.
        package var problemKind: ProblemKind?
        /// What the transport said, where it could reach the server and gave up for good.
        package var transportCode: TransportError.Code?
        /// What a person should know although the pull went on.
        public var warnings: [String] = []

        /// Nothing was done; with `problem`, because of that.
        public init(problem: String? = nil) { self.problem = problem }

        /// Nothing could be asked for.
        init(_ error: SyncError) {
            problem = error.message
            problemKind = .init(error)
        }

        /// Adds what a pull did that was given up, and begun anew.
        mutating func add(_ earlier: Self) {
            inserted += earlier.inserted
            updated += earlier.updated
            deleted += earlier.deleted
            merged += earlier.merged
            conflicted += earlier.conflicted
            pages += earlier.pages
        }

        /// One line for the log.
        var summary: String {
            let counts = [
                (pages, pages == 1 ? "page" : "pages"), (inserted, "new"), (updated, "updated"), (deleted, "deleted"),
                (expired, "expired"),
                (merged, "merged"), (conflicted, "conflicted")
            ]
            let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            let done = words.isEmpty ? "nothing new" : words.joined(separator: ", ")
            return problem.map { "pull not complete: \(done); \($0)" } ?? "pulled: \(done)"
        }
    }

    /// Why a pull is not complete, for code to tell.
    package enum ProblemKind: Sendable, Hashable {
        /// No connection.
        case network
        /// The credentials are not accepted.
        case signInNeeded
        /// The server's answer is not what the route file says.
        case answer
        /// More objects are absent than may be deleted.
        case tooManyDeletes

        init(_ error: SyncError) {
            switch error.code {
            case .signInNeeded: self = .signInNeeded
            case .unreachable: self = .network
            case .tooManyDeletes: self = .tooManyDeletes
            default: self = .answer
            }
        }

        /// What an error of this kind has as its code.
        var code: SyncError.Code {
            switch self {
            case .network: .unreachable
            case .signInNeeded: .signInNeeded
            case .answer: .unexpectedAnswer
            case .tooManyDeletes: .tooManyDeletes
            }
        }
    }

    /// By entity; only those that the pull was to list.
    public var entities: [String: Entity] = [:]

    /// No entity was asked for.
    package init() {}

    /// Every entity was pulled completely.
    public var isComplete: Bool { entities.values.allSatisfy { $0.problem == nil } }
}

/// How far a pull has come.
package struct PullProgress: Sendable, Hashable {
    /// The entity that is listed.
    package var entity: String
    /// Read so far.
    package var pages: Int
    /// Shown so far on these pages, new or not.
    package var objects: Int
    /// What the server says there is in all, where it does.
    package var total: Int64?
}
