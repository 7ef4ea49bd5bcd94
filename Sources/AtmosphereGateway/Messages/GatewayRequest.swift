package import Atmosphere

/// One request, whatever server brings it.
package struct GatewayRequest: Sendable {
    /// In capitals.
    package var method: String
    /// Path and query as they stand in the request line.
    package var target: String
    /// With `Host`.
    package var headers: HeaderFields
    /// Gives the body chunk by chunk; what `each` throws ends it.
    package var body: @Sendable (_ each: @Sendable ([UInt8]) async throws -> Void) async throws -> Void

    package init(
        method: String, target: String, headers: HeaderFields = [:],
        body: @escaping @Sendable (_ each: @Sendable ([UInt8]) async throws -> Void) async throws -> Void = { _ in }
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }

    /// What the request says of its body's length; nil where it does not.
    var length: Int64? { headers["Content-Length"].flatMap { $0.isDigits ? Int64($0) : nil } }

    /// Nothing is changed by it, as HTTP says (RFC 9110 §9.2.1).
    var isSafe: Bool { ["GET", "HEAD", "OPTIONS"].contains(method) }
}

/// The path and the query of a request, decoded.
struct RequestPlace: Sendable {
    /// Each decoded; a path of `/` alone has none.
    let segments: [String]
    let query: [(name: String, value: String)]

    /// - Throws: ``Problem`` 400 for a target that is no path with a query, or with an escape or a segment that means nothing.
    init(_ target: String) throws(Problem) {
        let bytes = target.utf8
        guard target.beginsWithSlash, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
            throw Problem(.badRequest, "badTarget", "the request line must hold a path, such as /v1/status")
        }
        let (path, query) = target.divided(at: "?") ?? (target[...], "")
        var segments: [String] = []
        let parts = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for part in parts where parts.count > 1 || !part.isEmpty {
            let text = String(Substring(part))
            guard Self.isWellEscaped(text),
                let segment = String(validating: PercentEncoding.bytes(of: text), as: UTF8.self)
            else {
                throw Problem(
                    .badRequest, "badTarget", "the path has an escape that is no UTF-8; write %XX for each byte")
            }
            guard segment != ".", segment != ".." else {
                throw Problem(.badRequest, "badTarget", "the path has a segment of dots; write the whole path")
            }
            segments.append(segment)
        }
        guard Self.isWellEscaped(String(query)) else {
            throw Problem(.badRequest, "badTarget", "the query has a “%” without two digits behind it; write %25")
        }
        self.segments = segments
        self.query = PercentEncoding.pairs(in: query)
    }

    private static func isWellEscaped(_ text: String) -> Bool {
        var digits = 0
        for byte in text.utf8 {
            if digits > 0 {
                guard byte.isHexDigit else { return false }
                digits -= 1
            } else if byte == UInt8(ascii: "%") {
                digits = 2
            }
        }
        return digits == 0
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
