#if Notifications
    import NIOCore

    /// Takes apart what a client sends over a WebSocket (RFC 6455 §5.2): masked frames without reserved bits, none longer
    /// than the limit.
    ///
    /// Between two reads it holds what has come of one unfinished frame, and nothing at all where there is none: most
    /// connections are silent most of the time.
    struct FrameReader {
        struct Frame: Hashable {
            var opcode: Opcode
            /// Whether it ends its message.
            var isLast: Bool
            /// Without the mask.
            var payload: [UInt8]
        }

        enum Opcode: UInt8 {
            case continuation = 0
            case text = 1
            case binary = 2
            case close = 8
            case ping = 9
            case pong = 10
        }

        /// What the client did wrong, as a close frame says it (RFC 6455 §7.4.1).
        struct Violation: Error, Hashable {
            var code: UInt16

            static let protocolError = Violation(code: 1002)
            static let notUTF8 = Violation(code: 1007)
            static let tooLong = Violation(code: 1009)
        }

        private let limit: Int
        private var bytes: ByteBuffer?
        /// Whether `bytes` is the channel's, which wants it back.
        private var isLent = false

        /// - Parameter limit: the longest payload of a frame, in bytes.
        init(limit: Int) { self.limit = limit }

        /// Takes what has come; to be followed by calls of ``next()`` up to nil, and ``settle()``.
        mutating func append(_ buffer: ByteBuffer) {
            guard bytes == nil else {
                bytes?.writeImmutableBuffer(buffer)
                return
            }
            bytes = buffer
            isLent = true
        }

        /// - Returns: nil where the next frame is not whole yet.
        /// - Throws: as soon as it can be seen; nothing may be asked any more then.
        mutating func next() throws(Violation) -> Frame? {
            guard var rest = bytes, let first = rest.readInteger(as: UInt8.self),
                let second = rest.readInteger(as: UInt8.self)
            else { return nil }
            guard first & 0x70 == 0, let opcode = Opcode(rawValue: first & 0x0F), second & 0x80 != 0 else {
                throw .protocolError
            }
            let isLast = first & 0x80 != 0
            var length = UInt64(second & 0x7F)
            // Control frames are short and whole (§5.5).
            guard opcode.rawValue < 8 || isLast && length <= 125 else { throw .protocolError }
            if length == 126 {
                guard let long = rest.readInteger(as: UInt16.self) else { return nil }
                length = UInt64(long)
                // Lengths have the shortest form.
                guard length > 125 else { throw .protocolError }
            } else if length == 127 {
                guard let long = rest.readInteger(as: UInt64.self) else { return nil }
                length = long
                guard length > 65_535 else { throw .protocolError }
            }
            guard length <= UInt64(limit) else { throw .tooLong }
            guard let mask = rest.readInteger(endianness: .host, as: UInt32.self),
                let payload = rest.readSlice(length: Int(length))
            else { return nil }
            bytes = rest
            return Frame(opcode: opcode, isLast: isLast, payload: Self.unmask(payload, mask))
        }

        /// Lets go of everything but an unfinished frame.
        mutating func settle() {
            guard let rest = bytes else { return }
            if rest.readableBytes == 0 {
                bytes = nil
            } else if isLent || rest.readerIndex > 0 {
                bytes = ByteBuffer(bytes: rest.readableBytesView)
            }
            isLent = false
        }

        /// - Parameter mask: the key in the order in which it came.
        private static func unmask(_ payload: ByteBuffer, _ mask: UInt32) -> [UInt8] {
            payload.withUnsafeReadableBytes { masked in
                Array(unsafeUninitializedCapacity: masked.count) { plain, count in
                    let out = UnsafeMutableRawBufferPointer(plain)
                    let wide = UInt64(mask) << 32 | UInt64(mask)
                    var index = 0
                    while index &+ 8 <= masked.count {
                        let word = masked.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                        out.storeBytes(of: word ^ wide, toByteOffset: index, as: UInt64.self)
                        index &+= 8
                    }
                    withUnsafeBytes(of: mask) { key in
                        while index < masked.count {
                            out[index] = masked[index] ^ key[index & 3]
                            index &+= 1
                        }
                    }
                    count = masked.count
                }
            }
        }
    }
#endif
