/// Numbers with units, as a route file writes them. Everything is nil that does not read as such or is absurdly large.
package enum NumberText {
    /// A whole decimal number: `0`, `-12`, but not `012`, `1e3` or `1_000`.
    package static func whole(_ text: String) -> Int? {
        guard let number = Int(text), String(number) == text else { return nil }
        return number
    }

    /// A duration of ISO 8601 in weeks, days, hours, minutes and seconds (`P7D`, `PT2M`, `PT0.5S`), or in one short
    /// unit (`90s`, `500ms`). Months and years have no fixed length and are refused.
    package static func duration(_ text: String) -> Duration? {
        if text.hasPrefix("P") { return isoDuration(text.dropFirst()) }
        let (digits, unit) = text.dividedAfterDigits
        let lengths: [Substring: Duration] = [
            "ms": .milliseconds(1), "s": .seconds(1), "m": .seconds(60), "h": .seconds(3600), "d": .seconds(86_400)
        ]
        guard let length = lengths[unit] else { return nil }
        return product(digits, length)
    }

    /// Bytes: `1048576`, `64MiB` (powers of 1024) or `1GB` (powers of 1000).
    package static func size(_ text: String) -> Int? {
        let (digits, unit) = text.dividedAfterDigits
        let units: [Substring: Int] = [
            "": 1, "B": 1, "kB": 1000, "KB": 1000, "MB": 1_000_000, "GB": 1_000_000_000,
            "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30
        ]
        guard let unit = units[unit], let number = Int(digits) else { return nil }
        let (size, overflow) = number.multipliedReportingOverflow(by: unit)
        return overflow || size == 0 || size > 1 << 40 ? nil : size
    }

    /// Requests per second: `10/s`, `600/min`, `0.5/s`, `1000/h`.
    package static func rate(_ text: String) -> Double? {
        let pieces = text.split(separator: "/", omittingEmptySubsequences: false)
        guard pieces.count == 2, let seconds = ["s": 1.0, "min": 60, "h": 3600][pieces[1]] else { return nil }
        let digits = pieces[0].split(separator: ".", omittingEmptySubsequences: false)
        guard digits.count <= 2, digits.allSatisfy({ $0.isDigits && $0.count <= 9 }), let number = Double(pieces[0]),
            number > 0
        else { return nil }
        return number / seconds
    }

    private static let longest = Duration.seconds(36_525 * 86_400)

    /// What follows the `P`: units in descending order, each once, and hours, minutes and seconds behind a `T`.
    private static func isoDuration(_ text: Substring) -> Duration? {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count <= 2, halves.count == 1 || !halves[1].isEmpty, !text.isEmpty,
            let days = parts(halves[0], [("W", 604_800), ("D", 86_400)]),
            let clock = parts(halves.count == 2 ? halves[1] : "", [("H", 3600), ("M", 60), ("S", 1)])
        else { return nil }
        let sum = days + clock
        return sum <= longest ? sum : nil
    }

    private static func parts(_ text: Substring, _ units: [(name: Character, seconds: Int)]) -> Duration? {
        var rest = text
        var sum = Duration.zero
        for (name, seconds) in units {
            let (digits, behind) = rest.dividedAfterDigits
            if name == "S", behind.first == ".", behind.last == "S" {
                let fraction = behind.dropFirst().dropLast()
                guard fraction.isDigits, fraction.count <= 9, let whole = product(digits, .seconds(1)),
                    let nanoseconds = Int64(fraction + String(repeating: "0", count: 9 - fraction.count))
                else { return nil }
                return sum + whole + .nanoseconds(nanoseconds)
            }
            guard behind.first == name else { continue }
            guard let part = product(digits, .seconds(seconds)) else { return nil }
            sum += part
            rest = behind.dropFirst()
        }
        return rest.isEmpty ? sum : nil
    }

    private static func product(_ digits: Substring, _ unit: Duration) -> Duration? {
        guard digits.count <= 12, let number = Int(digits) else { return nil }
        let product = unit * number
        return product <= longest ? product : nil
    }
}
