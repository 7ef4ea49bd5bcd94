import AtmosphereModel

/// Puts Socket.IO packets together from the messages of one connection.
///
/// After an error the decoder must not be used any more: the connection is to be closed. It holds one unfinished packet
/// at most, and that within the limits.
public struct SocketDecoder: Sendable {
    private let limits: SocketLimits
    private var assembly = Assembly()

    /// A decoder for one connection, with nothing unfinished.
    public init(limits: SocketLimits = .default) { self.limits = limits }

    /// Whether attachments are missing. How long to wait for them is the session's business.
    public var isUnfinished: Bool { assembly.isUnfinished }

    /// Takes the next message.
    ///
    /// - Returns: the packet that it completes; nil where attachments are missing.
    /// - Throws: ``SocketIOError`` for everything that `socket.io-protocol` does not allow, and for what goes beyond the
    ///   limits.
    public mutating func decode(_ message: EngineMessage) throws(SocketIOError) -> SocketPacket? {
        try assembly.decode(message, limits)
    }
}

extension SocketDecoder {
    /// The decoder without its limits, for one who has many: a word, most of the time.
    struct Assembly {
        private indirect enum State {
            case idle
            case unfinished(PacketHead, [[UInt8]], bytes: Int)
        }

        private var state = State.idle

        var isUnfinished: Bool { if case .unfinished = state { true } else { false } }

        mutating func decode(_ message: EngineMessage, _ limits: SocketLimits) throws(SocketIOError) -> SocketPacket? {
            switch message {
            case .text(let text):
                guard !isUnfinished else {
                    throw SocketIOError(.invalidAttachments, "text came where an attachment must")
                }
                let head = try PacketHead(text, limits: limits)
                if head.attachments == 0 { return try head.packet([]) }
                state = .unfinished(head, [], bytes: text.count)
                return nil
            case .binary(let bytes):
                guard case .unfinished(let head, var attachments, let before) = state else {
                    throw SocketIOError(.invalidAttachments, "an attachment came that no packet announced")
                }
                // Only one owner, or each attachment would copy the list.
                state = .idle
                guard before + bytes.count <= limits.packetBytes else {
                    throw SocketIOError(
                        .tooLarge, "a packet with its attachments has more than \(limits.packetBytes) bytes")
                }
                attachments.append(bytes)
                if attachments.count == head.attachments { return try head.packet(attachments) }
                state = .unfinished(head, attachments, bytes: before + bytes.count)
                return nil
            }
        }
    }
}

/// The text of a packet, read.
private struct PacketHead {
    enum Kind: UInt8 {
        case connect, disconnect, event, acknowledgement, connectError, binaryEvent, binaryAcknowledgement
    }

    var kind: Kind
    var attachments = 0
    var namespace = "/"
    var number: UInt64?
    var payload: Value?

    init(_ text: [UInt8], limits: SocketLimits) throws(SocketIOError) {
        guard text.count <= limits.packetBytes else {
            throw SocketIOError(.tooLarge, "a packet has more than \(limits.packetBytes) bytes")
        }
        guard let first = text.first else { throw SocketIOError(.emptyPacket, "a packet has no type") }
        guard let kind = first < UInt8(ascii: "0") ? nil : Kind(rawValue: first - UInt8(ascii: "0")) else {
            throw SocketIOError(.unknownPacketType, "a packet's type is none of 0 to 6")
        }
        self.kind = kind
        var index = 1
        if kind == .binaryEvent || kind == .binaryAcknowledgement {
            guard let count = Self.number(text, &index, digits: 9), index < text.count,
                text[index] == UInt8(ascii: "-")
            else {
                throw SocketIOError(.invalidAttachments, "a binary packet begins with the number of its attachments")
            }
            guard count <= UInt64(limits.attachments) else {
                throw SocketIOError(.tooManyAttachments, "a packet has more than \(limits.attachments) attachments")
            }
            attachments = Int(count)
            index += 1
        }
        if index < text.count, text[index] == UInt8(ascii: "/") { try readNamespace(text, &index, limits) }
        if index < text.count, Self.isDigit(text[index]) {
            guard let id = Self.number(text, &index, digits: 16), id <= SocketPacket.largestAcknowledgement else {
                throw SocketIOError(.invalidAcknowledgement, "the id of an acknowledgement is too large")
            }
            number = id
        }
        if index < text.count {
            do {
                payload = try Value(
                    json: Array(text[index...]), limits: JSONLimits(depth: limits.depth, bytes: limits.packetBytes))
            } catch {
                throw SocketIOError(.invalidPayload, "a packet's payload: \(error.message)")
            }
        }
        try checkPayload()
    }

