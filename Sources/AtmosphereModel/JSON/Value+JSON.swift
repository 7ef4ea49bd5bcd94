extension Value {
    /// Decodes one JSON text (RFC 8259): UTF-8 without a byte order mark, white space around it allowed.
    ///
    /// Members keep their order, numbers their lexeme; the first of duplicate names wins. The escape of a single
    /// surrogate (`\uD800`), which no character stands for, becomes U+FFFD.
    ///
    /// - Throws: ``JSONError``, with the byte offset of what is wrong.
    public init(json: [UInt8], limits: JSONLimits = .default) throws(JSONError) {
        self = try json.withUnsafeBufferPointer { bytes throws(JSONError) in
            let text = try JSONScanner(bytes, limits: limits.forValues)
            guard !text.hasMoreValues(than: limits.values, in: 0..<bytes.count) else {
                // A text that is broken, or too deep, is reported as such.
                _ = try text.onlyValue()
                throw text.tooMany(0, limits.values)
            }
            var decoder = ValueDecoder(text)
            return try decoder.decode(from: 0)
        }
    }

    /// Decodes a value that stands in a text which the scanner has passed.
    package init(json bytes: UnsafeBufferPointer<UInt8>, range: Range<Int>) throws(JSONError) {
        var decoder = ValueDecoder(JSONScanner(bytes, end: range.upperBound))
        self = try decoder.decode(from: range.lowerBound)
    }

    package init(json text: JSONScanner, _ range: Range<Int>) throws(JSONError) {
        try self.init(json: UnsafeBufferPointer(start: text.base, count: text.end), range: range)
    }

    /// The same for a value of any size.
    ///
    /// - Throws: ``JSONError`` `tooLarge` where it holds more values than `most`.
    package init(json text: JSONScanner, _ range: Range<Int>, atMost most: Int) throws(JSONError) {
        guard !text.hasMoreValues(than: most, in: range) else { throw text.tooMany(range.lowerBound, most) }
        try self.init(json: text, range)
    }

    /// The JSON text as UTF-8: compact, members in their order, numbers as their lexeme, escapes only where they must
    /// be.
    public func json() -> [UInt8] {
        var writer = JSONWriter()
        writer.append(self)
        return writer.bytes
    }

    /// The JSON text for people: each member and element on a line of its own.
    ///
    /// - Parameter indent: the number of spaces for each level.
    package func prettyJSON(indent: Int = 2) -> String {
        var writer = JSONWriter()
        writer.appendPretty(self, indent: indent, level: 0)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
