public import AtmosphereSocketIO

/// An event that another program sent to clients past the publishers' API: it is delivered to those who are here, has no
/// offset and is not remembered.
public struct PassingEvent: Sendable, Hashable {
    /// The event as clients get it.
    public var event: SocketEvent
    /// nil for everyone.
    public var audiences: [Audience]?
    /// Who does not get it, though it is addressed to them.
    public var exceptions: [Audience]

    /// An event for those who are here.
    ///
    /// - Parameter audiences: nil for everyone.
    public init(event: SocketEvent, audiences: [Audience]?, exceptions: [Audience] = []) {
        self.event = event
        self.audiences = audiences
        self.exceptions = exceptions
    }
}
