/// HTTP header fields in their order; names compare without case (RFC 9110 §5.1).
public struct HeaderFields: Sendable, Hashable {
    /// In their order, also those of the same name; each value as it was written, for a combined line such as `a, b` is not
    /// taken apart.
    public var fields: [NamedText]

    /// Takes the fields in this order, those of the same name too.
    public init(_ fields: [NamedText] = []) {
        self.fields = fields
    }

    /// The first field's value. Setting replaces every field of the name; setting nil removes them.
    public subscript(name: String) -> String? {
        get { fields.first { Self.same($0.name, name) }?.value }
        set {
            let index = fields.firstIndex { Self.same($0.name, name) }
            fields.removeAll { Self.same($0.name, name) }
            guard let newValue else { return }
            fields.insert(NamedText(name: name, value: newValue), at: min(index ?? fields.count, fields.count))
        }
    }

    /// All values of a name, in order.
    public func values(of name: String) -> [String] { fields.filter { Self.same($0.name, name) }.map(\.value) }

    /// Adds a field behind all others, beside those of the same name.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(NamedText(name: name, value: value))
    }

    private static func same(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.lowercased() == right.lowercased()
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    /// Names and values, in the order of the literal; a name may stand twice.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { NamedText(name: $0.0, value: $0.1) })
    }
}
