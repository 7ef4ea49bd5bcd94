/// How requests are sent, and how long they may take.
public struct TransportSettings: Sendable, Hashable {
    /// `curl` (default), `urlsession` (on Apple's systems), `replay`, or what another adapter offers.
    package var kind = "curl"
    /// For one exchange, from the start to the last byte; 60 s by default.
    public var timeout = Duration.seconds(60)
    /// For the connection alone; 10 s by default.
    public var connectTimeout = Duration.seconds(10)
    /// The file that a transport works with (`replay`); relative to the route file's folder.
    public var path: String?
    /// How exactly a request must fit a recorded one (`replay`): `strict` (default) or `lenient`.
    package var matching = "strict"
    /// What another adapter wants to know, by its own names; the transports of this package have none.
    public var settings: Value.Members = [:]

    /// libcurl, 60 seconds for an exchange, 10 for a connection.
    public init() {}
}
