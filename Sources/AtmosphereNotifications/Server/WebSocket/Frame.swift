#if Notifications
    import AtmosphereSocketIO
    import NIOCore

    /// A WebSocket frame of a server (RFC 6455 §5.2): whole, unmasked, with nothing set aside but its payload.
    enum Frame {
        static func buffer(_ message: EngineMessage) -> ByteBuffer {
            switch message {
            case .text(let bytes): buffer(0x81, bytes)
            case .binary(let bytes): buffer(0x82, bytes)
            }
        }

        static func pong(_ data: [UInt8]) -> ByteBuffer {
            buffer(0x8A, data)
        }

        static func close(_ end: WebSocketEnd) -> ByteBuffer {
            buffer(0x88, [UInt8(end.code >> 8), UInt8(truncatingIfNeeded: end.code)] + Array(end.reason.utf8))
        }

        private static func buffer(_ head: UInt8, _ payload: [UInt8]) -> ByteBuffer {
            var buffer = ByteBuffer()
            buffer.reserveCapacity(payload.count + 10)
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
