import Atmosphere
import AtmosphereTesting
import Dispatch
import Foundation
import Synchronization

#if SQLite
    import AtmosphereSQLite
#endif

/// Runs simulations from seeds: many, to find one that fails; or one, with its trace.
@main
enum Simulate {
    static let usage = """
        simulate SEEDS [--sqlite] [--plain] [--first] [--whole] [--digests]

          SEEDS     1-2000, or 7 for one seed with its trace, or a file with a seed at the start of each line
          --sqlite  stores in SQLite files instead of in memory
          --plain   without live updates, leases, actions, batches and second processes
          --first   end with the first seed that fails, and say how many it took
          --whole   do not shrink the trace of one seed that fails
          --digests print a digest of each seed's trace, which tells whether two builds do the same
        """

    static func main() {
        let words = CommandLine.arguments.dropFirst()
        guard let argument = words.first(where: { !$0.hasPrefix("--") }), let seeds = seeds(argument) else {
            print(usage)
            exit(2)
        }
        let options = Set(words.filter { $0.hasPrefix("--") })
        guard options.isSubset(of: ["--sqlite", "--plain", "--first", "--whole", "--digests"]) else {
            print(usage)
            exit(2)
        }
        let campaign = Campaign(
            seeds: seeds, usesSQLite: options.contains("--sqlite"), isPlain: options.contains("--plain"),
            printsDigests: options.contains("--digests"))
        if seeds.count == 1, !options.contains("--digests"), !options.contains("--first") {
            exit(campaign.show(seeds[0], shrinks: !options.contains("--whole")) ? 0 : 1)
        }
        exit(campaign.run(untilFailure: options.contains("--first")) ? 0 : 1)
    }

    private static func seeds(_ argument: String) -> [UInt64]? {
        let bounds = argument.split(separator: "-").map { UInt64($0) }
        if bounds.count == 1, let seed = bounds[0] { return [seed] }
        if bounds.count == 2, let first = bounds[0], let last = bounds[1], first <= last { return Array(first...last) }
        guard let text = try? String(contentsOfFile: argument, encoding: .utf8) else { return nil }
        return text.split(separator: "\n").compactMap { $0.split(separator: " ").first.flatMap { UInt64($0) } }
    }
}
