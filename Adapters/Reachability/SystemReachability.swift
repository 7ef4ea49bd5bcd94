public import Atmosphere

/// What the system says of the network, for ``Synchronizer/run(_:)``.
///
/// ```swift
/// try await api.run(.init(interval: .seconds(300), reachability: SystemReachability()))
/// ```
///
/// On Apple's systems the network is there while `NWPathMonitor` calls its path satisfied. On Linux it is there while an
/// interface other than the loopback is up and has an address that reaches further than its own link; the kernel tells of
/// changes (rtnetlink), so nothing is polled. Neither says that a server answers: a round that finds it away is tried again
/// after a pause all the same.
public struct SystemReachability: Reachability {
    /// Watches nothing before ``changes()`` is called.
    public init() {}

    /// Whether the network is there now, and each change of it. Where the system cannot be asked, the network counts as
    /// there, and nothing follows.
    public func changes() -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        guard let watch = NetworkWatch({ continuation.yield($0) }) else {
            continuation.yield(true)
            return stream
        }
        continuation.onTermination = { _ in watch.end() }
        return stream
    }
}
