#if Notifications
    import NIOCore
    import NIOHTTP1

    /// Ends a connection that sends many requests ahead of their answers (RFC 9112 §9.3.2): one read may hold thousands,
    /// and everybody else would wait for them.
    final class PipeliningLimit: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart
        typealias OutboundIn = HTTPServerResponsePart
        typealias OutboundOut = HTTPServerResponsePart

        static let limit = 64
        private var waiting = 0

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .head = unwrapInboundIn(data) {
                waiting += 1
                if waiting == Self.limit + 1 { context.close(promise: nil) }
            }
            if waiting <= Self.limit { context.fireChannelRead(data) }
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if case .end = unwrapOutboundIn(data) { waiting -= 1 }
            context.write(data, promise: promise)
        }
    }
#endif
