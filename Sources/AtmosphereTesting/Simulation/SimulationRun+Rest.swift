internal import Atmosphere

/// Everything comes to rest, and the promises are checked.
extension SimulationRun {
    func comeToRest() {
        guard world.violations.isEmpty else { return }
        checkTwins()
        if !scenario.isPlain {
            each("is looked at") { client, synchronizer in
                if let process = client.process { try await client.checkRecords(process, synchronizer) }
            }
        }
        let waiting = pendingCounts()
        let start = rounds
        network.efforts = [:]
        var quietRounds = 0
        // The first may only end what was broken off. As many as it takes until a clock that was set back is where it was.
        for _ in 0..<8 where quietRounds < 2 {
            quietRounds = isQuiet { synchronizeAll() } ? quietRounds + 1 : 0
        }
        checkEfforts(waiting, rounds - start)
        checkSurvivors()
        checkRows()
        for round in 0..<6 where pendingCount() > 0 {
            decideAll(round)
            synchronizeAll()
            synchronizeAll()
        }
        var hasEnded = false
        for round in 0..<3 where !hasEnded {
            hasEnded = isQuiet {
                pullAll()
                decideAll(round + 6)
                synchronizeAll()
            }
        }
        if !hasEnded { pullAll() }
        checkEmpty()
        checkEqual()
        checkLedger()
        checkIdle()
    }

    /// Whether nothing was written, read singly or stored meanwhile, and nothing waits for its time: the same again would
    /// change nothing either.
    private func isQuiet(_ body: () -> Void) -> Bool {
        let before = activity
        body()
        guard let before, activity == before else { return false }
        return !isAnythingDue()
    }

    /// nil where it is not known what is stored.
    private var activity: Int? {
        var total = network.reads + network.writes
        for client in clients {
            guard let watch = client.watch else { return nil }
            total += watch.count
        }
        return total
    }

    private func isAnythingDue() -> Bool {
        final class Found: @unchecked Sendable { var isDue = false }
        let found = Found()
        for client in clients {
            client.run("looks what waits for its time") { _, synchronizer in
                for object in try await synchronizer.pending() {
                    if object.meta.outgoing?.retry.due != nil { found.isDue = true }
                    if case .conflicted(let conflict)? = object.meta.outgoing?.phase, conflict.retryAt != nil {
                        found.isDue = true
                    }
                }
            }
            runOut()
        }
        return found.isDue
    }

    private func each(_ what: String, _ body: @escaping @Sendable (SimulatedClient, Synchronizer) async throws -> Void)
    {
        for client in clients {
            guard world.violations.isEmpty else { return }
            client.run(what) { try await body(client, $1) }
            runOut()
        }
        // Whatever was put off is due then.
        world.run(until: world.now + 600_000)
    }

    func synchronizeAll() {
        // Two processes of one device take turns.
        rounds += 1
        for client in clients where client.isPair { client.acting = rounds % 2 }
        defer { for client in clients { client.acting = 0 } }
        each("synchronizes") { client, synchronizer in
            if client.network.server.model.hasIdentity {
                // Nothing would be sent as another than before, until a pull accepts who it is.
                _ = try await synchronizer.pull(options: client.allowing())
            }
            let report = try await synchronizer.synchronize(options: client.allowing())
            for (entity, pulled) in (report.pull?.entities ?? [:]).sorted(by: { $0.key < $1.key }) {
                if let problem = pulled.problem {
                    client.world.note("\(client.name) cannot pull \(entity): \(problem)")
                }
            }
        }
    }

    private func pullAll() {
        each("pulls everything") { client, synchronizer in
            var options = client.allowing(full: true)
            options.allowedDeletes = 1000
            let report = try await synchronizer.pull(options: options)
            if !report.isComplete {
                let problems = report.entities.sorted { $0.key < $1.key }.compactMap(\.value.problem)
                client.world.violated("\(client.name) cannot pull everything: \(problems)")
            }
        }
    }

    private func decideAll(_ round: Int) {
        each("decides") { client, synchronizer in
            guard let process = client.process else { return }
            for object in try await synchronizer.pending() {
                let choice = round < 3 ? client.random.below(6) : 4
                try await client.decide(object, choice, process, synchronizer)
            }
        }
    }

    /// Each change is one write, another for what a lost create did not send or was left out, one more for an action, and one
    /// for what is created anew.
    /// A refusal is news, after which a change goes again: once, for a read follows it, or as often as one is merged where
    /// nothing can be read, or as a create that may have happened is repeated under its key. An object is read for a change,
    /// before and after its write, or in each pull once for what a list told, lacked or left out.
    private func checkEfforts(_ waiting: [Int], _ rounds: Int) {
        let model = scenario.model
        for (client, changes) in zip(clients, waiting) {
            guard let effort = network.efforts[client.number] else { continue }
            let (writes, refusals) = (effort.writes, effort.refusals)
            let mostRefusals = model.creates == .key ? 8 : model.hasNoRead ? 6 : 2
            let mostWrites = 2 + (model.placing == .none ? 0 : 1) + (model.deletedThere == .recreate ? 1 : 0)
            // What is called otherwise now is refused until a person gives the change up.
            let isBounded =
                writes - refusals <= changes * mostWrites
                && (refusals <= changes * mostRefusals || model.renames)
            if !isBounded {
                world.violated("\(client.name): \(writes) writes, \(refusals) of them refused, for \(changes) changes")
            }
            let pulls = rounds * (model.hasIdentity ? 2 : 1)
            let rows = server.rows.count
            if !model.isLive, !model.renames, effort.reads > pulls * rows + 2 * (changes + writes) {
                world.violated(
                    "\(client.name): \(effort.reads) reads of single objects for \(changes) changes and \(pulls) pulls of "
                        + "\(rows) rows")
            }
        }
    }

    private func pendingCount() -> Int { pendingCounts().reduce(0, +) }

    /// What waits at each client.
    private func pendingCounts() -> [Int] {
        final class Count: @unchecked Sendable { var waiting = 0 }
        return clients.map { client in
            let count = Count()
            client.run("counts") { count.waiting = try await $1.pending().count }
            runOut()
            return count.waiting
        }
    }
}
