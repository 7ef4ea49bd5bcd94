#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

extension ContentFolder {
    /// Gives the contents of a damaged store a second name each: what is lost of the store may be all that refers to them, and
    /// what nothing refers to is removed. Called again, it goes on from where it was.
    ///
    /// - Parameters:
    ///   - store: the path of the store.
    ///   - kept: that of its damaged copy.
    /// - Returns: the folder of the second names, which only a person removes; nil where no content waits.
    /// - Throws: ``StoreError`` `full`, `inputOutput`.
    package static func keepCopies(of store: String, with kept: String) throws(StoreError) -> String? {
        let (old, new) = (store + suffix, kept + suffix)
        let names = names(in: old).filter(SHA256Digest.isDigest)
        guard !names.isEmpty else { return nil }
        guard mkdir(new, 0o700) == 0 || errno == EEXIST else { throw StoreFile.failure("create", new) }
        for name in names where link("\(old)/\(name)", "\(new)/\(name)") != 0 && errno != EEXIST {
            // Not every file system has a second name for a file.
            try copy("\(old)/\(name)", to: "\(new)/\(name)")
        }
        try StoreFile.synchronizeDirectory(of: "\(new)/.")
        try StoreFile.synchronizeDirectory(of: new)
        return new
    }

    /// What people read of it, behind what they read of the store.
    package static func adviceOfKept(_ folder: String) -> String {
        "; what was attached and not uploaded is kept in \(folder), for the changes that it belongs to may be lost"
    }

    private static func copy(_ old: String, to new: String) throws(StoreError) {
        do {
            let (source, target) = (try ContentFile(reading: old), try ContentFile(creating: new))
            while let piece = try source.next(1 << 18) { try target.append(piece) }
            try target.flush()
        } catch {
            unlink(new)
            throw error as? StoreError ?? StoreFile.failure("keep a copy of", old)
        }
    }
}
