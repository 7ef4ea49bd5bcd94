internal import Atmosphere

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#else
    internal import Darwin
#endif

/// The body of a request in a file without a name, which goes with it: content is read more than once, and may be larger than
/// what fits into memory.
final class SpooledContent: Sendable {
    private static let piece = 1 << 18
    private let descriptor: Int32

    /// - Throws: ``StoreError`` `inputOutput`.
    init() throws {
        let root = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        var name = Array("\(root.isEmpty ? "/tmp" : root)/atmos-gateway-XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw Self.failure("make") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(name)
    }

    deinit { close(descriptor) }

    /// Writes the body of a request.
    ///
    /// - Returns: how many bytes.
    /// - Throws: ``Problem`` 413; ``StoreError`` `full` or `inputOutput`.
    func take(_ request: GatewayRequest, upTo limit: Int64) async throws -> Int64 {
        if let length = request.length, length > limit { throw Self.tooLarge(limit) }
        let count = Counter()
        try await request.body { chunk in
            guard count.add(chunk.count) <= limit else { throw Self.tooLarge(limit) }
            try await BlockingCall.run { try self.append(chunk) }
        }
        return count.value
    }

    private func append(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw Self.failure("write")
            }
        }
    }

    /// From the first byte, each time.
    func content(length: Int64, fileName: String, mediaType: String) -> AttachmentContent {
        AttachmentContent(length: length, fileName: fileName, mediaType: mediaType) {
            let place = Counter()
            return {
                let piece = try await BlockingCall.run { try self.read(at: place.value) }
                guard !piece.isEmpty else { return nil }
                _ = place.add(piece.count)
                return piece
            }
        }
    }

    private func read(at offset: Int64) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.piece)
        while true {
            let count = pread(descriptor, &bytes, bytes.count, off_t(offset))
            if count >= 0 { return Array(bytes[..<count]) }
            if errno != EINTR { throw Self.failure("read") }
        }
    }

    private static func tooLarge(_ limit: Int64) -> Problem {
        var problem = Problem(
            .contentTooLarge, "tooLarge", "the content is larger than \(limit) bytes, which is the most that is taken")
        problem.closes = true
        return problem
    }

    private static func failure(_ verb: String) -> StoreError {
        let code = errno
        return StoreError(
            code: code == ENOSPC ? .full : .inputOutput,
            message: "cannot \(verb) a file among the temporary ones: \(String(cString: strerror(code)))")
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
