#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the process has used since it began (getrusage(2)).
struct ResourceUse {
    /// Processor time, the program's and the kernel's on its behalf, in seconds.
    var processor: Double
    /// The largest resident set, in MiB.
    var memory: Int

    init() {
        var usage = rusage()
        #if canImport(Glibc)
            let process = RUSAGE_SELF.rawValue
        #else
            let process = RUSAGE_SELF
        #endif
        getrusage(numericCast(process), &usage)
        #if canImport(Darwin)
            // In bytes there, in kilobytes elsewhere.
            memory = usage.ru_maxrss >> 20
        #else
            memory = usage.ru_maxrss >> 10
        #endif
        processor = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
}
