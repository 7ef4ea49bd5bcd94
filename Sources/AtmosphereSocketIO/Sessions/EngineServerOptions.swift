/// How a server's Engine.IO sessions behave. The defaults are those of the reference implementation.
public struct EngineServerOptions: Sendable, Hashable {
    /// How often a client is sent a ping; 25 seconds by default.
    public var pingInterval: Duration
    /// How long the pong may take; 20 seconds by default.
    public var pingTimeout: Duration
    /// How long a client that opened a WebSocket for its session has to finish the upgrade; 10 seconds by default.
    public var upgradeTimeout: Duration
    /// How long a session that the server closes waits for the poll that can tell the client; 30 seconds by default.
    public var closeTimeout: Duration
    /// Whether polling sessions may go over to WebSocket; true by default.
    public var allowsUpgrade: Bool
    /// What a session takes from a client, and how much may wait to be sent.
    public var limits: EngineLimits

    /// Takes what differs from the defaults.
    public init(
        pingInterval: Duration = .seconds(25), pingTimeout: Duration = .seconds(20),
        upgradeTimeout: Duration = .seconds(10), closeTimeout: Duration = .seconds(30), allowsUpgrade: Bool = true,
        limits: EngineLimits = .default
    ) {
        self.pingInterval = pingInterval
        self.pingTimeout = pingTimeout
        self.upgradeTimeout = upgradeTimeout
        self.closeTimeout = closeTimeout
        self.allowsUpgrade = allowsUpgrade
        self.limits = limits
    }
}
