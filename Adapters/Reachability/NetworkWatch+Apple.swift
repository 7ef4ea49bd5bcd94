#if canImport(Network)
    internal import Dispatch
    internal import Network

    /// Follows the system's own path monitor.
    final class NetworkWatch: Sendable {
        private let monitor = NWPathMonitor()

        /// - Parameter tell: gets what is so now, and each change of it.
        init?(_ tell: @escaping @Sendable (Bool) -> Void) {
            monitor.pathUpdateHandler = { tell($0.status == .satisfied) }
            monitor.start(queue: DispatchQueue(label: "SystemReachability"))
        }

        deinit { end() }

        func end() { monitor.cancel() }
    }
#endif
