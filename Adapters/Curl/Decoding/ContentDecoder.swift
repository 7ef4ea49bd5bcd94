#if Curl
    /// Undoes the coding of a response body as it arrives (RFC 9110 §8.4.1), and knows whether all of it has come.
    ///
    /// libcurl would undo it as well, but takes a body without its end for a whole one, does not know that gzip may have
    /// several members (RFC 1952 §2.2), and cannot be held back meanwhile.
    final class ContentDecoder {
        enum Coding: String {
            case gzip, deflate

            /// - Parameter name: in lower case.
            init?(_ name: String) {
                switch name {
                case "gzip", "x-gzip": self = .gzip
                case "deflate": self = .deflate
                default: return nil
                }
            }

            /// What is asked for.
            static let accepted = "gzip, deflate"
        }

        enum Failure: Error {
            /// The bytes are not what the coding says.
            case malformed
            /// They end too early.
            case cut
            /// What came out of them is not what its sum says.
            case wrongSum
            /// They go on behind the end.
            case goesOn
            /// The receiver wants no more.
            case stopped
        }

        private enum Stage {
            /// Before a body, and behind a member.
            case start
            /// The rest of a member's header (RFC 1952 §2.3), by the flags of what is still to come.
            case header(flags: UInt32)
            case skipped(left: UInt32, flags: UInt32)
            case body(Wrapping)
            case sum(Wrapping)
            case size
            case end
        }

        /// What stands around the stream.
        private enum Wrapping {
            case gzip, zlib, none
        }

        private enum Flag {
            static let sum: UInt32 = 2
            static let extra: UInt32 = 4
            static let name: UInt32 = 8
            static let remark: UInt32 = 16
            static let reserved: UInt32 = 0xE0
        }

        let coding: Coding
        private var stage = Stage.start
        private var isFirstMember = true
        private var bits = BitReader()
        private let inflate = Inflate()
        private var crc = CRC32()
        private var adler = Adler32()
        /// Bytes of the member that came out, modulo 2^32.
        private var size: UInt32 = 0

        init(_ coding: Coding) { self.coding = coding }

        /// - Parameter give: gets what comes out, in pieces of up to 96 KiB; false where no more is wanted.
        func decode(_ bytes: UnsafeRawBufferPointer, _ give: (UnsafeRawBufferPointer) -> Bool) throws(Failure) {
            bits.feed(bytes)
            defer { bits.feed(UnsafeRawBufferPointer(start: nil, count: 0)) }
            while try step(give) {}
        }

        /// After the last byte. No byte at all is an empty body.
        func finish() throws(Failure) {
            switch stage {
            case .end: return
            case .start where bits.isAtEnd: return
            default: throw .cut
            }
        }

        /// - Returns: false where more bytes are needed.
        private func step(_ give: (UnsafeRawBufferPointer) -> Bool) throws(Failure) -> Bool {
            switch stage {
            case .start: return coding == .gzip ? try startMember() : startDeflate()
            case .header(let flags): return readHeader(flags)
            case .skipped(let left, let flags):
                guard left > 0 else {
                    stage = .header(flags: flags)
                    return true
                }
                guard bits.take(8) != nil else { return false }
                stage = .skipped(left: left - 1, flags: flags)
            case .body(let wrapping):
                try run(wrapping, give)
                guard inflate.hasEnded else { return false }
                bits.align()
                stage = wrapping == .none ? .end : .sum(wrapping)
            case .sum(let wrapping):
                guard let sum = bits.take(32) else { return false }
                guard wrapping == .gzip ? sum == crc.value : sum.byteSwapped == adler.value else { throw .wrongSum }
                stage = wrapping == .gzip ? .size : .end
            case .size:
                guard let sum = bits.take(32) else { return false }
                guard sum == size else { throw .wrongSum }
                isFirstMember = false
                stage = .start
            case .end:
                guard bits.take(8) == nil else { throw .goesOn }
                return false
            }
            return true
        }

        private func startMember() throws(Failure) -> Bool {
            bits.fill()
            if bits.count >= 8, bits.bits & 0xFF != 0x1F { throw isFirstMember ? .malformed : .goesOn }
            guard let word = bits.take(32) else { return false }
            let flags = word >> 24
            guard word & 0xFF_FFFF == 0x08_8B1F, flags & Flag.reserved == 0 else {
                throw isFirstMember ? .malformed : .goesOn
            }
            inflate.restart()
            (crc, size) = (CRC32(), 0)
            // A time, a hint and a system.
            stage = .skipped(left: 6, flags: flags)
            return true
        }

        private func readHeader(_ flags: UInt32) -> Bool {
            if flags & Flag.extra != 0 {
                guard let length = bits.take(16) else { return false }
                stage = .skipped(left: length, flags: flags & ~Flag.extra)
            } else if flags & (Flag.name | Flag.remark) != 0 {
                guard let byte = bits.take(8) else { return false }
                let first = flags & Flag.name != 0 ? Flag.name : Flag.remark
                if byte == 0 { stage = .header(flags: flags & ~first) }
            } else if flags & Flag.sum != 0 {
                guard bits.take(16) != nil else { return false }
                stage = .header(flags: flags & ~Flag.sum)
            } else {
                stage = .body(.gzip)
            }
            return true
        }

        /// Some servers leave the wrapping out (RFC 9110 §8.4.1.2). No stream begins with the two bytes of one (RFC 1950 §2.2):
        /// a block that is not compressed would have other bits than zeros before its length.
        private func startDeflate() -> Bool {
            bits.fill()
            guard bits.count >= 16 else {
                // One byte is no wrapping, and no whole stream either.
                return false
            }
            let (method, flags) = (bits.bits & 0xFF, bits.bits >> 8 & 0xFF)
            let isWrapped =
                method & 15 == 8 && method >> 4 <= 7 && (method << 8 | flags) % 31 == 0 && flags & 0x20 == 0
            if isWrapped { _ = bits.take(16) }
            stage = .body(isWrapped ? .zlib : .none)
            return true
        }

        private func run(
            _ wrapping: Wrapping, _ give: (UnsafeRawBufferPointer) -> Bool
        ) throws(Failure) {
            do throws(Inflate.Failure) {
                try inflate.run(&bits) { (piece) throws(Inflate.Failure) in
                    switch wrapping {
                    case .gzip: crc.add(piece)
                    case .zlib: adler.add(piece)
                    case .none: break
                    }
                    size &+= UInt32(truncatingIfNeeded: piece.count)
                    guard give(UnsafeRawBufferPointer(piece)) else { throw .stopped }
                }
            } catch {
                throw error == .stopped ? .stopped : .malformed
            }
        }
    }
#endif
