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
