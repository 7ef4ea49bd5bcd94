/// The client's side of one Engine.IO v4 session: a pure state machine.
///
/// Requests and WebSockets get their numbers here; the caller performs what the actions say and reports what became of
/// it. After ``Action/closed(_:)`` the session does nothing more; a new connection is a new session.
public struct EngineClientSession: Sendable {
    /// A request or a WebSocket of this session; the session gives the numbers, each once.
    public typealias Link = UInt64

    /// What happened outside of the session.
    public enum Event: Sendable, Hashable {
        /// Opens the session; a second one does nothing.
        case start
        /// A GET or POST was answered.
        case answered(Link, status: Int, body: [UInt8])
        /// A GET or POST failed.
        case failed(Link)
        /// A WebSocket is open.
        case webSocketOpened(Link)
        /// A WebSocket brought a message.
        case webSocketMessage(Link, EngineMessage)
        /// A WebSocket ended, or could not be opened.
        case webSocketClosed(Link)
        /// Sends messages as soon as the session is open and the transport free.
        case send([EngineMessage])
        /// Closes the session from this side.
        case close
        /// The time of ``deadline`` has come; sooner it does nothing.
        case tick
    }

    /// What the caller has to do, in this order.
    public enum Action: Sendable, Hashable {
        /// Sends a GET with `transport=polling` and the session's identifier, where there is one.
        case get(Link, sid: String?)
        /// Sends a POST with this body as `text/plain;charset=UTF-8`.
        case post(Link, sid: String, body: [UInt8])
        /// Opens a WebSocket, for the session of the identifier where there is one.
        case openWebSocket(Link, sid: String?)
        /// Sends one message over a WebSocket.
        case sendFrame(Link, EngineMessage)
        /// Closes a WebSocket; nothing more is expected of it.
        case closeWebSocket(Link)
        /// Hands a message to the layer above.
        case deliver(EngineMessage)
        /// The session is open, as the server's handshake says.
        case opened(EngineHandshake)
        /// WebSocket is the transport from now on.
        case upgraded
        /// The session is over, and why.
        case closed(EngineCloseReason)
    }

    private enum Phase { case idle, opening, open, closed }

    private struct Upgrade {
        var link: Link
        var isProbed = false
        var deadline: Duration
    }

    private let options: EngineClientOptions
    private var phase = Phase.idle
    private var handshake: EngineHandshake?
    private var webSocket: Link?
    private var upgrade: Upgrade?
    private var pendingGet: Link?
    private var pendingPost: Link?
    private var queue: [EnginePacket] = []
    /// The bytes that wait to be sent.
    public private(set) var bufferedBytes = 0
    private var lastLink: Link = 0
    private var expiry: Duration = .zero
    private var actions: [Action] = []

    /// A session that ``Event/start`` opens.
    public init(options: EngineClientOptions = EngineClientOptions()) { self.options = options }

    /// The handshake is here, and the session is not over.
    public var isOpen: Bool { phase == .open }
    /// The session is over; every event does nothing, but a WebSocket that opens late is closed.
    public var isClosed: Bool { phase == .closed }

    /// When ``Event/tick`` is due.
    public var deadline: Duration? {
        guard phase == .opening || phase == .open else { return nil }
        return min(expiry, upgrade?.deadline ?? expiry)
    }

    /// Takes what happened, and says what to do.
    public mutating func step(_ event: Event, at time: Duration) -> [Action] {
        perform(event, time)
        let done = actions
        actions = []
        return done
    }

