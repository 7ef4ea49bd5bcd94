/// How an API writes the time that changes are asked for since.
///
/// Written as `seconds`, `milliseconds` or `microseconds` since 1970, or as a pattern of `yyyy`, `MM`, `dd`, `HH`, `mm`,
/// `ss` and `S` (one for each digit of the fraction), in UTC. `T`, `Z` and everything that is no letter stand for
/// themselves, other letters in single quotes.
package struct TimeFormat: Sendable, Hashable {
    package enum Part: Sendable, Hashable {
        case literal(String)
        case year, month, day, hour, minute, second
        case fraction(digits: Int)
    }

    package enum Form: Sendable, Hashable {
        /// So many in a second, counted from 1970.
        case count(Int64)
        case pattern([Part])
    }

    package let form: Form

    /// Reads the written form.
    ///
    /// - Throws: ``TimeFormatError`` for letters that mean nothing, a quote without end, or a pattern without year, month
    ///   and day.
    package init(_ text: String) throws(TimeFormatError) {
        let counts: [String: Int64] = ["seconds": 1, "milliseconds": 1000, "microseconds": 1_000_000]
        if let count = counts[text] {
            form = .count(count)
        } else {
            form = .pattern(try Self.parts(text))
        }
    }

    private static func parts(_ text: String) throws(TimeFormatError) -> [Part] {
        let known: [String: Part] = [
            "yyyy": .year, "MM": .month, "dd": .day, "HH": .hour, "mm": .minute, "ss": .second, "T": .literal("T"),
            "Z": .literal("Z")
        ]
        var parts: [Part] = []
        var rest = text[...]
        while let first = rest.first {
            if first == "'" {
                let quoted = rest.dropFirst().prefix { $0 != "'" }
                rest = rest.dropFirst(1 + quoted.count)
                guard rest.first == "'" else { throw TimeFormatError(message: "a quote is not closed") }
                rest = rest.dropFirst()
                parts.append(.literal(String(quoted)))
            } else if first.isLetter {
                let run = rest.prefix { $0 == first }
                rest = rest.dropFirst(run.count)
                if first == "S", run.count <= 9 {
                    parts.append(.fraction(digits: run.count))
                } else if let part = known[String(run)] {
                    parts.append(part)
                } else {
                    throw TimeFormatError(
                        message: "\(String(run).quoted) means nothing; use yyyy, MM, dd, HH, mm, ss and S")
                }
            } else {
                parts.append(.literal(String(first)))
                rest = rest.dropFirst()
            }
        }
        guard parts.contains(.year), parts.contains(.month), parts.contains(.day) else {
            throw TimeFormatError(message: "it needs yyyy, MM and dd, or is seconds, milliseconds or microseconds")
        }
        return parts
    }

    /// An instant in this form; what is finer than the form is cut off.
    package func text(_ instant: Instant) -> String {
        switch form {
        case .count(let perSecond):
            // Beyond the years 0 to 9999 no product of 64 bits is certain, and no API asks for it.
            let seconds = min(max(instant.seconds, Instant.writable.lowerBound), Instant.writable.upperBound)
            return String(seconds * perSecond + Int64(instant.nanoseconds) * perSecond / 1_000_000_000)
        case .pattern(let parts):
            // `2024-01-02T03:04:05`, whatever the fraction.
            let whole = Array(Instant(seconds: instant.seconds).description)
            func digits(_ range: Range<Int>) -> String { String(whole[range]) }
            return parts.map { part in
                switch part {
                case .literal(let text): text
                case .year: digits(0..<4)
                case .month: digits(5..<7)
                case .day: digits(8..<10)
                case .hour: digits(11..<13)
                case .minute: digits(14..<16)
                case .second: digits(17..<19)
                case .fraction(let count):
                    String(String(Int64(1_000_000_000) + Int64(instant.nanoseconds)).dropFirst().prefix(count))
                }
            }.joined()
        }
    }

    /// Reads what ``text(_:)`` wrote; nil for everything else.
    package func instant(written text: String) -> Instant? {
        guard case .pattern(let parts) = form else { return JSONNumber(text)?.int64 == nil ? nil : instant(text) }
        var rest = text[...]
        var fields = ["0000", "01", "01", "00", "00", "00", ""]
        for part in parts {
            let place: (index: Int, count: Int)
            switch part {
            case .literal(let literal):
                guard rest.hasPrefix(literal) else { return nil }
                rest = rest.dropFirst(literal.count)
                continue
            case .year: place = (0, 4)
            case .month: place = (1, 2)
            case .day: place = (2, 2)
            case .hour: place = (3, 2)
            case .minute: place = (4, 2)
            case .second: place = (5, 2)
            case .fraction(let digits): place = (6, digits)
            }
            let digits = rest.prefix(place.count)
            guard digits.count == place.count, digits.isDigits else { return nil }
            fields[place.index] = String(digits)
            rest = rest.dropFirst(place.count)
        }
        guard rest.isEmpty else { return nil }
        let fraction = fields[6].isEmpty ? "" : ".\(fields[6])"
        return Instant(
            "\(fields[0])-\(fields[1])-\(fields[2])T\(fields[3]):\(fields[4]):\(fields[5])\(fraction)Z")
    }

    /// Reads a cursor: an instant, or a number of this form's own unit; nil where it is neither.
    package func instant(_ text: String) -> Instant? {
        if let instant = Instant(text) { return instant }
        guard case .count(let perSecond) = form else { return nil }
        return JSONNumber(text)?.moment(decimals: perSecond == 1 ? 0 : perSecond == 1000 ? 3 : 6)
    }
}

/// A text that is no time format.
package struct TimeFormatError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason and the remedy.
    package var message: String
    package var description: String { message }
}
