/// What ``Synchronizer/synchronize(options:)`` did.
public struct SyncReport: Sendable, Hashable {
    /// What was sent.
    public var push: PushReport
    /// nil where the push could not reach the server.
    public var pull: PullReport?
}
