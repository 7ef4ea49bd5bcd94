internal import AtmosphereStore
internal import Dispatch
internal import Foundation

/// The file of a ``LogStore``: a line of JSON that says what it is, and one for each commit.
///
/// The handle is used on the queue only, but for opening and the end; a queue may be used from any thread, which Dispatch
/// on Linux does not say to the compiler.
final class LogFile: @unchecked Sendable {
    private static let header = Array(#"{"log":1}"#.utf8) + [UInt8(ascii: "\n")]

    private let path: String
    private let handle: FileHandle
    private let lock: HeldLock
    private let queue = DispatchQueue(label: "LogFile")
    /// Where the last whole line ends.
    private var size: UInt64

    private init(_ path: String, _ handle: FileHandle, _ lock: HeldLock, size: UInt64) {
        self.path = path
        self.handle = handle
        self.lock = lock
        self.size = size
    }

    // MARK: Opening

    static func open(_ path: String) throws -> (LogFile, Contents, [StoreNote]) {
        guard let lock = try HeldLock.take(file: path + ".lock") else {
            throw StoreError(
                code: .inUse, message: "\(path) is open in another store; close that one, or end its process")
        }
        do {
            if !FileManager.default.fileExists(atPath: path) { try write(header, to: path) }
            var log = try Log(path)
            if log.isOutOfDate {
                try write(header + line(log.contents.steps), to: path)
                log = try Log(path)
            }
            let handle = try doing("open", path) { try FileHandle(forUpdating: URL(fileURLWithPath: path)) }
            // What was cut off goes, or the next line would be glued to it.
            try doing("write", path) { try handle.truncate(atOffset: UInt64(log.size)) }
            return (LogFile(path, handle, lock, size: UInt64(log.size)), log.contents, log.notes)
        } catch {
            lock.release()
            throw error
        }
    }

    /// What a file holds.
    private struct Log {
        var contents = Contents()
        var notes: [StoreNote] = []
        var size = LogFile.header.count
        private var stepCount = 0

        /// Most of the file is about what was replaced since.
        var isOutOfDate: Bool { stepCount > 1_000 + 2 * contents.steps.count }

        init(_ path: String) throws {
            let bytes = Array(try doing("read", path) { try Data(contentsOf: URL(fileURLWithPath: path)) })
            guard bytes.starts(with: LogFile.header) else {
                let isOther = bytes.starts(with: Array(#"{"log":"#.utf8))
                throw isOther
                    ? StoreError(code: .newerFormat, message: "\(path) was written by a newer version; use that one")
                    : StoreError.damaged(path, "it is no log")
            }
            let lines = bytes[size...].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            // Behind the last line's end stands nothing, unless it was cut off.
            for (index, line) in lines.enumerated() where index < lines.count - 1 || !line.isEmpty {
                let place = "\(path):\(index + 2)"
                do {
                    if index == lines.count - 1 { throw StoreError.damaged(place, "it has no end") }
                    for step in try Self.steps(of: line, at: place) {
                        contents.apply(step)
                        stepCount += 1
                    }
                    size += line.count + 1
                } catch let error as StoreError where error.code == .damaged && index >= lines.count - 2 {
                    // A commit that was cut off was never acknowledged. Damage in the middle is something else.
                    notes = [StoreNote(isWarning: false, message: "\(place): a commit that was cut off was dropped")]
                }
            }
        }

        private static func steps(of line: ArraySlice<UInt8>, at place: String) throws -> [Step] {
            let value: Value
            do {
                value = try Value(json: Array(line), limits: JSONLimits(depth: .max, bytes: .max))
            } catch {
                throw StoreError.damaged(place, error.message)
            }
            guard let values = value.array else { throw StoreError.damaged(place, "it is no list") }
            return try values.map { try Step($0, at: place) }
        }
    }

    // MARK: Writing

    /// Returns when the steps are on the device; all of them are, or none.
    func append(_ steps: [Step]) async throws {
        let line = Self.line(steps)
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.append(line) }) }
        }
    }

    private func append(_ line: [UInt8]) throws {
        do {
            try doing("write", path) {
                // Also puts an end to what a failed write has left.
                try handle.truncate(atOffset: size)
                try handle.seek(toOffset: size)
                try handle.write(contentsOf: Data(line))
                try handle.synchronize()
            }
        } catch {
            try? handle.truncate(atOffset: size)
            throw error
        }
        size += UInt64(line.count)
    }

    func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                try? self.handle.close()
                self.lock.release()
                continuation.resume()
            }
        }
    }

    private static func line(_ steps: [Step]) -> [UInt8] {
        Value.array(steps.map(\.value)).json() + [UInt8(ascii: "\n")]
    }

    /// Puts a whole file in place of what is there; a process that ends in between leaves the one or the other.
    private static func write(_ bytes: [UInt8], to path: String) throws {
        try doing("write", path) {
            let new = path + ".new"
            try? FileManager.default.removeItem(atPath: new)
            guard
                FileManager.default.createFile(
                    atPath: new, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: new))
            try handle.write(contentsOf: Data(bytes))
            try handle.synchronize()
            try handle.close()
            guard rename(new, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
            // The name itself is in the folder.
            let folder = try FileHandle(forReadingFrom: URL(fileURLWithPath: path).deletingLastPathComponent())
            try? folder.synchronize()
            try folder.close()
        }
    }
}

/// Runs what touches a file, and says in the store's words what went wrong.
private func doing<Result>(_ action: String, _ path: String, _ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch {
        let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
        throw StoreError(
            code: isFull ? .full : .inputOutput,
            message: "cannot \(action) \(path): \(error.localizedDescription); "
                + (isFull ? "free some space and try again" : "check the file and its folder"),
            cause: error)
    }
}
