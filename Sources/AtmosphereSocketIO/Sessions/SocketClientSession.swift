public import AtmosphereModel

/// The client's side of Socket.IO v5: a pure state machine that outlives its Engine.IO sessions, and resumes what they
/// left off.
public struct SocketClientSession: Sendable {
    /// What happened below, or what the caller wants.
    public enum Event: Sendable, Hashable {
        /// An Engine.IO session is open: the namespaces that were joined or asked for are asked for again.
        case connectionOpened
        /// The Engine.IO session is over; what was joined is joined again with the next.
        case connectionClosed
        /// The connection brought a message.
        case message(EngineMessage)
        /// Joins a namespace, now or as soon as there is a connection. Joining again sets the credentials.
        case connect(namespace: String, auth: Value.Members)
        /// Leaves a namespace, and does not join it again.
        case disconnect(namespace: String)
        /// Emits an event. With a number, that number comes back in ``Action/acknowledged(_:namespace:arguments:)``, or
        /// among those that ``Action/disconnected(namespace:byServer:unanswered:)`` names.
        case emit(namespace: String, SocketEvent, acknowledgement: UInt64?)
        /// Answers an event that asked for it, by the id that came with it.
        case acknowledge(namespace: String, id: UInt64, [SocketArgument])
        /// The connection brought what cannot be read, and would again: nothing is resumed.
        case forget
        /// The time of ``deadline`` has come; sooner it does nothing.
        case tick
    }

    /// What the caller has to do, in this order.
    public enum Action: Sendable, Hashable {
        /// Sends these messages over the connection, with nothing between them.
        case send([EngineMessage])
        /// The client is in the namespace. Where `isRecovered`, events that were missed follow.
        case connected(namespace: String, sid: String, isRecovered: Bool)
        /// The server refused; nothing is tried again before ``Event/connect(namespace:auth:)``.
        case refused(namespace: String, message: String, data: Value?)
        /// An event came. With an id it asks for ``Event/acknowledge(namespace:id:_:)``.
        case event(namespace: String, SocketEvent, acknowledgement: UInt64?)
        /// The event that was emitted with this number was answered.
        case acknowledged(UInt64, namespace: String, arguments: [SocketArgument])
        /// Out of a namespace. Where `byServer`, it is not joined again by itself.
        case disconnected(namespace: String, byServer: Bool, unanswered: [UInt64])
        /// The server broke the protocol, or did not answer: close the Engine.IO session.
        case close(SocketIOError)
    }

    private struct Membership {
        var auth: Value.Members
        var isJoined = false
        /// Until when the answer to the connect packet must be there.
        var deadline: Duration?
        var pid: String?
        var offset: String?
        /// Events that overtook the answer to the connect packet. The specification knows none, but python-socketio
        /// sends what its connect handler emits before it, and the reference client keeps such events, too.
        var early: [(event: SocketEvent, id: UInt64?)] = []
    }

    /// The most events that may overtake the answer to a connect packet.
    private static let earlyLimit = 64

    private struct Waiting {
        var namespace: String
        var number: UInt64
    }

    private let limits: SocketLimits
    private let connectTimeout: Duration
    private var decoder: SocketDecoder
    private var isOpen = false
    private var memberships: [ScalarText: Membership] = [:]
    private var acknowledgements: [UInt64: Waiting] = [:]
    private var lastAcknowledgement: UInt64 = 0
    private var actions: [Action] = []

    /// A session without a connection, in no namespace.
    ///
    /// - Parameter connectTimeout: how long the server may take to answer a connect packet.
    public init(limits: SocketLimits = .default, connectTimeout: Duration = .seconds(20)) {
        self.limits = limits
        self.connectTimeout = connectTimeout
        decoder = SocketDecoder(limits: limits)
    }

    /// Whether the server has let the client in on this connection.
    public func isConnected(to namespace: String) -> Bool { memberships[ScalarText(namespace)]?.isJoined == true }

