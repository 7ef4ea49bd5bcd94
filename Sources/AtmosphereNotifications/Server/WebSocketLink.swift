#if Notifications
    import AtmosphereSocketIO
    import NIOCore
    import NIOWebSocket

    /// One WebSocket: checks what NIO's decoder does not (masks, reserved bits and codes, fragments), puts fragments
    /// together within the limit, and hands whole messages to the session.
    ///
    /// Everything happens on the channel's event loop; the session may live on another one.
    final class WebSocketLink: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame

        private let output: WebSocketOutput
        private let limit: Int
        private var parts: [UInt8] = []
        private var partsOpcode: WebSocketOpcode?
        private var partsCount = 0
        private var isClosing = false

        /// More fragments than this in one message only serve to cost memory.
        private static let fragmentLimit = 1024

        init(_ output: WebSocketOutput, limit: Int) {
            self.output = output
            self.limit = limit
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isClosing else { return }
            let frame = unwrapInboundIn(data)
            guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return fail(context, 1002) }
            let bytes = Array(frame.unmaskedData.readableBytesView)
            switch frame.opcode {
            case .text, .binary:
                guard partsOpcode == nil else { return fail(context, 1002) }
                if frame.fin {
                    deliver(bytes, frame.opcode, context)
                } else {
                    partsOpcode = frame.opcode
                    parts = bytes
                    partsCount = 1
                }
            case .continuation:
                guard let opcode = partsOpcode else { return fail(context, 1002) }
                partsCount += 1
                guard parts.count + bytes.count <= limit, partsCount <= Self.fragmentLimit else {
                    return fail(context, 1009)
                }
                parts.append(contentsOf: bytes)
                if frame.fin {
                    let message = parts
                    parts = []
                    partsOpcode = nil
                    deliver(message, opcode, context)
                }
            case .ping:
                output.write(Frame.pong(bytes, context.channel.allocator))
                output.flush()
            case .pong: break
            case .connectionClose:
                // An answer with the same code ends the handshake of RFC 6455 §5.5.1.
                let code = bytes.count >= 2 ? UInt16(bytes[0]) << 8 | UInt16(bytes[1]) : 1000
                let isLegal = bytes.count != 1 && (1000...4999).contains(code) && ![1004, 1005, 1006].contains(code)
                fail(context, isLegal ? code : 1002)
            default: fail(context, 1002)
            }
        }

        private func deliver(_ bytes: [UInt8], _ opcode: WebSocketOpcode, _ context: ChannelHandlerContext) {
            guard bytes.count <= limit else { return fail(context, 1009) }
            // RFC 6455 §8.1.
            guard opcode != .text || UTF8Check.isValid(bytes) else { return fail(context, 1007) }
            output.received(opcode == .text ? .text(bytes) : .binary(bytes))
        }

        private func fail(_ context: ChannelHandlerContext, _ code: UInt16) {
            guard !isClosing else { return }
            isClosing = true
            output.close(code)
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            // Who does not read what is sent to him is not read from either: answers would pile up.
            _ = try? context.channel.syncOptions?.setOption(.autoRead, value: context.channel.isWritable)
            if context.channel.isWritable { output.becameWritable() }
            context.fireChannelWritabilityChanged()
        }

        func channelInactive(context: ChannelHandlerContext) {
            output.ended()
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            let isTooLarge = (error as? NIOWebSocketError) == .invalidFrameLength
            fail(context, isTooLarge ? 1009 : 1002)
        }
    }

    /// The session's end of a WebSocket; may be used from any thread.
    final class WebSocketOutput: Sendable {
        private let channel: any Channel
        private let link: EngineServerSession.Link
        private let client: SocketClient
        /// Whole frames are written below NIO's frame encoder, so that one buffer serves many.
        private let encoder: NIOLoopBound<ChannelHandlerContext>

        /// How long a close frame may wait for a peer that does not read.
        private static let closeTimeout = TimeAmount.seconds(2)

        /// To be made on the channel's loop, when it has become a WebSocket.
        init(_ channel: any Channel, client: SocketClient) throws {
            self.channel = channel
            self.client = client
            link = client.newLink()
            let context = try channel.pipeline.syncOperations.context(handlerType: WebSocketFrameEncoder.self)
            encoder = NIOLoopBound(context, eventLoop: channel.eventLoop)
        }

        var isWritable: Bool { channel.isWritable }

        func write(_ frame: ByteBuffer) {
            if channel.eventLoop.inEventLoop {
                encoder.value.write(NIOAny(frame), promise: nil)
            } else {
                channel.eventLoop.execute { self.encoder.value.write(NIOAny(frame), promise: nil) }
            }
        }

        func flush() { channel.flush() }

        func send(_ message: EngineMessage) {
            write(Frame.buffer(message, channel.allocator))
            flush()
        }

        /// Says why (RFC 6455 §7.4.1), and ends the connection.
        func close(_ code: UInt16 = 1000) {
            write(Frame.close(code, channel.allocator))
            let channel = channel
            channel.eventLoop.execute {
                let promise = channel.eventLoop.makePromise(of: Void.self)
                self.encoder.value.writeAndFlush(NIOAny(ByteBuffer()), promise: promise)
                promise.futureResult.whenComplete { _ in channel.close(promise: nil) }
                channel.eventLoop.scheduleTask(in: Self.closeTimeout) { channel.close(promise: nil) }
            }
        }

        func opened() { client.open(self, link) }
        func received(_ message: EngineMessage) { client.take(.webSocketMessage(link, message)) }
        func ended() { client.take(.webSocketClosed(link)) }
        func becameWritable() { client.becameWritable() }
    }
#endif
