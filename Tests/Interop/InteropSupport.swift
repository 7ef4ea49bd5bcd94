import Foundation

enum TemporaryFolder {
    static func make() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("atmosphere-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

/// Runs what blocks outside the few threads that all other tests share.
func onOwnThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}

/// Runs a program to its end, or kills it at the deadline.
///
/// - Returns: its exit status, and what it has written to both of its streams.
func runToEnd(
    _ program: URL, _ arguments: [String], seconds: TimeInterval = 1_200
) async throws -> (status: Int32, output: String) {
    try await onOwnThread {
        let (status, said) = try Launched(program, arguments).end(seconds: seconds)
        return (status, said.text)
    }
}