    /// With what the next connect packet asks for the former state; nil where the server offers none.
    public func recovery(of namespace: String) -> SocketRecovery? {
        guard let membership = memberships[ScalarText(namespace)], let pid = membership.pid,
            let offset = membership.offset
        else { return nil }
        return SocketRecovery(pid: pid, offset: offset)
    }

    /// When ``Event/tick`` is due.
    public var deadline: Duration? { memberships.values.compactMap(\.deadline).min() }

    /// Takes what happened, and says what to do.
    ///
    /// - Throws: ``SocketIOError`` for an own event that cannot be sent (`notConnected`, `tooManyAcknowledgements`,
    ///   `tooManyNamespaces` and what ``SocketPacket/messages(limits:)`` throws). What the peer does never throws.
    public mutating func step(_ event: Event, at time: Duration) throws(SocketIOError) -> [Action] {
        // On a busy machine a message may come before the tick that was due before it.
        if case .message = event { tick(time) }
        switch event {
        case .connectionOpened:
            decoder = SocketDecoder(limits: limits)
            isOpen = true
            for namespace in memberships.keys.sorted() { try ask(namespace.text, time) }
        case .connectionClosed:
            isOpen = false
            for namespace in memberships.keys.sorted() { leave(namespace.text, byServer: false) }
        case .message(let message):
            guard isOpen else { break }
            do throws(SocketIOError) {
                if let packet = try decoder.decode(message) { try receive(packet) }
            } catch { fail(error) }
        case .connect(let namespace, let auth):
            if memberships[ScalarText(namespace)] != nil {
                memberships[ScalarText(namespace)]?.auth = auth
                break
            }
            guard memberships.count < limits.namespaces else {
                throw SocketIOError(.tooManyNamespaces, "more namespaces than \(limits.namespaces)")
            }
            _ = try SocketPacket(namespace: namespace, .connect(auth)).messages(limits: limits)
            memberships[ScalarText(namespace)] = Membership(auth: auth)
            if isOpen { try ask(namespace, time) }
        case .disconnect(let namespace):
            guard memberships[ScalarText(namespace)] != nil else { break }
            if isOpen { try send(SocketPacket(namespace: namespace, .disconnect)) }
            leave(namespace, byServer: false)
            memberships[ScalarText(namespace)] = nil
        case .emit(let namespace, let event, let number):
            try checkConnected(namespace)
            guard let number else {
                try send(SocketPacket(namespace: namespace, .event(event, nil)))
                break
            }
            guard acknowledgements.count < limits.acknowledgements else {
                throw SocketIOError(.tooManyAcknowledgements, "too many events wait for their acknowledgement")
            }
            try send(SocketPacket(namespace: namespace, .event(event, lastAcknowledgement)))
            acknowledgements[lastAcknowledgement] = Waiting(namespace: namespace, number: number)
            lastAcknowledgement += 1
        case .acknowledge(let namespace, let id, let arguments):
            try checkConnected(namespace)
            try send(SocketPacket(namespace: namespace, .acknowledgement(arguments, id)))
        case .forget: forget()
        case .tick: tick(time)
        }
        let done = actions
        actions = []
        return done
    }
}

extension SocketClientSession {
    private mutating func tick(_ time: Duration) {
        guard isOpen, let deadline, time >= deadline else { return }
        fail(SocketIOError(.timeout, "the server did not answer a connect packet"))
    }

    private func checkConnected(_ namespace: String) throws(SocketIOError) {
        guard isConnected(to: namespace) else { throw SocketIOError(.notConnected, "not connected to this namespace") }
    }

    private mutating func send(_ packet: SocketPacket) throws(SocketIOError) {
        actions.append(.send(try packet.messages(limits: limits)))
    }

    private mutating func ask(_ namespace: String, _ time: Duration) throws(SocketIOError) {
        guard var membership = memberships[ScalarText(namespace)] else { return }
        membership.deadline = time + connectTimeout
        memberships[ScalarText(namespace)] = membership
        var auth = membership.auth
        if let recovery = recovery(of: namespace) {
            auth["pid"] = .string(recovery.pid)
            auth["offset"] = .string(recovery.offset)
        }
        try send(SocketPacket(namespace: namespace, .connect(auth.isEmpty ? nil : auth)))
    }

