/// A place in the order of everything that a broker has published.
public struct Offset: Sendable, Hashable, CustomStringConvertible {
    /// Changes when the broker has lost its memory: offsets of another epoch mean nothing.
    public var epoch: String
    /// Rises by one with each event of an epoch.
    public var number: UInt64

    /// A place in an epoch.
    ///
    /// - Parameter epoch: a word without dashes, or it cannot be read back from the text.
    public init(epoch: String, number: UInt64) {
        self.epoch = epoch
        self.number = number
    }

    /// Reads `epoch-number`, as ``description`` writes it; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let number = UInt64(parts[1]) else { return nil }
        self.init(epoch: String(parts[0]), number: number)
    }

    public var description: String { "\(epoch)-\(number)" }
}

/// A published event with its place.
public struct Delivery: Sendable, Hashable {
    /// What was published.
    public var event: PublishedEvent
    /// Its place in the order.
    public var offset: Offset

    /// An event with its place.
    public init(event: PublishedEvent, offset: Offset) {
        self.event = event
        self.offset = offset
    }
}

/// What a broker tells its subscribers.
public enum BrokerSignal: Sendable, Hashable {
    /// An event that was published.
    case event(Delivery)
    /// Something was, or may have been, published that will never come: every client must pull. The offset is where
    /// things go on.
    case lost(Offset)
    /// An event that is not in the log.
    case passing(PassingEvent)
    /// Events that are not in the log may have been missed until now.
    case passingLost
}

/// What was missed.
public enum Replay: Sendable, Hashable {
    /// All of it, in order.
    case events([Delivery])
    /// More than the broker remembers: the client must fetch from its source.
    case gap
}

/// What became of something published.
public struct Publication: Sendable, Hashable {
    /// Where the event stands; for a duplicate the place of the first one.
    public var offset: Offset
    /// Whether the same id was published before; then nothing was delivered now.
    public var isDuplicate: Bool

    /// What became of one event.
    public init(offset: Offset, isDuplicate: Bool) {
        self.offset = offset
        self.isDuplicate = isDuplicate
    }
}

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

/// Who a client was and what it listened to.
public struct RememberedClient: Sendable, Hashable {
    /// Who the client is to ``ClientAuthorizer``.
    public var user: String
    /// The rooms that it has joined.
    public var rooms: [String]
    /// The connection that tells this, a word without spaces.
    public var owner: String
    /// How many connections have had the secret, with this one: what a later one tells is younger.
    public var sequence: UInt64

    /// What a connection tells of its client.
    ///
    /// - Parameter owner: tells this connection from every other that has the same secret; without spaces.
    public init(user: String, rooms: [String], owner: String, sequence: UInt64 = 1) {
        self.user = user
        self.rooms = rooms
        self.owner = owner
        self.sequence = sequence
    }
}

/// A client's record in the hands of a new connection.
public struct ClientClaim: Sendable, Hashable {
    /// What the connection before it has told last.
    public var client: RememberedClient
    /// The new connection's.
    public var sequence: UInt64

    /// A record, and the number of the connection that takes it over.
    public init(client: RememberedClient, sequence: UInt64) {
        self.client = client
        self.sequence = sequence
    }
}

/// When a client is remembered.
public enum ClientMoment: Sendable, Hashable {
    /// It has connected: from now on the record is this connection's.
    case arrived
    /// It listens to other rooms.
    case changed
    /// It is gone: the record is kept for the two minutes in which clients come back.
    case left
}

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
