#if Notifications
    import AtmosphereSocketIO
    import NIOCore

    /// A WebSocket frame of a server (RFC 6455 §5.2): whole, unmasked, with nothing set aside but its payload.
    enum Frame {
        static func buffer(_ message: EngineMessage, _ allocator: ByteBufferAllocator) -> ByteBuffer {
            switch message {
            case .text(let bytes): buffer(0x81, bytes, allocator)
            case .binary(let bytes): buffer(0x82, bytes, allocator)
            }
        }

        static func pong(_ data: [UInt8], _ allocator: ByteBufferAllocator) -> ByteBuffer {
            buffer(0x8A, data, allocator)
        }

        /// - Parameter code: RFC 6455 §7.4.1.
        static func close(_ code: UInt16, _ allocator: ByteBufferAllocator) -> ByteBuffer {
            buffer(0x88, [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)], allocator)
        }

        private static func buffer(_ head: UInt8, _ payload: [UInt8], _ allocator: ByteBufferAllocator) -> ByteBuffer {
            var buffer = allocator.buffer(capacity: payload.count + 10)
            buffer.writeInteger(head)
            switch payload.count {
            case 0..<126: buffer.writeInteger(UInt8(payload.count))
            case 126..<65_536:
                buffer.writeInteger(UInt8(126))
                buffer.writeInteger(UInt16(payload.count))
            default:
                buffer.writeInteger(UInt8(127))
                buffer.writeInteger(UInt64(payload.count))
            }
            buffer.writeBytes(payload)
            return buffer
        }
    }
#endif
