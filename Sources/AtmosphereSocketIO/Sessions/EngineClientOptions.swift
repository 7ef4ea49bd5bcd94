/// How a client's Engine.IO session behaves.
public struct EngineClientOptions: Sendable, Hashable {
    /// The transports to use, the first at once; `[.polling, .webSocket]` by default, which polls and then upgrades.
    public var transports: [EngineTransport]
    /// How long the handshake may take; 20 seconds by default.
    public var connectTimeout: Duration
    /// How long an upgrade may take before polling goes on; 10 seconds by default.
    public var upgradeTimeout: Duration
    /// What the session takes from the server, and how much may wait to be sent.
    public var limits: EngineLimits

    /// Takes what differs from the defaults.
    public init(
        transports: [EngineTransport] = [.polling, .webSocket], connectTimeout: Duration = .seconds(20),
        upgradeTimeout: Duration = .seconds(10), limits: EngineLimits = .default
    ) {
        self.transports = transports
        self.connectTimeout = connectTimeout
        self.upgradeTimeout = upgradeTimeout
        self.limits = limits
    }
}
