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
