package import Atmosphere

/// What a push did, and what is left after it.
package struct PushOutcome {
    package let report: PushReport
    /// Changes that wait for another push.
    package private(set) var waiting = 0
    /// Changes for which the route file has no operation.
    package var notOffered: Int { report.notOffered.count }
    /// Changes of entities that the route file does not have any more.
    package private(set) var undeclared = 0
    package private(set) var conflicted = 0
    package private(set) var rejected = 0
    package private(set) var unknown = 0
    /// Unknown outcomes that a push finds out by itself.
    package private(set) var findable = 0
    /// Changes that wait for objects which the server does not know, with those, and deletes that wait for changes.
    package private(set) var held: [(uri: ObjectURI, reason: String)] = []
    /// Failed in the end, in this push or before it; a failure that a later try made good is not here.
    package private(set) var failed: [Failed] = []
    /// What the server said yes to and did not do, for people.
    package private(set) var ignored: [String] = []

    package struct Failed {
        package var uri: ObjectURI
        package var failure: MetaObject.Failure
        /// The server is not there, or asks to come again: nobody has to look at it.
        package var isLater: Bool
        /// What becomes of it, for the end of a sentence; nil where nothing of it waits for another push.
        package var next: String?

        package var message: String { "\(uri): \(failure.summary)\(next.map { "; \($0)" } ?? "")" }
    }

    package init(_ report: PushReport, in synchronizer: Synchronizer) async throws {
        self.report = report
        for each in report.ignored {
            // What a create left out may have gone with an update since.
            guard let object = try await synchronizer.object(at: each.uri), object.meta.isChanged else { continue }
            ignored.append(Self.ignored(each, of: object))
        }
        for entity in try await synchronizer.status() {
            conflicted += entity.counts.conflicted
            rejected += entity.counts.rejected
            unknown += entity.counts.unknown
            let counts = entity.counts
            let others = counts.changed - counts.conflicted - counts.rejected - counts.unknown
            if entity.isDeclared { waiting += others } else { undeclared += others }
        }
        let holders = report.held.isEmpty ? [:] : try await synchronizer.heldChanges()
        for uri in report.held.sorted() {
            guard let object = try await synchronizer.object(at: uri), let outgoing = object.meta.outgoing,
                !object.meta.waitsFor.isEmpty || holders[object.uri] != nil
            else { continue }
            let reason = outgoing.reason(
                of: object.meta, in: synchronizer.routeFile, holder: holders[object.uri])
            held.append((object.uri, reason))
        }
        waiting -= report.notOffered.count + held.count
        if unknown > 0 { findable = try await synchronizer.pending().count { synchronizer.findsOut($0) } }
        var seen: Set<ObjectURI> = []
        let earlier = report.standing.sorted().map { (uri: $0, problem: PushReport.Problem?.none) }
        let tries = earlier + report.failures.map { ($0.uri, $0) }
        for (tried, problem) in tries.reversed() where !seen.contains(tried) {
            let object = try await synchronizer.object(at: tried)
            let uri = object?.uri ?? tried
            guard report.standing.contains(uri), seen.insert(uri).inserted else { continue }
            let outgoing = object?.meta.outgoing
            guard let failure = outgoing?.lastError ?? problem?.failure else { continue }
            switch outgoing?.phase {
            // What a person decides is told as such.
            case .rejected, .conflicted: continue
            case .unknown: if let object, !synchronizer.findsOut(object) { continue }
            case .waiting, .sending, nil: break
            }
            var each = Failed(
                uri: uri, failure: failure, isLater: problem?.kind != .answer,
                next: outgoing == nil ? nil : "it waits for the next push")
            if let outgoing, let due = outgoing.retry.due, outgoing.isLookedForInVain {
                each.failure = .init(message: Change.lookedForInVain)
                each.next = "asked again from \(due.rfc3339) on, or with the next push"
            }
            failed.append(each)
        }
        failed.reverse()
    }

    package var json: Value {
        let ends = stops.map { stop -> Value in ["code": .string(stop.code), "message": .string(stop.message)] }
        var members: Value.Members = [
            "created": .init(report.created), "updated": .init(report.updated), "deleted": .init(report.deleted),
            "uploaded": .init(report.uploaded),
            "remaining": .object(remaining),
            "ignored": .array(
                report.ignored.map { ["uri": .string($0.uri.description), "fields": .init($0.members)] }),
            "failures": .array(ends + failed.map { $0.failure.json(of: $0.uri) })
        ]
        if !held.isEmpty {
            members["held"] = .array(
                held.map { ["uri": .string($0.uri.description), "reason": .string($0.reason)] })
        }
        return .object(members)
    }

    private var remaining: Value.Members {
        var counts: Value.Members = [
            "waiting": .init(waiting), "conflicted": .init(conflicted), "rejected": .init(rejected),
            "unknown": .init(unknown)
        ]
        if !held.isEmpty { counts["held"] = Value(held.count) }
        if undeclared > 0 { counts["undeclared"] = Value(undeclared) }
        if notOffered > 0 { counts["notOffered"] = Value(notOffered) }
        return counts
    }

    /// What ended the push for all objects.
    private var stops: [ReportedFailure] {
        var stops: [ReportedFailure] = []
        if let message = report.signInNeeded {
            stops.append(.init(code: "signInNeeded", message: message, isNetwork: true))
        }
        if let message = report.unreachable {
            stops.append(.init(code: "unreachable", message: message, isNetwork: true))
        }
        if let message = report.problem {
            stops.append(.init(code: "unexpectedAnswer", message: message, isNetwork: false))
        }
        return stops
    }

    private static func ignored(_ ignored: PushReport.Ignored, of object: LocalObject) -> String {
        let names = ignored.members.joined(separator: ", ")
        let said =
            switch ignored.verb {
            case .create: "the server accepted the create and left \(names) out"
            case .action(let name): "the server accepted \(name.quoted) and left \(names) as it was"
            case .update, .delete, .upload: "the server accepted the update and left \(names) as it was"
            }
        let isRejected = if case .rejected? = object.meta.outgoing?.phase { true } else { false }
        let next = isRejected ? "what was written here is kept (atmos rejected)" : "it goes with the next push"
        // The members of an action may be declared so already.
        let remedy = ignored.verb.action == nil ? "; if it may not be written, name it under readonly" : ""
        return "\(object.uri): \(said); \(next)\(remedy)"
    }

    /// What went wrong, without what waits for a person.
    package var reportedFailures: [ReportedFailure] {
        let others = failed.map { each in
            ReportedFailure(
                code: each.isLater ? "unreachable" : "failed", message: each.message, isNetwork: each.isLater)
        }
        return stops + others
    }
}
