/// Pulls entities one after the other, parents before what is listed under them.
struct Puller: Sendable {
    private let synchronizer: Synchronizer

    init(_ synchronizer: Synchronizer) { self.synchronizer = synchronizer }

    /// Pulls of these entities what stands below objects: their lists where an entity is listed under them, else all of it.
    func pull(_ entities: [String], below objects: Set<ObjectURI>) async throws {
        guard !entities.isEmpty else { return }
        let present = try await synchronizer.store.read { snapshot in
            try Set(objects.map { try snapshot.alias(of: $0) ?? $0 })
        }
        try await pull(entities, Synchronizer.PullOptions(), below: present)
    }

    /// See ``Synchronizer/pull(entities:options:)``.
    ///
    /// - Parameter objects: see ``EntityPull/below``.
    @discardableResult
    func pull(
        _ entities: [String], _ options: Synchronizer.PullOptions, below objects: Set<ObjectURI>? = nil
    ) async throws -> PullReport {
        let report = try await reporting(options) { try await pullAll(entities, $0, below: objects) }
        let problems = report.entities.values
        let kinds: [PullReport.ProblemKind] = [.unreached, .silent, .network]
        let unreached = kinds.lazy.compactMap { kind in problems.first { $0.problemKind == kind } }.first
        let signInNeeded = problems.first { $0.problemKind == .signInNeeded }?.problem
        if synchronizer.routeFile.signsReads || signInNeeded != nil {
            synchronizer.activity.found(unreachable: unreached?.problem, signInNeeded: signInNeeded)
        } else {
            synchronizer.activity.found(unreachable: unreached?.problem)
        }
        return report
    }

    /// Shows how far a pull has come to those who follow the status, besides those who asked in the options.
    func reporting<Result>(
        _ options: Synchronizer.PullOptions, _ body: (Synchronizer.PullOptions) async throws -> Result
    ) async rethrows -> Result {
        let number = synchronizer.activity.begin(SyncActivity(kind: .pull, entity: nil, completed: 0, total: nil))
        defer { synchronizer.activity.end(number) }
        var options = options
        options.progress = { [activity = synchronizer.activity, progress = options.progress] news in
            activity.update(number) {
                $0.entity = news.entity
                $0.completed = news.objects
                $0.total = news.total.map { Int(clamping: $0) }
            }
            progress(news)
        }
        return try await body(options)
    }

    private func pullAll(
        _ entities: [String], _ options: Synchronizer.PullOptions, below objects: Set<ObjectURI>?
    ) async throws -> PullReport {
        var report = PullReport()
        let identity: String?
        do {
            identity = try await Ownership(synchronizer).reader()
        } catch let error as SyncError {
            // Who asks decides what is shown: without an answer no list can be trusted.
            for resource in try synchronizer.resources(entities) where resource.list.isOffered {
                report.entities[resource.name] = PullReport.Entity(error)
            }
            return report
        }
        let all = try synchronizer.resources(entities)
        if options.allowedDeletes != nil, !options.dryRun {
            try await Ownership(synchronizer).noteAuthor(accepting: all)
        }
        var silence = Silence()
        for (index, resource) in all.enumerated() {
            let partlyListed = resource.list.parentEntities.filter { report.entities[$0]?.problem != nil }
            var pull = EntityPull(
                synchronizer: synchronizer, resource: resource, options: options, identity: identity,
                partlyListed: partlyListed)
            if let objects, pull.canBeRead(below: objects) { pull.below = objects }
            guard resource.list.isOffered else {
                try await pull.lists.forgetForeign()
                if !options.dryRun { try await pull.retention.run() }
                let dropped = pull.tally.report
                if dropped.expired > 0 { report.entities[resource.name] = dropped }
                continue
            }
            if let reason = whyNotListed(resource, in: report) {
                report.entities[resource.name] = .init(problem: reason)
                continue
            }
            let pulled = try await pull.run()
            report.entities[resource.name] = pulled
            noteMissingParents(of: resource, in: &report)
            if options.dryRun { noteUnstoredParents(of: resource, in: &report) }
            if pulled.problemKind == .silent { silence.note() } else { silence.end() }
            guard isEnd(pulled, silence, in: report) else { continue }
            for other in all[(index + 1)...] where other.list.isOffered {
                report.entities[other.name] = .init(unaskedAfter: resource.name)
            }
            return report
        }
        return report
    }

    /// Whether nothing else is asked for.
    private func isEnd(_ pulled: PullReport.Entity, _ silence: Silence, in report: PullReport) -> Bool {
        switch pulled.problemKind {
        case .unreached?, .signInNeeded?: true
        // Unless it has answered something else.
        case .silent?: silence.isOrigin && !report.entities.values.contains { $0.pages > 0 }
        case .network?, .answer?, .tooManyDeletes?, .unasked?, nil: false
        }
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

    /// A dry run asks for nothing below a parent that is new, for it stores none.
    private func noteUnstoredParents(of resource: Resource, in report: inout PullReport) {
        guard let parent = newParent(of: resource, in: report) else { return }
        report.entities[resource.name]?.warnings.append(
            "what is below new \(parent) was not asked for, and is not counted: a dry run stores none of them")
    }

    /// The entity of which a list that this one stands below has shown new objects; nil where none has.
    private func newParent(of resource: Resource, in report: PullReport) -> String? {
        for parent in resource.list.parentEntities {
            if report.entities[parent]?.inserted ?? 0 > 0 { return parent }
            guard let above = synchronizer.routeFile.resource(parent) else { continue }
            if let found = newParent(of: above, in: report) { return found }
        }
        return nil
    }
}
