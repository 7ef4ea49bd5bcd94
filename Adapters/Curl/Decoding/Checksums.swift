#if Curl
    /// The sum at the end of gzip (RFC 1952 §8).
    struct CRC32 {
        private var rest: UInt32 = ~0

        var value: UInt32 { ~rest }

        /// Eight tables of 256, so that eight bytes are taken at once.
        private static let tables: [UInt32] = {
            var tables = [UInt32](repeating: 0, count: 8 * 256)
            for index in 0..<256 {
                var value = UInt32(index)
                for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
                tables[index] = value
            }
            for index in 256..<(8 * 256) {
                let before = tables[index - 256]
                tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
            }
            return tables
        }()

        mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
            guard let start = bytes.baseAddress else { return }
            rest = Self.tables.withUnsafeBufferPointer { tables in
                let table = tables.baseAddress!
                var rest = rest
                var index = 0
                while index &+ 8 <= bytes.count {
                    let word =
                        UInt64(littleEndian: UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self))
                        ^ UInt64(rest)
                    let low = table[1792 &+ Int(word & 0xFF)] ^ table[1536 &+ Int(word >> 8 & 0xFF)]
                    let next = table[1280 &+ Int(word >> 16 & 0xFF)] ^ table[1024 &+ Int(word >> 24 & 0xFF)]
                    let third = table[768 &+ Int(word >> 32 & 0xFF)] ^ table[512 &+ Int(word >> 40 & 0xFF)]
                    let high = table[256 &+ Int(word >> 48 & 0xFF)] ^ table[Int(word >> 56)]
                    rest = low ^ next ^ third ^ high
                    index &+= 8
                }
                while index < bytes.count {
                    rest = rest >> 8 ^ table[Int((rest ^ UInt32(start[index])) & 0xFF)]
                    index &+= 1
                }
                return rest
            }
        }
    }

    /// The sum at the end of zlib (RFC 1950 §9).
    struct Adler32 {
        private var low: UInt32 = 1
        private var high: UInt32 = 0
        private static let modulus: UInt32 = 65_521
        /// So many bytes fit before the sums have to be divided.
        private static let part = 5552

        var value: UInt32 { high << 16 | low }

        mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
            var index = 0
            while index < bytes.count {
                let end = min(index + Self.part, bytes.count)
                while index < end {
                    low &+= UInt32(bytes[index])
                    high &+= low
                    index &+= 1
                }
                low %= Self.modulus
                high %= Self.modulus
            }
        }
    }
#endif
