#if Notifications
    import AtmosphereSocketIO
    import NIOCore
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// The session's end of a WebSocket; may be used from any thread.
    ///
    /// `@unchecked Sendable`: the context is touched on the channel's loop only, and so is what stands beside the socket,
    /// which there is only where the client lives on that loop, too.
    final class WebSocketOutput: @unchecked Sendable {
        private let channel: any Channel
        private let link: EngineServerSession.Link
        private let client: SocketClient
        /// Of the handler that reads; nil before and after its time.
        private var context: ChannelHandlerContext?
        /// The channel's socket, where it may be written to past the channel; nil from the moment when it is closed.
        private var socket: NIOBSDSocket.Handle?
        /// Whether something may wait in the channel that was written to it.
        private var mayWait = true
        /// Nothing follows a close frame (RFC 6455 §5.5.1).
        private var isClosing = false

        /// How long a close frame may wait for a peer that does not read.
        private static let closeTimeout = TimeAmount.seconds(2)

        init(_ channel: any Channel, client: SocketClient) {
            self.channel = channel
            self.client = client
            link = client.newLink()
        }

        /// - Parameter isPlain: whether what is written goes to the network as it is, without TLS.
        func attach(_ context: ChannelHandlerContext, isPlain: Bool) {
            self.context = context
            guard isPlain, client.loop === channel.eventLoop else { return }
            socket = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable { $0 }
        }

        /// The channel is closed, and its socket's number may be another's already.
        func detach() {
            context = nil
            // Where there never was one another thread may be looking.
            if socket != nil { socket = nil }
        }

        var isWritable: Bool { socket != nil && !mayWait || channel.isWritable }

        func write(_ frame: ByteBuffer) {
            if channel.eventLoop.inEventLoop {
                guard !isClosing else { return }
                mayWait = true
                context?.write(NIOAny(frame), promise: nil)
            } else {
                channel.eventLoop.execute { self.write(frame) }
            }
        }

        func flush() {
            if channel.eventLoop.inEventLoop { context?.flush() } else { channel.flush() }
        }

        func send(_ message: EngineMessage) {
            write(Frame.buffer(message))
            flush()
        }

        /// Sends a frame at once, past the channel, where nothing waits in it: all that is left of the cost is the
        /// system's. What the system does not take now waits in the channel as ever. To be called from tasks of the loop
        /// only, not while the channel calls its handlers: between its end and ``detach()`` there are none.
        ///
        /// - Returns: false where nothing was sent.
        func sendPastChannel(_ frame: ByteBuffer) -> Bool {
            guard let socket else { return false }
            if mayWait {
                mayWait = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) != 0
                if mayWait { return false }
            }
            let sent = frame.withUnsafeReadableBytes { Self.send(socket, $0) }
            // What is wrong with the socket the channel will find, too.
            guard sent > 0 else { return false }
            if sent < frame.readableBytes {
                write(frame.getSlice(at: frame.readerIndex + sent, length: frame.readableBytes - sent) ?? ByteBuffer())
                flush()
            }
            return true
        }

        private static func send(_ socket: NIOBSDSocket.Handle, _ bytes: UnsafeRawBufferPointer) -> Int {
            // NIO's sockets do not block, and on Darwin raise no signal.
            #if canImport(Darwin)
                Darwin.send(socket, bytes.baseAddress, bytes.count, 0)
            #elseif canImport(Glibc)
                Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            #elseif canImport(Musl)
                Musl.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            #endif
        }

        /// Says why, and ends the connection.
        func close(_ end: WebSocketEnd) {
            guard channel.eventLoop.inEventLoop else { return channel.eventLoop.execute { self.close(end) } }
            write(Frame.close(end))
            isClosing = true
            if socket != nil { socket = nil }
            let channel = channel
            channel.eventLoop.execute {
                let promise = channel.eventLoop.makePromise(of: Void.self)
                channel.writeAndFlush(ByteBuffer(), promise: promise)
                promise.futureResult.whenComplete { _ in channel.close(promise: nil) }
                channel.eventLoop.scheduleTask(in: Self.closeTimeout) { channel.close(promise: nil) }
            }
        }

        func trust(_ connections: Connections) { connections.trust(channel) }

        func opened() { client.open(self, link) }
        func received(_ message: EngineMessage) { client.take(.webSocketMessage(link, message)) }
        func ended() { client.take(.webSocketClosed(link)) }
        func becameWritable() { client.becameWritable() }
    }
#endif
