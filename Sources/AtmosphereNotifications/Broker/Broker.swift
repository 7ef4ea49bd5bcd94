/// Carries published events to the servers, in one order, and remembers the last of them.
///
/// Implement it to connect several servers. ``publish(_:)`` gives each event an offset; every subscriber, on every
/// server, gets every event once, with numbers that only rise. An id that was published before must not be delivered
/// again for as long as the broker remembers it. It is called on the threads that serve clients: nothing may block.
public protocol Broker: Sendable {
    /// Gives each event its place, and hands it to the subscribers.
    ///
    /// - Returns: what became of each event, in order.
    /// - Throws: where nothing was published, and where nobody knows whether it was. Published again with the same
    ///   identifiers, nothing is doubled.
    func publish(_ events: [PublishedEvent]) async throws -> [Publication]

    /// Calls `receive` for every event from now on, one at a time and in order; it must return at once.
    func subscribe(_ receive: @escaping @Sendable (BrokerSignal) -> Void)

    /// Lets the subscribers say that they have more than they can hand on. A broker that can leave events where they are
    /// hands over no more meanwhile; by default it is not asked, and what is too much is lost for clients, who are told
    /// to pull.
    func pause(while isBusy: @escaping @Sendable () -> Bool)

    /// What was published to any of the audiences after the offset.
    func replay(_ audiences: Set<Audience>, after offset: Offset) async throws -> Replay

    /// Returns when the broker knows what was published before, so that clients that come back can be told what they
    /// missed; and when the task is cancelled. At once by default.
    func ready() async

    /// The offset of the last event; what is published from now on comes after it.
    func latest() async throws -> Offset

    /// How the broker is.
    func status() async -> BrokerStatus

    /// Keeps what a client listens to, for a server to which it comes back. Returns at once; where the broker has no
    /// memory of its own, each server remembers its clients alone.
    ///
    /// There is one record for each secret, and it belongs to the connection that arrived last: what an older one still
    /// tells, a server that notices a loss late for example, changes nothing.
    ///
    /// - Parameter pid: the client's secret.
    func remember(_ client: RememberedClient, pid: String, _ moment: ClientMoment)

    /// Calls `done` when everything that was told of this client so far is kept; at once by default.
    func whenRemembered(_ pid: String, _ done: @escaping @Sendable () -> Void)

    /// Takes over the record of a client for a connection that brings its secret: of all connections that do, on whichever
    /// server, each gets a number of its own, and what one with a lower number tells later changes nothing.
    ///
    /// - Parameters:
    ///   - user: who the connection has shown to be; a record of another user is none.
    ///   - known: what this server knows of the client itself, which may be younger than what is kept.
    /// - Returns: nil where nobody knows the secret.
    /// - Throws: where it cannot be said now.
    func claim(
        _ pid: String, for user: String, owner: String, known: RememberedClient?
    ) async throws -> ClientClaim?
}

extension Broker {
    /// Nothing: a broker that cannot wait.
    public func pause(while isBusy: @escaping @Sendable () -> Bool) {}
    /// Nothing: a broker without a memory of its own.
    public func remember(_ client: RememberedClient, pid: String, _ moment: ClientMoment) {}
    /// At once: a broker that has nothing to read first.
    public func ready() async {}
    /// At once: a broker without a memory of its own.
    public func whenRemembered(_ pid: String, _ done: @escaping @Sendable () -> Void) { done() }
    /// What this server knows itself: a broker without a memory of its own.
    public func claim(
        _ pid: String, for user: String, owner: String, known: RememberedClient?
    ) async throws -> ClientClaim? {
        known.map { ClientClaim(client: $0, sequence: $0.sequence + 1) }
    }
}
