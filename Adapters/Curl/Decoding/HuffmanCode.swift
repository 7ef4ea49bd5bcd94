#if Curl
    /// The codes of one alphabet, by the lengths that were given for them (RFC 1951 §3.2.2).
    final class HuffmanCode {
        enum Fixed {
            case literals, distances
        }

        private static let longest = 15
        /// Codes of so many bits are found at once, which nearly all are.
        private static let quickWidth = 10

        /// By the next bits: the symbol and, in the lowest four bits, how long its code is; 0 where it is longer.
        private let quick: UnsafeMutablePointer<UInt16>
        /// In the order of their codes.
        private let symbols: UnsafeMutablePointer<UInt16>
        /// How many codes of each length there are.
        private let counts: UnsafeMutablePointer<Int>

        init() {
            quick = .allocate(capacity: 1 << Self.quickWidth)
            quick.initialize(repeating: 0, count: 1 << Self.quickWidth)
            symbols = .allocate(capacity: 288)
            symbols.initialize(repeating: 0, count: 288)
            counts = .allocate(capacity: Self.longest + 1)
            counts.initialize(repeating: 0, count: Self.longest + 1)
        }

        /// The codes that need not be written (RFC 1951 §3.2.6).
        convenience init(fixed: Fixed) {
            self.init()
            let lengths =
                switch fixed {
                case .literals:
                    Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112) + Array(repeating: 7, count: 24)
                        + Array(repeating: 8, count: 8)
                case .distances: Array(repeating: 5, count: 32)
                } as [UInt8]
            _ = make(of: lengths[...], mayBeIncomplete: false)
        }

        deinit {
            quick.deallocate()
            symbols.deallocate()
            counts.deallocate()
        }

        /// Takes other codes.
        ///
        /// - Parameters:
        ///   - lengths: 288 at most, up to 15 each; 0 for a symbol that does not occur.
        ///   - mayBeIncomplete: whether there may be no code, or a single one of one bit.
        /// - Returns: false where there are no such codes.
        func make(of lengths: ArraySlice<UInt8>, mayBeIncomplete: Bool) -> Bool {
            counts.update(repeating: 0, count: Self.longest + 1)
            for length in lengths { counts[Int(length)] += 1 }
            let used = lengths.count - counts[0]
            counts[0] = 0
            var left = 1
            for length in 1...Self.longest {
                left = left << 1 - counts[length]
                if left < 0 { return false }
            }
            guard left == 0 || mayBeIncomplete && (used == 0 || used == 1 && counts[1] == 1) else { return false }
            // The first code of each length, and where its symbol stands.
            var codes = [Int](repeating: 0, count: Self.longest + 2)
            var places = [Int](repeating: 0, count: Self.longest + 2)
            for length in 1...Self.longest {
                codes[length + 1] = (codes[length] + counts[length]) << 1
                places[length + 1] = places[length] + counts[length]
            }
            quick.update(repeating: 0, count: 1 << Self.quickWidth)
            for (symbol, length) in lengths.enumerated() where length > 0 {
                let width = Int(length)
                symbols[places[width]] = UInt16(symbol)
                places[width] += 1
                // Codes stand in the stream with the highest bit first, all else with the lowest.
                if width <= Self.quickWidth {
                    let entry = UInt16(symbol << 4 | width)
                    var index = Int(UInt16(codes[width]).reversed) >> (16 - width)
                    while index < 1 << Self.quickWidth {
                        quick[index] = entry
                        index += 1 << width
                    }
                }
                codes[width] += 1
            }
            return true
        }

        /// The next symbol; nil where its code has not come as a whole.
        func symbol(_ bits: inout BitReader) throws(Inflate.Failure) -> Int? {
            let entry = quick[Int(bits.bits & (1 << Self.quickWidth - 1))]
            guard entry == 0 else {
                let width = Int(entry & 15)
                guard width <= bits.count else { return nil }
                bits.drop(width)
                return Int(entry >> 4)
            }
            var code = 0
            var first = 0
            var place = 0
            for width in 1...Self.longest {
                guard width <= bits.count else { return nil }
                code |= Int(bits.bits >> UInt64(width - 1) & 1)
                let count = counts[width]
                if code - count < first {
                    bits.drop(width)
                    return Int(symbols[place + code - first])
                }
                place += count
                first = (first + count) << 1
                code <<= 1
            }
            throw .malformed
        }
    }

    extension UInt16 {
        fileprivate var reversed: UInt16 {
            var value = self
            value = (value & 0x5555) << 1 | (value >> 1 & 0x5555)
            value = (value & 0x3333) << 2 | (value >> 2 & 0x3333)
            value = (value & 0x0F0F) << 4 | (value >> 4 & 0x0F0F)
            return value.byteSwapped
        }
    }
#endif
