internal import AtmosphereExchange
internal import AtmosphereSocketIO

/// The parts of a JSON Web Token in compact form (RFC 7515 §7.1), of which nothing is proved yet.
///
/// Everybody on the network may send one: it is taken apart here, with limits, so that a library for signatures gets
/// bytes alone.
struct SignedToken {
    /// The longest token in bytes.
    static let byteLimit = 16_384

    /// The deepest nesting of arrays and objects in the header and in the claims.
    private static let depthLimit = 8

    /// Decoded; each name once.
    let header: Value.Members
    /// What the signature is for: header and claims as they were sent.
    let signedBytes: [UInt8]
    let signature: [UInt8]
    private let payload: [UInt8]

    /// - Returns: nil where the text is longer than ``byteLimit``, has not three parts in Base64 for URLs without padding
    ///   (RFC 4648 §5), or the header is no JSON object whose names differ (RFC 7515 §4).
    init?(_ text: String) {
        guard text.utf8.count <= Self.byteLimit else { return nil }
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }),
            let headerBytes = Base64.decodeURL(parts[0]), let payload = Base64.decodeURL(parts[1]),
            let signature = Base64.decodeURL(parts[2]), let header = Self.members(headerBytes)
        else { return nil }
        self.header = header
        self.payload = payload
        self.signature = signature
        signedBytes = Array(bytes[..<parts[1].endIndex])
    }

    /// Decodes the claims, for those who have looked at the signature; nil where they are no JSON object whose names
    /// differ (RFC 7519 §4).
    func claims() -> Value.Members? { Self.members(payload) }

    private static func members(_ bytes: [UInt8]) -> Value.Members? {
        let limits = JSONLimits(depth: depthLimit, bytes: byteLimit)
        guard let members = try? Value(json: bytes, limits: limits).members else { return nil }
        let count = try? bytes.withUnsafeBufferPointer { bytes in
            let scanner = try JSONScanner(bytes, limits: limits)
            var count = 0
            _ = try scanner.readMembers(scanner.onlyValue().lowerBound) { _, _, value in
                count += 1
                return try scanner.valueEnd(value, depth: 1)
            }
            return count
        }
        // Others would take the last one of two with the same name.
        guard count == members.count else { return nil }
        return members
    }
}
