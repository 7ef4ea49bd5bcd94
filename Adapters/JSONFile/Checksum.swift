/// CRC-32C (RFC 9260, appendix B): finds every change of up to 32 neighbouring bits, and others but for one in four
/// billion. Against accidents, not against forgers.
struct Checksum {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0x82F6_3B78 : rest >> 1 }
    }

    private var rest: UInt32 = .max

    init() {}

    init(_ bytes: ArraySlice<UInt8>) { add(bytes) }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        var rest = rest
        Self.table.withUnsafeBufferPointer { table in
            bytes.withUnsafeBufferPointer { bytes in
                for byte in bytes { rest = table[Int((rest ^ UInt32(byte)) & 0xFF)] ^ rest >> 8 }
            }
        }
        self.rest = rest
    }

    /// Eight hexadecimal digits.
    var digits: [UInt8] {
        let value = ~rest
        return (0..<8).map { Array("0123456789abcdef".utf8)[Int(value >> (28 - 4 * UInt32($0)) & 0xF)] }
    }
}
