public import Atmosphere

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#else
    internal import Darwin
#endif

extension Gateway {
    /// The token in a file that only its owner may read; a file that is not there yet is made, with a new token.
    ///
    /// - Throws: ``GatewayError`` `tokenFile` for a file that others may read, that holds no token, or that cannot be read or
    ///   made.
    public static func token(inFile path: String, environment: SyncEnvironment = .live) throws(GatewayError) -> String {
        let bytes: [UInt8]
        do {
            bytes = try SmallFile.read(path, limit: 4_096, mustBePrivate: true)
        } catch .system(SmallFile.noSuchFile) {
            let token = GatewayToken(random: environment).text
            try make(path, token)
            return token
        } catch .notPrivate {
            throw GatewayError(
                code: .tokenFile, message: "\(path): others may read it; take that away (chmod 600 \(path.shellWord))")
        } catch {
            throw GatewayError(code: .tokenFile, message: "\(path): \(error); name another file")
        }
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        guard text.utf8.count >= 32, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw GatewayError(
                code: .tokenFile,
                message: "\(path) holds no token of 32 characters or more; remove it, and a new one is made")
        }
        return text
    }

    private static func make(_ path: String, _ token: String) throws(GatewayError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw GatewayError(
                code: .tokenFile, message: "\(path) cannot be made: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        let bytes = Array(token.utf8) + [UInt8(ascii: "\n")]
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            unlink(path)
            throw GatewayError(
                code: .tokenFile, message: "\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
    }
}
