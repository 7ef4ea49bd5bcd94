/// The server's side of one Engine.IO v4 session: a pure state machine.
///
/// Requests and WebSockets are known by numbers that the caller gives, each number once. An event comes in with the time,
/// actions go out in the order in which they must be done. ``deadline`` says when ``Event/tick`` is due next. After
/// ``Action/closed(_:)`` the session does nothing more.
public struct EngineServerSession: Sendable {
    /// A request or a WebSocket of this session.
    public typealias Link = UInt64

    /// What happened outside of the session.
    public enum Event: Sendable, Hashable {
        /// A GET came. The one that opens the session is the first.
        case poll(Link)
        /// A POST came; its body does not have to be there.
        case postBegan(Link)
        /// The body of a POST is whole. `isBinary` says that its type is `application/octet-stream`.
        case postEnded(Link, [UInt8], isBinary: Bool)
        /// The body of a POST has more bytes than the limit.
        case postTooLarge(Link)
        /// A request's connection ended before its answer.
        case requestLost(Link)
        /// A WebSocket was opened for this session. The one that opens the session is the first.
        case webSocketOpened(Link)
        /// A WebSocket brought a message.
        case webSocketMessage(Link, EngineMessage)
        /// A WebSocket ended, or its peer broke the rules of RFC 6455.
        case webSocketClosed(Link)
        /// Sends messages; what no poll waits for is kept until one comes.
        case send([EngineMessage])
        /// Closes the session from this side.
        case close
        /// The server ends: the client is to lose its connection, so that it comes back to the next one. What a `close`
        /// packet ends some clients (python-engineio) take for ended by intent, and stay away.
        case leave
        /// The time of ``deadline`` has come; sooner it does nothing.
        case tick
    }

    /// What the caller has to do, in this order.
    public enum Action: Sendable, Hashable {
        /// Answers a GET with status 200 and this payload.
        case answerPoll(Link, [UInt8])
        /// Answers a POST with status 200 and `ok`.
        case answerPost(Link)
        /// Answers a request with an error.
        case refuse(Link, EngineRefusal)
        /// Sends one message over a WebSocket.
        case sendFrame(Link, EngineMessage)
        /// Closes a WebSocket; nothing more is expected of it.
        case closeWebSocket(Link)
        /// Hands a message to the layer above.
        case deliver(EngineMessage)
        /// WebSocket is the transport from now on.
        case upgraded
        /// The session is over, and why.
        case closed(EngineCloseReason)
    }

    private enum Transport: Hashable {
        case polling
        case webSocket(Link)
    }

    private struct Candidate {
        var link: Link
        var isProbed = false
        var deadline: Duration
        var nextNoop: Duration = .zero
    }

    private enum Phase {
        case open
        /// Until this time a poll can still be told.
        case closing(Duration)
        case closed
    }

    private let sharedOptions: Shared<EngineServerOptions>
    private var phase = Phase.open
    private var transport: Transport
    /// Whether the first event must be the WebSocket that opens the session.
    private var isFirstWebSocket: Bool
    private var pendingPoll: Link?
    private var pendingPost: Link?
    private var candidate: Candidate?
    private var queue: [EnginePacket] = []
    /// The bytes that wait for a poll.
    public private(set) var bufferedBytes = 0
    private var nextPing: Duration
    private var pongDeadline: Duration?
    private var actions: [Action] = []

    /// How often a poll is ended with a noop while an upgrade is on its way, as the reference implementation does.
    private static let noopInterval = Duration.milliseconds(100)

    /// A session that begins at a time, with the handshake waiting to be sent.
    ///
    /// - Parameters:
    ///   - sid: the session's secret identifier.
    ///   - transport: of the request that opens the session, which comes as the first event.
    public init(
        sid: String, transport: EngineTransport, options: EngineServerOptions = EngineServerOptions(), at time: Duration
    ) { self.init(sid: sid, transport: transport, options: Shared(options), at: time) }

