package import Atmosphere
internal import Dispatch
internal import Foundation

/// Appends lines to a cassette, on a thread of its own.
///
/// A queue may be used from any thread, which Dispatch on Linux does not say to the compiler; the handle is used on it only.
package final class CassetteWriter: @unchecked Sendable {
    private let queue = DispatchQueue(label: "Atmosphere.CassetteWriter")
    private var handle: FileHandle
    private let path: String

    /// - Throws: ``TransportError`` `invalidRequest`.
    package init(_ path: String) throws(TransportError) {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw Cassette.unusable(path, "the file is there already; remove it or name another one")
        }
        guard Self.make(path, Cassette.header), let handle = Self.open(path) else {
            throw Cassette.unusable(path, "the file cannot be made; does its folder exist?")
        }
        self.handle = handle
        self.path = path
    }

    func append(_ line: [UInt8]) async throws {
        try await perform { try self.handle.write(contentsOf: Data(line)) }
    }

    /// Changes the exchanges that were written, in a new file that takes the place of the old one.
    func rewrite(_ change: @escaping @Sendable (Cassette.Exchange) -> Cassette.Exchange) async throws {
        try await perform {
            guard let data = FileManager.default.contents(atPath: self.path) else {
                throw Cassette.unreadable(self.path)
            }
            let lines = data.split(separator: UInt8(ascii: "\n")).map { line -> [UInt8] in
                let bytes = [UInt8](line)
                guard let members = try? Value(json: bytes).members, let exchange = Cassette.Exchange(members) else {
                    return bytes + [UInt8(ascii: "\n")]
                }
                let changed = change(exchange)
                return changed == exchange ? bytes + [UInt8(ascii: "\n")] : changed.line
            }
            let clean = Data(lines.joined())
            guard clean != data else { return }
            let new = self.path + ".new"
            guard Self.make(new, [UInt8](clean)), rename(new, self.path) == 0, let handle = Self.open(self.path) else {
                throw Cassette.unusable(self.path, "the cassette cannot be replaced by one without secrets; remove it")
            }
            try? self.handle.close()
            self.handle = handle
        }
    }

    /// Readable by its owner only.
    private static func make(_ path: String, _ bytes: [UInt8]) -> Bool {
        FileManager.default.createFile(
            atPath: path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
    }

    private static func open(_ path: String) -> FileHandle? {
        let handle = FileHandle(forWritingAtPath: path)
        _ = try? handle?.seekToEnd()
        return handle
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