    private mutating func perform(_ event: Event, _ time: Duration) {
        guard phase != .closed else {
            if case .webSocketOpened(let link) = event { actions.append(.closeWebSocket(link)) }
            return
        }
        if event != .tick, endOverdue(time) { return }
        switch event {
        case .start: start(time)
        case .answered(let link, let status, let body): answered(link, status, body, time)
        case .failed(let link): if link == pendingGet || link == pendingPost { end(.transportError) }
        case .webSocketOpened(let link):
            if upgrade?.link == link {
                actions.append(.sendFrame(link, EnginePacket.ping(EnginePacket.probe).frame))
            } else if webSocket != link {
                // Its upgrade was given up while it was opened.
                actions.append(.closeWebSocket(link))
            }
        case .webSocketMessage(let link, let message): webSocketMessage(link, message, time)
        case .webSocketClosed(let link):
            if upgrade?.link == link { upgradeFailed() } else if webSocket == link { end(.transportClose) }
        case .send(let messages):
            for message in messages { enqueue(.message(message)) }
            flush()
        case .close: close()
        case .tick: _ = endOverdue(time)
        }
    }
}

extension EngineClientSession {
    private mutating func newLink() -> Link {
        lastLink += 1
        return lastLink
    }

    private mutating func start(_ time: Duration) {
        guard phase == .idle else { return }
        phase = .opening
        expiry = time + options.connectTimeout
        let link = newLink()
        if options.transports.first == .webSocket {
            webSocket = link
            actions.append(.openWebSocket(link, sid: nil))
        } else {
            pendingGet = link
            actions.append(.get(link, sid: nil))
        }
    }

    private mutating func answered(_ link: Link, _ status: Int, _ body: [UInt8], _ time: Duration) {
        if link == pendingPost {
            pendingPost = nil
            guard status == 200 else { return end(.transportError) }
            flush()
            finishUpgrade()
        } else if link == pendingGet {
            pendingGet = nil
            guard status == 200 else { return end(.transportError) }
            let packets: [EnginePacket]
            do { packets = try EnginePayload.decode(body, limits: options.limits) } catch {
                return end(.invalid(error))
            }
            for packet in packets {
                receive(packet, time)
                if phase == .closed { return }
            }
            guard phase == .open else {
                return end(.invalid(SocketIOError(.invalidHandshake, "the first answer has no handshake")))
            }
            poll()
            finishUpgrade()
        }
    }

    /// The next GET, except while the transport is paused for the upgrade.
    private mutating func poll() {
        guard let sid = handshake?.sid, webSocket == nil, upgrade?.isProbed != true, pendingGet == nil else { return }
        let link = newLink()
        pendingGet = link
        actions.append(.get(link, sid: sid))
    }

    private mutating func webSocketMessage(_ link: Link, _ message: EngineMessage, _ time: Duration) {
        if var attempt = upgrade, attempt.link == link {
            guard case .pong(EnginePacket.probe)? = try? EnginePacket(frame: message), !attempt.isProbed else {
                actions.append(.closeWebSocket(link))
                return upgradeFailed()
            }
            attempt.isProbed = true
            upgrade = attempt
            finishUpgrade()
        } else if webSocket == link {
            guard message.bytes.count <= options.limits.payloadBytes else {
                return end(
                    .invalid(SocketIOError(.tooLarge, "a message is longer than \(options.limits.payloadBytes) bytes")))
            }
            do { receive(try EnginePacket(frame: message), time) } catch { end(.invalid(error)) }
        }
    }

    /// Goes over once both requests are answered, so that no packet is lost or overtaken.
    private mutating func finishUpgrade() {
        guard phase == .open, let attempt = upgrade, attempt.isProbed, pendingGet == nil, pendingPost == nil else {
            return
        }
        upgrade = nil
        webSocket = attempt.link
        actions.append(.sendFrame(attempt.link, EnginePacket.upgrade.frame))
        actions.append(.upgraded)
        flush()
    }

    /// Polling goes on.
    private mutating func upgradeFailed() {
        upgrade = nil
        guard phase == .open else { return }
        poll()
        flush()
    }

