public import AtmosphereModel

/// A packet of Socket.IO v5 (github.com/socketio/socket.io-protocol, “Exchange protocol”). Its binary types are the
/// plain ones with bytes among their arguments.
public struct SocketPacket: Sendable, Hashable {
    /// `/` is the main one.
    public var namespace: String
    /// What the packet says of its namespace.
    public var content: Content

    /// The types of packets.
    public enum Content: Sendable, Hashable {
        /// From a client with its credentials, from a server with the `sid`.
        case connect(Value.Members?)
        /// The sender leaves, or closes, the namespace.
        case disconnect
        /// The number is there where an acknowledgement is asked for.
        case event(SocketEvent, UInt64?)
        /// The answer to the event that carried this number.
        case acknowledgement([SocketArgument], UInt64)
        /// A text, or an object with a `message` and perhaps `data`.
        case connectError(Value)
    }

    /// A packet of the main namespace unless another is named.
    public init(namespace: String = "/", _ content: Content) {
        self.namespace = namespace
        self.content = content
    }

    /// The largest id of an acknowledgement: the largest whole number that JavaScript counts exactly.
    public static let largestAcknowledgement: UInt64 = 9_007_199_254_740_991
}

extension SocketPacket {
    /// The messages that carry the packet: a text, then its attachments in their order.
    ///
    /// - Throws: ``SocketIOError`` `invalidNamespace`, `invalidEventName`, `invalidPayload`, `invalidAcknowledgement`,
    ///   `invalidAttachments` and `tooManyAttachments` for what no receiver could take.
    public func messages(limits: SocketLimits = .default) throws(SocketIOError) -> [EngineMessage] {
        guard namespace.hasPrefix("/"), !namespace.utf8.contains(UInt8(ascii: ",")),
            namespace.utf8.count <= limits.namespaceBytes, !namespace.utf8.contains(EnginePayload.separator)
        else {
            throw SocketIOError(.invalidNamespace, "a namespace begins with a slash, has no comma, and is short")
        }
        var attachments: [[UInt8]] = []
        let type: UInt8
        var number: UInt64?
        var payload: Value?
        switch content {
        case .connect(let members):
            type = 0
            payload = members.map { .object($0) }
        case .disconnect: type = 1
        case .event(let event, let id):
            try Self.check(event.name)
            let isBinary = event.arguments.contains(where: \.hasBinary)
            type = isBinary ? 5 : 2
            number = id
            var values: [Value] = []
            values.reserveCapacity(event.arguments.count + 1)
            switch event.name {
            case .text(let text): values.append(.string(text))
            case .number(let number): values.append(.number(number))
            }
            for argument in event.arguments {
                values.append(try argument.taken(apart: &attachments, isMixed: isBinary))
            }
            payload = .array(values)
        case .acknowledgement(let arguments, let id):
            let isBinary = arguments.contains(where: \.hasBinary)
            type = isBinary ? 6 : 3
            number = id
            var values: [Value] = []
            values.reserveCapacity(arguments.count)
            for argument in arguments { values.append(try argument.taken(apart: &attachments, isMixed: isBinary)) }
            payload = .array(values)
        case .connectError(let value):
            type = 4
            guard value.string != nil || value.members != nil else {
                throw SocketIOError(.invalidPayload, "a connection error is a text or an object")
            }
            payload = value
        }
        guard attachments.count <= limits.attachments else {
            throw SocketIOError(.tooManyAttachments, "a packet has more than \(limits.attachments) attachments")
        }
        if let number, number > Self.largestAcknowledgement {
            throw SocketIOError(.invalidAcknowledgement, "the id of an acknowledgement is too large")
        }
        var text: [UInt8] = [UInt8(ascii: "0") + type]
        if !attachments.isEmpty {
            text.append(contentsOf: String(attachments.count).utf8)
            text.append(UInt8(ascii: "-"))
        }
        if namespace != "/" {
            text.append(contentsOf: namespace.utf8)
            text.append(UInt8(ascii: ","))
        }
        if let number { text.append(contentsOf: String(number).utf8) }
        if let payload { text.append(contentsOf: payload.json()) }
        return [.text(text)] + attachments.map { .binary($0) }
    }

    static func check(_ name: SocketEvent.Name) throws(SocketIOError) {
        if case .text(let text) = name, SocketEvent.reservedNames.contains(text) {
            throw SocketIOError(.invalidEventName, "an event has a reserved name")
        }
    }
}
