extension JSONNumber {
    /// The point in time so many units after 1970, each a second divided by 10 to the power of `decimals`. nil for what is
    /// finer than a nanosecond or beyond the years 0 to 9999, which no ``Instant`` is to be compared with.
    package func moment(decimals: Int) -> Instant? {
        let exact = Decimal(Array(lexeme.utf8))
        guard !exact.digits.isEmpty else { return Instant(seconds: 0) }
        guard case .small(let exponent) = exact.exponent, -9...12 ~= exponent - decimals else { return nil }
        // Of the whole number of nanoseconds.
        let places = exponent - decimals + 9
        guard places >= exact.digits.count else { return nil }
        let digits =
            String(repeating: "0", count: max(0, 10 - places)) + String(decoding: exact.digits, as: UTF8.self)
            + String(repeating: "0", count: places - exact.digits.count)
        guard let seconds = Int64(digits.dropLast(9)), let nanoseconds = Int32(digits.suffix(9)) else { return nil }
        let instant =
            if !exact.isNegative {
                Instant(seconds: seconds, nanoseconds: nanoseconds)
            } else if nanoseconds == 0 {
                Instant(seconds: -seconds)
            } else {
                Instant(seconds: -seconds - 1, nanoseconds: 1_000_000_000 - nanoseconds)
            }
        return Instant.writable.contains(instant.seconds) ? instant : nil
    }

    /// How many units a point in time lies after 1970, exactly: with a fraction where it is finer than the unit.
    package init(_ instant: Instant, decimals: Int) {
        var rest = Int64(instant.nanoseconds)
        let isNegative = instant.seconds < 0
        var whole = instant.seconds.magnitude
        if isNegative, rest > 0 { (whole, rest) = (whole - 1, 1_000_000_000 - rest) }
        let digits = String(whole) + String(String(1_000_000_000 + rest).dropFirst())
        let integer = digits.dropLast(9 - decimals).drop { $0 == "0" }
        var fraction = digits.suffix(9 - decimals)
        while fraction.last == "0" { fraction.removeLast() }
        let isZero = integer.isEmpty && fraction.isEmpty
        self.init(
            unchecked: (isNegative && !isZero ? "-" : "") + (integer.isEmpty ? "0" : integer)
                + (fraction.isEmpty ? "" : "." + fraction))
    }
}