    private mutating func readNamespace(_ text: [UInt8], _ index: inout Int, _ limits: SocketLimits)
        throws(SocketIOError)
    {
        let end = text[index...].firstIndex(of: UInt8(ascii: ",")) ?? text.count
        guard end - index <= limits.namespaceBytes else {
            throw SocketIOError(.invalidNamespace, "a namespace is longer than \(limits.namespaceBytes) bytes")
        }
        guard let name = String(validating: text[index..<end], as: UTF8.self) else {
            throw SocketIOError(.invalidUTF8, "a namespace is not UTF-8")
        }
        namespace = name
        index = min(end + 1, text.count)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    /// nil where there are no digits, or more than allowed.
    private static func number(_ text: [UInt8], _ index: inout Int, digits: Int) -> UInt64? {
        let start = index
        var value: UInt64 = 0
        while index < text.count, isDigit(text[index]) {
            guard index - start < digits else { return nil }
            value = value * 10 + UInt64(text[index] - UInt8(ascii: "0"))
            index += 1
        }
        return index > start ? value : nil
    }

    private func checkPayload() throws(SocketIOError) {
        switch kind {
        case .connect:
            guard payload == nil || payload?.members != nil else {
                throw SocketIOError(.invalidPayload, "the payload of a connect packet is an object")
            }
        case .disconnect:
            guard payload == nil else {
                throw SocketIOError(.unexpectedPayload, "a disconnect packet has no payload")
            }
        case .connectError:
            guard payload?.members != nil || payload?.string != nil else {
                throw SocketIOError(.invalidPayload, "the payload of a connect error packet is an object or a text")
            }
        case .event, .binaryEvent:
            guard let elements = payload?.array, let name = elements.first else {
                throw SocketIOError(.invalidPayload, "the payload of an event packet is an array that is not empty")
            }
            guard name.string != nil || name.number != nil else {
                throw SocketIOError(.invalidEventName, "the name of an event is a text or a number")
            }
            if let name = name.string { try SocketPacket.check(.text(name)) }
        case .acknowledgement, .binaryAcknowledgement:
            guard payload?.array != nil else {
                throw SocketIOError(.invalidPayload, "the payload of an acknowledgement is an array")
            }
        }
        switch kind {
        case .connect, .disconnect, .connectError:
            guard number == nil else {
                throw SocketIOError(.invalidAcknowledgement, "only events and acknowledgements have an id")
            }
        case .acknowledgement, .binaryAcknowledgement:
            guard number != nil else { throw SocketIOError(.invalidAcknowledgement, "an acknowledgement has no id") }
        case .event, .binaryEvent: break
        }
    }

    func packet(_ attachments: [[UInt8]]) throws(SocketIOError) -> SocketPacket {
        switch kind {
        case .connect: return SocketPacket(namespace: namespace, .connect(payload?.members))
        case .disconnect: return SocketPacket(namespace: namespace, .disconnect)
        case .connectError: return SocketPacket(namespace: namespace, .connectError(payload ?? .null))
        case .event, .binaryEvent:
            let arguments = try arguments(attachments, from: 1)
            let name: SocketEvent.Name =
                switch payload?.array?.first {
                case .number(let number): .number(number)
                case .string(let text): .text(text)
                default: throw SocketIOError(.invalidEventName, "the name of an event is a text or a number")
                }
            return SocketPacket(namespace: namespace, .event(SocketEvent(name, arguments), number))
        case .acknowledgement, .binaryAcknowledgement:
            return SocketPacket(
                namespace: namespace, .acknowledgement(try arguments(attachments, from: 0), number ?? 0))
        }
    }

    private func arguments(_ attachments: [[UInt8]], from start: Int) throws(SocketIOError) -> [SocketArgument] {
        let elements = (payload?.array ?? []).dropFirst(start)
        guard kind == .binaryEvent || kind == .binaryAcknowledgement else { return elements.map { .json($0) } }
        var reassembly = Reassembly(attachments)
        var arguments: [SocketArgument] = []
        arguments.reserveCapacity(elements.count)
        for element in elements { arguments.append(try reassembly.argument(element)) }
        guard reassembly.hasUsedAll else {
            throw SocketIOError(.invalidAttachments, "an attachment has no placeholder")
        }
        return arguments
    }
}
