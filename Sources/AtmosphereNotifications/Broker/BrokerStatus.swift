/// How a broker is, for `/healthz` and `/metrics`.
public struct BrokerStatus: Sendable, Hashable {
    /// `memory`, `redis`.
    public var name: String
    /// Whether publishing and receiving work now.
    public var isHealthy: Bool
    /// How often its connection was made anew.
    public var reconnections: UInt64
    /// How often every client had to be told to pull.
    public var losses: UInt64
    /// What came from it and could not be read.
    public var refusals: UInt64

    /// A broker that was never lost, unless the counts say otherwise.
    public init(
        name: String, isHealthy: Bool, reconnections: UInt64 = 0, losses: UInt64 = 0, refusals: UInt64 = 0
    ) {
        self.name = name
        self.isHealthy = isHealthy
        self.reconnections = reconnections
        self.losses = losses
        self.refusals = refusals
    }
}