    package init(
        sid: String, transport: EngineTransport, options sharedOptions: Shared<EngineServerOptions>, at time: Duration
    ) {
        let options = sharedOptions.value
        self.sharedOptions = sharedOptions
        self.transport = .polling
        nextPing = time + options.pingInterval
        let mayUpgrade = transport == .polling && options.allowsUpgrade
        let handshake = EngineHandshake(
            sid: sid, upgrades: mayUpgrade ? [EngineTransport.webSocket.description] : [],
            pingInterval: options.pingInterval, pingTimeout: options.pingTimeout,
            maxPayload: options.limits.payloadBytes)
        isFirstWebSocket = transport == .webSocket
        enqueue(.open(handshake.json()))
    }

    private var options: EngineServerOptions { sharedOptions.value }

    /// The session is over; late requests are refused, and everything else does nothing.
    public var isClosed: Bool { if case .closed = phase { true } else { false } }

    /// Whether polling is the transport, so that a request without `Upgrade` is right.
    public var isPolling: Bool { transport == .polling && !isFirstWebSocket }

    /// The WebSocket that may be written to at once, because nothing waits and no upgrade goes on. A sender of the same
    /// message to many may then write one frame that was made once, instead of ``Event/send(_:)``.
    public var directWebSocket: Link? {
        guard case .open = phase, case .webSocket(let link) = transport, queue.isEmpty else { return nil }
        return link
    }

    /// When ``Event/tick`` is due; nil when the session is closed.
    public var deadline: Duration? {
        switch phase {
        case .closed: return nil
        case .closing(let end): return end
        case .open:
            var first = pongDeadline ?? nextPing
            if let candidate {
                first = min(first, candidate.deadline)
                if candidate.isProbed, pendingPoll != nil { first = min(first, candidate.nextNoop) }
            }
            return first
        }
    }

    /// Takes what happened, and says what to do.
    public mutating func step(_ event: Event, at time: Duration) -> [Action] {
        perform(event, time)
        let done = actions
        actions = []
        return done
    }

    private mutating func perform(_ event: Event, _ time: Duration) {
        if case .closed = phase {
            refuseLate(event)
            return
        }
        if event != .tick, endOverdue(time) {
            // What comes too late is refused before all else is told, so that the caller still knows it.
            let closed = actions.removeLast()
            refuseLate(event)
            actions.append(closed)
            return
        }
        switch event {
        case .poll(let link): poll(link, time)
        case .postBegan(let link): postBegan(link)
        case .postEnded(let link, let body, let isBinary): postEnded(link, body, isBinary, time)
        case .postTooLarge(let link):
            pendingPost = nil
            actions.append(.refuse(link, .tooLarge))
            end(.invalid(SocketIOError(.tooLarge, "a payload is longer than the limit")))
        case .requestLost(let link): requestLost(link)
        case .webSocketOpened(let link): webSocketOpened(link, time)
        case .webSocketMessage(let link, let message): webSocketMessage(link, message, time)
        case .webSocketClosed(let link): webSocketClosed(link)
        case .send(let messages):
            guard case .open = phase else { return }
            for message in messages { enqueue(.message(message)) }
            flush()
        case .close: close(time)
        case .leave: leave(time)
        case .tick: tick(time)
        }
    }

    /// What comes for a session that is over gets an answer nevertheless.
    private mutating func refuseLate(_ event: Event) {
        switch event {
        case .poll(let link), .postBegan(let link): actions.append(.refuse(link, .unknownSession))
        case .webSocketOpened(let link): actions.append(.closeWebSocket(link))
        default: break
        }
    }
}

extension EngineServerSession {
    // MARK: Polling

    private mutating func poll(_ link: Link, _ time: Duration) {
        guard isPolling else {
            actions.append(.refuse(link, .badRequest))
            return
        }
        if pendingPoll != nil {
            actions.append(.refuse(link, .badRequest))
            end(.invalid(SocketIOError(.unexpectedPacket, "two polls at a time")))
            return
        }
        pendingPoll = link
        if case .closing = phase {
            flushPoll()
            if queue.isEmpty { end(.forced) }
            return
        }
        flush()
        if pendingPoll != nil, let candidate, candidate.isProbed, time >= candidate.nextNoop { noop(time) }
    }

