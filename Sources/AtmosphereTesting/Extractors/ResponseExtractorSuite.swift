public import Atmosphere

/// What every ``ResponseExtractor`` must do: checks for what its protocol promises.
///
/// Run each check as a test case of its own:
///
/// ```swift
/// @Test(arguments: suite.checks)
/// func conforms(_ check: ConformanceCheck) async throws { try await check.run() }
/// ```
///
/// The checks know no format: bodies are made by `encode` from what they are to say. What is particular to the format
/// (encodings, attributes, entities, what has no equal in JSON) needs tests of its own.
public struct ResponseExtractorSuite: Sendable {
    /// How a list stands in a body.
    public struct Shape: Sendable, Hashable {
        let isBare: Bool

        /// As a member of an object that says more of the list: its next page, how many items there are.
        public static let envelope = Shape(isBare: false)
        /// As the whole body, record after record, and nothing besides: sequences of JSON, tables. What is about the rest of
        /// an envelope is not asked then, and a body that is cut off between two records may pass for a shorter list.
        public static let bareList = Shape(isBare: true)
    }

    /// Something that a format may be unable to hold. It is not asked for then; the rest is.
    public struct Content: Sendable, Hashable {
        private let name: String

        /// Numbers that neither a signed integer of 64 bits nor a double (IEEE 754 binary64) holds exactly, as in most binary
        /// formats.
        public static let longNumbers = Content(name: "longNumbers")
    }

    let extractor: any ResponseExtractor
    let shape: Shape
    let lacks: Set<Content>
    let encode: @Sendable (Value) throws -> [UInt8]

    /// A suite for an extractor.
    ///
    /// - Parameters:
    ///   - extractor: used by many checks at once.
    ///   - shape: how the format writes lists; in an envelope by default.
    ///   - cannotHold: what the format has no means to say; nothing by default.
    ///   - encode: writes a value in the extractor's format, so that nothing of it is lost: types, null, the order of lists. Of
    ///     a bare list it gets arrays of objects only.
    public init(
        extractor: any ResponseExtractor, shape: Shape = .envelope, cannotHold: Set<Content> = [],
        encode: @escaping @Sendable (Value) throws -> [UInt8]
    ) {
        self.extractor = extractor
        self.shape = shape
        lacks = cannotHold
        self.encode = encode
    }

    /// One for each rule; they may run at once.
    public var checks: [ConformanceCheck] {
        (itemChecks + factChecks + pageChecks + refusalChecks + valueChecks).compactMap { $0 }
    }

    func check(
        _ name: String, _ body: @escaping @Sendable (ResponseExtractorSuite) async throws -> Void
    ) -> ConformanceCheck? {
        ConformanceCheck(name) { try await body(self) }
    }

    /// A check of what stands around a list; nil where nothing can.
    func envelopeCheck(
        _ name: String, _ body: @escaping @Sendable (ResponseExtractorSuite) async throws -> Void
    ) -> ConformanceCheck? {
        shape.isBare ? nil : check(name, body)
    }

    // MARK: What the checks read

    /// The page that a body says.
    func page(_ body: Value, _ selectors: Selectors) throws -> Page {
        try extractor.page(in: bytes(of: body), shaped(selectors))
    }

    /// A body of the format: of an envelope its rows alone, where lists are bare.
    func bytes(of body: Value) throws -> [UInt8] {
        guard shape.isBare, body.array == nil else { return try encode(body) }
        return try encode(body.members?["rows"] ?? .array([body]))
    }

    func shaped(_ selectors: Selectors) -> Selectors {
        var selectors = selectors
        if shape.isBare, selectors.items == Self.selectors().items { selectors.items = nil }
        return selectors
    }

    /// Three items in an envelope, as most lists are.
    static let list: Value = [
        "meta": ["count": 3],
        "rows": [
            ["id": 7, "title": "Grüße ☃ 𝄞", "etag": "\"a1\"", "done": true],
            ["id": 8, "title": "a \"quoted\" \\ <b> & 'c'", "etag": "\"a2\"", "done": false],
            ["id": 9, "title": "", "etag": "\"a3\"", "done": false]
        ]
    ]

    static func path(_ names: String...) -> JSONPath { JSONPath(names.map(JSONPath.Step.member)) }

    static func selectors(_ change: (inout Selectors) -> Void = { _ in }) -> Selectors {
        var selectors = Selectors(id: .member("id"))
        selectors.items = .member("rows")
        selectors.types = ["id": .integer, "done": .boolean]
        change(&selectors)
        return selectors
    }

    /// What an extractor throws.
    func failure(_ body: () throws -> Void, _ what: String) throws -> ExtractionError {
        do {
            try body()
        } catch let error as ExtractionError {
            try Expect.that(!error.message.isEmpty, "\(what): the error says nothing; name place, reason and remedy")
            return error
        } catch {
            throw ConformanceFailure("\(what): threw \(type(of: error)), not ExtractionError")
        }
        throw ConformanceFailure("\(what): nothing was thrown")
    }
}

extension Page {
    /// The records as values, in order.
    ///
    /// - Throws: ``ConformanceFailure`` for a slice that is no JSON or lies outside the bytes.
    func values() throws -> [Value] {
        try items.enumerated().map { index, item in
            for range in [item.record, item.version, item.cursor, item.lookup].compactMap({ $0 }) {
                try Expect.that(
                    range.lowerBound >= 0 && range.upperBound <= bytes.count,
                    "item \(index): the slice \(range) lies outside the page's \(bytes.count) bytes")
            }
            do {
                return try Value(json: Array(bytes[item.record]))
            } catch {
                throw ConformanceFailure("item \(index): its record is not JSON: \(error)")
            }
        }
    }
}
