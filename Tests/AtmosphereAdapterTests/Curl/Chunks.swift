#if Curl
    import Synchronization

    /// Gives the chunks one after another, then nil, as a request body does.
    func chunks(_ list: [[UInt8]]) -> @Sendable () async throws -> [UInt8]? {
        let queue = ChunkQueue(list)
        return { queue.next() }
    }

    private final class ChunkQueue: Sendable {
        private let rest: Mutex<ArraySlice<[UInt8]>>
        init(_ list: [[UInt8]]) { rest = Mutex(list[...]) }
        func next() -> [UInt8]? { rest.withLock { $0.popFirst() } }
    }

    /// A gzip stream of zeros that never ends: 13 bits for every 258 bytes (RFC 1951 §3.2.6, RFC 1952).
    struct EndlessZeros {
        static let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

        private var bits: UInt64 = 0
        private var count = 0

        init() {
            // A final block with fixed codes, and the literal 0.
            append(0b1, 1)
            append(0b01, 2)
            append(0b0000_1100, 8)
        }

        /// At least this many bytes more.
        mutating func next(_ size: Int) -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < size {
                // Length 258 (code 285, 8 bits, first bit highest), distance 1 (code 0, 5 bits).
                append(0b1010_0011, 8)
                append(0, 5)
                while count >= 8 {
                    bytes.append(UInt8(truncatingIfNeeded: bits))
                    bits >>= 8
                    count -= 8
                }
            }
            return bytes
        }

        private mutating func append(_ value: UInt64, _ width: Int) {
            bits |= value << count
            count += width
        }
    }
#endif
