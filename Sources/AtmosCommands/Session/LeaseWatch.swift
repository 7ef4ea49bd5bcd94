#if Command
    internal import Atmosphere

    /// Tells, beside the rounds of `sync --watch`, of edit leases of this process that ended before they were given back.
    struct LeaseWatch {
        private let synchronizer: Synchronizer
        private let output: Output

        init(_ synchronizer: Synchronizer, _ output: Output) {
            self.synchronizer = synchronizer
            self.output = output
        }

        /// Runs until it is cancelled, or the store is closed. Each end is told once.
        func run() async {
            var told: Set<EditLease> = []
            do {
                for try await leases in synchronizer.leaseChanges() {
                    let ended = leases.filter(\.hasEnded)
                    for lease in ended where told.insert(lease).inserted { try tell(lease) }
                    told.formIntersection(ended)
                }
            } catch {
                // The rounds tell why nothing can be read or written any more.
            }
        }

        private func tell(_ lease: EditLease) throws {
            let reason: String
            switch lease.state {
            case .held: return
            case .ranOut: reason = "it ran out before it was renewed"
            case .lost(let failure, _): reason = failure.summary
            }
            let now = RoundTime.now
            if output.isJSON {
                try output.json([
                    "time": .string(now), "lease": .string(lease.uri.description), "ended": .string(reason)
                ])
            } else {
                try output.remark("\(now)  the edit lease of \(lease.uri) has ended: \(reason)")
            }
        }
    }
#endif