    private mutating func receive(_ packet: EnginePacket, _ time: Duration) {
        guard phase == .open else {
            guard case .open(let json) = packet else {
                return end(.invalid(SocketIOError(.unexpectedPacket, "the first packet is not a handshake")))
            }
            return open(json, time)
        }
        switch packet {
        case .message(let message): actions.append(.deliver(message))
        case .ping:
            restartExpiry(time)
            enqueue(.pong([]))
            flush()
        case .noop: break
        case .close: end(.transportClose)
        case .open, .pong, .upgrade:
            end(.invalid(SocketIOError(.unexpectedPacket, "the server sent a packet that is out of place")))
        }
    }

    private mutating func open(_ json: [UInt8], _ time: Duration) {
        let handshake: EngineHandshake
        do { handshake = try EngineHandshake(json: json) } catch { return end(.invalid(error)) }
        self.handshake = handshake
        phase = .open
        restartExpiry(time)
        actions.append(.opened(handshake))
        let mayUpgrade =
            webSocket == nil && options.transports.contains(.webSocket)
            && handshake.upgrades.contains(EngineTransport.webSocket.description)
        if mayUpgrade {
            let link = newLink()
            upgrade = Upgrade(link: link, deadline: time + options.upgradeTimeout)
            actions.append(.openWebSocket(link, sid: handshake.sid))
        }
        flush()
    }

    private mutating func restartExpiry(_ time: Duration) {
        guard let handshake else { return }
        expiry = time + handshake.pingInterval + handshake.pingTimeout
    }

    private mutating func enqueue(_ packet: EnginePacket) {
        queue.append(packet)
        bufferedBytes += packet.payloadCount
    }

    private mutating func flush() {
        guard phase == .open else { return checkBuffer() }
        if let webSocket {
            for packet in queue { actions.append(.sendFrame(webSocket, packet.frame)) }
            queue = []
            bufferedBytes = 0
        } else if let sid = handshake?.sid, pendingPost == nil, upgrade?.isProbed != true, !queue.isEmpty {
            // As many packets as the server takes at once; one that is too long alone is the server's to refuse.
            let limit = handshake?.maxPayload ?? .max
            var count = 1
            var size = queue[0].payloadCount
            while count < queue.count, size + 1 + queue[count].payloadCount <= limit {
                size += 1 + queue[count].payloadCount
                count += 1
            }
            let packets = queue[..<count]
            let link = newLink()
            pendingPost = link
            actions.append(.post(link, sid: sid, body: EnginePayload.encode(packets)))
            bufferedBytes -= packets.reduce(0) { $0 + $1.payloadCount }
            queue.removeFirst(count)
        }
        checkBuffer()
    }

    private mutating func checkBuffer() {
        if bufferedBytes > options.limits.bufferedBytes { end(.overflow) }
    }

    /// Ends what is overdue by the clock: on a busy machine an event may come before the tick that was due before it.
    ///
    /// - Returns: whether the session is over with that.
    private mutating func endOverdue(_ time: Duration) -> Bool {
        guard phase == .opening || phase == .open else { return false }
        if time >= expiry {
            end(phase == .open ? .pingTimeout : .invalid(SocketIOError(.timeout, "no handshake in time")))
        } else if let upgrade, time >= upgrade.deadline {
            actions.append(.closeWebSocket(upgrade.link))
            upgradeFailed()
        }
        return phase == .closed
    }

    /// Tells the server over polling; over a WebSocket its end says it.
    private mutating func close() {
        if phase == .open, webSocket == nil, let sid = handshake?.sid {
            actions.append(.post(newLink(), sid: sid, body: EnginePayload.encode([EnginePacket.close])))
        }
        end(.forced)
    }

    private mutating func end(_ reason: EngineCloseReason) {
        guard phase != .closed else { return }
        phase = .closed
        if let upgrade { actions.append(.closeWebSocket(upgrade.link)) }
        if let webSocket { actions.append(.closeWebSocket(webSocket)) }
        upgrade = nil
        queue = []
        bufferedBytes = 0
        actions.append(.closed(reason))
    }
}
