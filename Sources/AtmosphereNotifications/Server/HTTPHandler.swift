#if Notifications
    import AtmosphereSocketIO
    import NIOCore
    import NIOHTTP1

    /// The HTTP side of one connection: gathers requests within limits of size and time, and routes them to the session
    /// they belong to, or to the application; or makes the connection a WebSocket.
    final class HTTPHandler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private enum Route {
            case application
            /// A POST of a session, which must know that it is on its way.
            case post(SocketClient, EngineServerSession.Link, isBinary: Bool)
            case upgrade(WebSocketUpgrade)
            /// Answered or handed on; the body does not matter.
            case handled
        }

        private let server: ServerCore
        private let hub: Hub
        /// Those before this one; they go with it when the connection becomes a WebSocket.
        private let others: [any RemovableChannelHandler]
        private var context: ChannelHandlerContext?
        private var head: HTTPRequestHead?
        private var route = Route.handled
        private var body: [UInt8] = []
        /// The bytes of this body that count among all that are on their way.
        private var held = 0
        private let address: String
        /// The rest of the body does not matter any more.
        private var isGivenUp = false
        /// Something of a request was here, but not its whole head.
        private var hasPartOfHead = false
        /// This read has brought a part of a request.
        private var hasReadPart = false
        /// The last answer has gone out; what still comes is thrown away.
        private var isLingering = false
        private var thrownAway = 0
        private var number: UInt64 = 0
        private var isAnswered = true
        private var isTrusted = false
        private var isRead = true
        /// The request's last part was here.
        private var hasEnded = true
        /// What must hear that the connection ended before its answer.
        private var pending: (client: SocketClient, link: EngineServerSession.Link)?
        /// When the connection ends, unless something comes; nil while an answer is on its way.
        private var deadline: NIODeadline?
        private var timer: Scheduled<Void>?

        /// - Parameter address: of the peer.
        init(
            _ server: ServerCore, hub: Hub, address: String, behind others: [any RemovableChannelHandler]
        ) {
            self.server = server
            self.address = address
            self.hub = hub
            self.others = others
        }

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
            expectMore(within: server.options.requestTimeout)
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            timer?.cancel()
            self.context = nil
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            hasPartOfHead = false
            hasReadPart = true
            guard !isLingering else { return throwAway(unwrapInboundIn(data), context) }
            switch unwrapInboundIn(data) {
            case .head(let head): begin(head, context)
            case .body(let buffer): append(buffer)
            case .end: end(context)
            }
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            if !hasReadPart, hasEnded { hasPartOfHead = true }
            hasReadPart = false
            context.fireChannelReadComplete()
        }

        private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
            self.head = head
            number += 1
            body = []
            isGivenUp = false
            isAnswered = false
            hasEnded = false
            // A request without a body is as good as read: its answer must not cost the connection.
            isRead = !head.hasBody
            route = .handled
            expectMore(within: server.options.requestTimeout)
            // RFC 9112 §3.2.
            if head.version == .http1_1, head.headers["host"].count != 1 {
                return answer(Problem(400, "One header field Host is needed").answer, to: number)
            }
            guard server.isNamed(head.headers) else {
                return answer(
                    Problem(421, "The server is not called so; use the address that it was started with").answer,
                    to: number)
            }
            let target = Target(head.uri)
            if let upgrade = server.upgrade(head, target, context.channel) {
                route = .upgrade(upgrade)
            } else if target.path == server.options.path {
                engine(head, target, context)
            } else {
                route = .application
            }
            guard !isAnswered, head.hasBody else { return }
            // Nobody is asked for a body that will not be taken.
            guard !head.announces(moreThan: server.options.engine.limits.payloadBytes) else { return refuseBody() }
            if head.version == .http1_1, head.headers["expect"].contains(where: { $0.lowercased() == "100-continue" }) {
                // RFC 9110 §10.1.1.
                let go = HTTPResponseHead(version: .http1_1, status: .continue)
                context.writeAndFlush(wrapOutboundOut(.head(go)), promise: nil)
            }
        }

        private func append(_ buffer: ByteBuffer) {
            if case .handled = route { return }
            if case .upgrade = route { return }
            guard !isGivenUp else { return }
            guard server.bodies.take(buffer.readableBytes, from: address) else {
                isGivenUp = true
                letGo()
                var problem = Problem(503, "Too many bodies are on their way")
                problem.headers = [("retry-after", "1")]
                answer(problem.answer, to: number)
                if case .post(let client, let link, _) = route { client.take(.requestLost(link)) }
                return
            }
            held += buffer.readableBytes
            guard body.count + buffer.readableBytes <= server.options.engine.limits.payloadBytes else {
                return refuseBody()
            }
            body.append(contentsOf: buffer.readableBytesView)
        }

        /// The body is, or will be, longer than allowed.
        private func refuseBody() {
            isGivenUp = true
            letGo()
            switch route {
            case .post(let client, let link, _): client.take(.postTooLarge(link))
            case .application:
                let problem = Problem(
                    413, "The body is longer than \(server.options.engine.limits.payloadBytes) bytes")
                answer(problem.answer, to: number)
            case .handled, .upgrade: break
            }
        }

        private func end(_ context: ChannelHandlerContext) {
            isRead = true
            hasEnded = true
            deadline = nil
            guard let head, !isGivenUp else { return finish() }
            switch route {
            case .handled: break
            case .upgrade(let upgrade): return becomeWebSocket(upgrade, context)
            case .post(let client, let link, let isBinary):
                client.take(.postEnded(link, body, isBinary: isBinary))
            case .application:
                let target = Target(head.uri)
                let request = HTTPRequest(
                    method: head.method.rawValue, path: target.path, query: target.query, headers: head.headers,
                    body: body, address: address,
                    hold: held > 0 ? BodyHold(held, from: address, in: server.bodies) : nil)
                held = 0
                if !isTrusted { server.connections.keep(context.channel) }
                if let application = server.application as? any HTTPApplication {
                    application.answer(request, to: responder(context))
                } else {
                    answer(HTTPAnswer(status: 404, contentType: "text/plain", body: []), to: number)
                }
            }
            letGo()
            finish()
        }

        /// What is handed on is not a body on its way any more.
        private func letGo() {
            body = []
            if held > 0 { server.bodies.give(held, from: address) }
            held = 0
        }

        /// Answers with 101, and leaves the connection to the WebSocket.
        private func becomeWebSocket(_ upgrade: WebSocketUpgrade, _ context: ChannelHandlerContext) {
            isAnswered = true
            let response = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: upgrade.headers)
            context.write(wrapOutboundOut(.head(response)), promise: nil)
            let channel = context.channel
            let pipeline = context.pipeline.syncOperations
            pipeline.removeHandler(context: context, promise: nil)
            // The encoder first: nothing goes through it any more. The decoder last: it hands on what it has not read.
            for handler in others.dropLast() { pipeline.removeHandler(handler, promise: nil) }
            upgrade.open(channel, hub)
            if let decoder = others.last { pipeline.removeHandler(decoder, promise: nil) }
            channel.flush()
        }

        // MARK: Engine.IO

        private func engine(_ head: HTTPRequestHead, _ target: Target, _ context: ChannelHandlerContext) {
            let responder = responder(context)
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
                if isHandshake, head.headers["sec-websocket-version"] != ["13"] {
                    // RFC 6455 §4.4.
                    var problem = Problem(426, "Version 13 of the WebSocket protocol is needed")
                    problem.headers = [("upgrade", "websocket"), ("sec-websocket-version", "13")]
                    return responder.answer(problem.answer)
                }
                guard let hub = server.admit(context.channel) else {
                    var problem = Problem(503, "No more clients are taken now")
                    problem.headers = [("retry-after", "5")]
                    return responder.answer(problem.answer)
                }
                // A handshake that comes here was refused for something else.
                guard query.transport == .polling else { return responder.answer(server.refusal(.badRequest)) }
                let client = hub.open(.polling, address: address)
                if !isTrusted { server.connections.keep(context.channel) }
                let link = client.newLink(responder)
                pending = (client, link)
                return client.take(.poll(link))
            }
            guard let client = server.client(sid) else { return responder.answer(server.refusal(.unknownSession)) }
            guard query.transport == .polling, head.method == .GET || head.method == .POST else {
                return responder.answer(server.refusal(.badRequest))
            }
            if server.hasJoined(sid) { trust() }
            if !isTrusted { server.connections.keep(context.channel) }
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

        private func responder(_ context: ChannelHandlerContext) -> HTTPResponder {
            HTTPResponder(
                context.channel, self, number: number, executor: hub.executor, gate: server.loopGate)
        }

        /// The connection does not count as new any more.
        func trust() {
            guard !isTrusted, let context else { return }
            isTrusted = true
            server.connections.trust(context.channel)
        }

        /// Answers the request with this number, where that has not happened.
        func answer(_ answer: HTTPAnswer, to number: UInt64) {
            guard number == self.number, !isAnswered, let context, let head else { return }
            isAnswered = true
            pending = nil
            if !isTrusted { server.connections.release(context.channel) }
            var headers = HTTPHeaders(answer.headers)
            if !answer.contentType.isEmpty { headers.add(name: "content-type", value: answer.contentType) }
            headers.add(name: "content-length", value: String(answer.body.count))
            headers.add(name: "cache-control", value: "no-store")
            headers.add(name: "x-content-type-options", value: "nosniff")
            server.addCORS(to: &headers, for: head)
            // A body that is not read to its end would be taken for the next request, and behind a request to upgrade
            // NIO reads no other one.
            let keepsAlive =
                head.isKeepAlive && isRead && !server.isDraining && !head.headers.contains(name: "upgrade")
            if !keepsAlive { headers.add(name: "connection", value: "close") }
            let response = HTTPResponseHead(
                version: head.version, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
            context.write(wrapOutboundOut(.head(response)), promise: nil)
            if head.method != .HEAD, !answer.body.isEmpty {
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
            }
            let promise = context.eventLoop.makePromise(of: Void.self)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
            // Also where nothing more is expected: an answer that nobody reads would keep the connection.
            expectMore(within: server.options.keepAlive)
            if !keepsAlive {
                let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
                promise.futureResult.whenComplete { _ in handler.value.endConnection() }
            }
        }

        /// Ends the connection behind its last answer. Where a request is still on its way, what comes is thrown away for a
        /// while: otherwise the system would reset the connection, and the answer could be lost (RFC 9112 §9.6).
        private func endConnection() {
            guard let context else { return }
            guard !hasEnded || hasPartOfHead, let network else { return context.close(promise: nil) }
            isLingering = true
            let channel = context.channel
            let promise = context.eventLoop.makePromise(of: Void.self)
            promise.futureResult.whenFailure { _ in channel.close(promise: nil) }
            network.close(mode: .output, promise: promise)
            timer?.cancel()
            timer = nil
            expectMore(within: Self.lingerTime)
        }

        private static let lingerTime = Duration.seconds(2)
        private static let lingerBytes = 4 << 20

        private func throwAway(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
            switch part {
            case .head: break
            case .body(let buffer):
                thrownAway += buffer.readableBytes
                if thrownAway > Self.lingerBytes { context.close(promise: nil) }
            case .end: context.close(promise: nil)
            }
        }

        /// Nothing, or not all of a request, has come in time.
        private func endLate() {
            guard let context else { return }
            guard !isLingering, !server.isDraining else { return context.close(promise: nil) }
            if !hasEnded, !isAnswered {
                isGivenUp = true
                letGo()
                let late = pending
                answer(Self.late.answer, to: number)
                if let late { late.client.take(.requestLost(late.link)) }
            } else if hasEnded, isAnswered, hasPartOfHead {
                tellLate(context)
            } else {
                context.close(promise: nil)
            }
        }

        private static let late = Problem(408, "The request did not come in time")

        /// What is written there goes past NIO's handlers for HTTP: they expect no answer where there is no request.
        private var network: ChannelHandlerContext? {
            guard let context, let encoder = others.first else { return nil }
            return try? context.pipeline.syncOperations.context(handler: encoder)
        }

        private func tellLate(_ context: ChannelHandlerContext) {
            guard let network else { return context.close(promise: nil) }
            let answer = Self.late.answer
            var bytes = ByteBuffer(
                string: """
                    HTTP/1.1 408 Request Timeout\r\ncontent-type: \(answer.contentType)\r
                    content-length: \(answer.body.count)\r\ncache-control: no-store\r\nconnection: close\r\n\r\n
                    """)
            bytes.writeBytes(answer.body)
            network.writeAndFlush(NIOAny(bytes), promise: nil)
            endConnection()
        }

        private func finish() {
            if isAnswered { expectMore(within: server.options.keepAlive) }
        }

        /// Ends a connection that is silent where a request, or its rest, should come.
        private func expectMore(within time: Duration) {
            deadline = .now() + .nanoseconds(time.nanoseconds)
            if timer == nil { lookLater() }
        }

        /// No request needs a timer of its own: one looks now and then, never later than a deadline that may come.
        private func lookLater() {
            guard let context, let deadline else { return }
            let look = min(server.options.requestTimeout, server.options.keepAlive)
            let next = min(deadline, .now() + .nanoseconds(look.nanoseconds))
            timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: next) {
                self.timer = nil
                guard let deadline = self.deadline else { return }
                if deadline <= .now() { self.endLate() } else { self.lookLater() }
            }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            // Who does not read the answers is not asked for more requests.
            _ = try? context.channel.syncOptions?.setOption(.autoRead, value: context.channel.isWritable)
            context.fireChannelWritabilityChanged()
        }

        func channelInactive(context: ChannelHandlerContext) {
            timer?.cancel()
            letGo()
            if let pending { pending.client.take(.requestLost(pending.link)) }
            pending = nil
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }

    extension HTTPRequestHead {
        /// Whether a body is announced.
        var hasBody: Bool {
            headers.contains(name: "transfer-encoding") || !headers["content-length"].allSatisfy { $0 == "0" }
        }

        /// Whether the announced length is more than that; a number that is too large for an integer is.
        func announces(moreThan count: Int) -> Bool {
            headers["content-length"].contains { (Int($0) ?? .max) > count }
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
