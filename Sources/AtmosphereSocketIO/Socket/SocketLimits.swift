/// How much one Socket.IO connection may bring or hold.
public struct SocketLimits: Sendable, Hashable {
    /// The most attachments of one packet; 10 by default, as in the reference implementation.
    public var attachments: Int
    /// The deepest nesting of arrays and objects; 64 by default.
    public var depth: Int
    /// The most bytes of one packet with its attachments; 4,000,000 by default.
    public var packetBytes: Int
    /// The longest name of a namespace in bytes of UTF-8; 256 by default.
    public var namespaceBytes: Int
    /// The most namespaces at a time on one connection; 16 by default.
    public var namespaces: Int
    /// The most events at a time that wait for an acknowledgement on one connection; 1,024 by default.
    public var acknowledgements: Int

    /// Takes what differs from the defaults.
    public init(
        attachments: Int = 10, depth: Int = 64, packetBytes: Int = 4_000_000, namespaceBytes: Int = 256,
        namespaces: Int = 16, acknowledgements: Int = 1024
    ) {
        self.attachments = attachments
        self.depth = depth
        self.packetBytes = packetBytes
        self.namespaceBytes = namespaceBytes
        self.namespaces = namespaces
        self.acknowledgements = acknowledgements
    }

    /// As each limit says of itself.
    public static let `default` = SocketLimits()
}