    private mutating func postBegan(_ link: Link) {
        guard isPolling else {
            actions.append(.refuse(link, .badRequest))
            return
        }
        guard pendingPost == nil else {
            actions.append(.refuse(link, .badRequest))
            end(.invalid(SocketIOError(.unexpectedPacket, "two posts at a time")))
            return
        }
        pendingPost = link
    }

    private mutating func postEnded(_ link: Link, _ body: [UInt8], _ isBinary: Bool, _ time: Duration) {
        guard pendingPost == link else { return }
        let packets: [EnginePacket]
        do throws(SocketIOError) {
            guard !isBinary else {
                throw SocketIOError(.unexpectedPayload, "a payload of Engine.IO v4 is text")
            }
            packets = try EnginePayload.decode(body, limits: options.limits)
        } catch {
            end(.invalid(error))
            return
        }
        for packet in packets {
            receive(packet, time)
            if case .closed = phase { break }
        }
        // Where the session ended on the way, the post was answered then.
        guard pendingPost == link else { return }
        pendingPost = nil
        actions.append(.answerPost(link))
    }

    private mutating func requestLost(_ link: Link) {
        if pendingPoll == link { pendingPoll = nil } else if pendingPost == link { pendingPost = nil } else { return }
        guard transport == .polling else { return }
        end(.transportError)
    }

    /// Answers the poll with as much as one payload may hold; the rest waits for the next.
    private mutating func flushPoll() {
        guard let link = pendingPoll, !queue.isEmpty else { return }
        var count = 1
        var size = queue[0].payloadCount
        while count < queue.count, size + 1 + queue[count].payloadCount <= options.limits.payloadBytes {
            size += 1 + queue[count].payloadCount
            count += 1
        }
        let packets = queue[..<count]
        pendingPoll = nil
        actions.append(.answerPoll(link, payload(packets)))
        bufferedBytes -= packets.reduce(0) { $0 + $1.payloadCount }
        queue.removeFirst(count)
    }

    private func payload(_ packets: some Collection<EnginePacket>) -> [UInt8] { EnginePayload.encode(packets) }

    private mutating func noop(_ time: Duration) {
        guard let link = pendingPoll else { return }
        pendingPoll = nil
        actions.append(.answerPoll(link, payload([.noop])))
        candidate?.nextNoop = time + Self.noopInterval
    }

    // MARK: WebSocket

    private mutating func webSocketOpened(_ link: Link, _ time: Duration) {
        if isFirstWebSocket {
            isFirstWebSocket = false
            transport = .webSocket(link)
            flush()
            return
        }
        guard case .open = phase, transport == .polling, candidate == nil, options.allowsUpgrade else {
            actions.append(.closeWebSocket(link))
            return
        }
        candidate = Candidate(link: link, deadline: time + options.upgradeTimeout)
    }

    private mutating func webSocketMessage(_ link: Link, _ message: EngineMessage, _ time: Duration) {
        if candidate?.link == link {
            probe(message, time)
            return
        }
        guard transport == .webSocket(link), case .open = phase else { return }
        guard message.bytes.count <= options.limits.payloadBytes else {
            end(.invalid(SocketIOError(.tooLarge, "a message is longer than \(options.limits.payloadBytes) bytes")))
            return
        }
        do throws(SocketIOError) { receive(try EnginePacket(frame: message), time) } catch { end(.invalid(error)) }
    }

    /// Anything but the upgrade's own packets ends the attempt, and nothing else.
    private mutating func probe(_ message: EngineMessage, _ time: Duration) {
        guard var attempt = candidate else { return }
        switch try? EnginePacket(frame: message) {
        case .ping(EnginePacket.probe) where !attempt.isProbed:
            attempt.isProbed = true
            attempt.nextNoop = time
            candidate = attempt
            actions.append(.sendFrame(attempt.link, EnginePacket.pong(EnginePacket.probe).frame))
            noop(time)
        case .upgrade where attempt.isProbed:
            if let poll = pendingPoll {
                pendingPoll = nil
                actions.append(.answerPoll(poll, payload([.noop])))
            }
            candidate = nil
            transport = .webSocket(attempt.link)
            flush()
            actions.append(.upgraded)
            if case .closing = phase { end(.forced) }
        default: dropCandidate()
        }
    }

