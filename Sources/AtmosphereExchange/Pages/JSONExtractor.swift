/// Reads JSON bodies: one pass over the bytes, slices out.
///
/// The pass checks the whole body (see ``Value/init(json:limits:)`` for what is refused; one byte order mark in front is
/// passed over) and looks at the members that the selectors name, the first of duplicates; nothing is built for any other.
/// A page's records keep the bytes as they were sent. Extractors of other formats turn a body into JSON bytes and hand them
/// to this one.
public struct JSONExtractor: ResponseExtractor {
    /// `json`
    public let format: String
    /// `application/json`
    public let accept: String

    /// An extractor; it has nothing to set.
    public init() {
        format = "json"
        accept = "application/json"
    }

    /// Reads one page, or one object, in one pass; see ``ResponseExtractor/page(in:_:)``.
    ///
    /// - Throws: ``ExtractionError``: `malformed` for what is not JSON, `tooLarge` for what passes a limit,
    ///   `itemsNotFound`, `missingID` or `unexpectedType` where the body is not as the selectors say.
    public func page(in body: [UInt8], _ selectors: Selectors) throws -> Page {
        let body = Self.withoutMark(body)
        return try Self.explaining(body) {
            try body.withUnsafeBufferPointer { bytes in
                var reader = try JSONPageReader(bytes, selectors)
                return try reader.read(body)
            }
        }
    }

    /// Decodes the whole body.
    ///
    /// - Throws: ``ExtractionError`` `malformed` or `tooLarge`.
    public func value(in body: [UInt8], limits: JSONLimits = .default) throws -> Value {
        let body = Self.withoutMark(body)
        return try Self.explaining(body) { try Value(json: body, limits: limits) }
    }

    /// A body without one byte order mark at its beginning, which a reader may ignore (RFC 8259 §8.1); offsets in messages count
    /// from behind it.
    static func withoutMark(_ body: [UInt8]) -> [UInt8] {
        body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body
    }

    /// Turns what the scanner says into what the body's reader needs to know.
    private static func explaining<Result>(_ body: [UInt8], _ read: () throws -> Result) throws -> Result {
        do {
            return try read()
        } catch let error as JSONError {
            switch error.code {
            case .tooLarge, .tooDeep:
                throw ExtractionError(
                    code: .tooLarge,
                    message:
                        "the body passes a limit: \(error.message); if it is right, raise `limits` in the route file, "
                        + "where nesting can be \(JSONLimits.valueDepth) deep at most")
            default:
                throw ExtractionError(
                    code: .malformed, message: "the body is not valid JSON: \(reason(error, body))")
            }
        }
    }

    private static func reason(_ error: JSONError, _ body: [UInt8]) -> String {
        switch body.first(where: { $0 > 0x20 }) {
        case nil: "the body is empty; where the API sends none, read nothing from it"
        case UInt8(ascii: "<"): "it begins with <, which looks like HTML or XML; check the URL and `format`"
        default: error.message
        }
    }
}
