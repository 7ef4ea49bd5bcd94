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
