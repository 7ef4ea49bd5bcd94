/// An object's attributes: the UTF-8 bytes of one JSON object, decoded on demand.
///
/// The bytes are valid JSON (RFC 8259) by construction; numbers keep their lexeme and members their order.
/// Two records are `==` when their bytes are; use ``Value`` equality to compare what they say.
public struct ObjectRecord: Hashable, Sendable {
    /// The JSON object's text as UTF-8.
    public let bytes: [UInt8]

    /// Takes bytes that are known to be one valid JSON object, such as a slice that the scanner has checked.
    package init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Checks the bytes and takes them as they are.
    ///
    /// - Throws: ``JSONError`` where they are not one JSON object within the limits.
    public init(bytes: [UInt8], limits: JSONLimits = .default) throws(JSONError) {
        try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in
            let value = try JSONScanner(bytes, limits: limits.forValues).onlyValue()
            guard bytes[value.lowerBound] == UInt8(ascii: "{") else {
                throw .at(value.lowerBound, .unexpectedType, "a record must be a JSON object")
            }
        }
        self.bytes = bytes
    }

    /// Encodes members in their order.
    public init(_ members: Value.Members) {
        self.bytes = Value.object(members).json()
    }

    /// The decoded members; the first of duplicate names wins.
    public var members: Value.Members {
        let value = checked { try Value(json: $0, range: $0.indices) }
        guard case .object(let members) = value else { preconditionFailure("a record is a JSON object") }
        return members
    }

    /// One member's value; nil where it is absent. Decodes nothing else.
    public subscript(name: String) -> Value? { member(named: name) }
}

extension ObjectRecord: CustomStringConvertible {
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
