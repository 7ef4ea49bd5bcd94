#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Where paths lead, symbolic links included.
package enum FilePlace {
    /// The path from the root without symbolic links and dots; nil for what is not there, or cannot be looked at.
    package static func real(_ path: String) -> String? {
        guard let resolved = realpath(path.isEmpty ? "." : path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Changes with every change of a file, whatever it holds; nil for a folder, and for what cannot be looked at.
    static func stamp(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return nil }
        #if canImport(Darwin)
            let changed = status.st_ctimespec
        #else
            let changed = status.st_ctim
        #endif
        return "\(status.st_dev) \(status.st_ino) \(status.st_size) \(changed.tv_sec).\(changed.tv_nsec)"
    }

    /// Whether a path leads into a folder. Its end may be missing: then the folders that are there count.
    static func isInside(_ path: String, _ folder: String) -> Bool {
        guard let root = real(folder) else { return false }
        var existing = path
        var missing: [Substring] = []
        while true {
            if let found = real(existing) {
                guard !missing.contains("..") else { return false }
                return found == root || found.hasPrefix(root == "/" ? root : root + "/")
            }
            var status = stat()
            // A link that leads to nothing, or what may not be looked at.
            if lstat(existing, &status) == 0 || errno != ENOENT { return false }
            while existing.hasSuffix("/") { existing.removeLast() }
            let name = existing.lastIndex(of: "/").map { existing[existing.index(after: $0)...] } ?? existing[...]
            guard !name.isEmpty else { return false }
            missing.append(name)
            existing = String(existing.dropLast(name.count))
            if existing.isEmpty, path.hasPrefix("/") { existing = "/" }
        }
    }
}
