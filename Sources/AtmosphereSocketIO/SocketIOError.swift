/// What a peer did that Engine.IO v4 or Socket.IO v5 does not allow, or what cannot be sent.
///
/// One thrown while something from the peer is read ends that connection and nothing else. The message quotes nothing of
/// what the peer sent.
public struct SocketIOError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a ``SocketIOError``; more may come.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        /// Nothing where a packet must be.
        public static let emptyPacket = Code("emptyPacket")
        /// The first character names no packet type.
        public static let unknownPacketType = Code("unknownPacketType")
        /// Bytes that are not UTF-8 (RFC 3629) where text must be.
        public static let invalidUTF8 = Code("invalidUTF8")
        /// A binary packet of a polling payload that is not base64 (RFC 4648 §4).
        public static let invalidBase64 = Code("invalidBase64")
        /// The JSON of a packet is broken, nested too deep, or of another kind than the packet's type asks for.
        public static let invalidPayload = Code("invalidPayload")
        /// Data where the packet's type allows none.
        public static let unexpectedPayload = Code("unexpectedPayload")
        /// The handshake lacks a member, or has one out of range.
        public static let invalidHandshake = Code("invalidHandshake")
        /// The namespace is too long, or ends nowhere.
        public static let invalidNamespace = Code("invalidNamespace")
        /// The id of an acknowledgement is missing, too large, or stands where none belongs.
        public static let invalidAcknowledgement = Code("invalidAcknowledgement")
        /// The name of an event is missing, of the wrong type, or reserved.
        public static let invalidEventName = Code("invalidEventName")
        /// The number of attachments is missing or broken, a placeholder fits none of them, or one has no placeholder.
        public static let invalidAttachments = Code("invalidAttachments")
        /// More attachments than the limit.
        public static let tooManyAttachments = Code("tooManyAttachments")
        /// More bytes than the limit.
        public static let tooLarge = Code("tooLarge")
        /// More packets in one payload than the limit.
        public static let tooManyPackets = Code("tooManyPackets")
        /// A packet that is well formed, but not allowed now.
        public static let unexpectedPacket = Code("unexpectedPacket")
        /// More namespaces on one connection than the limit.
        public static let tooManyNamespaces = Code("tooManyNamespaces")
        /// More events wait for an acknowledgement than the limit.
        public static let tooManyAcknowledgements = Code("tooManyAcknowledgements")
        /// There is no connection, or none to this namespace.
        public static let notConnected = Code("notConnected")
        /// The peer did not answer in time.
        public static let timeout = Code("timeout")
    }

    /// What went wrong, for code; ``message`` is for people.
    public var code: Code
    /// The reason, for a log.
    public var message: String

    /// An error with its reason.
    ///
    /// - Parameter message: the reason; may hold nothing that is secret.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
