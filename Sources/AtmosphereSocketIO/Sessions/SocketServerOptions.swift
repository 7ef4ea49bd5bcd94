/// How a server's Socket.IO connections behave.
public struct SocketServerOptions: Sendable, Hashable {
    /// How long a connection may be without any namespace at its beginning; 45 seconds in the reference implementation,
    /// 10 by default here.
    public var connectTimeout: Duration
    /// How long the attachments of a packet may take; 10 seconds by default.
    public var attachmentTimeout: Duration
    /// What a connection takes from a client.
    public var limits: SocketLimits

    /// Takes what differs from the defaults.
    public init(
        connectTimeout: Duration = .seconds(10), attachmentTimeout: Duration = .seconds(10),
        limits: SocketLimits = .default
    ) {
        self.connectTimeout = connectTimeout
        self.attachmentTimeout = attachmentTimeout
        self.limits = limits
    }
}
