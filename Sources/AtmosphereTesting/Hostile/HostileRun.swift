#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Runs many hostile inputs in a process that has so much time and memory and no more: whatever traps, hangs or swells ends
/// the process, and fails the test that started it (`#expect(processExitsWith: .success)`). An input that waits for ever is
/// told by its number; where it holds all threads of Swift's tasks, an alarm ends the process.
///
/// With `ATMOSPHERE_HOSTILE_TRACE=FILE` the number of each input is written to a file before the input runs, so that the last
/// one is the culprit, and what was found behind it. The number is the seed: the same input is made again by the same number.
package enum HostileRun {
    /// What an input has shown.
    package struct Found: Error, CustomStringConvertible {
        package var description: String
        package init(_ description: String) { self.description = description }
    }

    /// Of the processor, for all inputs.
    private static let seconds: UInt = 240
    /// Beside what the process had before.
    private static let bytes = 512 << 20

    /// - Parameters:
    ///   - limit: how long one input may take.
    ///   - total: in how many seconds the process has to come to its end, with what is behind the inputs: four times what
    ///     it may have of the processor, which others use as well.
    /// - Throws: ``Found``, with the name and the number of the input.
    package static func run(
        _ count: Int, _ name: String, within limit: Duration = .seconds(60), of total: UInt32 = 960,
        _ body: @escaping @Sendable (inout HostileSource, Int) async throws -> Void
    ) async throws {
        alarm(total)
        #if os(Linux)
            var time = rlimit(rlim_cur: seconds, rlim_max: seconds)
            var memory = rlimit(rlim_cur: UInt(4 * bytes), rlim_max: UInt(4 * bytes))
            #if canImport(Glibc)
                setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &time)
                setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &memory)
            #else
                setrlimit(RLIMIT_CPU, &time)
                setrlimit(RLIMIT_DATA, &memory)
            #endif
        #endif
        let trace = getenv("ATMOSPHERE_HOSTILE_TRACE").map { open($0, O_WRONLY | O_CREAT | O_APPEND, 0o600) }
        func note(_ text: String) {
            guard let trace, trace >= 0 else { return }
            let line = Array("\(text)\n".utf8)
            _ = write(trace, line, line.count)
        }
        let before = peak()
        for number in 0..<count {
            note("\(name) \(number)")
            let input = ConformanceCheck("the input") {
                var source = HostileSource(seed: UInt64(number))
                try await body(&source, number)
            }
            do {
                try await input.run(within: limit)
            } catch {
                note("found: \(error)")
                throw Found("\(name), input \(number): \(error)")
            }
        }
        let taken = peak() - before
        guard taken < bytes else { throw Found("\(name): \(count) inputs took \(taken >> 20) MiB") }
    }

    package static func expect(_ isTrue: Bool, _ what: @autoclosure () -> String) throws {
        if !isTrue { throw Found(what()) }
    }

    /// The most memory that the process has had, in bytes.
    private static func peak() -> Int {
        var usage = rusage()
        #if os(Linux)
            // Counted in units of 1024 bytes there.
            let unit = 1024
        #else
            let unit = 1
        #endif
        // Of this process (RUSAGE_SELF).
        getrusage(0, &usage)
        return Int(usage.ru_maxrss) * unit
    }
}
