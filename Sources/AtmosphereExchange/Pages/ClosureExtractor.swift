/// A response format in one closure: the body in, what it says as a JSON value out.
///
/// The closure knows the format and nothing else. Where items, identifiers, versions, the next page and errors stand is for
/// the route file to say, as it is for JSON:
///
/// ```swift
/// let lines = ClosureExtractor(format: "lines", accept: "text/plain") { body in
///     .array(body.split(separator: 10).map { .string(String(decoding: $0, as: UTF8.self)) })
/// }
/// ```
///
/// Passed as `.extractor(lines)` it reads the resources with `format: lines`. Their writes need a ``BodyWriter`` of the same
/// name, or `coding: json`.
///
/// A value is built for every field, so it costs several times what ``JSONExtractor`` does; an extractor of your own avoids
/// that by writing JSON bytes.
public struct ClosureExtractor: ResponseExtractor {
    /// What the route file's `format` says to choose it.
    public let format: String
    /// The media type, sent as `Accept`.
    public let accept: String
    private let read: @Sendable ([UInt8]) throws -> Value

    /// An extractor for a format that the closure reads.
    ///
    /// - Parameters:
    ///   - format: what the route file's `format` says to choose it.
    ///   - accept: the media type, sent as `Accept`.
    ///   - value: reads one whole body, which may be empty. An ``ExtractionError`` that it throws is passed on; of any other
    ///     error only the type is told, for a description may quote the body.
    public init(format: String, accept: String, value: @escaping @Sendable ([UInt8]) throws -> Value) {
        self.format = format
        self.accept = accept
        read = value
    }

    /// Has the closure read the body, and ``JSONExtractor`` read what it made.
    ///
    /// - Throws: ``ExtractionError``: `tooLarge` before the closure is called for a body beyond the limits, `malformed`
    ///   for an error of the closure that is none itself, and what ``JSONExtractor`` throws.
    public func page(in body: [UInt8], _ selectors: Selectors) throws -> Page {
        try JSONExtractor().page(in: try json(body, limits: selectors.limits), selectors)
    }

    /// What the closure makes of the body, within the limits; errors as in ``page(in:_:)``.
    public func value(in body: [UInt8], limits: JSONLimits) throws -> Value {
        try JSONExtractor().value(in: try json(body, limits: limits), limits: limits)
    }

    private func json(_ body: [UInt8], limits: JSONLimits) throws -> [UInt8] {
        guard body.count <= limits.bytes else {
            throw ExtractionError(
                code: .tooLarge,
                message: "the body has \(body.count) bytes, more than \(limits.bytes); raise limits.body or ask for "
                    + "smaller pages")
        }
        do {
            return try read(body).json()
        } catch let error as ExtractionError {
            throw error
        } catch {
            throw ExtractionError(
                code: .malformed, message: "the body cannot be read as \(format): \(type(of: error)); check `format`")
        }
    }
}
