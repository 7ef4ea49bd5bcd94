/// What has become of an edit lease that the server gave to this process.
public struct EditLease: Sendable, Hashable {
    /// How the lease stands.
    public enum State: Sendable, Hashable {
        /// This process has it until then, unless it is renewed before.
        case held(until: Timestamp)
        /// It ran out at that time: nothing renewed it, as where the network was away. Somebody else may have it now.
        case ranOut(at: Timestamp)
        /// The server did not renew it, or did not take a write under it, at that time; what the server said.
        case lost(MetaObject.Failure, at: Timestamp)
    }

    /// The object that it is for.
    public var uri: ObjectURI
    /// How it stands now.
    public var state: State

    /// Whether it ended before this process gave it back.
    public var hasEnded: Bool {
        switch state {
        case .held: false
        case .ranOut, .lost: true
        }
    }
}
