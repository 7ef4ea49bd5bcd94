internal import Dispatch

/// Runs what blocks on a thread outside Swift's cooperative ones.
package enum BlockingCall {
    /// Cancelling the caller changes nothing: what runs comes to its end.
    package static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "atmosphere.blocking").async {
                continuation.resume(with: Swift.Result { try body() })
            }
        }
    }
}
