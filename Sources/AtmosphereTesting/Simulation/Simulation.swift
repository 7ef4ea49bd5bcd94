public import Atmosphere

/// A whole system of clients, network and server in one thread, from one seed.
///
/// The clients are real: synchronizers, engine, machines and stores. Time, network and server are simulated. Faults
/// happen for a while; then they end, everything comes to rest, and what Atmosphere promises is checked. The same
/// scenario gives the same trace, byte by byte.
///
/// ```swift
/// let result = Simulation(SimulationScenario(seed: 7)).run()
/// if let failure = result.failure { print(failure, result.trace) }
/// ```
public struct Simulation: Sendable {
    /// Opens a client's store, by the number of the client. The same number is opened again after a crash.
    public typealias OpenStore = @Sendable (Int) async throws -> any Store

    /// What is run.
    public var scenario: SimulationScenario
    private let stores: (@Sendable () -> OpenStore)?

    /// A simulation of one scenario; nothing runs yet.
    ///
    /// - Parameter stores: called for each run, which begins with empty stores; nil for stores in memory, which also
    ///   lose what was not flushed when power is lost. Others keep every commit, and their calls are one step each.
    public init(_ scenario: SimulationScenario, stores: (@Sendable () -> OpenStore)? = nil) {
        self.scenario = scenario
        self.stores = stores
    }

    /// Runs the scenario in the calling thread, which is blocked until it ends.
    ///
    /// - Parameter keepsTrace: without it only the trace's digest is kept, and a failure has no lines to show.
    public func run(keepsTrace: Bool = true) -> SimulationResult {
        let run = SimulationRun(scenario, keepsTrace: keepsTrace, openStore: stores?())
        run.run()
        let world = run.world
        let result = SimulationResult(
            scenario: scenario, failure: world.violations.first, trace: world.trace.lines,
            digest: world.trace.digest, counts: world.counts)
        run.end()
        return result
    }

    /// Leaves out steps and faults as long as the scenario still fails; for a scenario that fails.
    ///
    /// - Returns: the shortest that was found, with its trace.
    public func shrunk(runs limit: Int = 400) -> SimulationResult {
        var best = run(keepsTrace: false)
        var left = limit
        func attempt(_ smaller: SimulationScenario) -> Bool {
            guard left > 0, smaller != best.scenario else { return false }
            left -= 1
            let result = Simulation(smaller, stores: stores).run(keepsTrace: false)
            guard result.failure != nil else { return false }
            best = result
            return true
        }
        for fault in best.scenario.faults { _ = attempt(best.scenario.without(steps: [], faults: [fault])) }
        var size = max(1, best.scenario.steps.count / 2)
        while size >= 1, left > 0 {
            var start = 0
            var hasShrunk = false
            while start < best.scenario.steps.count {
                let part = best.scenario.steps.dropFirst(start).prefix(size)
                if attempt(best.scenario.without(steps: Set(part.map(\.index)))) {
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if size == 1, !hasShrunk { break }
            size = max(1, size / 2)
        }
        return Simulation(best.scenario, stores: stores).run()
    }
}

/// What a simulation found.
public struct SimulationResult: Sendable {
    /// The scenario that was run; a shrunk one where it was shrunk.
    public var scenario: SimulationScenario
    /// The promise that was broken, and where; nil where all were kept.
    public var failure: String?
    /// What happened, line by line: seconds of the simulated clock, then who did what.
    public var trace: [String]
    /// Tells one trace from another.
    public var digest: UInt64
    /// How often what happened: requests, edits, each kind of fault, kills, commits.
    public var counts: [String: Int]
}
