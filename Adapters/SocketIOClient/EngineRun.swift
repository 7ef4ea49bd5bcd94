#if SocketIO
    internal import Atmosphere
    internal import AtmosphereSocketIO
    internal import NIOConcurrencyHelpers
    internal import NIOCore
    internal import NIOHTTP1

    /// One Engine.IO session from its first byte to its last: performs what the session machines say, in one task.
    final class EngineRun {
        typealias Link = EngineClientSession.Link

        enum Input: Sendable {
            case engine(EngineClientSession.Event)
            case opened(Link, any Channel)
            case message(Link, EngineMessage, taken: @Sendable () -> Void)
            case failed(Link, LinkError, isSocket: Bool)
            case socket(SocketClientSession.Event)
            case tick
        }

        /// What came of it.
        struct End {
            var socket: SocketClientSession
            var reason: String
            /// The handshake was made.
            var wasOpen: Bool
            /// The first WebSocket could not be had.
            var lacksWebSocket: Bool
        }

        private let connector: Connector
        private let options: SocketIOClientOptions
        private let signal: (SocketIOClient.Signal) -> Void
        private var engine: EngineClientSession
        private var socket: SocketClientSession
        private var sockets: [Link: any Channel] = [:]
        /// What came with the answer that opened a WebSocket, before that was reported.
        private var early: [Link: [(message: EngineMessage, taken: @Sendable () -> Void)]] = [:]
        private var links = HTTPLinks()
        private var reason = "the connection ended"
        private var failure: String?
        /// What the server has said of the WebSocket that has just ended.
        private var lastWord: String?
        private var wasOpen = false
        private var startsWithWebSocket: Bool
        private var lacksWebSocket = false
        private var isOver = false
        private var work: [@Sendable (AsyncStream<Input>.Continuation) async -> Void] = []
        private var sleepsUntil: Duration?

        init(
            _ connector: Connector, _ options: SocketIOClientOptions, _ transports: [EngineTransport],
            _ socket: SocketClientSession, _ signal: @escaping (SocketIOClient.Signal) -> Void
        ) {
            self.connector = connector
            self.options = options
            self.socket = socket
            self.signal = signal
            var engineOptions = EngineClientOptions(transports: transports, limits: options.engine)
            engineOptions.connectTimeout = options.connectTimeout + .seconds(10)
            engine = EngineClientSession(options: engineOptions)
            startsWithWebSocket = transports.first == .webSocket
        }

        func run(_ inputs: AsyncStream<Input>, _ input: AsyncStream<Input>.Continuation) async -> End {
            await withDiscardingTaskGroup { group in
                perform(engine.step(.start, at: options.clock()))
                launch(&group, input)
                for await event in inputs {
                    take(event)
                    launch(&group, input)
                    if isOver { break }
                }
                // Cancelled: the server is told.
                if !isOver {
                    reason = "stopped"
                    perform(engine.step(.close, at: options.clock()))
                }
                input.finish()
                group.cancelAll()
                for channel in sockets.values { channel.close(promise: nil) }
                links.close()
            }
            return End(socket: socket, reason: failure ?? reason, wasOpen: wasOpen, lacksWebSocket: lacksWebSocket)
        }

        private func launch(_ group: inout DiscardingTaskGroup, _ input: AsyncStream<Input>.Continuation) {
            for each in work { group.addTask { await each(input) } }
            work = []
            let deadlines = [engine.deadline, socket.deadline].compactMap { $0 }
            guard !isOver, let deadline = deadlines.min(), deadline < sleepsUntil ?? .seconds(Int64.max) else { return }
            sleepsUntil = deadline
            let pause = deadline - options.clock()
            let sleep = options.sleep
            group.addTask {
                do { if pause > .zero { try await sleep(pause) } } catch { return }
                input.yield(.tick)
            }
        }

        private func take(_ input: Input) {
            let now = options.clock()
            switch input {
            case .engine(let event): perform(engine.step(event, at: now))
            case .opened(let link, let channel):
                sockets[link] = channel
                perform(engine.step(.webSocketOpened(link), at: now))
                for (message, taken) in early.removeValue(forKey: link) ?? [] where sockets[link] != nil {
                    take(.message(link, message, taken: taken))
                }
            case .message(let link, let message, let taken) where sockets[link] == nil:
                early[link, default: []].append((message, taken))
            case .message(let link, let message, let taken):
                perform(engine.step(.webSocketMessage(link, message), at: now))
                taken()
            case .failed(let link, let why, let isSocket):
                if !wasOpen { failure = why.description }
                if why.isUnreadable {
                    reason = why.description
                    step(.forget)
                }
                if isSocket {
                    sockets[link] = nil
                    if !wasOpen, startsWithWebSocket { lacksWebSocket = true }
                }
                lastWord = why.isOfPeer ? why.description : nil
                perform(engine.step(isSocket ? .webSocketClosed(link) : .failed(link), at: now))
                lastWord = nil
            case .socket(let event): step(event)
            case .tick:
                sleepsUntil = nil
                perform(engine.step(.tick, at: now))
                if !isOver { step(.tick) }
            }
        }

        /// Own events that cannot be sent are the caller's mistakes, and were checked before.
        private func step(_ event: SocketClientSession.Event) {
            guard let actions = try? socket.step(event, at: options.clock()) else { return }
            for action in actions {
                switch action {
                case .send(let messages): perform(engine.step(.send(messages), at: options.clock()))
                case .close(let error):
                    reason = error.message
                    perform(engine.step(.close, at: options.clock()))
                case .connected(let namespace, let sid, let isRecovered):
                    signal(.connected(namespace: namespace, sid: sid, isRecovered: isRecovered))
                case .refused(let namespace, let message, let data):
                    signal(.refused(namespace: namespace, message: message, data: data))
                case .event(let namespace, let event, let id):
                    signal(.event(namespace: namespace, event, acknowledgement: id))
                case .acknowledged(let number, let namespace, let arguments):
                    signal(.acknowledged(number, namespace: namespace, arguments))
                case .disconnected(let namespace, let byServer, let unanswered):
                    signal(.left(namespace: namespace, byServer: byServer, unanswered: unanswered))
                }
            }
        }

        private func perform(_ actions: [EngineClientSession.Action]) {
            for action in actions {
                switch action {
                case .get(let link, let sid): request(link, sid, nil)
                case .post(let link, let sid, let body): request(link, sid, body)
                case .openWebSocket(let link, let sid): open(link, sid)
                case .sendFrame(let link, let message): sockets[link]?.writeAndFlush(message, promise: nil)
                case .closeWebSocket(let link): sockets.removeValue(forKey: link)?.close(promise: nil)
                case .deliver(let message): step(.message(message))
                case .opened:
                    wasOpen = true
                    failure = nil
                    step(.connectionOpened)
                case .upgraded: break
                case .closed(let why):
                    isOver = true
                    if reason == "the connection ended" {
                        reason = why.error.map { "\(why): \($0.message)" } ?? lastWord ?? why.description
                    }
                    // It would come again.
                    if let error = why.error, error.code != .timeout { step(.forget) }
                    if wasOpen { step(.connectionClosed) }
                }
            }
        }

        private func query(_ transport: EngineTransport, _ sid: String?) -> String {
            // Only what a URL can hold: the identifier is the server's own.
            "EIO=4&transport=\(transport)" + (sid.map { "&sid=\(PercentEncoding.segment($0))" } ?? "")
        }

        private func open(_ link: Link, _ sid: String?) {
            let connector = connector
            let query = query(.webSocket, sid)
            work.append { input in
                do {
                    let channel = try await connector.openWebSocket(query) { signal in
                        switch signal {
                        case .message(let message, let taken): input.yield(.message(link, message, taken: taken))
                        case .closed(let error): input.yield(.failed(link, error, isSocket: true))
                        }
                    }
                    if Task.isCancelled { return channel.close(promise: nil) }
                    input.yield(.opened(link, channel))
                } catch {
                    let error = error as? LinkError ?? LinkError("the server offers no WebSocket there")
                    input.yield(.failed(link, error, isSocket: true))
                }
            }
        }

        private func request(_ link: Link, _ sid: String?, _ body: [UInt8]?) {
            let connector = connector
            var headers = HTTPHeaders([("Host", connector.address.authority), ("Accept", "*/*")])
            if let body {
                headers.add(name: "Content-Type", value: "text/plain;charset=UTF-8")
                headers.add(name: "Content-Length", value: String(body.count))
            }
            let head = HTTPRequestHead(
                version: .http1_1, method: body == nil ? .GET : .POST,
                uri: connector.address.path + "?" + query(.polling, sid), headers: headers)
            let limit = options.engine.payloadBytes
            let links = links
            work.append { input in
                do {
                    let reply = try await links.exchange(head, body ?? [], connector, limit)
                    if reply.status == 200 {
                        input.yield(.engine(.answered(link, status: reply.status, body: reply.body)))
                    } else {
                        let error = LinkError(status: reply.status, at: connector.address, isFirst: sid == nil)
                        input.yield(.failed(link, error, isSocket: false))
                    }
                } catch {
                    input.yield(
                        .failed(link, error as? LinkError ?? LinkError("the request failed"), isSocket: false))
                }
            }
        }
    }

    /// The connections that requests of one session go over: reused where the server keeps them alive.
    final class HTTPLinks: Sendable {
        private let idle = NIOLockedValueBox<(channels: [any Channel], isClosed: Bool)>(([], false))

        func exchange(
            _ head: HTTPRequestHead, _ body: [UInt8], _ connector: Connector, _ limit: Int
        ) async throws -> HTTPReply {
            let known = idle.withLockedValue { state -> (any Channel)? in
                state.channels.removeAll { !$0.isActive }
                return state.channels.popLast()
            }
            let channel: any Channel
            if let known { channel = known } else { channel = try await connector.openHTTP(limit) }
            return try await withTaskCancellationHandler {
                let answer = channel.eventLoop.makePromise(of: HTTPReply.self)
                channel.closeFuture.whenComplete { _ in answer.fail(LinkError("the connection ended")) }
                channel.writeAndFlush(HTTPExchange(head: head, body: body, answer: answer), promise: nil)
                let reply: HTTPReply
                do { reply = try await answer.futureResult.get() } catch {
                    channel.close(promise: nil)
                    throw error
                }
                let isKept =
                    reply.isKeptAlive
                    && idle.withLockedValue { state in
                        guard !state.isClosed else { return false }
                        state.channels.append(channel)
                        return true
                    }
                if !isKept { channel.close(promise: nil) }
                return reply
            } onCancel: {
                channel.close(promise: nil)
            }
        }

        func close() {
            let channels = idle.withLockedValue { state in
                state.isClosed = true
                defer { state.channels = [] }
                return state.channels
            }
            for channel in channels { channel.close(promise: nil) }
        }
    }
#endif
