extension UInt8 {
    /// - Parameter digits: two hexadecimal digits in ASCII; nil for anything else. (`init(_:radix:)` takes a sign, too.)
    init?(hexadecimal digits: some Collection<UInt8>) {
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 2, values.count == 2 else { return nil }
        self = UInt8(values[0] << 4 | values[1])
    }
}
