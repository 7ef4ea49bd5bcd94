#if Notifications
    import AtmosphereSocketIO
    import NIOCore

    /// One WebSocket: reads frames, puts fragments together within the limit, and hands whole messages to the session.
    ///
    /// It is the only handler of its connection, but for TLS: ten thousand connections are ten thousand of each handler.
    /// Everything happens on the channel's event loop; the session may live on another one.
    final class WebSocketLink: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let output: WebSocketOutput
        private let limit: Int
        private let isPlain: Bool
        private var reader: FrameReader
        private var parts: [UInt8] = []
        private var partsOpcode: FrameReader.Opcode?
        private var partsCount = 0
        private var isClosing = false
        private var owesPongs = false

        /// More fragments than this in one message only serve to cost memory.
        private static let fragmentLimit = 1024

        /// - Parameters:
        ///   - limit: the longest message in bytes.
        ///   - isPlain: whether the connection is without TLS.
        init(_ output: WebSocketOutput, limit: Int, isPlain: Bool) {
            self.output = output
            self.limit = limit
            self.isPlain = isPlain
            reader = FrameReader(limit: limit)
        }

        func handlerAdded(context: ChannelHandlerContext) { output.attach(context, isPlain: isPlain) }
        func handlerRemoved(context: ChannelHandlerContext) { output.detach() }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isClosing else { return }
            reader.append(unwrapInboundIn(data))
            do throws(FrameReader.Violation) {
                while !isClosing, let frame = try reader.next() { try take(frame) }
            } catch { fail(error.code) }
            reader.settle()
            if owesPongs {
                owesPongs = false
                output.flush()
            }
        }

        private func take(_ frame: FrameReader.Frame) throws(FrameReader.Violation) {
            switch frame.opcode {
            case .text, .binary:
                guard partsOpcode == nil else { throw .protocolError }
                if frame.isLast {
                    try deliver(frame.payload, frame.opcode)
                } else {
                    partsOpcode = frame.opcode
                    parts = frame.payload
                    partsCount = 1
                }
            case .continuation:
                guard let opcode = partsOpcode else { throw .protocolError }
                partsCount += 1
                guard parts.count + frame.payload.count <= limit, partsCount <= Self.fragmentLimit else {
                    throw .tooLong
                }
                parts.append(contentsOf: frame.payload)
                if frame.isLast {
                    let message = parts
                    parts = []
                    partsOpcode = nil
                    try deliver(message, opcode)
                }
            case .ping:
                output.write(Frame.pong(frame.payload))
                owesPongs = true
            case .pong: break
            case .close:
                // An answer with the same code ends the handshake of RFC 6455 §5.5.1.
                let bytes = frame.payload
                let code = bytes.count >= 2 ? UInt16(bytes[0]) << 8 | UInt16(bytes[1]) : 1000
                guard bytes.count != 1,
                    (1000...1003).contains(code) || (1007...1014).contains(code) || (3000...4999).contains(code)
                else { throw .protocolError }
                guard UTF8Check.isValid(Array(bytes.dropFirst(2))) else { throw .notUTF8 }
                fail(code)
            }
        }

        private func deliver(_ bytes: [UInt8], _ opcode: FrameReader.Opcode) throws(FrameReader.Violation) {
            // RFC 6455 §8.1.
            guard opcode != .text || UTF8Check.isValid(bytes) else { throw .notUTF8 }
            output.received(opcode == .text ? .text(bytes) : .binary(bytes))
        }

        private func fail(_ code: UInt16) {
            guard !isClosing else { return }
            isClosing = true
            output.close(WebSocketEnd(code))
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            // Who does not read what is sent to him is not read from either: answers would pile up.
            _ = try? context.channel.syncOptions?.setOption(.autoRead, value: context.channel.isWritable)
            if context.channel.isWritable { output.becameWritable() }
            context.fireChannelWritabilityChanged()
        }

        func channelInactive(context: ChannelHandlerContext) {
            output.detach()
            output.ended()
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(1002) }
    }
#endif
