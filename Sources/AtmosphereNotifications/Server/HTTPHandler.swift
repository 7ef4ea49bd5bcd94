#if Notifications
    import AtmosphereSocketIO
    import NIOCore
    import NIOHTTP1
    import NIOWebSocket

    /// The HTTP side of one connection: gathers requests within limits of size and time, and routes them to the session
    /// they belong to, or to the application.
    final class HTTPHandler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private enum Route {
            case application
            /// A POST of a session, which must know that it is on its way.
            case post(SocketClient, EngineServerSession.Link, isBinary: Bool)
            /// Answered or handed on; the body does not matter.
            case handled
        }

        private let server: ServerCore
        private let makeUpgrade: (HTTPHandler) -> HTTPServerUpgradeHandler
        private var context: ChannelHandlerContext?
        private var head: HTTPRequestHead?
        private var route = Route.handled
        private var body: [UInt8] = []
        private var isTooLarge = false
        private var number: UInt64 = 0
        private var isAnswered = true
        private var isRead = true
        /// The request's last part was here.
        private var hasEnded = true
        /// What must hear that the connection ended before its answer.
        private var pending: (client: SocketClient, link: EngineServerSession.Link)?
        private var timer: Scheduled<Void>?

        /// - Parameter makeUpgrade: makes what looks at one request and upgrades the connection if it asks for it.
        init(_ server: ServerCore, makeUpgrade: @escaping (HTTPHandler) -> HTTPServerUpgradeHandler) {
            self.server = server
            self.makeUpgrade = makeUpgrade
        }

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
            restartTimer(server.options.requestTimeout)
            lookForUpgrade(context)
        }

        /// NIO's upgrade handler looks at one request and leaves, but clients upgrade on a connection that they have
        /// polled on before: each request gets its own.
        private func lookForUpgrade(_ context: ChannelHandlerContext) {
            try? context.pipeline.syncOperations.addHandler(makeUpgrade(self), position: .before(self))
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            timer?.cancel()
            self.context = nil
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): begin(head, context)
            case .body(let buffer): append(buffer)
            case .end: end(context)
            }
        }

        private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
            self.head = head
            number += 1
            body = []
            isTooLarge = false
            isAnswered = false
            hasEnded = false
            // A request without a body is as good as read: its answer must not cost the connection.
            isRead =
                head.headers["content-length"].allSatisfy { $0 == "0" }
                && !head.headers.contains(name: "transfer-encoding")
            route = .handled
            restartTimer(server.options.requestTimeout)
            let target = Target(head.uri)
            if target.path == server.options.path {
                engine(head, target, context)
            } else {
                route = .application
            }
        }

        private func append(_ buffer: ByteBuffer) {
            guard !isTooLarge else { return }
            guard body.count + buffer.readableBytes <= server.options.engine.limits.payloadBytes else {
                isTooLarge = true
                body = []
                switch route {
                case .post(let client, let link, _): client.take(.postTooLarge(link))
                case .application:
                    let problem = Problem(
                        413, "The body is longer than \(server.options.engine.limits.payloadBytes) bytes")
                    answer(problem.answer, to: number)
                case .handled: break
                }
                return
            }
            if case .handled = route { return }
            body.append(contentsOf: buffer.readableBytesView)
        }

        private func end(_ context: ChannelHandlerContext) {
            isRead = true
            hasEnded = true
            timer?.cancel()
            if isAnswered { lookForUpgrade(context) }
            guard let head, !isTooLarge else { return finish(context) }
            switch route {
            case .handled: break
            case .post(let client, let link, let isBinary):
                client.take(.postEnded(link, body, isBinary: isBinary))
            case .application:
                let target = Target(head.uri)
                let request = HTTPRequest(
                    method: head.method.rawValue, path: target.path, query: target.query, headers: head.headers,
                    body: body, address: context.channel.remoteAddress?.ipAddress ?? "")
                server.application.answer(request, to: HTTPResponder(context.channel, self, number: number))
            }
            body = []
            finish(context)
        }

        // MARK: Engine.IO

        private func engine(_ head: HTTPRequestHead, _ target: Target, _ context: ChannelHandlerContext) {
            let responder = HTTPResponder(context.channel, self, number: number)
            guard server.allows(head.headers) else { return responder.answer(server.refusal(.forbidden)) }
            if head.method == .OPTIONS {
                return responder.answer(HTTPAnswer(status: 204, contentType: "", body: []))
            }
            let query: EngineQuery
            do throws(EngineRefusal) { query = try EngineQuery(target.query[...]) } catch {
                return responder.answer(server.refusal(error))
            }
            guard let sid = query.sid else {
                guard head.method == .GET else { return responder.answer(server.refusal(.badHandshakeMethod)) }
                let isHandshake = head.headers["upgrade"].contains { $0.lowercased() == "websocket" }
                guard query.transport == .polling || isHandshake else {
                    return responder.answer(server.refusal(.badRequest))
                }
                guard let hub = server.admit(context.channel) else {
                    var problem = Problem(503, "No more clients are taken now")
                    problem.headers = [("retry-after", "5")]
                    return responder.answer(problem.answer)
                }
                // A handshake that comes here was refused for something else.
                guard query.transport == .polling else { return responder.answer(server.refusal(.badRequest)) }
                let client = hub.open(.polling, address: context.channel.remoteAddress?.ipAddress ?? "")
                let link = client.newLink(responder)
                pending = (client, link)
                return client.take(.poll(link))
            }
            guard let client = server.client(sid) else { return responder.answer(server.refusal(.unknownSession)) }
            guard query.transport == .polling, head.method == .GET || head.method == .POST else {
                return responder.answer(server.refusal(.badRequest))
            }
            let link = client.newLink(responder)
            pending = (client, link)
            if head.method == .GET {
                client.take(.poll(link))
            } else {
                let type = head.headers.first(name: "content-type") ?? ""
                route = .post(client, link, isBinary: type.lowercased().hasPrefix("application/octet-stream"))
                client.take(.postBegan(link))
            }
        }

        // MARK: Answers

        /// Answers the request with this number, where that has not happened.
        func answer(_ answer: HTTPAnswer, to number: UInt64) {
            guard number == self.number, !isAnswered, let context, let head else { return }
            isAnswered = true
            pending = nil
            var headers = HTTPHeaders(answer.headers)
            if !answer.contentType.isEmpty { headers.add(name: "content-type", value: answer.contentType) }
            headers.add(name: "content-length", value: String(answer.body.count))
            headers.add(name: "cache-control", value: "no-store")
            headers.add(name: "x-content-type-options", value: "nosniff")
            server.addCORS(to: &headers, for: head)
            // A body that is not read to its end would be taken for the next request.
            let keepsAlive = head.isKeepAlive && isRead && !server.isDraining
            if !keepsAlive { headers.add(name: "connection", value: "close") }
            let response = HTTPResponseHead(
                version: head.version, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
            context.write(wrapOutboundOut(.head(response)), promise: nil)
            if head.method != .HEAD, !answer.body.isEmpty {
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
            }
            // Before the end is written: the next request may follow at once.
            if keepsAlive, hasEnded { lookForUpgrade(context) }
            let promise = context.eventLoop.makePromise(of: Void.self)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
            if keepsAlive {
                restartTimer(server.options.keepAlive)
            } else {
                let channel = context.channel
                promise.futureResult.whenComplete { _ in channel.close(promise: nil) }
            }
        }

        private func finish(_ context: ChannelHandlerContext) {
            if isAnswered { restartTimer(server.options.keepAlive) }
        }

        /// Ends a connection that is silent where a request, or its rest, should come.
        private func restartTimer(_ time: TimeAmount) {
            timer?.cancel()
            guard let context else { return }
            let channel = context.channel
            timer = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
        }

        func channelInactive(context: ChannelHandlerContext) {
            timer?.cancel()
            if let pending { pending.client.take(.requestLost(pending.link)) }
            pending = nil
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // A refused upgrade is answered as the request that it also is.
            if error is NIOWebSocketUpgradeError { return }
            context.close(promise: nil)
        }
    }

    /// The two parts of a request's target.
    struct Target {
        var path: String
        var query: String

        init(_ uri: String) {
            let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            path = parts.first.map(String.init) ?? ""
            query = parts.count > 1 ? String(parts[1]) : ""
        }
    }
#endif
