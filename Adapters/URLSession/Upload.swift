internal import AtmosphereExchange
internal import Foundation

/// A request body as URLSession takes it, again for every redirect.
final class Upload: Sendable {
    let bytes: Data?
    /// A temporary file of the body, removed with this.
    let file: URL?

    /// - Throws: what the body throws, or ``TransportError`` where the temporary file cannot be written.
    init(_ body: RequestBody) async throws {
        switch body {
        case .none: (bytes, file) = (nil, nil)
        case .bytes(let bytes): (self.bytes, file) = (Data(bytes), nil)
        case .stream(_, let start):
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("atmosphere-\(UUID().uuidString)")
            do {
                try Self.create(file)
                let handle = try FileHandle(forWritingTo: file)
                defer { try? handle.close() }
                let next = try await start()
                while let chunk = try await next() { try handle.write(contentsOf: Data(chunk)) }
            } catch {
                try? FileManager.default.removeItem(at: file)
                throw error
            }
            (bytes, self.file) = (nil, file)
        }
    }

    deinit { if let file { try? FileManager.default.removeItem(at: file) } }

    private static func create(_ file: URL) throws {
        guard
            FileManager.default.createFile(
                atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else {
            throw TransportError(
                code: .invalidRequest, message: "the request body cannot be kept in \(file.path); free some space",
                mayHaveArrived: false)
        }
    }
}
