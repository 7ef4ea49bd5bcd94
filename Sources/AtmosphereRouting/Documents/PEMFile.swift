/// Certificates and keys in PEM (RFC 7468), in files that a setting names.
package enum PEMFile {
    /// Names the file and the reason.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// All authorities that systems trust take less than 1 MiB.
    private static let limit = 16 << 20

    /// - Throws: ``Failure`` for a file that cannot be read, is no regular one (a pipe would keep its reader waiting), or is
    ///   larger than 16 MiB.
    package static func read(_ path: String) throws(Failure) -> [UInt8] {
        do { return try SmallFile.read(path, limit: limit) } catch { throw Failure(description: "\(path): \(error)") }
    }
}