    private mutating func receive(_ packet: SocketPacket) throws(SocketIOError) {
        let namespace = packet.namespace
        guard var membership = memberships[ScalarText(namespace)] else {
            // It was left while this was on its way.
            return
        }
        switch packet.content {
        case .connect(let members):
            guard !membership.isJoined else {
                throw SocketIOError(.unexpectedPacket, "the server connected one namespace twice")
            }
            guard let sid = members?["sid"]?.string, !sid.isEmpty else {
                throw SocketIOError(
                    .invalidPayload, "the server's connect packet has no sid: it speaks another version")
            }
            let pid = members?["pid"]?.string
            let isRecovered = pid != nil && pid == membership.pid
            membership.isJoined = true
            membership.deadline = nil
            membership.pid = pid
            if !isRecovered { membership.offset = nil }
            let early = membership.early
            membership.early = []
            memberships[ScalarText(namespace)] = membership
            actions.append(.connected(namespace: namespace, sid: sid, isRecovered: isRecovered))
            for (event, id) in early { take(event, id, namespace) }
        case .connectError(let value):
            guard !membership.isJoined else {
                throw SocketIOError(.unexpectedPacket, "the server refused a namespace that it had connected")
            }
            memberships[ScalarText(namespace)] = nil
            let message = value.members?["message"]?.string ?? value.string ?? ""
            actions.append(.refused(namespace: namespace, message: message, data: value.members?["data"]))
        case .disconnect:
            leave(namespace, byServer: true)
            memberships[ScalarText(namespace)] = nil
        case .event(let event, let id):
            if membership.isJoined { return take(event, id, namespace) }
            guard membership.early.count < Self.earlyLimit else { return try checkJoined(membership) }
            memberships[ScalarText(namespace)]?.early.append((event, id))
        case .acknowledgement(let arguments, let id):
            try checkJoined(membership)
            guard let waiting = acknowledgements[id], waiting.namespace.hasSameBytes(as: namespace) else { return }
            acknowledgements[id] = nil
            actions.append(.acknowledged(waiting.number, namespace: namespace, arguments: arguments))
        }
    }

    private mutating func take(_ event: SocketEvent, _ id: UInt64?, _ namespace: String) {
        // The server appends the offset to each event once it has given a private identifier.
        if memberships[ScalarText(namespace)]?.pid != nil, let offset = event.arguments.last?.json?.string,
            offset.utf8.count <= 256
        {
            memberships[ScalarText(namespace)]?.offset = offset
        }
        actions.append(.event(namespace: namespace, event, acknowledgement: id))
    }

    private func checkJoined(_ membership: Membership) throws(SocketIOError) {
        guard membership.isJoined else {
            throw SocketIOError(.unexpectedPacket, "a packet came before its namespace was connected")
        }
    }

    private mutating func leave(_ namespace: String, byServer: Bool) {
        let wasJoined = memberships[ScalarText(namespace)]?.isJoined == true
        memberships[ScalarText(namespace)]?.isJoined = false
        memberships[ScalarText(namespace)]?.deadline = nil
        memberships[ScalarText(namespace)]?.early = []
        var unanswered: [UInt64] = []
        for (id, waiting) in acknowledgements where waiting.namespace.hasSameBytes(as: namespace) {
            unanswered.append(waiting.number)
            acknowledgements[id] = nil
        }
        guard wasJoined else { return }
        actions.append(.disconnected(namespace: namespace, byServer: byServer, unanswered: unanswered.sorted()))
    }

    private mutating func forget() {
        for namespace in memberships.keys {
            memberships[namespace]?.pid = nil
            memberships[namespace]?.offset = nil
        }
    }

    private mutating func fail(_ error: SocketIOError) {
        isOpen = false
        // What could not be read would come again.
        if error.code != .timeout { forget() }
        for namespace in memberships.keys.sorted() { leave(namespace.text, byServer: false) }
        actions.append(.close(error))
    }
}
