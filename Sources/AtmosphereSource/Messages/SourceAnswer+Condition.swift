internal import Atmosphere

extension SourceAnswer {
    /// Gives the answer to a GET an entity tag, and leaves the body out where the client has it already (RFC 9110
    /// §13.1.2).
    mutating func compare(with request: SourceRequest) {
        let tag = headers["ETag"] ?? "\"\(Self.digest(of: body))\""
        headers["ETag"] = tag
        guard let known = request.headers["If-None-Match"] else { return }
        let isKnown = known == "*" || known.split(separator: ",").contains { Self.opaque($0) == Self.opaque(tag[...]) }
        guard isKnown else { return }
        status = 304
        body = []
        headers["Content-Type"] = nil
    }

    /// Without the mark of a weak tag, which does not count here.
    private static func opaque(_ tag: Substring) -> Substring {
        let trimmed = tag.drop { $0 == " " }
        return trimmed.hasPrefix("W/") ? trimmed.dropFirst(2) : trimmed
    }

    /// 64 bits of FNV-1a: equal bodies have equal tags, and others have others but for a chance that no test meets.
    static func digest(of bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(hash, radix: 16)
    }
}