    private mutating func dropCandidate() {
        guard let link = candidate?.link else { return }
        candidate = nil
        actions.append(.closeWebSocket(link))
    }

    private mutating func webSocketClosed(_ link: Link) {
        if candidate?.link == link { candidate = nil } else if transport == .webSocket(link) { end(.transportClose) }
    }

    // MARK: Both

    private mutating func receive(_ packet: EnginePacket, _ time: Duration) {
        guard case .open = phase else { return }
        switch packet {
        case .message(let message): actions.append(.deliver(message))
        case .pong:
            // One that nobody asked for changes nothing, or a flood of them would keep timers busy.
            guard pongDeadline != nil else { return }
            pongDeadline = nil
            nextPing = time + options.pingInterval
        case .noop: break
        case .close:
            if let poll = pendingPoll {
                pendingPoll = nil
                actions.append(.answerPoll(poll, payload([.noop])))
            }
            if let post = pendingPost {
                pendingPost = nil
                actions.append(.answerPost(post))
            }
            end(.transportClose)
        case .ping:
            end(.invalid(SocketIOError(.unexpectedPacket, "the client sent a ping, which is the server's to send")))
        case .open, .upgrade:
            end(.invalid(SocketIOError(.unexpectedPacket, "the client sent an open or upgrade packet out of place")))
        }
    }

    private mutating func enqueue(_ packet: EnginePacket) {
        queue.append(packet)
        bufferedBytes += packet.payloadCount
    }

    private mutating func flush() {
        switch transport {
        case .polling:
            if !isFirstWebSocket { flushPoll() }
        case .webSocket(let link):
            for packet in queue { actions.append(.sendFrame(link, packet.frame)) }
            queue = []
            bufferedBytes = 0
        }
        if bufferedBytes > options.limits.bufferedBytes { end(.overflow) }
    }

    private mutating func close(_ time: Duration) {
        guard case .open = phase else { return }
        // A poll is told at once, a WebSocket is closed; only a client between two polls has to be waited for.
        if transport == .polling, pendingPoll == nil {
            dropCandidate()
            queue.append(.close)
            bufferedBytes += EnginePacket.close.payloadCount
            phase = .closing(time + options.closeTimeout)
            return
        }
        end(.forced)
    }

    private mutating func leave(_ time: Duration) {
        guard case .open = phase else { return }
        if transport == .polling {
            if let poll = pendingPoll {
                pendingPoll = nil
                actions.append(.answerPoll(poll, payload([.noop])))
            } else if !queue.isEmpty {
                // Told with the next poll, as far as it goes.
                dropCandidate()
                phase = .closing(time + options.closeTimeout)
                return
            }
        }
        end(.forced)
    }

    /// Ends what is overdue by the clock: on a busy machine an event may come before the tick that was due before it.
    ///
    /// - Returns: whether the session is over with that.
    private mutating func endOverdue(_ time: Duration) -> Bool {
        switch phase {
        case .closing(let deadline) where time >= deadline: end(.forced)
        case .open:
            if let candidate, time >= candidate.deadline { dropCandidate() }
            if let pongDeadline, time >= pongDeadline { end(.pingTimeout) }
        case .closing, .closed: break
        }
        return isClosed
    }

    private mutating func tick(_ time: Duration) {
        guard !endOverdue(time), case .open = phase else { return }
        if let attempt = candidate, attempt.isProbed, time >= attempt.nextNoop { noop(time) }
        if pongDeadline == nil, time >= nextPing {
            pongDeadline = time + options.pingTimeout
            enqueue(.ping([]))
            flush()
        }
    }

    /// Answers everything that is open, and is over.
    private mutating func end(_ reason: EngineCloseReason) {
        if case .closed = phase { return }
        phase = .closed
        if let poll = pendingPoll { actions.append(.answerPoll(poll, payload([.close]))) }
        if let post = pendingPost { actions.append(.refuse(post, .badRequest)) }
        pendingPoll = nil
        pendingPost = nil
        dropCandidate()
        if case .webSocket(let link) = transport { actions.append(.closeWebSocket(link)) }
        queue = []
        bufferedBytes = 0
        actions.append(.closed(reason))
    }
}
