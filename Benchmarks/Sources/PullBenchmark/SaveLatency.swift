import Atmosphere

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How long saves take while a pull runs.
struct SaveLatency {
    /// Between two saves: a person never saves as fast as this, and saves without a pause would starve the pull.
    static let pause = Duration.milliseconds(2)

    private let options: Options

    init(_ options: Options) { self.options = options }

    func run(rounds: Int) async throws {
        var idle: [Duration] = []
        var busy: [Duration] = []
        var wall = Duration.zero
        for round in 1...rounds {
            let path = "\(options.store)-\(round)"
            for end in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + end) }
            let synchronizer = try await options.open(store: path)
            for _ in 0..<50 { idle.append(try await save(into: synchronizer)) }
            async let pull = ContinuousClock().measure { _ = try await synchronizer.pull().checked() }
            // Ends with the pull: cancelled when that is over.
            let saving = Task { try await saves(into: synchronizer) }
            wall += try await pull
            saving.cancel()
            busy += try await saving.value
            try await synchronizer.close()
        }
        print("saves alone \(Self.summary(idle))")
        print("saves during \(rounds) pulls of \((wall / rounds).inSeconds.rounded(3)) s \(Self.summary(busy))")
    }

    /// Saves until it is cancelled.
    private func saves(into synchronizer: Synchronizer) async throws -> [Duration] {
        var latencies: [Duration] = []
        while !Task.isCancelled {
            latencies.append(try await save(into: synchronizer))
            try? await Task.sleep(for: Self.pause)
        }
        return latencies
    }

    private func save(into synchronizer: Synchronizer) async throws -> Duration {
        try await ContinuousClock().measure {
            try await synchronizer.save(["title": "buy milk", "notes": "two litres", "done": false], as: "tasks")
        }
    }

    private static func summary(_ latencies: [Duration]) -> String {
        let sorted = latencies.sorted()
        guard let last = sorted.last else { return "n=0" }
        func milliseconds(_ duration: Duration) -> String { (duration / .milliseconds(1)).rounded(3) }
        return "n=\(sorted.count) p50=\(milliseconds(sorted[sorted.count / 2])) "
            + "p99=\(milliseconds(sorted[sorted.count * 99 / 100])) max=\(milliseconds(last)) ms"
    }
}
