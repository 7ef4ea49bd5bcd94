/// Removes objects here that are gone on the server. What was edited here stays: a person decides, or its push tells.
struct RemovingObjects: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource
    let options: Synchronizer.PullOptions
    /// Who the server takes us for, where the route file asks.
    let identity: String?
    /// See ``IdentityTurns``; how many there were before the pull listed anything.
    let turns: Int
    let tally: PullTally

    /// Rows can move from page to page while they are read, or to another parent, and a list may have more pages than the
    /// route file knows of, so absence proves nothing alone. Where no single object can be read, a second listing has to do.
    var confirmsAbsence: Bool { resource.read.isOffered }

    /// Whom a server does not know any more it may show less, without a word.
    func checkStillOurselves() async throws {
        guard let identity, let now = try await synchronizer.identity() else { return }
        let name = synchronizer.client.toldLine(identity)
        guard now.hasSameBytes(as: identity) else {
            let other = synchronizer.client.toldLine(now)
            throw SyncError(
                code: .signInNeeded,
                message: "the server took us for “\(name)” when the listing began, and takes us for “\(other)” now, "
                    + "so what it does not show may be there; sign in as before and pull again")
        }
        guard synchronizer.identityTurns.count == turns else {
            throw SyncError(
                code: .signInNeeded,
                message: "the server took us for somebody else than “\(name)” while it was listing, so what it "
                    + "does not show may be there; pull again")
        }
    }

    /// - Parameter known: see ``remove(_:because:asOf:by:)``.
    /// - Returns: objects that are not removed before a read has confirmed that they are gone.
    func remove(_ absent: [ObjectURI], because reason: String, asOf known: Int64? = nil) async throws -> [ObjectURI] {
        if options.dryRun {
            tally.add(.init(deleted: absent.count))
            return []
        }
        if confirmsAbsence { return absent }
        for uri in absent { try await remove(uri, because: reason, asOf: known, by: .lists) }
        return []
    }

    /// - Parameters:
    ///   - known: a sequence from before what shows that the object is gone was asked for: what has been confirmed since is
    ///     newer. nil for what a list just told.
    ///   - teller: who tells that it is gone.
    func remove(
        _ uri: ObjectURI, because reason: String, asOf known: Int64?, by teller: Confirmations.Teller
    ) async throws {
        let sequence = known ?? synchronizer.nextSequence()
        let arrival = Confirmations.isNews(by: teller, of: resource) ? synchronizer.nextSequence() : nil
        let resource = resource
        let routeFile = synchronizer.routeFile
        let key = synchronizer.environment.makeUUID()
        let outcome = try await synchronizer.store.write(.process, origin: .pull) { transaction -> Plan.Outcome in
            let plan = ChangeEngine(resource).remote(
                .init(record: nil, id: nil, version: nil, sequence: sequence),
                over: try transaction.object(at: uri), uri: uri, key: key)
            try ObjectWriter(routeFile: routeFile, transaction: transaction).apply(plan, to: uri)
            if let arrival, plan.outcome != .keep {
                try Confirmations(of: resource).note(at: arrival, by: teller, in: transaction)
            }
            return plan.outcome
        }
        switch outcome {
        case .keep: break
        case .remove:
            tally.add(.init(deleted: 1))
            synchronizer.note(uri, "removed: \(reason)")
        case .put(let object):
            if object.meta.isGoneThere { tally.add(.init(conflicted: 1)) }
        }
    }
}
