#if SocketIO
    internal import NIOCore
    internal import NIOHTTP1

    /// One request, with where its answer goes.
    struct HTTPExchange: Sendable {
        var head: HTTPRequestHead
        var body: [UInt8]
        var answer: EventLoopPromise<HTTPReply>
    }

    struct HTTPReply: Sendable {
        var status: Int
        var body: [UInt8]
        /// Another request may follow on the connection.
        var isKeptAlive: Bool
    }

    /// Sends one request after another on a connection, and collects each answer within a limit.
    final class HTTPExchanges: ChannelDuplexHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias InboundOut = Never
        typealias OutboundIn = HTTPExchange
        typealias OutboundOut = HTTPClientRequestPart

        private let limit: Int
        private var current: EventLoopPromise<HTTPReply>?
        private var head: HTTPResponseHead?
        private var body: [UInt8] = []

        init(limit: Int) { self.limit = limit }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let exchange = unwrapOutboundIn(data)
            guard current == nil else {
                exchange.answer.fail(LinkError("two requests at once on one connection"))
                promise?.succeed()
                return
            }
            current = exchange.answer
            context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
            if !exchange.body.isEmpty {
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: exchange.body)))), promise: nil)
            }
            context.write(wrapOutboundOut(.end(nil)), promise: promise)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                self.head = head
                body = []
            case .body(let buffer):
                guard body.count + buffer.readableBytes <= limit else {
                    fail("an answer is longer than \(limit) bytes, which is the most that is taken", isUnreadable: true)
                    return context.close(promise: nil)
                }
                body.append(contentsOf: buffer.readableBytesView)
            case .end:
                guard let head else { return }
                let reply = HTTPReply(status: Int(head.status.code), body: body, isKeptAlive: head.isKeepAlive)
                body = []
                self.head = nil
                let promise = current
                current = nil
                if !reply.isKeptAlive { context.close(promise: nil) }
                promise?.succeed(reply)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            fail("the connection broke")
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            fail("the connection ended")
            context.fireChannelInactive()
        }

        private func fail(_ reason: String, isUnreadable: Bool = false) {
            current?.fail(LinkError(reason, isUnreadable: isUnreadable))
            current = nil
        }
    }
#endif
