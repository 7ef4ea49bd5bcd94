/// Says whether the network is there, as the system knows it, whatever becomes of requests.
///
/// `SystemReachability` of the product AtmosphereReachability asks the system. To write another, an `AsyncStream<Bool>` that
/// something fills is enough.
public protocol Reachability: Sendable {
    /// Whether the network is there now, and each change of it. Each call gives a new sequence, which ends with the task
    /// that reads it.
    func changes() -> AsyncStream<Bool>
}
