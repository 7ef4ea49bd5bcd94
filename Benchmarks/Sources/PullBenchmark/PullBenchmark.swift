import Atmosphere

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@main
struct PullBenchmark {
    static func main() async throws {
        let start = ContinuousClock.now
        guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
            print(Options.usage, terminator: "")
            exit(2)
        }
        if let rounds = options.rounds {
            try await SaveLatency(options).run(rounds: rounds)
        } else {
            try await pull(options, since: start)
        }
    }

    /// One pull; the time runs from the start of the program to the closed store.
    private static func pull(_ options: Options, since start: ContinuousClock.Instant) async throws {
        let synchronizer = try await options.open(store: options.store)
        let report = try await synchronizer.pull().checked()
        try await synchronizer.close()
        let wall = (ContinuousClock.now - start).inSeconds
        let use = ResourceUse()
        let count = report.inserted + report.updated + report.unchanged
        print(
            "atmosphere \(report.inserted == count ? "first" : "again") n=\(count) wall=\(wall.rounded(3)) "
                + "obj/s=\(Int(Double(count) / wall)) cpu=\(use.processor.rounded(3)) rss=\(use.memory)MB")
    }
}

extension PullReport {
    /// The one entity's part.
    ///
    /// - Throws: what the pull says went wrong.
    func checked() throws -> Entity {
        let entity = entities["tasks"] ?? Entity(problem: "nothing was pulled")
        if let problem = entity.problem ?? entity.warnings.first { throw PullFailed(description: problem) }
        return entity
    }
}

struct PullFailed: Error, CustomStringConvertible {
    var description: String
}

extension Duration {
    var inSeconds: Double { self / .seconds(1) }
}

extension Double {
    /// With so many digits behind the point.
    func rounded(_ digits: Int) -> String {
        let (whole, fraction) = (self * [1, 10, 100, 1000][digits]).rounded(.toNearestOrEven).remainder(digits)
        return "\(whole).\(fraction)"
    }

    private func remainder(_ digits: Int) -> (Int, String) {
        let scale = [1, 10, 100, 1000][digits]
        let rest = String(Int(self) % scale)
        return (Int(self) / scale, String(repeating: "0", count: digits - rest.count) + rest)
    }
}
