/// Sends one HTTP request.
///
/// A transport verifies TLS certificates, follows redirects only within the same origin and only where method and body
/// are kept, never sends a request twice whose ``Request/mayRepeat`` is false, and never blocks the cooperative threads.
/// An HTTP status is never an error here. Cancelling the calling task ends the exchange with `CancellationError`.
///
/// To write one, see the guide "Writing a transport" and run `TransportSuite` of AtmosphereTesting.
public protocol Transport: Sendable {
    /// Returns when the header has arrived; the body is read from the response.
    ///
    /// - Throws: ``TransportError``, or `CancellationError`.
    func send(_ request: Request) async throws -> Response
}

extension Transport {
    /// The same transport, with a report of each exchange. It changes nothing of requests, answers, errors and cancellation;
    /// wrappers can be put around each other in any order.
    ///
    /// - Parameter report: called once for each exchange, when the body has been read to its end or dropped, or when there is
    ///   no answer; from any task or thread, so it should not take long.
    public func observed(by report: @escaping @Sendable (ExchangeReport) -> Void) -> any Transport {
        ObservedTransport(self, report: report)
    }

    /// The same transport, counted; see ``TransportMetrics``.
    public func measured(by metrics: TransportMetrics) -> any Transport {
        ObservedTransport(self) { metrics.add($0) }
    }

    /// The same transport, with a switch; see ``OfflineSwitch``.
    public func switchable(isOffline: Bool = false) -> OfflineSwitch { OfflineSwitch(self, isOffline: isOffline) }
}
