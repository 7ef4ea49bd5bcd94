/// An identifier with its wire type: the number `1` and the string `"1"` are different identifiers on the wire.
///
/// A temporary identifier is a UUID that Atmosphere gave to an object the server does not know yet.
public struct ObjectID: Hashable, Sendable, CustomStringConvertible {
    /// How the identifier is written in JSON.
    package enum WireType: String, Hashable, Sendable {
        /// A JSON string; a JSON number; a UUID of ours that stands in until the server has given one.
        case string, number, temporary
    }

    /// The inside of a string, decoded, or the lexeme of a number.
    public var text: String
    /// How it is written where others refer to it: `1` is not `"1"`.
    package var wireType: WireType

    /// An identifier as it is; nothing checks that a number is one.
    package init(_ text: String, _ wireType: WireType = .string) {
        self.text = text
        self.wireType = wireType
    }

    /// For a model that is not saved yet: ``Objects/create(_:)`` leaves it out.
    public static let unassigned = ObjectID("", .temporary)

    /// Whether it looks as one that was made for nobody else (RFC 9562 §4), and not chosen by a person.
    package var isUUID: Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return false }
        return bytes.indices.allSatisfy { place in
            switch place {
            case 8, 13, 18, 23: bytes[place] == UInt8(ascii: "-")
            default: Character(Unicode.Scalar(bytes[place])).isHexDigit
            }
        }
    }

    /// What two texts have in common that mean one identifier: a UUID may be written in capitals (RFC 9562 §4).
    package static func compared(_ text: String) -> ScalarText {
        ScalarText(ObjectID(text).isUUID ? text.lowercased() : text)
    }

    /// The identifier as a JSON value: a number where the API writes one, else a string.
    public var value: Value {
        if wireType == .number, let number = JSONNumber(text) { return .number(number) }
        return .string(text)
    }

    /// Reads an identifier from a JSON value.
    ///
    /// - Returns: nil for anything but a string or a number, and for an empty string.
    public init?(_ value: Value) {
        switch value {
        case .string(let text) where !text.isEmpty: self.init(text, .string)
        case .number(let number): self.init(number.lexeme, .number)
        default: return nil
        }
    }

    public var description: String { text }
}

extension ObjectID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            self.init(String(number), .number)
        } else {
            self.init(try container.decode(String.self), .string)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if wireType == .number, let number = Int64(text) {
            try container.encode(number)
        } else {
            try container.encode(text)
        }
    }
}

// Identity is in the bytes, as that of ``ObjectURI``.
extension ObjectID {
    public static func == (left: ObjectID, right: ObjectID) -> Bool {
        left.wireType == right.wireType && left.text.hasSameBytes(as: right.text)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(wireType)
        text.hashBytes(into: &hasher)
    }
}
