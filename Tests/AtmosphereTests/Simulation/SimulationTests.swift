import Atmosphere
import AtmosphereTesting
import Dispatch
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Simulation", .serialized)
struct SimulationTests {
    @Test("the same seed gives the same trace, byte by byte", arguments: [3, 25, 28, 85, 226] as [UInt64])
    func determinism(seed: UInt64) async {
        let first = await Self.run(seed)
        let second = await Self.run(seed)
        #expect(first.digest == second.digest)
        #expect(first.trace == second.trace)
        #expect(first.trace.count > 20)
    }

    @Test("every promise is kept", arguments: (0 as UInt64)..<3)
    func promises(part: UInt64) async {
        for seed in part * 10 + 1...part * 10 + 10 {
            let result = await Self.run(seed)
            #expect(result.failure == nil, "seed \(seed); make simulate SEED=\(seed) shows the trace")
        }
    }

    @Test("seeds that failed once do not fail again")
    func regressions() async throws {
        let seeds = try Self.knownSeeds()
        #expect(!seeds.isEmpty)
        for (seed, isPlain) in seeds {
            let result = await Self.run(seed, isPlain: isPlain)
            let flags = isPlain ? " FLAGS=--plain" : ""
            #expect(result.failure == nil, "seed \(seed); make simulate SEED=\(seed)\(flags) shows the trace")
        }
    }

    @Test("a shrunk scenario leaves steps out and keeps the seed")
    func leavingOut() {
        let scenario = SimulationScenario(seed: 7)
        let first = scenario.steps[0].index
        let smaller = scenario.without(steps: [first], faults: Set(NetworkFault.allCases))
        #expect(smaller.steps == Array(scenario.steps.dropFirst()))
        #expect(smaller.faults.isEmpty)
        #expect(smaller.model == scenario.model)
    }

    @Test("every server that a seed can draw has a route file that loads")
    func routeFiles() throws {
        for seed in 0..<300 as Range<UInt64> {
            let routeFile = try SimulationScenario(seed: seed).model.routeFile()
            #expect(routeFile.resources.map(\.name) == ["lists", "tasks"])
        }
    }

    /// A run blocks its thread, so it has one that is not Swift's own.
    private static func run(_ seed: UInt64, isPlain: Bool = false) async -> SimulationResult {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: Simulation(SimulationScenario(seed: seed, isPlain: isPlain)).run())
            }
        }
    }

    /// `SEED story`, or `SEED plain story` for one that was found before there were live updates, leases and the like.
    private static func knownSeeds() throws -> [(seed: UInt64, isPlain: Bool)] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = root.deletingLastPathComponent().appendingPathComponent("Fixtures/simulation-seeds.txt")
        return try String(decoding: Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
            .compactMap { line in
                let words = line.split(separator: " ")
                return words.first.flatMap { UInt64($0) }.map { ($0, words.dropFirst().first == "plain") }
            }
    }
}
