#if Curl
    internal import CZlib

    /// Undoes the coding of a response body as it arrives (RFC 9110 §8.4.1), and knows whether all of it has come.
    ///
    /// libcurl would undo it as well, but takes a body without its end for a whole one, does not know that gzip may have
    /// several members (RFC 1952 §2.2), and cannot be held back meanwhile.
    final class ContentDecoder {
        enum Coding: String {
            case gzip, deflate

            init?(_ name: String) {
                switch name.lowercased() {
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
            /// Before the first byte; of deflate, before the second.
            case start
            case stream
            /// Behind a member of gzip, which another may follow.
            case betweenMembers
            case end
        }

        /// Bytes that come out at a time.
        private static let room = 64 << 10
        private static let gzipMagic: UInt8 = 0x1F

        let coding: Coding
        private var stage = Stage.start
        /// The first byte of a deflate body, until the second tells the two forms apart.
        private var first: UInt8?
        /// It refers to its own address.
        private let stream: UnsafeMutablePointer<z_stream>
        private let output: UnsafeMutablePointer<UInt8>

        init(_ coding: Coding) {
            self.coding = coding
            stream = .allocate(capacity: 1)
            stream.initialize(to: z_stream())
            output = .allocate(capacity: Self.room)
        }

        deinit {
            inflateEnd(stream)
            stream.deallocate()
            output.deallocate()
        }

        /// - Parameter give: gets what comes out, in pieces of up to 64 KiB; false where no more is wanted.
        func decode(_ bytes: UnsafeRawBufferPointer, _ give: (UnsafeRawBufferPointer) -> Bool) throws(Failure) {
            var rest = bytes[...]
            while let next = rest.first {
                switch stage {
                case .start:
                    if coding == .gzip {
                        begin(windowBits: 16 + MAX_WBITS)
                    } else if let first {
                        try begin(deflateWith: first, next, give)
                    } else {
                        first = next
                        rest = rest.dropFirst()
                    }
                case .betweenMembers:
                    guard next == Self.gzipMagic else { throw .goesOn }
                    inflateReset(stream)
                    stage = .stream
                case .end: throw .goesOn
                case .stream: rest = rest.dropFirst(try inflate(UnsafeRawBufferPointer(rebasing: rest), give))
                }
            }
        }

        /// After the last byte. No byte at all is an empty body.
        func finish() throws(Failure) {
            switch stage {
            case .end, .betweenMembers: return
            case .start where first == nil: return
            case .start, .stream: throw .cut
            }
        }

        private func begin(windowBits: Int32) {
            inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
            stage = .stream
        }

        /// Some servers leave the wrapping out (RFC 9110 §8.4.1.2). No stream begins with the two bytes of one (RFC 1950 §2.2):
        /// a block that is not compressed would have other bits than zeros before its length.
        private func begin(
            deflateWith first: UInt8, _ second: UInt8, _ give: (UnsafeRawBufferPointer) -> Bool
        ) throws(Failure) {
            let isWrapped =
                first & 15 == 8 && first >> 4 <= 7 && (Int(first) << 8 | Int(second)) % 31 == 0 && second & 0x20 == 0
            begin(windowBits: isWrapped ? MAX_WBITS : -MAX_WBITS)
            self.first = nil
            _ = try withUnsafeBytes(of: first) { (byte) throws(Failure) in try inflate(byte, give) }
        }

        /// - Returns: how many bytes were used: all of them, unless the stream has ended.
        private func inflate(
            _ bytes: UnsafeRawBufferPointer, _ give: (UnsafeRawBufferPointer) -> Bool
        ) throws(Failure) -> Int {
            guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return 0 }
            let count = UInt32(clamping: bytes.count)
            stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
            stream.pointee.avail_in = count
            defer { stream.pointee.next_in = nil }
            repeat {
                stream.pointee.next_out = output
                stream.pointee.avail_out = UInt32(Self.room)
                let status = CZlib.inflate(stream, Z_NO_FLUSH)
                let made = Self.room - Int(stream.pointee.avail_out)
                if made > 0, !give(UnsafeRawBufferPointer(start: output, count: made)) { throw .stopped }
                switch status {
                case Z_OK, Z_BUF_ERROR: break
                case Z_STREAM_END:
                    stage = coding == .gzip ? .betweenMembers : .end
                    return Int(count - stream.pointee.avail_in)
                default: throw isAboutSum ? .wrongSum : .malformed
                }
            } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
            return Int(count)
        }

        /// zlib tells the kinds of wrong data apart by its message alone.
        private var isAboutSum: Bool {
            stream.pointee.msg.map { ["incorrect data check", "incorrect length check"].contains(String(cString: $0)) }
                ?? false
        }
    }
#endif
