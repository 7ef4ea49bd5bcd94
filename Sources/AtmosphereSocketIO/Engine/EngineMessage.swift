/// What Engine.IO carries for the layer above: text or bytes.
public enum EngineMessage: Sendable, Hashable {
    /// UTF-8.
    case text([UInt8])
    /// Bytes of any kind.
    case binary([UInt8])

    /// The bytes of either.
    public var bytes: [UInt8] {
        switch self {
        case .text(let bytes), .binary(let bytes): bytes
        }
    }
}

extension EngineMessage: ExpressibleByStringLiteral {
    /// A text message.
    public init(stringLiteral text: String) { self = .text(Array(text.utf8)) }
}
