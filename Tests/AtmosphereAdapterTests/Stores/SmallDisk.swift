import Foundation

/// A file system in memory that is soon full, where this machine lets us mount one.
final class SmallDisk: Sendable {
    let path: String

    static let isAvailable: Bool = {
        #if os(Linux)
            guard getuid() == 0, let disk = try? SmallDisk(kilobytes: 64) else { return false }
            disk.unmount()
            return true
        #else
            return false
        #endif
    }()

    init(kilobytes: Int) throws {
        path = NSTemporaryDirectory() + "atmosphere-disk-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #if os(Linux)
            guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
                try? FileManager.default.removeItem(atPath: path)
                throw CocoaError(.featureUnsupported)
            }
        #endif
    }

    /// Takes all the space that is left.
    func fill() throws {
        _ = FileManager.default.createFile(atPath: filler, contents: nil)
        let file = try FileHandle(forWritingTo: URL(filePath: filler))
        while (try? file.write(contentsOf: Data(count: 4096))) != nil {}
        try file.close()
    }

    /// Gives back what ``fill()`` took.
    func makeRoom() throws { try FileManager.default.removeItem(atPath: filler) }

    private var filler: String { path + "/filler" }

    func unmount() {
        #if os(Linux)
            _ = umount(path)
        #endif
        try? FileManager.default.removeItem(atPath: path)
    }
}
