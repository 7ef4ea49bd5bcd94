public import AtmosphereModel

/// The server's side of the Socket.IO v5 that one Engine.IO session carries: a pure state machine.
public struct SocketServerSession: Sendable {
    /// What happened below, or what the caller wants.
    public enum Event: Sendable, Hashable {
        /// The connection brought a message.
        case message(EngineMessage)
        /// Lets the client into a namespace, on ``Action/authorize(namespace:auth:recovery:)``. The private identifier is
        /// there where the connection state can be recovered.
        case accept(namespace: String, sid: String, pid: String?)
        /// Refuses a namespace; an object has a `message`.
        case refuse(namespace: String, message: String, data: Value?)
        /// Emits an event. With a number, that number comes back in ``Action/acknowledged(_:namespace:arguments:)``.
        case emit(namespace: String, SocketEvent, acknowledgement: UInt64?)
        /// Answers an event that asked for it.
        case acknowledge(namespace: String, id: UInt64, [SocketArgument])
        /// Takes the client out of a namespace.
        case disconnect(namespace: String)
        /// The time of ``deadline`` has come; sooner it does nothing.
        case tick
    }

    /// What the caller has to do, in this order.
    public enum Action: Sendable, Hashable {
        /// Sends these messages over the connection, with nothing between them.
        case send([EngineMessage])
        /// A client asks for a namespace: answer with ``Event/accept(namespace:sid:pid:)`` or
        /// ``Event/refuse(namespace:message:data:)``, now or later.
        case authorize(namespace: String, auth: Value.Members, recovery: SocketRecovery?)
        /// An event came. With an id it asks for ``Event/acknowledge(namespace:id:_:)``.
        case event(namespace: String, SocketEvent, acknowledgement: UInt64?)
        /// The event that was emitted with this number was answered.
        case acknowledged(UInt64, namespace: String, arguments: [SocketArgument])
        /// The namespace is over. These acknowledgements will not come any more.
        case disconnected(namespace: String, unanswered: [UInt64])
        /// The peer broke the protocol, or did not connect in time: close the Engine.IO session.
        case close(SocketIOError)
        /// The server did not say in time whether the client is let in: the client is to lose its connection, so that it
        /// comes again. A connect error some clients (the reference one) take for final, and a `close` packet others
        /// (python-engineio).
        case leave
    }

    private enum Membership {
        case asked
        case joined
        /// The server ended it; what the client sent before it knew is dropped.
        case ended
    }

    private struct Waiting {
        var namespace: String
        var number: UInt64
    }

    private let sharedOptions: Shared<SocketServerOptions>
    private var assembly = SocketDecoder.Assembly()
    /// Few, and mostly one.
    private var memberships: [(namespace: String, membership: Membership)] = []
    private var acknowledgements: [UInt64: Waiting] = [:]
    private var lastAcknowledgement: UInt64 = 0
    private var connectDeadline: Duration?
    private var attachmentDeadline: Duration?
    private var attempts = 0
    private var isOver = false
    private var actions: [Action] = []

    /// A client that was let in nowhere after so many attempts is sent away.
    private static let attemptLimit = 64

    /// A session that begins at a time; the client has ``SocketServerOptions/connectTimeout`` to ask for a namespace.
    public init(options: SocketServerOptions = SocketServerOptions(), at time: Duration) {
        self.init(options: Shared(options), at: time)
    }

    package init(options: Shared<SocketServerOptions>, at time: Duration) {
        sharedOptions = options
        connectDeadline = time + options.value.connectTimeout
    }

    private var options: SocketServerOptions { sharedOptions.value }

    /// When ``Event/tick`` is due.
    public var deadline: Duration? {
        if isOver { return nil }
        guard let connectDeadline else { return attachmentDeadline }
        return min(connectDeadline, attachmentDeadline ?? connectDeadline)
    }

    /// The namespaces that the client is in.
    public var namespaces: [String] { memberships.filter { $0.membership == .joined }.map(\.namespace) }

    /// Whether the client was let into the namespace and has not left it.
    public func isConnected(to namespace: String) -> Bool { membership(namespace) == .joined }

    /// Takes what happened, and says what to do.
    ///
    /// - Throws: ``SocketIOError`` for an own event that cannot be sent (`notConnected`, `tooManyAcknowledgements` and
    ///   what ``SocketPacket/messages(limits:)`` throws); then nothing has changed. What the peer does never throws.
    public mutating func step(_ event: Event, at time: Duration) throws(SocketIOError) -> [Action] {
        guard !isOver else { return [] }
        // On a busy machine a message may come before the tick that was due before it.
        if case .message = event { tick(time) }
        guard !isOver else { return takeActions() }
        switch event {
        case .message(let message): receive(message, time)
        case .accept(let namespace, let sid, let pid):
            guard membership(namespace) == .asked else { break }
            set(.joined, namespace)
            connectDeadline = nil
            attempts = 0
            var members: Value.Members = ["sid": .string(sid)]
            if let pid { members["pid"] = .string(pid) }
            try send(SocketPacket(namespace: namespace, .connect(members)))
        case .refuse(let namespace, let message, let data):
            let before = membership(namespace)
            set(nil, namespace)
            guard before == .asked else { break }
            try refuse(namespace, message, data)
        case .emit(let namespace, let event, let number):
            guard isConnected(to: namespace) else {
                throw SocketIOError(.notConnected, "the client is not in this namespace")
            }
            guard let number else {
                try send(SocketPacket(namespace: namespace, .event(event, nil)))
                break
            }
            guard acknowledgements.count < options.limits.acknowledgements else {
                throw SocketIOError(.tooManyAcknowledgements, "too many events wait for their acknowledgement")
            }
            try send(SocketPacket(namespace: namespace, .event(event, lastAcknowledgement)))
            acknowledgements[lastAcknowledgement] = Waiting(namespace: namespace, number: number)
            lastAcknowledgement += 1
        case .acknowledge(let namespace, let id, let arguments):
            guard isConnected(to: namespace) else {
                throw SocketIOError(.notConnected, "the client is not in this namespace")
            }
            try send(SocketPacket(namespace: namespace, .acknowledgement(arguments, id)))
        case .disconnect(let namespace):
            guard isConnected(to: namespace) else { break }
            try send(SocketPacket(namespace: namespace, .disconnect))
            leave(namespace, as: .ended)
        case .tick: tick(time)
        }
        if connectDeadline == nil, memberships.allSatisfy({ $0.membership == .ended }) {
            // Who is in no namespace any more has as long to ask for one as at the beginning.
            connectDeadline = time + options.connectTimeout
        }
        return takeActions()
    }
}

