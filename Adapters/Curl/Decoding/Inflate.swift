#if Curl
    /// Undoes DEFLATE (RFC 1951), in pieces as they arrive, and hands over what comes out in pieces.
    ///
    /// Lives on the loop's thread. Holds the last 32 KiB, which later bytes may refer to, and no more than three times that.
    final class Inflate {
        /// What stands in the way of going on.
        enum Failure: Error {
            /// The bytes are no such stream.
            case malformed
            /// The receiver wants no more.
            case stopped
        }

        private enum Stage {
            case block
            case storedLength
            case stored(left: Int)
            case codeCounts
            /// How long the codes are that the lengths of the others are written with.
            case codeLengths(done: Int)
            case lengths(done: Int)
            case symbols
            case ended
        }

        private static let history = 1 << 15
        private static let room = 3 * history
        private static let longestMatch = 258

        var hasEnded: Bool { if case .ended = stage { true } else { false } }

        private var stage = Stage.block
        private var isLastBlock = false
        private let window: UnsafeMutablePointer<UInt8>
        /// Behind the last byte in the window.
        private var end = 0
        /// Behind the last byte that was handed over.
        private var given = 0
        /// What this stream may refer to begins here.
        private var beginning = 0
        private var counts = (literals: 0, distances: 0, codes: 0)
        private var lengths = [UInt8](repeating: 0, count: 320)
        private var literals: HuffmanCode
        private var distances: HuffmanCode
        private let written = (literals: HuffmanCode(), distances: HuffmanCode())
        /// Those that need not be written (RFC 1951 §3.2.6); made once.
        private lazy var fixed = (literals: HuffmanCode(fixed: .literals), distances: HuffmanCode(fixed: .distances))

        init() {
            window = .allocate(capacity: Self.room)
            (literals, distances) = written
        }

        deinit { window.deallocate() }

        /// Begins another stream.
        func restart() {
            stage = .block
            isLastBlock = false
            beginning = end
        }

        /// Decodes as far as the bits go.
        ///
        /// - Parameter give: gets each piece; false stops.
        func run(_ bits: inout BitReader, _ give: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void) throws(Failure)
        {
            while try step(&bits, give) {}
            try hand(give)
        }

        /// - Returns: false where more bits are needed, or none.
        private func step(
            _ bits: inout BitReader, _ give: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
        ) throws(Failure) -> Bool {
            switch stage {
            case .ended: return false
            case .block:
                guard let head = bits.take(3) else { return false }
                isLastBlock = head & 1 == 1
                switch head >> 1 {
                case 0: stage = .storedLength
                case 1:
                    (literals, distances) = fixed
                    stage = .symbols
                case 2:
                    (literals, distances) = written
                    stage = .codeCounts
                default: throw .malformed
                }
            case .storedLength:
                bits.align()
                guard let word = bits.take(32) else { return false }
                guard word & 0xFFFF == ~(word >> 16) & 0xFFFF else { throw .malformed }
                stage = .stored(left: Int(word & 0xFFFF))
            case .stored(let left):
                guard left > 0 else {
                    endBlock()
                    return true
                }
                try makeRoom(give)
                let count = bits.copy(to: window + end, min(left, Self.room - end))
                end += count
                stage = .stored(left: left - count)
                return count > 0
            case .codeCounts:
                guard let word = bits.take(14) else { return false }
                counts = (Int(word & 31) + 257, Int(word >> 5 & 31) + 1, Int(word >> 10) + 4)
                guard counts.literals <= 286, counts.distances <= 30 else { throw .malformed }
                for index in 0..<19 { lengths[index] = 0 }
                stage = .codeLengths(done: 0)
            case .codeLengths(let done):
                guard done < counts.codes else {
                    guard literals.make(of: lengths[..<19], mayBeIncomplete: false) else { throw .malformed }
                    stage = .lengths(done: 0)
                    return true
                }
                guard let length = bits.take(3) else { return false }
                lengths[Self.order[done]] = UInt8(length)
                stage = .codeLengths(done: done + 1)
            case .lengths(let done): return try readLength(&bits, done)
            case .symbols: return try readSymbols(&bits, give)
            }
            return true
        }

        private func endBlock() { stage = isLastBlock ? .ended : .block }

        /// One length, or several that are the same (RFC 1951 §3.2.7).
        private func readLength(_ bits: inout BitReader, _ done: Int) throws(Failure) -> Bool {
            let sum = counts.literals + counts.distances
            guard done < sum else {
                // Without a code for its end a block has none.
                guard lengths[256] > 0, literals.make(of: lengths[..<counts.literals], mayBeIncomplete: true),
                    distances.make(of: lengths[counts.literals..<sum], mayBeIncomplete: true)
                else { throw .malformed }
                stage = .symbols
                return true
            }
            bits.fill()
            let before = bits
            guard let symbol = try literals.symbol(&bits) else { return false }
            guard symbol >= 16 else {
                lengths[done] = UInt8(symbol)
                stage = .lengths(done: done + 1)
                return true
            }
            let (width, least) = symbol == 16 ? (2, 3) : symbol == 17 ? (3, 3) : (7, 11)
            guard let more = bits.take(width) else {
                bits = before
                return false
            }
            let count = least + Int(more)
            guard done + count <= sum, symbol != 16 || done > 0 else { throw .malformed }
            let value = symbol == 16 ? lengths[done - 1] : 0
            for index in done..<(done + count) { lengths[index] = value }
            stage = .lengths(done: done + count)
            return true
        }

        /// Literals, and references to what has come out before, until the block ends.
        private func readSymbols(
            _ bits: inout BitReader, _ give: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
        ) throws(Failure) -> Bool {
            while true {
                if end + Self.longestMatch > Self.room { try makeRoom(give) }
                // A reference has 48 bits at most, and is read as a whole.
                bits.fill()
                let before = bits
                guard let symbol = try literals.symbol(&bits) else { return false }
                if symbol < 256 {
                    window[end] = UInt8(truncatingIfNeeded: symbol)
                    end += 1
                    continue
                }
                if symbol == 256 {
                    endBlock()
                    return true
                }
                guard symbol < 286 else { throw .malformed }
                guard let length = bits.value(Self.lengthCodes[symbol - 257]),
                    let place = try distances.symbol(&bits)
                else {
                    bits = before
                    return false
                }
                guard place < 30 else { throw .malformed }
                guard let distance = bits.value(Self.distanceCodes[place]) else {
                    bits = before
                    return false
                }
                guard distance <= end - beginning else { throw .malformed }
                copy(length, from: distance)
            }
        }

        private func copy(_ length: Int, from distance: Int) {
            let target = window + end
            if distance == 1 {
                target.update(repeating: target[-1], count: length)
            } else {
                // Each part ends before it would read what it writes.
                var done = 0
                while done < length {
                    let part = min(distance, length - done)
                    (target + done).update(from: target + done - distance, count: part)
                    done += part
                }
            }
            end += length
        }

        // MARK: The window

        /// Hands over what is there, and keeps what may be referred to.
        private func makeRoom(_ give: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void) throws(Failure) {
            guard end > 2 * Self.history else { return }
            try hand(give)
            let shift = end - Self.history
            window.update(from: window + shift, count: Self.history)
            (end, given) = (Self.history, Self.history)
            beginning = max(0, beginning - shift)
        }

        private func hand(_ give: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void) throws(Failure) {
            guard end > given else { return }
            let piece = UnsafeBufferPointer(start: window + given, count: end - given)
            given = end
            try give(piece)
        }

        // MARK: Tables (RFC 1951 §3.2.5, §3.2.7)

        private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

        /// The least of each code, and how many bits are added.
        private static let lengthCodes: [(least: Int, width: Int)] = {
            var codes: [(least: Int, width: Int)] = (0..<8).map { ($0 + 3, 0) }
            for width in 1...5 { for step in 0..<4 { codes.append((3 + (4 + step) << width, width)) } }
            return codes + [(258, 0)]
        }()

        private static let distanceCodes: [(least: Int, width: Int)] = {
            var codes: [(least: Int, width: Int)] = (0..<4).map { ($0 + 1, 0) }
            for width in 1...13 { for step in 0..<2 { codes.append((1 + (2 + step) << width, width)) } }
            return codes
        }()
    }
#endif
