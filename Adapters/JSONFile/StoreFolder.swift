internal import AtmosphereStore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Where the files of a store are.
struct StoreFolder: Sendable {
    /// The version of everything in it.
    static let version: Int64 = 2

    let path: String

    var meta: String { path + "/store.jsonl" }
    var journal: String { path + "/journal.jsonl" }
    var entities: String { path + "/entities" }
    var lock: String { path + "/lock" }

    func entity(_ name: String) -> String { entities + "/" + name }

    /// Makes the folders where they are missing, for their owner only.
    ///
    /// - Throws: ``StoreError`` `inputOutput`, also where the path is a file.
    init(creating path: String) throws(StoreError) {
        let path = path.withoutLastSlashes
        self.path = path
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
            throw StoreError(
                code: .inputOutput,
                message: "\(path) is a file, and a json-file store is a folder; if it is the store of an earlier "
                    + "development version, push with that version, move the file away and pull again, else set "
                    + "store.path to another name")
        }
        for folder in [path, entities] {
            if mkdir(folder, 0o700) == 0 {
                try StoreFile.synchronizeDirectory(of: folder)
            } else if errno != EEXIST {
                throw StoreFile.failure("create", folder)
            } else {
                StoreFile.keepPrivate(folder)
            }
        }
    }

    func synchronize() throws(StoreError) { try StoreFile.synchronizeDirectory(of: meta) }

    func synchronizeEntities() throws(StoreError) { try StoreFile.synchronizeDirectory(of: entity("")) }
}

/// The names of the entities' files.
enum EntityFileName {
    static let ending = ".jsonl"

    /// Only what every file system takes for itself stays as it is: small letters, digits, `-` and `_`. Two entities
    /// never share a name, also where a file system ignores case; a long one is cut and numbered.
    static func make(for entity: String, taken: Set<String>) -> String {
        var name = ""
        for byte in entity.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16)
                name += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        if !name.isEmpty, name.utf8.count <= 150 { return name + ending }
        let start = name.prefix(100)
        var number = 1
        while taken.contains("\(start)%~\(number)\(ending)") { number += 1 }
        return "\(start)%~\(number)\(ending)"
    }
}

/// The last commit that a store has said to be on the device.
enum AcknowledgedCommit {
    static func text(_ commit: Int64) -> [UInt8] {
        var fields = StoredFieldsWriter()
        // One length for all: each takes the place of the one before.
        let digits = String(commit)
        fields.set("flushed", String(repeating: "0", count: max(0, 19 - digits.count)) + digits)
        var text: [UInt8] = []
        CheckedLine.append(fields.value, to: &text)
        return text
    }

    /// - Returns: 0 where nothing is known.
    static func read(_ path: String) throws(StoreError) -> Int64 {
        guard let bytes = try FileAccess.read(path) else { return 0 }
        var lines = CheckedLines(bytes)
        return lines.next()?.fields?.members?["flushed"]?.string.flatMap { Int64($0) }
            .flatMap { StoredFields.countable.contains($0) ? $0 : nil } ?? 0
    }
}

/// Keeps other processes, and other stores of this one, out of the folder for the time of one commit.
final class FolderLock: Sendable {
    private let descriptor: Int32
    private let path: String

    init(_ folder: StoreFolder) throws(StoreError) {
        path = folder.lock
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreFile.failure("open", path) }
    }

    deinit { _ = close(descriptor) }

    /// Notes in the lock's own file that a commit is on the device, so that a journal without it is known to be damaged.
    /// Is not flushed: an older note asks for less.
    func acknowledge(_ commit: Int64) throws(StoreError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw StoreFile.failure("write", path) }
        try FileAccess.write(AcknowledgedCommit.text(commit), to: descriptor, path)
    }

    /// Waits up to 30 seconds for its turn.
    func hold<Result>(_ body: () throws -> Result) throws -> Result {
        var waited: UInt32 = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw StoreFile.failure("lock", path) }
            guard waited < 30_000_000 else {
                throw StoreError(
                    code: .inputOutput,
                    message: "\(path) has been held by another process for 30 s; end that process, or try again")
            }
            let pause: UInt32 = waited < 10_000 ? 200 : 5_000
            usleep(pause)
            waited += pause
        }
        defer { _ = flock(descriptor, LOCK_UN) }
        return try body()
    }
}