extension SocketServerSession {
    private mutating func takeActions() -> [Action] {
        let done = actions
        actions = []
        return done
    }

    private func membership(_ namespace: String) -> Membership? {
        memberships.first { $0.namespace.hasSameBytes(as: namespace) }?.membership
    }

    private mutating func set(_ membership: Membership?, _ namespace: String) {
        memberships.removeAll { $0.namespace.hasSameBytes(as: namespace) }
        if let membership { memberships.append((namespace, membership)) }
    }

    private mutating func send(_ packet: SocketPacket) throws(SocketIOError) {
        actions.append(.send(try packet.messages(limits: options.limits)))
    }

    private mutating func refuse(_ namespace: String, _ message: String, _ data: Value?) throws(SocketIOError) {
        var members: Value.Members = ["message": .string(message)]
        if let data { members["data"] = data }
        try send(SocketPacket(namespace: namespace, .connectError(.object(members))))
    }

    private mutating func receive(_ message: EngineMessage, _ time: Duration) {
        do throws(SocketIOError) {
            let packet = try assembly.decode(message, options.limits)
            // The time runs from the packet's text on, or a client could drag it out for ever.
            attachmentDeadline =
                assembly.isUnfinished ? attachmentDeadline ?? time + options.attachmentTimeout : nil
            if let packet { try receive(packet) }
        } catch { fail(error) }
    }

    private mutating func receive(_ packet: SocketPacket) throws(SocketIOError) {
        let namespace = packet.namespace
        if case .connect(let auth) = packet.content { return try connect(namespace, auth) }
        switch membership(namespace) {
        case .joined: break
        case .ended: return
        case .asked, nil:
            throw SocketIOError(.unexpectedPacket, "a packet came for a namespace that the client is not in")
        }
        switch packet.content {
        case .event(let event, let id):
            actions.append(.event(namespace: namespace, event, acknowledgement: id))
        case .acknowledgement(let arguments, let id):
            guard let waiting = acknowledgements[id], waiting.namespace.hasSameBytes(as: namespace) else { return }
            acknowledgements[id] = nil
            actions.append(.acknowledged(waiting.number, namespace: namespace, arguments: arguments))
        case .disconnect: leave(namespace, as: nil)
        case .connect, .connectError:
            throw SocketIOError(.unexpectedPacket, "a connect error is the server's to send")
        }
    }

    private mutating func connect(_ namespace: String, _ auth: Value.Members?) throws(SocketIOError) {
        switch membership(namespace) {
        case .asked, .joined:
            throw SocketIOError(.unexpectedPacket, "the client asked twice for one namespace")
        case .ended, nil: break
        }
        attempts += 1
        guard attempts <= Self.attemptLimit else {
            throw SocketIOError(.tooManyNamespaces, "the client asked too often for namespaces that it is not let into")
        }
        guard membership(namespace) != nil || memberships.count < options.limits.namespaces else {
            return try refuse(namespace, "Too many namespaces", nil)
        }
        set(.asked, namespace)
        let auth = auth ?? Value.Members()
        actions.append(.authorize(namespace: namespace, auth: auth, recovery: SocketRecovery(auth)))
    }

    private mutating func leave(_ namespace: String, as membership: Membership?) {
        set(membership, namespace)
        var unanswered: [UInt64] = []
        for (id, waiting) in acknowledgements where waiting.namespace.hasSameBytes(as: namespace) {
            unanswered.append(waiting.number)
            acknowledgements[id] = nil
        }
        actions.append(.disconnected(namespace: namespace, unanswered: unanswered.sorted()))
    }

    private mutating func tick(_ time: Duration) {
        if let connectDeadline, time >= connectDeadline {
            guard !memberships.contains(where: { $0.membership == .asked }) else {
                isOver = true
                actions.append(.leave)
                return
            }
            fail(SocketIOError(.timeout, "the client joined no namespace in time"))
        } else if let attachmentDeadline, time >= attachmentDeadline {
            fail(SocketIOError(.timeout, "the attachments of a packet did not come in time"))
        }
    }

    private mutating func fail(_ error: SocketIOError) {
        isOver = true
        for namespace in namespaces.sorted() { leave(namespace, as: nil) }
        actions.append(.close(error))
    }
}
