internal import Synchronization

/// A transport that can be switched off: for an application's own “work offline”, and for tests and demonstrations.
///
/// While ``isOffline`` is true nothing reaches the wrapped transport. Requests that are on the wire when it is switched
/// run to their end.
public final class OfflineSwitch: Transport {
    private let transport: any Transport
    private let state: Mutex<Bool>

    /// Wraps a transport; requests go through it unless `isOffline` is true.
    package init(_ transport: any Transport, isOffline: Bool = false) {
        self.transport = transport
        state = Mutex(isOffline)
    }

    /// Refuses every request while true.
    public var isOffline: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Sends through the wrapped transport, or refuses.
    ///
    /// - Throws: ``TransportError`` `offline` while switched off, with ``TransportError/mayHaveArrived`` false; else what
    ///   the wrapped transport throws.
    public func send(_ request: Request) async throws -> Response {
        guard !isOffline else {
            let url = request.url.prefix { $0 != "?" }
            throw TransportError(
                code: .offline, message: "\(request.method) \(url) was not sent: the application is offline",
                mayHaveArrived: false)
        }
        return try await transport.send(request)
    }
}
