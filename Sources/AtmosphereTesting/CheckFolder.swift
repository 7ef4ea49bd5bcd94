#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The folder of the check that runs.
enum CheckFolder {
    @TaskLocal static var path: String?

    /// - Throws: ``ConformanceFailure`` where something is opened outside of a check.
    static func current() throws -> String {
        guard let path else { throw ConformanceFailure("a check must open what it tests in its own task") }
        return path
    }

    /// The checks, each with an empty folder of its own, which is removed after it.
    static func own(for checks: [ConformanceCheck]) -> [ConformanceCheck] {
        checks.map { check in
            ConformanceCheck(check.name) {
                let files = FileManager.default
                let folder = files.temporaryDirectory.appending(path: "atmosphere-check-\(UUID().uuidString)")
                try files.createDirectory(at: folder, withIntermediateDirectories: true)
                defer { try? files.removeItem(at: folder) }
                try await CheckFolder.$path.withValue(folder.path) { try await check.body() }
            }
        }
    }
}
