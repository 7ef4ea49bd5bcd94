import Foundation

/// A folder of one test's own.
final class Folder: Sendable {
    let path = NSTemporaryDirectory() + "house-adapters-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }
}
