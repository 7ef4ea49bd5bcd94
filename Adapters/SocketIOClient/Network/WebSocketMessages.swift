#if SocketIO
    internal import AtmosphereSocketIO
    internal import NIOCore
    internal import NIOWebSocket

    /// The client's end of a WebSocket (RFC 6455): checks what NIO's decoder does not, puts fragments together within the
    /// limit, answers pings, masks what goes out, and reads no further than what was taken.
    final class WebSocketMessages: ChannelDuplexHandler {
        typealias InboundIn = WebSocketFrame
        typealias OutboundIn = EngineMessage
        typealias OutboundOut = WebSocketFrame

        enum Signal: Sendable {
            /// `taken` is called when the message has been dealt with.
            case message(EngineMessage, taken: @Sendable () -> Void)
            case closed(LinkError)
        }

        typealias Receiver = @Sendable (Signal) -> Void

        private let limit: Int
        private let receive: Receiver
        private var parts: [UInt8] = []
        private var opcode: WebSocketOpcode?
        private var fragments = 0
        private var isClosing = false
        private var hasEnded = false
        /// Messages that were handed over and not taken yet.
        private var waiting = 0

        /// More fragments than this in one message only serve to cost memory.
        private static let fragmentLimit = 1024

        init(limit: Int, _ receive: @escaping Receiver) {
            self.limit = limit
            self.receive = receive
        }

        func handlerAdded(context: ChannelHandlerContext) {
            try? context.channel.syncOptions?.setOption(.autoRead, value: false)
            context.read()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isClosing else { return }
            let frame = unwrapInboundIn(data)
            guard frame.maskKey == nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
                return close(context, .protocolError)
            }
            let bytes = Array(frame.data.readableBytesView)
            switch frame.opcode {
            case .text, .binary:
                guard opcode == nil else { return close(context, .protocolError) }
                opcode = frame.opcode
                parts = bytes
                fragments = 1
                if frame.fin { deliver(context) }
            case .continuation:
                guard opcode != nil else { return close(context, .protocolError) }
                fragments += 1
                guard parts.count + bytes.count <= limit, fragments <= Self.fragmentLimit else {
                    return close(context, .messageTooLarge)
                }
                parts.append(contentsOf: bytes)
                if frame.fin { deliver(context) }
            case .ping: write(context, .pong, bytes)
            case .pong: break
            case .connectionClose:
                // Behind the code (RFC 6455 §5.5.1).
                let reason = String(validating: bytes.dropFirst(2), as: UTF8.self) ?? ""
                if !reason.isEmpty {
                    end(LinkError("the server closed the connection: \(reason)", isOfPeer: true))
                }
                close(context, .normalClosure)
            default: close(context, .protocolError)
            }
        }

        private func deliver(_ context: ChannelHandlerContext) {
            guard parts.count <= limit else { return close(context, .messageTooLarge) }
            let message: EngineMessage = opcode == .text ? .text(parts) : .binary(parts)
            parts = []
            opcode = nil
            waiting += 1
            let loop = context.eventLoop
            let bound = NIOLoopBound((self, context), eventLoop: loop)
            receive(.message(message) { loop.execute { bound.value.0.taken(bound.value.1) } })
        }

        private func taken(_ context: ChannelHandlerContext) {
            waiting -= 1
            if waiting == 0, !hasEnded { context.read() }
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            if waiting == 0 { context.read() }
            context.fireChannelReadComplete()
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard !isClosing else {
                promise?.fail(LinkError("the WebSocket is closing"))
                return
            }
            switch unwrapOutboundIn(data) {
            case .text(let bytes): write(context, .text, bytes, promise)
            case .binary(let bytes): write(context, .binary, bytes, promise)
            }
        }

        private func write(
            _ context: ChannelHandlerContext, _ opcode: WebSocketOpcode, _ bytes: [UInt8],
            _ promise: EventLoopPromise<Void>? = nil
        ) {
            let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: ByteBuffer(bytes: bytes))
            context.writeAndFlush(wrapOutboundOut(frame), promise: promise)
        }

        /// Says goodbye before the connection ends.
        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            sendClose(context, .normalClosure)
            context.close(mode: mode, promise: promise)
        }

        private func close(_ context: ChannelHandlerContext, _ code: WebSocketErrorCode) {
            sendClose(context, code)
            switch code {
            case .messageTooLarge:
                end(
                    LinkError(
                        "a message is longer than \(limit) bytes, which is the most that is taken", isUnreadable: true))
            case .protocolError: end(LinkError("the server broke the WebSocket protocol"))
            default: end()
            }
            context.close(promise: nil)
        }

        private func sendClose(_ context: ChannelHandlerContext, _ code: WebSocketErrorCode) {
            guard !isClosing else { return }
            var data = ByteBuffer()
            data.write(webSocketErrorCode: code)
            write(context, .connectionClose, Array(data.readableBytesView))
            isClosing = true
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            let isTooLarge = (error as? NIOWebSocketError) == .invalidFrameLength
            close(context, isTooLarge ? .messageTooLarge : .protocolError)
        }

        func channelInactive(context: ChannelHandlerContext) {
            end()
            context.fireChannelInactive()
        }

        private func end(_ error: LinkError = LinkError("the connection ended")) {
            guard !hasEnded else { return }
            hasEnded = true
            receive(.closed(error))
        }
    }
#endif
