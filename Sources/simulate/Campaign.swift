import Atmosphere
import AtmosphereTesting
import Dispatch
import Foundation
import Synchronization

#if SQLite
    import AtmosphereSQLite
#endif

/// Many seeds, as many at once as there are processors.
struct Campaign: Sendable {
    var seeds: [UInt64]
    var usesSQLite: Bool
    var isPlain = false
    /// Each seed's digest is printed, in the order of the seeds.
    var printsDigests = false

    private struct State {
        var next = 0
        var counts: [String: Int] = [:]
        var failures: [(seed: UInt64, message: String)] = []
        var digest: UInt64 = 0
        var digests: [UInt64: UInt64] = [:]
        var done = 0
    }

    /// - Returns: whether every seed kept every promise.
    func run(untilFailure: Bool) -> Bool {
        let start = Date()
        let state = Mutex(State())
        DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
            while let seed = state.withLock({ state -> UInt64? in
                guard state.next < seeds.count, !untilFailure || state.failures.isEmpty else { return nil }
                state.next += 1
                return seeds[state.next - 1]
            }) {
                let result = simulate(scenario(seed)) { $0.run(keepsTrace: false) }
                state.withLock { state in
                    state.done += 1
                    state.digest ^= result.digest &* (seed | 1)
                    if printsDigests { state.digests[seed] = result.digest }
                    for (name, count) in result.counts { state.counts[name, default: 0] += count }
                    guard let failure = result.failure else { return }
                    state.failures.append((seed, failure))
                    print("seed \(seed): \(failure)")
                    fflush(nil)
                }
            }
        }
        let end = state.withLock { $0 }
        for (seed, digest) in end.digests.sorted(by: { $0.key < $1.key }) {
            print("digest of \(seed): \(String(digest, radix: 16))")
        }
        for (name, count) in end.counts.sorted(by: { $0.key < $1.key }) { print("  \(name): \(count)") }
        let seconds = Date().timeIntervalSince(start)
        print("\(end.done) seeds, \(end.failures.count) failed, digest \(String(end.digest, radix: 16))")
        FileHandle.standardError.write(Data(String(format: "%.1f s\n", seconds).utf8))
        if let worst = end.failures.min(by: { $0.seed < $1.seed }), !untilFailure {
            print("\nthe first, shrunk (again with SEED=\(worst.seed)):")
            _ = show(worst.seed, shrinks: true)
        }
        return end.failures.isEmpty
    }

    /// Prints the trace of one seed.
    ///
    /// - Returns: whether it kept every promise.
    func show(_ seed: UInt64, shrinks: Bool) -> Bool {
        var result = simulate(scenario(seed)) { $0.run() }
        if result.failure != nil, shrinks { result = simulate(scenario(seed)) { $0.shrunk() } }
        for line in result.trace { print(line) }
        let steps = result.scenario.steps.count
        print("seed \(seed), \(steps) steps, digest \(String(result.digest, radix: 16))")
        print(result.failure ?? "every promise was kept")
        return result.failure == nil
    }

    private func scenario(_ seed: UInt64) -> SimulationScenario { SimulationScenario(seed: seed, isPlain: isPlain) }

    private func simulate(
        _ scenario: SimulationScenario, _ body: (Simulation) -> SimulationResult
    ) -> SimulationResult {
        #if SQLite
            if usesSQLite {
                let root = FileManager.default.temporaryDirectory
                    .appending(path: "simulation-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)")
                defer { try? FileManager.default.removeItem(at: root) }
                return body(
                    Simulation(scenario) {
                        let folder = root.appending(path: UUID().uuidString)
                        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                        return { try SQLiteStore(path: folder.appending(path: "\($0).db").path) }
                    })
            }
        #endif
        return body(Simulation(scenario))
    }
}
