package import AtmosphereExchange
internal import Dispatch
internal import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Appends lines to a cassette, on a thread of its own.
///
/// A queue may be used from any thread, which Dispatch on Linux does not say to the compiler; the handle is used on it only.
package final class CassetteWriter: @unchecked Sendable {
    private let queue = DispatchQueue(label: "Atmosphere.CassetteWriter")
    private var handle: FileHandle
    private let path: String

    /// - Throws: ``TransportError`` `invalidRequest`.
    package init(_ path: String) throws(TransportError) {
        guard let handle = Self.make(path) else {
            let isThere = FileManager.default.fileExists(atPath: path)
            throw Cassette.unusable(
                path,
                isThere
                    ? "the file is there already; remove it or name another one"
                    : "the file cannot be made; does its folder exist?")
        }
        do { try handle.write(contentsOf: Data(Cassette.header)) } catch {
            unlink(path)
            throw Cassette.unusable(path, "the file cannot be written (\(error))")
        }
        self.handle = handle
        self.path = path
    }

    func append(_ line: [UInt8]) async throws {
        try await perform { try self.handle.write(contentsOf: Data(line)) }
    }

    /// Changes the exchanges that were written, in a new file that takes the place of the old one; line by line, for a
    /// cassette may be long.
    func rewrite(_ change: @escaping @Sendable (Cassette.Exchange) -> Cassette.Exchange) async throws {
        try await perform {
            guard let old = FileHandle(forReadingAtPath: self.path) else { throw Cassette.unreadable(self.path) }
            let new = self.path + ".new"
            // Left by a process that was ended in between.
            unlink(new)
            guard let handle = Self.make(new) else { throw self.irreplaceable }
            do {
                guard try Self.copy(old, to: handle, change) else {
                    unlink(new)
                    return
                }
                guard rename(new, self.path) == 0 else { throw self.irreplaceable }
            } catch {
                unlink(new)
                throw error is TransportError ? error : self.irreplaceable
            }
            try? self.handle.close()
            self.handle = handle
        }
    }

    private var irreplaceable: TransportError {
        Cassette.unusable(path, "the cassette cannot be replaced by one without secrets; remove it")
    }

    /// - Returns: whether anything was changed.
    private static func copy(
        _ old: FileHandle, to new: FileHandle, _ change: (Cassette.Exchange) -> Cassette.Exchange
    ) throws -> Bool {
        var isChanged = false
        // What is read of a line whose end is not.
        var begun: [UInt8] = []
        while let chunk = try old.read(upToCount: 1 << 16), !chunk.isEmpty {
            var lines = [UInt8](chunk).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let rest = lines.removeLast()
            for end in lines {
                let line = begun + end + [UInt8(ascii: "\n")]
                begun = []
                let clean = changed(line, change)
                isChanged = isChanged || clean != line
                try new.write(contentsOf: Data(clean))
            }
            begun += rest
        }
        try new.write(contentsOf: Data(begun))
        return isChanged
    }

    private static func changed(_ line: [UInt8], _ change: (Cassette.Exchange) -> Cassette.Exchange) -> [UInt8] {
        guard let members = try? Value(json: line).members, let exchange = Cassette.Exchange(members) else {
            return line
        }
        let clean = change(exchange)
        return clean == exchange ? line : clean.line
    }

    /// A new file that only its owner can read, from its first moment; nil where there is one, or a link.
    private static func make(_ path: String) -> FileHandle? {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private func perform(_ body: @escaping @Sendable () throws -> Void) async throws {
        let path = path
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async {
                do {
                    try body()
                    continuation.resume()
                } catch let error as TransportError {
                    continuation.resume(throwing: error)
                } catch {
                    continuation.resume(
                        throwing: TransportError(
                            code: .invalidRequest, message: "\(path): the exchange cannot be written (\(error))",
                            mayHaveArrived: true))
                }
            }
        }
    }
}
