#if Curl
    /// Reads bits, the lowest of each byte first, from bytes that come in pieces (RFC 1951 §3.1.1).
    struct BitReader {
        /// The next ones; those beyond ``count`` are zero.
        private(set) var bits: UInt64 = 0
        private(set) var count = 0
        /// In use during one call only.
        private var input = UnsafeRawBufferPointer(start: nil, count: 0)
        private var position = 0

        /// The rest was read to its end before.
        mutating func feed(_ bytes: UnsafeRawBufferPointer) {
            input = bytes
            position = 0
        }

        var isAtEnd: Bool { count == 0 && position == input.count }

        /// 49 bits at least, or all that are there.
        mutating func fill() {
            guard count <= 48 else { return }
            if input.count - position >= 8 {
                let word = UInt64(littleEndian: input.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                // Whole bytes, six at least and eight at most.
                let bytes = (64 - count) >> 3
                bits |= (bytes == 8 ? word : word & (1 << UInt64(bytes * 8) - 1)) << UInt64(count)
                position += bytes
                count += bytes * 8
            } else {
                while count <= 56, position < input.count {
                    bits |= UInt64(input[position]) << UInt64(count)
                    position += 1
                    count += 8
                }
            }
        }

        /// Of those that are there.
        mutating func drop(_ width: Int) {
            bits >>= UInt64(width)
            count -= width
        }

        /// The next ones, 32 at most; nil, and nothing is taken, where they have not come.
        mutating func take(_ width: Int) -> UInt32? {
            fill()
            guard count >= width else { return nil }
            let value = UInt32(truncatingIfNeeded: bits & (1 << UInt64(width) - 1))
            drop(width)
            return value
        }

        /// A number whose code says the least value and how many bits are added.
        mutating func value(_ code: (least: Int, width: Int)) -> Int? {
            guard count >= code.width else { return nil }
            let more = Int(bits & (1 << UInt64(code.width) - 1))
            drop(code.width)
            return code.least + more
        }

        /// Passes over what is left of a byte.
        mutating func align() { drop(count & 7) }

        /// Copies whole bytes, as many as have come.
        ///
        /// - Returns: how many.
        mutating func copy(to target: UnsafeMutablePointer<UInt8>, _ most: Int) -> Int {
            var done = 0
            while done < most, count >= 8 {
                target[done] = UInt8(truncatingIfNeeded: bits)
                drop(8)
                done += 1
            }
            let rest = min(most - done, input.count - position)
            if rest > 0, let start = input.baseAddress {
                (target + done).update(from: (start + position).assumingMemoryBound(to: UInt8.self), count: rest)
                position += rest
            }
            return done + max(0, rest)
        }
    }
#endif
