/// Random numbers that depend on a seed and a name alone, so that one stream that is asked more often shifts no other
/// (SplitMix64).
struct SimulationRandom: Sendable {
    private var state: UInt64

    init(_ seed: UInt64, _ stream: String) {
        state = seed &* 0x9E37_79B9_7F4A_7C15
        for byte in stream.utf8 { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// 0..<limit; 0 where the limit is not positive.
    mutating func below(_ limit: Int) -> Int { limit <= 1 ? 0 : Int(next() % UInt64(limit)) }

    mutating func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }

    /// A UUID in form (RFC 9562, version 4).
    mutating func uuid() -> String {
        func hex(_ value: UInt64, _ digits: Int) -> String {
            let text = String(value & (1 << (UInt64(digits) * 4) - 1), radix: 16)
            return String(repeating: "0", count: digits - text.count) + text
        }
        let (high, low) = (next(), next())
        return [
            hex(high >> 32, 8), hex(high >> 16, 4), "4" + hex(high, 3), "8" + hex(low >> 48, 3), hex(low, 12)
        ].joined(separator: "-")
    }
}
