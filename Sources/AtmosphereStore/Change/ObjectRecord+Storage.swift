extension ObjectRecord {
    /// Takes bytes that come back from a file, which may have been damaged: checks them in one scan without decoding.
    ///
    /// - Throws: ``StoreError`` `damaged` that names the object.
    public init(stored bytes: [UInt8], of uri: ObjectURI) throws(StoreError) {
        do {
            try self.init(bytes: bytes, limits: .unlimited)
        } catch {
            throw .damaged("the record of \(uri)", error.message)
        }
    }

    /// The record as a part of a JSON document: the object itself where writing it again gives the same bytes, else a
    /// string of its text. Either way ``init(embedded:of:)`` gives back exactly these bytes. A record that is nearly as
    /// deep as a ``Value`` may be is text as well, for it must have room in the document around it.
    public var embedded: Value {
        let limits = JSONLimits(depth: JSONLimits.valueDepth - 16, bytes: .max, values: .max)
        if let value = try? Value(json: bytes, limits: limits), value.json() == bytes { return value }
        return .string(description)
    }

    /// The record that ``embedded`` was made of.
    ///
    /// - Throws: ``StoreError`` `damaged` that names the object.
    public init(embedded value: Value, of uri: ObjectURI) throws(StoreError) {
        switch value {
        case .object(let members): self.init(members)
        case .string(let text): try self.init(stored: Array(text.utf8), of: uri)
        default: throw .damaged("the record of \(uri)", "it is neither an object nor its text")
        }
    }
}
