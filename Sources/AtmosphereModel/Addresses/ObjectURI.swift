/// The unique address of a local object: an entity and an identifier, written `tasks/42`.
///
/// Everything after the first byte `/` of the written form is the identifier, so identifiers may contain slashes and
/// dots, and begin with a combining mark.
/// Where identifiers are unique per parent only, the identifier is `PARENT/ID` with each segment percent-encoded
/// (see ``ObjectURI/init(entity:segments:)``).
public struct ObjectURI: Hashable, Sendable, CustomStringConvertible {
    /// The kind of object, as the route file names it (`tasks`).
    public var entity: String
    /// The identifier's text; a temporary UUID until the server has given a permanent one.
    public var id: String

    /// An address of these parts; where identifiers are unique per parent, use ``init(entity:segments:)``.
    public init(entity: String, id: String) {
        self.entity = entity
        self.id = id
    }

    /// Reads the written form.
    ///
    /// - Returns: nil where there is no `/`, or nothing before or behind the first one.
    public init?(_ text: String) {
        guard let (entity, id) = text.divided(at: "/"), !entity.isEmpty, !id.isEmpty else { return nil }
        self.init(entity: String(entity), id: String(id))
    }

    /// An identifier of several levels, outermost parent first; each segment is percent-encoded (RFC 3986 §2.1).
    public init(entity: String, segments: [String]) {
        self.init(entity: entity, id: segments.map { PercentEncoding.segment($0) }.joined(separator: "/"))
    }

    /// The decoded levels of an identifier made by ``init(entity:segments:)``.
    public var segments: [String] {
        id.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { PercentEncoding.decode(String(Substring($0))) }
    }

    public var description: String { "\(entity)/\(id)" }

    /// The address as one word of a shell.
    package var shellWord: String { description.shellWord }
}

// Identity is in the bytes: servers tell apart what Swift's text equality does not (see ``IdentifierKey``).
extension ObjectURI {
    public static func == (left: ObjectURI, right: ObjectURI) -> Bool {
        left.id.hasSameBytes(as: right.id) && left.entity.hasSameBytes(as: right.entity)
    }

    public func hash(into hasher: inout Hasher) {
        entity.hashBytes(into: &hasher)
        id.hashBytes(into: &hasher)
    }
}

extension ObjectURI: Comparable {
    /// By entity, then by identifier: canonical integers (`0`, `42`) by their value, then every other text by its UTF-8
    /// bytes. In this order a store answers queries without an order, breaks ties, and gives what is changed.
    public static func < (left: ObjectURI, right: ObjectURI) -> Bool {
        left.entity.hasSameBytes(as: right.entity)
            ? IdentifierKey(left.id) < IdentifierKey(right.id) : left.entity.precedesInBytes(right.entity)
    }

    /// Bytes of the identifier that sort as the addresses of one entity do, for a store that sorts by bytes: byte by byte,
    /// the shorter first where one is the beginning of the other. Different identifiers have different bytes.
    public var sortKey: [UInt8] { IdentifierKey(id).sortKey }
}
