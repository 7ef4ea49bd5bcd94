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
    /// unless they are listed under it and its own list was not read; nor does the list of one parent that fails stop those
    /// of the others. A server that cannot be reached, asks to wait, or does
    /// not accept the credentials ends the pull, and the report names what was not asked for. Where the route file has an
    /// identity check and the server takes us for somebody else than made what is here (by a complete pull, one that was
    /// interrupted, or a push), nothing is asked for, until a pull with ``PullOptions/allowedDeletes`` accepts the new
    /// identity: then all is listed anew.
    ///
    /// - Throws: ``StoreError``, `CancellationError`. What the server did wrong is in the report.
    @discardableResult
    public func pull(entities: [String] = [], options: PullOptions = PullOptions()) async throws -> PullReport {
        let report = try await reporting(options) { try await self.pullAll(entities, $0) }
        let problems = report.entities.values
        let kinds: [PullReport.ProblemKind] = [.unreached, .silent, .network]
        let unreached = kinds.lazy.compactMap { kind in problems.first { $0.problemKind == kind } }.first
        activity.found(
            unreachable: unreached?.problem,
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
        let all = try resources(entities)
        var isSilent = false
        for (index, resource) in all.enumerated() {
            guard resource.list.isOffered else {
                let none = EntityPull(synchronizer: self, resource: resource, options: options, identity: identity)
                try await none.lists.forgetForeign()
                continue
            }
            if let reason = whyNotListed(resource, in: report) {
                report.entities[resource.name] = .init(problem: reason)
                continue
            }
            let isBelowPart = resource.list.parentEntities.contains { report.entities[$0]?.problem != nil }
            let pull = EntityPull(
                synchronizer: self, resource: resource, options: options, identity: identity, isBelowPart: isBelowPart)
            let pulled = try await pull.run()
            report.entities[resource.name] = pulled
            noteMissingParents(of: resource, in: &report)
            let isEnd: Bool
            switch pulled.problemKind {
            case .unreached?, .signInNeeded?: isEnd = true
            // Two in a row are no slow list: the origin is silent, unless it has answered something else.
            case .silent?: isEnd = isSilent && !report.entities.values.contains { $0.pages > 0 }
            case .network?, .answer?, .tooManyDeletes?, .unasked?, nil: isEnd = false
            }
            isSilent = pulled.problemKind == .silent
            guard isEnd else { continue }
            for other in all[(index + 1)...] where other.list.isOffered {
                report.entities[other.name] = .init(unaskedAfter: resource.name)
            }
            return report
        }
        return report
    }

    /// Why nothing is asked for of an entity that is listed under each of its parents: their own list was not read in this
    /// pull, or shows so few of them that nobody knows which to ask for. nil where it is asked for under those that are here.
    private func whyNotListed(_ resource: Resource, in report: PullReport) -> String? {
        for parent in resource.list.parentEntities where resource.parents.contains(where: { $0.entity == parent }) {
            guard let own = report.entities[parent], own.problem != nil else { continue }
            if own.problemKind == .tooManyDeletes {
                return "not asked for, because more of \(parent) are absent than may be deleted"
            }
            if own.pages == 0 { return "\(parent) could not be listed" }
        }
        return nil
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
