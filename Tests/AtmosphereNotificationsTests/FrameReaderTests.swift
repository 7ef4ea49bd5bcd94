#if Notifications
    @testable import AtmosphereNotifications
    import NIOCore
    import Testing

    @Suite("Frames of a WebSocket")
    struct FrameReaderTests {
        private typealias Frame = FrameReader.Frame
        private typealias Violation = FrameReader.Violation

        /// A masked frame as RFC 6455 §5.2 draws it.
        private static func bytes(_ head: UInt8, _ payload: [UInt8], form: Int? = nil) -> [UInt8] {
            let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
            let count = payload.count
            let length: [UInt8] =
                switch form ?? (count < 126 ? 1 : count < 65_536 ? 2 : 8) {
                case 1: [0x80 | UInt8(count)]
                case 2: [0x80 | 126, UInt8(count >> 8), UInt8(count & 0xFF)]
                default: [0x80 | 127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
                }
            return [head] + length + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
        }

        private static func read(_ bytes: [UInt8], in size: Int, limit: Int = 100_000) throws(Violation) -> [Frame] {
            var reader = FrameReader(limit: limit)
            var frames: [Frame] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                reader.append(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)]))
                while let frame = try reader.next() { frames.append(frame) }
                reader.settle()
            }
            return frames
        }

        private static let frames = [
            Frame(opcode: .text, isLast: true, payload: Array("Hello".utf8)),
            Frame(opcode: .text, isLast: false, payload: []),
            Frame(opcode: .ping, isLast: true, payload: [UInt8](0..<125)),
            Frame(opcode: .continuation, isLast: true, payload: [UInt8](repeating: 7, count: 126)),
            Frame(opcode: .binary, isLast: true, payload: (0..<70_001).map { UInt8(truncatingIfNeeded: $0) }),
            Frame(opcode: .pong, isLast: true, payload: []), Frame(opcode: .close, isLast: true, payload: [3, 232])
        ]

        @Test(
            "frames of all kinds and lengths are read, in whatever pieces they arrive",
            arguments: [1, 2, 3, 5, 7, 131, 4096, 65_536, 1_000_000])
        func pieces(size: Int) throws {
            let bytes = Self.frames.flatMap { Self.bytes(($0.isLast ? 0x80 : 0) | $0.opcode.rawValue, $0.payload) }
            #expect(try Self.read(bytes, in: size) == Self.frames)
        }

        @Test("the example of RFC 6455 is read")
        func example() throws {
            let bytes: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
            #expect(try Self.read(bytes, in: 100) == [Frame(opcode: .text, isLast: true, payload: Array("Hello".utf8))])
        }

        @Test(
            "a frame that breaks the protocol is refused at its second byte",
            arguments: [
                [0xC1, 0x80], [0xA1, 0x80], [0x91, 0x80], [0x81, 0x05], [0x83, 0x80], [0x87, 0x80], [0x8B, 0x80],
                [0x8F, 0x80], [0x09, 0x80], [0x08, 0x80], [0x89, 0xFE], [0x88, 0xFF]
            ] as [[UInt8]])
        func violations(bytes: [UInt8]) {
            #expect(throws: Violation.protocolError) { try Self.read(bytes, in: 2) }
        }

        @Test("a frame beyond the limit is refused before its payload comes, however its length is written")
        func limit() throws {
            for count in [200, 70_000] {
                let whole = [UInt8](repeating: 1, count: count)
                let bytes = Self.bytes(0x82, whole)
                #expect(try Self.read(bytes, in: 10, limit: count).map(\.payload) == [whole])
                #expect(throws: Violation.tooLong) { try Self.read(Array(bytes.prefix(10)), in: 10, limit: count - 1) }
            }
            let longest: [UInt8] = [0x82, 0xFF] + [UInt8](repeating: 0xFF, count: 8)
            #expect(throws: Violation.tooLong) { try Self.read(longest, in: 10, limit: .max) }
        }

        @Test("a length that is written longer than it must be is refused", arguments: [(5, 2), (125, 8), (65_535, 8)])
        func longLength(count: Int, form: Int) {
            let bytes = Self.bytes(0x82, [UInt8](repeating: 1, count: count), form: form)
            #expect(throws: Violation.protocolError) { try Self.read(bytes, in: 10) }
        }

        @Test("nothing is kept of what was read, and the channel's own buffer never")
        func settling() throws {
            var reader = FrameReader(limit: 1000)
            var buffer = ByteBuffer(bytes: Self.bytes(0x81, [1, 2, 3]) + [0x81])
            reader.append(buffer)
            #expect(try reader.next() != nil)
            #expect(try reader.next() == nil)
            reader.settle()
            #expect(buffer.modifyIfUniquelyOwned { $0.clear() } != nil)
            reader.append(ByteBuffer(bytes: Self.bytes(0x81, [4]).dropFirst()))
            #expect(try reader.next()?.payload == [4])
        }
    }
#endif
