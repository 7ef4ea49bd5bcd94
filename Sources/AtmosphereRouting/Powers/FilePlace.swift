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

    /// Whether every slash of a path is a character of its own. A mark behind a slash, which makes one character of both, hides
    /// the slash from whoever divides the path by characters, and not from the system.
    static func showsItsSlashes(_ path: String) -> Bool {
        path.utf8.count { $0 == UInt8(ascii: "/") } == path.count { $0 == "/" }
    }

    /// Where a path leads, from the root, without symbolic links and dots, whether or not something is there; nil where links
    /// lead round in a circle.
    package static func destination(_ path: String) -> String? {
        var rest = [Substring](path.slashedParts.reversed())
        var place = path.beginsWithSlash ? "" : real(".") ?? ""
        // As many as Linux follows.
        var linksLeft = 40
        while let name = rest.popLast() {
            if name == "." { continue }
            if name == ".." {
                place = String(Substring(place.throughLastSlash.utf8.dropLast()))
            } else if let target = target(of: "\(place)/\(name)") {
                guard linksLeft > 0 else { return nil }
                linksLeft -= 1
                if target.beginsWithSlash { place = "" }
                rest += target.slashedParts.reversed()
            } else {
                place += "/\(name)"
            }
        }
        return place.isEmpty ? "/" : place
    }

    /// The path without dots, and with its links as they are.
    static func withoutDots(_ path: String) -> String {
        var names: [Substring] = []
        for name in path.slashedParts where name != "." {
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        return (path.beginsWithSlash ? "/" : "") + names.joined(separator: "/")
    }

    /// What a symbolic link says; nil for anything else.
    private static func target(of link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    /// The symbolic links that lead out of a folder: among what stands beside a path and is called like it (`PATH`, `PATH.log`,
    /// `PATH-wal`), and in those folders, at any depth. A folder that cannot be looked into counts as one.
    package static func links(leadingOutOf folder: String, beside path: String) -> [String] {
        let name = path.afterLastSlash
        var found: [String] = []
        var left: [String] = []
        var seen: Set<ScalarText> = []
        func look(_ entry: String, isFile: Bool) {
            var status = stat()
            guard !isFile, lstat(entry, &status) == 0 else { return }
            if status.st_mode & S_IFMT == S_IFLNK {
                if !isInside(entry, folder) { return found.append(entry) }
                guard stat(entry, &status) == 0 else { return }
            }
            if status.st_mode & S_IFMT == S_IFDIR { left.append(entry) }
        }
        let holder = String(path.throughLastSlash)
        for entry in entries(of: holder) ?? []
        where entry.name == name || entry.name.hasPrefix(name + ".") || entry.name.hasPrefix(name + "-") {
            look(holder + entry.name, isFile: entry.isFile)
        }
        while let next = left.popLast() {
            guard let place = real(next), seen.insert(ScalarText(place)).inserted else { continue }
            guard let entries = entries(of: next) else {
                found.append(next)
                continue
            }
            for entry in entries { look("\(next)/\(entry.name)", isFile: entry.isFile) }
        }
        return found.sorted()
    }

    /// What a folder holds, and what of it is known to be no link and no folder; nil where it cannot be looked into.
    private static func entries(of folder: String) -> [(name: String, isFile: Bool)]? {
        guard let directory = opendir(folder.isEmpty ? "." : folder) else { return nil }
        defer { closedir(directory) }
        var entries: [(name: String, isFile: Bool)] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
                    String(cString: $0)
                }
            }
            if name != ".", name != ".." { entries.append((name, entry.pointee.d_type == UInt8(DT_REG))) }
        }
        return entries
    }

    /// Changes with every change of a file, whatever it holds; nil for a folder, and for what cannot be looked at.
    package static func stamp(of path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return nil }
        #if canImport(Darwin)
            let changed = status.st_ctimespec
        #else
            let changed = status.st_ctim
        #endif
        return "\(status.st_dev) \(status.st_ino) \(status.st_size) \(changed.tv_sec).\(changed.tv_nsec)"
    }

    /// Whether the way to a file comes through a folder, wherever a symbolic link leads from there.
    package static func passes(_ folder: String, on path: String) -> Bool {
        var holder = String(path.throughLastSlash).withoutLastSlashes
        while !holder.isEmpty {
            if isInside(holder, folder) { return true }
            holder = String(holder.throughLastSlash).withoutLastSlashes
        }
        return false
    }

    /// Whether a path leads into a folder. Its end may be missing: then the folders that are there count.
    package static func isInside(_ path: String, _ folder: String) -> Bool {
        guard let root = real(folder) else { return false }
        var existing = path
        var missing: [Substring] = []
        while true {
            // With a slash behind it a link that leads to nothing would look as if it were missing.
            existing = existing.withoutLastSlashes
            if let found = real(existing) {
                guard !missing.contains("..") else { return false }
                // By bytes: another folder can have a name that is canonically equivalent.
                return found.hasSameBytes(as: root) || found.rest(after: root == "/" ? root : root + "/") != nil
            }
            var status = stat()
            // A link that leads to nothing, or what may not be looked at.
            if lstat(existing, &status) == 0 || errno != ENOENT { return false }
            let name = existing.afterLastSlash
            guard !name.isEmpty else { return false }
            missing.append(name)
            existing = String(existing.throughLastSlash)
            if existing.isEmpty, path.beginsWithSlash { existing = "/" }
        }
    }
}
